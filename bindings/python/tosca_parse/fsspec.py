"""Templates and imports from object stores and other file systems of fsspec.

It needs fsspec and a package for each store: `pip install 'tosca-parse[fsspec]' s3fs gcsfs adlfs`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import unquote

try:
    import fsspec
except ImportError as error:
    raise ImportError("`tosca_parse.fsspec` needs fsspec: pip install 'tosca-parse[fsspec]'") from error

__all__ = ["Loader"]


class Loader:
    """Reads sources through fsspec: `Parser(loader=Loader())`. Many sources are read at the same time.

    `schemes` are the schemes of the URLs that it reads. The options of their file systems are in `options`, by scheme,
    or the file systems themselves in `filesystems`. `buckets`, such as `s3://types`, are those to which remote files
    outside of them may refer; a local file may refer to any bucket. `loop` is the event loop of file systems that were
    created with `asynchronous=True`. Use `Parser.aparse` with these, so that the loop keeps running.

    Exceptions of a file system are raised again without their messages, which may contain parts of credentials.
    """

    def __init__(
        self,
        schemes: Collection[str] = ("s3", "gs", "az"),
        *,
        filesystems: Mapping[str, Any] | None = None,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        buckets: Collection[str] = (),
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.schemes = tuple(dict.fromkeys([*schemes, *(filesystems or {})]))
        self.buckets = tuple(buckets)
        self._filesystems = dict(filesystems or {})
        self._options = {scheme: dict(values) for scheme, values in (options or {}).items()}
        self._loop = loop

    def __call__(self, url: str, limit: int | None = None) -> bytes | None:
        """Returns the content at a URL, of which at most `limit` bytes and one more are read; `None` if the URL has
        none of the schemes."""
        if url.partition(":")[0] not in self.schemes:
            return None
        # One byte more, so that the caller notices that a file is larger.
        end = None if limit is None else limit + 1
        return bytes(self._call(url, "cat_file", end=end))

    def exists(self, url: str) -> bool:
        """Returns whether there is a file at a URL."""
        return bool(self._call(url, "isfile"))

    def _call(self, url: str, method: str, **arguments: Any) -> Any:
        scheme = url.partition(":")[0]
        try:
            system = self._filesystem(scheme)
            path = system._strip_protocol(unquote(url))
            try:
                return self._run(system, method, path, arguments)
            except FileNotFoundError:
                raise
            except Exception:
                # Stores have no first byte of an empty file.
                if arguments.get("end") is None or not self._is_empty(system, path):
                    raise
                return b""
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no file at `{url}`") from None
        except Exception as error:
            raise OSError(f"`{scheme}` failed with {_summary(error)}") from None

    def _is_empty(self, system: Any, path: str) -> bool:
        try:
            return bool(self._run(system, "size", path, {}) == 0)
        except Exception:
            return False

    def _filesystem(self, scheme: str) -> Any:
        known = self._filesystems.get(scheme)
        if known is None:
            # Equal options yield the same object, even in other threads.
            known = fsspec.filesystem(scheme, **self._options.get(scheme, {}))
        return known

    def _run(self, system: Any, method: str, path: str, arguments: dict[str, Any]) -> Any:
        if not getattr(system, "asynchronous", False):
            return getattr(system, method)(path, **arguments)
        if self._loop is None:
            raise ValueError("a file system is asynchronous, but the loader has no `loop`")
        return asyncio.run_coroutine_threadsafe(getattr(system, f"_{method}")(path, **arguments), self._loop).result()


def _summary(error: BaseException) -> str:
    """The type of an error and its status, if it has one; never its message."""
    kind = type(error).__name__
    response = getattr(error, "response", None)
    metadata = response.get("ResponseMetadata", {}) if isinstance(response, dict) else {}
    statuses = [metadata.get("HTTPStatusCode"), getattr(error, "status_code", None), getattr(error, "code", None)]
    status = next((status for status in statuses if isinstance(status, int)), None)
    return kind if status is None else f"{kind} ({status})"
