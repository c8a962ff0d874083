"""A service over a folder of its own, for tests and measurements in Python: standard library only."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUNER = os.environ.get("SIXFOLD_TUNER", str(ROOT / "target/debug/tuner"))


class Service:
    """`tuner serve` with its runs in a temporary folder, until the block is left."""

    def __init__(self, *options, configs=ROOT / "configs"):
        self.options = options
        self.configs = configs
        self.port = 0

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sixfold-")
        self.runs = Path(self.folder.name) / "runs"
        self.errors = open(Path(self.folder.name) / "stderr", "w+")
        self.start()
        return self

    def start(self):
        """Starts it; again after a kill, then on the same port."""
        command = [TUNER, "serve", "--runs", str(self.runs), "--listen", f"127.0.0.1:{self.port}",
                   "--configs", str(self.configs), *self.options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        for line in self.process.stdout:
            if line.startswith("Open "):
                self.address = line.split()[1]
                break
        else:
            raise RuntimeError(f"the service did not start: {self.said()}")
        self.url, self.token = re.fullmatch(r"(.*)/#token=(.*)", self.address).groups()
        self.port = urllib.parse.urlsplit(self.url).port

    def said(self):
        """What it and its workers wrote to stderr."""
        self.errors.flush()
        return Path(self.errors.name).read_text()

    def kill(self):
        """Kills it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.errors.close()
            self.folder.cleanup()

    def request(self, method, path, body=None, kind="application/toml"):
        """Status and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = kind
        connection.request(method, "/api/v1" + path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def get(self, path):
        """The JSON at a path."""
        status, text = self.request("GET", path)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def submit(self, job, label):
        """Hands a job in; the run's name."""
        label = urllib.parse.quote(label)
        status, text = self.request("POST", f"/runs?label={label}", job)
        assert status == 201, (status, text)
        return json.loads(text)["id"]

    def row(self, run):
        """The row of a run."""
        rows = self.get("/runs?limit=500")["items"]
        return next(row for row in rows if row["id"] == run)

    def wait(self, run, state, seconds=300):
        """Waits for a state of a run; its row."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            row = self.row(run)
            if row["state"] == state:
                return row
            assert row["state"] not in ("failed", "cancelled"), row
            time.sleep(0.2)
        raise AssertionError(f"{run} is not {state} after {seconds} s: {row}")

    def stream(self, path):
        """The events of a stream as (id, kind, data), until it ends."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", "/api/v1" + path, headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        event = {}
        while line := answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                event[name] = value
            elif event.get("event"):
                yield event.get("id"), event["event"], event.get("data", "")
                event = {}
            else:
                event = {}


def job(games=8000, seed=1):
    """The first job of the README, with so many games of tuning."""
    text = (ROOT / "configs/jobs/dots-quick.toml").read_text()
    text = text.replace("games = 8000", f"games = {games}").replace("seed = 1 ", f"seed = {seed} ")
    return text
