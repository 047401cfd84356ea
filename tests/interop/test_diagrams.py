"""Pages of diagrams in Chromium: accessibility by axe-core, keyboard, phones."""

import pytest
from conftest import ROOT, Folder
from test_forms import Browser, browser  # noqa: F401

TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"
CHOSEN = "done(document.querySelector('#details h2')?.textContent ?? null)"
FOCUSED = "done(document.activeElement.dataset.node ?? document.activeElement.id)"


def show(folder: Folder, browser: Browser, width: int, theme: str, *options: str) -> None:  # noqa: F811
    """Opens the page of a diagram with hosts, groups and open requirements."""
    template = ROOT / "examples/templates/platform.yaml"
    folder.run("graph", str(template), *options, "--format", "html", "-o", "diagram.html", "--quiet")
    browser.emulate(width, theme)
    browser.open((folder.path / "diagram.html").as_uri())
    browser.run("requestAnimationFrame(() => requestAnimationFrame(() => done()))")


@pytest.mark.parametrize(("width", "theme"), [(1300, "light"), (1300, "dark"), (390, "light"), (390, "dark")])
def test_pages_are_accessible(folder: Folder, browser: Browser, width: int, theme: str) -> None:  # noqa: F811
    show(folder, browser, width, theme, "--nest=RunsOn")
    assert browser.violations() == []
    browser.run("document.querySelector('[data-node]').dispatchEvent(new MouseEvent('click')); done()")
    assert browser.run(CHOSEN)
    assert browser.violations() == []


def test_the_header_is_low_and_text_is_readable(folder: Folder, browser: Browser) -> None:  # noqa: F811
    heights = {}
    for width in (1300, 600, 390, 320):
        show(folder, browser, width, "light")
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), width
        heights[width] = browser.run("done(document.querySelector('header').offsetHeight)")
        size = browser.run("done(document.querySelector('.name').getBoundingClientRect().height)")
        assert size >= 10, (width, size)
    # One row, or two on phones.
    assert heights[1300] == heights[600] < 60 and heights[390] == heights[320] < 100, heights


def test_large_diagrams_begin_with_an_overview(folder: Folder, browser: Browser) -> None:  # noqa: F811
    nodes = "".join(f"    n{index}: {{ type: N }}\n" for index in range(200))
    text = "tosca_definitions_version: tosca_2_0\nnode_types:\n  N: {}\nservice_template:\n  node_templates:\n"
    folder.write("many.yaml", text + nodes)
    folder.run("graph", "many.yaml", "--format", "html", "-o", "many.html", "--quiet")
    is_inside = """
        const outer = document.getElementById('view').getBoundingClientRect();
        const inner = document.querySelector('#sheet svg').getBoundingClientRect();
        done(inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1);
    """
    height = "done(document.querySelector('.name').getBoundingClientRect().height)"
    for width in (1300, 390):
        browser.emulate(width, "light")
        browser.open((folder.path / "many.html").as_uri())
        browser.run("requestAnimationFrame(() => requestAnimationFrame(() => done()))")
        assert browser.run(is_inside) and browser.run(height) < 10, width  # type: ignore[operator]
        # Choosing a box makes its text readable.
        browser.run("document.querySelectorAll('[data-node]')[120].dispatchEvent(new MouseEvent('click')); done()")
        assert browser.run(CHOSEN) == "n120" and browser.run(height) >= 10, width  # type: ignore[operator]


def test_keyboards_reach_everything(folder: Folder, browser: Browser) -> None:  # noqa: F811
    show(folder, browser, 1300, "light")
    browser.press(TAB)
    assert browser.run(FOCUSED) == "words"
    browser.press(*"loans", ENTER)
    assert browser.run(CHOSEN) == "loans"
    browser.press(TAB, TAB, TAB, TAB, TAB)
    assert browser.run(FOCUSED) == "view"
    scale = "done(parseInt(document.getElementById('scale').textContent))"
    before = browser.run(scale)
    browser.press("+")
    assert browser.run(scale) > before  # type: ignore[operator]
    browser.press(ESCAPE)
    assert browser.run(CHOSEN) is None
    browser.press("0", TAB, ENTER)
    first = browser.run(FOCUSED)
    assert first == "0" and browser.run(CHOSEN) == browser.run("done(data.nodes[0].name)")
    # The links between nodes are buttons after the boxes.
    browser.run("document.querySelector('#details ul button').focus(); done()")
    browser.press(ENTER)
    assert browser.run(FOCUSED) not in (first, None)
