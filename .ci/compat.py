#!/usr/bin/env python3
"""Runs the tests of tosca-parser and heat-translator with the original, and with its replacement.

    python .ci/compat.py [FOLDER]

Downloads the source distributions, and installs what their tests need, below FOLDER (`target/compat`). The package
`tosca_parse` must be built: `cd bindings/python && maturin develop`. Fails if fewer tests pass with the replacement
than `REQUIRED` says.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "tosca_parser-2.15.0": "d318f7aaf7777414cf5d14fbe048c9d734b5c21dfd845dbcb58c63d13bb831cf",
    "heat_translator-3.5.0": "4bf9fbb5922c3dcc6ddf908d60f5e5194bff006fe666278394359dd1198e6f0b",
}
PACKAGES = ["tosca-parser==2.15.0", "heat-translator==3.5.0", "pytest", "testtools", "fixtures", "oslotest",
            "testscenarios", "requests-mock", "python-heatclient", "setuptools<81", "typing_extensions"]
TESTS = {"tosca_parser-2.15.0": "toscaparser/tests", "heat_translator-3.5.0": "translator"}
REQUIRED = {"tosca_parser-2.15.0": 281, "heat_translator-3.5.0": 185}
# The tests of tosca-parser are a part of its package, which the replacement does not have.
PLUGIN = """\
import sys
import types

from tosca_parse import compat

compat.install()
import toscaparser

tests = types.ModuleType("toscaparser.tests")
tests.__path__ = [{tests!r}]
tests.__file__ = {tests!r} + "/__init__.py"
sys.modules[tests.__name__] = toscaparser.tests = tests
"""


def fetch(python, folder):
    for name, digest in SOURCES.items():
        archive = folder / f"{name}.tar.gz"
        if not archive.exists():
            subprocess.run([python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:",
                            f"--dest={folder}", name.replace("-", "==")], check=True)
        if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
            sys.exit(f"{archive} is not the expected file")
        if not (folder / name).exists():
            with tarfile.open(archive) as content:
                content.extractall(folder, filter="data")


def environment(folder):
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    installed = folder / "venv" / "installed"
    if not installed.exists():
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        installed.touch()
    return python


def run(python, folder, name, plugin):
    """Runs a test suite. Returns the number of passed tests and the summary."""
    paths = os.pathsep.join(map(str, [folder, ROOT / "bindings" / "python", folder / name]))
    command = [python, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "--continue-on-collection-errors",
               *(["-p", plugin] if plugin else []), TESTS[name]]
    output = subprocess.run(command, cwd=folder / name, env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
                            text=True, check=False).stdout
    passed = re.search(r"(\d+) passed", output)
    return int(passed[1]) if passed else 0, output


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "compat").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = environment(folder)
    fetch(python, folder)
    (folder / "replacement.py").write_text(PLUGIN.format(tests=str(folder / "tosca_parser-2.15.0/toscaparser/tests")))
    is_enough = True
    for name in TESTS:
        original, _ = run(python, folder, name, None)
        replaced, output = run(python, folder, name, "replacement")
        print(f"{name}: {original} tests pass with the original, {replaced} with the replacement")
        print("\n".join(line.split(" - ")[0] for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))))
        is_enough &= replaced >= REQUIRED[name]
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
