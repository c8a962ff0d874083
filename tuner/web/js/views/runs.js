// All runs, newest first, live; what is chosen here can be laid over each other.

import * as api from '../api.js';
import { append, fill, h } from '../dom.js';
import { listen } from '../events.js';
import { count, duration, rate, shortPath, time, value } from '../format.js';
import { t, word } from '../i18n.js';
import { elo, empty, gamesOf, stateBadge, trouble, verdictBadge } from '../parts.js';
import { progressBar } from '../charts/bars.js';
import { throttle } from '../refresh.js';
import { go, link } from '../router.js';

const STATES = ['waiting', 'running', 'paused', 'completed', 'failed', 'cancelled'];
const SHOWN = 3;

function parameterList(row) {
  const all = row.parameters ?? [];
  const moved = all.filter((it) => it.before !== it.now);
  const some = [...moved, ...all.filter((it) => it.before === it.now)].slice(0, SHOWN);
  return h(
    'ul',
    { class: 'changes' },
    some.map((it) =>
      h(
        'li',
        { title: it.path },
        h('code', {}, shortPath(it.path)),
        h('span', { class: 'values' }, value(it.before), ' → ', h('b', {}, value(it.now))),
      ),
    ),
    all.length > SHOWN &&
      h('li', { class: 'faint' }, t('runs.more_parameters', { count: all.length - SHOWN })),
  );
}

function progress(row) {
  const label = t('runs.progress');
  const left =
    row.seconds_left !== null &&
    row.seconds_left !== undefined &&
    t('run.left', { time: duration(row.seconds_left) });
  const pace =
    row.games_per_s !== null &&
    row.games_per_s !== undefined &&
    t('run.games_per_s', { rate: rate(row.games_per_s) });
  return [
    h('span', { class: 'num' }, gamesOf(row), ' ', h('span', { class: 'faint' }, t('unit.games'))),
    row.games_planned > 0 && progressBar(row.games, row.games_planned, label),
    h(
      'small',
      {},
      [t('runs.rounds_n', { count: count(row.rounds) }), pace, left].filter(Boolean).join(' · '),
    ),
  ];
}

function drawRow(row, chosen, onChoose) {
  const name = row.label || row.id;
  const href = link(['runs', row.id]);
  const box = h('input', {
    type: 'checkbox',
    checked: chosen.has(row.id),
    'aria-label': t('runs.choose', { name }),
    onchange: (event) => onChoose(row.id, event.target.checked),
  });
  if (row.error) {
    return h(
      'tr',
      { 'data-run': row.id },
      h('td'),
      h('td', { class: 'run-name' }, h('a', { href }, name)),
      h('td', { colspan: 4, class: 'trouble' }, row.error),
    );
  }
  return h(
    'tr',
    { 'data-run': row.id },
    h('td', { class: 'pick' }, box),
    h(
      'td',
      { class: 'run-name' },
      h('a', { href, title: row.id }, name),
      h('small', {}, row.game, ' · ', row.learner, ' · ', t('runs.seed', { seed: row.seed })),
      h('small', { class: 'faint' }, time(row.submitted, 'short')),
    ),
    h(
      'td',
      { 'data-label': t('runs.col.state') },
      stateBadge(row.state),
      row.place && h('small', {}, t('runs.place', { place: row.place })),
      row.phase === 'verifying' && h('small', {}, word('phase', row.phase)),
      row.driver === 'terminal' && h('small', {}, t('runs.by_terminal')),
      row.reason && h('small', { class: 'reason' }, row.reason),
    ),
    h('td', { 'data-label': t('runs.col.progress') }, progress(row)),
    h('td', { 'data-label': t('runs.col.parameters') }, parameterList(row)),
    h(
      'td',
      { 'data-label': t('runs.col.elo'), class: 'elo-cell' },
      elo(row),
      row.verdict && verdictBadge(row.verdict),
    ),
  );
}

function table(rows, chosen, onChoose) {
  const heads = ['name', 'state', 'progress', 'parameters', 'elo'];
  return h(
    'table',
    { class: 'runs' },
    h('caption', { class: 'hidden' }, t('runs.title')),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, h('span', { class: 'hidden' }, t('runs.col.choose'))),
        heads.map((it) => h('th', { scope: 'col' }, t(`runs.col.${it}`))),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((row) => drawRow(row, chosen, onChoose)),
    ),
  );
}

/** Draws the view. */
export function open(route, main, page) {
  page.title(t('runs.title'));
  const rows = new Map();
  const chosen = new Set();
  let order = [];
  let filter = { text: '', state: '' };
  const list = h('div', { class: 'runs-list' }, empty(t('loading')));
  const compare = h(
    'button',
    {
      type: 'button',
      disabled: true,
      onclick: () => go(link(['compare'], { runs: [...chosen].join(',') })),
    },
    t('runs.compare'),
  );
  const search = h('input', {
    type: 'search',
    placeholder: t('runs.search'),
    'aria-label': t('runs.search'),
    oninput: (event) => {
      filter = { ...filter, text: event.target.value.toLowerCase() };
      draw();
    },
  });
  const state = h(
    'select',
    {
      'aria-label': t('runs.col.state'),
      onchange: (event) => {
        filter = { ...filter, state: event.target.value };
        draw();
      },
    },
    h('option', { value: '' }, t('runs.any_state')),
    STATES.map((it) => h('option', { value: it }, word('state', it))),
  );
  append(
    main,
    h(
      'div',
      { class: 'head' },
      h('h1', {}, t('runs.title')),
      h(
        'div',
        { class: 'row' },
        search,
        state,
        compare,
        h('a', { class: 'button primary', href: link(['new']) }, t('runs.new')),
      ),
    ),
    list,
  );

  const choose = (id, isChosen) => {
    if (isChosen) chosen.add(id);
    else chosen.delete(id);
    compare.disabled = chosen.size < 1;
  };
  const fits = (row) =>
    (!filter.state || row.state === filter.state) &&
    (!filter.text || `${row.label} ${row.id} ${row.game}`.toLowerCase().includes(filter.text));
  function draw() {
    if (order.length === 0) {
      fill(
        list,
        h(
          'div',
          { class: 'welcome' },
          h('p', {}, t('runs.none')),
          h('a', { class: 'button primary', href: link(['new']) }, t('runs.new')),
        ),
      );
      return;
    }
    const shown = order.map((id) => rows.get(id)).filter(fits);
    const focused = document.activeElement?.closest?.('tr[data-run]')?.dataset.run;
    const tag = document.activeElement?.tagName;
    fill(list, shown.length > 0 ? table(shown, chosen, choose) : empty(t('runs.no_match')));
    if (focused)
      [...list.querySelectorAll('tr')]
        .find((it) => it.dataset.run === focused)
        ?.querySelector(tag)
        ?.focus();
  }
  async function read() {
    try {
      const { items } = await api.pages(['runs']);
      order = items.map((it) => it.id);
      items.forEach((it) => rows.set(it.id, it));
      draw();
    } catch (error) {
      if (order.length === 0) fill(list, trouble(error));
    }
  }
  const drawing = throttle(draw);
  const reading = throttle(read);
  const stream = listen(['events'], {
    on: {
      run(row) {
        if (!rows.has(row.id)) reading.ask();
        rows.set(row.id, row);
        drawing.ask();
      },
      service: page.service,
    },
    changed: page.connection,
    back: reading.ask,
  });
  api.get(['service']).then(page.service, () => {});
  read();
  const step = (by) => {
    const links = [...list.querySelectorAll('.run-name a')];
    const at = links.indexOf(document.activeElement);
    links[Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  };
  return {
    keys: [
      { key: 'j', text: t('runs.key.next'), act: () => step(1) },
      { key: 'k', text: t('runs.key.previous'), act: () => step(-1) },
      { key: '/', text: t('runs.key.search'), act: () => search.focus() },
    ],
    close() {
      stream.close();
      drawing.close();
      reading.close();
    },
  };
}
