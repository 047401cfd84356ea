"""The command and the package agree on the files of the public test suites: on every sixteenth, or with the variable
`TOSCA_PARSE_CONFORMANCE` on all of them, which takes minutes."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
from tosca_parse import Parser, arrow, csar  # noqa: E402

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
    command = [COMMAND, "--offline", *arguments]
    # No user has a configuration.
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder / "nobody")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr


def compare_problems(files: list[str], folder: Path, arguments: Sequence[str] = (), **options: Any) -> list[str]:
    """Returns the codes of the problems, which are the same from the command and the package."""
    run("--format", "parquet", "-o", "problems.parquet", *arguments, *files, folder=folder)
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in parquet.read_table(folder / "problems.parquet").to_pylist():
        rows.setdefault(row["uri"], []).append(row)
    found: dict[str, list[dict[str, Any]]] = {}
    batch = pa.RecordBatch.from_pydict({"uri": files})
    for row in arrow.validate(batch, offline=True, directory=str(folder), **options).to_pylist():
        found.setdefault(row["uri"], []).append(row)
    assert found.keys() == rows.keys()
    different = [uri for uri in files if found[uri] != rows[uri]]
    assert not different, (len(different), different[:5])
    return [row["code"] for uri in files for row in rows[uri]]


def test_problems_are_the_same(files: list[str], tmp_path: Path) -> None:
    assert len(compare_problems(files, tmp_path)) >= len(files)


def test_problems_in_archives_are_the_same(tmp_path: Path) -> None:
    text = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: { derived_from: Sever } }\n"
    (tmp_path / "shop.csar").write_bytes(csar.create({"service.yaml": text}))
    (tmp_path / "shop.yaml").write_text(text)
    files = ["shop.csar", "shop.yaml"]
    assert compare_problems(files, tmp_path) == ["T2001", "T2001"]
    run("--format", "parquet", "-o", "problems.parquet", *files, folder=tmp_path)
    rows = parquet.read_table(tmp_path / "problems.parquet").to_pylist()
    assert [row["uri"] for row in rows] == files
    assert [row["file"] for row in rows] == ["shop.csar!/service.yaml", "shop.yaml"]


#: Configurations that together have every key that concerns templates.
CONFIGURATIONS: dict[str, str] = {
    "levels": """\
strict: true
rules: { warnings: deny, unknown-name: warn, lints: warn, unknown-keyname: allow }
custom_rules:
  no-node: { kind: node template, condition: false, message: "`{name}` is a node", level: warn }
""",
    "limits": "limits: { source-size: 3K, import-sources: 2, source-depth: 12, model-values: 10 }\n",
    "dialects": """\
quirks: [ etsinfv, onap ]
versions: { tosca_simple_profile_for_nfv_1_0: tosca_simple_yaml_1_3, acme_1_0: tosca_2_0 }
functions: [ acme, token ]
profile_paths: [ library ]
import_paths: [ library ]
map_url: { "http://example.com/": library }
""",
    "overrides": """\
inputs: { port: 1, cpus: 2 }
overrides:
- files: [ "*a*.yaml" ]
  rules: { T2001: allow }
  inputs: { cpus: 4 }
- files: [ "*e*.yaml" ]
  quirks: [ etsinfv ]
  rules: { T2001: warn, lints: deny }
""",
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
@pytest.mark.parametrize("place", ["user", "project", "sandboxed project"])
def test_problems_are_the_same_with_a_configuration(files: list[str], tmp_path: Path, name: str, place: str) -> None:
    (tmp_path / "library").mkdir()
    for file in files[:200]:
        (tmp_path / "library" / Path(file).name).write_bytes(Path(file).read_bytes())
    conformance = Path(SHARED or "", "conformance")
    (tmp_path / "files").symlink_to(conformance)
    files = [str(Path("files", Path(file).relative_to(conformance))) for file in files[::6]]
    plain = compare_problems(files, tmp_path, ["--no-config"], config=False)
    configuration = tmp_path / ("user.yaml" if place == "user" else "tosca-parse.yaml")
    configuration.write_text(CONFIGURATIONS[name])
    if place == "user":
        configured = compare_problems(files, tmp_path, ["--config", "user.yaml"], config=str(configuration))
    elif place == "project":
        configured = compare_problems(files, tmp_path)
    else:
        configured = compare_problems(files, tmp_path, ["--sandbox"], config=True, sandbox=True)
    assert configured != plain


def test_models_are_the_same(files: list[str], tmp_path: Path) -> None:
    run("--no-config", "--emit", "jsonl", "-o", "models.jsonl", *files, folder=tmp_path)
    models = [json.loads(line) for line in (tmp_path / "models.jsonl").read_text().splitlines()]
    parser = Parser(offline=True, directory=tmp_path)
    expected = iter(models)
    count = 0
    for outcome in parser.parse_iter(files):
        if outcome.is_valid and outcome.has_service:
            count += 1
            assert outcome.model() == next(expected)
    assert count > 50 and next(expected, None) is None
