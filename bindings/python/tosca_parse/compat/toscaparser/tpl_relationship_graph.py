"""The graph of the node templates."""

from __future__ import annotations

from typing import Any


class ToscaGraph:
    """Node templates by name; `vertices` and the relationships between them."""

    def __init__(self, nodetemplates: Any) -> None:
        self.nodetemplates = nodetemplates
        self.vertices = {node.name: node for node in nodetemplates}

    def vertex(self, node: str) -> Any:
        return self.vertices.get(node)

    def __contains__(self, name: object) -> bool:
        return name in self.vertices

    def __iter__(self) -> Any:
        return iter(self.vertices.values())
