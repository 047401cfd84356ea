#!/usr/bin/env python3
"""Measures the language server: answers in a large workspace, and the time from a keystroke to diagnostics.

  server.py COMMAND [TEMPLATES]

Each figure has the processor time of the server, too, which other programs affect less. COMMAND is an optimized
`tosca-parse`. The workspace has 20,040 files: a file of types, 168 services that use one of
them, and copies of the templates in the folder TEMPLATES, or of a small template. The other file has 1,000 nodes whose
types are in an imported file of 10,000 types."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES, USERS, CHAINS, DEPTH = 20_040, 168, 1000, 10
VERSION = "tosca_definitions_version: tosca_2_0\n"


class Server:
    def __init__(self, command: str, folder: Path):
        self.process = subprocess.Popen(
            [command, "server", "--no-config"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.folder = folder
        self.count = 0
        folders = [{"uri": folder.as_uri(), "name": "workspace"}]
        self.ask("initialize", {"capabilities": {}, "workspaceFolders": folders})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def read(self) -> dict:
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, params: dict):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while (message := self.read()).get("id") != self.count:
            pass
        return message["result"]

    def diagnostics(self, uri: str, version: int) -> list:
        while True:
            message = self.read()
            params = message.get("params", {})
            is_it = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
            if is_it and params.get("version") == version:
                return params["diagnostics"]

    def open(self, name: str) -> str:
        path = self.folder / name
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": path.read_text()}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return path.as_uri()

    def resident(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024

    def processor(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.ask("shutdown", {})
        self.send({"method": "exit", "params": {}})
        self.process.wait()


def workspace(folder: Path, templates: list[str]) -> None:
    (folder / "types.yaml").write_text(VERSION + "node_types: { Machine: {} }\n")
    for number in range(FILES - 1):
        part = folder / f"part{number % 200}"
        part.mkdir(exist_ok=True)
        user = VERSION + "imports: [ ../types.yaml ]\nservice_template: { node_templates: { a: { type: Machine } } }\n"
        text = user if number < USERS else templates[number % len(templates)]
        (part / f"t{number}.yaml").write_text(text)


def measure_workspace(command: str, folder: Path) -> None:
    start = time.time()
    server = Server(command, folder)
    uri = server.open("part0/t0.yaml")
    at = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 51}}
    server.ask("textDocument/hover", at)
    print(f"first answer: {time.time() - start:.2f} s (processor: {server.processor():.2f} s)")
    server.ask("workspace/symbol", {"query": "Machine"})
    used = server.processor()
    print(f"all files read: {time.time() - start:.1f} s (processor: {used:.1f} s), {server.resident()} MiB resident")
    start = time.time()
    changes = server.ask("textDocument/rename", {**at, "newName": "Engine"})["changes"]
    passed, used = (time.time() - start) * 1000, (server.processor() - used) * 1000
    print(f"rename in {len(changes)} files: {passed:.0f} ms (processor: {used:.0f} ms)")
    server.stop()


def chains(folder: Path) -> None:
    types, nodes = [VERSION, "node_types:\n"], [VERSION, "imports: [ types.yaml ]\nservice_template:\n  node_templates:\n"]
    for chain in range(CHAINS):
        for depth in range(DEPTH):
            types.append(f"  C{chain}.T{depth}:\n")
            types.append(f"    derived_from: C{chain}.T{depth - 1}\n" if depth else "")
            types.append(f"    properties: {{ p{depth}: {{ type: string }}, q{depth}: {{ type: integer, default: 1 }} }}\n")
        nodes.append(f"    n{chain}:\n      type: C{chain}.T{DEPTH - 1}\n      properties:\n")
        nodes += [f"        p{depth}: a\n" for depth in range(DEPTH)]
    (folder / "types.yaml").write_text("".join(types))
    (folder / "service.yaml").write_text("".join(nodes))


def measure_keystrokes(command: str, folder: Path) -> None:
    server = Server(command, folder)
    uri = server.open("service.yaml")
    server.diagnostics(uri, 1)
    line = (folder / "service.yaml").read_text().splitlines().index("    n500:") + 3
    times, before = [], server.processor()
    for number in range(60):
        end = {"line": line, "character": 8 + number % 2}
        change = {"range": {"start": {"line": line, "character": 8}, "end": end}, "text": "" if number % 2 else "x"}
        document = {"uri": uri, "version": number + 2}
        time.sleep(0.2)
        start = time.time()
        params = {"textDocument": document, "contentChanges": [change]}
        server.send({"method": "textDocument/didChange", "params": params})
        found = server.diagnostics(uri, number + 2)
        assert bool(found) == (number % 2 == 0), found
        times.append((time.time() - start) * 1000)
    times = sorted(times[10:])
    used = (server.processor() - before) * 1000 / 60
    median = statistics.median(times)
    print(f"keystroke to diagnostics: median {median:.0f} ms, 90 % below {times[45]:.0f} ms (processor: {used:.0f} ms)")
    server.stop()


def main() -> None:
    command = sys.argv[1]
    found = Path(sys.argv[2]).rglob("*.yaml") if len(sys.argv) > 2 else []
    texts = [path.read_text(errors="replace") for path in sorted(found)]
    small = VERSION + "node_types: { A: {} }\nservice_template: { node_templates: { a: { type: A } } }\n"
    templates = [text for text in texts if "tosca_definitions_version" in text and "imports:" not in text] or [small]
    with tempfile.TemporaryDirectory() as folder:
        workspace(Path(folder), templates)
        measure_workspace(command, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        chains(Path(folder))
        measure_keystrokes(command, Path(folder))


if __name__ == "__main__":
    main()
