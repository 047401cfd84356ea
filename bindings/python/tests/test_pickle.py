"""Objects that are sent to other processes."""

import copy
import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from tosca_parse import Diagnostic, InvalidTemplateError, Outcome, Parser, SourceError, YamlError, murano, yaql, yay
from tosca_parse.errors import MuranoError, NoMatchingError, NoServiceError, YaqlError

VALID = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { properties: { name: { type: string } } }
service_template:
  inputs: { who: { type: string, default: world } }
  node_templates: { db: { type: Server, properties: { name: { $get_input: who } } } }
"""
WRONG = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server: { derived_from: Sever }
  Client: { derived_frm: Server }
"""


def loader(address: str) -> str | None:
    if address.endswith("lib.yaml"):
        raise ConnectionError("the database is away")
    return None


def work(text: str) -> Outcome:
    outcome = Parser(offline=True).parse_text(text)
    outcome.raise_for_errors()
    return outcome


def parse(arguments: tuple[Parser, str]) -> Outcome:
    parser, text = arguments
    return parser.parse_text(text)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_diagnostics_are_equal_after_pickling(protocol: int) -> None:
    for problem in Parser(offline=True).parse_text(WRONG).diagnostics:
        other = pickle.loads(pickle.dumps(problem, protocol))
        assert other == problem and hash(other) == hash(problem) and other.edits == problem.edits
        assert Diagnostic.from_dict(problem.to_dict()) == problem
        for part in (problem.start, *problem.edits, *problem.related):
            assert pickle.loads(pickle.dumps(part, protocol)) == part
        assert copy.copy(problem) == copy.deepcopy(problem) == problem


def test_edits_and_urls_are_those_of_the_command() -> None:
    first, second = Parser(offline=True).parse_text(WRONG).diagnostics
    assert first.url is not None and first.url.endswith("/rules/T2001.html")
    (edit,) = second.edits
    text = WRONG.encode()
    fixed = text[: edit.start.offset] + edit.text.encode() + text[edit.end.offset:]
    assert b"Client: { derived_from: Server }" in fixed and edit.safety in ("safe", "unsafe")
    assert second.to_dict()["edits"][0]["text"] == edit.text
    assert Parser(offline=True).parse_text(WRONG).to_dict()["summary"]["errors"] == 2


def test_outcomes_work_after_pickling() -> None:
    parser = Parser(offline=True)
    for text in (VALID, WRONG):
        outcome = parser.parse_text(text)
        other = pickle.loads(pickle.dumps(outcome))
        again = pickle.loads(pickle.dumps(other))
        for one in (other, again, copy.copy(outcome), copy.deepcopy(outcome)):
            assert one.diagnostics == outcome.diagnostics and one.is_valid == outcome.is_valid
            assert one.render() == outcome.render() and one.render(color=True) == outcome.render(color=True)
            assert one.to_dict() == outcome.to_dict() and one.diagnostics_json() == outcome.diagnostics_json()
            assert repr(one) == repr(outcome) and one.has_service == outcome.has_service
            if outcome.has_service:
                assert one.model() == outcome.model() and one.model(positions=True) == outcome.model(positions=True)
                assert one.plan() == outcome.plan() and one.graph() == outcome.graph()
                assert one.evaluate({"who": "x"}) == outcome.evaluate({"who": "x"}) and not one.diff(outcome)


def test_secrets_stay_hidden_after_pickling() -> None:
    reduced: Any = Parser(offline=True).parse_text(VALID).__reduce__()
    restore, (text, raised) = reduced
    record = json.loads(text)
    assert "world" in json.dumps(record["service"]) and record["masked_service"] is None
    record["masked_service"] = json.loads(json.dumps(record["service"]).replace("world", "*****"))
    outcome = restore(json.dumps(record), raised)
    for one in (outcome, pickle.loads(pickle.dumps(outcome))):
        assert "world" in one.model_json()
        shown = [one.graph(), one.graph("mermaid"), one.form(), json.dumps(one.form("json")), one._repr_html_()]
        assert "*****" in shown[2] and not any("world" in text for text in shown)
    # Secrets can be names, too.
    [name, *_] = outcome.model()["nodes"]
    assert name in outcome.graph("mermaid") and record["secrets"] == []
    record["secrets"] = [name]
    hidden = restore(json.dumps(record), raised)
    for one in (hidden, pickle.loads(pickle.dumps(hidden))):
        for diagram in (one.graph("mermaid"), one.graph("svg"), one._repr_html_()):
            assert name not in diagram and "*****" in diagram.replace("#42;", "*")


def test_causes_survive_pickling() -> None:
    text = "tosca_definitions_version: tosca_2_0\nimports: [ lib.yaml ]\n"
    outcome = Parser(loader=loader, offline=True).parse_text(text)
    with pytest.raises(SourceError) as caught:
        pickle.loads(pickle.dumps(outcome)).raise_for_errors()
    assert isinstance(caught.value.__cause__, ConnectionError)
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is SourceError and str(error) == str(caught.value)
    assert error.diagnostics == caught.value.diagnostics and isinstance(error.__cause__, ConnectionError)


def test_parsers_are_pickled_with_their_options() -> None:
    parser = pickle.loads(pickle.dumps(Parser(offline=True, deny=["warnings"], loader=loader, limits={"bytes": 10})))
    assert [problem.code for problem in parser.parse_text(VALID).diagnostics] == ["T1004"]
    assert copy.deepcopy(parser) is parser
    with pytest.raises(Exception, match="pickle|lambda"):
        pickle.dumps(Parser(loader=lambda address: None))


def test_processes_exchange_parsers_outcomes_and_errors() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as processes:
        assert processes.submit(work, VALID).result(60).model()["nodes"]["db"]
        with pytest.raises(InvalidTemplateError) as caught:
            processes.submit(work, WRONG).result(60)
        assert [problem.code for problem in caught.value.diagnostics] == ["T2001", "T1201"]
        outcome = processes.submit(parse, (Parser(strict=True), VALID)).result(60)
        assert outcome.is_valid


def test_exceptions_tell_their_kind() -> None:
    parser = Parser(offline=True)
    with pytest.raises(YamlError):
        parser.parse_text("a: [").raise_for_errors()
    with pytest.raises(SourceError):
        parser.parse("/does/not/exist.yaml").raise_for_errors()
    with pytest.raises(NoServiceError):
        parser.parse_text("tosca_definitions_version: tosca_2_0\n").model()
    failures: list[Exception] = []
    config = yay.Config()
    config.loads("a: 1\n")
    for fail in (
        lambda: config.b.as_int(),
        lambda: yaql.evaluate("1 +"),
        lambda: murano.Package.from_text("t", "Name: t.A\n", format="x"),
        lambda: murano.Classes(murano.Package.from_text("t", "Name: t.A\n")).schemas("t.B"),
    ):
        try:
            fail()
        except Exception as error:
            failures.append(error)
    kinds = [NoMatchingError, YaqlError, MuranoError]
    assert [type(error) for error in failures[:2] + failures[-1:]] == kinds
    for failure in failures:
        other = pickle.loads(pickle.dumps(failure))
        assert type(other) is type(failure) and other.__dict__ == failure.__dict__ and str(other) == str(failure)
