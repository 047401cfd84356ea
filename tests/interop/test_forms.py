"""Pages of forms, as axe-core judges their accessibility in Chromium."""

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import NODE_MODULES, Folder

TEMPLATE = """\
tosca_definitions_version: tosca_2_0
description: A shop
data_types:
  Address:
    properties:
      host: { type: string, description: A name in the DNS }
      port: { type: integer, default: 443, validation: { $less_than: [ $value, 65536 ] } }
      next: { type: Address, required: false }
service_template:
  inputs:
    name: { type: string, description: The name of the shop }
    db_password: { type: string }
    size: { type: string, validation: { $valid_values: [ $value, [ small, large ] ] } }
    address: { type: Address }
    tags: { type: list, entry_schema: string, required: false }
    ports: { type: map, entry_schema: integer, required: false }
    debug: { type: boolean, default: false }
  node_templates: {}
"""


class Browser:
    """Chromium, controlled with the WebDriver protocol."""

    def __init__(self, port: int):
        self.session = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]}
        answer = self.ask("POST", "", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self.session += "/" + answer["sessionId"]

    def ask(self, method: str, path: str, body: object = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.session + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def command(self, name: str, **parameters: object) -> dict:
        """The result of a command of the Chrome DevTools Protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def emulate(self, width: int, theme: str) -> None:
        """Emulates a window, however narrow, on a system with a light or dark theme."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, address: str) -> None:
        """Opens a page and waits until it is painted: until then, Chromium drops key presses."""
        self.ask("POST", "/url", {"url": address})
        self.run("const wait = () => performance.getEntriesByType('paint').length ? done() : setTimeout(wait, 10); wait();")

    def violations(self) -> object:
        """The rules that the page violates, with the elements."""
        self.run(f"{Path(NODE_MODULES / 'axe-core/axe.min.js').read_text()}; done()")
        return self.run(
            "axe.run(document, { iframes: false }).then((all) =>"
            " done(all.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])))"
        )

    def press(self, *keys: str) -> None:
        """Presses keys one after the other."""
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": pressed}]})

    def run(self, script: str) -> object:
        """What an asynchronous script passes to `done`."""
        script = f"const done = arguments[0]; {script}"
        return self.ask("POST", "/execute/async", {"script": script, "args": []})


def start_driver(attempts: int = 10) -> tuple[subprocess.Popen[str], int]:
    """Starts the driver on a free port. It ends if another program takes the port that it found."""
    for _ in range(attempts):
        driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        ports = (line.rsplit("on port ", 1)[1] for line in driver.stdout or () if "on port " in line)
        # The first message names the requested port 0, which stands for any.
        for port in map(int, (port.strip(" .\n") for port in ports)):
            if port:
                return driver, port
        driver.wait()
    raise RuntimeError("the driver does not start")


@pytest.fixture
def browser() -> Iterator[Browser]:
    if shutil.which("chromedriver") is None:
        pytest.skip("there is no chromedriver")
    driver, port = start_driver()
    try:
        browser = Browser(port)
        yield browser
        browser.ask("DELETE", "")
    finally:
        driver.kill()
        driver.wait()


HEAT = """\
heat_template_version: 2018-08-31
description: A server
parameters:
  name: { type: string, label: Name, description: The name, constraints: [ { length: { min: 2, max: 5 } } ] }
  key: { type: string, hidden: true }
  kinds: { type: comma_delimited_list }
  flag: { type: boolean, default: true }
resources: {}
"""

CLOUDIFY = """\
tosca_definitions_version: cloudify_dsl_1_3
inputs:
  name: { type: string, display_label: Name, description: The name }
  port: { type: integer, constraints: [ { in_range: [ 1, 10 ] } ] }
  kind: { default: a, constraints: [ { valid_values: [ a, b ] } ] }
  names: { type: list }
  map: { type: dict }
"""

MANIFEST = "Format: 1.4\nType: Application\nFullName: t\nClasses: { t.A: c.yaml, t.B: c.yaml }\n"
CLASSES = """\
Namespaces: { =: t, m: io.murano.metadata }
Name: A
Properties:
  name:
    Contract: $.string().notNull().check(len($) > 2)
    Meta: { m:Description: { text: The name } }
  password: { Contract: $.string().notNull() }
  ports: { Contract: [ $.int().notNull(), 1, 3 ] }
  part: { Contract: $.class(B) }
  parts: { Contract: [ $.class(B).notNull() ] }
  options:
    Contract:
      $.string(): $.int()
Methods:
  small:
    Usage: Static
    Scope: Public
    Meta: [ m:ModelBuilder ]
    Arguments:
      - model: { Contract: $.template(A).notNull() }
      - factor: { Contract: $.int().notNull() }
    Body: [ { Return: $model } ]
---
Name: B
Properties:
  x: { Contract: $.int().notNull() }
"""

# The files of each kind of form, and the command for its page.
KINDS = {
    "tosca": ({"service.yaml": TEMPLATE}, ["form", "service.yaml"]),
    "heat": ({"heat.yaml": HEAT}, ["form", "heat.yaml"]),
    "cloudify": ({"blueprint.yaml": CLOUDIFY}, ["form", "blueprint.yaml"]),
    "class": ({"t/manifest.yaml": MANIFEST, "t/Classes/c.yaml": CLASSES}, ["murano", "schema", "t.A"]),
    "builder": ({"t/manifest.yaml": MANIFEST, "t/Classes/c.yaml": CLASSES}, ["murano", "schema", "t.A", "small"]),
}

OPEN = "document.querySelectorAll('.add').forEach((one) => one.click());"


@pytest.mark.parametrize("script", ["", OPEN, OPEN + "document.getElementById('save').click();"])
@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (360, "dark")])
def test_pages_are_accessible(folder: Folder, browser: Browser, script: str, width: int, theme: str) -> None:
    folder.write("service.yaml", TEMPLATE)
    folder.run("form", "service.yaml", "--format", "html", "-o", "form.html")
    browser.emulate(width, theme)
    browser.open((folder.path / "form.html").as_uri())
    browser.run(f"{script} done()")
    assert browser.violations() == []
    passed = browser.run("axe.run().then((all) => done(all.passes.map((one) => one.id)))")
    assert {"color-contrast", "label", "select-name"} <= set(passed)  # type: ignore[call-overload]
    assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)")


def open_form(folder: Folder, browser: Browser, kind: str) -> None:
    files, arguments = KINDS[kind]
    for name, text in files.items():
        folder.write(name, text)
    paths = ["--package-path", "t"] if arguments[0] == "murano" else []
    folder.write("form.html", folder.run(*arguments, *paths, "--format", "html"))
    browser.open((folder.path / "form.html").as_uri())


def accessibility_tree(browser: Browser) -> list[dict]:
    """The elements as a screen reader gets them."""
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    return [
        {
            "role": node["role"]["value"],
            "name": node.get("name", {}).get("value", ""),
            "description": node.get("description", {}).get("value", ""),
            **{one["name"]: one["value"].get("value") for one in node.get("properties", [])},
        }
        for node in nodes
        if not node["ignored"]
    ]


CONTROLS = ("textbox", "combobox", "checkbox", "button", "group")
# The text of each problem, and the elements that it describes.
PROBLEMS = """
done([...document.querySelectorAll(".problem:not(:empty)")].map((one) =>
  [one.textContent, document.querySelectorAll(`[aria-describedby~="${one.id}"]`).length]))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_screen_readers_get_names_and_problems(folder: Folder, browser: Browser, kind: str, scheme: str) -> None:
    browser.emulate(1200, scheme)
    open_form(folder, browser, kind)
    assert browser.run(f"done(matchMedia('(prefers-color-scheme: {scheme})').matches)")
    browser.run(f"{OPEN} document.getElementById('save').click(); done()")
    tree = accessibility_tree(browser)
    controls = [node for node in tree if node["role"] in CONTROLS]
    assert len(controls) > 3 and [node for node in controls if not node["name"]] == []
    # The focus is on the first invalid value, whose description contains the problem.
    [focused] = [node for node in controls if node.get("focused")]
    assert focused["invalid"] == "true" and focused["description"].endswith("Required")
    invalid = [node for node in controls if node.get("invalid") == "true"]
    assert all(node["description"] for node in invalid)
    problems = browser.run(PROBLEMS)
    assert problems and all(count == 1 for _, count in problems), problems  # type: ignore[union-attr]
    # The number of problems is announced.
    assert [node["live"] for node in tree if node["role"] == "status"] == ["polite"]
    assert "invalid" in str(browser.run("done(document.getElementById('status').textContent)"))
    names = {node["name"] for node in controls if node["role"] == "button"}
    assert names >= {"Copy YAML"} and all(not name.startswith("Show") or len(name) > 5 for name in names)
    assert browser.violations() == []


TAB, ENTER = "\ue004", "\ue007"
ACTIVE = "document.activeElement"


@pytest.mark.parametrize("kind", KINDS)
def test_forms_need_no_mouse(folder: Folder, browser: Browser, kind: str) -> None:
    open_form(folder, browser, kind)
    label = f"done({ACTIVE}.getAttribute('aria-label') ?? {ACTIVE}.textContent ?? '')"
    seen = []
    for _ in range(60):
        browser.press(TAB)
        where = browser.run(f"done({ACTIVE}.id || {ACTIVE}.getAttribute('aria-label'))")
        if browser.run(f"done({ACTIVE}.classList.contains('add'))") and where not in seen:
            # The focus moves to the new control.
            browser.press(ENTER)
            assert browser.run(f"done({ACTIVE}.matches('input, select, button') && !{ACTIVE}.classList.contains('add'))")
        seen.append(where)
        if where == "save":
            break
    assert seen[-1] == "save", seen
    browser.press(ENTER)
    assert browser.run(f"done({ACTIVE}.getAttribute('aria-invalid'))") == "true", browser.run(label)
