"""Group types."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType


class GroupType(StatefulEntityType):
    def __init__(self, grouptype: str, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(grouptype, self.GROUP_PREFIX, custom_def)

    @property
    def description(self) -> Any:
        return self.entity_value(self.defs, "description")

    @property
    def version(self) -> Any:
        return self.entity_value(self.defs, "version")

    @property
    def interfaces(self) -> Any:
        return self.get_value(self.INTERFACES)
