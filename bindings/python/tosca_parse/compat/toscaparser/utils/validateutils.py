"""Checks of values."""

from __future__ import annotations

import re
from typing import Any

from ..common.exception import ExceptionCollector, InvalidTOSCAVersionPropertyException, RangeValueError

RANGE_UNBOUNDED = "UNBOUNDED"


def fail(value: Any, kind: str) -> None:
    ExceptionCollector.appendException(ValueError(f'"{value}" is not {kind}.'))


def str_to_num(value: Any) -> Any:
    """Returns the number that a string is; other values are returned as they are."""
    if isinstance(value, (int, float)):
        return value
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            pass
    return None


def validate_numeric(value: Any) -> Any:
    if not isinstance(value, (int, float)):
        fail(value, "a numeric")
    return value


def validate_integer(value: Any) -> Any:
    if isinstance(value, int):
        return value
    try:
        return int(value)
    except (OverflowError, TypeError, ValueError):
        fail(value, "an integer")
    return value


def validate_float(value: Any) -> Any:
    if not isinstance(value, float):
        fail(value, "a float")
    return value


def validate_string(value: Any) -> Any:
    if not isinstance(value, str):
        fail(value, "a string")
    return value


def validate_list(value: Any) -> Any:
    if not isinstance(value, list):
        fail(value, "a list")
    return value


def validate_map(value: Any) -> Any:
    if not isinstance(value, dict):
        fail(value, "a map")
    return value


def validate_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    fail(value, "a boolean")
    return value


def validate_timestamp(value: Any) -> Any:
    text = str(value)
    form = r"\d{4}-\d{1,2}-\d{1,2}([Tt\s]\s*\d{1,2}:\d\d:\d\d(\.\d*)?\s*(Z|[-+]\d\d?(:?\d\d)?)?)?"
    if not re.fullmatch(form, text, re.IGNORECASE):
        ExceptionCollector.appendException(ValueError(f'"{value}" is not a valid timestamp.'))
    return value


def validate_range(range: Any) -> Any:
    if not isinstance(range, list) or len(range) != 2:
        fail(range, "a valid range")
        return range
    low, high = range
    for bound in range:
        if bound != RANGE_UNBOUNDED:
            validate_integer(bound)
    if isinstance(low, int) and isinstance(high, int) and low > high:
        fail(range, "a valid range")
    return range


def validate_value_in_range(value: Any, range: Any, prop_name: str) -> Any:
    validate_numeric(value)
    validate_range(range)
    low, high = range
    if (low != RANGE_UNBOUNDED and value < low) or (high != RANGE_UNBOUNDED and value > high):
        ExceptionCollector.appendException(RangeValueError(pname=prop_name, pvalue=value, vmin=low, vmax=high))
    return value


class TOSCAVersionProperty:
    """A version. `0`, `0.0` and `0.0.0` stand for no version."""

    VERSION_RE = re.compile(r"(\d+)(?:\.(\d+)(?:\.(\d+)(?:\.([0-9A-Za-z]+)(?:-(\d+))?)?)?)?")

    def __init__(self, version: Any) -> None:
        self.version = str(version)
        match = self.VERSION_RE.fullmatch(self.version)
        if not match:
            ExceptionCollector.appendException(InvalidTOSCAVersionPropertyException(what=self.version))
            return
        self.major_version, self.minor_version, self.fix_version, self.qualifier, self.build_version = match.groups()
        if match[2] is None:
            self.minor_version = "0"
            self.version = f"{self.version}.0"
        if all(part is None or set(part) == {"0"} for part in match.groups()[:3]):
            if self.qualifier:
                ExceptionCollector.appendException(InvalidTOSCAVersionPropertyException(what=self.version))
            self.version = ""

    def get_version(self) -> str | None:
        return self.version or None
