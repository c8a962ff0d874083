// Results of games as counts, and the sequential tests: LLR on its way to a bound, attempt by
// attempt.

import { fill, h } from '../dom.js';
import { count, fixed, interval, percent, probability, signed } from '../format.js';
import { t } from '../i18n.js';
import { empty, section, verdictBadge } from '../parts.js';
import { outcomeBar, pentanomialBars } from '../charts/bars.js';
import { lineChart } from '../charts/line.js';

function contest(name, it) {
  if (!it) return null;
  if (it.elo === null) {
    // Few games that all went alike: counts are all that they say.
    const none = t('results.no_estimate', { games: count(it.games) });
    return h(
      'div',
      { class: 'contest' },
      h('h4', {}, t(`results.${name}`)),
      h('p', { class: 'faint' }, none),
      outcomeBar(it),
    );
  }
  return h(
    'div',
    { class: 'contest' },
    h('h4', {}, t(`results.${name}`)),
    h(
      'p',
      {},
      h('b', {}, `${signed(it.elo)} Elo`),
      ' ',
      interval(it.elo_95),
      ' ',
      h(
        'span',
        { class: 'faint' },
        t(`results.estimate.${it.estimate}`, { games: count(it.games) }),
      ),
    ),
    outcomeBar(it),
    h(
      'p',
      { class: 'faint' },
      t('results.los', { los: probability(it.los), nelo: signed(it.nelo) }),
    ),
  );
}

function attempt(it, test) {
  return h(
    'article',
    { class: 'attempt' },
    h('h3', {}, t('results.attempt', { number: it.attempt }), ' ', verdictBadge(it.verdict)),
    h(
      'p',
      {},
      t('results.llr', {
        llr: fixed(it.llr, 2),
        low: fixed(it.llr_bounds[0], 2),
        high: fixed(it.llr_bounds[1], 2),
      }),
      ' ',
      h(
        'span',
        { class: 'faint' },
        t('results.hypotheses', {
          low: signed(it.nelo_bounds[0], 0),
          high: signed(it.nelo_bounds[1], 0),
          alpha: percent(it.alpha, 0),
          beta: percent(it.beta, 0),
        }),
      ),
    ),
    test?.element,
    h(
      'div',
      { class: 'contests' },
      ['decision', 'against_start', 'start_against_reference', 'tuned_against_reference'].map(
        (name) => contest(name, it[name]),
      ),
    ),
  );
}

/** The section. */
export function results(context) {
  const tuning = h('div');
  const attempts = h('div', { class: 'stack' });
  const element = section('results', t('run.section.results'), tuning, attempts);
  const charts = new Map();
  let shown = null;

  function testChart(it) {
    if (!it.llr?.length) return null;
    if (!charts.has(it.attempt)) {
      charts.set(
        it.attempt,
        lineChart({
          title: 'LLR',
          x: { label: t('unit.games') },
          y: { label: 'LLR' },
          height: 190,
          show: (llr) => fixed(llr, 2),
        }),
      );
    }
    return charts.get(it.attempt);
  }
  function feed(it) {
    const [low, high] = it.llr_bounds;
    const points = [[0, 0], ...it.llr.filter(([games]) => games > 0)];
    charts.get(it.attempt).set({
      data: [points.map(([games]) => games), points.map(([, llr]) => llr)],
      series: [{ label: 'LLR', at: 0, solid: true, width: 2 }],
      levels: [
        { at: high, text: t('results.accept_at', { llr: fixed(high, 2) }), name: 'good' },
        { at: low, text: t('results.reject_at', { llr: fixed(low, 2) }), name: 'bad' },
      ],
      y: { range: (_, min, max) => [Math.min(min, low) - 0.6, Math.max(max, high) + 0.9] },
    });
  }
  async function read() {
    const [statistics, { view }] = await Promise.all([
      context.get(['statistics']),
      context.get([]),
    ]);
    const next = JSON.stringify([statistics.tuning, statistics.attempts, view.verifications]);
    if (next === shown) return;
    shown = next;
    const all = statistics.tuning;
    fill(
      tuning,
      h('h3', {}, t('results.tuning', { games: count(all.games) })),
      h('p', { class: 'faint' }, t('results.tuning_note')),
      h(
        'div',
        { class: 'two' },
        outcomeBar(all),
        h('div', {}, h('h4', {}, t('results.pairs')), pentanomialBars(all.pentanomial)),
      ),
    );
    const told = view.verifications ?? [];
    fill(
      attempts,
      told.length === 0 && empty(t('results.none')),
      told.map((it) => {
        const test = statistics.attempts.find((other) => other.attempt === it.attempt);
        return attempt(it, test && testChart(test));
      }),
    );
    statistics.attempts.filter((it) => charts.has(it.attempt)).forEach(feed);
  }
  return { element, read, close: () => charts.forEach((it) => it.close()) };
}
