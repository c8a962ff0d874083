// Runs laid over each other, by games, rounds or hours: Elo of the values in force, or a parameter.

import * as api from '../api.js';
import { append, fill, h } from '../dom.js';
import { shortPath, value } from '../format.js';
import { t } from '../i18n.js';
import { choices, elo, empty, stateBadge, trouble, verdictBadge } from '../parts.js';
import { lineChart } from '../charts/line.js';
import { keepQuery, link } from '../router.js';
import { hoursOf, merge } from '../series.js';

/** Runs shorter than that are shown by minutes. */
const HOURS_MIN = 3;

async function readRun(id, signal, wantsTime) {
  const [{ row }, trajectories, statistics, log] = await Promise.all([
    api.get(['runs', id], {}, signal),
    api.get(['runs', id, 'trajectories'], { points: 400 }, signal),
    api.get(['runs', id, 'statistics'], {}, signal),
    wantsTime ? api.pages(['runs', id, 'log'], { most: 20000, signal }) : { items: [] },
  ]);
  return {
    row,
    trajectories,
    strength: statistics.strength,
    hours: wantsTime ? hoursOf(log.items) : null,
  };
}

function curveOf(run, what, by) {
  const source = what === 'elo' ? run.strength : run.trajectories;
  const at =
    what === 'elo' ? null : run.trajectories.parameters.findIndex((it) => it.path === what);
  if (!source || at === -1) return { x: [], y: [] };
  const places = by === 'time' ? source.rounds.map((it) => run.hours?.get(it) ?? null) : source[by];
  const y = what === 'elo' ? source.elo : source.values[at];
  const kept = places.map((_, it) => it).filter((it) => places[it] !== null);
  return { x: kept.map((it) => places[it]), y: kept.map((it) => y[it]) };
}

function summary(runs) {
  const paths = [...new Set(runs.flatMap(({ row }) => row.parameters.map((it) => it.path)))];
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'dense' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td'),
          runs.map(({ row }) =>
            h(
              'th',
              { scope: 'col', class: 'num' },
              h('a', { href: link(['runs', row.id]) }, row.label || row.id),
            ),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, t('runs.col.state')),
          runs.map(({ row }) => h('td', { class: 'num' }, stateBadge(row.state))),
        ),
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, t('headline.elo')),
          runs.map(({ row }) =>
            h('td', { class: 'num' }, elo(row), row.verdict && verdictBadge(row.verdict)),
          ),
        ),
        paths.map((path) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('code', { title: path }, shortPath(path))),
            runs.map(({ row }) => {
              const it = row.parameters.find((other) => other.path === path);
              return h(
                'td',
                { class: 'num' },
                it ? [value(it.before), ' → ', h('b', {}, value(it.now))] : '–',
              );
            }),
          ),
        ),
      ),
    ),
  );
}

/** Draws the view. */
export function open(route, main, page) {
  page.title(t('compare.title'));
  const leaving = new AbortController();
  let chosen = (route.query.runs ?? '').split(',').filter(Boolean);
  let by = ['games', 'rounds', 'time'].includes(route.query.by) ? route.query.by : 'games';
  let what = route.query.what ?? 'elo';
  let runs = [];
  const chart = lineChart({
    title: t('compare.title'),
    x: { label: '' },
    y: { label: 'Elo' },
    height: 420,
    show: value,
  });
  const list = h('div', { class: 'check-list', role: 'group', 'aria-label': t('compare.choose') });
  const measure = h('select', {
    'aria-label': t('compare.what'),
    onchange: (event) => {
      what = event.target.value;
      keepQuery({ what });
      draw();
    },
  });
  const body = h('div', { class: 'panel' }, chart.element);
  const table = h('div', { class: 'panel' });
  append(
    main,
    h(
      'div',
      { class: 'head' },
      h('h1', {}, t('compare.title')),
      h(
        'div',
        { class: 'row' },
        measure,
        choices(
          t('compare.by'),
          [
            ['games', t('compare.by_games')],
            ['rounds', t('compare.by_rounds')],
            ['time', t('compare.by_time')],
          ],
          by,
          (it) => {
            by = it;
            keepQuery({ by });
            read();
          },
        ),
      ),
    ),
    list,
    body,
    table,
  );

  function draw() {
    if (runs.length === 0) {
      fill(body, empty(t('compare.none')));
      fill(table);
      return;
    }
    const paths = [
      ...new Set(runs.flatMap((it) => it.trajectories.parameters.map(({ path }) => path))),
    ];
    fill(
      measure,
      h('option', { value: 'elo' }, t('compare.elo')),
      paths.map((it) => h('option', { value: it }, shortPath(it))),
    );
    if (what !== 'elo' && !paths.includes(what)) what = 'elo';
    measure.value = what;
    const curves = runs.map((it) => curveOf(it, what, by));
    const isShort = by === 'time' && curves.every(({ x }) => x.every((it) => it < HOURS_MIN));
    if (isShort) for (const it of curves) it.x = it.x.map((hours) => 60 * hours);
    const units = {
      games: 'unit.games',
      rounds: 'unit.rounds',
      time: isShort ? 'unit.minutes' : 'unit.hours',
    };
    if (!body.contains(chart.element)) fill(body, chart.element);
    chart.set({
      shape: what + units[by],
      x: { label: t(units[by]) },
      y: { label: what === 'elo' ? t('compare.elo') : shortPath(what) },
      data: merge(curves),
      series: runs.map(({ row }, at) => ({ label: row.label || row.id, at, width: 2 })),
      levels: what === 'elo' ? [{ at: 0, text: t('learning.start') }] : [],
    });
    fill(table, summary(runs), h('p', { class: 'faint' }, t('learning.elo_note')));
  }
  async function read() {
    try {
      runs = await Promise.all(chosen.map((id) => readRun(id, leaving.signal, by === 'time')));
      draw();
    } catch (error) {
      if (error.name !== 'AbortError') fill(table, trouble(error));
    }
  }
  api.pages(['runs'], { signal: leaving.signal }).then(
    ({ items }) => {
      fill(
        list,
        items
          .filter((it) => !it.error)
          .map((row) =>
            h(
              'label',
              { class: 'check' },
              h('input', {
                type: 'checkbox',
                checked: chosen.includes(row.id),
                onchange: (event) => {
                  chosen = event.target.checked
                    ? [...chosen, row.id]
                    : chosen.filter((it) => it !== row.id);
                  keepQuery({ runs: chosen.join(',') });
                  read();
                },
              }),
              row.label || row.id,
            ),
          ),
      );
    },
    (error) => error.name !== 'AbortError' && fill(list, trouble(error)),
  );
  read();
  return {
    close() {
      leaving.abort();
      chart.close();
    },
  };
}
