"""The files that the templates of an archive refer to."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

from ..elements.interfaces import operations
from ..utils.urlutils import UrlUtils


def missing(entry: str, names: list[str], load: Callable[[str], Any]) -> Iterator[Exception]:
    """Yields an exception for each import, artifact and script that the archive does not contain. Files at URLs and in
    repositories are not requested.
    """
    present = {posixpath.normpath(name) for name in names}
    waiting, passed = deque([entry]), {entry}
    while waiting:
        name = waiting.popleft()
        template, folder = load(name), posixpath.dirname(name)
        if not isinstance(template, dict):
            continue
        for file in imports(template):
            path = next((path for path in paths(folder, file) if path in present), None)
            if path is None:
                yield ImportError(f'Import "{file}" is not valid.')
            elif path not in passed:
                passed.add(path)
                waiting.append(path)
        for file in resources(template):
            if posixpath.normpath(posixpath.join(folder, file)) not in present:
                yield ValueError(f'The resource "{file}" does not exist.')


def paths(folder: str, file: str) -> Iterator[str]:
    """Yields the paths at which an import is looked for: relative to its file, or from a folder above."""
    yield posixpath.normpath(posixpath.join(folder, file))
    parts, first = folder.split("/"), file.split("/")[0]
    for index in reversed(range(len(parts))):
        if parts[index] == first:
            yield posixpath.normpath("/".join([*parts[:index], file]))


def imports(template: dict[str, Any]) -> Iterator[str]:
    for entry in entries(template.get("imports")):
        if isinstance(entry, dict) and "file" not in entry and len(entry) == 1:
            (entry,) = entry.values()
        described = entry if isinstance(entry, dict) else {"file": entry}
        if is_local(described.get("file")) and not described.get("repository"):
            yield described["file"]


def resources(template: dict[str, Any]) -> Iterator[str]:
    """Yields the files of artifacts, and then those of operations."""
    topology = section(template, "topology_template")
    owners = [one for kind in ("node_templates", "relationship_templates")
              for one in section(topology, kind).values() if isinstance(one, dict)]
    types = [one for kind in ("node_types", "relationship_types") for one in section(template, kind).values()]
    known = {name for one in types if isinstance(one, dict) for name, _ in artifacts(one)}
    for owner in owners:
        for _, artifact in artifacts(owner):
            described = artifact if isinstance(artifact, dict) else {"file": artifact}
            if is_local(described.get("file")) and not described.get("repository"):
                yield described["file"]
    for owner in owners:
        own = known | {name for name, _ in artifacts(owner)}
        for interface in section(owner, "interfaces").values():
            for operation in operations(interface if isinstance(interface, dict) else None).values():
                yield from (file for file in scripts(operation) if file not in own)


def scripts(operation: Any) -> Iterator[str]:
    described = operation.get("implementation") if isinstance(operation, dict) else operation
    found = [described]
    if isinstance(described, dict):
        found = [described.get("primary"), described.get("file"), *entries(described.get("dependencies"))]
    yield from filter(is_local, found)


def artifacts(owner: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    declared = owner.get("artifacts")
    for one in [declared] if isinstance(declared, dict) else entries(declared):
        if isinstance(one, dict):
            yield from one.items()


def is_local(file: Any) -> TypeGuard[str]:
    return isinstance(file, str) and not UrlUtils.validate_url(file)


def section(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def entries(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []
