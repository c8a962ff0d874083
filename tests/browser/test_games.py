"""Games replayed on both boards: what stands at the end is what the record says."""

import re

import pytest
from playwright.sync_api import expect


def boxes_of(game):
    """Owners of the boxes after all moves, counted anew: {(column, row): player}."""
    width, height = game["board"]["width"], game["board"]["height"]
    drawn, owners = set(), {}
    for move in game["moves"]:
        name, way = move["move"].split(",")
        drawn.add((ord(name[0]) - ord("a"), int(name[1:]) - 1, way))
        for x in range(width):
            for y in range(height):
                sides = {(x, y, "h"), (x, y + 1, "h"), (x, y, "v"), (x + 1, y, "v")}
                if sides <= drawn and (x, y) not in owners:
                    owners[x, y] = move["player"]
    return drawn, owners


def amazons_of(game):
    """Squares of the pieces and of the arrows after all moves."""
    pieces = {it["square"]: it["piece"] for it in game["start"] if it["piece"] != "arrow"}
    arrows = {it["square"] for it in game["start"] if it["piece"] == "arrow"}
    for move in game["moves"]:
        origin, rest = move["move"].split("-")
        target, arrow = rest.split("/")
        assert target not in pieces and target not in arrows, move
        assert pieces[origin] == move["player"], move
        pieces[target] = pieces.pop(origin)
        assert arrow not in pieces and arrow not in arrows, move
        arrows.add(arrow)
    return pieces, arrows


def kept(service, run):
    """A game of a run that the service has kept, its first."""
    name = service.get(f"/runs/{run}/games")["items"][0]["name"]
    return name, service.get(f"/runs/{run}/games/{name}")


def to_the_end(page, game):
    """Plays the game by its button of one step, then checks that it is over."""
    page.get_by_role("button", name="to the start").click()
    expect(page.locator(".board-status")).to_have_text("Before the first move")
    forward = page.get_by_role("button", name="one move on")
    for at in range(1, len(game["moves"]) + 1):
        forward.click()
        expect(page.locator("tr[aria-current]")).to_have_attribute("data-ply", str(at))
    expect(page.locator(".board-status")).to_contain_text(
        f"Move {len(game['moves'])} of {len(game['moves'])}")
    assert page.get_by_label("Move shown").input_value() == str(len(game["moves"]))


def grid(values, step):
    """Places on the drawing as numbers of fields, the least is 0."""
    least = min(values)
    return [round((it - least) / step) for it in values]


def test_a_game_of_dots_and_boxes_ends_as_its_record(seen, dots):
    name, game = kept(seen.service, dots)
    assert game["game"] == "dots"
    page = seen.open(f"#/runs/{dots}/games/{name}")
    to_the_end(page, game)
    drawn, owners = boxes_of(game)
    score = [list(owners.values()).count(it) for it in ("first", "second")]
    board = page.get_by_role("img", name=re.compile("^Dots and Boxes"))
    expect(board).to_have_attribute(
        "aria-label",
        f"Dots and Boxes, {len(drawn)} lines drawn, {score[0]} to {score[1]} boxes")
    expect(board.locator("line.drawn")).to_have_count(len(drawn))
    for player, boxes in zip(("first", "second"), score):
        expect(board.locator(f"rect.box.{player}")).to_have_count(boxes)
    places = board.locator("circle.dot").evaluate_all(
        "all => all.map((it) => [Number(it.getAttribute('cx')), Number(it.getAttribute('cy'))])")
    (left, step), low = sorted({x for x, _ in places})[:2], max(y for _, y in places)
    step -= left
    lines = board.locator("line.drawn").evaluate_all(
        "all => all.map((it) => ['x1', 'y1', 'x2', 'y2'].map((at) => Number(it.getAttribute(at))))")
    found = {(round((x1 - left) / step), round((low - y1) / step), "h" if y1 == y2 else "v")
             for x1, y1, x2, y2 in lines}
    assert found == drawn
    seat_of_a = "first" if game["first"] == "a" else "second"
    if len(owners) == game["board"]["width"] * game["board"]["height"]:
        margin = score[0] - score[1] if seat_of_a == "first" else score[1] - score[0]
        assert game["result"] == ("win" if margin > 0 else "loss" if margin < 0 else "draw")
    for at, move in enumerate(game["moves"]):
        row = page.locator(f"tr[data-ply='{at + 1}']")
        if at % 9 == 0:
            expect(row.locator("code")).to_have_text(move["move"])
            if move["visits"] is not None:
                expect(row).to_contain_text(f"{move['visits']:,}")


def test_a_game_of_the_amazons_ends_as_its_record(seen, amazons):
    name, game = kept(seen.service, amazons)
    assert game["game"] == "amazons"
    page = seen.open(f"#/runs/{amazons}/games/{name}")
    to_the_end(page, game)
    pieces, arrows = amazons_of(game)
    board = page.get_by_role("img", name=re.compile("^Amazons"))
    expect(board).to_have_attribute(
        "aria-label", f"Amazons, {len(arrows)} arrows, last move {game['moves'][-1]['move']}")
    squares = board.locator("rect.square").evaluate_all(
        "all => all.map((it) => ['x', 'y', 'width'].map((at) => Number(it.getAttribute(at))))")
    left, low, size = min(it[0] for it in squares), max(it[1] for it in squares), squares[0][2]

    def name_of(x, y):
        return f"{chr(ord('a') + int((x - left) // size))}{int((low + size - y) // size) + 1}"

    def places(kind):
        boxes = board.locator(kind).evaluate_all("""all => all.map((it) => {
            const { x, y, width, height } = it.getBBox();
            const moved = it.transform.baseVal.numberOfItems
                ? it.transform.baseVal.getItem(0).matrix : { e: 0, f: 0 };
            return [x + width / 2 + moved.e, y + height / 2 + moved.f];
        })""")
        return {name_of(x, y) for x, y in boxes}

    assert places("g.arrow") == arrows
    for player in ("first", "second"):
        standing = {square for square, it in pieces.items() if it == player}
        assert places(f"g.piece.{player}") == standing


@pytest.mark.parametrize("game", ["dots", "amazons"])
def test_a_game_plays_by_itself_and_stops(seen, game, request):
    run = request.getfixturevalue(game)
    name, it = kept(seen.service, run)
    page = seen.open(f"#/runs/{run}/games/{name}")
    page.get_by_role("button", name="to the start").click()
    page.get_by_role("button", name="play or stop").click()
    expect(page.locator("tr[aria-current]")).to_have_attribute("data-ply", "3")
    page.get_by_role("button", name="to the end").click()
    expect(page.locator("tr[aria-current]")).to_have_attribute("data-ply", str(len(it["moves"])))
    expect(page.get_by_role("button", name="play or stop")).to_have_text("▶")
