"""Validates configurations of other tools with their own validators: files of the project, and examples in `docs/ci.md`."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import NODE_MODULES, ROOT, Folder


def told(*command: str | Path) -> str:
    """What a program says that must have nothing to complain of."""
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def program(name: str) -> Path:
    return Path(sys.executable).parent / name


def snippet(heading: str) -> str:
    """The first block of YAML in a section of the page."""
    _, section = (ROOT / "docs/ci.md").read_text().split(f"\n## {heading}\n")
    return section.split("```yaml\n")[1].split("```")[0]


def test_action():
    action = ROOT / "action.yml"
    told(program("check-jsonschema"), "--builtin-schema", "vendor.github-actions", action)
    told(program("zizmor"), "--offline", "--quiet", action)


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml"])
def test_workflows(workflow: str):
    told(program("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", ROOT / ".github/workflows" / workflow)


def test_hooks():
    told(program("pre-commit"), "validate-manifest", ROOT / ".pre-commit-hooks.yaml")


def test_containerfile(folder: Folder):
    script = Path(__file__).with_name("containerfile.mjs")
    assert told("node", script, NODE_MODULES, ROOT / "Containerfile") == ""
    assert "FORM" in told("node", script, NODE_MODULES, folder.write("Containerfile", "FORM scratch\n"))


@pytest.mark.parametrize(("heading", "schema"), [("GitHub", "vendor.github-workflows"), ("GitLab", "vendor.gitlab-ci")])
def test_examples_for_servers(folder: Folder, heading: str, schema: str):
    example = folder.write("example.yml", snippet(heading))
    told(program("check-jsonschema"), "--builtin-schema", schema, example)


def test_helix():
    tomllib = pytest.importorskip("tomllib")
    languages = tomllib.loads((ROOT / "editors/helix/languages.toml").read_text())
    [yaml] = languages["language"]
    servers = languages["language-server"]
    assert yaml["name"] == "yaml" and set(servers) <= set(yaml["language-servers"])
    assert servers["tosca-parse"] == {"command": "tosca-parse", "args": ["server"]}


def test_example_for_hooks(folder: Folder):
    told(program("pre-commit"), "validate-config", folder.write(".pre-commit-config.yaml", snippet("pre-commit")))
