"""The command and the package agree on the files of the public test suites: on every sixteenth, or with the variable
`TOSCA_PARSE_CONFORMANCE` on all of them, which takes minutes."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
from tosca_parse import Parser, arrow  # noqa: E402

COMMAND = os.environ.get("TOSCA_PARSE")
SHARED = os.environ.get("TOSCA_PARSE_SHARED")

pytestmark = pytest.mark.skipif(
    COMMAND is None or SHARED is None, reason="there is no command, or no test material; set TOSCA_PARSE(_SHARED)"
)


@pytest.fixture(scope="module")
def files() -> list[str]:
    folder = Path(SHARED or "", "conformance")
    found = sorted(str(path) for path in folder.rglob("*") if path.suffix in (".yaml", ".yml"))
    assert len(found) > 1000
    return found if "TOSCA_PARSE_CONFORMANCE" in os.environ else found[::16]


def run(*arguments: str, folder: Path) -> None:
    assert COMMAND is not None
    command = [COMMAND, "--offline", "--no-config", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr


def test_problems_are_the_same(files: list[str], tmp_path: Path) -> None:
    run("--format", "parquet", "-o", "problems.parquet", *files, folder=tmp_path)
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in parquet.read_table(tmp_path / "problems.parquet").to_pylist():
        rows.setdefault(row["uri"], []).append(row)
    found: dict[str, list[dict[str, Any]]] = {}
    batch = pa.RecordBatch.from_pydict({"uri": files})
    for row in arrow.validate(batch, offline=True, directory=str(tmp_path)).to_pylist():
        found.setdefault(row["uri"], []).append(row)
    assert found.keys() == rows.keys()
    different = [uri for uri in files if found[uri] != rows[uri]]
    assert not different, (len(different), different[:5])


def test_models_are_the_same(files: list[str], tmp_path: Path) -> None:
    run("--emit", "jsonl", "-o", "models.jsonl", *files, folder=tmp_path)
    models = [json.loads(line) for line in (tmp_path / "models.jsonl").read_text().splitlines()]
    parser = Parser(offline=True, directory=tmp_path)
    expected = iter(models)
    count = 0
    for outcome in parser.parse_iter(files):
        if outcome.is_valid and outcome.has_service:
            count += 1
            assert outcome.model() == next(expected)
    assert count > 50 and next(expected, None) is None
