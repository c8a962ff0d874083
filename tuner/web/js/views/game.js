// A game, replayed: board, moves with what the engine thought, the curve of its values.

import * as api from '../api.js';
import { append, fill, h, say } from '../dom.js';
import { count, fixed, shortPath, signed, value } from '../format.js';
import { t, word } from '../i18n.js';
import { figure, trouble } from '../parts.js';
import { drawBoard } from '../board/draw.js';
import * as dots from '../board/dots.js';
import { lineChart } from '../charts/line.js';
import { link } from '../router.js';

const PLAY_MS = 700;
/** A search that sees the end of a game counts some 1,000 points for it: no curve is drawn to that. */
const DECIDED_POINTS = 500;

/**
 * Values of moves as the first player sees them, null where a move has none: 0 to 1 where UCT chose,
 * or points where a search with the static evaluation did.
 */
export function curveOf(moves, unit = 'value') {
  const turned = (it) => (unit === 'value' ? 1 - it : -it);
  return moves.map(({ player, [unit]: it }) =>
    it === null || it === undefined || Math.abs(it) > DECIDED_POINTS
      ? null
      : player === 'first'
        ? it
        : turned(it),
  );
}

/** What the values of a game's moves are: `value`, or `points` where no move has one. */
export function unitOf(moves) {
  const has = (unit) => moves.some((it) => it[unit] !== null && it[unit] !== undefined);
  return !has('value') && has('points') ? 'points' : 'value';
}

/** The value of a move in words; empty where it has none. */
function judged(it) {
  if (it.value !== null && it.value !== undefined) return fixed(it.value, 2);
  if (it.points === null || it.points === undefined) return '';
  if (Math.abs(it.points) > DECIDED_POINTS) return t(it.points > 0 ? 'game.won' : 'game.lost');
  return signed(it.points, 1);
}

/** Whether lines are missing at the end, because the result was proven before. */
function isCutShort({ game, board: { width, height }, moves }) {
  return game === 'dots' && moves.length < 2 * width * height + width + height;
}

function players(game) {
  const vector = (name) =>
    h(
      'ul',
      { class: 'vector' },
      Object.entries(game[name] ?? {}).map(([path, it]) =>
        h('li', {}, h('code', { title: path }, shortPath(path)), ' ', value(it)),
      ),
    );
  const card = (name) => {
    const seat = (name === 'a') === (game.first === 'a') ? 'first' : 'second';
    return h(
      'div',
      { class: `player ${seat}` },
      h(
        'h2',
        { class: 'minor' },
        h('i', { class: `seat ${seat}` }),
        t(`game.side.${name}`),
        ' ',
        h('small', {}, t(`player.${seat}`)),
      ),
      vector(name),
    );
  };
  return h('div', { class: 'players' }, card('a'), card('b'));
}

function moveRow(it, at, effort, jump) {
  const loss =
    it.loss > 0 ? h('span', { class: 'loss' }, `▼ ${value(it.loss)}`) : it.loss === 0 ? '0' : '';
  return h(
    'tr',
    { 'data-ply': at + 1, class: it.opening && 'opening', onclick: () => jump(at + 1) },
    h('td', { class: 'num' }, it.number),
    h(
      'td',
      {},
      h('i', { class: `seat ${it.player}` }),
      h('span', { class: 'hidden' }, t(`player.${it.player}`)),
      h('code', {}, it.move),
      it.boxes?.length > 0 && ` +${it.boxes.length}`,
    ),
    h('td', {}, it.opening ? t('game.opening') : (it.stage ?? '')),
    h('td', {}, it.class ? word('class', it.class) : ''),
    h('td', { class: 'num' }, it[effort] === null ? '' : count(it[effort])),
    h('td', { class: 'num' }, judged(it)),
    h('td', { class: 'num' }, loss),
  );
}

function moveTable(game, jump) {
  // Where no move was chosen by UCT there are no visits: the work says how hard was thought.
  const effort = game.moves.some((it) => it.visits !== null) ? 'visits' : 'work_units';
  const heads = [
    ['number', 'num'],
    ['move'],
    ['stage'],
    ['class'],
    [effort, 'num'],
    ['value', 'num'],
    ['loss', 'num'],
  ];
  return h(
    'div',
    { class: 'scroll moves', tabindex: '0', role: 'region', 'aria-label': t('game.moves') },
    h(
      'table',
      { class: 'dense' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map(([it, kind]) =>
            h(
              'th',
              { scope: 'col', class: kind, title: t(`game.note.${it}`) },
              t(`game.col.${it}`),
            ),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        game.moves.map((it, at) => moveRow(it, at, effort, jump)),
      ),
    ),
  );
}

const button = (sign, name, act) =>
  h(
    'button',
    {
      type: 'button',
      title: t(`game.act.${name}`),
      'aria-label': t(`game.act.${name}`),
      onclick: act,
    },
    sign,
  );

function replay(game, main) {
  const last = game.moves.length;
  let at = 0;
  let timer = null;
  const board = h('div', { class: 'board-box' });
  const status = h('p', { class: 'board-status', 'aria-live': 'polite' });
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: last,
    value: 0,
    'aria-label': t('game.slider'),
    oninput: () => jump(Number(slider.value)),
  });
  const play = button('▶', 'play', () => (timer ? stop() : start()));
  const table = moveTable(game, (ply) => jump(ply));
  const unit = unitOf(game.moves);
  const curve = curveOf(game.moves, unit);
  const chart = curve.some((it) => it !== null)
    ? lineChart({
        title: t('game.curve'),
        x: { label: t('game.col.number'), whole: true },
        y:
          unit === 'value'
            ? { label: t('game.curve_axis'), range: () => [0, 1] }
            : { label: t('game.curve_points') },
        height: 170,
        show: (it) => fixed(it, 2),
        onPick: (index) => jump(index + 1),
      })
    : null;

  function stop() {
    clearInterval(timer);
    timer = null;
    say(play, '▶');
  }
  function start() {
    if (at >= last) jump(0);
    say(play, '‖');
    timer = setInterval(() => (at >= last ? stop() : jump(at + 1, true)), PLAY_MS);
  }
  function tell() {
    if (at === 0) return t('game.at_start');
    const it = game.moves[at - 1];
    const parts = [
      t('game.at', { number: count(at), total: count(last) }),
      `${t(`player.${it.player}`)} ${it.move}`,
      judged(it) && `${t('game.col.value')} ${judged(it)}`,
      game.game === 'dots' && dots.position(game.board, game.moves, at).score.join('–'),
      at === last && isCutShort(game) && t('game.proven'),
    ];
    return parts.filter(Boolean).join(' · ');
  }
  function jump(ply, isPlaying = false) {
    if (!isPlaying && timer) stop();
    at = Math.min(Math.max(ply, 0), last);
    slider.value = at;
    fill(board, drawBoard(game, at));
    say(status, tell());
    for (const row of table.querySelectorAll('tr[aria-current]'))
      row.removeAttribute('aria-current');
    const row = table.querySelector(`tr[data-ply="${at}"]`);
    row?.setAttribute('aria-current', 'true');
    if (row) {
      const top = row.offsetTop - table.clientHeight / 2;
      table.scrollTop = top;
    }
    if (chart) feed();
  }
  function feed() {
    const now = curve.map((it, index) => (index === at - 1 ? it : null));
    const by = (player) =>
      curve.map((it, index) => (game.moves[index].player === player ? it : null));
    chart.set({
      data: [curve.map((_, index) => index + 1), by('first'), by('second'), now],
      levels: [{ at: unit === 'value' ? 0.5 : 0, text: t('game.even') }],
      series: [
        ...['first', 'second'].map((player, at) => ({
          label: t('game.seen_by', { player: t(`player.${player}`) }),
          at,
          width: 2,
        })),
        { label: t('game.now'), at: 2, points: true },
      ],
    });
  }
  const isLoss = (it) => it.loss > 0;
  const nextLoss = () => {
    const found = game.moves.findIndex((it, index) => index >= at && isLoss(it));
    if (found >= 0) jump(found + 1);
  };
  append(
    main,
    h(
      'div',
      { class: 'game', 'data-game': game.game },
      h(
        'div',
        { class: 'game-board panel' },
        board,
        status,
        h(
          'div',
          { class: 'row transport' },
          button('|◀', 'first', () => jump(0)),
          button('‹', 'back', () => jump(at - 1)),
          play,
          button('›', 'forward', () => jump(at + 1)),
          button('▶|', 'last', () => jump(last)),
          slider,
          game.moves.some(isLoss) && button('▼', 'next_loss', nextLoss),
        ),
        chart?.element,
      ),
      h(
        'div',
        { class: 'game-side' },
        players(game),
        game.not_annotated && h('p', { class: 'warnings' }, game.not_annotated),
        table,
        h(
          'details',
          {},
          h('summary', {}, t('game.record')),
          h('pre', { class: 'source' }, game.record),
        ),
      ),
    ),
  );
  jump(Math.min(game.opening_moves ?? 0, last));
  const key = (name, act, text, shown) => ({ key: name, act, text, shown });
  return {
    keys: [
      key('ArrowRight', () => jump(at + 1), t('game.act.forward'), '→'),
      key('ArrowLeft', () => jump(at - 1), t('game.act.back'), '←'),
      key('Home', () => jump(0), t('game.act.first')),
      key('End', () => jump(last), t('game.act.last')),
      key(' ', () => play.click(), t('game.act.play'), '␣'),
      key('m', nextLoss, t('game.act.next_loss')),
    ],
    close() {
      stop();
      chart?.close();
    },
  };
}

/** Draws the view. */
export function open(route, main, page) {
  const { run, game: name } = route;
  page.title(`${name} · ${run}`);
  const leaving = new AbortController();
  const view = { keys: [], close: () => leaving.abort() };
  const head = h(
    'div',
    { class: 'head' },
    h(
      'h1',
      {},
      h('a', { href: link(['runs', run], { s: 'games' }) }, run),
      h('span', { class: 'faint' }, ' / '),
      name,
    ),
  );
  append(main, head);
  api.get(['runs', run, 'games', name], {}, leaving.signal).then(
    (game) => {
      head.append(
        h(
          'dl',
          { class: 'figures small' },
          figure(t('game.place'), game.place ?? '–'),
          figure(t('game.result'), t(`game.result.${game.result}`)),
          figure(t('game.length'), count(game.moves.length), t('unit.moves')),
        ),
      );
      const shown = replay(game, main);
      view.keys = shown.keys;
      view.close = shown.close;
    },
    (error) => error.name !== 'AbortError' && append(main, trouble(error)),
  );
  return view;
}
