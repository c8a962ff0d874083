"""What holds on every view: languages, themes, widths, text that stays text, access."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import jobs

PHONE = 390
DESK = 1440


@pytest.fixture(scope="session")
def views(shared, dots, amazons):
    """The views of the page by name."""
    def game(run):
        name = shared.get(f"/runs/{run}/games")["items"][0]["name"]
        return f"#/runs/{run}/games/{name}"

    return {
        "runs": "#/",
        "new": "#/new",
        "form": "#/new",
        "compare": f"#/compare?runs={dots},{amazons}",
        "run": f"#/runs/{dots}",
        "run of the Amazons": f"#/runs/{amazons}",
        "dots": game(dots),
        "amazons": game(amazons),
        "lost": "#/nowhere",
    }


VIEWS = ["runs", "new", "form", "compare", "run", "run of the Amazons", "dots", "amazons", "lost"]


def open_view(seen, views, view, **options):
    """A page at a view, drawn whole."""
    page = seen.open(views[view], **options)
    if view == "form":
        page.locator(".choices button").nth(1).click()
        page.locator(".form-table tbody tr").first.wait_for()
    if view in ("run", "run of the Amazons"):
        # No section waits to be read once all have been in sight.
        for section in page.locator("section.panel").all():
            section.locator("h2").scroll_into_view_if_needed()
            expect(section.locator("h2 ~ *:visible").first).to_be_visible()
        page.evaluate("window.scrollTo(0, 0)")
    if view in ("dots", "amazons"):
        page.locator("svg.board").wait_for()
    if view == "compare":
        page.locator("main table.dense").wait_for()
    return page


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_scrolls_sideways_on_a_phone(seen, views, view, language):
    page = open_view(seen, views, view, width=PHONE, height=844, language=language)
    page.wait_for_timeout(300)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE
    beyond = page.evaluate("""(width) => {
        const scrolls = (it) => it && (it.scrollWidth > it.clientWidth
            && ['auto', 'scroll'].includes(getComputedStyle(it).overflowX)
            || scrolls(it.parentElement));
        return [...document.querySelectorAll('main *')]
            .filter((it) => it.checkVisibility() && !it.closest('svg, .hidden, .u-wrap')
                && it.getBoundingClientRect().right > width + 1 && !scrolls(it.parentElement))
            .map((it) => `${it.tagName}.${it.className} ${it.textContent.slice(0, 40)}`);
    }""", PHONE)
    assert beyond == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_wrong(seen, views, view, theme):
    page = open_view(seen, views, view, width=DESK, theme=theme)
    found = Axe().run(page).response["violations"]
    told = [f"{it['id']}: {it['help']}: {[node['target'] for node in it['nodes']][:5]}"
            for it in found]
    assert told == []


@pytest.mark.parametrize("view", VIEWS)
def test_every_heading_and_button_is_in_the_language_of_the_page(seen, views, view):
    page = open_view(seen, views, view, language="zh-CN")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    texts = page.locator("h1, h2, h3, nav a, button:visible, th[scope=col]").all_inner_texts()
    # Names of runs, files and parameters are what they are; so are signs without letters.
    names = re.compile(r"of the tests|dots|amazons|\.json|^[\w.-]+\.[\w.-]+$|^EN$|^bias|^[xy]$")
    english = [it for it in texts if re.search("[a-z]{3,}", it) and not names.search(it)
               and not re.search("[\u4e00-\u9fff]", it)]
    assert english == []


def test_the_other_language_is_a_button_and_is_kept(seen):
    page = seen.open("#/", language="en-GB")
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")
    page.get_by_role("button", name="中文").click()
    chinese = page.get_by_role("heading", level=1).inner_text()
    assert re.search("[\u4e00-\u9fff]", chinese)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(chinese)
    page.get_by_role("button", name="EN").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")


def brightness(page):
    """Of what is behind the page, 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    parts = [float(it) for it in re.findall(r"[\d.]+", colour)[:3]]
    scale = 255 if colour.startswith(("color", "oklch")) else 1
    return scale * sum(parts) / 3


def test_the_theme_is_the_systems_until_another_is_chosen_and_kept(seen):
    dark, light = seen.open("#/", theme="dark"), seen.open("#/", theme="light")
    assert brightness(dark) < 80 and brightness(light) > 200
    dark.get_by_role("button", name="Light or dark").click()
    assert brightness(dark) > 200
    dark.reload()
    dark.locator("main h1").wait_for()
    assert brightness(dark) > 200


@pytest.fixture(scope="session")
def evil(shared):
    """A completed run whose names and texts are those of an attacker."""
    job = jobs.tiny(1, name=jobs.EVIL, remark=f"# {jobs.EVIL}\n")
    run = shared.submit(job, jobs.EVIL)
    shared.wait(run, "completed")
    return run


def test_names_stay_text_on_every_view(seen, evil):
    service = seen.service
    name = service.get(f"/runs/{evil}/games")["items"][0]["name"]
    paths = ["#/", f"#/runs/{evil}", f"#/compare?runs={evil}", f"#/new?from={evil}",
             f"#/runs/{evil}/games/{name}", f"#/runs/{jobs.EVIL}", f"#/compare?runs={jobs.EVIL}"]
    seen.expected.append("404")
    page = seen.open()
    for path in paths:
        seen.go(page, path)
        page.wait_for_timeout(700)
        if "%3C" not in page.url and "games" not in path and "from" not in path:
            expect(page.get_by_text(jobs.EVIL).first).to_be_visible()
        for section in page.locator("section.panel").all():
            section.scroll_into_view_if_needed()
            page.wait_for_timeout(150)
        assert page.locator("img").count() == 0, path
    seen.go(page, f"#/runs/{evil}")
    page.get_by_role("button", name="Job", exact=True).click()
    expect(page.locator("pre.source")).to_contain_text(jobs.EVIL)


def test_names_stay_text_in_questions_and_in_the_report(seen, evil):
    service = seen.service
    job = jobs.with_values(jobs.dots(), seed=9)
    body = json.dumps({"toml": job, "label": jobs.EVIL, "paused": True})
    waiting = json.loads(service.request("POST", "/runs", body, "application/json")[1])["id"]
    page = seen.open(f"#/runs/{waiting}")
    page.locator("[data-act=cancel]").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text(jobs.EVIL)
    assert page.locator("img").count() == 0
    question.get_by_role("button", name="Cancel").click()
    page.goto(f"{service.url}/api/v1/runs/{evil}/report")
    expect(page.get_by_text(jobs.EVIL).first).to_be_attached()
    assert page.locator("img[onerror]").count() == 0


def test_a_wrong_token_shows_the_form_and_the_right_one_opens_the_page(seen):
    seen.expected.append("401")
    page = seen.open(token=False, path="#token=0123456789abcdef")
    expect(page.get_by_role("heading", level=1)).to_have_text("Token needed")
    assert "token=" not in page.url
    page.locator("input[name=token]").fill("fedcba9876543210")
    page.keyboard.press("Enter")
    expect(page.locator("#token-said")).to_contain_text("tuner serve")
    page.locator("input[name=token]").fill(seen.service.address)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")
    cookies = page.context.cookies()
    assert all(it["httpOnly"] and it["sameSite"] == "Strict" for it in cookies) and cookies
