"""Definitions of attributes."""

from __future__ import annotations

from typing import Any


class AttributeDef:
    def __init__(self, name: str, value: Any = None, schema: Any = None) -> None:
        self.name = name
        self.value = value
        self.schema = schema
