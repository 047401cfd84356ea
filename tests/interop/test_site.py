"""The documentation site in Chromium, from files: accessibility by axe-core, width, search, examples."""

import os
import time
from pathlib import Path

import pytest
from test_forms import Browser, browser  # noqa: F401

SITE = Path(os.environ.get("SITE", ""))
PAGES = [
    "index.html",
    "tutorial.html",
    "overview.html",
    "rules/T2001.html",
    "python-api.html",
    "gallery.html",
    "benchmarks.html",
    "play.html",
]

pytestmark = pytest.mark.skipif(not (SITE / "search.js").is_file(), reason="there is no site: `cargo xtask ci site`")


def visit(browser: Browser, page: str, width: int = 1300) -> None:
    browser.emulate(width, "light")
    browser.open((SITE / page).absolute().as_uri())


def test_pages_are_accessible(browser: Browser) -> None:  # noqa: F811
    for number, page in enumerate(PAGES):
        # Each theme and each width with half of the pages.
        theme, width = ("light", "dark")[number % 2], (1300, 390)[number // 2 % 2]
        visit(browser, page, width)
        browser.run(f"document.documentElement.dataset.theme = '{theme}'; done()")
        assert browser.violations() == [], (page, theme, width)
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), f"{page} is too wide"


def test_options_are_not_broken_and_wide_tables_show_it(browser: Browser) -> None:  # noqa: F811
    visit(browser, "cli.html", 390)
    broken = "[...document.querySelectorAll('.word')].filter((word) => word.getClientRects().length > 1)"
    assert browser.run(f"done({broken}.map((word) => word.textContent))") == []
    assert browser.run("done([...document.querySelectorAll('td .word')].some((it) => it.textContent === '--max-same'))")
    visit(browser, "benchmarks.html", 390)
    shadows = """
        const tables = [...document.querySelectorAll('.table')].filter((it) => it.scrollWidth > it.clientWidth);
        done(tables.map((it) => getComputedStyle(it).backgroundAttachment));
    """
    found = browser.run(shadows)
    assert found and set(found) == {"local, local, scroll, scroll, scroll"}  # type: ignore[call-overload]


def test_search_finds_rules(browser: Browser) -> None:  # noqa: F811
    visit(browser, "index.html")
    found = browser.run("""
        const field = document.getElementById("search");
        const search = (text) => {
          field.value = text;
          field.dispatchEvent(new Event("input"));
          return [...document.querySelectorAll("#search-results a")].map((entry) => new URL(entry.href).pathname);
        };
        search("T2001");
        const wait = () => window.searchIndex ? done([search("T2001")[0], search("xyzzy")]) : setTimeout(wait, 20);
        wait();
    """)
    assert found == [(SITE / "rules/T2001.html").absolute().as_uri().removeprefix("file://"), []]


def test_tables_of_prose_are_lists_on_phones(browser: Browser) -> None:  # noqa: F811
    columns = "done(getComputedStyle(document.querySelector('.table.stacked tbody tr')).display)"
    cell = "document.querySelectorAll('.table.stacked tbody td')[1]"
    for width, display, label in [(1300, "table-row", "none"), (390, "block", '"Suited to: "')]:
        visit(browser, "embedding.html", width)
        found = browser.run(columns), browser.run(f"done(getComputedStyle({cell}, '::before').content)")
        assert found == (display, label), width
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), width
    # Numbers are compared by columns.
    visit(browser, "benchmarks.html", 390)
    assert browser.run("done(document.querySelectorAll('.table:not(.stacked)').length >= 4)")


def test_images_are_readable(browser: Browser) -> None:  # noqa: F811
    for page, width in [("gallery.html", 390), ("benchmarks.html", 390), ("gallery.html", 1300)]:
        visit(browser, page, width)
        widths = browser.run("done([...document.images].map((it) => [it.clientWidth, Number(it.getAttribute('width'))]))")
        assert widths and all(shown == width > 0 for shown, width in widths), (page, widths)  # type: ignore[attr-defined]
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), page


def test_themes_reach_the_whole_page(browser: Browser) -> None:  # noqa: F811
    visit(browser, "rules/T2001.html")
    theme = "done([document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor])"
    light = browser.run(theme)
    # Without a choice, the theme is that of the system.
    browser.emulate(1300, "dark")
    has_changed = "document.documentElement.dataset.theme == 'dark'"
    browser.run(f"(function wait() {{ {has_changed} ? done() : requestAnimationFrame(wait); }})()")
    dark = browser.run(theme)
    assert (light[0], dark[0]) == ("light", "dark") and light[1] != dark[1]  # type: ignore[index]
    assert browser.run(f"document.getElementById('theme').click(); {theme}") == light
    verdicts = "done([...document.querySelectorAll('pre.wrong, pre.right')].map((it) => it.className))"
    assert browser.run(verdicts) == ["wrong", "right"]
    # The page in the frame has the same setting.
    visit(browser, "playground.html")
    frame = browser.ask("POST", "/element", {"using": "css selector", "value": "iframe"})
    browser.run("document.querySelector('iframe').scrollIntoView(); done()")
    for expected in ("dark", "light"):
        browser.run("document.getElementById('theme').click(); done()")
        browser.ask("POST", "/frame", {"id": frame})
        wait = f"const wait = () => getComputedStyle(document.documentElement).colorScheme === '{expected}' ? done(true) : setTimeout(wait, 50); wait();"
        assert browser.run(wait)
        browser.ask("POST", "/frame", {"id": None})


def test_keyboards_reach_everything(browser: Browser) -> None:  # noqa: F811
    tab, enter, escape = "\ue004", "\ue007", "\ue00c"
    visit(browser, "index.html")
    focused = "done(document.activeElement.textContent || document.activeElement.id)"
    browser.press(tab)
    assert browser.run(focused) == "Skip to the text"
    browser.press("/")
    assert browser.run(focused) == "search"
    browser.press(*"unknown-name")
    found = "document.querySelectorAll('#search-results a')"
    browser.run(f"const wait = () => {found}.length ? done() : setTimeout(wait, 20); wait();")
    browser.press(tab)
    assert browser.run(f"done(document.activeElement === {found}[0])")
    browser.press(escape)
    assert browser.run("done(document.getElementById('search-results').hidden)")
    assert browser.run(focused) == "search"
    browser.run("document.activeElement.blur(); done()")
    browser.press("/", *"T2001", enter)
    while not browser.ask("GET", "/url").endswith("/rules/T2001.html#t2001-unknown-name"):
        time.sleep(0.05)
    # What has the focus has an outline.
    visit(browser, "tutorial.html")
    for _ in range(12):
        browser.press(tab)
        style = browser.run("done(getComputedStyle(document.activeElement).outlineStyle)")
        assert style == "solid", browser.run(focused)
    visit(browser, "index.html", 390)
    browser.run("document.getElementById('menu').focus(); done()")
    browser.press(enter, tab)
    assert browser.run("done(document.activeElement.closest('#navigation, header') !== null)")


def test_menu_opens_on_phones(browser: Browser) -> None:  # noqa: F811
    visit(browser, "tutorial.html", 390)
    shown = "getComputedStyle(document.getElementById('navigation')).display"
    assert browser.run(f"done({shown})") == "none"
    assert browser.run(f"document.getElementById('menu').click(); done({shown})") == "block"


def test_examples_open_in_the_playground(browser: Browser) -> None:  # noqa: F811
    visit(browser, "rules/T2001.html")
    link = browser.run("done(document.querySelector('.trial a')?.href ?? null)")
    if link is None:
        pytest.skip("the site was built without the playground")
    browser.open(link)
    text = browser.run("""
        const wait = () => document.body.dataset.ready === "true" && document.getElementById("view").innerText
          ? done(document.getElementById("view").innerText) : setTimeout(wait, 50);
        wait();
    """)
    assert "T2001" in text  # type: ignore[operator]
