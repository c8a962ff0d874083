// Boards, drawn.

import { s } from '../dom.js';
import { t } from '../i18n.js';
import * as amazons from './amazons.js';
import * as dots from './dots.js';

const letter = (at) => String.fromCharCode(97 + at);

function labels(across, up, cell, edge, high, middle) {
  return [
    Array.from({ length: across }, (_, at) =>
      s('text', { x: edge + (at + middle) * cell, y: high - 8, class: 'coordinate' }, letter(at)),
    ),
    Array.from({ length: up }, (_, at) =>
      s(
        'text',
        { x: 12, y: high - edge - (at + middle) * cell, dy: '0.36em', class: 'coordinate' },
        at + 1,
      ),
    ),
  ];
}

function drawDots(game, upTo) {
  const { width, height } = game.board;
  const [cell, edge] = [64, 32];
  const [wide, high] = [width * cell + 2 * edge, height * cell + 2 * edge];
  const x = (col) => edge + col * cell;
  const y = (row) => high - edge - row * cell;
  const { lines, boxes, score } = dots.position(game.board, game.moves, upTo);
  const last = upTo > 0 ? dots.parseLine(game.moves[upTo - 1].move) : null;
  const isLast = (it) => last && it.col === last.col && it.row === last.row && it.way === last.way;
  return s(
    'svg',
    {
      class: 'board dots',
      viewBox: `0 0 ${wide} ${high}`,
      role: 'img',
      'aria-label': t('board.dots', { first: score[0], second: score[1], lines: lines.length }),
    },
    boxes.map((it) => [
      s('rect', {
        x: x(it.x) + 5,
        y: y(it.y + 1) + 5,
        width: cell - 10,
        height: cell - 10,
        rx: 4,
        class: `box ${it.player}`,
      }),
      s(
        'text',
        { x: x(it.x + 0.5), y: y(it.y + 0.5), dy: '0.36em', class: `owner ${it.player}` },
        t(`player.short.${it.player}`),
      ),
    ]),
    lines.map((it) =>
      s('line', {
        x1: x(it.col),
        y1: y(it.row),
        x2: x(it.col + (it.way === 'h')),
        y2: y(it.row + (it.way === 'v')),
        class: `drawn ${it.player}${isLast(it) ? ' last' : ''}`,
      }),
    ),
    Array.from({ length: (width + 1) * (height + 1) }, (_, at) =>
      s('circle', {
        cx: x(at % (width + 1)),
        cy: y(Math.floor(at / (width + 1))),
        r: 4.5,
        class: 'dot',
      }),
    ),
    labels(width + 1, height + 1, cell, edge, high, 0),
  );
}

function queen(x, y, player) {
  return s(
    'g',
    { class: `piece ${player}`, transform: `translate(${x} ${y})` },
    s('circle', { r: 19 }),
    s('path', { d: 'M-10 8 -12-6-5 1 0-10 5 1 12-6 10 8z' }),
  );
}

function drawAmazons(game, upTo) {
  const { width, height } = game.board;
  const [cell, edge] = [52, 26];
  const [wide, high] = [width * cell + 2 * edge, height * cell + 2 * edge];
  const at = (name) => {
    const [file, rank] = amazons.squareOf(name);
    return [edge + (file + 0.5) * cell, high - edge - (rank + 0.5) * cell];
  };
  const { pieces, arrows, last } = amazons.position(game.start, game.moves, upTo);
  const square = (name, kind) => {
    const [cx, cy] = at(name);
    return s('rect', {
      x: cx - cell / 2,
      y: cy - cell / 2,
      width: cell,
      height: cell,
      class: kind,
    });
  };
  const way = (from, to, kind) => {
    const [[x1, y1], [x2, y2]] = [at(from), at(to)];
    return s('line', { x1, y1, x2, y2, class: kind });
  };
  return s(
    'svg',
    {
      class: 'board amazons',
      viewBox: `0 0 ${wide} ${high}`,
      role: 'img',
      'aria-label': t('board.amazons', {
        arrows: arrows.length,
        last: upTo > 0 ? game.moves[upTo - 1].move : '–',
      }),
    },
    Array.from({ length: width * height }, (_, it) => {
      const [file, rank] = [it % width, Math.floor(it / width)];
      return square(
        `${letter(file)}${rank + 1}`,
        (file + rank) % 2 ? 'square light' : 'square dark',
      );
    }),
    last && [square(last.from, 'trace'), square(last.to, 'trace')],
    arrows.map((name) => {
      const [cx, cy] = at(name);
      return s(
        'g',
        { class: last?.arrow === name ? 'arrow last' : 'arrow' },
        s('circle', { cx, cy, r: 13 }),
        s('path', { d: `M${cx - 6} ${cy - 6}l12 12m0-12l-12 12` }),
      );
    }),
    last && [way(last.from, last.to, 'way'), way(last.to, last.arrow, 'shot')],
    pieces.map(({ square: name, piece }) => queen(...at(name), piece)),
    labels(width, height, cell, edge, high, 0.5),
  );
}

/** The board of a game after `upTo` of its moves. */
export const drawBoard = (game, upTo) =>
  (game.game === 'amazons' ? drawAmazons : drawDots)(game, upTo);
