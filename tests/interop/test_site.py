"""The documentation site in Chromium, from files: accessibility by axe-core, width, search, examples."""

import os
from pathlib import Path

import pytest
from conftest import NODE_MODULES
from test_forms import Browser, browser  # noqa: F401

SITE = Path(os.environ.get("SITE", ""))
PAGES = ["index.html", "tutorial.html", "overview.html", "rules/T2001.html", "python-api.html"]

pytestmark = pytest.mark.skipif(not (SITE / "search.js").is_file(), reason="there is no site: `cargo xtask ci site`")


def visit(browser: Browser, page: str, width: int = 1300) -> None:
    browser.ask("POST", "/window/rect", {"width": width, "height": 900})
    browser.ask("POST", "/url", {"url": (SITE / page).absolute().as_uri()})


def test_pages_are_accessible(browser: Browser) -> None:  # noqa: F811
    axe = (NODE_MODULES / "axe-core/axe.min.js").read_text()
    for number, page in enumerate(PAGES):
        # Each theme and each width with half of the pages.
        theme, width = ("light", "dark")[number % 2], (1300, 390)[number // 2 % 2]
        visit(browser, page, width)
        browser.run(f"document.documentElement.dataset.theme = '{theme}'; {axe}; done()")
        found = browser.run(
            "axe.run().then((all) => done(all.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])))"
        )
        assert found == [], (page, theme, width)
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), f"{page} is too wide"


def test_options_are_not_broken_and_wide_tables_show_it(browser: Browser) -> None:  # noqa: F811
    visit(browser, "cli.html", 390)
    broken = "[...document.querySelectorAll('.word')].filter((word) => word.getClientRects().length > 1)"
    assert browser.run(f"done({broken}.map((word) => word.textContent))") == []
    assert browser.run("done([...document.querySelectorAll('td .word')].some((it) => it.textContent === '--max-same'))")
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
    browser.ask("POST", "/url", {"url": link})
    text = browser.run("""
        const wait = () => document.body.dataset.ready === "true" && document.getElementById("view").innerText
          ? done(document.getElementById("view").innerText) : setTimeout(wait, 50);
        wait();
    """)
    assert "T2001" in text  # type: ignore[operator]
