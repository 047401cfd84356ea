"""Properties with their values."""

from __future__ import annotations

from typing import Any

from .dataentity import Described
from .elements.constraints import Schema
from .functions import is_function


class Property(Described):
    PROPERTY_KEYS = (TYPE, REQUIRED, DESCRIPTION, DEFAULT, CONSTRAINTS) = (
        "type", "required", "description", "default", "constraints")
    ENTRY_SCHEMA_KEYS = (ENTRYTYPE, ENTRYPROPERTIES) = ("type", "properties")

    def __init__(self, property_name: str, value: Any, schema_dict: Any, custom_def: Any = None) -> None:
        self.name = property_name
        self.value = value
        self.custom_def = custom_def
        self.schema = Schema(property_name, schema_dict)

    def validate(self) -> None:
        """Checks the value. The value of a function is unknown."""
        if not is_function(self.value):
            self.value = self._checked(self.value)
