"""YAML as dictionaries."""

from __future__ import annotations

import urllib.request
from collections import OrderedDict
from typing import Any

import yaml  # type: ignore

from ..common.exception import ExceptionCollector, URLException
from .urlutils import check_origin

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# The limits of the parser.
MAX_BYTES = 256 << 20
MAX_DEPTH = 200
MAX_EXPANSION = 400_000


def read(path: str, a_file: bool = True, origin: str | None = None) -> str:
    """Returns the text at a path or URL. `origin` is the document that refers to it; `None` if the caller does."""
    if a_file:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    else:
        check_origin(path, origin)
        with urllib.request.urlopen(path) as answer:
            check_origin(answer.geturl() if hasattr(answer, "geturl") else path, origin or path)
            content = answer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f'"{path}" is larger than {MAX_BYTES} bytes')
    return content if isinstance(content, str) else str(content, "utf-8")


def check_limits(text: str | bytes, loader: Any = Loader) -> None:
    """Raises a `YAMLError` for deep or recursive data, and for aliases that expand to too many nodes."""
    sizes: dict[str, int] = {}
    parents: list[tuple[str | None, int]] = []
    expansion, size = 0, 0
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in parents):
                raise yaml.YAMLError(f"the alias `*{event.anchor}` is inside the node that it refers to")
            expansion += sizes.get(event.anchor, 0)
            size += sizes.get(event.anchor, 0)
        elif isinstance(event, yaml.ScalarEvent):
            size += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            parents.append((event.anchor, size))
            size = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, outer = parents.pop()
            if anchor:
                sizes[anchor] = size
            size += outer
        if len(parents) > MAX_DEPTH:
            raise yaml.YAMLError(f"maps and lists are nested more than {MAX_DEPTH} levels deep")
        if expansion > MAX_EXPANSION:
            raise yaml.YAMLError(f"aliases and merge keys expand to more than {MAX_EXPANSION} additional nodes")


def parse(text: str | bytes, loader: Any = Loader) -> Any:
    """Returns the data of a text."""
    check_limits(text, loader)
    return yaml.load(text, Loader=loader)


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]
    """Dumps ordered maps as maps."""


_Dumper.add_multi_representer(dict, yaml.SafeDumper.represent_dict)


def dump(data: Any) -> str:
    """Returns the text of data."""
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False))


def load_yaml(path: str, a_file: bool = True) -> Any:
    """Returns the data at a path or URL."""
    try:
        text = read(path, a_file)
    except (OSError, ValueError) as error:
        if a_file:
            raise
        reason = getattr(error, "reason", error)
        ExceptionCollector.appendException(URLException(what=f'Failed to reach server "{path}". Reason is: {reason}.'))
        return None
    return parse(text)


def simple_parse(tmpl_str: str) -> Any:
    """Returns the data of a text; a text without data is an empty map."""
    return parse(tmpl_str) or {}


def ordered_load(stream: Any, Loader: Any = Loader, object_pairs_hook: Any = OrderedDict) -> Any:  # noqa: N803
    """Returns the data of a stream, with maps of a class."""
    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            return object_pairs_hook((key, ordered(item)) for key, item in value.items())
        return [ordered(item) for item in value] if isinstance(value, list) else value

    return ordered(parse(stream.read() if hasattr(stream, "read") else stream, Loader))


def simple_ordered_parse(tmpl_str: str) -> Any:
    """Returns the data of a text, with ordered maps."""
    return ordered_load(tmpl_str) or {}
