"""Checks the links of a site: each must lead to a file, and its anchor to an element. Links to other sites are skipped."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value or "")
            elif name in ("href", "src") and value:
                self.links.add(value)


def check(folder: Path) -> tuple[list[str], int, int]:
    """Returns the broken links of a folder of pages, and the number of links and pages."""
    pages: dict[Path, Page] = {}
    for path in sorted(folder.rglob("*.html")):
        # The playground is a single large page without links.
        if path.name != "play.html":
            pages[path] = Page()
            pages[path].feed(path.read_text())
    problems, count = [], 0
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.is_file() or target in pages and anchor and anchor not in pages[target].anchors:
                problems.append(f"{path.relative_to(folder)}: `{link}` leads nowhere")
    return problems, count, len(pages)
