"""Checks of values against data types."""

from __future__ import annotations

from typing import Any

from .common.exception import (
    ExceptionCollector, MissingRequiredFieldError, TypeMismatchError, UnknownFieldError,
)
from .elements.constraints import Constraint, Schema
from .elements.datatype import DataType
from .elements.portspectype import PortSpec
from .elements.scalarunit import get_scalarunit_class
from .functions import is_function
from .utils import validateutils
from .utils.validateutils import TOSCAVersionProperty

SIMPLE = {
    Schema.STRING: validateutils.validate_string, Schema.INTEGER: validateutils.validate_integer,
    Schema.FLOAT: validateutils.validate_float, Schema.NUMBER: validateutils.validate_numeric,
    Schema.BOOLEAN: validateutils.validate_boolean, Schema.RANGE: validateutils.validate_range,
    Schema.TIMESTAMP: validateutils.validate_timestamp,
}


class Described:
    """A value with a schema: an input or a property."""

    name: str
    schema: Schema
    custom_def: Any

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
    def status(self) -> Any:
        return self.schema.status

    @property
    def constraints(self) -> list[Constraint]:
        return self.schema.constraints

    @property
    def key_schema(self) -> Any:
        return self.schema.key_schema

    @property
    def entry_schema(self) -> Any:
        return self.schema.entry_schema

    def _checked(self, value: Any) -> Any:
        """Checks a value, and returns it as a value of its type."""
        value = DataEntity.validate_datatype(
            self.type, value, self.entry_schema, self.custom_def, self.name, self.key_schema)
        for constraint in self.constraints:
            constraint.validate(value)
        return value


class DataEntity:
    """A value of a complex data type."""

    def __init__(self, datatypename: str, value_dict: Any, custom_def: Any = None, prop_name: str | None = None) -> None:
        self.custom_def = custom_def
        self.type = datatypename
        self.datatype = DataType(datatypename, custom_def)
        self.schema = self.datatype.get_all_properties()
        self.value = value_dict
        self.property_name = prop_name

    def validate(self) -> Any:
        """Checks the value, and returns it."""
        if self.datatype.value_type:
            self.value = DataEntity.validate_datatype(self.datatype.value_type, self.value, None, self.custom_def)
            for constraint in self.datatype.get_value("constraints", parent=True) or []:
                Constraint(self.property_name or self.type, self.datatype.value_type, constraint).validate(self.value)
            return self.value
        if not isinstance(self.value, dict):
            ExceptionCollector.appendException(TypeMismatchError(what=self.value, type=self.datatype.type))
            return self.value
        what = f"Data value of type \"{self.datatype.type}\""
        for key in self.value:
            if key not in self.schema:
                ExceptionCollector.appendException(UnknownFieldError(what=what, field=key))
        self.value = self.value | {name: prop.default for name, prop in self.schema.items()
                                   if prop.default is not None and name not in self.value}
        missing = [name for name, prop in self.schema.items() if prop.required and name not in self.value]
        if missing:
            ExceptionCollector.appendException(MissingRequiredFieldError(what=what, required=missing))
        for name, value in self.value.items():
            if name in self.schema:
                schema = Schema(name, self.schema[name].schema)
                DataEntity.validate_datatype(schema.type, value, schema.entry_schema, self.custom_def, name,
                                             schema.key_schema)
                for constraint in schema.constraints:
                    constraint.validate(value)
        return self.value

    def _find_schema(self, name: str) -> Any:
        return self.schema[name].schema if name in self.schema else None

    @staticmethod
    def validate_datatype(type: Any, value: Any, entry_schema: Any = None, custom_def: Any = None,  # noqa: A002
                          prop_name: str | None = None, key_schema: Any = None) -> Any:
        """Checks a value, and returns it as a value of its type."""
        if is_function(value):
            return value
        if type in SIMPLE:
            return SIMPLE[type](value)
        unit = get_scalarunit_class(type)
        if unit:
            return unit(value).validate_scalar_unit()
        if type == Schema.VERSION:
            return TOSCAVersionProperty(value).get_version()
        if type in (Schema.LIST, Schema.MAP):
            (validateutils.validate_list if type == Schema.LIST else validateutils.validate_map)(value)
            if entry_schema and isinstance(value, (list, dict)):
                DataEntity.validate_entry(value, entry_schema, custom_def)
            if key_schema and isinstance(value, dict):
                DataEntity.validate_entry(list(value), key_schema, custom_def)
            return value
        if type in (Schema.PORTSPEC, PortSpec.TYPE_URI):
            DataEntity(PortSpec.TYPE_URI, value, custom_def, prop_name).validate()
            if isinstance(value, dict):
                PortSpec.validate_additional_req(value, str(prop_name), custom_def)
            return value
        return DataEntity(type, value, custom_def, prop_name).validate()

    @staticmethod
    def validate_entry(value: Any, entry_schema: Any, custom_def: Any = None) -> Any:
        """Checks the entries of a list or map."""
        schema = entry_schema if isinstance(entry_schema, dict) else {"type": entry_schema}
        for entry in value.values() if isinstance(value, dict) else value:
            DataEntity.validate_datatype(schema.get("type"), entry, schema.get("entry_schema"), custom_def, None,
                                         schema.get("key_schema"))
            for constraint in schema.get("constraints") or []:
                Constraint("", schema["type"], constraint).validate(entry)
        return value
