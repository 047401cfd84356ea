"""Compares `tosca-parse resolve --emit clout` with the Clout of PyPI's `puccini`, for files in TOSCA 1.3.

    pip install puccini==0.21.0
    python benches/compare/clout.py [--command PATH] [--every N] [--show N] [--expect COUNT] FOLDER...

The graphs of `tosca-parse` are checked. For each file that both accept, the names of nodes, the names and values of
their properties, and the names and targets of their requirements are compared. Each difference is printed. With
`--expect`, the exit code is 1 if more files differ. `docs/clout.md` explains the differences.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

VERSION = b"tosca_simple_yaml_1_3"

#: Compiles the files named on standard input, and writes one line for each. The library aborts the process at some
#: files.
WORKER = """
import json, sys
import puccini.tosca

def plain(value):
    if hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value

for line in sys.stdin:
    try:
        clout = plain(puccini.tosca.compile(line.rstrip("\\n"), resolve=True, coerce=False))
        clout["metadata"] = {}
        print(json.dumps(clout), flush=True)
    except Exception:
        print("null", flush=True)
"""


class Peer:
    """A process that compiles files, which is started again when it ends."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def compile(self, path: Path) -> object:
        """Returns the Clout of a file, or None if the file is rejected or the process ends."""
        if self.process is None:
            command = [sys.executable, "-c", WORKER]
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, text=True, **streams)
        try:
            self.process.stdin.write(f"{path}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return None
        return json.loads(line)

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def files(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*.y*ml")):
            with path.open("rb") as file:
                if any(b"tosca_definitions_version" in line and VERSION in line for line in file):
                    yield path


FORMS = {"$primitive", "$list", "$map", "$functionCall"}


def check(clout: dict) -> None:
    """Checks that edges lead to vertexes, and that coercible values have exactly one form."""
    for vertex in clout["vertexes"].values():
        for edge in vertex["edgesOut"]:
            assert edge["targetID"] in clout["vertexes"], edge
    rest: list[object] = [clout]
    while rest:
        part = rest.pop()
        if isinstance(part, dict):
            forms = FORMS & part.keys()
            assert len(forms) == 1 or not forms and not {"$meta", "$key"} & part.keys(), part
            # A primitive may be any data.
            rest.extend(value for key, value in part.items() if key != "$primitive")
        elif isinstance(part, list):
            rest.extend(part)


def plain(value: dict) -> object:
    """Returns a coercible value without its types."""
    if "$list" in value:
        return [plain(item) for item in value["$list"]]
    if "$map" in value:
        return {json.dumps(plain(item["$key"])): plain(item) for item in value["$map"]}
    if "$functionCall" in value:
        call = value["$functionCall"]
        return (call["name"].removeprefix("tosca.function."), [plain(argument) for argument in call["arguments"]])
    primitive = value["$primitive"]
    if isinstance(primitive, dict):
        known = (primitive[key] for key in ("$number", "$string") if key in primitive)
        return next(known, primitive)
    return primitive


def nodes(clout: dict) -> dict[str, dict]:
    """Returns the properties and requirements of each node."""
    vertexes = clout["vertexes"]

    def name(vertex: dict) -> str:
        return vertex["properties"]["name"]

    def targets(vertex: dict) -> Iterator[tuple[str, str]]:
        for edge in vertex["edgesOut"]:
            if edge["metadata"]["puccini"]["kind"] == "Relationship":
                yield edge["properties"]["name"], name(vertexes[edge["targetID"]])

    return {
        name(vertex): {
            "properties": {key: plain(value) for key, value in vertex["properties"]["properties"].items()},
            "requirements": sorted(targets(vertex)),
        }
        for vertex in vertexes.values()
        if vertex["metadata"]["puccini"]["kind"] == "NodeTemplate"
    }


def differences(ours: dict[str, dict], theirs: dict[str, dict]) -> Iterator[tuple[str, str]]:
    """Returns the kind and a description of each difference."""
    for name in sorted(ours.keys() ^ theirs.keys()):
        yield "node", f"{name} only in {'ours' if name in ours else 'theirs'}"
    for name in sorted(ours.keys() & theirs.keys()):
        mine, other = ours[name]["properties"], theirs[name]["properties"]
        for key in sorted(mine.keys() | other.keys()):
            if key not in mine or key not in other:
                side, value = ("ours", mine[key]) if key in mine else ("theirs", other[key])
                yield f"property only in {side}", f"{name}.{key} = {value!r}"
            elif mine[key] != other[key]:
                yield "value", f"{name}.{key} = {mine[key]!r}, theirs {other[key]!r}"
        mine, other = (Counter(side[name]["requirements"]) for side in (ours, theirs))
        for side, rest in (("ours", mine - other), ("theirs", other - mine)):
            for requirement, target in rest.elements():
                yield f"requirement only in {side}", f"{name}.{requirement} -> {target}"


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--command", default="target/debug/tosca-parse")
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--show", type=int, default=1_000_000)
    arguments.add_argument("--expect", type=int)
    arguments.add_argument("folders", nargs="+", type=Path)
    options = arguments.parse_args()
    chosen = [path.resolve() for path in files(options.folders)][:: options.every]
    # Problems are left out, and a file with errors has no model.
    command = [options.command, "resolve", "--emit", "clout", "--exit-zero", "--offline", "--quiet"]
    run = subprocess.run(command + [str(path) for path in chosen], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    written = json.loads(run.stdout)
    written = written if isinstance(written, list) else [written]
    for clout in written:
        check(clout)
    ours = {clout["metadata"]["tosca-parse"]["file"]: clout for clout in written}
    peer, accepted, both, agreeing, kinds, shown = Peer(), 0, 0, 0, Counter(), 0
    for path in chosen:
        theirs = peer.compile(path)
        accepted += theirs is not None
        mine = ours.get(str(path))
        if theirs is None or mine is None:
            continue
        both += 1
        found = list(differences(nodes(mine), nodes(theirs)))
        agreeing += not found
        kinds.update({kind for kind, _ in found})
        for kind, description in found:
            if shown < options.show:
                print(f"{path}: {kind}: {description}")
            shown += 1
    peer.close()
    print(f"{len(chosen)} files: {len(ours)} Clouts by tosca-parse, {accepted} by puccini, {both} by both; {agreeing} agree")
    for kind, count in kinds.most_common():
        print(f"  {kind}: {count} files")
    return int(options.expect is not None and (both == 0 or both - agreeing > options.expect))


if __name__ == "__main__":
    sys.exit(main())
