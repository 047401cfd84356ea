"""Reservations of policies, an extension of OpenStack."""

from __future__ import annotations

from typing import Any



class Reservation:
    SECTIONS = (START_ACTIONS, BEFORE_END_ACTIONS, END_ACTIONS, PROPERTIES) = (
        "start_actions", "before_end_actions", "end_actions", "properties")

    def __init__(self, reservation_tpl: Any) -> None:
        self.reservation_tpl = reservation_tpl
