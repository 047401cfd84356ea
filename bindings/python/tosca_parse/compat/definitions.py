"""The built-in types as the dictionaries that `toscaparser` has, made of types and models of the parser."""

from __future__ import annotations

import functools
from typing import Any, cast

from .. import Outcome, Parser
from ..types import Type

Data = dict[str, Any]

SECTIONS = {
    "node type": "node_types", "relationship type": "relationship_types", "capability type": "capability_types",
    "group type": "group_types", "data type": "data_types", "artifact type": "artifact_types",
    "policy type": "policy_types", "interface type": "interface_types",
}
# Parts of the names of types that tell their section.
NAME_PARTS = {
    "node_types": ".nodes.", "relationship_types": ".relationships.", "capability_types": ".capabilities.",
    "group_types": ".groups.", "data_types": ".datatypes.", "artifact_types": ".artifacts.",
    "policy_types": ".policies.", "interface_types": ".interfaces.",
}
# Later versions add types; they don't replace those of earlier versions.
VERSIONS = ("tosca_simple_yaml_1_0", "tosca_simple_yaml_1_3", "tosca_simple_profile_for_nfv_1_0_0")
STANDARD: Data = {"Standard": {"type": "tosca.interfaces.node.lifecycle.Standard"}}

# Types of OpenStack that no version of the standard has.
ADDED: dict[str, Data] = {
    "policy_types": {
        "tosca.policies.Monitoring": {"derived_from": "tosca.policies.Root"},
        "tosca.policies.Reservation": {"derived_from": "tosca.policies.Root"},
        "tosca.policies.Scaling.Cluster": {"derived_from": "tosca.policies.Scaling"},
    },
    "node_types": {
        "tosca.nodes.Container.Application.Docker": {"derived_from": "tosca.nodes.Container.Application"},
        "tosca.nodes.network.FloatingIP": {
            "derived_from": "tosca.nodes.Root",
            "properties": {
                "floating_network": {"type": "string", "required": True},
                "floating_ip_address": {"type": "string", "required": False},
                "port_id": {"type": "string", "required": False},
            },
            "requirements": [{"link": {"capability": "tosca.capabilities.network.Linkable",
                                       "relationship": "tosca.relationships.network.LinksTo"}}],
        },
    },
    "capability_types": {
        "tosca.capabilities.Container.Docker": {
            "derived_from": "tosca.capabilities.Container",
            "properties": {
                "version": {"type": "list", "required": False, "entry_schema": {"type": "version"}},
                "publish_all": {"type": "boolean", "required": False, "default": False},
                "publish_ports": {"type": "list", "required": False, "entry_schema": {"type": "PortSpec"}},
                "expose_ports": {"type": "list", "required": False, "entry_schema": {"type": "PortSpec"}},
                "volumes": {"type": "list", "required": False, "entry_schema": {"type": "string"}},
            },
        },
    },
    "artifact_types": {
        "tosca.artifacts.AnsibleGalaxy.role": {"derived_from": "tosca.artifacts.Root"},
        "tosca.artifacts.Deployment.Image.Container.Docker": {"derived_from": "tosca.artifacts.Deployment.Image"},
        "tosca.artifacts.Deployment.Image.VM.ISO": {"derived_from": "tosca.artifacts.Deployment.Image.VM"},
        "tosca.artifacts.Deployment.Image.VM.QCOW2": {"derived_from": "tosca.artifacts.Deployment.Image.VM"},
        "tosca.artifacts.template.Jinja2": {"derived_from": "tosca.artifacts.template"},
        "tosca.artifacts.template.Twig": {"derived_from": "tosca.artifacts.template"},
    },
}


def call(value: Any) -> tuple[str, list[Any]] | None:
    """Returns the name and arguments of a function call in the model."""
    if isinstance(value, dict) and set(value) == {"$call"}:
        return value["$call"]["name"], value["$call"].get("arguments", [])
    return None


def plain(value: Any) -> Any:
    """Returns a value of the model with its calls as they are written in templates."""
    found = call(value)
    if found:
        name, arguments = found
        written = [plain(argument) for argument in arguments]
        return {name: written[0] if len(written) == 1 else written}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def constraints(validation: list[Any]) -> list[Data]:
    """Returns the constraints of a schema of the model in the notation of TOSCA 1."""
    found: list[Data] = []
    for clause in validation:
        name, arguments = call(clause) or ("", [])
        if len(arguments) != 2:
            continue
        subject, operand = (call(arguments[0]) or ("", []))[0], arguments[1]
        match name:
            case "matches":
                found.append({"pattern": operand.removeprefix("^(?:").removesuffix(")$")})
            case _ if subject == "length":
                lengths = {"equal": "length", "greater_or_equal": "min_length", "less_or_equal": "max_length"}
                found.append({lengths.get(name, name): operand})
            case "less_or_equal" if found and "greater_or_equal" in found[-1]:
                found[-1] = {"in_range": [found[-1]["greater_or_equal"], operand]}
            case _:
                found.append({name: operand})
    return found


def schema(parameter: Data) -> Data:
    """Returns the definition of a property of the model."""
    written = schema_of(parameter["schema"])
    written["required"] = parameter["schema"].get("required", False)
    if parameter["state"] == "default":
        written["default"] = plain(parameter.get("value"))
    return written


def schema_of(described: Data) -> Data:
    written: Data = {key: described[key] for key in ("type", "description") if key in described}
    for key in ("entry_schema", "key_schema"):
        if key in described:
            written[key] = schema_of(described[key])
    found = constraints(described.get("validation", []))
    return written | {"constraints": found} if found else written


def named(members: list[Any]) -> Data:
    return {member["name"]: {key: value for key, value in member.items() if key != "name" and value is not None}
            for member in members}


def definition(declared: Type) -> Data:
    """Returns a type as a template would declare it; inherited members are part of it."""
    written: Data = {}
    if declared["ancestors"]:
        written["derived_from"] = declared["ancestors"][0]
    if declared["description"]:
        written["description"] = declared["description"]
    for section in ("properties", "attributes", "capabilities"):
        members = named(cast("list[Any]", declared[section]))
        if members:
            written[section] = members
    requirements = []
    for requirement in declared["requirements"]:
        members = named([requirement])[requirement["name"]]
        bounds = [members.pop("lower"), members.pop("upper", "UNBOUNDED")]
        requirements.append({requirement["name"]: members if bounds == [1, 1] else members | {"occurrences": bounds}})
    if requirements:
        written["requirements"] = requirements
    if declared["kind"] in ("node type", "group type") and not declared["ancestors"]:
        written["interfaces"] = dict(STANDARD)
    return written


def add_schemas(types: dict[str, Data], version: str) -> None:
    """Adds defaults and constraints, which only models have, to types."""
    probe = {
        "tosca_definitions_version": version,
        "topology_template": {
            "node_templates": {name: {"type": name} for name in types["node_types"]},
            "relationship_templates": {name: {"type": name} for name in types["relationship_types"]},
            "inputs": {name: {"type": name} for name in types["data_types"]},
        },
    }
    model = cast("Data", Parser(offline=True, config=False).parse_value(probe).model())
    for section, kind in (("nodes", "node_types"), ("relationships", "relationship_types")):
        for name, entity in model.get(section, {}).items():
            for key, parameter in entity.get("properties", {}).items():
                types[kind][name].setdefault("properties", {})[key] = schema(parameter)
            for capability in entity.get("capabilities", {}).values():
                owner = types["capability_types"].get(capability["types"][0]["name"], {})
                for key, parameter in capability.get("properties", {}).items():
                    owner.setdefault("properties", {})[key] = schema(parameter)
    for described in model.get("data_types", []):
        declared = types["data_types"].get(described["types"][0]["name"], {})
        for key, parameter in described.get("properties", {}).items():
            declared.setdefault("properties", {})[key] = schema(parameter)
        found = constraints(described.get("validation", []))
        if found:
            declared["constraints"] = found


def of_outcome(outcome: Outcome) -> dict[str, Data]:
    """Returns the types of an outcome by section and name."""
    types: dict[str, Data] = {section: {} for section in SECTIONS.values()}
    for declared in outcome.types():
        types[SECTIONS[declared["kind"]]][declared["name"]] = definition(declared)
    return types


def add(types: dict[str, Data], others: dict[str, Data]) -> None:
    """Adds types after the present ones, which it does not replace: users take the first type that fits."""
    for section, named_types in others.items():
        for name, declared in named_types.items():
            types[section].setdefault(name, declared)


@functools.cache
def built_in() -> dict[str, Data]:
    """Returns the built-in types of all versions by section and name."""
    found: dict[str, Data] = {section: {} for section in SECTIONS.values()}
    for version in VERSIONS:
        empty = {"tosca_definitions_version": version, "topology_template": {"node_templates": {}}}
        types = of_outcome(Parser(offline=True, config=False).parse_value(empty))
        add_schemas(types, version)
        add(found, types)
    add(found, ADDED)
    # `toscaparser` accepts databases without a name, and numbers as identifiers of segments.
    found["node_types"]["tosca.nodes.Database"]["properties"]["name"]["required"] = False
    found["node_types"]["tosca.nodes.network.Network"]["properties"]["segmentation_id"]["type"] = "integer"
    return found


@functools.cache
def flat() -> Data:
    """Returns the built-in types by name."""
    return {name: declared for section in built_in().values() for name, declared in section.items()}


def sections(custom: Data) -> dict[str, Data]:
    """Sorts types by section: by the built-in types that they are derived from, or by their names."""
    found: dict[str, Data] = {}
    kinds = {name: section for section, types in built_in().items() for name in types}
    for name, declared in custom.items():
        root = name
        for _ in custom:
            if root in kinds or not isinstance(custom.get(root), dict):
                break
            root = str(custom[root].get("derived_from", ""))
        root = next((name for name in (root, *(f"tosca{part}{root}" for part in NAME_PARTS.values()))
                     if name in kinds), root)
        kind = kinds.get(root) or next((section for section, part in NAME_PARTS.items() if part in name), "node_types")
        found.setdefault(kind, {})[name] = declared
    return found
