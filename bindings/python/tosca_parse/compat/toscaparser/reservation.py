"""Reservations of policies, an extension of OpenStack."""

from __future__ import annotations

from typing import Any

from .common.exception import ExceptionCollector, MissingRequiredFieldError, UnknownFieldError

class Reservation:
    SECTIONS = (START_ACTIONS, BEFORE_END_ACTIONS, END_ACTIONS, PROPERTIES) = (
        "start_actions", "before_end_actions", "end_actions", "properties")

    def __init__(self, reservation_tpl: Any) -> None:
        self.reservation_tpl = reservation_tpl
        for key in reservation_tpl:
            if key not in self.SECTIONS:
                ExceptionCollector.appendException(UnknownFieldError(what="Reservation", field=key))
        for key in self.SECTIONS:
            if key not in reservation_tpl and key != self.PROPERTIES:
                ExceptionCollector.appendException(MissingRequiredFieldError(what="Reservation", required=key))
