"""Numbers with units."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from ..common.exception import ExceptionCollector
from ..utils.validateutils import str_to_num


class ScalarUnit:
    """A number with a unit. Units don't distinguish upper and lower case."""

    SCALAR_UNIT_TYPES = (SCALAR_UNIT_SIZE, SCALAR_UNIT_FREQUENCY, SCALAR_UNIT_TIME) = (
        "scalar-unit.size", "scalar-unit.frequency", "scalar-unit.time")
    SCALAR_UNIT_DEFAULT = ""
    SCALAR_UNIT_DICT: ClassVar[dict[str, float]] = {}

    def __init__(self, value: Any) -> None:
        self.value = value

    def _check_unit_in_scalar_standard_units(self, input_unit: str) -> str | None:
        for unit in self.SCALAR_UNIT_DICT:
            if unit.lower() == input_unit.lower():
                return unit
        message = f'The unit "{input_unit}" is not valid. Valid units are "{sorted(self.SCALAR_UNIT_DICT)}".'
        ExceptionCollector.appendException(ValueError(message))
        return None

    def validate_scalar_unit(self) -> Any:
        """Returns the value with its unit in the usual notation."""
        match = re.fullmatch(r"([0-9.]+)\s*(\w+)", str(self.value).strip())
        number = str_to_num(match[1]) if match else None
        if not match or number is None:
            ExceptionCollector.appendException(ValueError(f'"{self.value}" is not a valid scalar-unit.'))
            return self.value
        unit = self._check_unit_in_scalar_standard_units(match[2])
        self.value = f"{number} {unit}" if unit else self.value
        return self.value

    def get_num_from_scalar_unit(self, unit: str | None = None) -> Any:
        """Returns the number for a unit, or for the default one. It is an integer if it can be."""
        target = self._check_unit_in_scalar_standard_units(unit) if unit else self.SCALAR_UNIT_DEFAULT
        number, _, own = str(self.validate_scalar_unit()).partition(" ")
        factors = self.SCALAR_UNIT_DICT
        if own not in factors:
            return None
        try:
            converted = str_to_num(number) * factors[own] / factors[target or self.SCALAR_UNIT_DEFAULT]
            rounded = round(converted, 9)
            return int(rounded) if rounded == int(rounded) else converted
        except OverflowError:
            ExceptionCollector.appendException(ValueError(f'"{self.value}" is too large.'))
            return None


class ScalarUnit_Size(ScalarUnit):  # noqa: N801
    SCALAR_UNIT_DEFAULT = "B"
    SCALAR_UNIT_DICT: ClassVar[dict[str, float]] = {
        "B": 1, "kB": 1000, "KiB": 1024, "MB": 1000**2, "MiB": 1024**2, "GB": 1000**3, "GiB": 1024**3,
        "TB": 1000**4, "TiB": 1024**4}


class ScalarUnit_Time(ScalarUnit):  # noqa: N801
    SCALAR_UNIT_DEFAULT = "ms"
    SCALAR_UNIT_DICT: ClassVar[dict[str, float]] = {
        "d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 0.001, "us": 0.000001, "ns": 0.000000001}


class ScalarUnit_Frequency(ScalarUnit):  # noqa: N801
    SCALAR_UNIT_DEFAULT = "GHz"
    SCALAR_UNIT_DICT: ClassVar[dict[str, float]] = {"Hz": 1, "kHz": 1000, "MHz": 1000**2, "GHz": 1000**3}


scalarunit_mapping: dict[str, type[ScalarUnit]] = {
    ScalarUnit.SCALAR_UNIT_FREQUENCY: ScalarUnit_Frequency,
    ScalarUnit.SCALAR_UNIT_SIZE: ScalarUnit_Size,
    ScalarUnit.SCALAR_UNIT_TIME: ScalarUnit_Time,
}


def get_scalarunit_class(type: str) -> type[ScalarUnit] | None:  # noqa: A002
    return scalarunit_mapping.get(type)


def get_scalarunit_value(type: str, value: Any, unit: str | None = None) -> Any:  # noqa: A002
    """Returns the number of a value for a unit."""
    kind = scalarunit_mapping.get(type)
    if kind is None:
        ExceptionCollector.appendException(TypeError(f'"{type}" is not a valid scalar-unit type.'))
        return None
    return kind(value).get_num_from_scalar_unit(unit)
