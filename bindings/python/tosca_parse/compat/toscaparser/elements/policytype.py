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

    def get_policy(self, name: str) -> Any:
        """Returns a section of the declaration."""
        return self.entity_value(self.defs, name)

    @property
    def parent_policies(self) -> dict[str, Any]:
        """The declarations of the ancestors, except the root type."""
        return {name: declared for name, declared in self._chain()[1:] if self.derived_from(declared)}
