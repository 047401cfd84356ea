"""Pages of types, as axe-core judges their accessibility in Chromium."""

import pytest
from conftest import ROOT, Folder
from test_forms import Browser, browser  # noqa: F401


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (1200, "dark"), (390, "dark")])
def test_pages_are_accessible(folder: Folder, browser: Browser, width: int, theme: str) -> None:  # noqa: F811
    folder.run("doc", str(ROOT / "examples/templates/shop-types.yaml"), "--quiet", "-o", "types")
    browser.emulate(width, theme)
    for page in ("index.html", "node-types/index.html", "node-types/Shop.html"):
        browser.open((folder.path / "types" / page).as_uri())
        assert browser.violations() == [], page
        assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)"), page
