// Dots and Boxes from the moves of a record. Pure.
//
// A line is named by its left or lower dot: `a6,h` goes to the right of dot a6, `e2,v` up from e2.
// Dots are lettered from the left and numbered from the bottom. Boxes are named by their lower left
// dot.

/** A line's column, row (from 0 at the bottom) and direction. */
export function parseLine(text) {
  const found = /^([a-z])(\d+),([hv])$/.exec(text);
  if (!found) throw new Error(`${text} is no line`);
  return { col: found[1].charCodeAt(0) - 97, row: Number(found[2]) - 1, way: found[3] };
}

/** The boxes on either side of a line. */
function sidesOf({ col, row, way }, { width, height }) {
  const boxes =
    way === 'h'
      ? [
          [col, row],
          [col, row - 1],
        ]
      : [
          [col, row],
          [col - 1, row],
        ];
  return boxes.filter(([x, y]) => x >= 0 && y >= 0 && x < width && y < height);
}

/** The lines around a box. */
const around = ([x, y]) => [`${x},${y},h`, `${x},${y + 1},h`, `${x},${y},v`, `${x + 1},${y},v`];

const keyOf = ({ col, row, way }) => `${col},${row},${way}`;

/** The position after `upTo` moves: lines and boxes with their players, and the score. */
export function position(board, moves, upTo) {
  const lines = new Map();
  const boxes = new Map();
  const score = [0, 0];
  for (const { move, player } of moves.slice(0, upTo)) {
    const line = parseLine(move);
    lines.set(keyOf(line), { ...line, player });
    for (const box of sidesOf(line, board)) {
      if (!around(box).every((it) => lines.has(it))) continue;
      boxes.set(box.join(), { x: box[0], y: box[1], player });
      score[player === 'first' ? 0 : 1] += 1;
    }
  }
  return { lines: [...lines.values()], boxes: [...boxes.values()], score };
}
