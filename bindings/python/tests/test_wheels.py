"""The wheels, installed as users install them."""

import os
import re
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMMAND = ROOT.parents[1]

# The maximum time from the beginning of the installation to the first result, in seconds.
MOST = 15


def install(package: Path, folder: Path) -> tuple[Path, float]:
    """Builds the wheel of a package and installs it in a fresh environment. Returns the path of its programs and the
    time when the installation began."""
    # Not optimized, to save time.
    wheels = folder / "wheels"
    subprocess.run([sys.executable, "-m", "maturin", "build", "--locked", "--out", wheels], cwd=package, check=True,
                   capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    fresh = folder / "fresh"
    venv.create(fresh, with_pip=True)
    programs = fresh / ("Scripts" if sys.platform == "win32" else "bin")
    begin = time.monotonic()
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel],
                   check=True)
    return programs, begin


@pytest.mark.skipif("TOSCA_PARSE_WHEELS" not in os.environ, reason="it builds the command; set TOSCA_PARSE_WHEELS")
def test_the_wheel_has_the_command(tmp_path: Path) -> None:
    programs, begin = install(COMMAND, tmp_path)
    version = subprocess.run([programs / "tosca-parse", "--version"], check=True, capture_output=True, text=True)
    manifest = (COMMAND / "Cargo.toml").read_text()
    assert version.stdout.split()[0] == "tosca-parse" and f'version = "{version.stdout.split()[1]}"' in manifest
    service = tmp_path / "service.yaml"
    service.write_text("tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n")
    subprocess.run([programs / "tosca-parse", service], check=True, capture_output=True)
    assert time.monotonic() - begin < MOST


def test_the_wheel_of_the_library_runs_the_example_of_the_readme(tmp_path: Path) -> None:
    programs, begin = install(ROOT, tmp_path)
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert code is not None
    run = subprocess.run([programs / "python", "-c", code[1]], cwd=tmp_path, capture_output=True, text=True)
    assert time.monotonic() - begin < MOST
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("service.yaml:4:29: error[T2001]: there is no node type `Sever`"), run.stdout
    typed = "import tosca_parse, pathlib; assert (pathlib.Path(tosca_parse.__file__).parent / 'py.typed').exists()"
    subprocess.run([programs / "python", "-c", typed], cwd=tmp_path, check=True)
