"""Requests that schemathesis generates from the description of the HTTP service."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import COMMAND

HERE = Path(__file__).parent


@pytest.fixture
def service() -> Iterator[str]:
    """The address of a running service."""
    command = [COMMAND, "serve", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        yield process.stderr.readline().removeprefix("listening on ").strip()
        process.terminate()
        assert process.wait() == 0


def test_answers_are_as_described(service: str, tmp_path: Path) -> None:
    command = [Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml"]
    command += ["run", f"{service}/openapi.json", "--phases", "coverage,fuzzing", "--max-examples", "20"]
    command += ["--seed", "1", "--no-color"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-10_000:]
    assert "Tested: 8" in run.stdout, run.stdout
