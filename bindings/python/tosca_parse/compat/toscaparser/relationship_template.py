"""Relationship templates."""

from __future__ import annotations

from typing import Any

from .entity_template import EntityTemplate
from .properties import Property


class RelationshipTemplate(EntityTemplate):
    """A relationship template, between `source` and `target` if a requirement uses it."""

    def __init__(self, relationship_template: Any, name: str, custom_def: Any = None, target: Any = None,
                 source: Any = None) -> None:
        super().__init__(name, relationship_template, "relationship_type", custom_def)
        self.name = name.lower()
        self.target = target
        self.source = source

    def _create_properties(self) -> list[Property]:
        relationship = self.entity_tpl.get(self.RELATIONSHIP)
        inner = relationship.get(self.PROPERTIES) if isinstance(relationship, dict) else None
        assigned = {**(self.entity_tpl.get(self.PROPERTIES) or {}), **(inner or {})}
        schemas = self.type_definition.get_properties_def() if self.type_definition else {}
        found = [Property(name, value, schemas[name].schema, self.custom_def)
                 for name, value in assigned.items() if name in schemas]
        return found + [Property(name, prop.default, prop.schema, self.custom_def)
                        for name, prop in schemas.items() if name not in assigned and prop.default is not None]

    def validate(self) -> None:
        """Checks the properties."""
        self._validate_properties(self.entity_tpl, self.type_definition)
