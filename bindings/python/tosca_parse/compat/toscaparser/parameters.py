"""Inputs and outputs."""

from __future__ import annotations

from typing import Any

from .common.exception import (
    ExceptionCollector, InvalidTypeError, MissingRequiredFieldError, UnknownFieldError,
)
from .dataentity import Described
from .elements.constraints import Schema
from .elements.entity_type import EntityType


class Input(Described):
    INPUTFIELD = (TYPE, DESCRIPTION, DEFAULT, CONSTRAINTS, REQUIRED, STATUS, KEY_SCHEMA, ENTRY_SCHEMA) = (
        "type", "description", "default", "constraints", "required", "status", "key_schema", "entry_schema")

    def __init__(self, name: str, schema_dict: Any, custom_def: Any = None) -> None:
        self.name = name
        self.schema = Schema(name, schema_dict)
        self.custom_def = custom_def
        self._validate_field()
        self.validate_type(self.type)

    def validate(self, value: Any = None) -> None:
        """Checks the definition and, if there is one, a value."""
        if value is not None:
            self._checked(value)

    def _validate_field(self) -> None:
        for key in self.schema.schema:
            if key not in self.INPUTFIELD and key not in ("metadata", "value"):
                ExceptionCollector.appendException(UnknownFieldError(what=f'Input "{self.name}"', field=key))

    def validate_type(self, input_type: Any) -> None:
        known = input_type in Schema.PROPERTY_TYPES or input_type in EntityType.TOSCA_DEF
        if input_type and not known and input_type not in (self.custom_def or {}):
            ExceptionCollector.appendException(InvalidTypeError(what=input_type))


class Output:
    OUTPUTFIELD = (DESCRIPTION, VALUE) = ("description", "value")

    def __init__(self, name: str, attrs: Any) -> None:
        self.name = name
        self.attrs = attrs

    @property
    def description(self) -> Any:
        return self.attrs.get(self.DESCRIPTION)

    @property
    def value(self) -> Any:
        return self.attrs.get(self.VALUE)

    def validate(self) -> None:
        """Reports a missing value and unknown keys."""
        if not isinstance(self.attrs, dict) or self.VALUE not in self.attrs:
            ExceptionCollector.appendException(
                MissingRequiredFieldError(what=f'Output "{self.name}"', required=self.VALUE))
        for key in self.attrs if isinstance(self.attrs, dict) else ():
            if key not in self.OUTPUTFIELD and key not in ("type", "required"):
                ExceptionCollector.appendException(UnknownFieldError(what=f'Output "{self.name}"', field=key))
