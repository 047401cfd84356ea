"""Parser and validator for TOSCA service templates that returns complete models."""

from ._native import VERSION as __version__
from ._native import Diagnostic, Edit, Outcome, Parser, Point, Related, format_text
from .errors import (
    ConfigError, ConfigWarning, InvalidInputError, InvalidTemplateError, NoServiceError, SourceError, ToscaError,
    YamlError,
)

__all__ = [
    "ConfigError", "ConfigWarning", "Diagnostic", "Edit", "InvalidInputError", "InvalidTemplateError",
    "NoServiceError", "Outcome", "Parser", "Point", "Related", "SourceError", "ToscaError", "YamlError", "__version__",
    "format_text",
]
