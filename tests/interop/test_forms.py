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

    def emulate(self, width: int, theme: str) -> None:
        """Emulates a window, however narrow, on a system with a light or dark theme."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": size})
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": media})

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


@pytest.fixture
def browser() -> Iterator[Browser]:
    if shutil.which("chromedriver") is None:
        pytest.skip("there is no chromedriver")
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ports = (line.rsplit("on port ", 1)[1] for line in driver.stdout or () if "on port " in line)
        # The first message names the requested port 0, which stands for any.
        browser = Browser(next(port for port in map(int, (port.strip(" .\n") for port in ports)) if port))
        yield browser
        browser.ask("DELETE", "")
    finally:
        driver.kill()
        driver.wait()


OPEN = "document.querySelectorAll('.add').forEach((one) => one.click());"


@pytest.mark.parametrize("script", ["", OPEN, OPEN + "document.getElementById('save').click();"])
@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (360, "dark")])
def test_pages_are_accessible(folder: Folder, browser: Browser, script: str, width: int, theme: str) -> None:
    folder.write("service.yaml", TEMPLATE)
    folder.run("form", "service.yaml", "--format", "html", "-o", "form.html")
    browser.emulate(width, theme)
    browser.ask("POST", "/url", {"url": (folder.path / "form.html").as_uri()})
    browser.run(f"{script} done()")
    assert browser.violations() == []
    passed = browser.run("axe.run().then((all) => done(all.passes.map((one) => one.id)))")
    assert {"color-contrast", "label", "select-name"} <= set(passed)  # type: ignore[call-overload]
    assert browser.run("done(document.documentElement.scrollWidth <= innerWidth)")
