from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import IO, Any, Literal, TypeAlias, TypeVar, overload

from . import differences, evaluation, model, nested, plan, types

_Path: TypeAlias = str | PathLike[str]
_Inputs: TypeAlias = Mapping[str, Any] | None
_Content: TypeAlias = bytes | str | None
_Loader: TypeAlias = Callable[[str], _Content | Awaitable[_Content]]

VERSION: str

class Point:
    """A position in a source."""

    def __init__(self, line: int, column: int, offset: int) -> None: ...
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

    def __init__(self, file: str, start: Point, end: Point, message: str) -> None: ...
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

class Edit:
    """A replacement of text that fixes a problem."""

    def __init__(self, file: str, start: Point, end: Point, text: str, safety: Literal["safe", "unsafe"]) -> None: ...
    @property
    def file(self) -> str:
        """The name of the source: a path or a URL."""
    @property
    def start(self) -> Point:
        """The start of the replaced text."""
    @property
    def end(self) -> Point:
        """The end of the replaced text."""
    @property
    def text(self) -> str:
        """The new text."""
    @property
    def safety(self) -> Literal["safe", "unsafe"]:
        """`unsafe` if something else may have been intended."""
    @property
    def is_safe(self) -> bool:
        """Whether the intended change is certain."""

class Diagnostic:
    """A problem of a template. Its string form is one line, as in compilers. It can be pickled."""

    @staticmethod
    def from_dict(problem: Mapping[str, Any]) -> Diagnostic:
        """Returns the problem that a dictionary of `to_dict` describes."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the problem as a dictionary, like an entry of `--format json`."""
    @property
    def url(self) -> str | None:
        """The URL of the rule's explanation; `None` for a rule that the project defines."""
    @property
    def edits(self) -> list[Edit]:
        """The replacements that fix the problem; empty if it can't be fixed automatically."""
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
    """The result of parsing a template: its problems, and the service that it describes. It can be pickled."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All problems, in the order of the sources and of the positions in them."""
    @property
    def is_valid(self) -> bool:
        """Whether there is no error."""
    @property
    def language(self) -> str:
        """The name of the language in which the template is written, such as `TOSCA` or `Heat`."""
    @property
    def has_service(self) -> bool:
        """Whether the template describes a service; a profile does not."""
    def raise_for_errors(self) -> None:
        """Raises an `InvalidTemplateError` if there is an error. An exception of the loader is its cause."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the content of `--format json` as a dictionary."""
    def render(self, *, color: bool = False) -> str:
        """Returns the problems in the format of the command, with source lines."""
    def diagnostics_json(self) -> str:
        """Returns the problems in the format of `--format json`."""
    def _repr_html_(self) -> str: ...
    def types(self) -> list[types.Type]:
        """Returns all types that the template or profile declares and imports, with inherited members."""
    def is_derived_from(self, name: str, ancestor: str) -> bool:
        """Returns whether a type is derived from another one. Names are those of the declarations, without prefixes."""
    def types_derived_from(self, ancestor: str) -> list[str]:
        """Returns the names of the types that are derived from a type, in order of their declaration."""
    @overload
    def form(self, format: Literal["html"] = "html") -> str: ...
    @overload
    def form(self, format: Literal["json"]) -> dict[str, Any]:
        """Returns a form for the inputs: an HTML page, or a JSON Schema."""
    def policy_targets(self, policy: str) -> list[str]:
        """Returns the names of the node templates that a policy applies to: its own, and the members of its groups and
        of the groups in them. Raises `KeyError` if there is no such policy."""
    def model(self, *, positions: bool = False) -> model.Service:
        """Returns the normal model of the service; for a template in another language, its model. Raises
        `NoServiceError` if there is none."""
    def model_json(self, *, positions: bool = False) -> str:
        """Returns the normal model of the service as JSON."""
    def clout(self, *, positions: bool = False) -> dict[str, Any]:
        """Returns the service in Clout 1.0, the format of Puccini. Raises `NoServiceError` if there is none."""
    def evaluate(
        self, inputs: _Inputs = None, *, attributes: Mapping[str, Mapping[str, Any]] | None = None
    ) -> evaluation.Evaluation:
        """Returns the model in which every known value is computed (`service`), and the values that can't be computed
        (`problems`). After deployment, `attributes` sets attributes of nodes. Raises `InvalidInputError` for inputs
        that `parse` rejects."""
    def nested(
        self,
        outcomes: Iterable[Outcome],
        inputs: _Inputs = None,
        *,
        attributes: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> nested.NestedServices:
        """Returns the services that substitute nodes, by the name of the node: for each node with the directive
        `substitute`, the first of the outcomes that can substitute it, evaluated with the properties of the node as
        inputs. Outcomes without a service, and this outcome itself, are ignored. Raises `ToscaError` if there are more
        than 1000 nested services or 16 levels of them, or if they are larger than 64 MiB."""
    def plan(
        self,
        old: Outcome | None = None,
        *,
        inputs: _Inputs = None,
        attributes: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> plan.Plan:
        """Returns the stages of deployment and undeployment or, with an older outcome, of the change of the deployed
        service. Values are computed as far as they are known. `attributes` sets attributes of deployed nodes."""
    def diff(self, old: Outcome) -> list[differences.Difference]:
        """Returns the differences from an older outcome, as JSON pointers into the models."""
    def graph(self, format: Literal["svg", "html", "dot", "mermaid", "d2", "plantuml", "graphml"] = "svg") -> str:
        """Returns a diagram of the topology."""

class Parser:
    """Parses service templates. Create a parser once: it caches sources, and any number of threads can use it. It can
    be pickled if its loader can; the copy has its own cache.

    `loader` is called with the URL of each source, and returns bytes or a string, or `None` to read the source as
    usual. It runs on separate threads; an `async` function runs on an event loop with its own thread. `fsspec.Loader`
    reads from object stores. `limits` are the limits of a source: `bytes`, `depth`, `expansion`, `problems`. `options`
    are options of the languages, for all templates: `{"environment": ["live.yaml"]}` for Heat.

    `config` selects the configurations that apply: with `True`, the nearest `tosca-parse.yaml` in the folder of a
    template and its parents; with a path, this file; with `False`, none. It is `True` by default, but `False` with
    `sandbox` or `loader`. The other arguments override a configuration. Parsing raises `ConfigError` for an invalid
    configuration. A `ConfigWarning` reports a setting that is ignored because it would give a project more access.
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
        allow_private_network: bool = False,
        sandbox: bool = False,
        threads: int | None = None,
        remembered_bytes: int | None = None,
        limits: Mapping[str, int] | None = None,
        options: Mapping[str, Sequence[_Path]] | None = None,
        loader: _Loader | None = None,
        config: bool | _Path | None = None,
    ) -> None: ...
    def parse(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses the template at a path or URL."""
    def parse_bytes(self, data: bytes, name: str = "service.yaml", *, inputs: _Inputs = None) -> Outcome:
        """Parses a template in memory as if it were at a path or URL."""
    def parse_text(self, text: str, name: str = "service.yaml", *, inputs: _Inputs = None) -> Outcome:
        """Parses a string as if it were at a path or URL."""
    def parse_value(self, value: Mapping[str, Any], name: str = "service.json", *, inputs: _Inputs = None) -> Outcome:
        """Parses a template that consists of dictionaries and lists. Positions are those in its JSON form."""
    def parse_many(
        self, paths: Sequence[_Path], *, inputs: Mapping[str, Any] | Sequence[_Inputs] | None = None
    ) -> list[Outcome]:
        """Parses several templates on all cores. The outcomes are in the order of the paths. `inputs` applies to all
        templates; a list contains the inputs of each template."""
    def parse_iter(
        self, paths: Iterable[_Path], *, inputs: Mapping[str, Any] | Iterable[_Inputs] | None = None
    ) -> Iterator[Outcome]:
        """Parses any number of templates on all cores, a batch at a time, so that few outcomes are in memory. The
        outcomes are in the order of the paths. `inputs` applies to all templates; any other iterable has the inputs of
        each template."""
    def _rows(self, uris: Sequence[str], texts: Sequence[str | bytes | None]) -> list[dict[str, Any]]: ...
    async def aparse(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses the template at a path or URL on another thread."""
    async def aparse_text(self, text: str, *, inputs: _Inputs = None) -> Outcome:
        """Parses a string on another thread."""
    def fix_text(self, text: str, name: str = "service.yaml", *, with_unsafe: bool = False) -> str:
        """Applies the fixes of all problems to a text: the safe ones, or all."""
    def migrate_text(
        self, text: str, name: str = "service.yaml", *, to: str | None = None
    ) -> tuple[str, list[Diagnostic]]:
        """Migrates a text to a later version of its language, by default the latest: `2.0`, or as files declare it.
        Returns the text, and the features without a counterpart in that version. Raises `InvalidTemplateError` if the
        text is invalid."""
    def resolve(self, path: _Path, *, inputs: _Inputs = None) -> Outcome:
        """Parses a template, and finds nodes for its open requirements."""

def format_text(
    text: str,
    *,
    indent: int = 2,
    quotes: Literal["double", "single", "keep"] = "double",
    lists: Literal["indented", "flush"] = "indented",
    bracket_spacing: bool = True,
) -> str:
    """Formats YAML. Raises `YamlError` if it is invalid, or if formatting would change its data or comments."""

def pack_folder(
    folder: _Path, target: _Path, *, entry: str | None, others: Sequence[str], created_by: str | None
) -> None: ...

_T = TypeVar("_T")

class Anchor:
    """The position of a value in a Yay document."""

    def __init__(self, source: str, lineno: int, column: int) -> None: ...
    @property
    def source(self) -> str:
        """The name of the document."""
    @property
    def lineno(self) -> int:
        """The line, from 1."""
    @property
    def column(self) -> int:
        """The column, from 1, in characters."""
    def long_description(self) -> str:
        """Returns the position as a sentence."""

class Node:
    """A value of a Yay document. It is evaluated on conversion, so `config.a.b` never fails.

    The conversions return `default` if the value, or something on the path to it, does not exist. Otherwise they raise
    `NoMatchingError`, and `YayTypeError` for a value of another type.
    """

    def __getattr__(self, name: str) -> Node: ...
    def __getitem__(self, key: str | int) -> Node: ...
    def __iter__(self) -> Iterator[Any]:
        """Iterates over the items of a list, or the keys of a mapping."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str) -> bool: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def get_key(self, key: str) -> Node:
        """Returns the value of a key, even if a method has the same name."""
    def keys(self) -> list[str]:
        """Returns the keys of a mapping, in the order of their first appearance."""
    def as_int(self, default: _T = ...) -> int | _T:
        """Returns an integer. Numbers with a fraction are truncated; a string of digits is an integer."""
    def as_float(self, default: _T = ...) -> float | _T:
        """Returns a number as a `float`."""
    def as_number(self, default: _T = ...) -> int | float | _T:
        """Returns a number."""
    def as_bool(self, default: _T = ...) -> bool | _T:
        """Returns the truth of a scalar: zero and the empty string are false."""
    def as_string(self, default: _T = ...) -> str | _T:
        """Returns a scalar as a string, as it is written."""
    def as_safe_string(self, default: _T = ...) -> str | _T:
        """Returns a scalar as a string in which secrets are `*****`."""
    def as_list(self, default: _T = ...) -> list[Any] | _T:
        """Returns a list with all its values."""
    def as_dict(self, default: _T = ...) -> dict[str, Any] | _T:
        """Returns a mapping with all its values."""
    def resolve(self, *, safe: bool = False) -> Any:
        """Evaluates the value completely. With `safe`, secrets are `*****`."""
    @property
    def anchor(self) -> Anchor:
        """The position of the value."""
    @property
    def labels(self) -> list[str]:
        """The labels of the value, such as `secret`."""

class Config(Node):
    """Layers of documents and data. Later layers override earlier ones. Any thread can use it."""

    def __init__(
        self, searchpath: Sequence[str] = (), *, offline: bool = False, gpg: bool = False, environment: bool = False
    ) -> None:
        """Creates a configuration without layers. With `environment`, documents can read environment variables, whose
        values are secrets.
        """
    def load_uri(self, uri: str) -> None:
        """Adds the document at a path or URL."""
    def load(self, stream: IO[str] | IO[bytes], name: str | None = None, labels: Sequence[str] = ()) -> None:
        """Adds the document that a file object contains. The default name is that of the file."""
    def loads(self, text: str, name: str = "<text>", labels: Sequence[str] = ()) -> None:
        """Adds a document. Paths in it are relative to its name, which is a path. All values of a document with the
        label `secret` are secrets.
        """
    def add(self, data: dict[str, Any]) -> None:
        """Adds data. Raises `YayError` if an integer has more than 64 bits."""
    def check(self) -> list[Diagnostic]:
        """Returns all problems, even in branches that are not taken: those of `tosca-parse yay check`."""
    def fold(self) -> str:
        """Returns one document with everything known computed. Secrets are `*****`."""
    def parse_expression(self, text: str) -> Node:
        """Parses an expression in the scope of the whole configuration."""

def evaluate(expression: str, data: Any = None, *, legacy: bool = False) -> Any:
    """Evaluates a YAQL expression with a value for `$`. `legacy` selects YAQL 0.2."""

class Package:
    """A MuranoPL package: a folder with `manifest.yaml`, or the text of its classes."""

    def __init__(self, path: _Path) -> None: ...
    @staticmethod
    def from_text(name: str, text: str, *, format: str = "1.4") -> Package:
        """Creates a package from the text of its classes."""
    @staticmethod
    def from_files(files: Mapping[str, str]) -> Package:
        """Creates a package from the content of its files, by their paths in its folder, such as `manifest.yaml`."""
    @property
    def name(self) -> str:
        """The full name."""

class Classes:
    """The classes of packages, with the core library. Any thread can use them."""

    def __init__(self, *packages: Package) -> None: ...
    def names(self) -> list[str]:
        """Returns the names of the classes, except those of the core library."""
    def check(self) -> list[tuple[str, str]]:
        """Loads all classes, and returns the errors as pairs of a class and a message."""
    def schemas(self, class_name: str, *methods: str) -> dict[str, Any]:
        """Returns the JSON Schemas of a class, by the names of its methods. The empty name is the class itself."""
    def form(self, class_name: str, method: str | None = None) -> str:
        """Returns an HTML form for an object of a class, or for the arguments of a model builder or action."""
    def call(self, class_name: str, method: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a static method."""
    def build(self, class_name: str, builder: str, model: Any = None, **kwargs: Any) -> Any:
        """Creates a model with a model builder."""
    def load(self, model: Mapping[str, Any], *, record: bool = False) -> Model:
        """Loads a model: an object, or `Objects` and `Attributes`. With `record`, requests are recorded."""

class Model:
    """A MuranoPL object model. Calls change its state."""

    @property
    def root(self) -> str | None:
        """The id of the root object; `None` if the model is empty."""
    def ids(self) -> list[str]:
        """Returns the ids of all objects."""
    def call(self, object_id: str, method: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method of an object."""
    def evaluate(self, object_id: str, expression: str, data: Any = None) -> Any:
        """Evaluates an expression for an object, with a value for `$`."""
    def save(self) -> dict[str, Any]:
        """Returns the model with its current state, as Murano saves it."""
    def effects(self) -> list[dict[str, Any]]:
        """Returns the recorded requests to clouds, agents and users, in order."""
