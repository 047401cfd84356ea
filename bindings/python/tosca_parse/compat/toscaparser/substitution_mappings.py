"""Substitution mappings."""

from __future__ import annotations

from typing import Any

from .common.exception import (
    ExceptionCollector, InvalidNodeTypeError, MissingRequiredFieldError, TypeMismatchError, UnknownFieldError,
)
from .elements.entity_type import EntityType
from .elements.nodetype import NodeType


class SubstitutionMappings:
    """How a topology template substitutes a node. `sub_mapping_def` is its text as data."""

    SECTIONS = (NODE_TYPE, REQUIREMENTS, CAPABILITIES, PROPERTIES, ATTRIBUTES, INTERFACES, SUBSTITUTION_FILTER) = (
        "node_type", "requirements", "capabilities", "properties", "attributes", "interfaces", "substitution_filter")

    def __init__(self, sub_mapping_def: Any, nodetemplates: Any, inputs: Any, outputs: Any, sub_mapped_node_template: Any,
                 custom_defs: Any) -> None:
        self.sub_mapping_def = sub_mapping_def
        self.nodetemplates = nodetemplates
        self.inputs = inputs or []
        self.outputs = outputs or []
        self.sub_mapped_node_template = sub_mapped_node_template
        self.custom_defs = custom_defs or {}
        for key in sub_mapping_def:
            if key not in self.SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what="SubstitutionMappings", field=key))
        if not self.node_type:
            what = "SubstitutionMappings used in topology_template"
            ExceptionCollector.appendException(MissingRequiredFieldError(what=what, required=self.NODE_TYPE))
        elif self.node_type not in self.custom_defs and self.node_type not in EntityType.TOSCA_DEF:
            ExceptionCollector.appendException(InvalidNodeTypeError(what=self.node_type))
        self._capabilities: Any = None
        self._validate_filter()

    def _validate_filter(self) -> None:
        """Checks the filter: a node filter, or a map with a node filter."""
        outer = self.substitution_filter
        if not isinstance(outer, dict):
            return
        key, inner = ("node_filter", outer["node_filter"]) if "node_filter" in outer else (self.SUBSTITUTION_FILTER, outer)
        for name, value in inner.items() if isinstance(inner, dict) else ():
            if name not in (self.PROPERTIES, self.CAPABILITIES):
                ExceptionCollector.appendException(UnknownFieldError(what="SubstitutionMappings", field=key))
            elif not isinstance(value, list):
                what = f"{name} of the Node Filter definition Keyname"
                ExceptionCollector.appendException(TypeMismatchError(what=what, type="list"))

    @classmethod
    def get_node_type(cls, sub_mapping_def: Any) -> Any:
        return sub_mapping_def.get(cls.NODE_TYPE) if isinstance(sub_mapping_def, dict) else None

    @property
    def type(self) -> Any:
        return self.node_type

    @property
    def node_type(self) -> Any:
        return self.sub_mapping_def.get(self.NODE_TYPE)

    @property
    def capabilities(self) -> Any:
        return self.sub_mapping_def.get(self.CAPABILITIES)

    @property
    def requirements(self) -> Any:
        return self.sub_mapping_def.get(self.REQUIREMENTS)

    @property
    def properties(self) -> Any:
        return self.sub_mapping_def.get(self.PROPERTIES)

    @property
    def attributes(self) -> Any:
        return self.sub_mapping_def.get(self.ATTRIBUTES)

    @property
    def interfaces(self) -> Any:
        return self.sub_mapping_def.get(self.INTERFACES)

    @property
    def substitution_filter(self) -> Any:
        return self.sub_mapping_def.get(self.SUBSTITUTION_FILTER)

    @property
    def node_definition(self) -> NodeType:
        return NodeType(self.node_type, self.custom_defs)
