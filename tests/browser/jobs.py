"""Small jobs for the tests: the shipped ones with less to play, and one of very many trials."""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/service"))

EVIL = "<img src=x onerror=alert(1)>"

TINY_ENGINE = """format = 1
[game]
name = "dots_and_boxes"
rows = 2
cols = 2
[budget]
simulations = 2
[solver]
table_mib = 1
[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = 1.0
bias = { capture = 0.0, gives = 0.0, other = 0.0 }
depth_plies = 255
[stages.endgame]
from = { edges_left = 8 }
searcher = "alpha_beta"
"""

# A round of this learner is 10,000 trials.
TRIALS_OF_A_ROUND = 10_000
TINY_JOB = """format = 1
seed = 1
[engine]
name = %s
text = %s
[budget]
simulations = 2
[[parameters]]
path = "stages.opening.bias.capture"
step = 0.2
[[parameters]]
path = "stages.opening.bias.gives"
step = 0.2
[learner]
kind = "paper"
games_per_episode = 1
threshold = 1
[run]
rounds = %d
trials_in_flight = 16
[verification]
nelo_low = -200.0
nelo_high = -100.0
alpha = 0.05
beta = 0.05
games_max = 40
batch_games = 20
measured_games = 20
"""


def tiny(rounds, name="tiny", remark=""):
    """A job of `rounds` times 10,000 trials, a second and a half each."""
    return TINY_JOB % (json.dumps(name), json.dumps(TINY_ENGINE + remark), rounds)


def with_values(text, **values):
    """A job's text with other values of these keys, which are once or more in it."""
    for key, value in values.items():
        text, found = re.subn(rf"(?m)^{key} = [^\s#]+", f"{key} = {value}", text)
        assert found, f"the job has no {key}"
    return text


def dots(games=400, simulations=20, seed=1):
    """The first job of the README, smaller: some seconds. Its result is accepted if it is sane."""
    text = (ROOT / "configs/jobs/dots-quick.toml").read_text()
    return with_values(text, games=games, simulations=simulations, seed=seed, games_max=200,
                       measured_games=100, reference_games=20, nelo_low=-200.0, nelo_high=-100.0)


def amazons():
    """A small job of the Amazons, some seconds: too few games for a verdict."""
    text = (ROOT / "configs/jobs/amazons-small.toml").read_text()
    return with_values(text, work_units=5000, episodes=8, games_max=20, batch_games=20,
                       measured_games=20)
