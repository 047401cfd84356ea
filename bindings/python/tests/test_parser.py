"""The public interface of the package."""

import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tosca_parse import Diagnostic, Parser, ToscaError

VALID = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      name: { type: string }
service_template:
  inputs:
    who: { type: string, default: world }
  node_templates:
    db: { type: Server, properties: { name: { $concat: [ hello, ' ', { $get_input: who } ] } } }
"""

WRONG = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { derived_from: Sever }
  Client: { derived_frm: Server }
"""


@pytest.fixture
def parser() -> Parser:
    return Parser(offline=True)


def test_problems_are_found_with_their_places(parser: Parser) -> None:
    outcome = parser.parse_text(WRONG, "wrong.yaml")
    assert not outcome.is_valid and not outcome.has_service
    first, second = outcome.diagnostics
    assert str(first) == "wrong.yaml:3:27: error[T2001]: there is no node type `Sever`"
    assert first.is_error and first.severity == "error" and "Server" in first.help[0]
    assert (second.start.line, second.start.column, second.end.column) == (4, 13, 24)
    assert "derived_frm" in outcome.render()
    assert json.loads(outcome.diagnostics_json())["summary"]["errors"] == 2


def test_diagnostics_are_frozen_and_comparable(parser: Parser) -> None:
    one, other = (parser.parse_text(WRONG).diagnostics[0] for _ in range(2))
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    with pytest.raises(AttributeError):
        one.message = "other"  # type: ignore[misc]


def test_errors_can_be_raised(parser: Parser) -> None:
    parser.parse_text(VALID).raise_for_errors()
    with pytest.raises(ToscaError, match="no node type `Sever`") as caught:
        parser.parse_text(WRONG).raise_for_errors()
    assert all(isinstance(problem, Diagnostic) for problem in caught.value.diagnostics)
    assert len(caught.value.diagnostics) == 2


def test_the_model_is_made_of_dictionaries(parser: Parser) -> None:
    outcome = parser.parse_text(VALID)
    model = outcome.model()
    assert model["language"] == "TOSCA 2.0"
    assert model["nodes"]["db"]["types"][0]["name"] == "Server"
    assert json.loads(outcome.model_json()) == model
    assert "source" in outcome.model(positions=True)["nodes"]["db"]
    with pytest.raises(ValueError, match="no service"):
        parser.parse_text(WRONG).model()


def test_values_are_evaluated_with_inputs(parser: Parser) -> None:
    outcome = parser.parse_text(VALID)
    service = outcome.evaluate()["service"]
    assert service["nodes"]["db"]["properties"]["name"]["value"] == "hello world"
    given = outcome.evaluate({"who": "Python"})["service"]
    assert given["nodes"]["db"]["properties"]["name"]["value"] == "hello Python"
    assert outcome.evaluate({"what": 1})["problems"][0]["message"] == "there is no input `what`"
    assert not parser.parse_text(VALID, inputs={"who": [1]}).is_valid


def test_plans_differences_and_pictures(parser: Parser) -> None:
    old = parser.parse_text(VALID)
    new = parser.parse_text(VALID.replace("db:", "base:"))
    assert [step["node"] for stage in old.plan()["deployment"] for step in stage["steps"]] == ["db"]
    assert new.plan(old)["removal"]
    assert {change["at"] for change in new.diff(old)} >= {"/nodes/base", "/nodes/db"}
    assert old.graph().startswith("<svg ") and "db" in old.graph("mermaid")
    with pytest.raises(ValueError, match="no format `gif`"):
        old.graph("gif")  # type: ignore[arg-type]


def test_files_and_values(parser: Parser, tmp_path: Path) -> None:
    paths = []
    for number in range(20):
        path = tmp_path / f"{number}.yaml"
        path.write_text(WRONG if number % 3 == 0 else VALID)
        paths.append(path)
    outcomes = parser.parse_many(paths)
    assert [outcome.is_valid for outcome in outcomes] == [number % 3 != 0 for number in range(20)]
    assert parser.parse(paths[1]).is_valid and parser.resolve(str(paths[1])).is_valid
    value = {"tosca_definitions_version": "tosca_2_0", "node_types": {"A": {"derived_from": "B"}}}
    assert [problem.code for problem in parser.parse_value(value).diagnostics] == ["T2001"]


def test_sources_of_a_loader() -> None:
    asked = []

    def loader(address: str) -> str | None:
        asked.append(address)
        return "tosca_definitions_version: tosca_2_0\nnode_types: { A: {} }\n" if address.endswith("lib.yaml") else None

    text = "tosca_definitions_version: tosca_2_0\nimports: [ lib.yaml ]\nnode_types: { B: { derived_from: A } }\n"
    outcome = Parser(loader=loader, offline=True).parse_text(text)
    assert outcome.is_valid, outcome.render()
    assert sum(address.endswith("lib.yaml") for address in asked) == 1


def test_what_a_loader_raises_is_the_cause() -> None:
    def loader(address: str) -> bytes | None:
        if address.endswith("lib.yaml"):
            raise ConnectionError("the database is away")
        return None

    text = "tosca_definitions_version: tosca_2_0\nimports: [ lib.yaml ]\n"
    outcome = Parser(loader=loader, offline=True).parse_text(text)
    with pytest.raises(ToscaError, match="the database is away") as caught:
        outcome.raise_for_errors()
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_threads_share_a_parser(parser: Parser) -> None:
    expected = [str(problem) for problem in parser.parse_text(WRONG).diagnostics]
    found: list[list[str]] = []

    def work() -> None:
        for _ in range(50):
            found.append([str(problem) for problem in parser.parse_text(WRONG).diagnostics])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400 and all(problems == expected for problems in found)


def test_what_can_be_asked_for_is_checked() -> None:
    for wrong, message in [
        ({"quirks": ["etsi"]}, "no quirk `etsi`"),
        ({"deny": ["T9999"]}, "T9999"),
        ({"limits": {"size": 1}}, "no limit `size`"),
    ]:
        with pytest.raises(ValueError, match=message):
            Parser(**wrong)  # type: ignore[arg-type]
    assert not Parser(deny=["warnings"], limits={"bytes": 10}).parse_text(VALID).is_valid


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("is_warm", [False, True])
def test_small_templates_after_a_fork(is_warm: bool) -> None:
    # A forked child has no threads: there are none before the first parse, and small templates need none.
    parser = Parser(offline=True)
    text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: {} }\n"
    if is_warm:
        assert parser.parse_text(text).is_valid
    child = os.fork()
    if child == 0:
        os._exit(0 if parser.parse_text(text.replace("A", "B")).is_valid else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended == (child, 0)


def test_inputs_that_contain_themselves_or_are_deep_are_refused(parser: Parser) -> None:
    cyclic: dict[str, object] = {}
    cyclic["a"] = [1, cyclic]
    deep: list[object] = []
    for _ in range(20_000):
        deep = [deep]
    wide: list[object] = ["x"] * 100
    for _ in range(10):
        wide = [wide] * 100
    text = "tosca_definitions_version: tosca_2_0\n"
    refused: list[tuple[dict[str, object], str]] = [
        (cyclic, r'at \["a"\]\[1\]: it contains itself'),
        ({"d": deep}, "nested more than 200"),
        ({"w": wide}, "many values"),
    ]
    for inputs, place in refused:
        with pytest.raises(ValueError, match=place):
            parser.parse_text(text, inputs=inputs)
        with pytest.raises(ValueError, match=place):
            parser.parse_value(inputs)
    with pytest.raises(ValueError, match="a key is not a string"):
        parser.parse_value({"a": {1: 2}})
    # The same object twice is not a cycle.
    shared = {"b": [1, (2, 3)]}
    parser.parse_text(text, inputs={"a": shared, "b": shared, "c": {4}})
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: pytest.raises(ValueError, parser.parse_value, cyclic), range(8)):
            assert "contains itself" in str(found.value)


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_end_the_program_pass_through(ending: type[BaseException]) -> None:
    def loader(address: str) -> bytes | None:
        if address.endswith("x.yaml"):
            raise ending
        return None

    parser = Parser(loader=loader)
    text = "tosca_definitions_version: tosca_2_0\nimports: [ x.yaml ]\n"
    for _ in range(2):
        with pytest.raises(ending):
            parser.parse_text(text)
    # Other sources are read as before.
    assert parser.parse_text("tosca_definitions_version: tosca_2_0\n").is_valid


def test_too_many_threads_are_not_started() -> None:
    assert Parser(threads=10**6).parse_text("tosca_definitions_version: tosca_2_0\n").is_valid
