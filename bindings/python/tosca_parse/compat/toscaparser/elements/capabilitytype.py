"""Capability types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class CapabilityTypeDef(StatefulEntityType):
    """The capability `name` of the node type `ntype`, with its type `ctype`."""

    TOSCA_TYPEURI_CAPABILITY_ROOT = "tosca.capabilities.Root"

    def __init__(self, name: str, ctype: str, ntype: str, custom_def: dict[str, Any] | None = None) -> None:
        self.name = name
        self.nodetype = ntype
        super().__init__(ctype, self.CAPABILITY_PREFIX, custom_def)
        self.properties = (self.defs or {}).get(self.PROPERTIES)

    def _of(self, name: str) -> CapabilityTypeDef:
        return CapabilityTypeDef(self.name, name, self.nodetype, self.custom_def)

    def inherits_from(self, type_names: list[str] | None) -> bool:
        """Returns whether the type is one of several types or derived from it."""
        return any(self.is_derived_from(name) for name in type_names or [])
