"""Types, as `Outcome.types` returns them."""

from __future__ import annotations

from typing import Literal, TypedDict


class Value(TypedDict):
    """A property or attribute."""

    name: str
    type: str | None
    required: bool
    description: str | None


class Capability(TypedDict):
    """A capability."""

    name: str
    type: str | None
    description: str | None


class Requirement(TypedDict):
    """A requirement, with the types of its target and relationship, and the possible number of relationships."""

    name: str
    capability: str | None
    node: str | None
    relationship: str | None
    lower: int
    upper: int | None
    """The upper bound; `None` if there is none."""
    description: str | None


class Type(TypedDict):
    """A type, with inherited members."""

    kind: Literal[
        "node type", "relationship type", "capability type", "group type", "data type", "artifact type", "policy type",
        "interface type",
    ]
    name: str
    file: str
    """The file that declares the type."""
    ancestors: list[str]
    """The ancestors, nearest first."""
    description: str | None
    properties: list[Value]
    attributes: list[Value]
    capabilities: list[Capability]
    requirements: list[Requirement]
