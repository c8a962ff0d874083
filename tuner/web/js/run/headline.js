// What changed, by how much, and how sure that is; then each parameter, then warnings.

import { fill, h } from '../dom.js';
import { count, duration, interval, rate, shortPath, signed, time, value } from '../format.js';
import { t, word } from '../i18n.js';
import { elo, figure, section, verdictBadge } from '../parts.js';
import { progressBar, ruler } from '../charts/bars.js';
import { share } from '../series.js';

function sentence(row, view) {
  const moved = row.parameters.filter((it) => it.before !== it.now).length;
  const changed = t('headline.changed', { moved: count(moved), all: count(row.parameters.length) });
  if (view.keeps_start) return [t('headline.keeps_start')];
  if (row.elo === null) {
    const told = view.outlook?.predicted_elo;
    const fitted =
      told === undefined || told === null
        ? null
        : t('headline.fitted', {
            elo: signed(told),
            interval: interval([
              told - 1.96 * view.outlook.predicted_elo_deviation,
              told + 1.96 * view.outlook.predicted_elo_deviation,
            ]),
          });
    return [
      changed,
      ' ',
      h('strong', { class: 'unsure' }, t('headline.not_verified')),
      ' ',
      fitted,
    ];
  }
  const last = view.verifications?.[view.verifications.length - 1];
  const games = last?.against_start?.games;
  return [
    changed,
    ' ',
    h('strong', { class: 'gain' }, `${signed(row.elo)} Elo`),
    ' ',
    t('headline.interval', { interval: interval(row.elo_95) }),
    ' ',
    games ? t('headline.measured', { games: count(games) }) : '',
    ' ',
    t(`headline.${row.verdict ?? 'undecided'}`),
  ];
}

function figures(row, view) {
  const left =
    row.seconds_left !== null ? t('run.left', { time: duration(row.seconds_left) }) : null;
  return h(
    'dl',
    { class: 'figures' },
    figure(
      t('headline.games'),
      [
        count(row.games),
        row.games_planned && h('span', { class: 'faint' }, ` / ${count(row.games_planned)}`),
        row.games_planned && progressBar(row.games, row.games_planned, t('runs.progress')),
      ],
      left,
    ),
    figure(t('headline.rounds'), count(row.rounds)),
    figure(
      t('headline.speed'),
      row.games_per_s === null ? '–' : `${rate(row.games_per_s)}`,
      t('unit.games_per_s'),
    ),
    figure(t('headline.elo'), elo(row), row.elo === null ? null : t('unit.elo_95')),
    figure(t('headline.verdict'), verdictBadge(row.verdict), row.phase && word('phase', row.phase)),
    figure(
      t('headline.spent'),
      count(view.spent?.total ?? row.games_all),
      t('headline.spent_note'),
    ),
    figure(t('headline.budget'), h('span', { class: 'words' }, view.budget ?? '–'), row.game),
    figure(
      t('headline.submitted'),
      h('span', { class: 'words' }, time(row.submitted, 'short')),
      t('runs.seed', { seed: row.seed }),
    ),
  );
}

function parameterRow(it, axis) {
  const part = (x) => (axis && typeof x === 'number' ? share(axis, x) : null);
  const best = Array.isArray(it.best_95) && axis ? it.best_95.map(part) : null;
  const title = t('headline.ruler', { min: value(axis?.min), max: value(axis?.max) });
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row' },
      h('code', { title: it.path }, shortPath(it.path)),
      it.at_bound && h('span', { class: 'badge warn' }, t('headline.at_bound')),
    ),
    h('td', { class: 'num' }, value(it.before)),
    h('td', { class: 'num now' }, value(it.now)),
    h(
      'td',
      { class: 'ruler-cell' },
      axis && !axis.words && ruler({ now: part(it.now), start: part(it.before), best }, title),
    ),
    h(
      'td',
      { class: 'num' },
      Array.isArray(it.best_95) ? `[${value(it.best_95[0])}, ${value(it.best_95[1])}]` : '–',
    ),
    h('td', {}, word('known', it.verdict)),
  );
}

function parameterTable(view, axes) {
  const heads = [
    ['parameter'],
    ['before', 'num'],
    ['now', 'num'],
    ['range'],
    ['best', 'num'],
    ['known'],
  ];
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'dense parameters' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map(([it, kind]) =>
            h('th', { scope: 'col', class: kind }, t(`headline.col.${it}`)),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        view.parameters.map((it) => parameterRow(it, axes.get(it.path))),
      ),
    ),
  );
}

function outlook(it) {
  if (!it) return null;
  return h(
    'p',
    { class: 'faint' },
    t('headline.outlook', {
      gain: signed(it.remaining_gain_elo),
      most: signed(it.remaining_gain_elo_95),
    }),
    ' ',
    it.fits ? t('headline.fits') : t('headline.fits_not', { count: count(it.misfits) }),
  );
}

/** The section. */
export function headline(context) {
  const body = h('div', { class: 'stack' });
  const element = section('overview', t('run.section.overview'), body);
  let axes = null;
  let shown = null;
  async function read() {
    const [{ row, view }, warnings] = await Promise.all([
      context.get([]),
      context.get(['warnings']),
    ]);
    axes ??= new Map(
      (await context.get(['trajectories'], { points: 2 })).parameters.map((it) => [it.path, it]),
    );
    const next = JSON.stringify([row, view, warnings]);
    if (next === shown) return;
    shown = next;
    fill(
      body,
      h('p', { class: 'sentence' }, sentence(row, view)),
      row.reason && h('p', { class: 'trouble' }, row.reason),
      figures(row, view),
      warnings.items.length > 0 &&
        h(
          'ul',
          { class: 'warnings', 'aria-label': t('headline.warnings') },
          warnings.items.map((it) =>
            h('li', {}, h('b', {}, word('warning', it.kind)), ' ', it.text),
          ),
        ),
      parameterTable(view, axes),
      outlook(view.outlook),
    );
  }
  return { element, read };
}
