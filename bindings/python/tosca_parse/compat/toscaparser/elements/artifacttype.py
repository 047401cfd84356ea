"""Artifact types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class ArtifactTypeDef(StatefulEntityType):
    def __init__(self, atype: str, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(atype, self.ARTIFACT_PREFIX, custom_def)
        self.properties = (self.defs or {}).get(self.PROPERTIES)

    def get_artifact(self, name: str) -> Any:
        """Returns a section of the declaration."""
        return self.entity_value(self.defs, name)

    @property
    def parent_artifacts(self) -> dict[str, Any]:
        """The declarations of the ancestors, except the root type."""
        return {name: declared for name, declared in self._chain()[1:] if self.derived_from(declared)}
