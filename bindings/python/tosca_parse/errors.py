"""The exceptions of the package. All of them can be pickled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from ._native import Diagnostic

__all__ = [
    "ConfigError", "ConfigWarning", "InvalidInputError", "InvalidTemplateError", "MuranoError", "MuranoErrorKind", "NoMatchingError",
    "NoServiceError", "SourceError", "ToscaError", "YamlError", "YaqlError", "YaqlErrorKind", "YayError", "YayErrorKind", "YayTypeError",
]

YayErrorKind: TypeAlias = Literal[
    "SyntaxError", "NoMatching", "TypeError", "ZeroDivisionError", "CycleError", "ParadoxError", "NotFound",
    "LimitError", "Denied",
]
"""The kinds of errors of Yay documents."""

YaqlErrorKind: TypeAlias = Literal[
    "lexical error", "syntax error", "unknown function", "unknown method", "no matching function",
    "no matching method", "ambiguous function", "ambiguous method", "mapping instead of a named argument",
    "collection too large", "memory quota exceeded", "out of memory", "too many steps", "out of time",
    "nested too deeply", "invalid value", "invalid type", "unknown key", "index out of range", "division by zero",
    "unknown attribute", "invalid regular expression", "empty collection", "assertion failed", "runtime error",
]
"""The kinds of errors of YAQL expressions."""

MuranoErrorKind: TypeAlias = Literal[
    "MplSyntax", "DslSyntax", "ContractSyntax", "Yaml", "NoClass", "NoPackage", "NoPackageForClass", "NoMethod",
    "NoProperty", "AmbiguousMethod", "AmbiguousProperty", "AmbiguousClass", "ContractViolation", "NoWriteAccess",
    "PropertyRead", "PropertyWrite", "UninitializedProperty", "MethodNotExposed", "NoObject", "CircularDependency",
    "ObjectDestroyed", "InvalidInheritance", "InvalidOperation", "InvalidAssignmentTarget", "Thrown", "YaqlLexical",
    "YaqlGrammar", "YaqlNoFunction", "YaqlNoMethod", "YaqlNoMatchingFunction", "YaqlNoMatchingMethod",
    "YaqlAmbiguousFunction", "YaqlAmbiguousMethod", "YaqlMappingTranslation", "YaqlCollectionTooLarge",
    "YaqlMemoryQuota", "Steps", "Bytes", "Time", "Depth", "Value", "Type", "Key", "Index", "ZeroDivision",
    "Attribute", "Regex", "EmptyCollection", "Assertion", "Runtime",
]
"""The kinds of errors of MuranoPL packages and models."""


class ToscaError(Exception):
    """The base of all exceptions of the package. `diagnostics` are the problems of the template, if there is one."""

    diagnostics: Sequence[Diagnostic]

    def __init__(self, message: str = "", diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.args, self.__dict__, self.__cause__))


def _restored(kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any],
              cause: BaseException | None) -> BaseException:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    error.__cause__ = cause
    return error


class InvalidTemplateError(ToscaError):
    """A template with errors."""


class InvalidInputError(InvalidTemplateError, ValueError):
    """Values for inputs that the template does not accept."""


class SourceError(InvalidTemplateError):
    """A template that can't be read, or that imports a source that can't be read."""


class YamlError(InvalidTemplateError):
    """A template, or one of its imports, that is not valid YAML."""


class NoServiceError(ToscaError, ValueError):
    """A template without a service, and so without a model. It may be a profile."""


class ConfigError(ToscaError, ValueError):
    """An invalid option of a parser or an invalid configuration. `diagnostics` has the position in a configuration."""


class ConfigWarning(UserWarning):
    """A setting that is ignored, because the configuration of a project must not change it."""


class YayError(ToscaError):
    """An error in a Yay document. `places` are its positions: source, line, column."""

    kind: YayErrorKind
    places: list[tuple[str, int, int]]

    def __init__(self, message: str = "", kind: Any = "", places: Sequence[tuple[str, int, int]] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.places = list(places)


class NoMatchingError(YayError, LookupError):
    """A key, a name or an item that does not exist."""


class YayTypeError(YayError, TypeError):
    """A value whose type is not the requested one."""


class YaqlError(ToscaError):
    """An error in a YAQL expression. `span` are offsets in the expression in bytes of UTF-8."""

    kind: YaqlErrorKind | MuranoErrorKind
    span: tuple[int, int] | None

    def __init__(self, message: str = "", kind: Any = "", span: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.span = span


class MuranoError(YaqlError):
    """An error in a MuranoPL package, model or method."""

    kind: MuranoErrorKind
