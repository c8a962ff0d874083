#!/usr/bin/env python3
"""What listeners cost: a run alone, and the same run with 50 open streams and 20 mixed reads a second,
in turn. No event may be lost, and both give the same bytes; the slow-down is printed, not judged.

    tests/service/load.py [--games N] [--pairs N] [--streams N] [--reads N]
"""

import argparse
import statistics
import threading
import time

from service import Service, job

READS = ["/runs", "/runs/{run}", "/runs/{run}/trials?limit=100", "/runs/{run}/rounds?limit=100",
         "/runs/{run}/trajectories", "/runs/{run}/tree", "/runs/{run}/q-values",
         "/runs/{run}/statistics", "/runs/{run}/warnings", "/runs/{run}/games", "/service"]


def listen(service, run, lines, ended):
    for identity, kind, data in service.stream(f"/runs/{run}/events?after=0"):
        if identity:
            lines.append(int(identity))
        if kind == "state" and '"state":"completed"' in data:
            ended.set()
            return


def read(service, run, reads_per_s, ended, answered):
    index = 0
    while not ended.is_set():
        begun = time.monotonic()
        status, text = service.request("GET", READS[index % len(READS)].format(run=run))
        assert status == 200, (READS[index % len(READS)], status, text)
        answered.append(time.monotonic() - begun)
        index += 1
        time.sleep(max(0.0, 1 / reads_per_s - (time.monotonic() - begun)))


def one(options, is_watched):
    """Seconds that a run takes, its journal, and how long answers took."""
    with Service() as service:
        status, text = service.request("POST", "/runs?start=paused&label=load", job(options.games))
        assert status == 201, text
        run, heard, answered, threads = "load", [], [], []
        if is_watched:
            for _ in range(options.streams):
                lines, ended = [], threading.Event()
                heard.append((lines, ended))
                threads.append(threading.Thread(target=listen, args=(service, run, lines, ended)))
            ended = heard[0][1]
            # Two readers share the reads, so that they overlap.
            for _ in range(2):
                arguments = (service, run, options.reads / 2, ended, answered)
                threads.append(threading.Thread(target=read, args=arguments))
            for thread in threads:
                thread.start()
            time.sleep(1)
        begun = time.monotonic()
        assert service.request("POST", f"/runs/{run}/resume", "")[0] == 200
        service.wait(run, "completed", 1200)
        seconds = time.monotonic() - begun
        for thread in threads:
            thread.join(60)
        journal = (service.runs / run / "journal.jsonl").read_bytes()
        every = list(range(1, journal.count(b"\n") + 1))
        for lines, _ in heard:
            assert lines == every, "an event was lost or told twice"
        return seconds, journal, answered


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--streams", type=int, default=50)
    parser.add_argument("--reads", type=float, default=20)
    options = parser.parse_args()
    ratios = []
    for pair in range(options.pairs):
        alone, journal, _ = one(options, False)
        watched, same, answered = one(options, True)
        assert journal == same, "listeners changed the run"
        answered.sort()
        ratios.append(watched / alone)
        middle, late = answered[len(answered) // 2], answered[int(len(answered) * 0.99)]
        print(f"pair {pair + 1}: alone {alone:.1f} s, watched {watched:.1f} s, ratio {ratios[-1]:.2f}; "
              f"{len(answered)} reads, median {middle * 1000:.0f} ms, 99 % below {late * 1000:.0f} ms; "
              f"{options.streams} streams, {journal.count(10)} events each, none lost", flush=True)
    print(f"slow-down: median {statistics.median(ratios):.2f} over {options.pairs} pairs")


if __name__ == "__main__":
    main()
