#!/usr/bin/env python3
"""A match of the engine against OpenSpiel's C++ MCTSBot in the Amazons on 10x10.

    cargo build --release --bin engine
    python3 tests/openspiel/amazons_match.py [--games N] [--simulations S] [--seed S]
                                             [--config FILE] [--budget BUDGET]
                                             [--venv FOLDER] [--engine FILE]

Needs what compare.py needs. Every opening (2 to 4 random turns) is played from both sides. The
engine is used as it is meant to be: a position in, a turn out, with a budget of work for each
half-move. The bot makes so many simulations for each of its three actions a turn, random rollouts,
one thread. Both are measured on the same clock, one thinking at a time, and OpenSpiel's rules are
the referee: an illegal turn of the engine ends the match. Prints every game and, at the end, the
games won and both sides' time; exit code 0 when played, 1 otherwise.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import ROOT, Failed, machine, python_with_open_spiel, run

SIZE = 10


def square(action):
    """The name of a square that OpenSpiel numbers by rows from the top left."""
    row, col = divmod(action, SIZE)
    return f"{chr(ord('a') + col)}{SIZE - row}"


def number(name):
    """The number of a square."""
    return (SIZE - int(name[1:])) * SIZE + ord(name[0]) - ord("a")


class Board:
    """A position kept by OpenSpiel, with its text for the engine."""

    def __init__(self, game):
        self.state, self.turns = game.new_initial_state(), 0

    def text(self):
        """As the engine reads it. OpenSpiel draws X below, who begins, O above and # arrows."""
        letters = {"X": "Q", "O": "q", "#": "*"}
        rows = str(self.state).splitlines()[:SIZE]
        known = all(len(row) == SIZE and set(row) <= set(".XO#") for row in rows)
        assert known and len(rows) == SIZE, f"OpenSpiel draws another way:\n{self.state}"
        ranks = []
        for row in rows:
            rank, gap = "", 0
            for cell in row + " ":
                if cell == ".":
                    gap += 1
                    continue
                rank, gap = rank + (str(gap) if gap else "") + letters.get(cell, ""), 0
            ranks.append(rank)
        side = "wb"[self.turns % 2]
        return f"{'/'.join(ranks)} {side} - - {self.turns} {self.turns // 2 + 1}"

    def play(self, actions):
        """Plays a turn of three actions."""
        for action in actions:
            assert action in self.state.legal_actions(), f"{square(action)} is illegal:\n{self.state}"
            self.state.apply_action(action)
        self.turns += 1


class Engine:
    """The engine as a process that answers a line with a line."""

    def __init__(self, options):
        command = [str(options.engine), "analyse", "--input", "-", "--config", str(options.config)]
        command += ["--solve-work", "100"]
        if options.budget:
            command += ["--budget", options.budget]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def choose(self, board):
        """The engine's turn."""
        self.process.stdin.write(board.text() + "\n")
        self.process.stdin.flush()
        turn = json.loads(self.process.stdout.readline())["best_turn"]
        start, rest = turn.split("-")
        end, arrow = rest.split("/")
        return [number(name) for name in (start, end, arrow)]


class Peer:
    """MCTSBot with a fixed number of simulations an action."""

    def __init__(self, spiel, game, options, seed):
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        self.bot = spiel.MCTSBot(
            game, evaluator, 1.4, options.simulations, 1000, False, seed, False)

    def choose(self, board):
        """The bot's turn."""
        state, actions = board.state.clone(), []
        for _ in range(3):
            actions.append(self.bot.step(state))
            state.apply_action(actions[-1])
        return actions


def opening(game, seed, pair):
    """2 to 4 random turns, as actions."""
    chance, state, turns = random.Random(f"{seed}/{pair}"), game.new_initial_state(), []
    for _ in range(chance.randint(2, 4)):
        turn = []
        for _ in range(3):
            turn.append(chance.choice(state.legal_actions()))
            state.apply_action(turn[-1])
        turns.append(turn)
    return turns


def play(spiel, game, engine, options, pair, seat):
    """A game with the engine in this seat: whether it won, both sides' seconds, turns."""
    board, seconds = Board(game), [0.0, 0.0]
    for turn in opening(game, options.seed, pair):
        board.play(turn)
    peer = Peer(spiel, game, options, 1 + 2 * pair + seat)
    while not board.state.is_terminal():
        is_engine = board.turns % 2 == seat
        side = engine if is_engine else peer
        begun = time.perf_counter()
        turn = side.choose(board)
        seconds[0 if is_engine else 1] += time.perf_counter() - begun
        board.play(turn)
    return board.state.returns()[seat] > 0, seconds, board.turns


def match():
    """Plays and prints; runs where open_spiel is installed."""
    import pyspiel

    options = arguments()
    game = pyspiel.load_game(f"amazons(board_size={SIZE})")
    engine = Engine(options)
    won, total = 0, [0.0, 0.0]
    for index in range(options.games):
        pair, seat = divmod(index, 2)
        is_won, seconds, turns = play(pyspiel, game, engine, options, pair, seat)
        won += is_won
        total = [sum(both) for both in zip(total, seconds)]
        print(f"game {index + 1:3}  engine {('First', 'Second')[seat]:<6} "
              f"{'won ' if is_won else 'lost'} in {turns:2} turns  engine {won} of {index + 1}  "
              f"thinking {seconds[0]:.2f} s against {seconds[1]:.2f} s", flush=True)
    engine.process.stdin.close()
    engine.process.wait()
    print(f"\nengine won {won} of {options.games} games, thinking {total[0]:.2f} s against "
          f"{total[1]:.2f} s, {total[0] / total[1]:.2f} of the bot's time, {machine()}")


def arguments():
    """The options of the command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="even (default 20)")
    parser.add_argument("--simulations", type=int, default=1000,
                        help="of the bot for each action (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of openings (default 1)")
    parser.add_argument("--budget", help="of the engine for each half-move, such as "
                        "work_units=100000 (default: the configuration's)")
    parser.add_argument("--venv", type=Path, help="folder of the environment, made if missing")
    parser.add_argument("--engine", type=Path, default=ROOT / "target" / "release" / "engine")
    parser.add_argument("--config", type=Path,
                        default=ROOT / "configs/engines/amazons-default.toml")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"--games {options.games}: expected an even number from 2")
    if options.simulations < 1:
        parser.error(f"--simulations {options.simulations}: expected at least 1")
    return options


def main():
    """Starts itself again where open_spiel is installed; 0 when the match was played."""
    options = arguments()
    if options.inside:
        match()
        return 0
    try:
        for file, hint in ((options.engine, "cargo build --release --bin engine"),
                           (options.config, "name one with --config")):
            if not file.exists():
                raise Failed(f"{file} is missing: {hint}")
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
