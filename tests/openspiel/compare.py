#!/usr/bin/env python3
"""How fast the engine's UCT is, as a multiple of OpenSpiel's C++ MCTSBot on the same machine.

    cargo build --release --bin engine
    python3 tests/openspiel/compare.py [--pairs N] [--seconds S] [--venv FOLDER] [--engine FILE]

Needs Linux or macOS, a Python that open_spiel has wheels for, and, unless FOLDER already holds an
environment with open_spiel, access to a package index. Without --venv the environment is made in a
temporary folder and removed afterwards.

Both search the empty 5x5 board with 10,000 simulations a move: the peer with MCTSBot, one uniformly
random rollout a leaf and uct_c 1.4; the engine once with all moves and uniform rollouts, once with
the sufficient moves and safe rollouts that end in the formula. They run alternately, one at a time,
and are compared in CPU time, so that other programs on the machine disturb little; each pair gives
a ratio, and the medians are what counts. Exit code 0 when measured, 1 otherwise.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SIMULATIONS = 10_000
ROOT = Path(__file__).resolve().parents[2]

PEER = """
import sys, time
import pyspiel
simulations, seconds = int(sys.argv[1]), float(sys.argv[2])
game = pyspiel.load_game("dots_and_boxes(num_rows=5,num_cols=5)")
state = game.new_initial_state()
bot = pyspiel.MCTSBot(
    game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)
made, begun = 0, time.process_time()
while time.process_time() - begun < seconds:
    bot.step(state)
    made += simulations
print(made / (time.process_time() - begun))
"""


class Failed(Exception):
    """The comparison could not be made; the text says why."""


def run(command, what):
    """Runs a command and returns what it printed; its failure becomes one clear message."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failed(f"{what}: {error}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise Failed(f"{what} failed with exit code {done.returncode}:\n  " + "\n  ".join(last))
    return done.stdout


def python_with_open_spiel(folder):
    """The Python of an environment in this folder, made and filled where that is missing."""
    python = folder / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", str(folder)], f"making an environment in {folder}")
    probe = [str(python), "-c", "import pyspiel"]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        install = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "open_spiel"]
        run(install, "installing open_spiel (does it need a network?)")
    return python


def peer_rate(python, seconds):
    """Simulations per CPU second of the peer."""
    command = [str(python), "-c", PEER, str(SIMULATIONS), str(seconds)]
    return float(run(command, "the peer"))


def engine_rate(engine, rollout, seconds):
    """Simulations per CPU second of the engine, its start included."""
    command = [str(engine), "bench", "--uct", rollout, "--simulations", str(SIMULATIONS)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = run(command + ["--seconds", str(seconds)], "the engine")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(said)["simulations"] / used


def machine():
    """What the figures were measured on."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = names[0].split(":", 1)[1].strip() if names else name
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return f"{name}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}, load {load}"


def compare(options, folder):
    """Measures and prints."""
    python = python_with_open_spiel(folder)
    version = "import importlib.metadata as m; print(m.version('open_spiel'))"
    print(f"machine     {machine()}")
    print(f"open_spiel  {run([str(python), '-c', version], 'open_spiel').strip()}")
    print(f"{'pair':>4}{'peer/s':>12}{'uniform/s':>14}{'ratio':>9}{'safe/s':>14}{'ratio':>9}")
    rows = []
    for pair in range(1, options.pairs + 1):
        peer = peer_rate(python, options.seconds)
        rates = [engine_rate(options.engine, kind, options.seconds) for kind in ("uniform", "safe")]
        row = [peer, rates[0], rates[0] / peer, rates[1], rates[1] / peer]
        rows.append(row)
        print_row(str(pair), row)
    print_row("med.", [statistics.median(column) for column in zip(*rows)])


def print_row(name, row):
    """One line of the table."""
    peer, *engine = row
    columns = [f"{rate:>14,.0f}{ratio:>9.1f}" for rate, ratio in zip(engine[::2], engine[1::2])]
    print(f"{name:>4}{peer:>12,.0f}" + "".join(columns), flush=True)


def arguments():
    """The options of the command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=10, help="alternating runs (default 10)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run (default 1)")
    parser.add_argument("--venv", type=Path, help="folder of the environment, made if missing")
    parser.add_argument("--engine", type=Path, default=ROOT / "target" / "release" / "engine")
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error(f"--pairs {options.pairs}: expected at least 1")
    if not 0.01 <= options.seconds <= 3600:
        parser.error(f"--seconds {options.seconds}: expected 0.01 to 3600")
    return options


def main():
    """Compares; 0 when that succeeded."""
    options = arguments()
    try:
        if not options.engine.exists():
            raise Failed(f"{options.engine} is missing: cargo build --release --bin engine")
        if options.venv is not None:
            compare(options, options.venv)
        else:
            with tempfile.TemporaryDirectory(prefix="openspiel-") as folder:
                compare(options, Path(folder))
    except Failed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
