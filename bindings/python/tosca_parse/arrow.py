"""Validation of record batches of Apache Arrow, as Spark, Dask and Ray pass them to functions.

It needs pyarrow: `pip install 'tosca-parse[arrow]'`.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ._native import Parser
from .errors import ConfigError

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("`tosca_parse.arrow` needs pyarrow: pip install 'tosca-parse[arrow]'") from error

__all__ = ["SCHEMA", "validate", "validate_iter"]

_RANGE: list[pa.Field[Any]] = [
    pa.field(f"{place}_{part}", pa.int64()) for place in ("start", "end") for part in ("line", "column", "offset")
]

_COLUMNS: list[pa.Field[Any]] = [
    pa.field("uri", pa.string(), nullable=False),
    pa.field("valid", pa.bool_(), nullable=False),
    pa.field("code", pa.string()),
    pa.field("name", pa.string()),
    pa.field("url", pa.string()),
    pa.field("severity", pa.string()),
    pa.field("message", pa.string()),
    pa.field("file", pa.string()),
    *_RANGE,
    pa.field("help", pa.list_(pa.string())),
    pa.field("related", pa.list_(pa.struct([
        pa.field("file", pa.string()), *_RANGE, pa.field("message", pa.string()),
    ]))),
    pa.field("edits", pa.list_(pa.struct([
        pa.field("file", pa.string()), *_RANGE, pa.field("text", pa.string()), pa.field("safety", pa.string()),
    ]))),
]

#: The columns of the results: one row per problem, or one row without a `code` for a template without problems.
SCHEMA: pa.Schema = pa.schema(_COLUMNS)

#: The maximum number of templates whose problems are Python objects at the same time.
_TEMPLATES = 1024


def validate(batch: pa.RecordBatch, **options: Any) -> pa.RecordBatch:
    """Validates the templates of a batch, and returns their problems with the columns of `SCHEMA`.

    The column `uri` contains paths or URLs. The optional column `text` contains the templates, as strings or bytes;
    a template whose text is null is read. `options` are those of `Parser`. Each process has one parser for each
    combination of options, by default with one thread per core.

    Raises `ConfigError` if the batch has other columns of these names, or a null `uri`.
    """
    # The type stubs lack the function.
    found: pa.RecordBatch = pa.concat_batches(validate_iter([batch], **options))  # type: ignore[attr-defined]
    return found


def validate_iter(batches: Iterable[pa.RecordBatch], **options: Any) -> Iterator[pa.RecordBatch]:
    """Validates the templates of any number of batches, as `validate` does, and returns the results in small batches
    as they are available. At least one batch is returned for each batch."""
    for batch in batches:
        # Another process is a fork, which has no copies of the parser's threads.
        parser = _parser(os.getpid(), _Options(options))
        for start in range(0, max(batch.num_rows, 1), _TEMPLATES):
            part = batch.slice(start, _TEMPLATES)
            uris = _column(part, "uri")
            if None in uris:
                raise ConfigError(f"row {start + uris.index(None)} has no `uri`")
            has_text = "text" in part.schema.names
            texts = _column(part, "text") if has_text else [None] * len(uris)
            yield pa.RecordBatch.from_pylist(parser._rows(uris, texts), schema=SCHEMA)


def _column(batch: pa.RecordBatch, name: str) -> list[Any]:
    index = batch.schema.get_field_index(name)
    if index < 0:
        raise ConfigError(f"the batch has no column `{name}`, or several")
    column = batch.column(index)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    expected = "strings" if name == "uri" else "strings or bytes"
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    is_bytes = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    if not (is_text or is_bytes and name == "text" or pa.types.is_null(kind)):
        raise ConfigError(f"the column `{name}` must contain {expected}, not values of type `{column.type}`")
    return column.to_pylist()


class _Options:
    """The options of a parser as a key."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.key = _frozen(options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Options) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _frozen(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple(sorted((name, _frozen(item)) for name, item in value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    key: Hashable = os.fspath(value) if isinstance(value, os.PathLike) else value
    return key


# Programs have few combinations of options. Older parsers are dropped with their caches.
@lru_cache(maxsize=4)
def _parser(process: int, options: _Options) -> Parser:
    # With a number, the parser starts separate threads, and 0 means one for each core. Parsers without a number
    # share threads, which don't exist in forked processes.
    return Parser(**{"threads": 0, **options.options})
