"""Artifact types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class ArtifactTypeDef(StatefulEntityType):
    def __init__(self, atype: str, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(atype, self.ARTIFACT_PREFIX, custom_def)
        self.properties = (self.defs or {}).get(self.PROPERTIES)

    def get_artifact(self, name: str) -> dict[str, Any]:
        """Returns the declaration of an artifact type."""
        return self._declaration(name) or {}
