"""The service killed under a page: the page heals by itself, and runs end as if nothing were."""

import random
import re

import pytest
from playwright.sync_api import expect

import jobs
from service import Service

KILLS = 6
LONGEST_S = 1.5
LOST = "ERR_|Failed to load resource|EventSource"


def connection(page):
    return page.locator(".connection")


def mark(page):
    """Leaves a sign that a page loses when it is loaded again."""
    page.evaluate("window.isSamePage = true")


def test_a_lost_connection_heals_by_itself(alone):
    alone.expected.append(LOST)
    service = alone.service
    run = service.submit(jobs.dots(games=100_000, simulations=100, seed=6), "goes on")
    runs, view = alone.open("#/"), alone.open(f"#/runs/{run}")
    for page in (runs, view):
        mark(page)
        expect(connection(page)).to_have_text("live")
    service.kill()
    for page in (runs, view):
        expect(connection(page)).to_have_text("connection lost, trying again")
    service.start()
    for page in (runs, view):
        expect(connection(page)).to_have_text("live")
    other = service.submit(jobs.dots(), "after the kill")
    expect(runs.locator(f"tr[data-run='{other}']")).to_be_visible()
    games = service.row(run)["games"]
    row = runs.locator(f"tr[data-run='{run}']")
    runs.wait_for_function("""([run, games]) => {
        const text = document.querySelector(`tr[data-run="${run}"]`).textContent;
        return Number(/([\\d,]+) \\/ 100,000/.exec(text)[1].replace(',', '')) > games;
    }""", arg=[run, games])
    expect(row).to_contain_text("running")
    for page in (runs, view):
        assert page.evaluate("window.isSamePage"), "the page was loaded again"


def results(service, runs):
    """What each run came to, and its journal."""
    return [[(service.runs / run / name).read_bytes() for name in ("tuned.toml", "journal.jsonl")]
            for run in runs]


@pytest.fixture(scope="module")
def expected():
    """What three jobs come to without kills."""
    with Service() as service:
        runs = [service.submit(text, f"job {at}") for at, text in enumerate(three_jobs())]
        for run in runs:
            service.wait(run, "completed")
        return results(service, runs)


def three_jobs():
    return [jobs.dots(games=600, simulations=60, seed=seed) for seed in (11, 12, 13)]


def test_three_jobs_end_with_the_same_bytes_although_the_service_is_killed(alone, expected):
    alone.expected.append(LOST)
    service, draw = alone.service, random.Random(7)
    runs = [service.submit(text, f"job {at}") for at, text in enumerate(three_jobs())]
    page = alone.open("#/")
    views = [alone.open(f"#/runs/{run}?s=tree") for run in runs]
    for it in (page, *views):
        mark(it)
    at_work = 0
    for _ in range(KILLS):
        page.wait_for_timeout(1000 * draw.uniform(0.1, LONGEST_S))
        at_work += any(service.row(run)["state"] != "completed" for run in runs)
        service.kill()
        service.start()
    assert at_work >= KILLS / 2, f"only {at_work} kills met a run at work"
    for run in runs:
        service.wait(run, "completed")
    assert results(service, runs) == expected
    for run, view in zip(runs, views):
        expect(page.locator(f"tr[data-run='{run}']")).to_contain_text("completed")
        expect(view.locator(".run-head .badge.state")).to_contain_text("completed")
        expect(view.locator(".tree-status")).to_contain_text(re.compile("finished"))
    for it in (page, *views):
        assert it.evaluate("window.isSamePage"), "a page was loaded again"
