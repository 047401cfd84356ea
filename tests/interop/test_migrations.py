"""Migrates the third-party files of 1.x to 2.0: each valid one stays valid, or the rest of the work is reported.

    python test_migrations.py    lists the result for each valid file
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import COMMAND

FOLDERS = ["simple-1.x", "oasis-examples", "aria"]
REPORTED = {"T8001", "T8002"}


def files() -> list[Path]:
    """The files that declare a version of 1.x."""
    shared = Path(os.environ["TOSCA_PARSE_SHARED"]) / "conformance"
    found = sorted(path for folder in FOLDERS for path in (shared / folder).rglob("*.y*ml") if path.is_file())
    is_simple = re.compile(r"^tosca_definitions_version:\s*[\"']?tosca_simple", re.MULTILINE)
    return [path for path in found if is_simple.search(path.read_text(errors="replace"))]


def migrated(path: Path) -> tuple[str, list[str]] | None:
    """The result of the migration of a file with the errors of the new version, or `None` if the file is invalid."""
    if subprocess.run([COMMAND, "--offline", "--quiet", path], capture_output=True).returncode != 0:
        return None
    run = subprocess.run([COMMAND, "migrate", "--diff", "--format", "jsonl", path], capture_output=True, text=True)
    problems = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    errors = [f"{it['code']} {it['message']}" for it in problems if it["severity"] == "error"]
    reported = REPORTED & {it["code"] for it in problems}
    return ("valid" if not errors else "reported" if reported else "silently invalid"), errors


def migrations(paths: list[Path]) -> Iterator[tuple[Path, str, list[str]]]:
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for path, result in zip(paths, threads.map(migrated, paths), strict=True):
            if result:
                yield path, *result


@pytest.mark.skipif("TOSCA_PARSE_SHARED" not in os.environ, reason="TOSCA_PARSE_SHARED names no folder with files")
def test_valid_files_stay_valid_or_have_a_report():
    results = [result for _, result, _ in migrations(files()[::40])]
    assert len(results) > 15
    assert "silently invalid" not in results


if __name__ == "__main__":
    for path, result, errors in migrations(files()):
        print(result, path, *errors[:3], sep="\t")
