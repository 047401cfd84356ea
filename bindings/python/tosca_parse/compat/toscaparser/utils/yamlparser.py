"""YAML as dictionaries."""

from __future__ import annotations

import codecs
import urllib.request
from collections import OrderedDict
from typing import Any

import yaml  # type: ignore

from ..common.exception import ExceptionCollector, URLException


Loader = yaml.SafeLoader


def read(path: str, a_file: bool = True) -> str:
    """Returns the text at a path or URL."""
    source = codecs.open(path, encoding="utf-8") if a_file else urllib.request.urlopen(path)
    with source:
        text = source.read()
    return text if isinstance(text, str) else str(text, "utf-8")


def load_yaml(path: str, a_file: bool = True) -> Any:
    """Returns the data at a path or URL."""
    try:
        text = read(path, a_file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        ExceptionCollector.appendException(
            error if a_file else URLException(what=f'Failed to reach server "{path}". Reason is: {reason}.'))
        return None
    return yaml.load(text, Loader=Loader)


def simple_parse(tmpl_str: str) -> Any:
    """Returns the data of a text; a text without data is an empty map."""
    return yaml.load(tmpl_str, Loader=Loader) or {}


def ordered_load(stream: Any, Loader: Any = Loader, object_pairs_hook: Any = OrderedDict) -> Any:  # noqa: N803
    """Returns the data of a stream, with maps of a class."""
    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            return object_pairs_hook((key, ordered(item)) for key, item in value.items())
        return [ordered(item) for item in value] if isinstance(value, list) else value

    return ordered(yaml.load(stream, Loader=Loader))


def simple_ordered_parse(tmpl_str: str) -> Any:
    """Returns the data of a text, with ordered maps."""
    return ordered_load(tmpl_str) or {}
