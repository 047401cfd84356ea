"""Compares diagrams with those of Graphviz: `python site/crossings.py COMMAND [TEMPLATE ...]`.

COMMAND is the path of `tosca-parse`; `dot` must be installed. For each template, and each set of options below, the
script counts the points where arrows cross in the SVG diagram, and in the one that Graphviz makes of the DOT diagram.
"""

import argparse
import math
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = ["", "--legend", "--show types", "--show plan"]
TEMPLATES = ["examples/templates/shop.yaml", "examples/templates/platform.yaml", "examples/templates/open.yaml"]

#: An arrow: the path of its line.
OURS = re.compile(r'<path class="line [^"]*" d="([^"]*)"/><path class="f')
THEIRS = re.compile(r'<g id="edge\d+" class="edge">.*?<path [^>]*? d="([^"]*)"', re.DOTALL)
STEP = re.compile(r"([MLCQ])([^MLCQZ]*)")
NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")

#: Crossings this close to the ends of both arrows are those of arrows that meet at a box, in pixels.
NEAR = 10


def points(path: str) -> list[complex]:
    """Returns points of a path, which are close to each other on its curves."""
    made: list[complex] = []
    for command, numbers in STEP.findall(path):
        values = [float(number) for number in NUMBER.findall(numbers)]
        places = [complex(*pair) for pair in zip(values[::2], values[1::2])]
        size = {"M": 1, "L": 1, "Q": 2, "C": 3}[command]
        for index in range(0, len(places), size):
            controls = [*made[-1:], *places[index : index + size]] if command != "M" else places[:1]
            parts = 1 if len(controls) < 3 else 16
            made += [bezier(controls, part / parts) for part in range(1 if command != "M" else parts, parts + 1)]
    return made


def bezier(controls: list[complex], part: float) -> complex:
    while len(controls) > 1:
        controls = [one + part * (other - one) for one, other in zip(controls, controls[1:])]
    return controls[0]


def crossings(paths: list[str]) -> int:
    """Returns the number of points where two of the paths cross."""
    lines = [points(path) for path in paths]
    return sum(len(meetings(one, other)) for one, other in combinations(lines, 2))


def meetings(one: list[complex], other: list[complex]) -> list[complex]:
    found: list[complex] = []
    for a, b in zip(one, one[1:]):
        for c, d in zip(other, other[1:]):
            if max(a.real, b.real) < min(c.real, d.real) or max(c.real, d.real) < min(a.real, b.real):
                continue
            if max(a.imag, b.imag) < min(c.imag, d.imag) or max(c.imag, d.imag) < min(a.imag, b.imag):
                continue
            at = meeting(a, b, c, d)
            if at is None or any(abs(at - known) < 2 for known in found):
                continue
            ends = [min(abs(at - line[0]), abs(at - line[-1])) for line in (one, other)]
            if max(ends) > NEAR:
                found.append(at)
    return found


def meeting(a: complex, b: complex, c: complex, d: complex) -> complex | None:
    def cross(one: complex, other: complex) -> float:
        return one.real * other.imag - one.imag * other.real

    scale = cross(b - a, d - c)
    if math.isclose(scale, 0, abs_tol=1e-9):
        return None
    first, second = cross(c - a, d - c) / scale, cross(c - a, b - a) / scale
    return a + first * (b - a) if 0 <= first <= 1 and 0 <= second <= 1 else None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("command")
    arguments.add_argument("templates", nargs="*", default=[str(ROOT / template) for template in TEMPLATES])
    given = arguments.parse_args()
    worse = 0
    for template in given.templates:
        for options in OPTIONS:
            run = [given.command, "graph", Path(template).name, "--quiet", "--theme", "light", *options.split()]
            folder = Path(template).resolve().parent

            def drawn(kind: str) -> str:
                result = subprocess.run([*run, "--format", kind], cwd=folder, capture_output=True, text=True)
                return result.stdout

            theirs = subprocess.run(["dot", "-Tsvg"], input=drawn("dot"), capture_output=True, text=True, check=True)
            ours, others = OURS.findall(drawn("svg")), THEIRS.findall(theirs.stdout)
            if len(ours) != len(others):
                print(f"{template} {options}: {len(ours)} arrows and {len(others)}", file=sys.stderr)
            counts = crossings(ours), crossings(others)
            worse += counts[0] > counts[1]
            print(f"{Path(template).name} {options}: {len(ours)} arrows, {counts[0]} crossings, Graphviz {counts[1]}")
    raise SystemExit(1 if worse else 0)


if __name__ == "__main__":
    main()
