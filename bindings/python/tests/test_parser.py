"""The public interface of the package."""

import asyncio
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

from tosca_parse import (
    ConfigError, Diagnostic, InvalidInputError, InvalidTemplateError, NoServiceError, Parser, ToscaError, YamlError,
    format_text,
)

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
    with pytest.raises(InvalidTemplateError, match="no node type `Sever`") as caught:
        parser.parse_text(WRONG).raise_for_errors()
    assert all(isinstance(problem, Diagnostic) for problem in caught.value.diagnostics)
    assert len(caught.value.diagnostics) == 2


def test_a_service_is_a_clout(parser: Parser) -> None:
    clout = parser.parse_text(VALID).clout()
    assert clout["version"] == "1.0"
    assert "db" in [vertex["properties"]["name"] for vertex in clout["vertexes"].values()]
    with pytest.raises(ValueError, match="no service"):
        parser.parse_text(WRONG).clout()


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


@pytest.mark.parametrize("inputs", [{"what": 1}, {"who": [1]}, {"who": "no"}, {"port": 0}, {"port": "80"}])
def test_evaluate_refuses_what_parse_refuses(parser: Parser, inputs: dict[str, Any]) -> None:
    text = """\
tosca_definitions_version: tosca_2_0
service_template:
  inputs:
    who: { type: string, default: world, validation: { $greater_than: [ { $length: [ $value ] }, 2 ] } }
    port: { type: integer, default: 80, validation: { $greater_than: [ $value, 0 ] } }
  node_templates: {}
"""
    outcome = parser.parse_text(text)
    assert outcome.is_valid and not parser.parse_text(text, inputs=inputs).is_valid
    for refuse in (outcome.evaluate, lambda inputs: outcome.plan(inputs=inputs)):
        with pytest.raises(InvalidInputError) as caught:
            refuse(inputs)
        assert caught.value.diagnostics and all(problem.file == "inputs" for problem in caught.value.diagnostics)
    assert outcome.evaluate({"who": "you", "port": 1})["service"]["inputs"]["port"]["value"] == 1


def test_many_templates_are_parsed_in_batches(parser: Parser, tmp_path: Path) -> None:
    read = []

    def paths() -> Iterator[Path]:
        for number in range(400):
            path = tmp_path / f"{number}.yaml"
            path.write_text(WRONG if number % 3 == 0 else VALID)
            read.append(path)
            yield path

    outcomes = parser.parse_iter(paths())
    assert not next(outcomes).is_valid and 0 < len(read) < 400
    assert [outcome.is_valid for outcome in outcomes] == [number % 3 != 0 for number in range(1, 400)]
    two = read[1:3]
    values = [outcome.evaluate()["service"]["inputs"]["who"]["value"]
              for outcome in parser.parse_many(two, inputs=[{"who": "a"}, None])]
    assert values == ["a", "world"]
    assert all(not outcome.is_valid for outcome in parser.parse_many(two, inputs={"who": 1}))
    with pytest.raises(ValueError, match="inputs for 3 templates, but 2 paths"):
        parser.parse_many(two, inputs=[{}, {}, {}])
    # More than one batch.
    valid = [path for number, path in enumerate(read) if number % 3 != 0]
    given = ({"who": str(number)} for number in range(len(valid)))
    values = [outcome.evaluate()["service"]["inputs"]["who"]["value"] for outcome in parser.parse_iter(valid, inputs=given)]
    assert values == [str(number) for number in range(len(valid))]
    assert all(not outcome.is_valid for outcome in parser.parse_iter(two, inputs={"who": 1}))
    with pytest.raises(ConfigError, match="fewer inputs than paths"):
        list(parser.parse_iter(two, inputs=iter([{}])))


def test_parses_are_awaited(parser: Parser, tmp_path: Path) -> None:
    path = tmp_path / "service.yaml"
    path.write_text(VALID)

    async def work() -> list[bool]:
        outcomes = await asyncio.gather(parser.aparse(path), parser.aparse_text(WRONG),
                                        parser.aparse(path, inputs={"who": 1}))
        return [outcome.is_valid for outcome in outcomes]

    assert asyncio.run(work()) == [True, False, False]


def test_inputs_have_forms(parser: Parser) -> None:
    outcome = parser.parse_text(VALID)
    assert "<form" in outcome.form() and outcome.form("json")["properties"]["who"]["default"] == "world"
    with pytest.raises(ValueError, match="no format `xml`"):
        outcome.form("xml")  # type: ignore[call-overload]


def test_texts_are_fixed_formatted_and_migrated(parser: Parser) -> None:
    wrong = "tosca_definitions_version: tosca_2_0\nnode_types:\n  Server: {}\n  Client: { derived_frm: Sever }\n"
    right = wrong.replace("frm", "from").replace("Sever", "Server")
    assert parser.fix_text(wrong, with_unsafe=True) == right and parser.fix_text(right) == right
    assert parser.fix_text(wrong) == wrong.replace("frm", "from"), "names may be intended"
    text = "tosca_definitions_version:   tosca_2_0\nnode_types:\n     A: {}\n"
    assert format_text(text) == "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: {}\n"
    with pytest.raises(YamlError):
        format_text("a: [")
    with pytest.raises(ValueError, match="style of quotes `none`"):
        format_text("a: 1\n", quotes="none")  # type: ignore[arg-type]
    old = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    server: { type: tosca.nodes.Compute }
"""
    migrated, problems = parser.migrate_text(old)
    assert "tosca_2_0" in migrated and problems == [] and parser.parse_text(migrated).is_valid
    with pytest.raises(InvalidTemplateError):
        parser.migrate_text(WRONG)
    with pytest.raises(ValueError, match="version `3.0`"):
        parser.migrate_text(old, to="3.0")


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


@pytest.mark.parametrize(("wrong", "message"), [
    ({"profile_paths": "/x"}, "`profile_paths` must be a list, not a value of type `str`"),
    ({"quirks": [1]}, "`quirks` must be a list of strings, not a value of type `int`"),
    ({"strict": "yes"}, "`strict` must be a boolean, not a value of type `str`"),
    ({"threads": -1}, "`threads` must be a positive integer, not a value of type `int`"),
    ({"limits": {"bytes": "many"}}, "`bytes` must be a positive integer, not a value of type `str`"),
])
def test_wrong_options_are_named_in_words_of_python(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Parser(**wrong)
    assert str(caught.value) == message and isinstance(caught.value, ValueError)


def test_unknown_options_are_type_errors() -> None:
    with pytest.raises(TypeError, match="no option `quirk`"):
        Parser(quirk=["etsinfv"])  # type: ignore[call-arg]


def test_attributes_are_given_after_deployment(parser: Parser) -> None:
    text = """\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    attributes: { address: { type: string } }
service_template:
  node_templates: { db: { type: Server } }
  outputs: { at: { value: { $concat: [ 'http://', { $get_attribute: [ db, address ] } ] } } }
"""
    outcome = parser.parse_text(text)
    evaluated = outcome.evaluate(attributes={"db": {"address": "10.0.0.1"}})
    assert evaluated["service"]["outputs"]["at"]["value"] == "http://10.0.0.1" and not evaluated["problems"]
    assert outcome.evaluate(attributes={"db": {"address": 1}})["problems"]
    assert outcome.evaluate(attributes={"web": {"address": "x"}})["problems"]


def test_plans_contain_given_attributes(parser: Parser) -> None:
    text = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Server: { derived_from: tosca.nodes.Root, attributes: { address: { type: string } } }
topology_template:
  node_templates:
    db: { type: Server }
    web:
      type: Server
      interfaces:
        Standard: { start: { implementation: a.sh, inputs: { at: { get_attribute: [ db, address ] } } } }
"""
    outcome = parser.parse_text(text)

    def start(*, attributes: dict[str, dict[str, str]] | None) -> str:
        plan = outcome.plan(attributes=attributes)
        return str([step for stage in plan["deployment"] for step in stage["steps"] if step["node"] == "web"])

    assert "10.0.0.1" in start(attributes={"db": {"address": "10.0.0.1"}})
    assert "10.0.0.1" not in start(attributes=None)


def test_notebooks_show_problems_and_diagram(parser: Parser) -> None:
    assert "<svg " in parser.parse_text(VALID)._repr_html_()
    page = parser.parse_text(WRONG)._repr_html_()
    assert "no node type" in page and "<svg" not in page


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
        ({"s": ["x" * 1_000_000] * 1000}, "many values"),
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


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit])
def test_exceptions_of_inputs_pass_through_or_are_causes(ending: type[BaseException]) -> None:
    class Failing(dict[str, object]):
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def items(self) -> NoReturn:
            raise self.error

    parser = Parser()
    with pytest.raises(ending):
        parser.parse_value({"a": Failing(ending())})
    cause = LookupError("lost")
    with pytest.raises(ValueError, match=r'at \["a"\]: LookupError: lost') as caught:
        parser.parse_value({"a": Failing(cause)})
    assert caught.value.__cause__ is cause


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


EXIT = """
import asyncio, sys, threading, time
from tosca_parse import Parser

running = threading.Event()

def polls(address):
    if address.endswith("a.yaml"):
        running.set()
        while True:
            time.sleep(0.0001)

async def waits(address):
    if address.endswith("a.yaml"):
        running.set()
        while True:
            await asyncio.sleep(0.0001)

text = "tosca_definitions_version: tosca_2_0\\nimports: [ a.yaml, b.yaml ]\\n"
parser = Parser(loader=LOADER, offline=True)
threading.Thread(target=lambda: parser.parse_text(text), daemon=True).start()
running.wait()
sys.exit(3)
"""


@pytest.mark.parametrize("loader", ["polls", "waits"])
def test_programs_exit_while_a_loader_runs(loader: str) -> None:
    for _ in range(4):
        run = subprocess.run([sys.executable, "-c", EXIT.replace("LOADER", loader)], capture_output=True, timeout=60)
        assert (run.returncode, run.stderr) == (3, b"")


def test_asynchronous_loaders() -> None:
    class Loader:
        schemes = ("box",)
        running, most = 0, 0

        async def __call__(self, address: str, limit: int = 0) -> str | None:
            if not address.endswith("lib.yaml"):
                return None
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.05)
            self.running -= 1
            if "missing" in address:
                raise ConnectionError("the database is away")
            return LIBRARY

        async def exists(self, address: str) -> bool:
            return True

    loader = Loader()
    imports = ", ".join(f"'box://a/{number}/lib.yaml'" for number in range(8))
    text = f"{LIBRARY}imports: [ {imports} ]\n"
    parser = Parser(loader=loader, offline=True)
    assert parser.parse_text(text).is_valid and loader.most > 1
    assert asyncio.run(Parser(loader=loader.__call__, offline=True).aparse_text(text)).is_valid
    wrong = parser.parse_text(text.replace("a/3", "missing"))
    with pytest.raises(ToscaError, match="the database is away") as caught:
        wrong.raise_for_errors()
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_loaders_call_parsers() -> None:
    inner = Parser(loader=lambda address: LIBRARY if address.endswith("inner.yaml") else None, offline=True)

    def loader(address: str) -> str | None:
        if not address.endswith("lib.yaml"):
            return None
        return LIBRARY if inner.parse_text(LIBRARY + "imports: [ inner.yaml ]\n").is_valid else None

    text = "tosca_definitions_version: tosca_2_0\nimports: [ lib.yaml, b/lib.yaml ]\n"
    assert Parser(loader=loader, offline=True).parse_text(text).is_valid


LIBRARY = "tosca_definitions_version: tosca_2_0\n"


def test_too_many_threads_are_not_started() -> None:
    assert Parser(threads=10**6).parse_text("tosca_definitions_version: tosca_2_0\n").is_valid


PROFILE = """\
tosca_definitions_version: tosca_2_0
profile: org.example.shop:1.0
data_types:
  Address: { properties: { host: { type: string, description: A name in the DNS } } }
capability_types:
  Endpoint: {}
relationship_types:
  ConnectsTo: {}
node_types:
  Component:
    description: A component
    properties: { name: { type: string, required: false } }
    attributes: { state: { type: string } }
    requirements:
      - database: { capability: Endpoint, node: Database, relationship: ConnectsTo, count_range: [ 1, 2 ] }
  Database: { capabilities: { sql: { type: Endpoint } } }
  Server: { derived_from: Component, properties: { at: { type: Address } } }
  WebServer: { derived_from: Server }
"""


def test_types_of_profiles_are_data(parser: Parser) -> None:
    outcome = parser.parse_text(PROFILE, "profile.yaml")
    assert outcome.is_valid, outcome.render()
    for one in (outcome, pickle.loads(pickle.dumps(outcome))):
        own = {ty["name"]: ty for ty in one.types() if ty["file"] == "profile.yaml"}
        server = own["WebServer"]
        assert server["kind"] == "node type" and server["ancestors"] == ["Server", "Component"]
        assert own["Component"]["description"] == "A component"
        assert [(value["name"], value["type"], value["required"]) for value in server["properties"]] == [
            ("name", "string", False), ("at", "Address", True),
        ]
        (requirement,) = server["requirements"]
        assert (requirement["capability"], requirement["node"], requirement["relationship"]) == (
            "Endpoint", "Database", "ConnectsTo",
        )
        assert (requirement["lower"], requirement["upper"]) == (1, 2)
        assert [value["name"] for value in server["attributes"]] == ["state"]
        assert [(one["name"], one["type"]) for one in own["Database"]["capabilities"]] == [("sql", "Endpoint")]
        assert own["Address"]["properties"][0]["description"] == "A name in the DNS"
        assert one.types_derived_from("Component") == ["Server", "WebServer"]
        assert one.is_derived_from("WebServer", "Component") and not one.is_derived_from("Component", "Component")
        assert not one.is_derived_from("Database", "Component") and not one.is_derived_from("Unknown", "Component")


KINDS = """
tosca_definitions_version: tosca_2_0
metadata: { template_name: kinds }
capability_types:
  Endpoint:
    version: 1.2.0
    metadata: { owner: net, ports: [ 80, 443 ] }
    valid_source_node_types: [ Server ]
    valid_relationship_types: [ Connects ]
    properties: { port: { type: Port, default: 80 } }
relationship_types:
  Connects:
    valid_capability_types: [ Endpoint ]
    valid_target_node_types: [ Server ]
    valid_source_node_types: [ Client ]
    interfaces: { setup: { type: Setup, operations: { connect: { implementation: connect.sh } } } }
  ConnectsLocally: { derived_from: Connects }
interface_types:
  Setup:
    inputs: { retries: { type: nil, default: null } }
    operations: { connect: { description: Connects, inputs: { host: { type: string } } } }
    notifications: { lost: { description: Lost } }
data_types:
  Port: { derived_from: integer, validation: { $greater_than: [ $value, 0 ] } }
  Ports: { derived_from: list, entry_schema: { type: Port } }
artifact_types:
  Script: { mime_type: application/x-sh, file_ext: [ sh, bash ] }
  Bash: { derived_from: Script }
node_types:
  Server:
    capabilities: { endpoint: { type: Endpoint } }
    artifacts: { run: { type: Script, file: run.sh } }
    properties:
      ports: { type: map, key_schema: { type: string }, entry_schema: { type: Ports }, metadata: { unit: none } }
      kind: { type: string, value: server }
  Client: {}
group_types: { Pool: { members: [ Server ] } }
policy_types:
  Scaling:
    targets: [ Server, Pool ]
    triggers: { busy: { event: load, action: [ { set_state: started } ] } }
"""


def test_types_of_all_kinds_are_data(parser: Parser) -> None:
    outcome = parser.parse_text(KINDS, "kinds.yaml")
    assert outcome.is_valid, outcome.render()
    for one in (outcome, pickle.loads(pickle.dumps(outcome))):
        own = {ty["name"]: ty for ty in one.types() if ty["file"] == "kinds.yaml"}
        endpoint, connects, setup, script = own["Endpoint"], own["Connects"], own["Setup"], own["Script"]
        assert endpoint["version"] == "1.2.0" and endpoint["metadata"] == {"owner": "net", "ports": [80, 443]}
        assert (endpoint["valid_source_node_types"], endpoint["valid_relationship_types"]) == (["Server"], ["Connects"])
        assert [(value["type"], value["default"]) for value in endpoint["properties"]] == [("Port", 80)]
        assert connects["valid_capability_types"] == own["ConnectsLocally"]["valid_capability_types"] == ["Endpoint"]
        assert (connects["valid_target_node_types"], connects["valid_source_node_types"]) == (["Server"], ["Client"])
        (interface,) = connects["interfaces"]
        assert (interface["type"], interface["inputs"][0]["name"]) == ("Setup", "retries")
        (connect,) = interface["operations"]
        assert (connect["implementation"], connect["inputs"][0]["type"]) == ("connect.sh", "string")
        assert [one["name"] for one in interface["notifications"]] == ["lost"]
        assert setup["operations"][0]["description"] == "Connects" and setup["operations"][0]["implementation"] is None
        retries = setup["inputs"][0]
        assert retries["default"] is None and "default" not in connect["inputs"][0]
        assert own["Port"]["schema"]["validation"] == [{"$greater_than": ["$value", 0]}]
        assert own["Ports"]["schema"]["entry_schema"]["type"] == "Port" and "schema" not in endpoint
        assert (script["mime_type"], script["file_ext"]) == ("application/x-sh", ["sh", "bash"])
        assert own["Bash"]["mime_type"] == "application/x-sh" and own["Bash"]["ancestors"] == ["Script"]
        server = own["Server"]
        assert [(one["name"], one["type"], one["file"]) for one in server["artifacts"]] == [("run", "Script", "run.sh")]
        assert server["capabilities"][0]["properties"][0]["name"] == "port"
        ports, kind = server["properties"]
        assert ports["key_schema"]["type"] == "string" and ports["entry_schema"]["type"] == "Ports"
        assert ports["metadata"] == {"unit": "none"} and "value" not in ports and kind["value"] == "server"
        assert own["Pool"]["members"] == ["Server"] and own["Scaling"]["targets"] == ["Server", "Pool"]
        assert [(one["name"], one["event"]) for one in own["Scaling"]["triggers"]] == [("busy", "load")]


def test_types_of_long_chains_are_incomplete(parser: Parser) -> None:
    chain = [f"  T{i}: {{ derived_from: T{i - 1}, properties: {{ p{i}: {{ type: string }} }} }}\n" for i in range(1, 900)]
    outcome = parser.parse_text("tosca_definitions_version: tosca_2_0\nnode_types:\n  T0: {}\n" + "".join(chain), "chain.yaml")
    for one in (outcome, pickle.loads(pickle.dumps(outcome))):
        types = {ty["name"]: ty for ty in one.types()}
        assert "incomplete" not in types["T10"] and len(types["T10"]["properties"]) == 10
        last = types["T899"]
        assert last["incomplete"] and last["ancestors"] == ["T898"] and last["properties"] == []
        assert one.is_derived_from("T899", "T0") and len(one.types_derived_from("T0")) == 899


def test_normative_types_are_data(parser: Parser) -> None:
    outcome = parser.parse_text("tosca_definitions_version: tosca_simple_yaml_1_3\n")
    assert outcome.is_derived_from("tosca.nodes.WebServer", "tosca.nodes.Root")
    assert "tosca.nodes.DBMS" in outcome.types_derived_from("tosca.nodes.SoftwareComponent")
    types = {ty["name"]: ty for ty in outcome.types()}
    assert types["tosca.relationships.HostedOn"]["valid_capability_types"] == ["tosca.capabilities.Container"]
    assert types["tosca.artifacts.Implementation.Bash"]["file_ext"] == ["sh"]
    assert types["tosca.nodes.Compute"]["interfaces"][0]["operations"][0]["name"] == "create"
    (port,) = [value for value in types["tosca.capabilities.Endpoint"]["properties"] if value["name"] == "protocol"]
    assert port["default"] == "tcp"
    assert types["tosca.datatypes.network.PortDef"]["schema"]["validation"] == [{"in_range": [1, 65535]}]


def test_other_languages(tmp_path: Path) -> None:
    (tmp_path / "live.yaml").write_text("parameters: { size: 0 }\n")
    heat = (
        "heat_template_version: 2013-05-23\n"
        "parameters: { size: { type: number, constraints: [ { range: { min: 1 } } ] } }\n"
        "resources:\n  a: { type: 'OS::Heat::None' }\n  b: { type: 'OS::Heat::None', depends_on: a }\n"
    )
    outcome = Parser().parse_text(heat)
    assert outcome.is_valid and outcome.language == "Heat" and outcome.has_service
    for restored in (outcome, pickle.loads(pickle.dumps(outcome))):
        assert restored.language == "Heat"
        assert cast("dict[str, Any]", restored.model())["resources"]["b"]["depends_on"] == ["a"]
        assert [step["node"] for stage in restored.plan()["deployment"] for step in stage["steps"]] == ["a", "b"]
        assert "b" in restored.graph("mermaid") and "size" in restored.form()
        assert restored.diff(outcome) == []
        with pytest.raises(NoServiceError):
            restored.evaluate()
    wrong = Parser(directory=tmp_path, options={"environment": ["live.yaml"]}).parse_text(heat)
    assert [problem.file for problem in wrong.diagnostics] == ["live.yaml"]
    with pytest.raises(ConfigError, match="no language has an option `enviroment`"):
        Parser(options={"enviroment": []})
    assert Parser().migrate_text(heat)[0].startswith("heat_template_version: 2021-04-16\n")
    assert Parser().migrate_text(heat, to="2015-10-15")[0].startswith("heat_template_version: 2015-10-15\n")
    with pytest.raises(ConfigError, match="can't migrate Heat to version `2.0`"):
        Parser().migrate_text(heat, to="2.0")
    blueprint = Parser().parse_text("tosca_definitions_version: cloudify_dsl_1_5\ninputs: { a: {} }\n")
    assert blueprint.is_valid and blueprint.language == "Cloudify" and "inputs" in blueprint.model()


def test_references_and_targets(parser: Parser) -> None:
    outcome = parser.parse_text("""\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  App: { derived_from: tosca.nodes.SoftwareComponent, properties: { ip: { type: string } } }
topology_template:
  node_templates:
    vm: { type: tosca.nodes.Compute }
    app:
      type: App
      properties: { ip: { get_attribute: [ HOST, private_address ] } }
      requirements: [ host: vm ]
  groups: { both: { type: tosca.groups.Root, members: [ app, vm ] } }
  policies: [ scale: { type: tosca.policies.Scaling, targets: [ both ] } ]
""")
    value = outcome.evaluate()["service"]["nodes"]["app"]["properties"]["ip"]
    assert value["references"] == [{"at": "", "node": "vm", "attribute": "private_address"}]
    assert outcome.policy_targets("scale") == ["app", "vm"]
    with pytest.raises(KeyError, match="no policy `other`"):
        outcome.policy_targets("other")


SUBSTITUTED = """\
tosca_definitions_version: tosca_2_0
node_types:
  Database:
    properties: { size: { type: integer } }
    attributes: { url: { type: string } }
service_template:
"""

SHOP = SUBSTITUTED + """\
  inputs: { size: { type: integer } }
  node_templates:
    db: { type: Database, directives: [ substitute ], properties: { size: { $get_input: size } } }
"""

CLUSTER = SUBSTITUTED + """\
  inputs: { nodes: { type: integer } }
  node_templates: {}
  outputs: { address: { value: { $concat: [ 'db://', { $token: [ a-b, '-', { $get_input: nodes } ] } ] } } }
  substitution_mappings:
    node_type: Database
    properties: { size: nodes }
    attributes: { url: address }
"""


def test_nested_services_get_properties_as_inputs() -> None:
    parser = Parser()
    shop, cluster = parser.parse_text(SHOP), parser.parse_text(CLUSTER)
    profile = parser.parse_text(SUBSTITUTED.partition("service_template")[0])
    assert shop.is_valid and cluster.is_valid and profile.is_valid
    nested = shop.nested([profile, shop, cluster], {"size": 1})
    assert nested["db"]["inputs"] == {"nodes": 1} and nested["db"]["attributes"] == {"url": "db://b"}
    assert "problems" not in nested["db"] and "nested" not in nested["db"]
    assert nested["db"]["service"]["outputs"]["address"]["value"] == "db://b"

    assert shop.nested(iter([shop])) == {}
    assert "inputs" not in shop.nested([cluster])["db"]
    [problem] = shop.nested([cluster], {"size": 5})["db"]["problems"]
    assert problem["source"]["line"] == 9 and problem["at"] == "/outputs/address"
    copied = pickle.loads(pickle.dumps(cluster))
    assert shop.nested([copied], {"size": 1}) == nested


def test_nested_services_reject_invalid_arguments() -> None:
    parser = Parser()
    shop, cluster = parser.parse_text(SHOP), parser.parse_text(CLUSTER)
    with pytest.raises(InvalidInputError):
        shop.nested([cluster], {"size": "large"})
    with pytest.raises(TypeError):
        shop.nested([cast(Any, "cluster.yaml")])
    with pytest.raises(NoServiceError):
        parser.parse_text("tosca_definitions_version: tosca_2_0").nested([cluster])
    types = "".join(f"  T{number}: {{}}\n" for number in range(18))
    chain = [
        parser.parse_text(f"""\
tosca_definitions_version: tosca_2_0
node_types:
{types}service_template:
  node_templates: {{ a: {{ type: T{number + 1}, directives: [ substitute ] }} }}
  substitution_mappings: {{ node_type: T{number} }}
""")
        for number in range(17)
    ]
    assert chain[0].nested(chain[1:])
    last = parser.parse_text(f"""\
tosca_definitions_version: tosca_2_0
node_types:
{types}service_template:
  node_templates: {{}}
  substitution_mappings: {{ node_type: T17 }}
""")
    with pytest.raises(ToscaError, match="16 levels"):
        chain[0].nested([*chain[1:], last])
