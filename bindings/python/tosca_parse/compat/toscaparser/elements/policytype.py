"""Policy types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class PolicyType(StatefulEntityType):
    def __init__(self, ptype: str, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(ptype, self.POLICY_PREFIX, custom_def)

    @property
    def description(self) -> Any:
        return self.entity_value(self.defs, "description")

    @property
    def version(self) -> Any:
        return self.entity_value(self.defs, "version")

    @property
    def targets(self) -> Any:
        return self.get_value("targets", parent=True)

    def get_policy(self, name: str) -> dict[str, Any]:
        """Returns the declaration of a policy type."""
        return self._declaration(name) or {}
