// The tree of edits, live; or as it stood at the end of an earlier round.

import { fill, h, say } from '../dom.js';
import { count, fixed, shortPath, value } from '../format.js';
import { t } from '../i18n.js';
import { choices, empty, section } from '../parts.js';
import { css, signColour } from '../charts/palette.js';
import { editText, hasQ, pathOf, treeDrawing, treeTable } from '../tree.js';

function edits(tree) {
  return h(
    'table',
    { class: 'dense edits' },
    h('caption', {}, t('tree.edits')),
    h(
      'tbody',
      {},
      tree.edits.map((it, at) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, h('span', { class: 'way-sign' }, at + 1)),
          h('td', {}, editText(it)),
        ),
      ),
    ),
  );
}

function details(tree, number) {
  const node = tree.nodes[number];
  const root = tree.nodes[0].values;
  const path = pathOf(node);
  return [
    h(
      'h3',
      {},
      number === 0 ? t('tree.root') : t('tree.node', { number }),
      path.length > 0 &&
        h(
          'span',
          { class: 'path' },
          path.map((it) => h('span', { class: 'way-sign' }, it)),
        ),
    ),
    h(
      'dl',
      { class: 'pairs' },
      h('dt', {}, 'Q'),
      h('dd', {}, fixed(hasQ(node) ? node.q : null, 4)),
      h('dt', {}, t('tree.col.visits')),
      h('dd', {}, count(node.visits)),
      tree.greedy.includes(number) && [h('dt', {}, '★'), h('dd', {}, t('tree.greedy'))],
    ),
    h(
      'table',
      { class: 'dense' },
      h('caption', {}, t('tree.values')),
      h(
        'tbody',
        {},
        Object.entries(node.values).map(([name, it]) =>
          h(
            'tr',
            { class: it !== root[name] && 'moved' },
            h('th', { scope: 'row' }, h('code', { title: name }, shortPath(name))),
            h('td', { class: 'num' }, value(it)),
          ),
        ),
      ),
    ),
  ];
}

function legend() {
  const steps = [-1, -0.5, 0, 0.5, 1].map((it) => {
    const step = h('i');
    step.style.background = css(signColour(it));
    return step;
  });
  return h(
    'p',
    { class: 'tree-legend' },
    h('span', {}, t('tree.q_low'), h('span', { class: 'steps' }, steps), t('tree.q_high')),
    h('span', {}, h('i', { class: 'sign greedy' }), t('tree.greedy')),
    h('span', {}, h('i', { class: 'sign visits' }), t('tree.visits_bar')),
    h('span', {}, h('i', { class: 'sign playing' }), t('tree.playing')),
    h('span', {}, h('i', { class: 'sign ended' }), t('tree.ended')),
  );
}

const TRIES_MAX = 30;

/** The section. */
export function tree(context) {
  let chosen = 0;
  let wanted = null;
  let rounds = [];
  let shown = null;
  let form = 'drawing';
  const side = h('div', { class: 'node-details', 'aria-live': 'polite' });
  const ways = h('div');
  const drawing = treeDrawing({
    onChoose: (number) => {
      chosen = number;
      if (shown) fill(side, details(shown, number));
    },
  });
  const table = h('div', { hidden: true });
  const status = h('p', { class: 'tree-status' });
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 0,
    value: 0,
    'aria-label': t('tree.round'),
    oninput: () => pick(Number(slider.value)),
  });
  const live = h(
    'button',
    { type: 'button', class: 'live', onclick: () => pick(rounds.length) },
    t('tree.live'),
  );
  const forms = choices(
    t('tree.form'),
    [
      ['drawing', t('tree.form_drawing')],
      ['table', t('tree.form_table')],
    ],
    form,
    (it) => {
      form = it;
      show();
    },
  );
  const key = h('div');
  const body = h(
    'div',
    { class: 'tree-body' },
    h('div', { class: 'tree-main' }, drawing.element, table, key),
    h('div', { class: 'tree-side' }, side, ways),
  );
  const controls = h(
    'div',
    { class: 'row controls' },
    forms,
    h('span', { class: 'grow round-slider' }, slider, live),
  );
  const nothing = h('div', { hidden: true });
  const element = section('tree', t('run.section.tree'), controls, status, body, nothing);

  function pick(at) {
    wanted = at >= rounds.length ? null : rounds[at];
    say(status, t('loading'));
    part.now();
  }
  function show() {
    drawing.element.toggleAttribute('hidden', form !== 'drawing');
    table.hidden = form !== 'table';
    if (shown && form === 'table') fill(table, treeTable(shown));
  }
  let asked = 0;
  let tries = 0;
  async function read() {
    const mine = ++asked;
    const answer = await context.get(wanted === null ? ['tree'] : ['tree', String(wanted)]);
    if (mine !== asked) return null;
    const has = answer.tree !== null;
    [controls, body, status].forEach((it) => {
      it.hidden = !has;
    });
    nothing.hidden = has;
    if (!has) {
      fill(nothing, empty(answer.reason ?? t('tree.none')));
      // The journal may still be read; a learner without a tree is not asked for ever.
      tries += 1;
      return tries < TRIES_MAX ? 'again' : null;
    }
    tries = 0;
    shown = answer.tree;
    rounds = shown.rounds_drawn ?? rounds;
    slider.max = rounds.length;
    slider.value = wanted === null ? rounds.length : rounds.indexOf(wanted);
    slider.setAttribute('aria-valuetext', t('tree.round_n', { round: count(shown.round) }));
    live.setAttribute('aria-pressed', String(wanted === null));
    say(
      status,
      [
        t('tree.round_n', { round: count(shown.round) }),
        t('tree.updates_n', { count: count(shown.updates) }),
        shown.in_progress ? t('tree.in_progress') : t('tree.finished'),
      ].join(' · '),
    );
    drawing.set(shown);
    fill(side, details(shown, chosen));
    fill(ways, edits(shown));
    fill(key, legend());
    show();
    return null;
  }
  const part = {
    element,
    read,
    trial(it) {
      if (wanted === null && it.round === shown?.round) drawing.light(it.path);
    },
    close: drawing.close,
  };
  return part;
}
