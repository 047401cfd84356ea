"""Capabilities of node templates."""

from __future__ import annotations

from typing import Any

from .properties import Property


class Capability:
    """A capability. `definition` is its type."""

    def __init__(self, name: str, properties: Any, definition: Any, custom_def: Any = None) -> None:
        self.name = name
        self._properties = properties
        self.definition = definition
        self.custom_def = custom_def

    def get_properties_objects(self) -> list[Property]:
        """Returns the properties that have values."""
        schemas = self.definition.get_properties_def()
        return [Property(name, value, schemas[name].schema, self.custom_def)
                for name, value in (self._properties or {}).items() if name in schemas]

    def get_properties(self) -> dict[str, Property]:
        return {prop.name: prop for prop in self.get_properties_objects()}

    def get_property_value(self, name: str) -> Any:
        found = self.get_properties().get(name)
        return found.value if found else None
