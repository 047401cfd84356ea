from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

from . import model

_Path: TypeAlias = str | PathLike[str]
_Inputs: TypeAlias = Mapping[str, Any] | None
_Loader: TypeAlias = Callable[[str], bytes | str | None]

class ToscaError(Exception):
    """A template has errors; `diagnostics` are all of its problems."""

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
        """The offset in the text, from 0, in bytes of UTF-8."""

class Related:
    """A place that explains a problem."""

    @property
    def file(self) -> str:
        """The name of the source: a path or a URL."""
    @property
    def start(self) -> Point:
        """Where the place begins."""
    @property
    def end(self) -> Point:
        """Where it ends."""
    @property
    def message(self) -> str:
        """What is to be seen there: `defined here`."""

class Diagnostic:
    """A problem of a template. As a string it is one line, like those of compilers."""

    @property
    def code(self) -> str:
        """The stable code of the rule, such as `T1201`."""
    @property
    def name(self) -> str:
        """The name of the rule, such as `unknown-keyname`."""
    @property
    def severity(self) -> Literal["error", "warning"]:
        """How severe it is, after strict mode and the levels of rules."""
    @property
    def is_error(self) -> bool:
        """Whether the template is invalid because of it."""
    @property
    def message(self) -> str:
        """One sentence, without full stop."""
    @property
    def file(self) -> str:
        """The name of the source: a path or a URL."""
    @property
    def start(self) -> Point:
        """Where the problem begins."""
    @property
    def end(self) -> Point:
        """Where it ends: the position after its last character."""
    @property
    def related(self) -> list[Related]:
        """Places that explain the problem."""
    @property
    def help(self) -> list[str]:
        """What the author can do, one remedy per entry."""

class Outcome:
    """What came of parsing a template: its problems, and what it describes."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All problems, in the order of the sources and of the places in them."""
    @property
    def is_valid(self) -> bool:
        """Whether there is no error."""
    @property
    def has_service(self) -> bool:
        """Whether the template describes a service; a profile does not."""
    def raise_for_errors(self) -> None:
        """Raises `ToscaError` if there is an error. What the loader raised is its cause."""
    def render(self, *, color: bool = False) -> str:
        """The problems as the command shows them, with the source lines."""
    def diagnostics_json(self) -> str:
        """The problems as `--format json` writes them."""
    def model(self, *, positions: bool = False) -> model.Service:
        """The normal model of the service. Raises `ValueError` if there is no service."""
    def model_json(self, *, positions: bool = False) -> str:
        """The same as JSON."""
    def evaluate(self, inputs: _Inputs = None) -> dict[str, Any]:
        """The model with everything computed that is known before deployment (`service`), with values for inputs, and
        what can't be computed (`problems`)."""
    def plan(self, old: Outcome | None = None, *, inputs: _Inputs = None) -> dict[str, Any]:
        """The stages in which the service is deployed and undeployed; with an older outcome, what the change asks for.
        Values are computed as far as they are known."""
    def diff(self, old: Outcome) -> list[dict[str, Any]]:
        """What is different from an older outcome, as JSON pointers into the models."""
    def graph(self, format: Literal["svg", "dot", "mermaid"] = "svg") -> str:
        """A picture of the topology."""

class Parser:
    """Reads service templates. It is made once, remembers what it has read, and can be used by many threads at a time.

    `loader` is asked for each source, by its URL, and gives bytes or a string, or `None` for what is to be read as
    usual. `limits` are those of a text: `bytes`, `depth`, `expansion`, `problems`.
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
        """Parses a template that the program has, as if it stood at a path or URL."""
    def parse_text(self, text: str, name: str = "service.yaml", *, inputs: _Inputs = None) -> Outcome:
        """The same for a string."""
    def parse_value(self, value: Mapping[str, Any], name: str = "service.json", *, inputs: _Inputs = None) -> Outcome:
        """Parses a template that is made of dictionaries and lists. Places are those in the JSON that is made of it."""
    def parse_many(self, paths: Sequence[_Path]) -> list[Outcome]:
        """Parses many templates on all cores. The outcomes are in the order of the paths."""
    def resolve(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses a template, and finds nodes for the requirements that it leaves open."""
