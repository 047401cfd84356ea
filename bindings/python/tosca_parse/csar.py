"""Archives (CSAR) from files in memory or in a folder. `Parser.parse` reads archives like templates."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path, PurePosixPath

from ._native import pack_folder
from .errors import ConfigError

__all__ = ["create", "create_file"]


def create(
    files: Mapping[str, str | bytes],
    *,
    entry: str | None = None,
    others: Sequence[str] = (),
    created_by: str | None = None,
) -> bytes:
    """Returns an archive, in the format zip, with files by path. The same files result in the same bytes.

    `entry` is the path of the template; by default, it is the one that `TOSCA.meta` names, or the only YAML file in
    the root. `others` are the paths of further templates. Raises `ConfigError` if the template can't be determined, or
    for a path that leads out of the archive.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "files")
        root.mkdir()
        for name, content in files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or not path.parts or ".." in path.parts or "\\" in name or ":" in name:
                raise ConfigError(f"`{name}` is not a path in an archive")
            if any(part.startswith(".") for part in path.parts):
                raise ConfigError(f"`{name}` is hidden, and archives have no hidden files")
            target = root / path
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode() if isinstance(content, str) else content)
            except OSError as error:
                raise ConfigError(f"`{name}` can't be a file in the archive: {error.strerror}") from None
        archive = Path(folder, "archive.csar")
        create_file(root, archive, entry=entry, others=others, created_by=created_by)
        return archive.read_bytes()


def create_file(
    folder: str | PathLike[str],
    target: str | PathLike[str],
    *,
    entry: str | None = None,
    others: Sequence[str] = (),
    created_by: str | None = None,
) -> None:
    """Packs a folder, without hidden files, into an archive: `.csar`, `.zip`, `.tar`, `.tar.gz` or `.tgz`."""
    pack_folder(folder, target, entry=entry, others=list(others), created_by=created_by)
