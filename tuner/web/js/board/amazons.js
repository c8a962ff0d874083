// The Amazons from the moves of a record. Pure.
//
// A move is `d1-d7/g7`: from, to, arrow; files are letters from the left, ranks numbers from below.

/** A move's three squares. */
export function parseMove(text) {
  const found = /^([a-z]\d+)-([a-z]\d+)\/([a-z]\d+)$/.exec(text);
  if (!found) throw new Error(`${text} is no move`);
  return { from: found[1], to: found[2], arrow: found[3] };
}

/** A square's file and rank, from 0. */
export const squareOf = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];

/** The position after `upTo` moves: pieces, arrows, and the squares of the last move. */
export function position(start, moves, upTo) {
  const pieces = new Map();
  const arrows = new Set();
  for (const { square, piece } of start) {
    if (piece === 'arrow') arrows.add(square);
    else pieces.set(square, piece);
  }
  let last = null;
  for (const { move } of moves.slice(0, upTo)) {
    last = parseMove(move);
    pieces.set(last.to, pieces.get(last.from));
    pieces.delete(last.from);
    arrows.add(last.arrow);
  }
  return {
    pieces: [...pieces].map(([square, piece]) => ({ square, piece })),
    arrows: [...arrows],
    last,
  };
}
