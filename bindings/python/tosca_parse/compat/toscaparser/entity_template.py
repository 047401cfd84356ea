"""The base of templates."""

from __future__ import annotations

from typing import Any

from .capabilities import Capability
from .common.exception import ExceptionCollector, MissingRequiredFieldError, UnknownFieldError, ValidationError
from .elements.grouptype import GroupType
from .elements.interfaces import InterfacesDef, operations
from .elements.nodetype import NodeType
from .elements.policytype import PolicyType
from .elements.property_definition import PropertyDef
from .elements.relationshiptype import RelationshipType
from .properties import Property


class EntityTemplate:
    """A template. `entity_tpl` is its text as data."""

    SECTIONS = (DERIVED_FROM, PROPERTIES, REQUIREMENTS, INTERFACES, CAPABILITIES, TYPE, DESCRIPTION, DIRECTIVES,
                ATTRIBUTES, ARTIFACTS, NODE_FILTER, COPY) = (
        "derived_from", "properties", "requirements", "interfaces", "capabilities", "type", "description",
        "directives", "attributes", "artifacts", "node_filter", "copy")
    REQUIREMENTS_SECTION = (NODE, CAPABILITY, RELATIONSHIP, OCCURRENCES, _NODE_FILTER) = (
        "node", "capability", "relationship", "occurrences", "node_filter")
    SPECIAL_SECTIONS = (METADATA,) = ("metadata",)

    type_definition: Any

    def __init__(self, name: str, template: Any, entity_name: str, custom_def: Any = None) -> None:
        self.name = name
        self.entity_tpl: Any = template or {}
        self.custom_def = custom_def
        kind = self.entity_tpl.get(self.TYPE)
        if isinstance(kind, dict):
            kind = kind.get(self.TYPE)
        if entity_name == "relationship_type":
            relationship = self.entity_tpl.get(self.RELATIONSHIP)
            kind = kind or (relationship.get(self.TYPE) if isinstance(relationship, dict) else relationship)
        kinds = {"node_type": NodeType, "policy_type": PolicyType, "group_type": GroupType}
        self.type_definition = None
        if not kind:
            ExceptionCollector.appendException(MissingRequiredFieldError(what=f'Template "{name}"', required=self.TYPE))
        elif entity_name == "relationship_type":
            self.type_definition = RelationshipType(kind, None, custom_def)
        else:
            self.type_definition = kinds[entity_name](kind, custom_def)
        self._properties: list[Property] | None = None
        self._interfaces: list[InterfacesDef] | None = None
        self._capabilities: list[Capability] | None = None
        self._requirements: Any = None

    @property
    def type(self) -> Any:
        return self.type_definition.type if self.type_definition else None

    @property
    def parent_type(self) -> Any:
        return self.type_definition.parent_type if self.type_definition else None

    @property
    def requirements(self) -> Any:
        if self._requirements is None:
            self._requirements = self.entity_tpl.get(self.REQUIREMENTS) or []
        return self._requirements

    @property
    def attributes(self) -> Any:
        return self.entity_tpl.get(self.ATTRIBUTES)

    def is_derived_from(self, type_str: str) -> bool:
        """Returns whether the type of the template is a type or derived from it."""
        return bool(self.type_definition and self.type_definition.is_derived_from(type_str))

    def get_properties_objects(self) -> list[Property]:
        """Returns the properties that have values, assigned ones or defaults."""
        if self._properties is None:
            self._properties = self._create_properties()
        return self._properties

    def get_properties(self) -> dict[str, Property]:
        return {prop.name: prop for prop in self.get_properties_objects()}

    def get_property_value(self, name: str) -> Any:
        found = self.get_properties().get(name)
        return found.value if found else None

    @property
    def interfaces(self) -> list[InterfacesDef]:
        """The operations of the template."""
        if self._interfaces is None:
            self._interfaces = [
                InterfacesDef(self.type_definition, interface, self, name, value)
                for interface, declared in (self.entity_tpl.get(self.INTERFACES) or {}).items()
                for name, value in operations(declared).items()
            ]
        return self._interfaces

    def get_capabilities_objects(self) -> list[Capability]:
        """Returns the capabilities, those of the type."""
        if self._capabilities is None:
            self._capabilities = self._create_capabilities()
        return self._capabilities

    def get_capabilities(self) -> dict[str, Capability]:
        return {capability.name: capability for capability in self.get_capabilities_objects()}

    def get_capability(self, name: str) -> Capability | None:
        return self.get_capabilities().get(name)

    def _assigned_properties(self) -> dict[str, Any]:
        return self.entity_tpl.get(self.PROPERTIES) or {}

    def _create_properties(self) -> list[Property]:
        assigned = self._assigned_properties()
        found = []
        schemas = self.type_definition.get_properties_def() if self.type_definition else {}
        for name, value in assigned.items():
            if name in schemas:
                found.append(Property(name, value, schemas[name].schema, self.custom_def))
        for name, prop in schemas.items():
            if name not in assigned and prop.default is not None:
                found.append(Property(name, prop.default, prop.schema, self.custom_def))
        return found

    def _create_capabilities(self) -> list[Capability]:
        assigned = self.entity_tpl.get(self.CAPABILITIES) or {}
        found: list[Capability] = []
        if not isinstance(self.type_definition, NodeType):
            return found
        for definition in self.type_definition.get_capabilities_objects():
            values = {name: prop.default for name, prop in definition.get_properties_def().items()
                      if prop.default is not None}
            declared = assigned.get(definition.name)
            if isinstance(declared, dict):
                values |= declared.get(self.PROPERTIES) or {}
            found.append(Capability(definition.name, values, definition, self.custom_def))
        return found

    def _validate_properties(self, template: Any, entitytype: Any) -> None:
        properties = entitytype.get_value(self.PROPERTIES, template)
        self._common_validate_properties(entitytype, properties)

    def _common_validate_properties(self, entitytype: Any, properties: Any) -> None:
        schemas = entitytype.get_properties_def()
        for name in properties or {}:
            if name not in schemas:
                what = f'"properties" of template "{self.name}"'
                ExceptionCollector.appendException(UnknownFieldError(what=what, field=name))
        self._validate_required(schemas, properties)

    def _validate_required(self, schemas: dict[str, PropertyDef], properties: Any) -> None:
        what = f'"properties" of template "{self.name}"'
        required = [name for name, prop in schemas.items() if prop.required and prop.default is None]
        missing = [name for name in required if name not in (properties or {})]
        if missing:
            ExceptionCollector.appendException(MissingRequiredFieldError(what=what, required=missing))
        for name in required:
            if name in (properties or {}) and properties[name] is None:
                ExceptionCollector.appendException(MissingRequiredFieldError(what=what, required=[name]))

    def _validate_capabilities(self) -> None:
        assigned = self.entity_tpl.get(self.CAPABILITIES)
        if not isinstance(self.type_definition, NodeType) or not assigned:
            return
        known = self.type_definition.get_capabilities()
        for name in assigned:
            if name not in known:
                what = f'"capabilities" of template "{self.name}"'
                ExceptionCollector.appendException(UnknownFieldError(what=what, field=name))
        for name, declared in assigned.items():
            capability = self.get_capability(name)
            if capability and isinstance(declared, dict) and declared.get(self.PROPERTIES):
                self._common_validate_properties(capability.definition, declared[self.PROPERTIES])
                for prop in capability.get_properties_objects():
                    prop.validate()
                values = capability.get_properties()
                if name == "scalable" and "default_instances" in values:
                    low, high = values["min_instances"].value, values["max_instances"].value
                    if not low <= values["default_instances"].value <= high:
                        message = (f'"properties" of template "{self.name}": "default_instances" value is not between '
                                   '"min_instances" and "max_instances".')
                        ExceptionCollector.appendException(ValidationError(message=message))
