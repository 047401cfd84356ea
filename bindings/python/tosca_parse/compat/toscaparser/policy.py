"""Policies."""

from __future__ import annotations

from typing import Any

from .common.exception import ExceptionCollector, UnknownFieldError
from .entity_template import EntityTemplate
from .reservation import Reservation
from .triggers import Triggers


class Policy(EntityTemplate):
    """A policy. `targets` are names; `targets_list` are node templates or groups."""

    SECTIONS = (TYPE, METADATA, DESCRIPTION, PROPERTIES, TARGETS, TRIGGERS, RESERVATION) = (  # type: ignore[assignment]
        "type", "metadata", "description", "properties", "targets", "triggers", "reservation")

    def __init__(self, name: str, policy: Any, targets: Any = None, targets_type: Any = None, custom_def: Any = None) -> None:
        super().__init__(name, policy, "policy_type", custom_def)
        self.meta_data = self.entity_tpl.get(self.METADATA)
        self.targets_list = targets
        self.targets_type = targets_type
        self.triggers = [Triggers(key, value) for key, value in (self.entity_tpl.get("triggers") or {}).items()]
        self.reservation = [Reservation(self.entity_tpl["reservation"])] if self.entity_tpl.get("reservation") else []
        self.properties = self.entity_tpl.get(self.PROPERTIES) or {}
        for key in self.entity_tpl:
            if key not in self.SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what=f'Policy "{name}"', field=key))

    def validate(self) -> None:
        """Reports missing properties."""
        if self.type_definition:
            self._validate_required(self.type_definition.get_properties_def(), self.properties)

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
