"""Policies."""

from __future__ import annotations

from typing import Any

from .entity_template import EntityTemplate
from .reservation import Reservation
from .triggers import Triggers


class Policy(EntityTemplate):
    """A policy. `targets` are names; `targets_list` are node templates or groups."""

    def __init__(self, name: str, policy: Any, targets: Any = None, targets_type: Any = None, custom_def: Any = None) -> None:
        super().__init__(name, policy, "policy_type", custom_def)
        self.meta_data = self.entity_tpl.get(self.METADATA)
        self.targets_list = targets
        self.targets_type = targets_type
        self.triggers = [Triggers(key, value) for key, value in (self.entity_tpl.get("triggers") or {}).items()]
        self.reservation = [Reservation(self.entity_tpl["reservation"])] if self.entity_tpl.get("reservation") else []
        self.properties = self.entity_tpl.get(self.PROPERTIES) or {}

    @property
    def targets(self) -> Any:
        return self.entity_tpl.get("targets")

    @property
    def description(self) -> Any:
        return self.entity_tpl.get(self.DESCRIPTION)

    @property
    def metadata(self) -> Any:
        return self.entity_tpl.get(self.METADATA)

    def get_targets_type(self) -> Any:
        return self.targets_type

    def get_targets_list(self) -> Any:
        return self.targets_list
