#!/usr/bin/env python3
"""Lists what the library offers to others, with signatures, from the pages that rustdoc has written.

    cargo doc --workspace --no-deps
    .ci/api.py target/doc tosca_parse docs/api.txt          # compares
    .ci/api.py target/doc tosca_parse docs/api.txt --renew  # writes

An unintended difference breaks users, or promises something by accident. Implementations of traits are not listed. Pages of another rustdoc version look different and are not compared.
"""

import difflib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

# What stands for one thing in the pages: a declaration, or the head of a function or constant of a type.
DECLARATION = {"item-decl"}
HEAD = {"code-header"}
VOID = {"br", "img", "wbr", "meta", "link", "input", "hr", "rustdoc-topbar"}


class Page(HTMLParser):
    """Collects the declarations and the headers of members, in order."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.depth = None
        self.text = []
        self.section = ""

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "h2":
            self.section = attributes.get("id", "")
        classes = set((attributes.get("class") or "").split())
        if self.depth is not None:
            if tag not in VOID:
                self.depth += 1
        elif classes & (DECLARATION | HEAD) and self.is_own():
            self.depth, self.text = 1, []

    def is_own(self):
        """Whether it is of the item itself, rather than of a trait that it implements or of what implements it."""
        return not re.search("^variants|implementations|impls|implementors|deref-methods", self.section)

    def handle_endtag(self, tag):
        if self.depth is None or tag in VOID:
            return
        self.depth -= 1
        if self.depth == 0:
            text = " ".join("".join(self.text).split())
            self.depth = None
            if text and not text.startswith("impl"):
                self.found.append(text)

    def handle_data(self, data):
        if self.depth is not None:
            self.text.append(data)


def items(folder):
    """Returns the pages of all items of a crate, from the list that rustdoc generates."""
    page = (folder / "all.html").read_text(encoding="utf-8")
    return sorted(set(re.findall(r'<li><a href="([^"]+)">', page)))


def listing(folder):
    """The lines of the listing."""
    version = subprocess.run(["rustdoc", "--version"], capture_output=True, text=True, check=True).stdout
    lines = [f"What `{folder.name}` offers, by the pages of {version.strip()}: renewed by .ci/api.py."]
    for item in items(folder):
        page = Page()
        page.feed((folder / item).read_text(encoding="utf-8"))
        path = re.sub(r"(^|/)(\w+)\.(\w+)\.html$", r"\1\3", item).replace("/", "::")
        lines += ["", f"{folder.name}::{path}", *(f"    {text}" for text in page.found)]
    return lines


def main():
    folder, kept = Path(sys.argv[1]) / sys.argv[2], Path(sys.argv[3])
    found = listing(folder)
    if "--renew" in sys.argv:
        kept.write_text("\n".join(found) + "\n", encoding="utf-8")
        return
    known = kept.read_text(encoding="utf-8").splitlines()
    if known[0] != found[0]:
        print(f"skipped: {kept} is of another rustdoc")
        return
    changes = list(difflib.unified_diff(known, found, str(kept), "now", lineterm="", n=1))
    if changes:
        print("\n".join(changes))
        sys.exit("what the library offers has changed: if that is meant, renew the listing and tell it in CHANGELOG.md")


main()
