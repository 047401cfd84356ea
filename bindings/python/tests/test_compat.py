"""The replacement of OpenStack's tosca-parser."""

import copy
import gc
import http.server
import os
import pickle
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore

from tosca_parse import compat
from tosca_parse.compat.toscaparser.common.exception import (
    ExceptionCollector, InvalidPropertyValueError, InvalidSchemaError, MissingRequiredFieldError, TypeMismatchError,
    UnknownFieldError, ValidationError,
)
from tosca_parse.compat.toscaparser.dataentity import DataEntity
from tosca_parse.compat.toscaparser.elements.constraints import Constraint
from tosca_parse.compat.toscaparser.elements.scalarunit import ScalarUnit_Size
from tosca_parse.compat.toscaparser.elements.nodetype import NodeType
from tosca_parse.compat.toscaparser.functions import GetAttribute, GetInput, GetProperty, get_function
from tosca_parse.compat.toscaparser.imports import ImportsLoader
from tosca_parse.compat.toscaparser.nodetemplate import NodeTemplate
from tosca_parse.compat.toscaparser.policy import Policy
from tosca_parse.compat.toscaparser.prereq.csar import CSAR
from tosca_parse.compat.toscaparser.reservation import Reservation
from tosca_parse.compat.toscaparser.substitution_mappings import SubstitutionMappings
from tosca_parse.compat.toscaparser.tosca_template import ToscaTemplate
from tosca_parse.compat.toscaparser.triggers import Triggers
from tosca_parse.compat.toscaparser.utils import yamlparser

SHOP = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [types.yaml]
topology_template:
  inputs:
    cpus: { type: integer, default: 2 }
    port: { type: integer }
  node_templates:
    server:
      type: Compute
      capabilities: { host: { properties: { num_cpus: { get_input: cpus }, mem_size: 4 GB } } }
    dbms:
      type: tosca.nodes.DBMS
      properties: { port: { get_input: port } }
      requirements: [ host: server ]
    shop:
      type: shop.App
      requirements: [ database: dbms, host: { node: server } ]
      interfaces:
        Standard:
          operations:
            configure:
              implementation: configure.sh
              inputs: { port: { get_property: [ dbms, port ] } }
  policies:
    - near: { type: tosca.policies.Placement, targets: [ shop, dbms ] }
  groups:
    all: { type: tosca.groups.Root, members: [ shop ] }
  outputs:
    address: { value: { get_attribute: [ server, private_address ] } }
"""
TYPES = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  shop.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: { language: { type: string, default: en } }
    requirements:
      - database: { capability: tosca.capabilities.Node, relationship: tosca.relationships.ConnectsTo }
"""


@pytest.fixture
def shop(tmp_path: Path) -> ToscaTemplate:
    (tmp_path / "types.yaml").write_text(TYPES)
    (tmp_path / "shop.yaml").write_text(SHOP)
    return ToscaTemplate(str(tmp_path / "shop.yaml"), {"port": "5432"})


def test_nodes(shop: ToscaTemplate) -> None:
    nodes = {node.name: node for node in shop.nodetemplates}
    assert list(nodes) == ["server", "dbms", "shop"]
    assert nodes["server"].type == "tosca.nodes.Compute"
    assert nodes["shop"].get_property_value("language") == "en"
    assert nodes["shop"].is_derived_from("tosca.nodes.Root") and not nodes["shop"].is_derived_from("tosca.nodes.DBMS")
    assert [(kind.type, target.name) for kind, target in nodes["shop"].relationships.items()] == [
        ("tosca.relationships.ConnectsTo", "dbms"), ("tosca.relationships.HostedOn", "server")]
    assert list(nodes["dbms"].related_nodes) == [nodes["server"]]
    host = nodes["server"].get_capability("host")
    assert host is not None and host.get_property_value("num_cpus") == 2
    assert shop.topology_template.policies[0].targets == ["shop", "dbms"]
    assert shop.topology_template.groups[0].get_member_nodes() == [nodes["shop"]]


def test_functions(shop: ToscaTemplate) -> None:
    nodes = {node.name: node for node in shop.nodetemplates}
    port = nodes["dbms"].get_property_value("port")
    assert isinstance(port, GetInput) and port.result() == 5432
    (configure,) = nodes["shop"].interfaces
    assert configure.implementation == "configure.sh" and configure.inputs is not None
    called = configure.inputs["port"]
    assert isinstance(called, GetProperty) and called.result() == 5432
    address = shop.outputs[0].value
    assert isinstance(address, GetAttribute) and address.result() is address


ORCHESTRATED = """\
tosca_definitions_version: tosca_simple_yaml_1_0
capability_types:
  Jobs: { derived_from: tosca.capabilities.Root, properties: { kind: { type: string } } }
  Jobs.Local: { derived_from: Jobs, properties: { kind: { type: string, default: local } } }
node_types:
  Queue:
    derived_from: tosca.nodes.SoftwareComponent
    properties: { key: { type: string }, address: { type: string } }
    capabilities: { queue: { type: Jobs.Local } }
    artifacts: { script: { type: tosca.artifacts.File, file: a.sh } }
  Worker:
    derived_from: tosca.nodes.SoftwareComponent
    requirements: [ queue: { capability: Jobs, node: Queue, relationship: tosca.relationships.ConnectsTo } ]
topology_template:
  inputs: { key: { type: string } }
  node_templates:
    server: { type: Compute }
    queue:
      type: Queue
      properties: { key: { get_input: key }, address: { get_attribute: [ HOST, private_address ] } }
      requirements: [ host: server ]
      artifacts: { image: { type: tosca.artifacts.File, file: a.img } }
    worker: { type: Worker, requirements: [ host: server, queue: queue ] }
"""


def test_functions_of_orchestrators_find_values(tmp_path: Path) -> None:
    path = tmp_path / "queue.yaml"
    path.write_text(ORCHESTRATED)
    template = ToscaTemplate(str(path))
    worker = next(node for node in template.nodetemplates if node.name == "worker")

    def value(*names: str) -> Any:
        return get_function(template, worker, {"get_property": list(names)}).result()

    assert value("SELF", "queue", "kind") == value("queue", "queue", "kind") == "local"
    assert value("queue", "key") is None and isinstance(value("queue", "address"), GetAttribute)
    assert value("SELF", "queue", "address").get_referenced_node_template().name == "server"


def test_all_relationships_have_templates(tmp_path: Path) -> None:
    path = tmp_path / "queue.yaml"
    path.write_text(ORCHESTRATED)
    nodes = {node.name: node for node in ToscaTemplate(str(path)).nodetemplates}
    found = nodes["server"].get_relationship_template()
    assert [(one.source.name, one.target.name, one.type) for one in found] == [
        (name, "server", "tosca.relationships.HostedOn") for name in ("queue", "worker")]
    artifacts = nodes["queue"].type_definition.get_value("artifacts", nodes["queue"].entity_tpl, True)
    assert set(artifacts) == {"image", "script"}


def test_mandatory_requirements_are_assigned(tmp_path: Path) -> None:
    path = tmp_path / "queue.yaml"
    path.write_text(ORCHESTRATED.replace("host: server, ", ""))
    with pytest.raises(ValidationError, match='"host" in template "worker" has a wrong number of occurrences'):
        ToscaTemplate(str(path))


def test_invalid_templates_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.replace("types.yaml", "typos.yaml").replace("mem_size: 4 GB", "mem_syze: 4 GB"))
    with pytest.raises(ValidationError) as error:
        ToscaTemplate(str(path))
    assert "mem_syze" in str(error.value) and error.value.diagnostics
    ExceptionCollector.assertExceptionMessage(ImportError, 'Import "typos.yaml" is not valid.')


def test_problems_of_types_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES.replace("type: string", "type: strin"))
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.replace("shop.App", "tosca.nodes.SoftwareComponent").replace("database: dbms, ", ""))
    outcome = ToscaTemplate(str(path)).outcome
    assert outcome is not None and [problem.code for problem in outcome.diagnostics if problem.is_error] == ["T2001"]


def test_data_instead_of_files() -> None:
    node = NodeTemplate("s", {"s": {"type": "tosca.nodes.Compute"}})
    assert {"host", "os", "endpoint"} < set(node.get_capabilities())
    topology = {"node_templates": node.templates}
    template = {"tosca_definitions_version": "tosca_simple_yaml_1_0", "topology_template": topology}
    assert [one.name for one in ToscaTemplate(yaml_dict_tpl=template).nodetemplates] == ["s"]


def test_values() -> None:
    assert ScalarUnit_Size("2 GB").get_num_from_scalar_unit("MB") == 2000
    constraint = Constraint("cpus", "integer", {"in_range": [1, 4]})
    constraint.validate(4)
    with pytest.raises(ValidationError, match="out of range"):
        constraint.validate(5)


def test_values_of_other_types_violate_constraints() -> None:
    for kind, clause, value in (("integer", {"in_range": [1, 4]}, "x"), ("scalar-unit.size", {"less_than": "1 GB"}, 9)):
        ExceptionCollector.start()
        Constraint("cpus", kind, clause).validate(value)
        ExceptionCollector.stop()
        assert any(isinstance(error, ValidationError) for error in ExceptionCollector.getExceptions())


def test_patterns_take_a_limited_time() -> None:
    with pytest.raises(ValidationError, match="does not match"):
        Constraint("p", "string", {"pattern": "(a+)+$"}).validate("a" * 60 + "!")
    Constraint("p", "string", {"pattern": "a|b(?=c)c"}).validate("bc")
    with pytest.raises(ValidationError):
        Constraint("p", "string", {"pattern": "a|b"}).validate("ab")
    for pattern, value in (("[", "a"), ("a?" * 5000 + "a" * 5000, "a" * 5000)):
        with pytest.raises(InvalidSchemaError, match="can't be matched"):
            Constraint("p", "string", {"pattern": pattern}).validate(value)


def test_huge_numbers_are_problems() -> None:
    for kind, value in (("integer", float("inf")), ("scalar-unit.size", "9" * 4000 + " TB"),
                        ("scalar-unit.size", "9" * 5000 + " TB")):
        with pytest.raises(ValueError):
            DataEntity.validate_datatype(kind, value)
            Constraint("p", kind, {"greater_than": "1 GB"}).validate(value)


LAUGHS = "a0: &a0 {k: x}\n" + "".join(
    f"a{level}: &a{level} {{{{{{}}[{', '.join([f'*a{level - 1}'] * 10)}]}}}}\n" for level in range(1, 10))


@pytest.mark.parametrize("text", [LAUGHS.replace("{}", "k: "), LAUGHS.replace("{}", "<<: "), "&a [*a]",
                                  "[" * 300 + "]" * 300, "- " * 300])
def test_yaml_has_limits(tmp_path: Path, text: str) -> None:
    for parse in (yamlparser.simple_parse, yamlparser.simple_ordered_parse):
        with pytest.raises(yaml.YAMLError):
            parse(text)
    (tmp_path / "types.yaml").write_text(text)
    (tmp_path / "shop.yaml").write_text(SHOP)
    with pytest.raises(ValidationError, match='Import "types.yaml" is not valid'):
        ToscaTemplate(str(tmp_path / "shop.yaml"))


@pytest.mark.parametrize("section", [
    "node_templates: {a: {type: [x]}}", "groups: {a: x}", "policies: [a: x]", "relationship_templates: {a: x}",
    "node_templates: {a: {type: Compute, requirements: [x]}}", "policies: [a: {type: tosca.policies.Root, targets: 5}]",
])
def test_unexpected_shapes_are_problems(tmp_path: Path, section: str) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(f"tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {{ {section} }}\n")
    with pytest.raises(ValidationError, match="TypeMismatchError"):
        ToscaTemplate(str(path))
    path.write_text("- a\n")
    with pytest.raises(ValidationError, match="Template must be of type"):
        ToscaTemplate(str(path))


def test_missing_targets_and_repeated_members_are_problems(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.replace("[ shop, dbms ]", "[ shop, dbm ]").replace("[ shop ]", "[ shop, shop ]"))
    with pytest.raises(ValidationError) as error:
        ToscaTemplate(str(path), {"port": 1})
    assert "\"dbm\" is not found" in str(error.value) and "not repeated" in str(error.value)


def test_standard_types_are_found_before_those_of_profiles() -> None:
    found = {kind.type: target.type for kind, target in NodeType("tosca.nodes.network.Port").relationship.items()}
    assert found["tosca.relationships.network.LinksTo"] == "tosca.nodes.network.Network"


def test_data_can_be_used_twice() -> None:
    text = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: { l: { type: string, default: /x } }
  node_templates:
    s: { type: BlockStorage, properties: { size: 1 GB } }
    c:
      type: Compute
      requirements:
        - local_storage: { node: s, relationship: { type: AttachesTo, properties: { location: { get_input: l } } } }
"""
    template, other = yamlparser.simple_ordered_parse(text), yamlparser.simple_ordered_parse(text)
    for _ in range(2):
        assert len(ToscaTemplate(yaml_dict_tpl=template).nodetemplates) == 2
        assert template == other


def archive(path: Path, entry: str, files: dict[str, str]) -> str:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("TOSCA-Metadata/TOSCA.meta", f"CSAR-Version: 1.1\nCreated-By: me\nEntry-Definitions: {entry}\n")
        for name, text in files.items():
            file.writestr(name, text)
    return str(path)


def test_archives_are_extracted_for_as_long_as_they_are_used(tmp_path: Path) -> None:
    files = {"entry/shop.yaml": SHOP.replace("types.yaml", "../types.yaml"), "types.yaml": TYPES, "entry/configure.sh": ""}
    shop = ToscaTemplate(archive(tmp_path / "a.csar", "entry/shop.yaml", files), {"port": 1})
    folder = Path(str(shop.path)).parent.parent
    assert len(shop.nodetemplates) == 3 and (folder / "types.yaml").exists()
    del shop
    gc.collect()
    assert not folder.exists()


def test_archives_cannot_refer_to_other_files(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    for entry in (str(tmp_path / "shop.yaml"), "../shop.yaml"):
        csar = CSAR(archive(tmp_path / "a.csar", entry, {entry: SHOP}))
        with pytest.raises(ValidationError, match="outside of it"):
            csar.validate()
    outside = tmp_path / "types.yaml"
    for path in (str(outside), outside.as_uri(), os.path.relpath(outside, "/tmp/folder")):
        files = {"shop.yaml": SHOP.replace("types.yaml", path), "configure.sh": ""}
        name = archive(tmp_path / "a.csar", "shop.yaml", files)
        with pytest.raises(ValidationError, match="shop.App|Import .* is not valid"):
            ToscaTemplate(name, {"port": 1})


def test_archives_can_be_copied(tmp_path: Path) -> None:
    shop = ToscaTemplate(archive(tmp_path / "a.csar", "shop.yaml", {"shop.yaml": ORCHESTRATED, "a.img": ""}))
    for other in (copy.copy(shop), copy.deepcopy(shop), pickle.loads(pickle.dumps(shop))):
        assert [node.name for node in other.nodetemplates] == ["server", "queue", "worker"]
    path = Path(str(shop.path))
    other = copy.deepcopy(shop)
    del shop
    gc.collect()
    assert path.exists() and other.path == str(path)


def test_threads_have_their_own_exceptions(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(ORCHESTRATED)
    (tmp_path / "bad.yaml").write_text(ORCHESTRATED.replace("get_input: key", "get_input: kez"))

    def check(name: str) -> bool:
        try:
            ToscaTemplate(str(tmp_path / name))
        except ValidationError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(check, ["good.yaml", "bad.yaml"] * 10)) == [True, False] * 10


@pytest.mark.parametrize("imports", [
    "imports: [null]", "imports: ['http://[']", 'imports: ["a\\0b"]', "imports: [{file: a, repository: r}]\nrepositories: [r]",
    "imports: [[a]]", "imports: [5]",
])
def test_unexpected_imports_are_problems(tmp_path: Path, imports: str) -> None:
    (tmp_path / "types.yaml").write_text(TYPES + imports)
    (tmp_path / "shop.yaml").write_text(SHOP)
    with pytest.raises(ValidationError, match="Import"):
        ToscaTemplate(str(tmp_path / "shop.yaml"), {"port": 1})


def test_deep_imports_are_read(tmp_path: Path) -> None:
    for index in range(1000):
        (tmp_path / f"{index}.yaml").write_text(f"imports: [{index + 1}.yaml]\n")
    (tmp_path / "1000.yaml").write_text(TYPES)
    assert "shop.App" in ImportsLoader(["0.yaml"], str(tmp_path / "shop.yaml")).get_custom_defs()


def test_many_prefixes_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tosca_parse.compat.toscaparser.imports.MAX_TYPES", 100)
    (tmp_path / "types.yaml").write_text("node_types:\n" + "".join(f"  t{index}: {{}}\n" for index in range(11)))
    imports = [{"file": "types.yaml", "namespace_prefix": f"p{index}"} for index in range(10)]
    with pytest.raises(ValidationError, match="more than 100 types"):
        ImportsLoader(imports, str(tmp_path / "shop.yaml"))


def test_damaged_archives_are_rejected(tmp_path: Path) -> None:
    files = {"shop.yaml": SHOP, "types.yaml": TYPES, "configure.sh": "#!/bin/sh"}
    for text, message in (("topology_template", "can't be read"), ("#!/bin/sh", "can't be extracted")):
        path = Path(archive(tmp_path / "a.csar", "shop.yaml", files))
        path.write_bytes(path.read_bytes().replace(text.encode(), text.upper().encode()))
        with pytest.raises(ValidationError, match=message):
            ToscaTemplate(str(path))


@pytest.mark.parametrize(("text", "other", "message"), [
    ("types.yaml", "typos.yaml", 'Import "typos.yaml" is not valid'),
    ("implementation: configure.sh", "implementation: config.sh", 'The resource "config.sh" does not exist'),
    ("implementation: configure.sh", "implementation: { primary: x, dependencies: [y] }", 'resource "x" does not exist'),
    ("requirements: [ host: server ]", "artifacts: { image: { type: File, file: image.tar } }", 'resource "image.tar"'),
])
def test_archives_contain_the_files_of_their_templates(tmp_path: Path, text: str, other: str, message: str) -> None:
    files = {"shop.yaml": SHOP, "types.yaml": TYPES, "configure.sh": ""}
    assert CSAR(archive(tmp_path / "a.csar", "shop.yaml", files)).validate()
    csar = CSAR(archive(tmp_path / "a.csar", "shop.yaml", files | {"shop.yaml": SHOP.replace(text, other)}))
    with pytest.raises((ImportError, ValueError), match=message):
        csar.validate()


def test_scripts_of_archives_can_be_artifacts(tmp_path: Path) -> None:
    text = SHOP.replace("implementation: configure.sh", "implementation: script").replace(
        "requirements: [ database: dbms,", "artifacts: { script: { type: Bash, file: configure.sh } }\n      requirements: [ database: dbms,")
    files = {"shop.yaml": text, "types.yaml": TYPES, "configure.sh": ""}
    assert CSAR(archive(tmp_path / "a.csar", "shop.yaml", files)).validate()


def test_data_types_have_defaults_and_constraints() -> None:
    assert DataEntity("Credential", {"token": "x"}).validate() == {"token": "x", "token_type": "password"}
    with pytest.raises(ValidationError, match="protocol"):
        DataEntity("PortSpec", {"protocol": "xyz"}).validate()
    with pytest.raises(ValidationError, match="out of range"):
        DataEntity("PortDef", 65536).validate()


POLICY = {"type": "p", "targets": []}


def mappings(described: Any) -> SubstitutionMappings:
    definition = {"node_type": "tosca.nodes.Root", "substitution_filter": described}
    return SubstitutionMappings(definition, None, None, None, None, None)


@pytest.mark.parametrize(("call", "error"), [
    (lambda: Policy("p", {"type": "tosca.policies.Root", "tagets": []}), UnknownFieldError),
    (lambda: Policy("p", POLICY, None, None, {"p": {"properties": {"n": {"type": "string"}}}}).validate(),
     MissingRequiredFieldError),
    (lambda: Triggers("t", {"acton": []}), UnknownFieldError),
    (lambda: Reservation({"start_actions": [], "end_actions": []}), MissingRequiredFieldError),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": {}}}).validate(), None),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": {"host": "x"}}}).validate(), TypeMismatchError),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": [{"x": {"nod": "x"}}]}}).validate(),
     UnknownFieldError),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": [{"hosts": "x"}]}}).validate(), UnknownFieldError),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": [{"x": None, "node": "x"}]}}).validate(), None),
    (lambda: mappings({"node_filter": {"properties": [], "capabilities": []}}), None),
    (lambda: mappings({"properties": []}), None),
    (lambda: mappings({"node_filter": {"property": []}}), UnknownFieldError),
    (lambda: mappings({"node_filter": {"properties": {}}}), TypeMismatchError),
    (lambda: NodeTemplate("c", {"c": {"type": "Compute", "requirements": [{"x": {"occurrences": [2, 1]}}]}}).validate(),
     InvalidPropertyValueError),
    (lambda: Constraint("r", "range", {"in_range": [1, "INFINITY"]}), InvalidSchemaError),
    (lambda: ImportsLoader(["a.yaml"], None), ValidationError),
    (lambda: ImportsLoader([{"a": None}], "x.yaml"), ValidationError),
])
def test_parts_are_checked(call: Callable[[], object], error: type[Exception] | None) -> None:
    if error is None:
        call()
    else:
        with pytest.raises(error):
            call()


def test_qualified_names_are_types() -> None:
    assert NodeType("tosca:Compute").type == "tosca.nodes.Compute"


def test_imported_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP)
    (tmp_path / "types.yaml").write_text(TYPES.replace("1_3", "1_10") + "node_typess: {}\n")
    with pytest.raises(ValidationError, match="Template types.yaml contains unknown field") as error:
        ToscaTemplate(str(path), {"port": 1})
    assert "tosca_simple_yaml_1_10 in types.yaml" in str(error.value)


def test_files_can_be_imported_with_several_prefixes(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    imports = [{"file": str(tmp_path / "types.yaml"), "namespace_prefix": prefix} for prefix in ("a", "b")]
    assert set(ImportsLoader(imports, str(tmp_path / "shop.yaml")).get_custom_defs()) == {"a.shop.App", "b.shop.App"}


def test_unknown_operations_are_problems(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    (tmp_path / "types.yaml").write_text(TYPES)
    path.write_text(SHOP.replace("configure:", "configur:"))
    with pytest.raises(ValidationError, match="has no operation `configur`"):
        ToscaTemplate(str(path), {"port": 1})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(tmp_path))

        def do_GET(self) -> None:
            if self.path.startswith("/to/"):
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.1:{running.server_port}/{self.path[4:]}")
                self.end_headers()
            else:
                super().do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_port
        running.shutdown()


def test_documents_from_the_network_refer_to_no_private_address_or_file(tmp_path: Path, server: int) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    (tmp_path / "shop.yaml").write_text(SHOP)
    assert len(ToscaTemplate(f"http://localhost:{server}/shop.yaml", {"port": 1}, False).nodetemplates) == 3
    for address in (f"http://127.0.0.1:{server}/types.yaml", f"http://localhost:{server}/to/types.yaml",
                    (tmp_path / "types.yaml").as_uri()):
        (tmp_path / "shop.yaml").write_text(SHOP.replace("types.yaml", address))
        with pytest.raises(ValidationError, match="Failed to reach server"):
            ToscaTemplate(f"http://localhost:{server}/shop.yaml", {"port": 1}, False)


def test_install_twice_or_too_late() -> None:
    code = ("import sys, types; from tosca_parse import compat; compat.install(); compat.install()\n"
            "sys.modules['toscaparser'] = types.ModuleType('toscaparser')\n"
            "try: compat.install()\nexcept ImportError: print('rejected')")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "rejected\n", run.stderr


def test_install() -> None:
    code = ("from tosca_parse import compat; compat.install(); from toscaparser.tosca_template import ToscaTemplate; "
            "import toscaparser.elements.nodetype; print(ToscaTemplate.__module__)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "tosca_parse.compat.toscaparser.tosca_template\n", run.stderr
    assert compat.__all__ == ["install"]


def test_values_of_parameters_must_fulfill_constraints() -> None:
    data = yaml.safe_load("""\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: { cpus: { type: integer, constraints: [ valid_values: [ 1, 2 ] ] } }
  node_templates:
    server: { type: tosca.nodes.Compute, capabilities: { host: { properties: { num_cpus: { get_input: cpus } } } } }
""")
    template = ToscaTemplate(yaml_dict_tpl=data, parsed_params={"cpus": 2})
    host = template.nodetemplates[0].get_capability("host")
    assert host is not None and host.get_property_value("num_cpus") == 2
    with pytest.raises(ValidationError, match='The value "3" of property "cpus" is not valid'):
        ToscaTemplate(yaml_dict_tpl=data, parsed_params={"cpus": 3})
