#!/usr/bin/env python3
"""Measures the HTTP service: its processor time per small request, with 64 clients at the same time.

  serve.py COMMAND

COMMAND is an optimized `tosca-parse`. Each client keeps its connection. The times between a request and its answer
depend on the clients, which need more processor time than the service, so only the largest ones are shown."""

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

CLIENTS, REQUESTS = 64, 100
TEMPLATES = {
    "2.0": b"""\
tosca_definitions_version: tosca_2_0
node_types: { X: { properties: { a: { type: integer } } } }
service_template:
  node_templates:
    a: { type: X, properties: { a: 1 } }
    b: { type: X, properties: { a: 2 } }
""",
    "1.3": b"""\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    a: { type: tosca.nodes.Compute }
    b: { type: tosca.nodes.SoftwareComponent, requirements: [ host: a ] }
""",
}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def start(command: str, port: int) -> subprocess.Popen:
    process = subprocess.Popen([command, "serve", "--listen", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process
        except OSError:
            time.sleep(0.05)
    sys.exit("the service does not start")


def processor(process: subprocess.Popen) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(process: subprocess.Popen, port: int, path: str, version: str) -> None:
    times: list[float] = []

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(REQUESTS):
            begin = time.perf_counter()
            connection.request("POST", path, TEMPLATES[version])
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            times.append(time.perf_counter() - begin)

    before = processor(process)
    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    assert len(times) == CLIENTS * REQUESTS, "a client has failed"
    used = (processor(process) - before) * 1000 / len(times)
    slow = sorted(times)[len(times) * 99 // 100] * 1000
    print(f"{path} in {version}: {used:.2f} ms of processor time per request, 99 % answered within {slow:.0f} ms")


def main() -> None:
    port = free_port()
    process = start(sys.argv[1], port)
    try:
        for version in TEMPLATES:
            for path in ("/validate", "/model"):
                measure(process, port, path, version)
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
