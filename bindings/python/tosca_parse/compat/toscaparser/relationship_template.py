"""Relationship templates."""

from __future__ import annotations

from typing import Any

from .entity_template import EntityTemplate


class RelationshipTemplate(EntityTemplate):
    """A relationship template, between `source` and `target` if a requirement uses it."""

    def __init__(self, relationship_template: Any, name: str, custom_def: Any = None, target: Any = None,
                 source: Any = None) -> None:
        super().__init__(name, relationship_template, "relationship_type", custom_def)
        self.name = name.lower()
        self.target = target
        self.source = source

    def _assigned_properties(self) -> dict[str, Any]:
        relationship = self.entity_tpl.get(self.RELATIONSHIP)
        inner = relationship.get(self.PROPERTIES) if isinstance(relationship, dict) else None
        return {**super()._assigned_properties(), **(inner or {})}

    def validate(self) -> None:
        """Checks the properties."""
        self._validate_properties(self.entity_tpl, self.type_definition)
