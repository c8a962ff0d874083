// Rules of the page's arithmetic and of the boards, without a browser:
// `node --test tuner/web/tests/`.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import * as amazons from '../js/board/amazons.js';
import * as dots from '../js/board/dots.js';
import { folded } from '../js/diff.js';
import * as format from '../js/format.js';
import { jobOf } from '../js/job-form.js';
import * as router from '../js/router.js';
import * as series from '../js/series.js';
import { angleOf, neighbour, pointOf, standing } from '../js/tree-layout.js';
import en from '../i18n/en.js';
import zh from '../i18n/zh.js';

const near = (it, wanted) => assert.ok(Math.abs(it - wanted) < 1e-9, `${it} is not ${wanted}`);

test('a missing figure is a dash and never nought', () => {
  for (const it of [null, undefined, NaN, Infinity]) {
    for (const show of [
      format.count,
      format.value,
      format.signed,
      format.percent,
      format.duration,
      format.probability,
    ]) {
      assert.equal(show(it), format.DASH);
    }
  }
});

test('a probability is never rounded to certainty', () => {
  assert.equal(format.probability(1), '> 99.9%');
  assert.equal(format.probability(3e-51), '< 0.1%');
  assert.equal(format.probability(0.5), '50.0%');
});

test('numbers have a true minus, a sign where it matters, and four digits', () => {
  assert.equal(format.signed(-1.25, 1), '\u22121.3');
  assert.equal(format.signed(2, 1), '+2.0');
  assert.equal(format.value(0.0523687), '0.05237');
  assert.equal(format.value('plain'), 'plain');
});

test('a duration is told in its two largest units', () => {
  assert.equal(format.duration(3725), '1h 2m');
  assert.equal(format.duration(59.7), '1m');
  assert.equal(format.duration(0), '0s');
});

test('a link is parsed back to what it was made of, whatever the names', () => {
  const run = 'a/b?c=<img onerror=x>%';
  const made = router.link(['runs', run, 'games', 'round-1.json'], { s: 'x&y', empty: '' });
  assert.deepEqual(router.parse(made), {
    view: 'game',
    run,
    game: 'round-1.json',
    query: { s: 'x&y' },
  });
  assert.equal(router.parse('').view, 'runs');
  assert.equal(router.parse('#/what/is/this').view, 'lost');
  assert.equal(router.parse('#/runs/%E0%A4%A').run, '%E0%A4%A');
});

test('only a fragment that is a token is taken for one', () => {
  assert.equal(router.tokenOf('#token=0afe'), '0afe');
  assert.equal(router.tokenOf('#/runs/token=0afe'), null);
  assert.equal(router.tokenOf('#token=a&b'), null);
});

test('smoothing keeps a constant, begins at the first value, and passes over gaps', () => {
  assert.deepEqual(series.smooth([3, 3, 3], 0).slice(), [3, 3, 3]);
  series.smooth([3, 3, 3], 0.9).forEach((it) => near(it, 3));
  const some = series.smooth([1, null, 2], 0.5);
  near(some[0], 1);
  assert.equal(some[1], null);
  near(some[2], (0.25 * 1 + 0.5 * 2) / 0.75);
});

test('a share of a range and back is the value, on both scales', () => {
  for (const axis of [
    { min: -1, max: 0.5, scale: 'linear' },
    { min: 0.02, max: 3, scale: 'log' },
  ]) {
    for (const part of [0, 0.3, 1]) near(series.share(axis, series.atShare(axis, part)), part);
  }
});

test('marks of an axis lie within it and are evenly pleasant', () => {
  assert.deepEqual(series.ticks({ min: -1, max: 0.5, scale: 'linear' }, 3), [-1, -0.5, 0, 0.5]);
  assert.deepEqual(
    series.ticks({ min: 0.02, max: 3, scale: 'log' }, 9),
    [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
  );
});

test('a bilinear reading is exact on planes, also in a grid of one column', () => {
  const grid = [0, 1, 2].map((x) => [0, 1].map((y) => 3 * x - 2 * y + 1));
  near(series.bilinear(grid, 3, 2, 0.3, 0.6), 3 * 0.6 - 2 * 0.6 + 1);
  near(series.bilinear([[5, 7]], 1, 2, 0.4, 0.5), 6);
});

test('merged curves keep every point at its own place', () => {
  assert.deepEqual(
    series.merge([
      { x: [1, 3], y: [10, 30] },
      { x: [2, 3], y: [7, 8] },
    ]),
    [
      [1, 2, 3],
      [10, null, 30],
      [null, 7, 8],
    ],
  );
});

test('hours count from the first round that ended, and other lines of the log say nothing', () => {
  const at = (time, round, message = 'round finished') => ({ time, message, fields: { round } });
  const hours = series.hoursOf([
    at('2026-12-01T00:00:00Z', 9, 'run opened'),
    at('2026-12-01T01:00:00Z', 0),
    at('2026-12-01T02:30:00Z', 1),
  ]);
  assert.deepEqual(
    [...hours],
    [
      [0, 0],
      [1, 1.5],
    ],
  );
});

test('a difference shows every change with its neighbours, and no line is lost', () => {
  const signs = [...'          -+             + '];
  const lines = signs.map((sign, at) => ({ sign, text: String(at) }));
  const shown = folded(lines, 2);
  const whole = shown.reduce((sum, it) => sum + (it.left ?? 1), 0);
  assert.equal(whole, lines.length);
  assert.deepEqual(
    shown.map((it) => it.left ?? it.text),
    [8, '8', '9', '10', '11', '12', '13', 9, '23', '24', '25', '26'],
  );
});

const played = (text) =>
  text.split(' ').map((move, at) => ({ move, player: at % 2 ? 'second' : 'first' }));

test('a line that closes two boxes gives both to its player', () => {
  // Two boxes side by side; the line between them is drawn last.
  const moves = played('a1,h b1,h a2,h b2,h a1,v c1,v b1,v');
  const { boxes, score } = dots.position({ width: 2, height: 1 }, moves, moves.length);
  assert.deepEqual(boxes.map(({ x, y, player }) => [x, y, player]).sort(), [
    [0, 0, 'first'],
    [1, 0, 'first'],
  ]);
  assert.deepEqual(score, [2, 0]);
  assert.deepEqual(dots.position({ width: 2, height: 1 }, moves, 6).score, [0, 0]);
});

test("every box of a full board is somebody's, whatever the order of lines", () => {
  const board = { width: 3, height: 2 };
  const lines = [];
  for (let col = 0; col <= 3; col += 1) {
    for (let row = 0; row <= 2; row += 1) {
      if (col < 3) lines.push(`${'abcd'[col]}${row + 1},h`);
      if (row < 2) lines.push(`${'abcd'[col]}${row + 1},v`);
    }
  }
  for (let turn = 0; turn < lines.length; turn += 1) {
    const moves = played([...lines.slice(turn), ...lines.slice(0, turn)].join(' '));
    const { score } = dots.position(board, moves, moves.length);
    assert.equal(score[0] + score[1], 6);
  }
});

test('a move of the Amazons takes its piece and leaves an arrow, also where it came from', () => {
  const start = [
    { square: 'd1', piece: 'first' },
    { square: 'd10', piece: 'second' },
    { square: 'e5', piece: 'arrow' },
  ];
  const { pieces, arrows } = amazons.position(
    start,
    [{ move: 'd1-d7/d1' }, { move: 'd10-a10/a9' }],
    2,
  );
  assert.deepEqual(pieces, [
    { square: 'd7', piece: 'first' },
    { square: 'a10', piece: 'second' },
  ]);
  assert.deepEqual(arrows, ['e5', 'd1', 'a9']);
  assert.throws(() => amazons.parseMove('d1-d7'));
});

test('the 43 nodes of the tree stand apart, each way in its sector', () => {
  const points = Array.from({ length: 43 }, (_, number) => pointOf(number));
  points.forEach(([x1, y1], a) =>
    points.slice(0, a).forEach(([x2, y2], b) => {
      assert.ok(Math.hypot(x1 - x2, y1 - y2) > 36, `nodes ${a} and ${b} touch`);
    }),
  );
  for (let number = 7; number < 43; number += 1) {
    const parent = Math.floor((number - 1) / 6);
    assert.ok(Math.abs(angleOf(number) - angleOf(parent)) < Math.PI / 6);
  }
});

test('a node stands against its own layer, and one that was not visited stands nowhere', () => {
  const nodes = [
    [0, 0, 9],
    [1, 0.4, 3],
    [2, 0.5, 3],
    [3, 9, 0],
    [7, -2, 1],
    [8, -4, 1],
    [9, -3, 1],
  ].map(([number, q, visits]) => ({ number, q, visits }));
  const stands = standing(nodes);
  near(stands.get(1), -1);
  near(stands.get(2), 1);
  near(stands.get(7), 1);
  near(stands.get(9), 0);
  assert.equal(stands.has(3), false);
  assert.equal(stands.has(0), false);
});

test('arrow keys reach every node of the tree from its root and lead back', () => {
  const seen = new Set([0]);
  const open = [0];
  while (open.length > 0) {
    const number = open.pop();
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      const next = neighbour(number, key);
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
    if (number > 0) assert.equal(neighbour(neighbour(number, 'ArrowRight'), 'ArrowLeft'), number);
  }
  assert.equal(seen.size, 43);
});

test('a form says only what was typed', () => {
  const job = jobOf({
    engine: 'e',
    reference: '',
    seed: '7',
    budget_kind: 'work_units',
    budget: '400',
    games: '',
    learner: 'q-tree',
    parameters: [
      { path: 'a.b', kind: 'float', scale: 'log', start: '1', min: '', max: '3', step: '' },
      { path: 'c', kind: 'choice', start: 'word' },
    ],
  });
  assert.deepEqual(job.parameters, [
    { path: 'a.b', start: 1, max: 3, scale: 'log' },
    { path: 'c', start: 'word' },
  ]);
  assert.equal('reference' in job, false);
  assert.deepEqual(job.budget, { work_units: 400 });
  assert.deepEqual(job.run, {});
  assert.equal(job.seed, 7);
});

test('both languages have the same words, with the same names in them', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  const names = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  for (const [key, text] of Object.entries(en)) assert.deepEqual(names(zh[key]), names(text), key);
});

const sources = (folder) =>
  readdirSync(new URL(folder, import.meta.url), { withFileTypes: true }).flatMap((it) =>
    it.isDirectory()
      ? sources(`${folder}${it.name}/`)
      : [
          [
            `${folder}${it.name}`,
            readFileSync(new URL(`${folder}${it.name}`, import.meta.url), 'utf8'),
          ],
        ],
  );

test('every word that the page asks for by name is there', () => {
  for (const [name, text] of sources('../js/')) {
    for (const [, key] of text.matchAll(/\bt\('([^']+)'/g)) assert.ok(key in en, `${name}: ${key}`);
  }
});

test('nothing in the page makes markup of text', () => {
  for (const [name, text] of sources('../js/')) {
    assert.ok(
      !/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.test(text),
      name,
    );
  }
});
