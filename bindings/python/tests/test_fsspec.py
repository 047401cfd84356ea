"""Sources from fsspec's file systems."""

import asyncio
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import pytest

fsspec = pytest.importorskip("fsspec")
from fsspec.asyn import AsyncFileSystem  # noqa: E402
from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402

from tosca_parse import InvalidTemplateError, Parser  # noqa: E402
from tosca_parse.fsspec import Loader  # noqa: E402

HEADER = "tosca_definitions_version: tosca_2_0\n"


class Store(MemoryFileSystem):  # type: ignore[misc]
    """A store in memory that counts how many files are read at the same time."""

    protocol = "s3"
    cachable = False
    store: dict[str, Any] = {}
    pseudo_dirs = [""]

    def __init__(self, *, fails: Exception | None = None) -> None:
        super().__init__()
        self.store, self.pseudo_dirs = {}, [""]
        self.lock, self.running, self.most = threading.Lock(), 0, 0
        self.sizes: list[int] = []
        self.fails = fails

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + path.removeprefix("s3://").strip("/")

    def put(self, files: dict[str, str]) -> None:
        for name, content in files.items():
            self.pipe_file("/" + name, content.encode())

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        if self.fails is not None:
            raise self.fails
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.02)
        with self.lock:
            self.running -= 1
        content: bytes = super().cat_file(path, start=start, end=end)
        self.sizes.append(len(content))
        return content


def template(*imports: str) -> str:
    return HEADER + f"imports: [ {', '.join(imports)} ]\n"


def test_imports_are_read_at_the_same_time() -> None:
    store = Store()
    names = [f"types/t {number}#.yaml" for number in range(40)]
    store.put({f"bucket/a/{name}": HEADER for name in names})
    store.put({"bucket/a/service.yaml": template(*(f"'{name}'" for name in names))})
    outcome = Parser(loader=Loader(filesystems={"s3": store})).parse("s3://bucket/a/service.yaml")
    outcome.raise_for_errors()
    assert store.most > 4


def test_local_templates_import_from_a_store(tmp_path: Path) -> None:
    store = Store()
    store.put({"bucket/types.yaml": HEADER + "node_types: { Server: {} }\n"})
    (tmp_path / "a.yaml").write_text(template("'s3://bucket/types.yaml'"))
    loader = Loader(filesystems={"s3": store})
    Parser(loader=loader).parse(tmp_path / "a.yaml").raise_for_errors()
    refused = Parser(loader=loader, sandbox=True).parse(tmp_path / "a.yaml")
    assert [problem.code for problem in refused.diagnostics] == ["T1405"]


def test_other_buckets_must_be_named() -> None:
    store = Store()
    store.put({"box/a.yaml": template("'s3://types/b.yaml'"), "types/b.yaml": HEADER})
    refused = Parser(loader=Loader(filesystems={"s3": store})).parse("s3://box/a.yaml")
    assert "a bucket that you have not named" in refused.diagnostics[0].message
    allowed = Loader(filesystems={"s3": store}, buckets=["s3://types"])
    Parser(loader=allowed).parse("s3://box/a.yaml").raise_for_errors()


def test_missing_empty_and_large_files() -> None:
    store = Store()
    store.put({"box/empty.yaml": "", "box/large.yaml": HEADER + "#" * 5000, "box/a.yaml": template("b.yaml")})
    loader = Loader(filesystems={"s3": store})
    parser = Parser(loader=loader, limits={"bytes": 1000})
    assert "it does not exist" in parser.parse("s3://box/a.yaml").diagnostics[0].message
    assert "larger than the limit of 1000 bytes" in parser.parse("s3://box/large.yaml").diagnostics[0].message
    assert max(store.sizes) == 1001
    assert not parser.parse("s3://box/empty.yaml").is_valid
    assert loader("s3://box/empty.yaml", 10) == b""
    assert loader("file:///a.yaml") is None
    assert loader.exists("s3://box/a.yaml") and not loader.exists("s3://box/b.yaml")


def test_errors_have_no_messages_of_the_store() -> None:
    class Denied(Exception):
        status_code = 403

    store = Store(fails=Denied("signature hidden"))
    outcome = Parser(loader=Loader(filesystems={"s3": store})).parse("s3://box/a.yaml")
    assert "`s3` failed with Denied (403)" in outcome.diagnostics[0].message
    with pytest.raises(InvalidTemplateError) as caught:
        outcome.raise_for_errors()
    cause: BaseException | None = caught.value
    while cause is not None:
        assert "hidden" not in str(cause)
        cause = cause.__cause__


def test_filesystems_come_from_options() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/box/a.yaml", HEADER.encode())
    loader = Loader(["memory"], options={"memory": {"skip_instance_cache": False}})
    copy = pickle.loads(pickle.dumps(loader))
    assert copy("memory://box/a.yaml") == HEADER.encode()
    with pytest.raises(OSError, match="`nosuch` failed with ValueError"):
        Loader(["nosuch"])("nosuch://box/a.yaml")


class Slow(AsyncFileSystem):  # type: ignore[misc]
    """An asynchronous store."""

    protocol = "s3"
    cachable = False
    running = 0
    most = 0

    async def _cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0.02)
        self.running -= 1
        imports = [f"t{number}.yaml" for number in range(30)] if path.endswith("a.yaml") else []
        return template(*imports).encode()[start:end]


def test_asynchronous_filesystems_use_their_loop() -> None:
    async def parse() -> int:
        store = Slow(asynchronous=True)
        loader = Loader(filesystems={"s3": store}, loop=asyncio.get_running_loop())
        outcome = await Parser(loader=loader).aparse("s3://box/a.yaml")
        outcome.raise_for_errors()
        return store.most

    assert asyncio.run(parse()) > 4
    lost = Parser(loader=Loader(filesystems={"s3": Slow(asynchronous=True)})).parse("s3://box/a.yaml")
    assert "ValueError" in lost.diagnostics[0].message
