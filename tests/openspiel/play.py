#!/usr/bin/env python3
"""A match of the engine against OpenSpiel's C++ MCTSBot at equal time for each move.

    cargo build --release --bin engine
    python3 tests/openspiel/play.py [--games N] [--milliseconds M] [--seed S] [--jobs J]
                                    [--venv FOLDER] [--engine FILE] [--config FILE]

Needs what compare.py needs. Every opening (4 to 8 random edges that give nothing) is played from
both sides. The engine is used as it is meant to be: a position in, a move out, with the time as its
budget. The bot's simulations cannot be limited by time, so each of its moves makes as many as its
last one says fit. Exit code 0 when played, 1 otherwise.
"""

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import ROOT, Failed, machine, python_with_open_spiel, run

ROWS = COLS = 5
EDGES = 60


def boxes_of(edge):
    """The boxes beside an edge, numbered by rows, and through them the rules."""
    if edge < (ROWS + 1) * COLS:
        row, col = divmod(edge, COLS)
        cells = [(row - 1, col), (row, col)]
    else:
        row, col = divmod(edge - (ROWS + 1) * COLS, COLS + 1)
        cells = [(row, col - 1), (row, col)]
    return [r * COLS + c for r, c in cells if 0 <= r < ROWS and 0 <= c < COLS]


BESIDE = [boxes_of(edge) for edge in range(EDGES)]


class Position:
    """The rules once more, so that neither program referees itself."""

    def __init__(self):
        self.drawn, self.sides, self.score, self.turn = [], [0] * ROWS * COLS, [0, 0], 0

    def play(self, edge):
        """Draws an edge; who completes a box moves again."""
        assert edge not in self.drawn, f"edge {edge} is drawn already"
        self.drawn.append(edge)
        for box in BESIDE[edge]:
            self.sides[box] += 1
        taken = sum(self.sides[box] == 4 for box in BESIDE[edge])
        self.score[self.turn] += taken
        if not taken:
            self.turn = 1 - self.turn

    def text(self):
        """As the engine reads it."""
        mask = sum(1 << edge for edge in self.drawn)
        return f"{ROWS}x{COLS}:{mask:x}:{self.score[0]}-{self.score[1]}:{self.turn + 1}"

    def safe(self):
        """Open edges that give nothing."""
        quiet = [all(self.sides[box] < 2 for box in BESIDE[edge]) for edge in range(EDGES)]
        return [edge for edge in range(EDGES) if quiet[edge] and edge not in self.drawn]


def opening(seed, pair):
    """4 to 8 random edges that give nothing."""
    chance, position = random.Random(f"{seed}/{pair}"), Position()
    for _ in range(chance.randint(4, 8)):
        position.play(chance.choice(position.safe()))
    return position.drawn


class Engine:
    """The engine as a process that answers a line with a line."""

    def __init__(self, options):
        command = [str(options.engine), "analyse", "--input", "-", "--config", str(options.config)]
        command += ["--budget", f"milliseconds={options.milliseconds}", "--solve-edges", "0"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def choose(self, position):
        """The engine's move."""
        self.process.stdin.write(position.text() + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["best_move"]["edge"]


class Peer:
    """MCTSBot, with as many simulations as fit the time."""

    def __init__(self, options, seed):
        import pyspiel

        self.spiel, self.seconds, self.seed = pyspiel, options.milliseconds / 1000, seed
        self.game = pyspiel.load_game(f"dots_and_boxes(num_rows={ROWS},num_cols={COLS})")
        self.rate = 20_000.0

    def choose(self, position):
        """The bot's move."""
        state = self.game.new_initial_state()
        for edge in position.drawn:
            state.apply_action(edge)
        simulations = max(1, int(self.rate * self.seconds))
        evaluator = self.spiel.RandomRolloutEvaluator(1, self.seed)
        bot = self.spiel.MCTSBot(
            self.game, evaluator, 1.4, simulations, 1000, False, self.seed, False)
        begun = time.perf_counter()
        move = bot.step(state)
        self.rate = simulations / (time.perf_counter() - begun)
        self.seed += 1
        return move


def play_pair(task):
    """Both games of an opening; the engine's boxes ahead in each, and its seconds a move."""
    options, pair = task
    margins, spent = [], {"engine": [], "peer": []}
    for seat in (0, 1):
        sides, position = {seat: Engine(options), 1 - seat: Peer(options, 1 + 997 * pair)}, Position()
        for edge in opening(options.seed, pair):
            position.play(edge)
        while len(position.drawn) < EDGES:
            name = "engine" if position.turn == seat else "peer"
            begun = time.perf_counter()
            move = sides[position.turn].choose(position)
            spent[name].append(time.perf_counter() - begun)
            position.play(move)
        sides[seat].process.stdin.close()
        sides[seat].process.wait()
        margins.append(position.score[seat] - position.score[1 - seat])
    return pair, margins, {name: max(times) for name, times in spent.items()}, {
        name: sum(times) / len(times) for name, times in spent.items()}


def match():
    """Plays and prints; runs where open_spiel is installed."""
    options = arguments()
    tasks = [(options, pair) for pair in range(options.games // 2)]
    won, margins = 0, []
    with multiprocessing.Pool(options.jobs) as pool:
        for pair, both, longest, mean in pool.imap_unordered(play_pair, tasks):
            won += sum(margin > 0 for margin in both)
            margins += both
            print(f"pair {pair:3}  boxes ahead {both[0]:+3} {both[1]:+3}  "
                  f"engine {won} of {len(margins)}  seconds a move "
                  f"{mean['engine']:.3f} (most {longest['engine']:.3f}) against "
                  f"{mean['peer']:.3f} (most {longest['peer']:.3f})", flush=True)
    print(f"\nengine won {won} of {len(margins)} games, "
          f"{sum(margins) / len(margins):+.1f} boxes a game, {machine()}")


def arguments():
    """The options of the command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="even (default 100)")
    parser.add_argument("--milliseconds", type=int, default=200, help="for a move (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of openings and bots (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
    parser.add_argument("--venv", type=Path, help="folder of the environment, made if missing")
    parser.add_argument("--engine", type=Path, default=ROOT / "target" / "release" / "engine")
    parser.add_argument("--config", type=Path, default=ROOT / "configs/engines/dots-default.toml")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"--games {options.games}: expected an even number from 2")
    if not 1 <= options.milliseconds <= 600_000:
        parser.error(f"--milliseconds {options.milliseconds}: expected 1 to 600000")
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: expected at least 1")
    return options


def main():
    """Starts itself again where open_spiel is installed; 0 when the match was played."""
    options = arguments()
    if options.inside:
        match()
        return 0
    try:
        if not options.engine.exists():
            raise Failed(f"{options.engine} is missing: cargo build --release --bin engine")
        with tempfile.TemporaryDirectory(prefix="openspiel-") as folder:
            python = python_with_open_spiel(options.venv or Path(folder))
            version = "import importlib.metadata as m; print(m.version('open_spiel'))"
            print(f"open_spiel  {run([str(python), '-c', version], 'open_spiel').strip()}", flush=True)
            command = [str(python), str(Path(__file__).resolve()), *sys.argv[1:], "--inside"]
            return subprocess.run(command, check=False).returncode
    except Failed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
