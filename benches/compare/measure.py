#!/usr/bin/env python3
"""Runs a program with limits, and prints one line about the run.

    measure.py SECONDS BYTES COUNT PROGRAM [ARGUMENT…]
    measure.py machine

The limits are CPU time over all threads and resident memory. A program that waits is stopped after three times as many
seconds. `COUNT` says where the number of node templates is: `summary` (the first line of the output), `model` (the JSON
file that is the last argument), or `printed` (the program prints `NODES RELATIONSHIPS ELAPSED CPU`, with times that
exclude its start).

The line is `ok ELAPSED CPU BYTES NODES RELATIONSHIPS` or `failed REASON`.
"""

import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


def usage(pid):
    """Returns the CPU seconds and the resident bytes of a process, or zeros where /proc does not exist."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0
    return (int(stat[11]) + int(stat[12])) / TICKS, int(stat[21]) * PAGE


def run(seconds, limit, command, output):
    """Returns the exceeded limit, if any, and the exit code, elapsed seconds, CPU seconds and peak memory."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    exceeded, pause = "", 0.001
    while True:
        pid, status, rusage = os.wait4(process.pid, os.WNOHANG)
        elapsed = time.perf_counter() - begin
        if pid:
            break
        cpu, memory = usage(process.pid)
        if not exceeded and (cpu > seconds or elapsed > 3 * seconds):
            exceeded = f"more than {seconds:.0f} s"
        if not exceeded and memory > limit:
            exceeded = f"more than {limit / 1e9:.0f} GB"
        if exceeded:
            os.kill(process.pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 1.2, 0.05)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = rusage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if not exceeded and peak > limit:
        exceeded = f"more than {limit / 1e9:.0f} GB"
    return exceeded, process.returncode, elapsed, rusage.ru_utime + rusage.ru_stime, peak


def main():
    if sys.argv[1:] == ["machine"]:
        return machine()
    seconds, limit, count, *command = sys.argv[1:]
    with tempfile.TemporaryFile("w+") as output:
        exceeded, code, elapsed, cpu, peak = run(float(seconds), float(limit), command, output)
        output.seek(0)
        text = output.read(100_000)
    if exceeded:
        return print("failed", exceeded)
    if code != 0:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        reason = next((line for line in reversed(lines) if line.startswith("failed ")), lines[-1] if lines else "")
        return print("failed", reason.removeprefix("failed ")[:200] or f"exit code {code}")
    relationships = 0
    if count == "summary":
        found = re.search(r", ([\d ]+) nodes?$", text.partition("\n")[0])
        nodes = int(found[1].replace(" ", "")) if found else 0
    elif count == "model":
        model = json.loads(Path(command[-1]).read_bytes())["nodes"]
        nodes = len(model)
        requirements = (requirement for node in model.values() for requirement in node.get("requirements", []))
        relationships = sum("target" in requirement for requirement in requirements)
    else:
        nodes, relationships, elapsed, cpu = (float(word) for word in text.split()[-4:])
    print(f"ok {elapsed:.6f} {cpu:.6f} {peak} {nodes:.0f} {relationships:.0f}")


def machine():
    name = platform.processor() or platform.machine()
    gigabytes = 0
    try:
        name = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1]
        gigabytes = os.sysconf("SC_PHYS_PAGES") * PAGE / 1e9
    except (OSError, TypeError, ValueError):
        pass
    print(f"{name}, {os.cpu_count()} cores, {gigabytes:.0f} GB, {platform.system()} {platform.machine()}, "
          f"Python {platform.python_version()}")


if __name__ == "__main__":
    main()
