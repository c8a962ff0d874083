"""Jobs by the page: handed in, watched, stopped and gone on with."""

import re

from playwright.sync_api import expect

import jobs

LONG_MS = 120_000


def choose_parameters(page, *paths):
    for path in paths:
        page.get_by_role("checkbox", name=f"Tune {path}").check()


def fill_form(page, games, simulations):
    """A job of two parameters from the form, quick."""
    page.get_by_role("button", name="From a form").click()
    page.locator("select[name=engine]").select_option("dots-staged")
    page.get_by_role("checkbox", name="Tune stages.layout.bias.gives").wait_for()
    choose_parameters(page, "stages.layout.bias.gives", "stages.settled.exploration.to")
    page.get_by_text("Verification: a sequential test").click()
    values = {"budget": simulations, "games": games, "games_max": 100, "measured_games": 100}
    for name, value in values.items():
        page.locator(f"input[name={name}]").fill(str(value))


def start(page):
    """Starts the job that was checked; the run's name."""
    expect(page.get_by_text("This job is valid.")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("#/runs/[^/]+$"))
    return page.url.rsplit("/", 1)[1]


def state(page):
    return page.locator(".run-head .badge.state")


def test_a_job_from_the_form_is_watched_to_its_end(seen):
    page = seen.open("#/new")
    fill_form(page, games=160, simulations=10)
    page.get_by_label("Label").fill("by the form")
    run = start(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("by the form")
    expect(state(page)).to_contain_text("completed", timeout=LONG_MS)
    expect(page.locator("#section-overview")).to_contain_text("360with verification")
    seen.go(page, "#/")
    row = page.locator(f"tr[data-run='{run}']")
    expect(row).to_contain_text("completed")
    expect(row).to_contain_text("160")


def drop(page, name, text):
    """Drops a file of this text on the page, as a file manager would."""
    files = page.evaluate_handle(
        """([name, text]) => {
            const files = new DataTransfer();
            files.items.add(new File([text], name, { type: 'application/toml' }));
            return files;
        }""", [name, text])
    for kind in ("dragover", "drop"):
        page.dispatch_event(".drop", kind, {"dataTransfer": files})


def test_a_job_from_a_dropped_file_is_watched_to_its_end(seen):
    page = seen.open("#/new")
    text = jobs.dots(games=160, simulations=10, seed=3)
    drop(page, "dropped.toml", text)
    expect(page.get_by_label("Job as TOML")).to_have_value(text)
    expect(page.get_by_label("Label")).to_have_value("dropped")
    run = start(page)
    expect(state(page)).to_contain_text("completed", timeout=LONG_MS)
    kept = seen.service.request("GET", f"/runs/{run}/job")[1]
    assert "seed = 3" in kept and "games = 160" in kept


def test_a_job_that_is_wrong_is_refused_with_the_line(seen):
    page = seen.open("#/new")
    seen.expected.append("422")
    page.get_by_label("Job as TOML").fill(jobs.dots().replace("games = 400", "games = -1"))
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("games")
    expect(refusal).to_contain_text(re.compile(r"\d"))
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()


def test_a_run_is_paused_resumed_and_cancelled_only_after_a_question(seen):
    page = seen.open("#/new")
    drop(page, "long.toml", jobs.dots(games=100_000, simulations=50, seed=4))
    run = start(page)
    expect(state(page)).to_contain_text("running")
    page.get_by_role("button", name="Pause").click()
    expect(state(page)).to_contain_text("paused")
    assert seen.service.row(run)["state"] == "paused"
    page.get_by_role("button", name="Resume").click()
    expect(state(page)).to_contain_text("running")
    games = seen.service.row(run)["games"]
    page.wait_for_function("""async ([run, games]) => {
        const rows = await (await fetch('api/v1/runs')).json();
        return rows.items.find((it) => it.id === run).games > games;
    }""", arg=[run, games])
    page.locator("[data-act=cancel]").click()
    question = page.get_by_role("dialog", name="Cancel this run?")
    question.get_by_role("button", name="Leave it").click()
    expect(state(page)).to_contain_text("running")
    page.locator("[data-act=cancel]").click()
    question.get_by_role("button", name="Cancel").click()
    expect(state(page)).to_contain_text("cancelled")
    assert seen.service.row(run)["state"] == "cancelled"


def test_a_clone_is_the_same_job_with_a_label_of_its_own(seen, dots):
    page = seen.open(f"#/runs/{dots}")
    page.get_by_role("link", name="Clone").click()
    job = seen.service.request("GET", f"/runs/{dots}/job")[1]
    expect(page.get_by_label("Job as TOML")).to_have_value(job)
    expect(page.get_by_label("Label")).to_have_value(f"{dots} again")
    page.get_by_label("Do not start yet").check()
    clone = start(page)
    expect(state(page)).to_contain_text("paused")
    assert clone != dots
    assert seen.service.request("GET", f"/runs/{clone}/job")[1] == job
