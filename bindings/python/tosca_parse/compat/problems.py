"""Problems of the parser as exceptions of `toscaparser`."""

from __future__ import annotations

import re

from .. import Diagnostic
from . import definitions
from .toscaparser.common import exception as exceptions

# Rules that `toscaparser` does not have: such templates are accepted. `ToscaTemplate.outcome` still has the problems.
ACCEPTED: frozenset[str] = frozenset()


def accepted(problem: Diagnostic) -> bool:
    """Returns whether `toscaparser` accepts a template with a problem."""
    if not problem.is_error or problem.code in ACCEPTED:
        return True
    quoted = re.findall(r"`([^`]+)`", problem.message)
    return problem.code == "T2001" and bool(quoted) and quoted[0] in definitions.flat()


def exception(problem: Diagnostic) -> Exception:
    """Returns the exception for a problem. Its message is that of the parser, with the position."""
    message = f"{problem.file}:{problem.start.line}:{problem.start.column}: {problem.message}"
    kinds: dict[str, type[exceptions.TOSCAException]] = {
        "T1201": exceptions.UnknownFieldError, "T1204": exceptions.MissingRequiredFieldError,
        "T1205": exceptions.TypeMismatchError, "T1302": exceptions.InvalidTemplateVersion,
        "T2001": exceptions.InvalidTypeError, "T5106": exceptions.MissingRequiredFieldError,
    }
    if problem.code in ("T1001", "T1002"):
        return ImportError(message)
    kind = kinds.get(problem.code, exceptions.ValidationError)
    error = kind(message=message)
    error.message = message
    error.args = (message,)
    error.diagnostics = [problem]
    return error
