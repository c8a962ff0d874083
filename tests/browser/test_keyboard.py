"""The main path without a mouse: Tab, Enter and the page's keys."""

import re

from playwright.sync_api import expect

import jobs

TABS_MAX = 150


def tab_to(page, target):
    """Presses Tab until the focus is there; a person sees it by its outline."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if target.count() and target.first.evaluate("(it) => it === document.activeElement"):
            outline = target.first.evaluate("""(it) => {
                const style = getComputedStyle(it);
                return style.outlineStyle !== 'none' || style.boxShadow !== 'none'
                    || it.closest('svg') !== null;
            }""")
            assert outline, "the focus cannot be seen"
            return
    raise AssertionError(f"{TABS_MAX} Tabs do not reach {target}")


def test_a_job_is_handed_in_paused_and_cancelled_by_keys(seen):
    page = seen.open("#/")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("#/new$"))
    tab_to(page, page.get_by_label("Job as TOML"))
    page.keyboard.insert_text(jobs.dots(games=100_000, simulations=50, seed=21))
    expect(page.get_by_text("This job is valid.")).to_be_visible()
    tab_to(page, page.get_by_label("Label"))
    page.keyboard.type("by keys, n and g too")
    tab_to(page, page.get_by_role("button", name="Start", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#/runs/"))
    state = page.locator(".run-head .badge.state")
    expect(page.get_by_role("heading", level=1)).to_have_text("by keys, n and g too")
    expect(state).to_contain_text("running")
    page.keyboard.press("p")
    expect(state).to_contain_text("paused")
    page.keyboard.press("p")
    expect(state).to_contain_text("running")
    tab_to(page, page.locator("[data-act=cancel]"))
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog")
    expect(question.get_by_role("button", name="Leave it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    tab_to(page, page.locator("[data-act=cancel]"))
    page.keyboard.press("Enter")
    tab_to(page, question.get_by_role("button", name="Cancel"))
    page.keyboard.press("Enter")
    expect(state).to_contain_text("cancelled")


def test_a_run_is_read_and_its_game_replayed_by_keys(seen, dots):
    page = seen.open("#/")
    link = page.locator(f"tr[data-run='{dots}'] .run-name a")
    link.wait_for()
    for _ in range(page.locator(".run-name a").count()):
        page.keyboard.press("j")
        if link.evaluate("(it) => it === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"#/runs/{dots}"))
    page.keyboard.press("2")
    expect(page.locator("#heading-tree")).to_be_focused()
    node = page.locator("svg.tree [data-node='0']")
    node.wait_for()
    tab_to(page, node)
    page.keyboard.press("ArrowDown")
    chosen = page.locator("svg.tree [aria-selected='true']")
    expect(chosen).not_to_have_attribute("data-node", "0")
    expect(chosen).to_be_focused()
    number = chosen.get_attribute("data-node")
    expect(page.locator(".node-details h3")).to_contain_text(f"Node {number}")
    page.keyboard.press("7")
    expect(page.locator("#heading-games")).to_be_focused()
    game = page.locator(".game-list a").first
    game.wait_for()
    tab_to(page, game)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/games/"))
    slider = page.get_by_label("Move shown")
    last = slider.get_attribute("max")
    for key, at in (("End", int(last)), ("ArrowLeft", int(last) - 1), ("Home", 0),
                    ("ArrowRight", 1)):
        page.keyboard.press(key)
        expect(slider).to_have_value(str(at))
    page.keyboard.press("g")
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")


def test_help_theme_and_language_have_keys(seen):
    page = seen.open("#/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("l")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_keys_typed_into_a_field_are_text(seen):
    page = seen.open("#/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("gnct?l")
    expect(page.get_by_role("searchbox")).to_have_value("gnct?l")
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")
