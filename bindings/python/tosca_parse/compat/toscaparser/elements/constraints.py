"""Schemas and constraints of values."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ....yaql import YaqlError, evaluate
from ..common.exception import ExceptionCollector, InvalidSchemaError, ValidationError
from ..utils.validateutils import RANGE_UNBOUNDED
from .portspectype import PortSpec
from .scalarunit import get_scalarunit_value

# The maximum product of the lengths of a pattern and a value.
MAX_MATCH = 10_000_000


class Schema(Mapping[str, Any]):
    """The schema of an input or property."""

    KEYS = (TYPE, REQUIRED, DESCRIPTION, DEFAULT, CONSTRAINTS, KEYSCHEMA, ENTRYSCHEMA, STATUS) = (
        "type", "required", "description", "default", "constraints", "key_schema", "entry_schema", "status")
    PROPERTY_TYPES = (INTEGER, STRING, BOOLEAN, FLOAT, RANGE, NUMBER, TIMESTAMP, LIST, MAP, SCALAR_UNIT_SIZE,
                      SCALAR_UNIT_FREQUENCY, SCALAR_UNIT_TIME, VERSION, PORTDEF, PORTSPEC) = (
        "integer", "string", "boolean", "float", "range", "number", "timestamp", "list", "map", "scalar-unit.size",
        "scalar-unit.frequency", "scalar-unit.time", "version", "PortDef", PortSpec.SHORTNAME)

    def __init__(self, name: str, schema_dict: Any) -> None:
        self.name = name
        if not isinstance(schema_dict, Mapping):
            ExceptionCollector.appendException(
                InvalidSchemaError(message=f'Schema definition of "{name}" must be a dict.'))
            schema_dict = {}
        elif not schema_dict.get("type"):
            ExceptionCollector.appendException(
                InvalidSchemaError(message=f'Schema definition of "{name}" must have a "type" attribute.'))
        self.schema = schema_dict

    @property
    def type(self) -> Any:
        return self.schema.get(self.TYPE)

    @property
    def required(self) -> Any:
        return self.schema.get(self.REQUIRED, True)

    @property
    def description(self) -> Any:
        return self.schema.get(self.DESCRIPTION, "")

    @property
    def default(self) -> Any:
        return self.schema.get(self.DEFAULT)

    @property
    def status(self) -> Any:
        return self.schema.get(self.STATUS, "")

    @property
    def constraints(self) -> list[Constraint]:
        return [Constraint(self.name, self.type, one) for one in self.schema.get(self.CONSTRAINTS) or []]

    @property
    def key_schema(self) -> Any:
        return self.schema.get(self.KEYSCHEMA)

    @property
    def entry_schema(self) -> Any:
        return self.schema.get(self.ENTRYSCHEMA)

    def __getitem__(self, key: str) -> Any:
        return self.schema[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key in self.KEYS if key in self.schema)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Constraint:
    """A constraint of a property. `Constraint(…)` returns an instance of the class of its operator."""

    CONSTRAINTS = (EQUAL, GREATER_THAN, GREATER_OR_EQUAL, LESS_THAN, LESS_OR_EQUAL, IN_RANGE, VALID_VALUES, LENGTH,
                   MIN_LENGTH, MAX_LENGTH, PATTERN) = (
        "equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal", "in_range", "valid_values",
        "length", "min_length", "max_length", "pattern")
    UNBOUNDED = RANGE_UNBOUNDED
    constraint_key: ClassVar[str]
    valid_types: ClassVar[tuple[type, ...]] = ()
    valid_prop_types: ClassVar[tuple[str, ...]] = ()
    expected: ClassVar[str] = ""
    failure: ClassVar[str] = ""

    def __new__(cls, property_name: str, property_type: str, constraint: Any) -> Constraint:
        if cls is not Constraint:
            return super().__new__(cls)
        if not isinstance(constraint, Mapping) or len(constraint) != 1:
            ExceptionCollector.appendException(InvalidSchemaError(message="Invalid constraint schema."))
            return super().__new__(cls)
        for operator in constraint:
            found = constraint_mapping.get(operator)
            if found is None:
                ExceptionCollector.appendException(InvalidSchemaError(message=f'Invalid property "{operator}".'))
                return super().__new__(cls)
            return super().__new__(found)
        return super().__new__(cls)

    def __init__(self, property_name: str, property_type: str, constraint: Any) -> None:
        self.property_name = property_name
        self.property_type = property_type
        if type(self) is Constraint:
            return
        self.constraint_value = self.constraint_value_msg = constraint[self.constraint_key]
        if property_type in ("scalar-unit.size", "scalar-unit.frequency", "scalar-unit.time"):
            self.constraint_value = self._number(self.constraint_value)
        if property_type not in self.valid_prop_types:
            message = f'Property "{self.constraint_key}" is not valid for data type "{property_type}".'
            ExceptionCollector.appendException(InvalidSchemaError(message=message))
        if not self._is_schema_valid():
            message = f'The property "{self.constraint_key}" expects {self.expected}.'
            ExceptionCollector.appendException(InvalidSchemaError(message=message))

    def _number(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._number(item) for item in value]
        return value if value == self.UNBOUNDED else get_scalarunit_value(self.property_type, value)

    def _is_schema_valid(self) -> bool:
        return not self.valid_types or isinstance(self.constraint_value, self.valid_types)

    def _is_valid(self, value: Any) -> bool:
        raise NotImplementedError

    def _err_msg(self, value: Any) -> str:
        return self.failure.format(value=value, name=self.property_name, operand=self.constraint_value_msg)

    def validate(self, value: Any) -> None:
        """Reports a value that doesn't satisfy the constraint. Values of functions are unknown."""
        from ..functions import is_function

        if is_function(value):
            return
        shown = value
        if self.property_type in ("scalar-unit.size", "scalar-unit.frequency", "scalar-unit.time"):
            value = self._number(value)
        try:
            is_valid = self._is_valid(value)
        except TypeError:  # a value of another type
            is_valid = False
        if not is_valid:
            ExceptionCollector.appendException(ValidationError(message=self._err_msg(shown)))


ANY = Schema.PROPERTY_TYPES
ORDERED = ("integer", "float", "timestamp", "scalar-unit.size", "scalar-unit.frequency", "scalar-unit.time")
COMPARABLE = (int, float, datetime.date, datetime.time, datetime.datetime)


class Equal(Constraint):
    constraint_key = Constraint.EQUAL
    valid_prop_types = ANY
    failure = 'The value "{value}" of property "{name}" is not equal to "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return bool(value == self.constraint_value)


class GreaterThan(Constraint):
    constraint_key = Constraint.GREATER_THAN
    valid_types = COMPARABLE
    valid_prop_types = ORDERED
    expected = "comparable values"
    failure = 'The value "{value}" of property "{name}" must be greater than "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return bool(value > self.constraint_value)


class GreaterOrEqual(GreaterThan):
    constraint_key = Constraint.GREATER_OR_EQUAL
    failure = 'The value "{value}" of property "{name}" must be greater than or equal to "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return bool(value >= self.constraint_value)


class LessThan(GreaterThan):
    constraint_key = Constraint.LESS_THAN
    failure = 'The value "{value}" of property "{name}" must be less than "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return bool(value < self.constraint_value)


class LessOrEqual(GreaterThan):
    constraint_key = Constraint.LESS_OR_EQUAL
    failure = 'The value "{value}" of property "{name}" must be less than or equal to "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return bool(value <= self.constraint_value)


class InRange(Constraint):
    constraint_key = Constraint.IN_RANGE
    valid_prop_types = (*ORDERED, "range")
    expected = "a list"
    failure = 'The value "{value}" of property "{name}" is out of range "(min:{low}, max:{high})".'

    def __init__(self, property_name: str, property_type: str, constraint: Any) -> None:
        super().__init__(property_name, property_type, constraint)
        self.min: Any = None
        self.max: Any = None
        bounds = self.constraint_value
        if isinstance(bounds, list) and len(bounds) == 2:
            self.min, self.max = bounds

    def _is_schema_valid(self) -> bool:
        if isinstance(self.constraint_value, list) and len(self.constraint_value) != 2:
            ExceptionCollector.appendException(InvalidSchemaError(message='The property "in_range" expects a list.'))
        for bound in self.constraint_value if isinstance(self.constraint_value, list) else ():
            if bound != self.UNBOUNDED and not isinstance(bound, COMPARABLE):
                message = 'The property "in_range" expects comparable values.'
                ExceptionCollector.appendException(InvalidSchemaError(message=message))
        return isinstance(self.constraint_value, list)

    def _is_valid(self, value: Any) -> bool:
        return self._outside(value) is None

    def _outside(self, value: Any) -> Any:
        """Returns the value or, of a range, the first bound that is out of range."""
        for one in value if isinstance(value, list) else [value]:
            if one != self.UNBOUNDED and not (
                    (self.min == self.UNBOUNDED or one >= self.min) and (self.max == self.UNBOUNDED or one <= self.max)):
                return one
        return None

    def _err_msg(self, value: Any) -> str:
        low, high = self.constraint_value_msg
        if isinstance(value, list):
            value = self._outside(value)
        return self.failure.format(value=value, name=self.property_name, low=low, high=high)


class ValidValues(Constraint):
    constraint_key = Constraint.VALID_VALUES
    valid_types = (list,)
    valid_prop_types = ANY
    expected = "a list"

    def _is_valid(self, value: Any) -> bool:
        values = value if isinstance(value, list) else [value]
        return all(one in self.constraint_value for one in values)

    def _err_msg(self, value: Any) -> str:
        allowed = "[{}]".format(", ".join(str(one) for one in self.constraint_value))
        return f'The value "{value}" of property "{self.property_name}" is not valid. Expected a value from "{allowed}".'


class Length(Constraint):
    constraint_key = Constraint.LENGTH
    valid_types = (int,)
    valid_prop_types: ClassVar[tuple[str, ...]] = ("string",)
    expected = "an integer"
    failure = 'Length of value "{value}" of property "{name}" must be equal to "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        return isinstance(value, (str, list, dict)) and self._fits(len(value))

    def _fits(self, length: int) -> bool:
        return bool(length == self.constraint_value)


class MinLength(Length):
    constraint_key = Constraint.MIN_LENGTH
    valid_prop_types = ("string", "map", "list")
    failure = 'Length of value "{value}" of property "{name}" must be at least "{operand}".'

    def _fits(self, length: int) -> bool:
        return bool(length >= self.constraint_value)


class MaxLength(Length):
    constraint_key = Constraint.MAX_LENGTH
    valid_prop_types = ("string", "map", "list")
    failure = 'Length of value "{value}" of property "{name}" must be no greater than "{operand}".'

    def _fits(self, length: int) -> bool:
        return bool(length <= self.constraint_value)


class Pattern(Constraint):
    constraint_key = Constraint.PATTERN
    valid_types = (str,)
    valid_prop_types = ("string",)
    expected = "a string"
    failure = 'The value "{value}" of property "{name}" does not match pattern "{operand}".'

    def _is_valid(self, value: Any) -> bool:
        if not isinstance(value, str) or not isinstance(self.constraint_value, str):
            return False
        data = {"value": value, "pattern": rf"\A(?:{self.constraint_value})\Z"}
        try:
            if len(value) * len(self.constraint_value) > MAX_MATCH:
                raise YaqlError("the pattern and the value are too long")
            return bool(evaluate("$.value =~ $.pattern", data))  # in a limited time, unlike `re`
        except YaqlError as error:
            ExceptionCollector.appendException(
                InvalidSchemaError(message=f'The pattern "{self.constraint_value}" can\'t be matched: {error}.'))
            return True


constraint_mapping: dict[str, type[Constraint]] = {
    kind.constraint_key: kind
    for kind in (Equal, GreaterThan, GreaterOrEqual, LessThan, LessOrEqual, InRange, ValidValues, Length, MinLength,
                 MaxLength, Pattern)
}


def get_constraint_class(type: str) -> type[Constraint] | None:  # noqa: A002
    return constraint_mapping.get(type)
