// How the parameters moved: raw or as a share of their ranges, smoothed with the raw curve behind,
// with the values of the start.

import { fill, h } from '../dom.js';
import { percent, shortPath, value } from '../format.js';
import { t } from '../i18n.js';
import { choices, empty, section } from '../parts.js';
import { lineChart } from '../charts/line.js';
import { keepQuery } from '../router.js';
import { share, smooth } from '../series.js';

const FIRST_SHOWN = 8;
const MOST_RAW = 3;

/** The section. */
export function trajectories(context) {
  const { query, id } = context;
  let answer = null;
  let chosen = query.p ? new Set(query.p.split(',')) : null;
  let mode = query.y === 'raw' ? 'raw' : 'share';
  let weight = Number(query.smooth) || 0;
  let needle = '';
  const charts = h('div', { class: 'chart-stack' });
  const nothing = h('div', { hidden: true }, empty(t('trajectories.no_round')));
  const list = h('div', {
    class: 'check-list',
    role: 'group',
    'aria-label': t('trajectories.choose'),
  });
  let made = [];

  const search = h('input', {
    type: 'search',
    placeholder: t('trajectories.search'),
    'aria-label': t('trajectories.search'),
    oninput: (event) => {
      needle = event.target.value.toLowerCase();
      drawList();
    },
  });
  const smoothing = h('input', {
    type: 'range',
    min: 0,
    max: 0.98,
    step: 0.01,
    value: weight,
    'aria-label': t('trajectories.smooth'),
    oninput: (event) => {
      weight = Number(event.target.value);
      keepQuery({ smooth: weight || null });
      draw();
    },
  });
  const modes = choices(
    t('trajectories.scale'),
    [
      ['share', t('trajectories.share')],
      ['raw', t('trajectories.raw')],
    ],
    mode,
    (it) => {
      mode = it;
      keepQuery({ y: it === 'raw' ? 'raw' : null });
      draw();
    },
  );
  const element = section(
    'trajectories',
    t('run.section.trajectories'),
    h(
      'div',
      { class: 'row controls' },
      modes,
      h('label', { class: 'inline' }, t('trajectories.smooth'), smoothing),
      search,
    ),
    list,
    nothing,
    charts,
  );

  function drawList() {
    const fits = answer.parameters.filter((it) => it.path.toLowerCase().includes(needle));
    fill(
      list,
      fits.map((it) =>
        h(
          'label',
          { class: 'check', title: it.path },
          h('input', {
            type: 'checkbox',
            checked: chosen.has(it.path),
            onchange: (event) => {
              if (event.target.checked) chosen.add(it.path);
              else chosen.delete(it.path);
              keepQuery({ p: [...chosen].join(',') });
              draw();
            },
          }),
          shortPath(it.path),
        ),
      ),
      fits.length === 0 && h('span', { class: 'faint' }, t('trajectories.no_match')),
    );
  }

  const curve = (axis, row) =>
    row.map((it) => (it === null ? null : mode === 'share' ? share(axis, it) : it));
  function rows(indices) {
    const series = [];
    const data = [answer.games];
    for (const at of indices) {
      const axis = answer.parameters[at];
      const raw = curve(axis, answer.values[at]);
      if (weight > 0) {
        series.push({ label: axis.path, at, faint: true });
        data.push(raw);
      }
      series.push({ label: shortPath(axis.path), title: axis.path, at, stepped: weight === 0 });
      data.push(smooth(raw, weight));
    }
    return { series, data };
  }
  const startOf = (axis) =>
    typeof axis.start === 'string' ? axis.words.indexOf(axis.start) : axis.start;
  function levelsOf(indices) {
    return indices.map((at) => {
      const axis = answer.parameters[at];
      return {
        at: mode === 'share' ? share(axis, startOf(axis)) : startOf(axis),
        text:
          indices.length <= MOST_RAW ? t('trajectories.start', { value: value(axis.start) }) : '',
      };
    });
  }
  function plan(indices) {
    if (mode === 'share') return [indices];
    return indices.map((it) => [it]);
  }
  function rawAxis(axis) {
    if (axis.words)
      return {
        label: axis.path,
        range: () => [-0.3, axis.words.length - 0.7],
        splits: () => axis.words.map((_, it) => it),
        values: () => axis.words,
      };
    return { label: shortPath(axis.path), log: axis.scale === 'log', range: null };
  }
  let drawn = '';
  function draw() {
    if (!answer) return;
    const indices = answer.parameters
      .map((_, at) => at)
      .filter((at) => chosen.has(answer.parameters[at].path));
    const plans = plan(indices);
    const wanted = JSON.stringify([mode, plans]);
    if (wanted !== drawn) {
      drawn = wanted;
      made.forEach((it) => it.close());
      made = plans.map(([first, ...others]) =>
        lineChart({
          title: t('run.section.trajectories'),
          x: { label: t('unit.games') },
          sync: `run-${id}`,
          height: mode === 'share' ? 320 : 180,
          show:
            mode === 'share'
              ? (it) => percent(it, 0)
              : (it) => answer.parameters[first].words?.[it] ?? value(it),
          y:
            mode === 'share'
              ? {
                  label: t('trajectories.share_axis'),
                  range: () => [-0.03, 1.03],
                  values: (_, marks) => marks.map((it) => percent(it, 0)),
                }
              : others.length === 0 && first !== undefined
                ? rawAxis(answer.parameters[first])
                : {},
        }),
      );
      fill(
        charts,
        made.map((it) => it.element),
        indices.length === 0 && h('p', { class: 'empty' }, t('trajectories.none')),
      );
    }
    made.forEach(
      (chart, at) =>
        plans[at].length > 0 && chart.set({ ...rows(plans[at]), levels: levelsOf(plans[at]) }),
    );
  }
  async function read() {
    answer = await context.get(['trajectories'], { points: 400 });
    if (chosen === null || list.childElementCount === 0) {
      chosen ??= new Set(answer.parameters.slice(0, FIRST_SHOWN).map((it) => it.path));
      drawList();
    }
    nothing.hidden = answer.games.length > 0;
    charts.hidden = answer.games.length === 0;
    draw();
  }
  return { element, read, close: () => made.forEach((it) => it.close()) };
}
