"""The replacement of OpenStack's tosca-parser."""

import subprocess
import sys
from pathlib import Path

import pytest

from tosca_parse import compat
from tosca_parse.compat.toscaparser.common.exception import ExceptionCollector, ValidationError
from tosca_parse.compat.toscaparser.elements.constraints import Constraint
from tosca_parse.compat.toscaparser.elements.scalarunit import ScalarUnit_Size
from tosca_parse.compat.toscaparser.functions import GetAttribute, GetInput, GetProperty
from tosca_parse.compat.toscaparser.nodetemplate import NodeTemplate
from tosca_parse.compat.toscaparser.tosca_template import ToscaTemplate

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
    template = {"tosca_definitions_version": "tosca_simple_yaml_1_0", "topology_template": {"node_templates": node.templates}}
    assert [one.name for one in ToscaTemplate(yaml_dict_tpl=template).nodetemplates] == ["s"]


def test_values() -> None:
    assert ScalarUnit_Size("2 GB").get_num_from_scalar_unit("MB") == 2000
    constraint = Constraint("cpus", "integer", {"in_range": [1, 4]})
    constraint.validate(4)
    with pytest.raises(ValidationError, match="out of range"):
        constraint.validate(5)


def test_install() -> None:
    code = ("from tosca_parse import compat; compat.install(); from toscaparser.tosca_template import ToscaTemplate; "
            "import toscaparser.elements.nodetype; print(ToscaTemplate.__module__)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "tosca_parse.compat.toscaparser.tosca_template\n", run.stderr
    assert compat.__all__ == ["install"]
