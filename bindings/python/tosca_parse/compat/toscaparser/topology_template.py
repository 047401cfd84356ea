"""Topology templates."""

from __future__ import annotations

import functools
from typing import Any, cast

from ... import Outcome, Parser, ToscaError
from .. import definitions
from .common.exception import ExceptionCollector, InvalidGroupTargetException, TypeMismatchError
from .functions import GetInput, computed, get_function, is_function
from .groups import Group
from .nodetemplate import NodeTemplate
from .parameters import Input, Output
from .policy import Policy
from .relationship_template import RelationshipTemplate
from .substitution_mappings import SubstitutionMappings
from .tpl_relationship_graph import ToscaGraph
from .utils import validateutils

SECTIONS = (DESCRIPTION, INPUTS, NODE_TEMPLATES, RELATIONSHIP_TEMPLATES, OUTPUTS, GROUPS, SUBSTITUION_MAPPINGS,
            POLICIES) = (
    "description", "inputs", "node_templates", "relationship_templates", "outputs", "groups",
    "substitution_mappings", "policies")
CONVERTED = {"integer": validateutils.str_to_num, "float": validateutils.str_to_num,
             "boolean": validateutils.validate_boolean}


class TopologyTemplate:
    """The topology template of a service. `tpl` is its text as data; `outcome` the result of the parser."""

    def __init__(self, template: Any, custom_defs: Any, rel_types: Any = None, parsed_params: Any = None,
                 sub_mapped_node_template: Any = None, outcome: Outcome | None = None) -> None:
        self.tpl: Any = template or {}
        self.custom_defs = custom_defs
        self.rel_types = rel_types
        self.parsed_params = parsed_params
        self.sub_mapped_node_template = sub_mapped_node_template
        self._outcome = outcome
        self._calls: dict[tuple[str, ...], dict[str, Any]] = {}
        for section, kind in ((POLICIES, list), (GROUPS, dict), (SUBSTITUION_MAPPINGS, dict), (OUTPUTS, dict),
                              (INPUTS, dict), (NODE_TEMPLATES, dict), (RELATIONSHIP_TEMPLATES, dict)):
            if self.tpl.get(section) is not None and not isinstance(self.tpl[section], kind):
                ExceptionCollector.appendException(TypeMismatchError(what=section, type=kind.__name__))
        self.description = self._tpl_description()
        self.inputs = self._inputs()
        self.relationship_templates = self._relationship_templates()
        self.nodetemplates = self._nodetemplates()
        self.outputs = [Output(name, attrs) for name, attrs in self._section(OUTPUTS).items()]
        for output in self.outputs:
            output.validate()
        self.graph = ToscaGraph(self.nodetemplates)
        self.groups = self._groups()
        self.policies = self._policies()
        self.substitution_mappings = self._substitution_mappings()
        self._relate()
        self._process_intrinsic_functions()

    @property
    def outcome(self) -> Outcome:
        """The outcome of the parser; without the template around it, that of the topology template alone."""
        if self._outcome is None:
            template = {"tosca_definitions_version": "tosca_simple_yaml_1_3", "topology_template": self.tpl}
            self._outcome = Parser(config=False).parse_value(template | definitions.sections(self.custom_defs or {}))
        return self._outcome

    @functools.cached_property
    def model(self) -> dict[str, Any]:
        """The model of the parser; empty if there is none."""
        try:
            return cast("dict[str, Any]", self.outcome.model())
        except ToscaError:
            return {}

    @functools.cached_property
    def evaluated(self) -> dict[str, Any]:
        """The model in which known values are computed."""
        try:
            return cast("dict[str, Any]", self.outcome.evaluate(self.known_inputs())["service"])
        except ToscaError:
            return self.model

    def known_inputs(self, name: str | None = None) -> dict[str, Any]:
        """Returns the values for declared inputs, or only that of one."""
        given = self.parsed_params or {}
        if name is not None:
            given = {name: given[name]} if name in given else {}
        return known_inputs(self._section(INPUTS), given)

    def calls(self, *path: str) -> dict[str, Any]:
        """Returns the computed values of the calls in a part of the model, by their text."""
        if path not in self._calls:
            model, evaluated = self.model, self.evaluated
            for key in path:
                model, evaluated = model.get(key, {}), evaluated.get(key, {})
            self._calls[path] = dict(computed(model, evaluated))
        return self._calls[path]

    def _section(self, name: str) -> dict[str, Any]:
        section = self.tpl.get(name)
        return section if isinstance(section, dict) else {}

    def _inputs(self) -> list[Input]:
        found = []
        given = self.parsed_params or {}
        for name, attrs in self._section(INPUTS).items():
            one = Input(name, attrs, self.custom_defs)
            if name in given:
                one.validate(given[name])
            elif one.default:  # `false` for a string is accepted
                one.validate(one.default)
            found.append(one)
        return found

    def _relationship_templates(self) -> list[RelationshipTemplate]:
        return [RelationshipTemplate(tpl, name, self.custom_defs)
                for name, tpl in self._tpl_relationship_templates().items()]

    def _nodetemplates(self) -> list[NodeTemplate]:
        templates = self._section(NODE_TEMPLATES)
        found = []
        for name, tpl in templates.items():
            if isinstance(tpl, dict):
                node = NodeTemplate(name, templates, self.custom_defs, self.relationship_templates, self.rel_types)
                if node.type_definition and node.type_definition.defs is not None:
                    if self.sub_mapped_node_template is None:
                        node.validate(self)
                    found.append(node)
        peers = {node.name: node for node in found}
        nodes = self.model.get("nodes", {})
        for node in found:
            node.peers = peers
            node.model = nodes.get(node.name, {})
        return found

    def _relate(self) -> None:
        for node in self.nodetemplates:
            try:
                node.related_nodes  # noqa: B018
            except NotImplementedError:
                pass

    def _groups(self) -> list[Group]:
        found = []
        for name, tpl in self._section(GROUPS).items():
            members = (tpl or {}).get("members") or []
            if len(set(map(str, members))) < len(members) or (tpl or {}).get("members") == []:
                message = f'Member nodes "{members}" should be >= 1 and not repeated'
                ExceptionCollector.appendException(InvalidGroupTargetException(message=message))
            for member in members:
                if member not in self.graph:
                    message = f'Target member "{member}" is not found in node_templates'
                    ExceptionCollector.appendException(InvalidGroupTargetException(message=message))
            nodes = [self.graph.vertex(member) for member in members if member in self.graph]
            found.append(Group(name, tpl, nodes, self.custom_defs))
        return found

    def _policies(self) -> list[Policy]:
        found = []
        groups = {group.name: group for group in self.groups}
        for entry in self.tpl.get(POLICIES) or []:
            for name, tpl in entry.items() if isinstance(entry, dict) else ():
                targets = (tpl or {}).get("targets") or []
                for target in targets:
                    if target not in self.graph and target not in groups:
                        message = f'Target member "{target}" is not found in node_templates'
                        ExceptionCollector.appendException(InvalidGroupTargetException(message=message))
                nodes = [self.graph.vertex(target) for target in targets if target in self.graph]
                chosen: list[Any] = [groups[target] for target in targets if target in groups]
                kind = "groups" if chosen else "node_templates"
                found.append(Policy(name, tpl, chosen or nodes, kind, self.custom_defs))
                found[-1].validate()
        return found

    def _substitution_mappings(self) -> SubstitutionMappings | None:
        mappings = self._section(SUBSTITUION_MAPPINGS)
        if not mappings:
            return None
        return SubstitutionMappings(mappings, self.nodetemplates, self.inputs, self.outputs,
                                    self.sub_mapped_node_template, self.custom_defs)

    def _process_intrinsic_functions(self) -> None:
        """Replaces calls that are data by objects."""
        for template in self.relationship_templates:
            for prop in template.get_properties_objects():
                prop.value = get_function(self, template, prop.value)
        for node in self.nodetemplates:
            for prop in node.get_properties_objects():
                prop.value = get_function(self, node, prop.value)
            self._replace_inputs(node)
            for capability in node.get_capabilities_objects():
                values = capability._properties or {}
                for name, value in values.items():
                    called = get_function(self, node, value)
                    values[name] = called.result() if isinstance(called, GetInput) else called
            for requirement in node.requirements:
                for assigned in requirement.values():
                    if isinstance(assigned, dict):
                        self._replace_properties(assigned.get("relationship"), node)
            for relationship in node.get_relationship_template():
                self._replace_inputs(relationship)
        for output in self.outputs:
            if isinstance(output.attrs, dict) and is_function(output.value):
                output.attrs = {**output.attrs, output.VALUE: get_function(self, self.outputs, output.value)}

    def _replace_properties(self, data: Any, context: Any) -> None:
        """Replaces the calls in the properties of a relationship, which users read as data."""
        properties = data.get("properties") if isinstance(data, dict) else None
        if not isinstance(properties, dict):
            return
        for name, value in properties.items():
            properties[name] = get_function(self, context, value)

    def _replace_inputs(self, entity: Any) -> None:
        for operation in entity.interfaces:
            if isinstance(operation.inputs, dict):
                operation.inputs = {name: get_function(self, entity, value)
                                    for name, value in operation.inputs.items()}

    @property
    def nodetype(self) -> Any:
        return self.substitution_mappings.node_type if self.substitution_mappings else None

    @property
    def capabilities(self) -> Any:
        return self.substitution_mappings.capabilities if self.substitution_mappings else None

    @property
    def requirements(self) -> Any:
        return self.substitution_mappings.requirements if self.substitution_mappings else None

    def _tpl_description(self) -> Any:
        return self.tpl.get(DESCRIPTION)

    def _tpl_inputs(self) -> Any:
        return self.tpl.get(INPUTS)

    def _tpl_nodetemplates(self) -> Any:
        return self.tpl.get(NODE_TEMPLATES)

    def _tpl_relationship_templates(self) -> Any:
        return self.tpl.get(RELATIONSHIP_TEMPLATES) or {}

    def _tpl_outputs(self) -> Any:
        return self.tpl.get(OUTPUTS)

    def _tpl_groups(self) -> Any:
        return self.tpl.get(GROUPS)

    def _tpl_policies(self) -> Any:
        return self.tpl.get(POLICIES) or []

    @classmethod
    def get_sub_mapping_node_type(cls, topology_tpl: Any) -> Any:
        mappings = topology_tpl.get(SUBSTITUION_MAPPINGS) if isinstance(topology_tpl, dict) else None
        return SubstitutionMappings.get_node_type(mappings) if mappings else None


def known_inputs(inputs: dict[str, Any], given: Any) -> dict[str, Any]:
    """Returns the values for declared inputs. The command line gives strings, so they are converted."""
    found = {}
    for name, value in (given or {}).items():
        declared = inputs.get(name)
        if not isinstance(declared, dict) or is_function(value):
            continue
        convert = CONVERTED.get(str(declared.get("type")))
        found[name] = convert(value) if convert and isinstance(value, str) else value
    return found
