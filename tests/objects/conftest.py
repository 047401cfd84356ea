"""Emulators of object stores on the loopback interface, each with a bucket for a test."""

import http.server
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
from collections.abc import Iterator
from typing import NamedTuple

import pytest

# The account and the key that Azurite documents.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

# Azurite and the emulator of Google Cloud Storage take long to install, so they are tested only on request.
ALL = os.environ.get("TOSCA_PARSE_OBJECTS") == "all"


class Store(NamedTuple):
    """A store, and the environment variables with which programs reach it."""

    scheme: str
    variables: dict[str, str]
    client: object

    def bucket(self, *, named: str | None = None) -> "Bucket":
        name = named or f"b{uuid.uuid4().hex[:12]}"
        match self.scheme:
            case "s3":
                self.client.create_bucket(Bucket=name)
            case "az":
                self.client.create_container(name)
            case "gs":
                self.client.create_bucket(name)
        return Bucket(self, name)


class Bucket(NamedTuple):
    store: Store
    name: str

    def put(self, files: dict[str, str | bytes]) -> None:
        for key, content in files.items():
            content = content.encode() if isinstance(content, str) else content
            match self.store.scheme:
                case "s3":
                    self.store.client.put_object(Bucket=self.name, Key=key, Body=content)
                case "az":
                    self.store.client.get_container_client(self.name).upload_blob(key, content, overwrite=True)
                case "gs":
                    self.store.client.bucket(self.name).blob(key).upload_from_string(content)

    def url(self, key: str = "") -> str:
        return f"{self.store.scheme}://{self.name}/{key}"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the emulator has ended with {process.returncode}"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the emulator does not listen")


@pytest.fixture(scope="session")
def s3() -> Iterator[Store]:
    boto3 = pytest.importorskip("boto3")
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    url = "http://%s:%s" % server.get_host_and_port()
    secrets = {"AWS_ACCESS_KEY_ID": "idofcredentials", "AWS_SECRET_ACCESS_KEY": "s3cr3t/k+y==ofstore"}
    client = boto3.client(
        "s3",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=secrets["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=secrets["AWS_SECRET_ACCESS_KEY"],
    )
    yield Store("s3", {"AWS_ENDPOINT_URL": url, "AWS_REGION": "us-east-1", **secrets}, client)
    server.stop()


@pytest.fixture(scope="session")
def az(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    blobs = pytest.importorskip("azure.storage.blob")
    modules = pathlib.Path(os.environ.get("NODE_MODULES", "node_modules"))
    program = modules / "azurite/dist/src/blob/main.js"
    if not program.is_file():
        pytest.skip("Azurite is not installed")
    port = free_port()
    folder = tmp_path_factory.mktemp("azurite")
    command = ["node", program, "--silent", "--skipApiVersionCheck", "--location", folder, "--blobPort", str(port)]
    process = subprocess.Popen([*command, "--disableTelemetry"], stdout=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        endpoint = f"http://127.0.0.1:{port}/{AZURE_ACCOUNT}"
        variables = {
            "AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY,
            "AZURE_STORAGE_ENDPOINT": endpoint,
        }
        credential = {"account_name": AZURE_ACCOUNT, "account_key": AZURE_KEY}
        yield Store("az", variables, blobs.BlobServiceClient(endpoint, credential=credential))
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="session")
def gs() -> Iterator[Store]:
    pytest.importorskip("gcp_storage_emulator")
    storage = pytest.importorskip("google.cloud.storage")
    credentials = pytest.importorskip("google.auth.credentials")
    port = free_port()
    command = [sys.executable, "-m", "gcp_storage_emulator", "start", "--in-memory", "--port", str(port)]
    process = subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        url = f"http://127.0.0.1:{port}"
        client = storage.Client(
            project="test",
            credentials=credentials.AnonymousCredentials(),
            client_options={"api_endpoint": url},
        )
        yield Store("gs", {"STORAGE_EMULATOR_HOST": url}, client)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(params=["s3", *(["az", "gs"] if ALL else [])])
def store(request: pytest.FixtureRequest) -> Store:
    """Each store that is tested."""
    return request.getfixturevalue(request.param)


class Run(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


@pytest.fixture
def command() -> pathlib.Path:
    """The command."""
    named = os.environ.get("TOSCA_PARSE") or shutil.which("tosca-parse")
    if named is None:
        pytest.skip("there is no command; set TOSCA_PARSE")
    return pathlib.Path(named).absolute()


@pytest.fixture
def run(tmp_path: pathlib.Path, command: pathlib.Path):
    """Runs the command with the variables of a store and no others of object stores."""

    def run(variables: dict[str, str], *arguments: str) -> Run:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "AZURE_", "GOOGLE_"))}
        environment = {**kept, "NO_PROXY": "*", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = subprocess.run(
            [command, *arguments],
            env=environment | variables,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def listing() -> Iterator[tuple[str, dict[str, bytes]]]:
    """The URL of a server with the bucket `box`, and the objects in it, by key.

    It has the XML interface that S3 and Google Cloud Storage share, and sends two keys per page. A listing of the folder
    `endless` never ends.
    """
    files: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urllib.parse.urlsplit(self.path)
            query = urllib.parse.parse_qs(url.query)
            key = urllib.parse.unquote(url.path).removeprefix("/box").removeprefix("/")
            if "list-type" in query:
                self.answer(200, self.page(query.get("prefix", [""])[0], query.get("continuation-token", ["0"])[0]))
            elif key not in files:
                self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            elif "Range" in self.headers:
                first, last = self.headers["Range"].removeprefix("bytes=").split("-")
                part = files[key][int(first) : int(last) + 1]
                end = f"{first}-{int(first) + len(part) - 1}/{len(files[key])}"
                self.answer(206, part, {"Content-Range": f"bytes {end}"})
            else:
                self.answer(200, files[key])

        def page(self, prefix: str, token: str) -> bytes:
            endless = prefix == "endless/"
            keys = [] if endless else sorted(key for key in files if key.startswith(prefix))
            start = int(token)
            rest = "<Size>1</Size><LastModified>2026-11-28T05:00:00.000Z</LastModified><ETag>1</ETag>"
            found = "".join(f"<Contents><Key>{key}</Key>{rest}</Contents>" for key in keys[start : start + 2])
            has_more = endless or start + 2 < len(keys)
            token = f"<NextContinuationToken>{start + 2}</NextContinuationToken>" if has_more else ""
            return f"<ListBucketResult>{found}{token}</ListBucketResult>".encode()

        def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", files
    server.shutdown()


@pytest.fixture
def web() -> Iterator[tuple[str, dict[str, str]]]:
    """The URL of a web server, and its files by path."""
    files: dict[str, str] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = files.get(self.path, "").encode()
            self.send_response(200 if content else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", files
    server.shutdown()
