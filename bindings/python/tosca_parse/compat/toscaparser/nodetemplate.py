"""Node templates."""

from __future__ import annotations

import copy
from typing import Any

from .common.exception import (
    ExceptionCollector, InvalidPropertyValueError, TypeMismatchError, UnknownFieldError, ValidationError,
)
from .elements.relationshiptype import RelationshipType
from .entity_template import EntityTemplate
from .relationship_template import RelationshipTemplate
from .utils import validateutils
from .utils.validateutils import RANGE_UNBOUNDED


class NodeTemplate(EntityTemplate):
    """A node template. `templates` are all node templates as data; `model` is the node in the model of the parser."""

    def __init__(self, name: str, node_templates: Any, custom_def: Any = None, available_rel_tpls: Any = None,
                 available_rel_types: Any = None) -> None:
        super().__init__(name, node_templates[name], "node_type", custom_def)
        self.templates = node_templates
        self.custom_def = custom_def
        self.related: dict[Any, Any] = {}
        self.relationship_tpl: list[RelationshipTemplate] = []
        self.available_rel_tpls = available_rel_tpls
        self.available_rel_types = available_rel_types
        self.sub_mapping_tosca_template: Any = None
        self.substitution_mapped = False
        self.model: dict[str, Any] = {}
        self.peers: dict[str, NodeTemplate] = {name: self}
        self._relationships: dict[RelationshipType, NodeTemplate] | None = None

    @property
    def relationships(self) -> dict[RelationshipType, NodeTemplate]:
        """The targets of the requirements, by the types of the relationships."""
        if self._relationships is None:
            self._relationships = {}
            for requirement in self.requirements:
                for name, value in requirement.items():
                    self._relate(name, value)
        return self._relationships

    def _relate(self, name: str, value: Any) -> None:
        described = value if isinstance(value, dict) else {self.NODE: value}
        target = described.get(self.NODE) or self._selected(name)
        if not isinstance(target, str) or self._relationships is None:
            return
        if target not in self.templates:
            if self.type_definition._declaration(target) is not None:
                raise NotImplementedError(f"lookup by node type is not supported: {target}")
            return
        kind = self._relationship_type(name, described, target)
        if kind is None:
            return
        if target not in self.peers:
            self.peers[target] = NodeTemplate(target, self.templates, self.custom_def, self.available_rel_tpls,
                                              self.available_rel_types)
            self.peers[target].peers = self.peers
        node = self.peers[target]
        self._relationships[kind] = node
        self.related[node] = kind
        self._add_template(name, described.get(self.RELATIONSHIP), kind, node)

    def _assigned(self, name: str, target: str | None) -> dict[str, Any]:
        """Returns a requirement of the model."""
        for requirement in self.model.get("requirements", []):
            found = (requirement.get("target") or {}).get("node")
            if requirement["name"] == name and found and target in (None, found):
                return dict(requirement)
        return {}

    def _selected(self, name: str) -> Any:
        return (self._assigned(name, None).get("target") or {}).get("node")

    def _relationship_type(self, name: str, described: dict[str, Any], target: str) -> RelationshipType | None:
        explicit = described.get(self.RELATIONSHIP)
        if isinstance(explicit, dict):
            explicit = explicit.get(self.TYPE)
        known = self._available(explicit)
        if known:
            explicit = known.type
        modelled = (self._assigned(name, target).get("relationship") or {}).get("types")
        if not explicit and modelled:
            explicit = modelled[0]["name"]
        if not explicit:
            for requirement in self.type_definition.get_all_requirements():
                declared = requirement.get(name)
                if isinstance(declared, dict):
                    explicit = declared.get(self.RELATIONSHIP)
                    explicit = explicit.get(self.TYPE) if isinstance(explicit, dict) else explicit
        if not explicit:
            explicit = self.type_definition.DEPENDSON
        return RelationshipType(explicit, name, self.custom_def)

    def _available(self, name: Any) -> RelationshipTemplate | None:
        return next((one for one in self.available_rel_tpls or [] if one.name == str(name).lower()), None)

    def _add_template(self, name: str, explicit: Any, kind: RelationshipType, target: NodeTemplate) -> None:
        """Gives the target the relationship template that a requirement declares or names; otherwise one of its type."""
        known = self._available(explicit)
        if known:
            if known.source is not None:
                known = copy.copy(known)
            known.target, known.source = target, self
            target.relationship_tpl.append(known)
        else:
            data = explicit if isinstance(explicit, dict) else {self.TYPE: kind.type}
            label = explicit if isinstance(explicit, str) else str(kind.type)
            target.relationship_tpl.append(RelationshipTemplate(data, label, self.custom_def, target, self))

    def get_relationship_template(self) -> list[RelationshipTemplate]:
        """Returns the relationship templates of the relationships that lead here."""
        return self.relationship_tpl

    @property
    def related_nodes(self) -> Any:
        """The targets of the requirements."""
        if not self.related:
            for relation, node in self.relationships.items():
                self.related[node] = relation
        return self.related.keys()

    def validate(self, tosca_tpl: Any = None) -> None:
        """Checks capabilities, properties and keys."""
        if self.type_definition is None:
            return
        self._validate_capabilities()
        self._validate_properties(self.entity_tpl, self.type_definition)
        self._validate_requirements()
        for key in self.entity_tpl:
            if key not in self.SECTIONS and key not in self.SPECIAL_SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what=f'Node template "{self.name}"', field=key))
        for prop in self.get_properties_objects():
            prop.validate()

    def validate_occurrences(self) -> None:
        """Reports requirements with too few or too many relationships."""
        assigned = [name for requirement in self.requirements for name in requirement]
        for requirement in self.type_definition.get_all_requirements() if self.type_definition else ():
            for name, declared in requirement.items():
                bounds = declared.get(self.OCCURRENCES) if isinstance(declared, dict) else None
                low, high = bounds if isinstance(bounds, list) and len(bounds) == 2 else (1, RANGE_UNBOUNDED)
                count = assigned.count(name)
                if isinstance(low, int) and (count < low or (isinstance(high, int) and count > high)):
                    message = f'Relationship "{name}" in template "{self.name}" has a wrong number of occurrences'
                    ExceptionCollector.appendException(ValidationError(message=message))

    def _validate_requirements(self) -> None:
        what = f'"requirements" of template "{self.name}"'
        if not isinstance(self.requirements, list):
            ExceptionCollector.appendException(TypeMismatchError(what=what, type="list"))
            self._requirements = []
        known = {name for requirement in self.type_definition.get_all_requirements() for name in requirement}
        for requirement in self.requirements:
            for name, described in requirement.items():
                if not isinstance(described, dict):
                    if name not in known and len(requirement) == 1:
                        ExceptionCollector.appendException(UnknownFieldError(what=what, field=name))
                    continue
                for key in described:
                    if key not in self.REQUIREMENTS_SECTION:
                        ExceptionCollector.appendException(UnknownFieldError(what=what, field=key))
                if described.get(self.OCCURRENCES) is not None:
                    validate_occurrences(described[self.OCCURRENCES])


def validate_occurrences(bounds: Any) -> None:
    """Reports a value that is not a range of numbers of relationships."""
    if not isinstance(validateutils.validate_list(bounds), list):
        return
    for bound in bounds:
        if bound != RANGE_UNBOUNDED and not isinstance(validateutils.validate_integer(bound), int):
            return
    low, high = bounds if len(bounds) == 2 else (-1, -1)
    if not isinstance(low, int) or low < 0 or (high != RANGE_UNBOUNDED and high < max(low, 1)):
        ExceptionCollector.appendException(InvalidPropertyValueError(what=bounds))
