"""Archives."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

import yaml  # type: ignore

from ..common.exception import ExceptionCollector, URLException, ValidationError
from ..utils import yamlparser
from .contents import missing

TOSCA_META = "TOSCA-Metadata/TOSCA.meta"
# Larger archives are rejected, since their contents are extracted.
MAX_BYTES = 1 << 30
MAX_ENTRIES = 100_000
MAX_DOWNLOAD = 256 << 20
TIMEOUT = 60  # seconds
# What `zipfile` raises for damaged and encrypted entries.
UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)


class CSAR:
    """An archive: a path or, unless `a_file`, a URL. After `decompress()`, `temp_dir` has its contents until `cleanup()`
    or until the archive is no longer used.
    """

    def __init__(self, csar_file: str, a_file: bool = True) -> None:
        self.path = csar_file
        self.a_file = a_file
        self.is_validated = False
        self.error_caught = False
        self.csar: Any = None
        self.temp_dir: str | None = None
        self.metadata: dict[str, Any] | None = None
        self.main_template_file_name: str | None = None
        self.main_template_file_names: list[str] = []
        self.zfile: zipfile.ZipFile | None = None

    def __deepcopy__(self, memo: Any) -> CSAR:
        return self  # The folder exists for as long as the archive.

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "zfile": None}

    def _fail(self, error: Exception) -> None:
        self.error_caught = True
        ExceptionCollector.appendException(error)

    def validate(self) -> bool:
        """Checks the archive and its metadata. Returns whether they are valid."""
        self.is_validated = True
        self.error_caught = False
        missing = f'"{self.path}" does not exist.'
        if self.a_file:
            if not os.path.isfile(self.path):
                self._fail(ValidationError(message=missing))
                return False
            self.csar = self.path
        else:
            import requests  # type: ignore[import-not-found, import-untyped, unused-ignore]

            try:
                with requests.get(self.path, timeout=TIMEOUT, stream=True) as answer:
                    content = answer.raw.read(MAX_DOWNLOAD + 1, decode_content=True)
                self.csar = BytesIO(content)
            except requests.RequestException as error:
                self._fail(URLException(what=f'Failed to reach server "{self.path}". Reason is: {error}.'))
                return False
        if not zipfile.is_zipfile(self.csar):
            self._fail(ValidationError(message=f'"{self.path}" is not a valid zip file.'))
            return False
        self.zfile = zipfile.ZipFile(self.csar)
        names = self.zfile.namelist()
        if sum(entry.file_size for entry in self.zfile.infolist()) > MAX_BYTES:
            self._fail(ValidationError(message=f'The CSAR "{self.path}" is larger than {MAX_BYTES} bytes.'))
            return False
        if len(names) > MAX_ENTRIES:
            self._fail(ValidationError(message=f'The CSAR "{self.path}" has more than {MAX_ENTRIES} entries.'))
            return False
        if TOSCA_META in names:
            self._validate_meta(names)
        elif any(name.startswith("TOSCA-Metadata/") for name in names):
            self._fail(ValidationError(message=self._no_meta()))
        else:
            self._validate_root(names)
        if not self.error_caught:
            self._validate_contents(names)
        return not self.error_caught

    def _no_meta(self) -> str:
        return (f'"{self.path}" is not a valid CSAR as it does not contain the required file "TOSCA.meta" in the '
                'folder "TOSCA-Metadata".')

    def _load(self, name: str) -> Any:
        assert self.zfile is not None
        if self.zfile.getinfo(name).file_size > yamlparser.MAX_BYTES:
            raise yaml.YAMLError(f"`{name}` is larger than {yamlparser.MAX_BYTES} bytes")
        try:
            content = self.zfile.read(name)
        except UNREADABLE as error:
            raise yaml.YAMLError(f"`{name}` can't be read: {error}") from error
        return yamlparser.parse(content)

    def _validate_meta(self, names: list[str]) -> None:
        message = f'The file "{TOSCA_META}" in the CSAR "{self.path}" does not contain valid YAML content.'
        try:
            meta = self._load(TOSCA_META)
        except yaml.YAMLError:
            meta = None
        if not isinstance(meta, dict):
            self._fail(ValidationError(message=message))
            return
        self.metadata = meta
        entry = meta.get("Entry-Definitions")
        if not entry:
            self._fail(ValidationError(message=(f'The CSAR "{self.path}" is missing the required metadata '
                                                f'"Entry-Definitions" in "{TOSCA_META}".')))
        if entry and not (isinstance(entry, str) and entry in names and not entry.endswith("/")):
            self._fail(ValidationError(
                message=f'The "Entry-Definitions" file defined in the CSAR "{self.path}" does not exist.'))
        elif entry and (PurePosixPath(entry).is_absolute() or ".." in PurePosixPath(entry).parts):
            self._fail(ValidationError(
                message=f'The "Entry-Definitions" file defined in the CSAR "{self.path}" is outside of it.'))
        self.main_template_file_name = entry

    def _validate_root(self, names: list[str]) -> None:
        found = [name for name in names if "/" not in name and name.endswith((".yaml", ".yml"))]
        if len(found) != 1:
            self._fail(ValidationError(
                message=f'CSAR file should contain only one root level yaml file. Found "{len(found)}" yaml file(s).'))
            return
        self.main_template_file_name = found[0]
        try:
            template = self._load(found[0])
        except yaml.YAMLError as error:
            message = f'The file "{found[0]}" in the CSAR "{self.path}" does not contain valid YAML content: {error}.'
            self._fail(ValidationError(message=message))
            return
        metadata = template.get("metadata") if isinstance(template, dict) else None
        self.metadata = metadata if isinstance(metadata, dict) else {}
        # TOSCA 1.0 has no archives without TOSCA.meta.
        if isinstance(template, dict) and template.get("tosca_definitions_version") == "tosca_simple_yaml_1_0":
            self._fail(ValidationError(message=self._no_meta()))

    def _validate_contents(self, names: list[str]) -> None:
        try:
            for error in missing(str(self.main_template_file_name), names, self._load):
                self._fail(error)
        except yaml.YAMLError as error:
            self._fail(ValidationError(message=f'The CSAR "{self.path}" does not contain valid YAML content: {error}.'))

    def get_metadata(self) -> dict[str, Any] | None:
        """Returns the metadata of the archive."""
        if not self.is_validated:
            self.validate()
        return self.metadata

    def _get_metadata(self, key: str) -> Any:
        return (self.get_metadata() or {}).get(key)

    def get_author(self) -> Any:
        return self._get_metadata("Created-By") or self._get_metadata("template_author")

    def get_version(self) -> Any:
        return self._get_metadata("CSAR-Version") or self._get_metadata("template_version")

    def get_main_template(self) -> Any:
        """Returns the path of the entry template in the archive."""
        if not self.is_validated:
            self.validate()
        return self.main_template_file_name

    def get_main_template_yaml(self) -> Any:
        """Returns the entry template as data."""
        name = self.get_main_template()
        return self._load(name) if name else None

    def get_description(self) -> Any:
        described = self._get_metadata("Description")
        if described is None:
            described = (self.get_main_template_yaml() or {}).get("description")
        return described

    def decompress(self) -> None:
        """Extracts the archive into a temporary folder."""
        if not self.is_validated:
            self.validate()
        if self.zfile is None or self.error_caught:
            return
        self.temp_dir = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, self.temp_dir, True)
        try:
            self.zfile.extractall(self.temp_dir)
        except (*UNREADABLE, OSError) as error:
            self._fail(ValidationError(message=f'The CSAR "{self.path}" can\'t be extracted: {error}.'))

    def cleanup(self) -> None:
        """Removes the temporary folder."""
        if self.temp_dir:
            shutil.rmtree(self.temp_dir, ignore_errors=True)
