#!/usr/bin/env python3
"""The rules of the Amazons against Fairy-Stockfish's, on random games of the engine.

Run by engine/tests/amazons_oracle.rs, which says what is read: a line of JSON for each position of
whole games, one after the other, of one size of board. At every position the turns must be the same
set, the position after the turn played the same text, and the end and the winner the same. Needs
the package pyffish. Exit code 0 when everything agrees, 1 at the first difference.
"""

import json
import sys

import pyffish


def variant_of(fen):
    """The name of a variant with this start, made known to Fairy-Stockfish."""
    ranks = fen.split(" ")[0].split("/")
    files = sum(int(part) for part in ranks[0].replace("q", " 1 ").split())
    name = f"amazons{files}x{len(ranks)}"
    pyffish.load_variant_config(
        f"[{name}:amazons]\nmaxRank = {len(ranks)}\nmaxFile = {files}\nstartFen = {fen}\n"
    )
    return name


def check(variant, row, after):
    """Says how a position differs, or nothing."""
    fen = row["fen"]
    ours, theirs = set(row["turns"]), set(pyffish.legal_moves(variant, fen, []))
    if len(ours) != len(row["turns"]):
        return "a turn is listed twice"
    if ours != theirs:
        return f"only ours: {sorted(ours - theirs)[:5]}, only theirs: {sorted(theirs - ours)[:5]}"
    if row["played"] is None:
        if theirs or pyffish.game_result(variant, fen, []) >= 0:
            return "the game is not over and lost for who is to move"
        loser = "First" if fen.split(" ")[1] == "w" else "Second"
        if row["winner"] in (None, loser):
            return f"the winner is {row['winner']}, but {loser} has lost"
        return None
    if row["winner"] is not None:
        return "there is a winner before the end"
    expected = pyffish.get_fen(variant, fen, [row["played"]])
    if after != expected:
        return f"after {row['played']} ours is {after}, theirs {expected}"
    return None


def main():
    """Checks every line of the input."""
    rows = [json.loads(line) for line in sys.stdin]
    variant, games = None, 0
    for row, after in zip(rows, [*rows[1:], {"fen": None}]):
        variant = variant or variant_of(row["fen"])
        problem = check(variant, row, after["fen"])
        if problem:
            print(f"{row['fen']}: {problem}", file=sys.stderr)
            return 1
        games += row["played"] is None
    print(f"{games} games, {len(rows)} positions agree")
    return 0 if games else 1


if __name__ == "__main__":
    sys.exit(main())
