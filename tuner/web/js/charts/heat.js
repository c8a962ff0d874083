// The fitted surface as a map: steps of Elo with lines between them, paler where it is not sure,
// the games' points on it, the start and the values in force.

import { fill, h, say } from '../dom.js';
import { count, signed, value } from '../format.js';
import { t } from '../i18n.js';
import { atShare, bilinear, extent, niceStep, share, ticks } from '../series.js';
import { colour, onChange } from '../theme.js';
import { amountColour, css } from './palette.js';

const EDGE = { left: 62, right: 14, top: 12, bottom: 44 };
const STEPS = 10;

function levelsOf(surface) {
  const found = extent(...surface.elo);
  if (!found) return null;
  // A cliff far below would leave no steps for where the games are: what is below the lower quarter
  // shares the lowest step's colour.
  const all = surface.elo
    .flat()
    .filter((it) => it !== null)
    .sort((a, b) => a - b);
  const [low, high] = [all[Math.floor(all.length / 4)], found[1]];
  const step = niceStep(high - low || 1, STEPS);
  const first = Math.floor(low / step);
  return { first, step, steps: Math.max(Math.floor(high / step) - first + 1, 1) };
}

/** How sure the surface is at a deviation, against its own span: 1 quite, 0 not at all. */
const sureness = (deviation, span) => (deviation === null ? 1 : 1 / (1 + (2 * deviation) / span));

function paint(surface, levels, width, height) {
  const image = new ImageData(width, height);
  const [nx, ny] = surface.grid;
  const paper = colour('paper')
    .match(/\w\w/g)
    .map((it) => parseInt(it, 16));
  const span = Math.max(levels.step * levels.steps, 1);
  const inks = Array.from({ length: levels.steps }, (_, it) =>
    amountColour((it + 0.5) / levels.steps),
  );
  let above = new Int32Array(width);
  for (let row = 0; row < height; row += 1) {
    const here = new Int32Array(width);
    for (let col = 0; col < width; col += 1) {
      const [px, py] = [col / (width - 1), 1 - row / (height - 1)];
      const elo = bilinear(surface.elo, nx, ny, px, py);
      const bin = elo === null ? -1 : Math.max(Math.floor(elo / levels.step) - levels.first, 0);
      here[col] = bin;
      const isLine = (col > 0 && here[col - 1] !== bin) || (row > 0 && above[col] !== bin);
      const ink = bin < 0 ? paper : inks[Math.min(bin, inks.length - 1)];
      const deviation = surface.deviation ? bilinear(surface.deviation, nx, ny, px, py) : null;
      const alpha = 0.25 + 0.75 * sureness(deviation, span);
      const at = 4 * (row * width + col);
      for (let part = 0; part < 3; part += 1) {
        const plain = paper[part] + (ink[part] - paper[part]) * alpha;
        image.data[at + part] = isLine ? plain * 0.72 : plain;
      }
      image.data[at + 3] = 255;
    }
    above = here;
  }
  return image;
}

function star(context, x, y, radius) {
  context.beginPath();
  for (let at = 0; at < 10; at += 1) {
    const angle = (Math.PI / 5) * at - Math.PI / 2;
    const reach = at % 2 ? radius * 0.45 : radius;
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  context.closePath();
}

const axisOf = (it) =>
  it.words ? { ...it, min: 0, max: Math.max(it.words.length - 1, 1), scale: 'linear' } : it;
const told = (axis, it) => (axis.words ? (axis.words[Math.round(it)] ?? '') : value(it));
const placeOf = (axis, it) =>
  share(axisOf(axis), axis.words && typeof it === 'string' ? axis.words.indexOf(it) : it);

/** A map; `set` shows a surface of the service. */
export function heatMap({ title }) {
  const canvas = h('canvas', { class: 'heat', tabindex: '0', role: 'img', 'aria-label': title });
  const readout = h('output', { class: 'readout' });
  const scale = h('div', { class: 'heat-scale' });
  const element = h('figure', { class: 'chart' }, canvas, readout, scale);
  let surface = null;
  let levels = null;
  let box = null;
  let pointer = null;

  function toPixel(x, y) {
    return [
      box.left + placeOf(surface.x, x) * box.width,
      box.top + (1 - placeOf(surface.y, y)) * box.height,
    ];
  }
  function drawPoints(context) {
    const most = Math.max(...surface.played.map((it) => it.games), 1);
    context.lineWidth = 1;
    for (const it of surface.played) {
      const [x, y] = toPixel(it.x, it.y);
      context.beginPath();
      context.arc(x, y, 1.4 + 5 * Math.sqrt(it.games / most), 0, 7);
      context.fillStyle = 'rgb(255 255 255 / 0.35)';
      context.strokeStyle = 'rgb(10 14 20 / 0.5)';
      context.fill();
      context.stroke();
    }
  }
  function drawEnds(context) {
    const [sx, sy] = toPixel(...surface.start);
    const [nx, ny] = toPixel(...surface.now);
    context.lineWidth = 2;
    context.strokeStyle = '#10141a';
    context.fillStyle = '#ffffff';
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(sx, sy);
    context.lineTo(nx, ny);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.rect(sx - 6, sy - 6, 12, 12);
    context.fill();
    context.stroke();
    star(context, nx, ny, 12);
    context.fillStyle = '#ff8a1f';
    context.fill();
    context.stroke();
  }
  function drawAxes(context) {
    context.fillStyle = colour('ink-2');
    context.strokeStyle = colour('line');
    context.lineWidth = 1;
    context.font = '11px system-ui, "Noto Sans", sans-serif';
    context.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
    const marks = (axis, parts) =>
      axis.words ? axis.words.map((_, at) => at) : ticks(axis, parts);
    context.textAlign = 'center';
    for (const it of marks(surface.x, Math.max(3, box.width / 90))) {
      const x = box.left + placeOf(surface.x, it) * box.width;
      context.fillText(told(surface.x, it), x, box.top + box.height + 16);
      context.fillRect(x, box.top + box.height, 1, 4);
    }
    context.fillText(surface.x.path, box.left + box.width / 2, box.top + box.height + 36);
    context.textAlign = 'right';
    for (const it of marks(surface.y, 6)) {
      const y = box.top + (1 - placeOf(surface.y, it)) * box.height;
      context.fillText(told(surface.y, it), box.left - 8, y + 4);
      context.fillRect(box.left - 5, y, 4, 1);
    }
    context.save();
    context.translate(12, box.top + box.height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = 'center';
    context.fillText(surface.y.path, 0, 0);
    context.restore();
  }
  function draw() {
    if (!surface || !levels) return;
    const wide = Math.max(canvas.parentElement.clientWidth, 200);
    const high = Math.round(Math.min(Math.max(wide * 0.62, 260), 480));
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.height = `${high}px`;
    box = {
      left: EDGE.left,
      top: EDGE.top,
      width: wide - EDGE.left - EDGE.right,
      height: high - EDGE.top - EDGE.bottom,
    };
    const context = canvas.getContext('2d');
    const image = paint(
      surface,
      levels,
      Math.round(box.width * ratio),
      Math.round(box.height * ratio),
    );
    context.putImageData(image, Math.round(box.left * ratio), Math.round(box.top * ratio));
    context.scale(ratio, ratio);
    drawAxes(context);
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
    drawPoints(context);
    drawEnds(context);
    context.restore();
  }
  function drawScale() {
    const steps = Array.from({ length: levels.steps }, (_, at) => {
      const it = h('i');
      it.style.background = css(amountColour((at + 0.5) / levels.steps));
      return it;
    });
    fill(
      scale,
      h('span', {}, t('surface.least', { elo: signed((levels.first + 1) * levels.step, 0) })),
      h('span', { class: 'steps', 'aria-hidden': 'true' }, steps),
      h('span', {}, `${signed((levels.first + levels.steps) * levels.step, 0)} Elo`),
      h('span', { class: 'faint' }, t('surface.step', { step: value(levels.step) })),
      h(
        'span',
        { class: 'keys-of' },
        h('i', { class: 'sign square' }),
        t('surface.start'),
        h('i', { class: 'sign star' }, '★'),
        t('surface.now'),
        h('i', { class: 'sign dot' }),
        t('surface.played'),
      ),
    );
  }
  function read(x, y) {
    const [nx, ny] = surface.grid;
    const elo = bilinear(surface.elo, nx, ny, x, y);
    const deviation = surface.deviation && bilinear(surface.deviation, nx, ny, x, y);
    const at = [
      told(surface.x, atShare(axisOf(surface.x), x)),
      told(surface.y, atShare(axisOf(surface.y), y)),
    ];
    const error = value(deviation === null ? null : 1.96 * deviation);
    say(readout, `${at.join(', ')}: ${signed(elo)} Elo ± ${error} (${t('surface.fitted')})`);
  }
  canvas.addEventListener('pointermove', (event) => {
    if (!surface || !box) return;
    const at = [(event.offsetX - box.left) / box.width, 1 - (event.offsetY - box.top) / box.height];
    if (at.every((it) => it >= 0 && it <= 1)) read(...at);
  });
  canvas.addEventListener('keydown', (event) => {
    const step = {
      ArrowLeft: [-0.02, 0],
      ArrowRight: [0.02, 0],
      ArrowUp: [0, 0.02],
      ArrowDown: [0, -0.02],
    }[event.key];
    if (!step || !surface) return;
    event.preventDefault();
    pointer ??= [placeOf(surface.x, surface.now[0]), placeOf(surface.y, surface.now[1])];
    pointer = pointer.map((it, at) => Math.min(Math.max(it + step[at], 0), 1));
    read(...pointer);
  });
  const sized = new ResizeObserver(draw);
  sized.observe(element);
  const unhear = onChange(draw);
  return {
    element,
    set(next) {
      surface = next;
      levels = levelsOf(surface);
      pointer = null;
      say(readout, t('surface.points', { count: count(surface.played.length) }));
      draw();
      if (levels) drawScale();
    },
    close() {
      sized.disconnect();
      unhear();
    },
  };
}
