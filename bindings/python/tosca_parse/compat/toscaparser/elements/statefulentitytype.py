"""Types that are found by name."""

from __future__ import annotations

from typing import Any, ClassVar

from ..common.exception import ExceptionCollector, InvalidTypeError
from .attribute_definition import AttributeDef
from .entity_type import EntityType
from .property_definition import PropertyDef


class StatefulEntityType(EntityType):
    interfaces_node_lifecycle_operations: ClassVar[list[str]] = ["create", "configure", "start", "stop", "delete"]
    interfaces_relationship_configure_operations: ClassVar[list[str]] = [
        "post_configure_source", "post_configure_target", "add_target", "remove_target"]

    def __init__(self, entitytype: str, prefix: str, custom_def: dict[str, Any] | None = None) -> None:
        self.custom_def = custom_def
        self.prefix = prefix
        for name in (entitytype, f"{prefix}{entitytype}", f"{prefix}{str(entitytype).removeprefix('tosca:')}"):
            self.defs = self._declaration(name)
            if self.defs is not None:
                self.type = name
                return
        self.type = entitytype
        ExceptionCollector.appendException(InvalidTypeError(what=entitytype))

    def get_properties_def_objects(self) -> list[PropertyDef]:
        """Returns the definitions of properties, with inherited ones."""
        return [PropertyDef(name, None, schema) for name, schema in self.get_definition(self.PROPERTIES).items()]

    def get_properties_def(self) -> dict[str, PropertyDef]:
        return {prop.name: prop for prop in self.get_properties_def_objects()}

    def get_property_def_value(self, name: str) -> PropertyDef | None:
        return self.get_properties_def().get(name)

    def get_attributes_def_objects(self) -> list[AttributeDef]:
        """Returns the definitions of attributes, with inherited ones."""
        return [AttributeDef(name, None, schema) for name, schema in self.get_definition(self.ATTRIBUTES).items()]

    def get_attributes_def(self) -> dict[str, AttributeDef]:
        return {attr.name: attr for attr in self.get_attributes_def_objects()}

    def get_attribute_def_value(self, name: str) -> AttributeDef | None:
        return self.get_attributes_def().get(name)
