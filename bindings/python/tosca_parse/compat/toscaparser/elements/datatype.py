"""Data types."""

from __future__ import annotations

from typing import Any

from .property_definition import PropertyDef
from .statefulentitytype import StatefulEntityType

SIMPLE = {"string", "integer", "float", "boolean", "timestamp", "null", "version", "range", "list", "map"}


class DataType(StatefulEntityType):
    def __init__(self, datatypename: str, custom_def: dict[str, Any] | None = None) -> None:
        self.custom_def = custom_def
        network = f"{self.DATATYPE_NETWORK_PREFIX}{datatypename}"
        name = network if self._declaration(network) else datatypename
        super().__init__(name, self.DATATYPE_PREFIX, custom_def)

    @property
    def value_type(self) -> str | None:
        """The simple type that the type is derived from; `None` for types with properties."""
        return next((name for name, _ in self._chain() if name in SIMPLE or name.startswith("scalar-unit.")), None)

    def get_all_properties_objects(self) -> list[PropertyDef]:
        return self.get_properties_def_objects()

    def get_all_properties(self) -> dict[str, PropertyDef]:
        return self.get_properties_def()

    def get_all_property_value(self, name: str) -> PropertyDef | None:
        return self.get_property_def_value(name)
