"""Checks that the shipped types, examples and README fit together."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import tosca_parse

ROOT = Path(__file__).parent.parent


def test_types_are_those_of_the_schemas(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "make_model.py", tmp_path], check=True, capture_output=True)
    for made in sorted(tmp_path.iterdir()):
        assert made.read_text() == (ROOT / "tosca_parse" / made.name).read_text(), "run python make_model.py"
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.parametrize("schema", ["model", "plan", "differences", "problems"])
def test_schemas_name_their_parts(schema: str, tmp_path: Path) -> None:
    """Tools that generate classes from schemas number the unnamed ones."""
    made = tmp_path / "made.py"
    source = ROOT.parents[1] / "docs" / f"{schema}.schema.json"
    subprocess.run([sys.executable, "-m", "datamodel_code_generator", "--input", source, "--output", made,
                    "--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel",
                    "--formatters", "builtin"], check=True, capture_output=True)
    names = re.findall(r"^class (\w+)", made.read_text(), re.M)
    assert names and not [name for name in names if re.search(r"\d$|^Model|^Field", name)], names


def test_types_are_right() -> None:
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "tests", "examples", "tosca_parse",
                          "../../examples/orchestrator"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_the_orchestrator_deploys_its_example() -> None:
    run = subprocess.run([sys.executable, ROOT / "examples" / "orchestrator.py"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "server:",
        "  standard.create()",
        "shop:",
        "  standard.create()",
        "  standard.configure(port=8080)",
    ]


def test_version_is_that_of_the_package() -> None:
    assert tosca_parse.__version__ == version("tosca-parse")


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert code is not None
    run = subprocess.run([sys.executable, "-c", code[1]], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "there is no node type `Sever`" in run.stdout


def check_results(block: str) -> int:
    """Compares the results in the comments of a block of code, and returns their number."""
    names: dict[str, object] = {}
    code = ""
    checked = 0
    for line in block.splitlines(keepends=True):
        expression, mark, result = line.rstrip().partition("  # ")
        if not mark:
            code += line
            continue
        exec(code, names)
        code = ""
        found = eval(expression, names)
        assert result in (repr(found), str(found)), expression
        checked += 1
    exec(code, names)
    return checked


def test_results_in_the_page_about_embedding_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT.parents[1])
    blocks = re.findall(r"```python\n(.*?)```", Path("docs/embedding.md").read_text(), re.S)
    assert [check_results(block) for block in blocks] == [2, 3]


def test_results_in_the_readme_are_right() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert sum(check_results(block) for block in blocks[1:]) == 6
