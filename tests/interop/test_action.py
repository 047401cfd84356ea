"""Runs the scripts of the GitHub action with a release on a local server."""

import base64
import gzip
import hashlib
import http.server
import json
import os
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import COMMAND, ROOT, Folder

NAME = "tosca-parse-v0.1.0-x86_64-unknown-linux-gnu"
VALID = "tosca_definitions_version: tosca_2_0\n"


class Releases:
    """Releases as GitHub serves them."""

    def __init__(self, folder: Path):
        self.folder = folder / "releases"
        self.files = self.folder / "download/v0.1.0"
        self.files.mkdir(parents=True)
        with tarfile.open(self.files / f"{NAME}.tar.gz", "w:gz", compresslevel=1) as archive:
            script = folder / "tosca-parse"
            script.write_text(f'#!/bin/sh\nexec "{COMMAND}" "$@"\n')
            script.chmod(0o755)
            archive.add(script, f"{NAME}/tosca-parse")
        self.write_sums(hashlib.sha256((self.files / f"{NAME}.tar.gz").read_bytes()).hexdigest())
        self.requests: list[str] = []
        releases = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments: object):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self) -> None:
                releases.requests.append(self.path)
                if self.path == "/releases/latest":
                    self.send_response(302)
                    self.send_header("Location", "/releases/tag/v0.1.0")
                    self.end_headers()
                elif self.path == "/releases/tag/v0.1.0":
                    self.send_response(200)
                    self.end_headers()
                else:
                    super().do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write_sums(self, checksum: str) -> None:
        (self.files / "SHA256SUMS").write_text(f"{'0' * 64}  other.tar.gz\n{checksum}  {NAME}.tar.gz\n")


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[Releases]:
    made = Releases(tmp_path)
    yield made
    made.server.shutdown()


def step(folder: Folder, script: str, **variables: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Runs a script of the action; returns its result and its outputs."""
    outputs = folder.write("outputs", "")
    environment = {
        **os.environ, "GITHUB_OUTPUT": str(outputs), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
        "RUNNER_TEMP": str(folder.path), "XDG_CONFIG_HOME": str(folder.path), **variables,
    }
    run = subprocess.run(
        [ROOT / ".ci/action" / script], cwd=folder.path, env=environment, capture_output=True, text=True, timeout=60
    )
    return run, dict(line.split("=", 1) for line in outputs.read_text().splitlines())


def install(folder: Folder, releases: Releases, version: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    address = f"http://127.0.0.1:{releases.server.server_port}/releases"
    return step(folder, "install.sh", VERSION=version, RELEASES=address, TOOLS=str(folder.path / "tools"))


def test_installed_command_is_cached(folder: Folder, releases: Releases):
    for version in ("v0.1.0", "latest"):
        run, outputs = install(folder, releases, version)
        assert run.returncode == 0, run.stdout + run.stderr
        assert outputs["version"] == "v0.1.0"
        assert os.access(Path(outputs["path"]) / "tosca-parse", os.X_OK)
    assert len([path for path in releases.requests if path.endswith(".tar.gz")]) == 1


def test_wrong_checksum_is_refused(folder: Folder, releases: Releases):
    releases.write_sums("1" * 64)
    run, outputs = install(folder, releases, "v0.1.0")
    assert run.returncode == 1 and "wrong checksum" in run.stdout
    assert outputs == {} and not (folder.path / "tools").exists()


@pytest.mark.parametrize("version", ["v9.9.9", "main", "v1/../../x"])
def test_unknown_version_is_refused(folder: Folder, releases: Releases, version: str):
    run, outputs = install(folder, releases, version)
    assert run.returncode != 0 and outputs == {}


def validate(folder: Folder, **variables: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    variables = {"ARGUMENTS": "", "SARIF": "", **variables}
    return step(folder, "validate.sh", TOSCA_PARSE=str(COMMAND), **variables)


def test_problems_are_annotated_and_counted(folder: Folder):
    folder.write("a.yaml", VALID + "node_types: { A: { derived_from: B } }\n")
    folder.write("b.yaml", VALID)
    run, outputs = validate(folder, FILES="a.yaml\nb.yaml\n", SARIF="report.sarif")
    assert run.returncode == 1 and "::error file=a.yaml,line=2" in run.stdout
    assert outputs == {"exit-code": "1", "errors": "1", "warnings": "0", "sarif": "report.sarif"}
    [result] = json.loads((folder.path / "report.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "T2001"


def test_valid_files_pass(folder: Folder):
    folder.write("b.yaml", VALID)
    run, outputs = validate(folder, FILES="b.yaml", ARGUMENTS="--strict\n--fail-on warning")
    assert run.returncode == 0, run.stdout + run.stderr
    assert outputs == {"exit-code": "0", "errors": "0", "warnings": "0"}


def test_report_is_uploaded_packed(folder: Folder):
    report = folder.write("report.sarif", '{"runs": []}')
    gh = folder.write("bin/gh", '#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/arguments"\n')
    gh.chmod(0o755)
    run, _ = step(
        folder, "upload.sh", SARIF=str(report), GITHUB_REPOSITORY="one/shop", GITHUB_SHA="abc", GITHUB_REF="refs/heads/x",
        PATH=f"{gh.parent}:{os.environ['PATH']}",
    )
    assert run.returncode == 0, run.stderr
    arguments = (folder.path / "arguments").read_text()
    assert "repos/one/shop/code-scanning/sarifs" in arguments and "ref=refs/heads/x" in arguments
    assert gzip.decompress(base64.b64decode((folder.path / "sarif.txt").read_text())) == report.read_bytes()
