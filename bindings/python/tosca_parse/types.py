"""Types, as `Outcome.types` returns them."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict


class Schema(TypedDict):
    """The type of values, and conditions that they must fulfill."""

    type: str | None
    validation: list[Any]
    """The conditions, in the notation of the source: constraints of TOSCA 1.x, or calls that return a boolean."""
    key_schema: NotRequired[Schema]
    """For a map: the schema of the keys."""
    entry_schema: NotRequired[Schema]
    """For a list or map: the schema of the entries."""


class Value(Schema):
    """A property, an attribute, or a parameter of an operation."""

    name: str
    required: bool
    description: str | None
    metadata: dict[str, Any]
    default: NotRequired[Any]
    """The default, in the notation of the source. Missing if there is none."""
    value: NotRequired[Any]
    """The fixed value, in the notation of the source. Missing if there is none."""


class Capability(TypedDict):
    """A capability."""

    name: str
    type: str | None
    description: str | None
    properties: list[Value]
    attributes: list[Value]
    valid_source_node_types: list[str]
    valid_relationship_types: list[str]


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


class Operation(TypedDict):
    """An operation or a notification."""

    name: str
    description: str | None
    inputs: list[Value]
    outputs: list[Value]
    implementation: str | None
    """The file or the name of the primary artifact."""
    dependencies: list[str]
    """The files or the names of the other artifacts."""


class Interface(TypedDict):
    """An interface. Operations of its type that it does not refine are included."""

    name: str
    type: str | None
    description: str | None
    inputs: list[Value]
    operations: list[Operation]
    notifications: list[Operation]


class Artifact(TypedDict):
    """An artifact."""

    name: str
    type: str | None
    file: str | None
    description: str | None


class Trigger(TypedDict):
    """A trigger of a policy."""

    name: str
    event: str | None
    description: str | None


class Type(TypedDict):
    """A type, with inherited members. Lists that types of its kind can't have are empty."""

    kind: Literal[
        "node type", "relationship type", "capability type", "group type", "data type", "artifact type", "policy type",
        "interface type",
    ]
    name: str
    file: str
    """The file that declares the type."""
    version: NotRequired[str]
    ancestors: list[str]
    """The ancestors, nearest first."""
    description: str | None
    metadata: dict[str, Any]
    """The metadata of the type itself, which is not inherited."""
    incomplete: NotRequired[Literal[True]]
    """Present if the members, and the ancestors after the first one, are omitted, because all types together exceed
    64 MiB. `Outcome.is_derived_from` and `Outcome.types_derived_from` know all ancestors."""
    properties: list[Value]
    attributes: list[Value]
    capabilities: list[Capability]
    requirements: list[Requirement]
    interfaces: list[Interface]
    artifacts: list[Artifact]
    valid_source_node_types: list[str]
    """For relationship and capability types: the types of nodes that may be the source. Any node if the list is empty,
    as for the other valid types."""
    valid_target_node_types: list[str]
    """For relationship types: the types of nodes that may be the target."""
    valid_capability_types: list[str]
    """For relationship types: the types of capabilities that may be the target."""
    valid_relationship_types: list[str]
    """For capability types: the types of relationships to such capabilities."""
    members: list[str]
    """For group types: the types of nodes that may be members."""
    targets: list[str]
    """For policy types: the types of nodes and groups that may be targets."""
    triggers: list[Trigger]
    """For policy types: the triggers."""
    mime_type: str | None
    """For artifact types: the MIME type."""
    file_ext: list[str]
    """For artifact types: the file extensions, without a dot."""
    inputs: list[Value]
    """For interface types: the inputs of all operations."""
    operations: list[Operation]
    notifications: list[Operation]
    schema: NotRequired[Schema]
    """For data types: the conditions that values must fulfill, including inherited ones, and the schemas of keys and
    entries."""
