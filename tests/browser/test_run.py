"""A run's view: its tree, its sections, and what leaves it."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

import jobs
from service import TUNER, ROOT


def node(page, number):
    return page.locator(f"svg.tree [data-node='{number}']")


def shown(number, digits=4):
    """A number as the page writes it: its own sign, no zeros at the end of values."""
    return f"{number:.{digits}f}".replace("-", "−")


def test_a_node_of_the_tree_shows_its_q_visits_and_values(seen, dots):
    page = seen.open(f"#/runs/{dots}?s=tree")
    tree = seen.service.get(f"/runs/{dots}/tree")["tree"]
    expect(page.locator("svg.tree [data-node]")).to_have_count(43)
    greedy = {0, *tree["greedy"]}
    for it in [3, 20, *tree["greedy"]]:
        node(page, it).click()
        expect(node(page, it)).to_have_attribute("aria-selected", "true")
        side = page.locator(".node-details")
        of_it = tree["nodes"][it]
        expect(side.locator("h3")).to_contain_text(f"Node {it}")
        expect(side.locator("dd").nth(0)).to_have_text(shown(of_it["q"]))
        expect(side.locator("dd").nth(1)).to_have_text(f"{of_it['visits']:,}")
        expect(side.locator("tbody tr")).to_have_count(len(of_it["values"]))
        for path, value in of_it["values"].items():
            cell = side.locator("tr", has=page.locator(f"[title='{path}']")).locator("td")
            text = cell.inner_text().replace("−", "-").replace(",", "")
            assert float(text) == pytest.approx(value, rel=1e-3, abs=1e-3), (it, path)
    marked = page.locator("svg.tree .node.greedy")
    numbers = {int(it.get_attribute("data-node")) for it in marked.all()}
    assert numbers - {0} == greedy - {0}


def test_the_episode_being_played_is_lit(seen):
    run = seen.service.submit(jobs.dots(games=100_000, simulations=100, seed=5), "lit")
    page = seen.open(f"#/runs/{run}?s=tree")
    # In one look: the drawing changes all the time.
    numbers = page.wait_for_function("""() => {
        const lit = [...document.querySelectorAll('svg.tree .node.playing')];
        return lit.length > 0 && lit.map((it) => Number(it.dataset.node));
    }""").json_value()
    # An episode is a way of the first layer and one below it.
    leaves = [it for it in numbers if it > 6]
    assert leaves and all((it - 1) // 6 in numbers for it in leaves), numbers
    expect(page.locator("svg.tree .node.ended").first).to_be_visible()
    assert seen.service.request("POST", f"/runs/{run}/cancel", "")[0] == 200


def test_an_earlier_round_of_the_tree_can_be_drawn(seen, dots):
    page = seen.open(f"#/runs/{dots}?s=tree")
    rounds = seen.service.get(f"/runs/{dots}/tree")["tree"]["rounds_drawn"]
    first = seen.service.get(f"/runs/{dots}/tree/{rounds[0]}")["tree"]
    page.get_by_label("Round drawn").fill("0")
    expect(page.locator(".tree-status")).to_contain_text(f"Round {rounds[0]} ")
    expect(page.locator(".tree-status")).to_contain_text(f"{first['updates']} updates")
    expect(node(page, 1)).to_have_attribute(
        "aria-label", re.compile(rf"Q {re.escape(shown(first['nodes'][1]['q'], 3))}"))


def complete(page):
    """Looks at each section until it has been read and drawn. Out of sight none is read."""
    drawn = {
        "overview": "table tbody tr",
        "tree": "svg.tree [data-node='42']",
        "trajectories": "canvas",
        "learning": "canvas",
        "surface": "canvas, svg, .empty",
        "results": "svg",
        "games": ".game-list a",
        "configuration": ".card",
        "log": "tbody tr, li",
    }
    for name, sign in drawn.items():
        section = page.locator(f"#section-{name}")
        section.locator("h2").scroll_into_view_if_needed()
        expect(section.locator(sign).first).to_be_visible(timeout=120_000)
    expect(page.locator("main").get_by_role("alert")).to_have_count(0)


def test_every_section_of_a_run_is_drawn(seen, dots):
    page = seen.open(f"#/runs/{dots}")
    complete(page)
    expect(page.locator("#section-surface .empty")).to_have_count(0)


def test_a_run_of_200_000_trials_is_shown_whole(seen):
    trials = 20 * jobs.TRIALS_OF_A_ROUND
    run = seen.service.submit(jobs.tiny(20), "many trials")
    seen.service.wait(run, "completed")
    page = seen.open(f"#/runs/{run}")
    complete(page)
    expect(page.locator("#section-results")).to_contain_text(f"All {trials:,} games of tuning")
    last = seen.service.get(f"/runs/{run}/trials?limit=1&after={trials - 2}")
    assert last["total"] == trials and last["items"][0]["index"] == trials - 1
    curves = seen.service.get(f"/runs/{run}/trajectories?points=400")
    assert curves["games"][-1] == trials


def export(service, run, file, *options):
    """The file that `tuner export` writes."""
    command = [TUNER, "export", run, "--runs", str(service.runs), "--to", str(file), *options]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return file.read_bytes()


def test_an_export_by_the_page_is_the_file_that_the_command_writes(seen, dots, tmp_path):
    assert seen.service.row(dots)["verdict"] == "accepted"
    page = seen.open(f"#/runs/{dots}")
    with page.expect_download() as told:
        page.get_by_role("button", name="Export").click()
    told.value.save_as(tmp_path / "page.toml")
    by_page = (tmp_path / "page.toml").read_bytes()
    assert by_page == export(seen.service, dots, tmp_path / "command.toml")


def test_what_no_verification_accepted_is_exported_only_after_a_question(seen, amazons, tmp_path):
    assert seen.service.row(amazons)["verdict"] != "accepted"
    page = seen.open(f"#/runs/{amazons}")
    seen.expected.append("409")
    with page.expect_download() as told:
        page.get_by_role("button", name="Export").click()
        question = page.get_by_role("dialog", name="Not verified")
        question.get_by_role("button", name="Export all the same").click()
    told.value.save_as(tmp_path / "page.toml")
    by_page = (tmp_path / "page.toml").read_bytes()
    assert by_page == export(seen.service, amazons, tmp_path / "command.toml", "--force")


def test_two_runs_are_laid_over_each_other(seen, dots, amazons):
    page = seen.open("#/")
    for run in (dots, amazons):
        page.locator(f"tr[data-run='{run}']").get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare chosen").click()
    page.wait_for_url(re.compile("#/compare"))
    expect(page.locator("main canvas").first).to_be_visible()
    table = page.locator("main table.dense")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["dots of the tests", "amazons of the tests"])
    for way in ("Rounds", "Time", "Games"):
        page.get_by_role("button", name=way, exact=True).click()
        expect(page.get_by_role("button", name=way, exact=True)).to_have_attribute(
            "aria-pressed", "true")
        expect(page.locator("main canvas").first).to_be_visible()
    expect(page.locator("main .u-legend, main .legend").first).to_contain_text("dots of the tests")
    page.get_by_label("Shown", exact=True).select_option("stages.layout.bias.gives")
    expect(page).to_have_url(re.compile("what=stages.layout.bias.gives"))
