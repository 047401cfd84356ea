#!/usr/bin/env python3
"""Runs public test suites, which are not part of this project, from clones of their repositories.

    .ci/conformance.py                                # lists the suites and where they are
    .ci/conformance.py oasis CLONE [--program PATH]   # the technical committee's tests for TOSCA 2.0
    .ci/conformance.py aria CLONE [--program PATH]    # ARIA TOSCA's tests for TOSCA 1.0; needs pytest and Jinja2
    .ci/conformance.py manifest FILE.csv [--program PATH]

A manifest is a table with the columns `file` (relative to the table) and `expect` (`valid` or `invalid`). The program is
`target/release/tosca-parse` unless given. All verdicts that differ from the suite are printed.

As a plugin of pytest, this file replaces ARIA's own parser and web server in its tests.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUITES = """\
oasis  https://github.com/oasis-open/tosca-community-contributions, folder tests/tosca_2_0
       The README counts 250 of its files, as of July 2026. This script runs all that the clone contains.
aria   https://github.com/apache/incubator-ariatosca, folder tests/extensions/aria_extension_tosca/simple_v1_0
       The README counts each distinct template once, without those that need ARIA's plugins.
       This script counts tests; a test can parse several templates.

The 140 public templates for TOSCA 1.x are from the repositories of tosca-parser and heat-translator (OpenStack), Tacker,
ARIA TOSCA, Puccini, Cloudnet TOSCA Toolbox, xOpera, and the INDIGO types and templates. The table of the verdicts on
which three tools agree is not part of this project; with it, `manifest` runs them."""


def verdict(program: Path, file: Path) -> str:
    """Returns the verdict on a file: valid, invalid, or what happened instead."""
    command = [program, "--quiet", "--profile-path", file.parent, file]
    try:
        # The project's configuration, if there is one, is not that of the suite.
        run = subprocess.run(command, capture_output=True, timeout=60, cwd=file.parent, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "no answer within 60 s"
    # 3: the source can't be read, which the committee's tests count as invalid.
    return {0: "valid", 1: "invalid", 3: "invalid"}.get(run.returncode, f"exit code {run.returncode}")


def judge(program: Path, cases: Iterable[tuple[str, Path, str]]) -> None:
    """Prints the verdicts that differ, and the number of those that are the same."""
    cases = list(cases)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda case: verdict(program, case[1]), cases))
    same = 0
    for (name, _, expected), actual in zip(cases, found):
        if actual == expected:
            same += 1
        else:
            print(f"{name}: the suite says {expected}, tosca-parse says {actual}")
    print(f"{same} of {len(cases)} verdicts are those of the suite")
    if not cases:
        raise SystemExit("error: no test was found")


def oasis(clone: Path) -> Iterable[tuple[str, Path, str]]:
    """Returns the cases of the tests, which compare the exit code of a wrapper with 0 or 1."""
    folder = clone / "tests/tosca_2_0"
    for test in sorted(folder.rglob("*_test.py")):
        text = test.read_text()
        code = re.search(r"returncode,\s*([01])\b", text)
        named = re.search(r"^tosca_file_path = here \+ ['\"]/?([^'\"]+\.\w+)['\"]\s*$", text, re.MULTILINE)
        file = test.parent / (named[1] if named else f"{test.stem.split('_test')[0]}.yaml")
        if code:
            yield str(file.relative_to(folder)), file, "valid" if code[1] == "0" else "invalid"


def manifest(path: Path) -> Iterable[tuple[str, Path, str]]:
    with path.open(newline="") as rows:
        for row in csv.DictReader(rows):
            if row["expect"] in ("valid", "invalid") and row.get("needs") != "network":
                yield row["file"], path.parent / row["file"], row["expect"]


def aria(clone: Path, program: Path) -> None:
    tests = clone / "tests/extensions/aria_extension_tosca/simple_v1_0"
    if not tests.is_dir():
        raise SystemExit("error: no test was found")
    environment = {
        **os.environ, "PYTHONPATH": str(Path(__file__).parent), "ARIA_CLONE": str(clone), "TOSCA_PARSE": str(program),
        "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "pytest", "-p", "conformance", "-p", "no:cacheprovider"]
    command += ["--runxfail", "--quiet", "--tb=no", "-rf", "--rootdir", str(clone), "-c", os.devnull, str(tests)]
    raise SystemExit(subprocess.run(command, env=environment).returncode)


class Parsed:
    """The result of parsing a template, as ARIA's tests use it."""

    def __init__(self, verdict: str, text: str):
        self.verdict = verdict
        self.text = text

    def assert_success(self) -> None:
        assert self.verdict == "valid", self.text

    def assert_failure(self) -> None:
        assert self.verdict == "invalid", self.text


class AriaParser:
    """A parser in the place of ARIA's."""

    verbose = False

    def __enter__(self) -> "AriaParser":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def parse_literal(self, text: str, context: dict | None = None, **_: object) -> Parsed:
        import jinja2

        text = jinja2.Template(text).render(context or {})
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "service.yaml"
            file.write_text(text)
            return Parsed(verdict(Path(os.environ["TOSCA_PARSE"]), file), text)


class WebServer:
    """Files in a folder, in the place of a web server."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name

    def add_text_yaml(self, path: str, text: str) -> None:
        file = Path(self.root) / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    @staticmethod
    def escape(text: str) -> str:
        return text

    def __enter__(self) -> "WebServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def replace_modules() -> None:
    """Puts the replacements in the place of ARIA's modules, which are for Python 2."""
    clone = Path(os.environ["ARIA_CLONE"])

    def module(name: str, **members: object) -> None:
        made = types.ModuleType(name)
        made.__dict__.update(members)
        path = clone / name.replace(".", "/")
        if path.is_dir():
            made.__path__ = [str(path)]
        sys.modules[name] = made

    module("tests")
    module("tests.helpers", get_resource_uri=lambda *names: str(clone.joinpath("tests/resources", *names)))
    module("tests.mechanisms")
    module("tests.mechanisms.parsing")
    module("tests.mechanisms.parsing.aria", AriaParser=AriaParser)
    module("tests.mechanisms.web_server", WebServer=WebServer)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("suite", nargs="?", choices=["oasis", "aria", "manifest"])
    arguments.add_argument("path", nargs="?", type=Path)
    arguments.add_argument("--program", type=Path, default=ROOT / "target/release/tosca-parse")
    given = arguments.parse_args()
    if not given.suite or not given.path:
        print(SUITES)
        return
    path, program = given.path.resolve(), given.program.resolve()
    if not program.is_file():
        raise SystemExit(f"error: there is no {program}; `cargo build --release` makes it")
    if given.suite == "aria":
        aria(path, program)
    judge(program, oasis(path) if given.suite == "oasis" else manifest(path))


# Pytest imports plugins before the tests, but configures them after it has imported `conftest.py`.
if "ARIA_CLONE" in os.environ:
    replace_modules()
elif __name__ == "__main__":
    main()
