"""The API against its own description, and against bodies that nobody would send on purpose."""

import json
import random
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import jobs
from service import ROOT, Service

EXAMPLES = 8
BODIES = 180
SECONDS_MAX = 300

# Streams do not end, and of a body that is TOML alone schemathesis makes none: merging into a
# configuration is tried in `tuner/tests/program/service_reads.rs`.
UNTRIED = "events$"
UNTRIED_CHANGES = "export$"
# A path, a name or a job that fits its schema may still mean nothing to this service.
UNFIT_CHECKS = "positive_data_acceptance"
TOKEN_CHECKS = "ignored_auth,missing_required_header"

REAL = """[parameters]
"path.id" = "{run}"

[[operations]]
include-path = "/api/v1/runs/{{id}}/games/{{name}}"
parameters = {{ "path.name" = "{game}" }}

[[operations]]
include-path = "/api/v1/runs/{{id}}/tree/{{round}}"
parameters = {{ "path.round" = {round} }}

[[operations]]
include-path = "/api/v1/configurations/{{name}}"
parameters = {{ "path.name" = "dots-staged", "query.kind" = "engine" }}

[[operations]]
include-path = "/api/v1/parameters"
parameters = {{ "query.engine" = "dots-staged" }}
"""


@pytest.fixture(scope="module")
def served():
    """A service with a completed run, `whole`, and one that stands still, `still`."""
    with Service() as service:
        assert service.submit(jobs.dots(), "whole") == "whole"
        service.wait("whole", "completed")
        status, text = service.request("POST", "/runs?label=still&start=paused", jobs.dots())
        assert status == 201, text
        yield service
        said = service.said()
        assert "panicked" not in said, said


def schemathesis(service, folder, run, *options):
    """Tries the routes of the description, but for streams, which do not end."""
    game = service.get("/runs/whole/games")["items"][0]["name"]
    drawn = service.get("/runs/whole/tree")["tree"]["rounds_drawn"][0]
    real = folder / "real.toml"
    real.write_text(REAL.format(run=run, game=game, round=drawn) if run else "")
    program = Path(sys.executable).parent / "st"
    said = subprocess.run(
        [program, "--config-file", real, "run", f"{service.url}/api/v1/openapi.json",
         "--header", f"Authorization: Bearer {service.token}", "--seed", "1", "--no-shrink",
         "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES),
         "--exclude-path-regex", UNTRIED, "--exclude-checks", UNFIT_CHECKS, *options],
        cwd=folder, capture_output=True, text=True, timeout=SECONDS_MAX)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Unresolvable" not in said.stdout, said.stdout


@pytest.mark.parametrize("run", ["whole", None])
def test_what_is_looked_at_is_as_described(served, tmp_path, run):
    # Requests without a token are few at a time, and answered 429 once that many were tried.
    once = [] if run else ["--exclude-checks", f"{UNFIT_CHECKS},{TOKEN_CHECKS}"]
    schemathesis(served, tmp_path, run, "--include-method", "GET", "--rate-limit", "150/s", *once)


def test_what_changes_something_answers_as_described(served, tmp_path):
    # Slower than the service allows: 10 changes a second.
    schemathesis(served, tmp_path, "still", "--include-method", "POST", "--rate-limit", "8/s",
                 "--exclude-path-regex", f"{UNTRIED}|{UNTRIED_CHANGES}")


WEIRD_TOML = ["-1", "0", "1e400", "nan", "-inf", "9223372036854775807", "9223372036854775808",
              "1e-320", '""', '"\\u0000"', "[]", "{}", "true", "[[]]", "1979-05-27", '"../../x"',
              "'/etc/passwd'", f'"{jobs.EVIL}"', "0x7fffffff", "0.0000001", "4294967296"]
WEIRD_JSON = [None, True, "", "\0", [], {}, -1, 0, 1e308, -0.0, 2**63, 2**64, 10**30, 1e-320,
              "../x", "/etc/passwd", jobs.EVIL, [[]], {"": {}}, "é" * 3000, [0] * 2000]
SHIPPED = sorted((ROOT / "configs/jobs").glob("*.toml"))


def changed_toml(draw):
    """A shipped job's text with one to three things wrong."""
    lines = draw.choice(SHIPPED).read_text().splitlines()
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(lines))
        valued = [it for it, line in enumerate(lines) if " = " in line and line[0] != "#"]
        way = draw.randrange(7)
        if way < 3 and valued:
            at = draw.choice(valued)
            lines[at] = lines[at].split(" = ")[0] + " = " + draw.choice(WEIRD_TOML)
        elif way == 3:
            lines.insert(at, draw.choice(lines))
        elif way == 4:
            del lines[at]
            lines = lines or [""]
        elif way == 5:
            lines[at] = lines[at][:draw.randint(0, len(lines[at]))] + draw.choice('"[{\0é=#\r')
        else:
            other = draw.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def places(value, found):
    """Every table and list of a job."""
    inner = value.values() if isinstance(value, dict) else value
    found.append(value)
    for it in inner:
        if isinstance(it, (dict, list)) and it:
            places(it, found)
    return found


def changed_json(draw):
    """A shipped job as JSON with one to three things wrong."""
    job = tomllib.loads(draw.choice(SHIPPED).read_text())
    for _ in range(draw.randint(1, 3)):
        at = draw.choice(places(job, []))
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            continue
        key, way = draw.choice(keys), draw.randrange(4)
        if way < 2:
            at[key] = draw.choice(WEIRD_JSON)
        elif way == 2:
            del at[key]
        elif isinstance(at, dict):
            at[draw.choice(["", "x", key + "\0", "config", "text", "name"])] = at.pop(key)
        else:
            at.append(draw.choice(WEIRD_JSON))
    return json.dumps({"job": job, "paused": True})


def asked(service, path, body, kind):
    """The answer, asked again while the service says that there are too many."""
    while True:
        status, text = service.request("POST", path, body, kind)
        if status != 429:
            return status, text
        time.sleep(0.2)


def test_a_job_that_was_tampered_with_is_read_or_refused_with_a_reason(served):
    draw = random.Random(6)
    accepted = refused = 0
    for number in range(BODIES):
        is_toml = number % 2 == 0
        body = changed_toml(draw) if is_toml else changed_json(draw)
        kind = "application/toml" if is_toml else "application/json"
        path = "/check" if number % 3 else "/runs" + ("?start=paused" if is_toml else "")
        status, text = asked(served, path, body.encode(), kind)
        assert status in (200, 201, 400, 422), (status, text, body)
        answer = json.loads(text)
        if status < 300:
            accepted += 1
        else:
            refused += 1
            assert answer["status"] == status and len(answer["detail"]) > 10, (answer, body)
        if status == 201:
            assert served.get(f"/runs/{answer['id']}")["row"]["error"] is None, body
    assert accepted > BODIES / 20 and refused > BODIES / 4, (accepted, refused)


def test_a_body_that_is_no_job_is_refused(served):
    draw = random.Random(7)
    noise = bytes(draw.randrange(256) for _ in range(5000))
    # Of a size that is sent at once: a service that has seen enough does not wait for the rest.
    bodies = [b"", b"\xff\xfe", b"[" * 50_000, b"{" * 50_000, b"null", b"0", noise,
              b"a = " + b"[" * 50_000, b'{"job":' * 7000, b"x" * 50_000]
    for body in bodies:
        for kind in ("application/toml", "application/json", "text/plain", "application/json; x=",
                     "multipart/form-data"):
            for path in ("/check", "/runs"):
                status, text = asked(served, path, body, kind)
                assert status in (400, 413, 415, 422), (status, text, body[:40], kind)
                assert json.loads(text)["detail"]


def test_any_order_of_requests_to_a_run_is_answered(served):
    draw = random.Random(8)
    texts = [jobs.dots(games=2000, seed=seed) for seed in (1, 2)]
    answers = [asked(served, "/runs", it.encode(), "application/toml") for it in texts]
    runs = [json.loads(text)["id"] for _, text in answers]
    for _ in range(80):
        run, action = draw.choice(runs), draw.choice(["pause", "resume", "verify"])
        status, text = asked(served, f"/runs/{run}/{action}", b"", "application/json")
        assert status in (200, 409), (run, action, status, text)
    for run in runs:
        assert asked(served, f"/runs/{run}/cancel", b"", "application/json")[0] in (200, 409)
        served.get(f"/runs/{run}")
