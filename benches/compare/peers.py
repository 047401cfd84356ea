#!/usr/bin/env python3
"""Runs a library for Python on a service template, and prints `NODES RELATIONSHIPS ELAPSED CPU`: the numbers of node
templates and relationships in its result, and the time, without the start of Python and the import of packages.

    peers.py pyyaml|tosca-parser|puccini|puccini-resolve FILE
"""

import logging
import resource
import sys
import time
from pathlib import Path


def pyyaml(file):
    """Reads the template and all files in its folder, because nothing follows its imports."""
    import yaml

    def measured():
        loaded = {path: yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
                  for path in sorted(Path(file).parent.rglob("*.yaml"))}
        entry = loaded[Path(file)]
        return len((entry.get("topology_template") or entry.get("service_template"))["node_templates"]), 0

    return measured


def tosca_parser(file):
    from toscaparser.tosca_template import ToscaTemplate

    logging.disable()
    return lambda: (len(ToscaTemplate(file).topology_template.nodetemplates), 0)


def puccini(file, *, resolve=False):
    import puccini.tosca

    def measured():
        try:
            clout = puccini.tosca.compile(file, resolve=resolve, coerce=resolve)
        except puccini.tosca.Problems as error:
            first = error.problems[0]
            sys.exit(f"failed {len(error.problems)} problems, such as {first['item']}: {first['message']}")
        kinds = [vertex["metadata"]["puccini"]["kind"] for vertex in clout["vertexes"].values()]
        return kinds.count("NodeTemplate"), sum(len(vertex["edgesOut"]) for vertex in clout["vertexes"].values())

    return measured


def main():
    name, file = sys.argv[1:]
    library = {"pyyaml": pyyaml, "tosca-parser": tosca_parser, "puccini": puccini,
               "puccini-resolve": lambda file: puccini(file, resolve=True)}[name]
    try:
        measured = library(file)
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        found = measured()
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines()]
        fallback = f"{type(error).__name__}: {lines[0] if lines else ''}"
        reason = next((line for line in lines if "Error: " in line), fallback)
        sys.exit(f"failed {reason}")
    elapsed, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF)
    print(*found, elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


if __name__ == "__main__":
    main()
