"""Triggers of policies."""

from __future__ import annotations

from typing import Any

from .common.exception import ExceptionCollector, UnknownFieldError


class Triggers:
    """A trigger. `trigger_tpl` is its text as data."""

    SECTIONS = (DESCRIPTION, EVENT, EVENT_TYPE, SCHEDULE, METER_NAME, METADATA, TARGET_FILTER, CONDITION, ACTION) = (
        "description", "event", "event_type", "schedule", "metric", "metadata", "target_filter", "condition", "action")

    def __init__(self, name: str, trigger_tpl: Any) -> None:
        self.name = name
        self.trigger_tpl: Any = trigger_tpl or {}
        for key in self.trigger_tpl:
            if key not in self.SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what=f'Triggers "{name}"', field=key))

    def get_description(self) -> Any:
        return self.trigger_tpl.get("description")

    def get_event(self) -> Any:
        return self.trigger_tpl.get("event_type") or self.trigger_tpl.get("event")

    def get_schedule(self) -> Any:
        return self.trigger_tpl.get("schedule")

    def get_target_filter(self) -> Any:
        return self.trigger_tpl.get("target_filter")

    def get_condition(self) -> Any:
        return self.trigger_tpl.get("condition")

    def get_action(self) -> Any:
        return self.trigger_tpl.get("action")
