// The tree of edits, drawn: the number is Q, the colour how it stands in its layer, the bar outside
// is visits (as a square root), the thick way is the
// greedy path, a ring is an episode being played.

import { fill, h, s } from './dom.js';
import { change, compact, count, fixed, shortPath, value } from './format.js';
import { t } from './i18n.js';
import { onChange } from './theme.js';
import {
  CENTRE,
  RINGS,
  angleOf,
  layerOf,
  neighbour,
  pointOf,
  polar,
  standing,
} from './tree-layout.js';
import { css, inkOn, signColour } from './charts/palette.js';

// Edits of less are what rounding left of none.
const ROUNDING = 1e-9;
const RADIUS = [34, 25, 17];
const BAR = { from: 292, most: 44 };
const LIT_MS = 1400;

const qText = (q) => fixed(q, 3).replace(/^(.?)0\./, '$1.');

/** What an edit does, in words. */
export function editText(edit) {
  const parts = Object.entries(edit ?? {}).filter(([, it]) => Math.abs(it) > ROUNDING);
  if (parts.length === 0) return t('tree.no_change');
  return parts.map(([path, it]) => `${shortPath(path)} ${change(it)}`).join(', ');
}

/** No edit leads to the root: most learners have no Q for it. */
export const hasQ = (node) => node.number > 0 || node.q !== 0;

function describe(node, tree) {
  const name =
    node.number === 0
      ? t('tree.root')
      : t('tree.node_of', { number: node.number, path: pathOf(node).join(' → ') });
  return (
    `${name}: Q ${fixed(hasQ(node) ? node.q : null, 3)}, ` +
    t('tree.visits_n', { count: count(node.visits) }) +
    (tree.greedy.includes(node.number) ? `, ${t('tree.greedy')}` : '')
  );
}

/** The ways that lead to a node. */
export function pathOf(node) {
  const ways = [];
  for (let at = node.number; at > 0; at = Math.floor((at - 1) / 6))
    ways.unshift(((at - 1) % 6) + 1);
  return ways;
}

function edge(node, tree, most) {
  const [x1, y1] = pointOf(node.parent ?? Math.floor((node.number - 1) / 6));
  const [x2, y2] = pointOf(node.number);
  const isGreedy = tree.greedy.includes(node.number);
  return s('line', {
    x1,
    y1,
    x2,
    y2,
    class: isGreedy ? 'edge greedy' : 'edge',
    'stroke-width': isGreedy ? 5 : 1 + 2.5 * Math.sqrt(node.visits / most),
  });
}

function visitsBar(node, most) {
  const angle = angleOf(node.number);
  const end =
    BAR.from + Math.max(BAR.most * Math.sqrt(node.visits / most), node.visits > 0 ? 2 : 0);
  const [x1, y1] = polar(angle, BAR.from);
  const [x2, y2] = polar(angle, end);
  return s('line', { x1, y1, x2, y2, class: 'visits' });
}

function wayLabel(node) {
  const layer = layerOf(node.number);
  const [x, y] = polar(angleOf(node.number), layer === 1 ? RINGS[1] / 2 + 10 : RINGS[2] - 30);
  return s(
    'g',
    { class: 'way', 'aria-hidden': 'true' },
    layer === 1 && s('circle', { cx: x, cy: y, r: 10 }),
    s('text', { x, y, dy: '0.36em', 'text-anchor': 'middle' }, ((node.number - 1) % 6) + 1),
  );
}

/** A drawing of the tree; `onChoose(number)` hears which node is looked at. */
export function treeDrawing({ onChoose }) {
  const canvas = s('svg', {
    class: 'tree',
    viewBox: `0 0 ${2 * CENTRE} ${2 * CENTRE}`,
    role: 'tree',
    'aria-label': t('tree.title'),
  });
  let tree = null;
  let chosen = 0;
  const timers = new Set();

  function circle(node, stands) {
    const layer = layerOf(node.number);
    const [x, y] = pointOf(node.number);
    const ink = signColour(stands.get(node.number) ?? 0);
    const isGreedy = tree.greedy.includes(node.number);
    const element = s(
      'g',
      {
        class: `node${isGreedy ? ' greedy' : ''}`,
        role: 'treeitem',
        'data-node': node.number,
        'aria-level': layer + 1,
        'aria-selected': String(node.number === chosen),
        tabindex: node.number === chosen ? '0' : '-1',
        'aria-label': describe(node, tree),
        onpointerenter: () => choose(node.number),
        onfocus: () => choose(node.number),
        onclick: () => choose(node.number),
      },
      s('circle', { cx: x, cy: y, r: RADIUS[layer] + 6, class: 'halo' }),
      s('circle', { cx: x, cy: y, r: RADIUS[layer], class: 'disc', fill: css(ink) }),
      node.visits > 0 && hasQ(node)
        ? s(
            'text',
            { x, y, dy: layer === 2 ? '0.36em' : '0.1em', class: `q q${layer}`, fill: inkOn(ink) },
            qText(node.q),
          )
        : s(
            'text',
            { x, y, dy: layer === 0 ? '0.1em' : '0.36em', class: `q q${layer} none` },
            layer === 0 ? t('tree.root') : '·',
          ),
      layer < 2 &&
        s('text', { x, y, dy: '1.4em', class: 'n', fill: inkOn(ink) }, `n ${compact(node.visits)}`),
    );
    return element;
  }
  function choose(number) {
    chosen = number;
    for (const it of canvas.querySelectorAll('.node')) {
      const isIt = Number(it.dataset.node) === number;
      it.setAttribute('tabindex', isIt ? '0' : '-1');
      it.setAttribute('aria-selected', String(isIt));
    }
    onChoose(number);
  }
  function draw() {
    if (!tree) return;
    const hadFocus = canvas.contains(document.activeElement);
    const lit = [...canvas.querySelectorAll('.ended')].map((it) => it.dataset.node);
    const stands = standing(tree.nodes);
    const most = Math.max(...tree.nodes.filter((it) => it.number > 0).map((it) => it.visits), 1);
    const leaves = tree.nodes.filter((it) => it.number > 6);
    const mostOfLeaves = Math.max(...leaves.map((it) => it.visits), 1);
    const inner = tree.nodes.filter((it) => it.number > 0);
    const ordered = [...inner].sort(
      (a, b) => tree.greedy.includes(a.number) - tree.greedy.includes(b.number),
    );
    fill(
      canvas,
      s('circle', { cx: CENTRE, cy: CENTRE, r: BAR.from, class: 'guide' }),
      ordered.map((it) => edge(it, tree, most)),
      leaves.map((it) => visitsBar(it, mostOfLeaves)),
      inner.map(wayLabel),
      tree.nodes.map((it) => circle(it, stands)),
    );
    for (const { nodes } of tree.playing ?? []) nodes.forEach((it) => mark(it, 'playing'));
    lit.forEach((it) => mark(it, 'ended'));
    if (hadFocus) canvas.querySelector(`[data-node="${chosen}"]`)?.focus();
  }
  const mark = (number, name) =>
    canvas.querySelector(`[data-node="${number}"]`)?.classList.add(name);
  canvas.addEventListener('keydown', (event) => {
    if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home'].includes(event.key)) return;
    event.preventDefault();
    canvas.querySelector(`[data-node="${neighbour(chosen, event.key)}"]`)?.focus();
  });
  const unhear = onChange(draw);
  return {
    element: canvas,
    set(next) {
      tree = next;
      draw();
    },
    /** Lights an episode that has just been played. */
    light(path) {
      if (!path) return;
      const nodes = [path[0], 6 * path[0] + path[1]];
      nodes.forEach((it) => mark(it, 'ended'));
      const timer = setTimeout(() => {
        timers.delete(timer);
        nodes.forEach((it) =>
          canvas.querySelector(`[data-node="${it}"]`)?.classList.remove('ended'),
        );
      }, LIT_MS);
      timers.add(timer);
    },
    close() {
      unhear();
      timers.forEach(clearTimeout);
    },
  };
}

/** The same tree as a table. */
export function treeTable(tree) {
  const paths = Object.keys(tree.nodes[0].values);
  return h(
    'div',
    { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': t('tree.table') },
    h(
      'table',
      { class: 'dense' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['node', 'ways', 'q', 'visits'].map((it) =>
            h('th', { scope: 'col', class: it !== 'ways' && 'num' }, t(`tree.col.${it}`)),
          ),
          paths.map((it) => h('th', { scope: 'col', class: 'num', title: it }, shortPath(it))),
        ),
      ),
      h(
        'tbody',
        {},
        tree.nodes.map((node) =>
          h(
            'tr',
            { class: tree.greedy.includes(node.number) && 'is-greedy' },
            h('td', { class: 'num' }, node.number),
            h(
              'td',
              {},
              pathOf(node).join(' → ') || t('tree.root'),
              tree.greedy.includes(node.number) && ' ★',
            ),
            h('td', { class: 'num' }, fixed(hasQ(node) ? node.q : null, 4)),
            h('td', { class: 'num' }, count(node.visits)),
            paths.map((it) => h('td', { class: 'num' }, value(node.values[it]))),
          ),
        ),
      ),
    ),
  );
}
