"""Builds the documentation site: `python site/build.py FOLDER`.

The pages stay where they are in the repository. Each becomes a page of the site, each rule gets a separate page, and
the interfaces of Python and JavaScript are generated. Then every link within the site is checked. The result works from
files, without a server.
"""

import argparse
import base64
import html
import json
import posixpath
import re
import shutil
import sys
import zlib
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

import interfaces
import links

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "site"
PLAYGROUND = ROOT / "bindings/web/dist/playground.html"
#: The part of the playground that is loaded on demand.
PLAYGROUND_PART = PLAYGROUND.with_name("playground-murano.js")

#: The navigation: headings, and pages with their paths in the repository. `*` generates the interfaces.
NAVIGATION = {
    "Start": {
        "Home": "site/index.md",
        "Overview": "README.md",
        "Tutorial": "docs/tutorial.md",
        "Playground": "site/playground.md",
        "Changes": "CHANGELOG.md",
    },
    "Tasks": {
        "Use the command": "docs/cli.md",
        "Configure a project": "docs/configuration.md",
        "Check in CI": "docs/ci.md",
        "Validate on a cluster": "docs/cluster.md",
        "Set up an editor": "docs/editors.md",
        "Use VS Code": "editors/vscode/README.md",
        "Test templates": "docs/test.md",
        "Format": "docs/fmt.md",
        "Migrate": "docs/migrate.md",
        "Use NFV descriptors": "docs/nfv.md",
        "Pack archives": "docs/archives.md",
        "Fulfill requirements": "docs/resolve.md",
        "Plan and compare": "docs/plans.md",
        "Draw diagrams": "docs/diagrams.md",
        "Gallery": "docs/gallery.md",
        "Generate forms": "docs/forms.md",
        "Document types": "docs/doc.md",
        "Index templates": "docs/indexes.md",
        "Serve over HTTP": "docs/service.md",
    },
    "Reference": {
        "Rules": "docs/rules.md",
        "Keynames": "docs/reference/README.md",
        "TOSCA 1.0": "docs/reference/tosca-1.0.md",
        "TOSCA 1.1": "docs/reference/tosca-1.1.md",
        "TOSCA 1.2": "docs/reference/tosca-1.2.md",
        "TOSCA 1.3": "docs/reference/tosca-1.3.md",
        "TOSCA 2.0": "docs/reference/tosca-2.0.md",
        "Model": "docs/normal-model.md",
        "Problems as JSON": "docs/problems-json.md",
        "Patterns": "docs/patterns.md",
        "Security": "docs/security.md",
    },
    "Embedding": {
        "Introduction": "docs/embedding.md",
        "Rust": "docs/library.md",
        "Python": "bindings/python/README.md",
        "Python interface": "*python-api.md",
        "Replacing tosca-parser": "docs/compat.md",
        "Clout": "docs/clout.md",
        "JavaScript": "bindings/web/README.md",
        "JavaScript interface": "*javascript-api.md",
    },
    "Other languages": {
        "Heat": "docs/heat.md",
        "Heat keynames": "docs/reference/heat.md",
        "Cloudify": "docs/cloudify.md",
        "Cloudify keynames": "docs/reference/cloudify.md",
        "MuranoPL": "docs/murano.md",
        "YAQL": "docs/yaql.md",
        "Yay": "docs/yay.md",
    },
    "Project": {
        "Contributing": "CONTRIBUTING.md",
        "Releasing": "docs/releasing.md",
        "Architecture": "ARCHITECTURE.md",
        "Adding a language": "docs/another-language.md",
        "Decisions": "docs/decisions.md",
        "Long checks": "docs/checks.md",
        "Benchmarks": "docs/benchmarks.md",
        "Measuring": "benches/README.md",
    },
}

#: Pages whose name in the site is not the name of the file.
NAMES = {
    "README.md": "overview.html",
    "benches/README.md": "benches.html",
    "bindings/python/README.md": "python.html",
    "bindings/web/README.md": "javascript.html",
    "docs/reference/README.md": "reference/index.html",
    "docs/rules.md": "rules/index.html",
    "editors/vscode/README.md": "vscode.html",
}

#: Languages of code blocks for which Pygments has no lexer, and similar ones.
LEXERS = {"yay": "yaml", "elisp": "emacs-lisp", "": "text"}

TEMPLATE_PAGE = (SITE / "page.html").read_text()
#: Templates that the playground can read.
TEMPLATE = re.compile(r"^(tosca_definitions_version|heat_template_version):", re.MULTILINE)
RULE = re.compile(r"^## ([A-Z]\d{4}) (\S+)$", re.MULTILINE)
EXAMPLE = re.compile(r"(Wrong|Right)(?:, `([^`]+)`)?:")
#: The length above which the text of a cell is prose, in characters.
PROSE = 40

#: The size of an SVG image, in whole pixels.
VIEW_BOX = re.compile(r'viewBox="0 0 (\d+)[\d.]* (\d+)[\d.]*"')
FORMATTER = HtmlFormatter(nowrap=True)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


#: Words that lines must not break after a hyphen, such as options and names of commands.
HYPHENATED = re.compile(r"(?<![\w-])[\w-]{0,24}-[\w-]{1,24}(?![\w-])")
PROGRAM = re.compile(r"(?<![\w-])tosca-parser?(?![\w-])")


def inline_code(_renderer: object, tokens: list[Token], index: int, _options: object, _environment: object) -> str:
    """Returns the HTML of code in a line of text."""
    words = HYPHENATED.sub(r'<span class="word">\g<0></span>', html.escape(tokens[index].content))
    return f"<code>{words}</code>"


def text(_renderer: object, tokens: list[Token], index: int, _options: object, _environment: object) -> str:
    """Returns the HTML of text, with names of programs that stay on one line."""
    return PROGRAM.sub(r'<span class="word">\g<0></span>', html.escape(tokens[index].content))


MARKDOWN.add_render_rule("code_inline", inline_code)
MARKDOWN.add_render_rule("text", text)


class Page:
    """A page of the site, as it is rendered."""

    def __init__(self, name: str, path: str):
        self.name = name
        self.path = path
        self.here = posixpath.dirname(name) or "."
        self.title = ""
        self.headings: list[tuple[str, str, str]] = []
        #: For the search: the anchor, the heading and the text of each section.
        self.sections: list[list[str]] = []
        #: The files that the page shows, for examples in the playground.
        self.files: dict[str, str] = {}
        self.slugs: dict[str, int] = {}

    def relative(self, target: str) -> str:
        return posixpath.relpath(target, self.here)

    def slug(self, text: str) -> str:
        """Returns the anchor of a heading, as GitHub names it."""
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        if f'id="{slug}"' in TEMPLATE_PAGE:
            raise SystemExit(f"error: {self.path}: site/page.html has the anchor of the heading `{text}`, too")
        number = self.slugs.get(slug, -1) + 1
        self.slugs[slug] = number
        return f"{slug}-{number}" if number else slug


class Site:
    """The pages of the site, and where they are."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.repository = manifest("repository")
        self.version = ".".join(manifest("version").split(".")[:2])
        self.has_playground = PLAYGROUND.is_file()
        self.index: list[list[str]] = []
        self.names: dict[str, str] = {}
        for path in (path for group in NAVIGATION.values() for path in group.values()):
            inner = path.removeprefix("docs/") if path.startswith("docs/reference/") else posixpath.basename(path)
            self.names[path] = NAMES.get(path, inner.lower().removeprefix("*").removesuffix(".md") + ".html")
        text = (ROOT / "docs/rules.md").read_text()
        parts = RULE.split(text)
        self.rules_page = parts[0]
        self.rules = dict(zip(zip(parts[1::3], parts[2::3]), parts[3::3]))
        #: The page of each rule, by its anchor in `docs/rules.md`.
        self.anchors = {f"{code.lower()}-{name}": f"rules/{code}.html" for code, name in self.rules}

    def build(self) -> None:
        unlisted = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - set(self.names)
        if unlisted:
            raise SystemExit(f"error: no heading of the navigation in site/build.py has {', '.join(sorted(unlisted))}")
        generated = interfaces.pages(ROOT)
        for path, name in self.names.items():
            text = generated[path[1:]] if path.startswith("*") else (ROOT / path).read_text()
            self.write(Page(name, path), self.rules_page if path == "docs/rules.md" else text)
        for (code, name), text in self.rules.items():
            after = f"[All rules](rules.md) · in a terminal: `tosca-parse explain {code}`"
            self.write(Page(f"rules/{code}.html", "docs/rules.md"), f"# {code} {name}\n{text.rstrip()}\n\n{after}\n", True)
        for file in ("site.css", "site.js"):
            shutil.copyfile(SITE / file, self.folder / file)
        with (self.folder / "site.css").open("a") as css:
            css.write(colors("a11y-high-contrast-light", ""))
            css.write(colors("a11y-dark", ':root[data-theme="dark"] '))
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        (self.folder / "search.js").write_text(f"window.searchIndex = {index};\n")
        shutil.copyfile(PLAYGROUND if self.has_playground else SITE / "no-playground.html", self.folder / "play.html")
        if PLAYGROUND_PART.is_file():
            shutil.copyfile(PLAYGROUND_PART, self.folder / PLAYGROUND_PART.name)

    def write(self, page: Page, text: str, is_rule: bool = False) -> None:
        tokens = MARKDOWN.parse(text)
        body = self.render(page, tokens, is_rule)
        self.index += [[page.name, page.title, *section] for section in page.sections]
        toc = [f'<li><a href="#{anchor}">{inner}</a></li>' for tag, anchor, inner in page.headings if tag == "h2"]
        values = {
            "title": html.escape(page.title),
            "version": self.version,
            "root": page.relative("."),
            "navigation": self.navigation(page),
            "contents": "" if len(toc) < 2 else f'<nav class="contents" aria-label="On this page"><p>On this page</p><ul>{"".join(toc)}</ul></nav>',
            "body": body,
        }
        path = self.folder / page.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], TEMPLATE_PAGE))

    def navigation(self, page: Page) -> str:
        out = []
        for heading, entries in NAVIGATION.items():
            out.append(f"<p>{heading}</p><ul>")
            for title, path in entries.items():
                is_shown = self.names[path] == page.name
                # A page of a rule belongs to the page of rules.
                current = f' aria-current="{"page" if is_shown else "true"}"' if path == page.path else ""
                out.append(f'<li><a href="{page.relative(self.names[path])}"{current}>{title}</a></li>')
            out.append("</ul>")
        return "".join(out)

    def render(self, page: Page, tokens: list[Token], is_rule: bool) -> str:
        """Returns the HTML of a page; collects its headings and its text."""
        out: list[str] = []
        label = ""
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                inline = tokens[index + 1]
                plain = "".join(part.content for part in inline.children or [])
                anchor = page.slug(plain)
                token.attrSet("id", anchor)
                page.title = page.title or plain
                page.headings.append((token.tag, anchor, html.escape(plain)))
                page.sections.append([anchor, plain, ""])
                out.append(MARKDOWN.renderer.render([token], MARKDOWN.options, {}))
            elif token.type == "inline":
                label = token.content.strip("*")
                self.adapt(page, token.children or [])
                if tokens[index - 1].type != "heading_open":
                    breaks = ("softbreak", "hardbreak")
                    parts = (" " if part.type in breaks else part.content for part in token.children or [])
                    self.add_text(page, "".join(parts))
                out.append(MARKDOWN.renderer.render([token], MARKDOWN.options, {}))
            elif token.type in ("fence", "code_block"):
                out.append(self.code(page, token, label, is_rule))
                label = ""
            elif token.type == "html_block":
                out.append("" if token.content.startswith("<!--") else token.content)
            elif token.type == "table_open":
                stacked = " stacked" if set_labels(tokens[index:]) else ""
                out.append(f'<div class="table{stacked}" tabindex="0"><table>\n')
            elif token.type == "table_close":
                out.append("</table></div>\n")
            elif token.type == "th_open" and not tokens[index + 1].content:
                # Screen readers reject empty headings.
                token.tag = tokens[index + 2].tag = "td"
                out.append("<td>")
            else:
                out.append(MARKDOWN.renderer.render([token], MARKDOWN.options, {}))
        return "".join(out)

    @staticmethod
    def add_text(page: Page, text: str) -> None:
        if page.sections:
            page.sections[-1][2] = (page.sections[-1][2] + " " + text).strip()[:600]

    def adapt(self, page: Page, tokens: list[Token]) -> None:
        """Adapts the links and images of a paragraph to the site."""
        for token in tokens:
            for attribute in ("href", "src"):
                if target := token.attrGet(attribute):
                    token.attrSet(attribute, self.target(str(target), page))
            self.adapt(page, token.children or [])
        # An image leads to its file, which is not limited to the width of the page.
        if [token.type for token in tokens] == ["image"]:
            self.set_size(tokens[0], page)
            link = {"href": tokens[0].attrGet("src"), "class": "image"}
            tokens[:] = [Token("link_open", "a", 1, attrs=link), *tokens, Token("link_close", "a", -1)]

    def set_size(self, image: Token, page: Page) -> None:
        """Gives an image its size, so that the page doesn't move while images are loaded."""
        source = str(image.attrGet("src"))
        if "://" in source or not source.endswith(".svg"):
            return
        if size := VIEW_BOX.search((self.folder / page.here / source).read_text()):
            image.attrSet("width", size[1])
            image.attrSet("height", size[2])

    def target(self, target: str, page: Page) -> str:
        if "://" in target or target.startswith("mailto:"):
            return target
        file, _, anchor = target.partition("#")
        anchor = f"#{anchor}" if anchor else ""
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), file)) if file else page.path
        if file == "docs/rules.md" and anchor[1:] in self.anchors:
            return page.relative(self.anchors[anchor[1:]])
        if file in self.names:
            return page.relative(self.names[file]) + anchor
        if not (ROOT / file).exists():
            raise SystemExit(f"error: {page.path}: `{target}` leads nowhere")
        if file.endswith((".svg", ".png", ".html", ".schema.json")):
            copy = f"files/{posixpath.basename(file)}"
            (self.folder / "files").mkdir(exist_ok=True)
            shutil.copyfile(ROOT / file, self.folder / copy)
            return page.relative(copy)
        kind = "tree" if (ROOT / file).is_dir() else "blob"
        return f"{self.repository}/{kind}/main/{file}{anchor}"

    def code(self, page: Page, token: Token, label: str, is_rule: bool) -> str:
        language, _, name = token.info.strip().partition(" ")
        out = [f'<p class="file"><code>{html.escape(name)}</code></p>' if name else ""]
        try:
            lexer = get_lexer_by_name(LEXERS.get(language, language), stripnl=False)
            colored = highlight(token.content, lexer, FORMATTER)
        except ClassNotFound:
            colored = html.escape(token.content)
        example = EXAMPLE.match(label) if is_rule else None
        verdict = f' class="{example[1].lower()}"' if example else ""
        out.append(f'<pre tabindex="0"{verdict}><code>{colored}</code></pre>\n')
        if example:
            if not example[2]:
                page.files = {}
            name = example[2] or "service.yaml"
        if name:
            page.files[name] = token.content
            out.append(self.trial(page, "service.yaml" if example else name))
        return "".join(out)

    def trial(self, page: Page, entry: str) -> str:
        """Returns a link that opens an example in the playground, if it is a template that the playground reads."""
        if not self.has_playground or not TEMPLATE.search(page.files.get(entry, "")):
            return ""
        named = {entry: page.files[entry], **{name: text for name, text in page.files.items() if name != entry}}
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = base64.urlsafe_b64encode(packer.compress(json.dumps(named).encode()) + packer.flush()).decode().rstrip("=")
        return f'<p class="trial"><a href="{page.relative("play.html")}#{packed}">Open in the playground</a></p>\n'


def colors(style: str, prefix: str) -> str:
    """Returns the colors of code in a style, below a selector."""
    rules = HtmlFormatter(style=style).get_style_defs(f"{prefix}pre").splitlines()
    return "".join(f"{rule}\n" for rule in rules if "/*" in rule)


def set_labels(tokens: list[Token]) -> bool:
    """Labels the cells of a table with their columns, if it has columns of prose that are too narrow on phones."""
    tokens = tokens[: next(index for index, token in enumerate(tokens) if token.type == "table_close")]
    plain = ["".join(part.content for part in token.children or []) for token in tokens]
    heads = [plain[index + 1] for index, token in enumerate(tokens) if token.type == "th_open"]
    cells = [index for index, token in enumerate(tokens) if token.type == "td_open"]
    if len(heads) < 3 or not any(len(plain[index + 1]) > PROSE for index in cells):
        return False
    for place, index in enumerate(cells):
        if label := heads[place % len(heads)]:
            tokens[index].attrSet("data-label", label)
    return True


def manifest(key: str) -> str:
    match = re.search(rf'^{key} = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert match
    return match[1]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = Site(folder)
    site.build()
    problems, count, pages = links.check(folder)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        raise SystemExit(f"error: {len(problems)} links lead nowhere")
    print(f"{pages} pages with {count} links within the site: {folder / 'index.html'}")
    if not site.has_playground:
        print("without the playground, because `npm run build` in bindings/web has not been run")


if __name__ == "__main__":
    main()
