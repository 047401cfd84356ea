"""Counts the crossings of arrows in the diagrams of the gallery, and in Graphviz's diagrams of the same graphs."""

import re
import shutil
import subprocess
from itertools import combinations, pairwise

import pytest
from conftest import COMMAND, ROOT
from svgelements import Move
from svgelements import Path as Curve

TEMPLATES = ROOT / "examples/templates"
Point = tuple[float, float]

GALLERY = [
    "platform.yaml",
    "platform.yaml --nest=RunsOn --legend",
    "platform.yaml --direction right",
    "platform.yaml --focus loans --depth 1",
    "platform.yaml --show plan",
    "broken.yaml",
    "shop.yaml",
    "shop.yaml --show imports",
    "shop-types.yaml --show types",
]


def drawn(arguments: str, kind: str) -> str:
    """The diagram in a format."""
    command = [COMMAND, "graph", *arguments.split(), "--format", kind, "--quiet"]
    return subprocess.run(command, cwd=TEMPLATES, capture_output=True, text=True).stdout


def by_graphviz(dot: str) -> str:
    """Graphviz's diagram of a graph, as SVG."""
    return subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=True).stdout


def arrows(svg: str, pattern: str) -> list[list[Point]]:
    """The arrows in a diagram, as lines of short straight pieces."""
    return [points(Curve(path)) for path in re.findall(pattern, svg)]


def points(curve: Curve, steps: int = 16) -> list[Point]:
    """Points on a curve."""
    pieces = [piece for piece in curve if not isinstance(piece, Move)]
    found = [piece.point(step / steps) for piece in pieces for step in range(steps + 1)]
    return [(point.x, point.y) for point in found]


def crossings(arrows: list[list[Point]]) -> int:
    """The number of places where two arrows cross."""
    return sum(
        is_crossing(*one, *other)
        for line, against in combinations(arrows, 2)
        for one in pairwise(line)
        for other in pairwise(against)
    )


def is_crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two pieces cross. Pieces that only touch do not."""

    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


def test_crossings_are_counted():
    cross = '<path class="line" d="M0 0L10 11"/><path class="line" d="M10 0C10 5 0 5 0 10"/>'
    assert crossings(arrows(cross, r'd="([^"]*)"')) == 1
    apart = '<path class="line" d="M0 0L10 10"/><path class="line" d="M1 0L11 10"/><path class="line" d="M12 10L20 0"/>'
    assert crossings(arrows(apart, r'd="([^"]*)"')) == 0


@pytest.mark.skipif(not shutil.which("dot"), reason="there is no Graphviz")
@pytest.mark.parametrize("arguments", GALLERY)
def test_the_gallery_has_no_more_crossings_than_graphviz(arguments: str):
    own = arrows(drawn(arguments, "svg"), r'<path class="line[^"]*" d="([^"]*)"')
    other = arrows(by_graphviz(drawn(arguments, "dot")), r'class="edge">\s*<title>.*?</title>\s*<path[^>]* d="([^"]*)"')
    assert other, "Graphviz draws no arrow"
    assert len(own) >= len(other)
    print(f"{arguments}: {crossings(own)} crossings, {crossings(other)} by Graphviz")
    assert crossings(own) <= crossings(other)
