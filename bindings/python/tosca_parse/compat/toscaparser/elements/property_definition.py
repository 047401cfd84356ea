"""Definitions of properties."""

from __future__ import annotations

from typing import Any

from ..common.exception import ExceptionCollector, InvalidSchemaError


class PropertyDef:
    PROPERTY_KEYNAME_DEFAULT = "default"
    PROPERTY_KEYNAME_REQUIRED = "required"
    PROPERTY_KEYNAME_STATUS = "status"
    PROPERTY_REQUIRED_DEFAULT = True
    VALID_REQUIRED_VALUES = ("true", "false")
    PROPERTY_STATUS_DEFAULT = "supported"
    VALID_STATUS_VALUES = ("supported", "experimental")

    def __init__(self, name: str, value: Any = None, schema: Any = None) -> None:
        self.name = name
        self.value = value
        self.schema: Any = schema if schema is not None else {}
        if not isinstance(self.schema, dict):
            return
        if schema is not None and not self.schema.get("type"):
            ExceptionCollector.appendException(
                InvalidSchemaError(message=f'Schema definition of "{name}" must have a "type" attribute.'))
        required = self.schema.get("required", True)
        if not isinstance(required, bool) and str(required).lower() not in self.VALID_REQUIRED_VALUES:
            values = ", ".join(self.VALID_REQUIRED_VALUES)
            message = (f'Schema definition of "{name}" has "required" attribute with invalid value "{required}". '
                       f'The value must be one of "{values}".')
            ExceptionCollector.appendException(InvalidSchemaError(message=message))
        if self.status not in self.VALID_STATUS_VALUES:
            values = ", ".join(self.VALID_STATUS_VALUES)
            message = (f'Schema definition of "{name}" has "status" attribute with invalid value "{self.status}". '
                       f'The value must be one of "{values}".')
            ExceptionCollector.appendException(InvalidSchemaError(message=message))

    @property
    def default(self) -> Any:
        return self.schema.get("default")

    @property
    def required(self) -> bool:
        """Whether a value is required, as the schema says; a default does not matter."""
        return str(self.schema.get("required", True)).lower() == "true"

    @property
    def status(self) -> str:
        return str(self.schema.get("status", self.PROPERTY_STATUS_DEFAULT))
