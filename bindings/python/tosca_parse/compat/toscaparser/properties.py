"""Properties with their values."""

from __future__ import annotations

from typing import Any

from .dataentity import DataEntity
from .elements.constraints import Constraint, Schema
from .functions import is_function


class Property:
    PROPERTY_KEYS = (TYPE, REQUIRED, DESCRIPTION, DEFAULT, CONSTRAINTS) = (
        "type", "required", "description", "default", "constraints")
    ENTRY_SCHEMA_KEYS = (ENTRYTYPE, ENTRYPROPERTIES) = ("type", "properties")

    def __init__(self, property_name: str, value: Any, schema_dict: Any, custom_def: Any = None) -> None:
        self.name = property_name
        self.value = value
        self.custom_def = custom_def
        self.schema = Schema(property_name, schema_dict)

    @property
    def type(self) -> Any:
        return self.schema.type

    @property
    def required(self) -> Any:
        return self.schema.required

    @property
    def description(self) -> Any:
        return self.schema.description

    @property
    def default(self) -> Any:
        return self.schema.default

    @property
    def constraints(self) -> list[Constraint]:
        return self.schema.constraints

    @property
    def key_schema(self) -> Any:
        return self.schema.key_schema

    @property
    def entry_schema(self) -> Any:
        return self.schema.entry_schema

    def validate(self) -> None:
        """Checks the value. The value of a function is unknown."""
        if is_function(self.value):
            return
        self.value = DataEntity.validate_datatype(
            self.type, self.value, self.entry_schema, self.custom_def, self.name, self.key_schema)
        for constraint in self.constraints:
            constraint.validate(self.value)
