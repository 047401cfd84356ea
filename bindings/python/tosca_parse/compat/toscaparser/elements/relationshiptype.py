"""Relationship types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class RelationshipType(StatefulEntityType):
    def __init__(self, type: str, capability_name: str | None = None, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(type, self.RELATIONSHIP_PREFIX, custom_def)
        self.capability_name = capability_name

    def _of(self, name: str) -> RelationshipType:
        return RelationshipType(name, self.capability_name, self.custom_def)

    @property
    def interfaces(self) -> Any:
        return self.get_value(self.INTERFACES)

    @property
    def valid_target_types(self) -> Any:
        return self.entity_value(self.defs, "valid_target_types")
