#!/usr/bin/env python3
"""Migrates every valid 1.x file of some folders, and lists the files that are invalid afterwards.

    TOSCA_PARSE=target/debug/tosca-parse .ci/migrate.py [--every N] FOLDER…

No file is written. A line begins with `left` if T8001 or T8002 reports the file, and with `LOST` if neither does; then
the exit code is 1. The last line counts the files.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BINARY = os.environ.get("TOSCA_PARSE", "tosca-parse")
OPTIONS = ["--no-config", "--offline"]


def run(*arguments):
    return subprocess.run([BINARY, *arguments, *OPTIONS], capture_output=True, text=True, check=False)


def is_valid(file):
    text = file.read_text(errors="replace")
    is_candidate = "tosca_definitions_version" in text and "tosca_2_0" not in text
    return is_candidate and run(str(file), "--quiet").returncode == 0


def problems(file):
    """The problems of a file after its migration."""
    written = run("migrate", str(file), "--diff", "--format", "json").stderr
    start = written.find("{")
    return json.JSONDecoder().raw_decode(written[start:])[0]["diagnostics"] if start >= 0 else []


def check(file):
    if not is_valid(file):
        return None
    found = problems(file)
    errors = sorted({problem["code"] for problem in found if problem["severity"] == "error"})
    is_told = any(problem["code"] in ("T8001", "T8002") for problem in found)
    return file, errors, is_told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth file only")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    files = [file for folder in options.folders for ending in ("yaml", "yml") for file in folder.rglob(f"*.{ending}")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [result for result in pool.map(check, sorted(files)[:: options.every]) if result]
    lost = 0
    left = 0
    for file, errors, is_told in results:
        if errors:
            left += is_told
            lost += not is_told
            print(f"{'left' if is_told else 'LOST'} {file}: {', '.join(errors)}")
    print(f"{len(results)} valid files, {len(results) - left - lost} valid afterwards, {left} left, {lost} lost")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
