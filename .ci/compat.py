#!/usr/bin/env python3
"""Runs the tests of tosca-parser and heat-translator, and the Infrastructure Manager, with the original and its
replacement.

    python .ci/compat.py [FOLDER]

Downloads the source distributions, and installs what their tests need, below FOLDER (`target/compat`). The package
`tosca_parse` must be built: `cd bindings/python && maturin develop`. Fails if fewer tests pass with the replacement
than `REQUIRED` says, or if the Infrastructure Manager gives other results than `IM_DIFFERENCES`. Its templates are in
the folder `TOSCA_PARSE_SHARED`; without it, this part is skipped.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import venv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "tosca_parser-2.15.0": "d318f7aaf7777414cf5d14fbe048c9d734b5c21dfd845dbcb58c63d13bb831cf",
    "heat_translator-3.5.0": "4bf9fbb5922c3dcc6ddf908d60f5e5194bff006fe666278394359dd1198e6f0b",
}
PACKAGES = ["tosca-parser==2.15.0", "heat-translator==3.5.0", "pytest", "testtools", "fixtures", "oslotest",
            "testscenarios", "requests-mock", "python-heatclient", "setuptools<81", "typing_extensions"]
TESTS = {"tosca_parser-2.15.0": "toscaparser/tests", "heat_translator-3.5.0": "translator"}
REQUIRED = {"tosca_parser-2.15.0": 324, "heat_translator-3.5.0": 185}
IM_PACKAGES = ["IM==2.0.0", "tosca-parser==2.15.0", "typing_extensions"]
IM_DIFFERENCES = {"xdc/lfw_frontend_hy_model.yml", "xdc/lfw_frontend_sat_data.yml"}
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


def environment(folder, packages):
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    installed = folder / "installed"
    if not installed.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
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


def infrastructure_manager(folder):
    """Returns the results of the Infrastructure Manager with the original and with the replacement, by template."""
    templates = Path(os.environ["TOSCA_PARSE_SHARED"]) / "conformance" / "simple-1.x"
    python = environment(folder / "im", IM_PACKAGES)
    paths = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    command = [python, ROOT / ".ci" / "compat_im.py", templates / "indigo-tosca-templates",
               templates / "indigo-tosca-types" / "custom_types.yaml"]
    original, replaced = (
        json.loads(subprocess.run([*command, *options], cwd=folder, env=paths, stdout=subprocess.PIPE, check=True).stdout)
        for options in ([], ["replacement"]))
    return {name: (original[name], replaced[name]) for name in original}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "compat").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = environment(folder / "venv", PACKAGES)
    fetch(python, folder)
    (folder / "replacement.py").write_text(PLUGIN.format(tests=str(folder / "tosca_parser-2.15.0/toscaparser/tests")))
    is_enough = True
    for name in TESTS:
        original, _ = run(python, folder, name, None)
        replaced, output = run(python, folder, name, "replacement")
        print(f"{name}: {original} tests pass with the original, {replaced} with the replacement")
        print("\n".join(line.split(" - ")[0] for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))))
        is_enough &= replaced >= REQUIRED[name]
    if "TOSCA_PARSE_SHARED" in os.environ:
        results = infrastructure_manager(folder)
        kinds = Counter(kind for original, _ in results.values() for kind in original)
        different = {name for name, (one, other) in results.items()
                     if one != other and not ("rejected" in one and "rejected" in other)}
        print(f"Infrastructure Manager: {dict(kinds)} with the original, {len(different)} differ with the replacement")
        for name in sorted(different):
            print(name, *(str(result)[:200] for result in results[name]), sep="\n  ")
        is_enough &= different == IM_DIFFERENCES
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
