"""A service, a browser and what a page says: shared by all tests of this folder.

A test that fails leaves what its pages showed and said under `target/browser/`.
"""

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

import jobs
from service import ROOT, Service

KEPT = Path(os.environ.get("SIXFOLD_BROWSER_OUTPUT", ROOT / "target/browser"))
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)
FAILED = pytest.StashKey()

# What breaks the page's own rules is told by an event, not only on the console.
WATCH = """
document.addEventListener('securitypolicyviolation', (event) =>
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));
"""


class Seen:
    """Pages of one test, and everything they said."""

    def __init__(self, browser, service):
        self.browser, self.service = browser, service
        self.contexts, self.pages, self.said = [], [], []
        # Errors that the test brings about.
        self.expected = []

    def open(self, path="#/", width=1280, height=900, theme="light", language="en-GB", token=True):
        """A page of a browser that has never been here, at a view."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, locale=language,
            reduced_motion="reduce", accept_downloads=True)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("console", lambda it: self.say(f"console {it.type}", it.text))
        page.on("pageerror", lambda it: self.say("error", str(it)))
        page.on("dialog", lambda it: (self.say("dialog", it.message), it.dismiss()))
        self.contexts.append(context)
        self.pages.append(page)
        if token:
            page.goto(self.service.address)
            page.get_by_role("heading", name=re.compile("^(Runs|运行.*)$")).wait_for()
        self.go(page, path)
        return page

    def go(self, page, path):
        """Goes to a view and waits until it says something."""
        page.goto(f"{self.service.url}/{path}")
        page.locator("main h1").first.wait_for()

    def say(self, kind, text):
        self.said.append((kind, text))

    def wrong(self):
        """What no test expects: errors, broken rules of the page, questions of the browser."""
        loud = ("console error", "console warning", "error", "dialog")
        return [f"{kind}: {text}" for kind, text in self.said if kind in loud
                and not any(re.search(it, text) for it in self.expected)]

    def keep(self, name):
        """Leaves what there is to see; where."""
        folder = KEPT / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for at, page in enumerate(self.pages):
            try:
                page.screenshot(path=folder / f"page-{at + 1}.png", full_page=True, timeout=10_000)
            except Exception as error:
                self.say("no picture", str(error))
        lines = [f"{kind}: {text}\n" for kind, text in self.said]
        (folder / "console.txt").write_text("".join(lines))
        (folder / "service.txt").write_text(self.service.said())
        return folder

    def close(self):
        for context in self.contexts:
            context.close()


@pytest.fixture(scope="session")
def browser():
    path = shutil.which("chromium")
    assert path, "chromium is missing: tests/run --browser installs it"
    with sync_playwright() as playwright:
        # A container has no rights to make sandboxes, and pages here are only our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared():
    """A service that tests share which do not stop it."""
    with Service() as service:
        yield service
        assert "panicked" not in service.said(), service.said()


@pytest.fixture(scope="session")
def dots(shared):
    """A completed run of Dots and Boxes."""
    run = shared.submit(jobs.dots(), "dots of the tests")
    shared.wait(run, "completed")
    return run


@pytest.fixture(scope="session")
def amazons(shared):
    """A completed run of the Amazons."""
    run = shared.submit(jobs.amazons(), "amazons of the tests")
    shared.wait(run, "completed")
    return run


@pytest.fixture
def seen(browser, shared, request):
    """Pages over the shared service; they must have said nothing wrong in the end."""
    yield from watched(browser, shared, request)


@pytest.fixture
def alone(browser, request):
    """Pages over a service of the test's own, which it may kill."""
    with Service() as service:
        yield from watched(browser, service, request)
        assert "panicked" not in service.said(), service.said()


def watched(browser, service, request):
    seen = Seen(browser, service)
    request.node.seen = seen
    yield seen
    wrong = seen.wrong()
    if wrong and not request.node.stash.get(FAILED, False):
        print(f"kept in {seen.keep(request.node.name)}")
    seen.close()
    assert not wrong, "\n".join(wrong)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call" and report.failed:
        item.stash[FAILED] = True
        if seen := getattr(item, "seen", None):
            report.sections.append(("Kept", str(seen.keep(item.name))))
    return report
