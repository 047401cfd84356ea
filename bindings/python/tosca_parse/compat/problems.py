"""Problems of the parser as exceptions of `toscaparser`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

import yaml  # type: ignore

from .. import Diagnostic
from . import definitions
from .toscaparser.common import exception as exceptions
from .toscaparser.utils.yamlparser import Loader

# Rules that `toscaparser` does not have, or that its classes check in its own way.
ACCEPTED = frozenset({
    "T1001", "T1002",  # imports: ToscaTemplate reports them as it reads them
    "T1102",  # duplicate keys
    "T1206",  # keys without values
    "T1208",  # requirements with several entries
    "T5303", "T5304", "T5307",  # the targets and number of requirements
    "T5101", "T5103", "T5106",  # values of properties: NodeTemplate checks them
})


class Scope:
    """The part of a template that `toscaparser` checks: the topology template, except policies and mappings."""

    def __init__(self, file: str, text: str, types: Iterable[str] = ()) -> None:
        self.types = {*types, *definitions.flat()}
        self.file = os.path.abspath(file)
        self.lines: set[int] = set()
        root = yaml.compose(text, Loader=Loader)
        for key, value in mapping(root):
            for section, part in mapping(value) if key.value == "topology_template" else ():
                if section.value not in ("policies", "substitution_mappings"):
                    self.lines.update(range(section.start_mark.line + 1, part.end_mark.line + 2))

    def accepts(self, problem: Diagnostic) -> bool:
        """Returns whether `toscaparser` accepts a template with a problem."""
        if not problem.is_error or problem.code in ACCEPTED:
            return True
        if os.path.abspath(problem.file) != self.file or problem.start.line not in self.lines:
            return True
        if problem.code == "T5001" and not re.search(" has no (interface|operation|notification) ", problem.message):
            return True  # requirements, and members that NodeTemplate checks
        if problem.code == "T1205" and problem.message.startswith("`file` "):
            return True  # calls of functions in artifacts
        quoted = re.findall(r"`([^`]+)`", problem.message)
        return problem.code == "T2001" and bool(quoted) and quoted[0] in self.types


def mapping(node: Any) -> list[tuple[Any, Any]]:
    return node.value if isinstance(node, yaml.MappingNode) else []


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
    if problem.code == "T2001" and " type `" not in problem.message:
        kind = exceptions.UnknownInputError if " input `" in problem.message else exceptions.ValidationError
    error = kind(message=message)
    error.message = message
    error.args = (message,)
    error.diagnostics = [problem]
    return error
