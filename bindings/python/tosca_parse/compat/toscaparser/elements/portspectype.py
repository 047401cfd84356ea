"""The data type of ports."""

from __future__ import annotations

from typing import Any

from ..common.exception import ExceptionCollector, InvalidTypeAdditionalRequirementsError
from ..utils import validateutils


class PortSpec:
    SHORTNAME = "PortSpec"
    TYPE_URI = "tosca.datatypes.network.PortSpec"
    PROPERTY_NAMES = (PROTOCOL, SOURCE, SOURCE_RANGE, TARGET, TARGET_RANGE) = (
        "protocol", "source", "source_range", "target", "target_range")

    @staticmethod
    def validate_additional_req(properties: Any, prop_name: str, custom_def: Any = None) -> None:
        """Checks that a port or a range is given, and that ports are in their ranges."""
        ends = ((PortSpec.SOURCE, PortSpec.SOURCE_RANGE), (PortSpec.TARGET, PortSpec.TARGET_RANGE))
        if not any(key in properties for end in ends for key in end):
            ExceptionCollector.appendException(InvalidTypeAdditionalRequirementsError(type=PortSpec.TYPE_URI))
        for port, ports in ends:
            bounds, value = properties.get(ports), properties.get(port)
            if isinstance(bounds, list) and len(bounds) == 2 and isinstance(value, int):
                validateutils.validate_value_in_range(value, bounds, port)
