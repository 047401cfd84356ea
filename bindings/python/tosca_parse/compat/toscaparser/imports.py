"""Imports."""

from __future__ import annotations

import os
from typing import Any

import yaml  # type: ignore

from ..definitions import SECTIONS
from .common.exception import (
    ExceptionCollector, MissingRequiredFieldError, UnknownFieldError, URLException, ValidationError,
)
from .utils import yamlparser
from .utils.urlutils import UrlUtils

# A file can be imported with several prefixes, so a few files can declare many types.
MAX_TYPES = 200_000
END = object()


def types_of(tpl: Any, prefix: str = "", sections: Any = None) -> dict[str, Any]:
    """Returns the types that a file declares, or the entries of other sections."""
    found: dict[str, Any] = {}
    for section in sections if isinstance(sections, list) else SECTIONS.values():
        value = tpl.get(section)
        if isinstance(value, dict):
            found |= {prefix + str(name): declared for name, declared in value.items()}
        elif section == "imports" and value:
            found[section] = value
    return found


class ImportsLoader:
    """Reads imports, including indirect ones. `texts` holds the sources from the network and those found at unexpected
    paths; `imported` holds the data of all sources. With a `root`, files outside of it can't be imported.
    """

    IMPORTS_SECTION = (FILE, REPOSITORY, NAMESPACE_URI, NAMESPACE_PREFIX) = (
        "file", "repository", "namespace_uri", "namespace_prefix")

    def __init__(self, importslist: Any, path: str | None, type_definition_list: Any = None, tpl: Any = None,
                 local_defs: Any = None, root: str | None = None) -> None:
        self.root = os.path.realpath(root) if root else None
        self.importslist = importslist
        self.path = path
        self.type_definition_list = type_definition_list
        self.tpl: Any = tpl or {}
        self.custom_defs: dict[str, Any] = dict(local_defs or {})
        self.nested_tosca_tpls: dict[str, Any] = {}
        self.texts: dict[str, str] = {}
        self.imported: list[tuple[str, dict[str, Any]]] = []
        self._imported: dict[str, dict[str, Any] | None] = {}
        if importslist is None:
            ExceptionCollector.appendException(
                ValidationError(message='"imports" keyname is defined without including templates.'))
        if path is None and not tpl:
            ExceptionCollector.appendException(ValidationError(message="Input tosca template is not provided."))
        self._load(importslist, path or "", self.tpl)

    def get_custom_defs(self) -> dict[str, Any]:
        """Returns the imported types."""
        return self.custom_defs

    def get_nested_tosca_tpls(self) -> dict[str, Any]:
        """Returns the imported files that have a topology template."""
        return self.nested_tosca_tpls

    def _load(self, imports: Any, path: str, tpl: Any) -> None:
        waiting = [(path, tpl, iter(entries(imports)))]
        while waiting:
            path, tpl, remaining = waiting[-1]
            entry = next(remaining, END)
            if entry is END:
                waiting.pop()
                continue
            located = self._locate(entry, path, tpl)
            if located is None:
                continue
            expected, target, prefix = located
            if target not in self._imported:
                self._imported[target] = imported = self._read(entry, expected, target, path)
                if imported:
                    waiting.append((target, imported, iter(entries(imported.get("imports")))))
            self._add_types(self._imported[target], prefix)

    def _read(self, entry: Any, expected: str, target: str, path: str) -> dict[str, Any] | None:
        if isinstance(entry, dict) and self.FILE not in entry:
            (entry,) = entry.values()
        file = entry[self.FILE] if isinstance(entry, dict) else entry
        is_url = UrlUtils.validate_url(target)
        try:
            self.check_root(target)
            text = yamlparser.read(target, not is_url, path)
            if is_url or target != expected:
                self.texts[expected] = text
            imported = yamlparser.parse(text)
        except (OSError, ValueError, yaml.YAMLError):
            unreachable = URLException(what=f'Failed to reach server "{target}".')
            ExceptionCollector.appendException(
                unreachable if is_url else ImportError(f'Import "{file}" is not valid.'))
            return None
        if not isinstance(imported, dict):
            return None
        self.imported.append((file, imported))
        if imported.get("topology_template"):
            self.nested_tosca_tpls[target] = imported
        return imported

    def _add_types(self, imported: Any, prefix: str) -> None:
        """Adds the types of a file after the present ones."""
        for name, declared in types_of(imported or {}, f"{prefix}." if prefix else "", self.type_definition_list).items():
            self.custom_defs.setdefault(name, declared)
        if len(self.custom_defs) > MAX_TYPES:
            raise ValidationError(message=f"The imports declare more than {MAX_TYPES} types.")

    def read(self, url: str) -> str | None:
        """Returns the text of an import for the parser; `None` for files that it can read itself."""
        path = url.removeprefix("file://")
        self.check_root(path)
        return self.texts.get(path)

    def check_root(self, path: str) -> None:
        """Raises a `PermissionError` for files outside of the root."""
        if self.root and not path.startswith(("http:", "https:")) and not within(self.root, path):
            raise PermissionError(f'"{path}" is not a file of the archive')

    def _locate(self, entry: Any, path: str, tpl: Any) -> tuple[str, str, str] | None:
        """Returns the expected path or URL of an import, that at which it was found, and its prefix."""
        name = ""
        if isinstance(entry, dict) and self.FILE not in entry and len(entry) == 1:
            ((name, entry),) = entry.items()
            if not entry:
                message = f'A template file name is not provided with import definition "{name}".'
                ExceptionCollector.appendException(ValidationError(message=message))
                return None
        described = entry if isinstance(entry, dict) else {self.FILE: entry}
        what = f'Import of template "{name}"'
        file, prefix = described.get(self.FILE), described.get(self.NAMESPACE_PREFIX) or ""
        if not isinstance(file, str):
            ExceptionCollector.appendException(MissingRequiredFieldError(what=what, required=self.FILE))
            return None
        for key in described:
            if key not in self.IMPORTS_SECTION:
                ExceptionCollector.appendException(UnknownFieldError(what=what, field=key))
        repositories = tpl.get("repositories")
        repository = repositories.get(str(described.get(self.REPOSITORY))) if isinstance(repositories, dict) else None
        if repository:
            url = repository.get("url") if isinstance(repository, dict) else repository
            file = f"{str(url).rstrip('/')}/{file}"
        if UrlUtils.validate_url(file):
            return file, file, prefix
        if UrlUtils.validate_url(path):
            if os.path.isabs(file):
                message = f'Absolute file name "{file}" cannot be used in a URL-based input template "{path}".'
                ExceptionCollector.appendException(ImportError(message))
                return None
            url = str(UrlUtils.join_url(path, file))
            return url, url, prefix
        if not path and not os.path.isabs(file):
            message = f'Relative file name "{file}" cannot be used in a pre-parsed input template.'
            ExceptionCollector.appendException(ImportError(message))
            return None
        folder = os.path.dirname(os.path.abspath(path))
        expected = os.path.normpath(os.path.join(folder, file))
        found = None if os.path.isfile(expected) else beside(folder, file)
        return expected, found or expected, prefix


def entries(imports: Any) -> list[Any]:
    return imports if isinstance(imports, list) else []


def within(folder: str, path: str) -> bool:
    """Returns whether a path leads into a folder, after links are resolved."""
    return os.path.commonpath([folder, os.path.realpath(path)]) == folder


def beside(folder: str, file: str) -> str | None:
    """Returns the file at a path that begins with a folder above: `data/a.yaml` for a file in `…/data/types`."""
    first = file.split("/")[0]
    while os.path.dirname(folder) != folder:
        name, folder = os.path.basename(folder), os.path.dirname(folder)
        if name == first and os.path.isfile(os.path.join(folder, file)):
            return os.path.join(folder, file)
    return None
