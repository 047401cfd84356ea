from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

from . import model

_Path: TypeAlias = str | PathLike[str]
_Inputs: TypeAlias = Mapping[str, Any] | None
_Loader: TypeAlias = Callable[[str], bytes | str | None]

class ToscaError(Exception):
    """Raised for a template with errors; `diagnostics` are all of its problems."""

    diagnostics: list[Diagnostic]

class Point:
    """A position in a source."""

    @property
    def line(self) -> int:
        """The line, from 1."""
    @property
    def column(self) -> int:
        """The column, from 1, in characters."""
    @property
    def offset(self) -> int:
        """The offset in the source, from 0, in bytes of UTF-8."""

class Related:
    """A related position that explains a problem."""

    @property
    def file(self) -> str:
        """The name of the source: a path or a URL."""
    @property
    def start(self) -> Point:
        """The start of the position."""
    @property
    def end(self) -> Point:
        """The end of the position."""
    @property
    def message(self) -> str:
        """A short explanation, such as `defined here`."""

class Diagnostic:
    """A problem of a template. Its string form is one line, as in compilers."""

    @property
    def code(self) -> str:
        """The stable code of the rule, such as `T1201`."""
    @property
    def name(self) -> str:
        """The name of the rule, such as `unknown-keyname`."""
    @property
    def severity(self) -> Literal["error", "warning"]:
        """The severity, after applying strict mode and the levels of rules."""
    @property
    def is_error(self) -> bool:
        """Whether the problem makes the template invalid."""
    @property
    def message(self) -> str:
        """One sentence, without a final period."""
    @property
    def file(self) -> str:
        """The name of the source: a path or a URL."""
    @property
    def start(self) -> Point:
        """The start of the problem."""
    @property
    def end(self) -> Point:
        """The end of the problem: the position after its last character."""
    @property
    def related(self) -> list[Related]:
        """Related positions that explain the problem."""
    @property
    def help(self) -> list[str]:
        """The help, with one remedy per entry."""

class Outcome:
    """The result of parsing a template: its problems, and the service that it describes."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All problems, in the order of the sources and of the positions in them."""
    @property
    def is_valid(self) -> bool:
        """Whether there is no error."""
    @property
    def has_service(self) -> bool:
        """Whether the template describes a service; a profile does not."""
    def raise_for_errors(self) -> None:
        """Raises `ToscaError` if there is an error. An exception of the loader is its cause."""
    def render(self, *, color: bool = False) -> str:
        """The problems in the format of the command, with source lines."""
    def diagnostics_json(self) -> str:
        """The problems in the format of `--format json`."""
    def model(self, *, positions: bool = False) -> model.Service:
        """The normal model of the service. Raises `ValueError` if there is no service."""
    def model_json(self, *, positions: bool = False) -> str:
        """The normal model of the service as JSON."""
    def evaluate(self, inputs: _Inputs = None) -> dict[str, Any]:
        """The model with every value computed that is known before deployment (`service`), with values for inputs, and
        the values that can't be computed (`problems`)."""
    def plan(self, old: Outcome | None = None, *, inputs: _Inputs = None) -> dict[str, Any]:
        """The stages of deployment and undeployment or, with an older outcome, of the change of the deployed service.
        Values are computed as far as they are known."""
    def diff(self, old: Outcome) -> list[dict[str, Any]]:
        """The differences from an older outcome, as JSON pointers into the models."""
    def graph(self, format: Literal["svg", "dot", "mermaid"] = "svg") -> str:
        """A diagram of the topology."""

class Parser:
    """Parses service templates. Create a parser once: it caches sources, and any number of threads can use it.

    `loader` is called with the URL of each source, and returns bytes or a string, or `None` to read the source as
    usual. `limits` are those of a source: `bytes`, `depth`, `expansion`, `problems`.
    """

    def __init__(
        self,
        *,
        directory: _Path | None = None,
        profile_paths: Sequence[_Path] = (),
        import_paths: Sequence[_Path] = (),
        quirks: Sequence[str] = (),
        functions: Sequence[str] = (),
        allow: Sequence[str] = (),
        warn: Sequence[str] = (),
        deny: Sequence[str] = (),
        strict: bool = False,
        offline: bool = False,
        sandbox: bool = False,
        threads: int | None = None,
        remembered_bytes: int | None = None,
        limits: Mapping[str, int] | None = None,
        loader: _Loader | None = None,
    ) -> None: ...
    def parse(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses the template at a path or URL."""
    def parse_bytes(self, data: bytes, name: str = "service.yaml", *, inputs: _Inputs = None) -> Outcome:
        """Parses a template in memory as if it were at a path or URL."""
    def parse_text(self, text: str, name: str = "service.yaml", *, inputs: _Inputs = None) -> Outcome:
        """Parses a string as if it were at a path or URL."""
    def parse_value(self, value: Mapping[str, Any], name: str = "service.json", *, inputs: _Inputs = None) -> Outcome:
        """Parses a template that consists of dictionaries and lists. Positions are those in its JSON form."""
    def parse_many(self, paths: Sequence[_Path]) -> list[Outcome]:
        """Parses several templates on all cores. The outcomes are in the order of the paths."""
    def resolve(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses a template, and finds nodes for its open requirements."""
