// Curves over games, rounds or moves: uPlot with our colours, linked cursors, a legend of our own
// that can be read out, and arrow keys. A chart is made once, fed again, and destroyed with its
// view.

import { append, fill, h, say } from '../dom.js';
import { count, value as plain } from '../format.js';
import { t } from '../i18n.js';
import { colour, onChange } from '../theme.js';
import { lineColour, lineDash } from './palette.js';

const { uPlot } = window;
const FONT = '11px system-ui, "Noto Sans", sans-serif';

/** A place on the axis below: a count, or hours and the like. */
const place = (it) => (Number.isInteger(it) ? count(it) : plain(it));

const WHOLE_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].flatMap((it) => [it, 2 * it, 5 * it]);

const axis = (options) => ({
  stroke: colour('ink-2'),
  font: FONT,
  labelFont: FONT,
  grid: { stroke: colour('grid'), width: 1 },
  ticks: { stroke: colour('grid'), width: 1, size: 4 },
  ...options,
});

function seriesOptions(it, at) {
  const stroke = it.colour ? colour(it.colour) : lineColour(it.at ?? at);
  return {
    label: it.label,
    stroke: it.faint ? withAlpha(stroke, 0.3) : stroke,
    width: it.points ? 0 : (it.width ?? (it.faint ? 1 : 1.75)),
    dash: it.dash ?? (it.faint || it.solid ? [] : lineDash(it.at ?? at)),
    spanGaps: true,
    paths: it.stepped ? uPlot.paths.stepped({ align: 1 }) : it.points ? () => null : undefined,
    points: it.points
      ? { show: true, size: 8, stroke, fill: colour('paper'), width: 2 }
      : { show: false },
    fill: it.fill && withAlpha(stroke, 0.14),
    scale: it.scale ?? 'y',
  };
}

const withAlpha = (hex, alpha) =>
  `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;

function levels(list) {
  return (u) => {
    const { ctx, bbox } = u;
    ctx.save();
    for (const { at, text, name = 'ink-2' } of list()) {
      const y = Math.round(u.valToPos(at, 'y', true));
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.strokeStyle = colour(name);
      ctx.fillStyle = colour(name);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
      if (!text) continue;
      ctx.textAlign = 'right';
      ctx.setLineDash([]);
      ctx.lineWidth = 4 * devicePixelRatio;
      ctx.strokeStyle = colour('paper');
      const [right, above] = [
        bbox.left + bbox.width - 6 * devicePixelRatio,
        y - 5 * devicePixelRatio,
      ];
      ctx.strokeText(text, right, above);
      ctx.fillText(text, right, above);
    }
    ctx.restore();
  };
}

/**
 * A chart. `series`: `{label, faint, points, dash, stepped, at, hidden, unit}` for each row after
 * the first; `bands`: pairs of rows; `levels`: lines across; `y`: `{label, log, range, values}`.
 */
export function lineChart({ title, x, y = {}, sync, height = 260, show = plain, onPick }) {
  const plot = h('div', { class: 'plot' });
  const legend = h('div', { class: 'legend' });
  const element = h(
    'figure',
    { class: 'chart', tabindex: '0', role: 'group', 'aria-label': `${title}. ${t('chart.keys')}` },
    legend,
    plot,
  );
  let u = null;
  let series = [];
  let bands = [];
  let marks = [];
  let data = null;
  let shape = '';
  let values = [];

  /** The curves and the levels, with some air. */
  const spread = (_, low, high) => {
    const all = [low, high, ...marks.map(({ at }) => at)].filter(
      (it) => it !== null && it !== undefined,
    );
    if (all.length === 0) return [0, 1];
    const [least, most] = [Math.min(...all), Math.max(...all)];
    if (y.log) return [least / 1.25, most * 1.25];
    const air = 0.08 * (most - least) || Math.abs(most) * 0.1 || 1;
    return [least - air, most + air];
  };
  const width = () => Math.max(plot.clientWidth, 120);
  const read = (at) => {
    if (!data) return;
    const index = at ?? data[0].length - 1;
    say(values[0], data[0].length > 0 ? `${x.label} ${place(data[0][index])}` : '');
    series.forEach((it, row) => {
      if (it.faint && !it.told) return;
      let near = index;
      while (near > 0 && (data[row + 1][near] ?? null) === null) near -= 1;
      if (values[row + 1]) say(values[row + 1], show(data[row + 1][near] ?? null));
    });
  };
  function drawLegend() {
    values = [h('output', { class: 'at' })];
    fill(legend, values[0]);
    series.forEach((it, row) => {
      if (it.faint && !it.told) return;
      values[row + 1] = h('b');
      const { stroke, dash, points } = u.series[row + 1];
      const swatch = h('i', { class: it.points ? 'swatch dot' : 'swatch' });
      const ink = typeof stroke === 'function' ? stroke(u, row + 1) : stroke;
      swatch.style.setProperty('--c', ink);
      swatch.dataset.dash = dash?.length ? (dash[0] < 4 ? 'dots' : 'dashes') : 'none';
      append(
        legend,
        h(
          'span',
          { class: 'entry', title: it.title ?? it.label },
          swatch,
          it.label,
          points && ' ',
          values[row + 1],
        ),
      );
    });
  }
  function build() {
    const options = {
      width: width(),
      height,
      legend: { show: false },
      padding: [12, 26, 0, 0],
      cursor: {
        y: false,
        points: { size: 7 },
        drag: { x: true, y: false },
        ...(sync && { sync: { key: sync, setSeries: false } }),
      },
      scales: {
        x: { time: false, ...(x.range && { range: x.range }) },
        y: { distr: y.log ? 3 : 1, range: y.range ?? spread },
      },
      axes: [
        axis({
          label: x.label,
          // Games, rounds and moves are whole.
          ...(x.whole && { incrs: WHOLE_STEPS }),
          size: 32,
          labelSize: 20,
          values: (_, marks_) => marks_.map(place),
        }),
        axis({
          label: y.label,
          size: 54,
          labelSize: 18,
          values: y.values ?? ((_, marks_) => marks_.map((it) => (it === null ? '' : plain(it)))),
          ...(y.splits && { splits: y.splits }),
        }),
      ],
      series: [{}, ...series.map(seriesOptions)],
      bands: bands.map(([top, bottom, at]) => ({
        series: [top, bottom],
        fill: withAlpha(lineColour(at ?? 0), 0.16),
      })),
      hooks: { draw: [levels(() => marks)], setCursor: [(it) => read(it.cursor.idx)] },
    };
    u?.destroy();
    u = new uPlot(options, data, plot);
    drawLegend();
    read(null);
  }
  const sized = new ResizeObserver(() => {
    if (u && Math.abs(u.width - width()) > 1) u.setSize({ width: width(), height });
  });
  sized.observe(plot);
  const unhear = onChange(() => data && build());
  element.addEventListener('keydown', (event) => {
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -20,
      PageDown: 20,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (step === undefined || !data || event.target !== element) return;
    event.preventDefault();
    const last = data[0].length - 1;
    const at = Math.min(Math.max((u.cursor.idx ?? last) + step, 0), last);
    u.setCursor({ left: u.valToPos(data[0][at], 'x'), top: 10 });
  });
  if (onPick) plot.addEventListener('click', () => u?.cursor.idx != null && onPick(u.cursor.idx));
  return {
    element,
    /** Shows other figures; the chart is made anew only when its rows are others. */
    set(next) {
      ({ series, data, bands = [], levels: marks = [] } = next);
      const wanted = JSON.stringify([series, bands, next.shape]);
      if (!u || wanted !== shape) {
        shape = wanted;
        if (next.y) y = { ...y, ...next.y };
        if (next.x) x = { ...x, ...next.x };
        build();
      } else {
        // A zoom stays where the person put it; otherwise the whole is shown.
        const zoomed =
          u.scales.x.min > u.data[0][0] || u.scales.x.max < u.data[0][u.data[0].length - 1];
        u.setData(data, !zoomed);
        if (zoomed) u.redraw();
        if (u.cursor.idx == null) read(null);
      }
    },
    close() {
      sized.disconnect();
      unhear();
      u?.destroy();
      u = null;
    },
  };
}
