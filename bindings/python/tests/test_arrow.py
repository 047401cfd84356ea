"""Validation of record batches."""

import multiprocessing
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

from test_package import check_results  # noqa: E402

from tosca_parse import ConfigError, Parser, arrow  # noqa: E402

VALID = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n"
WRONG = "tosca_definitions_version: tosca_2_0\nnode_types:\n  Server: {}\n  Client: { derived_from: Sever }\n  Other: { derived_frm: Server }\n"


def batch(rows: list[dict[str, Any]]) -> Any:
    return pa.RecordBatch.from_pylist(rows)


def test_each_problem_is_a_row() -> None:
    found = arrow.validate(batch([{"uri": "mem/wrong.yaml", "text": WRONG}]), offline=True)
    assert found.schema == arrow.SCHEMA
    expected = Parser(offline=True).parse_text(WRONG, "mem/wrong.yaml").diagnostics
    rows = found.to_pylist()
    assert len(rows) == len(expected) == 2
    for row, problem in zip(rows, expected):
        assert (row["uri"], row["valid"], row["file"]) == ("mem/wrong.yaml", False, "mem/wrong.yaml")
        for name in ("code", "name", "url", "severity", "message", "file", "help"):
            assert row[name] == getattr(problem, name), name
        for place in ("start", "end"):
            for part in ("line", "column", "offset"):
                assert row[f"{place}_{part}"] == getattr(getattr(problem, place), part), (place, part)
        assert [place["message"] for place in row["related"]] == [place.message for place in problem.related]
        assert [(edit["start_offset"], edit["text"], edit["safety"]) for edit in row["edits"]] == [
            (edit.start.offset, edit.text, edit.safety) for edit in problem.edits
        ]
    assert any(row["edits"] for row in rows) and any(row["help"] for row in rows)


def test_a_template_without_problems_has_one_row() -> None:
    (row,) = arrow.validate(batch([{"uri": "a.yaml", "text": VALID}])).to_pylist()
    assert row.pop("uri") == "a.yaml" and row.pop("valid") is True
    assert set(row.values()) == {None}


def test_problems_can_be_grouped() -> None:
    strict = batch([{"uri": "1", "text": WRONG}, {"uri": "2", "text": VALID}, {"uri": "3", "text": WRONG}])
    counts = pa.table(arrow.validate(strict)).group_by("uri").aggregate([("code", "count"), ("valid", "all")])
    assert counts.to_pylist() == [
        {"uri": "1", "code_count": 2, "valid_all": False},
        {"uri": "2", "code_count": 0, "valid_all": True},
        {"uri": "3", "code_count": 2, "valid_all": False},
    ]


def test_missing_texts_are_read(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(VALID)
    (tmp_path / "right.yaml").write_text("tosca_definitions_version: tosca_2_0\nimports: [ types.yaml ]\n")
    missing, right, remote = str(tmp_path / "missing.yaml"), str(tmp_path / "right.yaml"), "s3://catalog/a.yaml"
    text = "tosca_definitions_version: tosca_2_0\nimports: [ lost.yaml ]\n"
    rows = arrow.validate(batch([
        {"uri": right, "text": None}, {"uri": missing, "text": None}, {"uri": "https://u:pw@[/a", "text": VALID},
        {"uri": "", "text": VALID}, {"uri": str(tmp_path / "other.yaml"), "text": text}, {"uri": remote, "text": VALID},
        {"uri": remote, "text": None},
    ])).to_pylist()
    found = [(row["uri"], row["valid"], row["code"]) for row in rows]
    assert found[:2] == [(right, True, None), (missing, False, "T1001")]
    assert found[2:4] == [("https://u:pw@[/a", False, "T1002"), ("", False, "T1002")]
    assert "pw" not in rows[2]["message"] + rows[2]["file"]
    assert found[4][1:] == (False, "T1001") and "lost.yaml" in rows[4]["message"]
    assert found[5][1:] == (True, None) and not found[6][1]
    only = arrow.validate(pa.RecordBatch.from_pydict({"uri": [right]}))
    assert only.column("valid").to_pylist() == [True]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view()])
def test_texts_have_any_type_for_text(kind: Any) -> None:
    texts = pa.array([VALID, None, WRONG]).cast(kind)
    uris = pa.array(["a.yaml", "missing.yaml", "b.yaml"]).dictionary_encode()
    found = arrow.validate(pa.RecordBatch.from_arrays([uris, texts], ["uri", "text"]))
    assert found.column("uri").to_pylist() == ["a.yaml", "missing.yaml", "b.yaml", "b.yaml"]


def test_bytes_that_are_not_text_are_a_problem() -> None:
    (row,) = arrow.validate(batch([{"uri": "a.yaml", "text": b"a: \xff\xfe\x00"}])).to_pylist()
    assert (row["valid"], row["name"]) == (False, "invalid-encoding")


@pytest.mark.parametrize("rows, message", [
    ([{"path": "a.yaml"}], "no column `uri`"),
    ([{"uri": "a.yaml"}, {"uri": None}], "row 1 has no `uri`"),
    ([{"uri": 1}], "must contain strings, not values of type `int64`"),
    ([{"uri": b"a.yaml"}], "must contain strings, not"),
    ([{"uri": "a.yaml", "text": 1}], "`text` must contain strings or bytes"),
])
def test_wrong_columns_are_an_error(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        arrow.validate(batch(rows))


def test_empty_batches_have_the_schema() -> None:
    empty = pa.RecordBatch.from_pydict({"uri": pa.array([], pa.string())})
    found = arrow.validate(empty)
    assert found.num_rows == 0 and found.schema == arrow.SCHEMA


def test_results_of_large_batches_are_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_TEMPLATES", 4)
    rows = [{"uri": f"{number}.yaml", "text": WRONG if number % 2 else VALID} for number in range(10)]
    parts = list(arrow.validate_iter([batch(rows), batch(rows[:1])]))
    assert [part.column("uri")[0].as_py() for part in parts] == ["0.yaml", "4.yaml", "8.yaml", "0.yaml"]
    whole = arrow.validate(batch(rows))
    assert whole.num_rows == 5 * 3 and whole == pa.concat_batches(parts[:3])


def test_batches_are_taken_as_needed() -> None:
    taken = []

    def batches() -> Any:
        for number in range(3):
            taken.append(number)
            yield batch([{"uri": "a.yaml", "text": VALID}])

    found = arrow.validate_iter(batches())
    assert taken == [] and next(found).num_rows == 1 and taken == [0]


def test_options_are_those_of_a_parser() -> None:
    doubtful = batch([{"uri": "a.yaml", "text": WRONG}])
    assert {row["code"] for row in arrow.validate(doubtful, allow=["unknown-name"]).to_pylist()} == {"T1201"}
    with pytest.raises(ConfigError, match="no limit `problem`"):
        arrow.validate(doubtful, limits={"problem": 1})
    with pytest.raises(TypeError, match="no option `alow`"):
        arrow.validate(doubtful, alow=[])


def test_equal_options_share_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []

    def parser(**options: Any) -> Parser:
        made.append(options)
        return Parser(**options)

    monkeypatch.setattr(arrow, "Parser", parser)
    arrow._parser.cache_clear()
    one = batch([{"uri": "a.yaml", "text": VALID}])
    for _ in range(3):
        arrow.validate(one, profile_paths=[Path("profiles")], limits={"depth": 50, "problems": 10})
        arrow.validate(one, limits={"problems": 10, "depth": 50}, profile_paths=("profiles",))
    assert len(made) == 1
    arrow.validate(one, limits={"problems": 11})
    assert len(made) == 2
    arrow._parser.cache_clear()


def test_other_threads_run_while_templates_are_parsed() -> None:
    many = batch([{"uri": f"{number}.yaml", "text": VALID + "\n" * number} for number in range(100)])
    arrow.validate(many, threads=1)
    turns, done = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.0001)

    interval = sys.getswitchinterval()
    # A thread that waits for the lock gets it only if the parser releases it.
    sys.setswitchinterval(60)
    try:
        thread = threading.Thread(target=count)
        thread.start()
        during = 0
        for _ in range(10):
            before = turns
            arrow.validate(many, threads=1)
            during = max(during, turns - before)
            if during > 1:
                break
    finally:
        done.set()
        sys.setswitchinterval(interval)
    thread.join()
    assert during > 1


def _valid_in_fork(queue: Any) -> None:
    queue.put(arrow.validate(batch([{"uri": "a.yaml", "text": VALID}] * 50)).column("valid").to_pylist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be forked here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_validate_too() -> None:
    arrow.validate(batch([{"uri": "a.yaml", "text": VALID}] * 50))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_valid_in_fork, args=(queue,))
    process.start()
    try:
        assert queue.get(timeout=30) == [True] * 50
    finally:
        process.terminate()
        process.join()


@pytest.mark.skipif("TOSCA_PARSE" not in os.environ, reason="TOSCA_PARSE is not set to the path of the command")
def test_the_command_writes_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    imports = "tosca_definitions_version: tosca_2_0\nimports: [ wrong.yaml ]\nnode_types: { Server: {} }\n"
    files = {"imports.yaml": imports, "valid.yaml": VALID, "wrong.yaml": WRONG}
    (tmp_path / "templates").mkdir()
    for name, text in files.items():
        (tmp_path / "templates" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    command = [os.environ["TOSCA_PARSE"], "templates", "--no-config", "--format", "parquet", "-o", "problems.parquet"]
    assert subprocess.run(command).returncode == 1
    found = parquet.read_table("problems.parquet")
    assert found.schema == arrow.SCHEMA
    expected = arrow.validate(batch([{"uri": f"templates/{name}"} for name in files])).to_pylist()
    assert found.to_pylist() == expected
    assert any(row["related"] for row in expected) and any(row["edits"] for row in expected)
    assert len({row["uri"] for row in expected}) == 3 and None in [row["code"] for row in expected]


def test_results_in_the_documentation_are_right() -> None:
    text = (Path(__file__).parents[3] / "docs" / "cluster.md").read_text()
    block = re.search(r"```python\n(import.*?)```", text, re.S)
    assert block is not None and check_results(block[1]) == 3
    columns = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `")))
    assert columns == arrow.SCHEMA.names


def test_the_extra_is_named_if_pyarrow_is_missing() -> None:
    code = "import sys; sys.modules['pyarrow'] = None; import tosca_parse; import tosca_parse.arrow"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and "tosca-parse[arrow]" in run.stderr
