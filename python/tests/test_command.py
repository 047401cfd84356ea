"""The wheel that has the command, installed as users install it."""

import subprocess
import sys
import venv
from pathlib import Path

COMMAND = Path(__file__).parent.parent / "command"


def test_the_wheel_has_the_command(tmp_path: Path) -> None:
    # Not optimised: the tests of the project have built almost all of it already.
    subprocess.run([sys.executable, "-m", "maturin", "build", "--locked", "--out", tmp_path], cwd=COMMAND, check=True,
                   capture_output=True)
    (wheel,) = tmp_path.glob("tosca_parse_command-*.whl")
    fresh = tmp_path / "fresh"
    venv.create(fresh, with_pip=True)
    programs = fresh / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", "--no-index", wheel], check=True)
    version = subprocess.run([programs / "tosca-parse", "--version"], check=True, capture_output=True, text=True)
    manifest = (COMMAND / "../../Cargo.toml").read_text()
    assert version.stdout.split()[0] == "tosca-parse" and f'version = "{version.stdout.split()[1]}"' in manifest
    service = tmp_path / "service.yaml"
    service.write_text("tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n")
    subprocess.run([programs / "tosca-parse", service], check=True, capture_output=True)
