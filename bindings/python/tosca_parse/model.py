"""The normal model, as `Outcome.model` gives it. Made by make_model.py; do not edit it."""

from __future__ import annotations

from typing import Literal, Optional, TypeAlias, Union

from typing_extensions import NotRequired, TypedDict

State: TypeAlias = Literal['assigned', 'default', 'fixed', 'unset']
"""
Where a value comes from.
"""


ValueKind: TypeAlias = Literal['string', 'integer', 'float', 'boolean', 'bytes', 'nil', 'timestamp', 'version', 'scalar', 'range', 'list', 'map', 'complex']
"""
What a data type is derived from in the end.
"""


class Scalar(TypedDict):
    """
    A number with a unit.
    """

    at: str
    """
    Where it is in the value: a JSON pointer (RFC 6901). Empty for the value itself.
    """
    number: str
    """
    The number in the canonical unit, exactly, in decimal notation.
    """
    unit: str
    """
    The canonical unit of the data type.
    """


class Source(TypedDict):
    """
    A place in a file. Only there if positions are asked for.
    """

    file: str
    """
    The file: a path or a URL.
    """
    line: int
    """
    The line, from 1.
    """
    column: int
    """
    The column, from 1, in characters.
    """


class TypeName(TypedDict):
    """
    What identifies a type.
    """

    name: str
    """
    The name by which the type is defined; prefixes by which files call it are not part of it.
    """
    origin: NotRequired[str]
    """
    The profile that defines the type or, without one, the file. Nothing for a type that is part of the language.
    """
    version: NotRequired[str]
    """
    The version of the type, if its definition gives one.
    """


class Asked(TypedDict):
    """
    What a requirement asks of a node that has to be found.
    """

    node_types: NotRequired[list[TypeName]]
    """
    The node type that the node must have or be derived from, and what that is derived from. Any if it is empty.
    """
    capability_types: NotRequired[list[TypeName]]
    """
    The capability type that one of its capabilities must have or be derived from, and what that is derived from.
    """
    capability: NotRequired[str]
    """
    Instead of a type: the name that the capability must have.
    """


class MappedRequirement(TypedDict):
    """
    A requirement of a node template that stands for one of the node.
    """

    node: str
    """
    The node template.
    """
    requirement: NotRequired[str]
    """
    The name of its requirement. Without it, the node at the other end becomes the node that the template selects.
    """


class Units(TypedDict):
    """
    The units of a scalar type.
    """

    canonical: str
    """
    The unit in which values are compared.
    """
    multipliers: dict[str, str]
    """
    What a number of each unit is multiplied by to get to the canonical one: exactly, in decimal notation. Prefixes have been put before their units. In TOSCA 1.x the case of units does not matter, except in bitrates.
    """


class SetStateActivity(TypedDict, closed=True):
    """
    The state of the node is set to this.
    """

    set_state: str


class Service(TypedDict):
    """
    A service, complete: whoever reads it needs neither the files it was written in nor any type.

    A field without content (nothing, an empty list or map, a switch that is off) is not written down.
    """

    model: Literal[1]
    """
    The version of this form of a model. Fields may be added within a version; none is removed, renamed or given another meaning.
    """
    language: str
    """
    The language and version that the entry file is written in, such as `TOSCA 2.0`.
    """
    file: str
    """
    The entry file: a path or a URL.
    """
    description: NotRequired[str]
    """
    What the service does: the description of the service template or, without one, that of the entry file.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    The metadata of the entry file, and those of the service template, which win.
    """
    inputs: NotRequired[dict[str, Property]]
    """
    What is said when the service is deployed. The state `assigned` is that of values that were given to the parser; calls of `get_input` are calls all the same.
    """
    outputs: NotRequired[dict[str, Property]]
    """
    What can be asked of a deployed service.
    """
    nodes: NotRequired[dict[str, Node]]
    """
    The node templates.
    """
    relationships: NotRequired[dict[str, Relationship]]
    """
    The relationship templates. A requirement that uses one has all of it, so that nobody must look here.
    """
    groups: NotRequired[dict[str, Group]]
    """
    The groups.
    """
    policies: NotRequired[dict[str, Policy]]
    """
    The policies.
    """
    workflows: NotRequired[dict[str, Workflow]]
    """
    The workflows.
    """
    substitution: NotRequired[Substitution]
    """
    How the service can stand for a node of another service.
    """
    functions: NotRequired[list[Function]]
    """
    The functions that are called somewhere in the model and are not built in.
    """
    data_types: NotRequired[list[DataType]]
    """
    The data types that a schema names and that are not part of the language, so that values that come later can be checked.
    """


Value: TypeAlias = Union[
    bool | float | str | None,
    list["Value"],
    "CallValue",
    dict[str, "Value"],
]
"""
Data, a call of a function, or data with calls in it. A call is a map with the single key `$call`; keys of data that begin with a dollar sign are written with one more.
"""


class Call(TypedDict):
    """
    A call of a function.
    """

    name: str
    """
    The name of the function, without `$` and without a prefix for the file that defines it.
    """
    origin: NotRequired[str]
    """
    For a function that the service, its files or their imports define: the profile that defines it or, without one, the file. It is then among the `functions` of the service.
    """
    arguments: list[Value]
    """
    What the function is given, in order. One argument that is not a list is a list of one here.
    """


class Property(TypedDict):
    """
    A property, an attribute, or a parameter: an input or output of a service, an operation or a workflow.
    """

    value: NotRequired[Value]
    """
    The value. A member of a complex value that is not given but has a default, has that. Nothing in the state `unset`.
    """
    expression: NotRequired[Value]
    """
    In an evaluated model: the value as it is written, if it, or a part of it, has been computed.
    """
    state: State
    """
    Where the value comes from.
    """
    schema: Schema
    """
    What the value must be like.
    """
    scalars: NotRequired[list[Scalar]]
    """
    The numbers with units in the value, computed. Those in calls are not among them.
    """
    mapping: NotRequired[list[Value]]
    """
    For parameters that come in: the attribute in which the value is stored, as a path that ends in its name.
    """
    source: NotRequired[Source]
    """
    Where the value is given, or else where the thing is defined.
    """


class Schema(TypedDict):
    """
    What a value must be like.
    """

    type: NotRequired[str]
    """
    The data type; nothing if it is not known, as for values that no definition declares.
    """
    type_origin: NotRequired[str]
    """
    The profile that defines the data type or, without one, the file. Nothing for a type that is part of the language.
    """
    kind: NotRequired[ValueKind]
    """
    What the data type is derived from in the end, which says how the value is written.
    """
    required: NotRequired[bool]
    """
    Whether there must be a value before the thing can be made.
    """
    description: NotRequired[str]
    """
    For inputs and outputs of the service and its workflows, and what can be called: what the value is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    For the same: data that is not for the processor.
    """
    validation: NotRequired[list[Value]]
    """
    What must be true of the value, besides what its data type demands: calls that give a boolean, in which the function `value` stands for the value. The constraint clauses of TOSCA 1.x are such calls, too: `min_length: 2` is `$greater_or_equal: [ $length: [ $value ], 2 ]`, and `pattern: ab` is `$matches: [ $value, '^(?:ab)$' ]`, because it must match the whole value. What 2.0 does not have (`schema`, and `in_range` of a `range`) are calls of these names.
    """
    key_schema: NotRequired[Schema]
    """
    What the keys of a map must be like; if it is not there, the data type may say it.
    """
    entry_schema: NotRequired[Schema]
    """
    What the entries of a list or map must be like; if it is not there, the data type may say it.
    """


class Node(TypedDict):
    """
    A node template: a component of the service, from which one node or several are made.
    """

    types: list[TypeName]
    """
    The node type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the node is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    directives: NotRequired[list[str]]
    """
    How the node comes about, in order of preference: `create`, `select`, `substitute`. Created if there are none.
    """
    count: NotRequired[Value]
    """
    How many nodes are made: an integer or a call. One if it is not there.
    """
    node_filter: NotRequired[Value]
    """
    What must be true of a node that is selected.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What is wanted of the node: all properties of its type, and their values.
    """
    attributes: NotRequired[dict[str, Property]]
    """
    What the node is like to begin with: all attributes of its type. A property is an attribute too, but is repeated here only if the template assigns it as one.
    """
    capabilities: NotRequired[dict[str, Capability]]
    """
    What the node offers to others.
    """
    interfaces: NotRequired[dict[str, Interface]]
    """
    What can be called on the node.
    """
    artifacts: NotRequired[dict[str, Artifact]]
    """
    The files that come with the node.
    """
    requirements: NotRequired[list[Requirement]]
    """
    What the node needs of others, in the order of the template; what its type needs besides comes last.
    """
    source: NotRequired[Source]
    """
    Where the template stands.
    """


class Capability(TypedDict):
    """
    Something that a node offers to others.
    """

    types: list[TypeName]
    """
    The capability type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the capability is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What is wanted of the capability.
    """
    attributes: NotRequired[dict[str, Property]]
    """
    What the capability is like to begin with.
    """
    directives: NotRequired[list[str]]
    """
    Where relationships may come from, in order of preference: `internal`, `external`.
    """
    occurrences: NotRequired[Value]
    """
    In TOSCA 1.3: how many relationships may end here, as it is written.
    """
    valid_source_node_types: NotRequired[list[TypeName]]
    """
    The types, of which one must be that of the node at the other end, or one that it is derived from. Any if there are none.
    """
    valid_relationship_types: NotRequired[list[TypeName]]
    """
    The types, of which one must be that of a relationship, or one that it is derived from. Any if there are none.
    """
    source: NotRequired[Source]
    """
    Where the template mentions the capability, or else where it is defined.
    """


class Interface(TypedDict):
    """
    Operations that can be called, and notifications that can come.
    """

    types: list[TypeName]
    """
    The interface type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the interface is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    inputs: NotRequired[dict[str, Property]]
    """
    What all operations and notifications are given, besides their own inputs, which win.
    """
    operations: NotRequired[dict[str, Operation]]
    """
    The operations.
    """
    notifications: NotRequired[dict[str, Operation]]
    """
    The notifications.
    """
    source: NotRequired[Source]
    """
    Where the template mentions the interface, or else where it is defined.
    """


class Operation(TypedDict):
    """
    An operation or a notification.
    """

    description: NotRequired[str]
    """
    What it does.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    implementation: NotRequired[Implementation]
    """
    What is run when the operation is called, or what sends the notification. Without it, nothing is done.
    """
    inputs: NotRequired[dict[str, Property]]
    """
    What it is given.
    """
    outputs: NotRequired[dict[str, Property]]
    """
    What it gives back, with the attributes in which that is stored.
    """
    source: NotRequired[Source]
    """
    Where the template mentions it, or else where it is defined.
    """


class Implementation(TypedDict):
    """
    What is run.
    """

    description: NotRequired[str]
    """
    What it does.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    primary: NotRequired[Artifact]
    """
    The artifact that is run.
    """
    dependencies: NotRequired[list[Artifact]]
    """
    What the primary artifact needs.
    """
    timeout: NotRequired[Value]
    """
    In TOSCA 1.x: how many seconds it may take.
    """
    operation_host: NotRequired[str]
    """
    In TOSCA 1.x: where it is run.
    """


class Artifact(TypedDict):
    """
    A file.
    """

    name: NotRequired[str]
    """
    Its name, if it is one of a node's artifacts; implementations can name these.
    """
    types: list[TypeName]
    """
    The artifact type and what it is derived from. Empty where none is given, as for a file that is only named.
    """
    file: NotRequired[str]
    """
    The address of the file: absolute, or relative to the repository or, without one, to `base`.
    """
    repository: NotRequired[Repository]
    """
    The repository in which the file is.
    """
    base: str
    """
    The TOSCA file that names the artifact, to which its address is relative.
    """
    description: NotRequired[str]
    """
    What the artifact is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    mime_type: NotRequired[str]
    """
    The media type of the file, by its type.
    """
    file_ext: NotRequired[list[str]]
    """
    What names of such files end with, by its type; without the dot.
    """
    deploy_path: NotRequired[str]
    """
    In TOSCA 1.x: where the file is to be put.
    """
    artifact_version: NotRequired[str]
    """
    The version of the artifact.
    """
    checksum: NotRequired[str]
    """
    What the file can be checked with.
    """
    checksum_algorithm: NotRequired[str]
    """
    How the checksum is computed.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What the artifact says about itself besides.
    """
    source: NotRequired[Source]
    """
    Where the artifact is written.
    """


class Repository(TypedDict):
    """
    A place from which files are fetched.
    """

    name: str
    """
    Its name.
    """
    url: NotRequired[str]
    """
    Its address.
    """
    credential: NotRequired[Value]
    """
    In TOSCA 1.x: what it asks of those who fetch from it.
    """


class Requirement(TypedDict):
    """
    Something that a node needs of another: a requirement assignment, or what stands for one.

    Either `target` or `dangling` is there.
    """

    name: str
    """
    The name of the requirement. Several may have the same.
    """
    description: NotRequired[str]
    """
    What the requirement is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    implicit: NotRequired[bool]
    """
    Whether the template says nothing of the requirement, which the type demands all the same.
    """
    target: NotRequired[Target]
    """
    The node template at the other end.
    """
    resolved: NotRequired[bool]
    """
    Whether the template leaves the requirement open, and the target has been found among its nodes.
    """
    dangling: NotRequired[Asked]
    """
    What kind of node has to be found.
    """
    node_filter: NotRequired[list[Value]]
    """
    What must be true of the node at the other end: the filter of the assignment, and those of the definition.
    """
    relationship: Relationship
    """
    The relationship that is made.
    """
    count: NotRequired[Value]
    """
    How many relationships are made: an integer or a call. One if it is not there.
    """
    occurrences: NotRequired[Value]
    """
    In TOSCA 1.3: how many relationships may be made, as it is written.
    """
    optional: NotRequired[bool]
    """
    Whether the service is all right without the relationship.
    """
    directives: NotRequired[list[str]]
    """
    Where the node at the other end may be, in order of preference: `internal`, `external`.
    """
    allocation: NotRequired[dict[str, Property]]
    """
    How much of the target capability's properties the relationship takes.
    """
    source: NotRequired[Source]
    """
    Where the assignment stands; for an implicit one, the definition.
    """


class Target(TypedDict):
    """
    The node at the other end of a relationship.
    """

    node: str
    """
    The name of the node template.
    """
    index: NotRequired[Value]
    """
    Which of the nodes that are made from the template: an integer or a call. Any if it is not there.
    """
    capability: NotRequired[str]
    """
    The name of the capability at which the relationship ends; nothing if none fits.
    """


class Relationship(TypedDict):
    """
    A relationship, or a template for relationships.
    """

    template: NotRequired[str]
    """
    The name of the relationship template that it is made from, if it is made from one.
    """
    types: list[TypeName]
    """
    The relationship type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the relationship is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What is wanted of the relationship.
    """
    attributes: NotRequired[dict[str, Property]]
    """
    What the relationship is like to begin with.
    """
    interfaces: NotRequired[dict[str, Interface]]
    """
    What can be called on the relationship.
    """
    valid_capability_types: NotRequired[list[TypeName]]
    """
    The types, of which one must be that of the capability at which the relationship ends, or one that it is derived from. Any if there are none.
    """
    valid_target_node_types: NotRequired[list[TypeName]]
    """
    The types, of which one must be that of the node at which the relationship ends, or one that it is derived from. Any if there are none.
    """
    valid_source_node_types: NotRequired[list[TypeName]]
    """
    The types, of which one must be that of the node at which the relationship starts, or one that it is derived from. Any if there are none.
    """
    source: NotRequired[Source]
    """
    Where it is written: the template, the assignment, or the definition of the requirement.
    """


class Group(TypedDict):
    """
    Nodes to which policies apply in common.
    """

    types: list[TypeName]
    """
    The group type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the group is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What is wanted of the group.
    """
    attributes: NotRequired[dict[str, Property]]
    """
    What the group is like to begin with.
    """
    interfaces: NotRequired[dict[str, Interface]]
    """
    Until TOSCA 1.2: what can be called on the group.
    """
    nodes: NotRequired[list[str]]
    """
    The node templates from which the members are made.
    """
    groups: NotRequired[list[str]]
    """
    The groups whose members are members too.
    """
    source: NotRequired[Source]
    """
    Where the group stands.
    """


class Policy(TypedDict):
    """
    A rule that governs nodes and groups.
    """

    types: list[TypeName]
    """
    The policy type and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the policy is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    properties: NotRequired[dict[str, Property]]
    """
    What the policy says.
    """
    nodes: NotRequired[list[str]]
    """
    The node templates that it is about.
    """
    groups: NotRequired[list[str]]
    """
    The groups that it is about.
    """
    triggers: NotRequired[dict[str, Trigger]]
    """
    What it does when something happens: what its type says, and what it adds.
    """
    source: NotRequired[Source]
    """
    Where the policy stands.
    """


class Trigger(TypedDict):
    """
    What is done when something happens.
    """

    description: NotRequired[str]
    """
    What the trigger is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    event: NotRequired[str]
    """
    What happens: a notification, written `interface.notification`, or another event.
    """
    schedule: NotRequired[Value]
    """
    In TOSCA 1.x: when it may happen, as it is written.
    """
    target_filter: NotRequired[Value]
    """
    In TOSCA 1.x: where it happens, as it is written.
    """
    condition: NotRequired[Value]
    """
    What must be true besides.
    """
    action: NotRequired[list[Activity]]
    """
    What is done, in order.
    """
    operation: NotRequired[Value]
    """
    In TOSCA 1.1 and 1.2, which have no activities there: the operation that is done or the name of the workflow that is run, as it is written.
    """
    source: NotRequired[Source]
    """
    Where the trigger stands.
    """


Activity: TypeAlias = Union[
    "DelegateActivity",
    SetStateActivity,
    "CallOperationActivity",
    "InlineActivity",
]
"""
Something that is done: a map with one key, which says what.
"""


class Workflow(TypedDict):
    """
    A sequence of steps that can be run on the service.
    """

    description: NotRequired[str]
    """
    What the workflow does.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    inputs: NotRequired[dict[str, Property]]
    """
    What the workflow is given.
    """
    preconditions: NotRequired[list[Value]]
    """
    What must be true before it is run. In TOSCA 1.x as it is written.
    """
    steps: NotRequired[dict[str, Step]]
    """
    The steps. Those that no other names as its follower are where it begins.
    """
    implementation: NotRequired[Implementation]
    """
    What runs it, instead of steps.
    """
    outputs: NotRequired[dict[str, Property]]
    """
    What it gives back, with the attributes in which that is stored.
    """
    source: NotRequired[Source]
    """
    Where the workflow stands.
    """


class Step(TypedDict):
    """
    A step of a workflow. Either `node` or `group` is there.
    """

    description: NotRequired[str]
    """
    What the step does.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    node: NotRequired[str]
    """
    The node template that the step works on.
    """
    group: NotRequired[str]
    """
    The group that the step works on.
    """
    relationship: NotRequired[str]
    """
    The requirement of the node whose relationships the step works on instead.
    """
    operation_host: NotRequired[str]
    """
    In TOSCA 1.x: where operations are run.
    """
    filter: NotRequired[list[Value]]
    """
    What must be true for the step to be taken.
    """
    activities: NotRequired[list[Activity]]
    """
    What is done, in order.
    """
    on_success: NotRequired[list[str]]
    """
    The steps that follow when all went well.
    """
    on_failure: NotRequired[list[str]]
    """
    The steps that follow when something went wrong.
    """
    source: NotRequired[Source]
    """
    Where the step stands.
    """


class Substitution(TypedDict):
    """
    How a service can stand for a node in another service.
    """

    types: list[TypeName]
    """
    The type of the nodes that the service can stand for, and what it is derived from.
    """
    description: NotRequired[str]
    """
    What the substitution is for.
    """
    metadata: NotRequired[dict[str, Value]]
    """
    Data that is not for the processor.
    """
    filter: NotRequired[Value]
    """
    What must be true of such a node.
    """
    properties: NotRequired[list[PropertyMapping]]
    """
    The inputs that get the properties of the node.
    """
    attributes: NotRequired[list[PropertyMapping]]
    """
    The outputs that the attributes of the node get.
    """
    capabilities: NotRequired[list[CapabilityMapping]]
    """
    The capabilities of node templates that stand for those of the node.
    """
    requirements: NotRequired[list[RequirementMapping]]
    """
    The requirements of node templates that stand for those of the node.
    """
    interfaces: NotRequired[dict[str, dict[str, str]]]
    """
    The workflows that stand for operations of the node, by interface and operation.
    """
    source: NotRequired[Source]
    """
    Where the mappings stand.
    """


class PropertyMapping(TypedDict):
    """
    A property or attribute of the node, and what it is mapped to.
    """

    path: list[Value]
    """
    The property or attribute: its name, or a path that ends in it, such as `[CAPABILITY, host, size]`.
    """
    input: NotRequired[str]
    """
    For a property: the input that gets its value.
    """
    output: NotRequired[str]
    """
    For an attribute: the output whose value it gets.
    """
    value: NotRequired[Value]
    """
    In TOSCA 1.x: what it is mapped to, as it is written, if that is neither an input nor an output.
    """


class CapabilityMapping(TypedDict):
    """
    A capability of the node, and the one that stands for it.
    """

    capability: str
    """
    The name of the capability of the node.
    """
    target: NotRequired[Target]
    """
    The node template, and the name of its capability. Nothing if it is written in another form.
    """


class RequirementMapping(TypedDict):
    """
    A requirement of the node, and those that stand for it.
    """

    requirement: str
    """
    The name of the requirement of the node.
    """
    count: NotRequired[Value]
    """
    How many assignments of the requirement are meant: an integer or `UNBOUNDED`. One if it is not there.
    """
    targets: NotRequired[list[MappedRequirement]]
    """
    The requirements that stand for it, each with its node template.
    """


class Function(TypedDict):
    """
    A function that the service, its files or their imports define.
    """

    name: str
    """
    The name, as calls say it.
    """
    origin: str
    """
    The profile that defines the function or, without one, the file; as calls say it.
    """
    description: NotRequired[str]
    """
    What the function computes.
    """
    signatures: list[Signature]
    """
    The forms in which the function can be called, of which the first that fits is meant. Implementations that the service gives to them have been put in their places.
    """


class Signature(TypedDict):
    """
    A form in which a function can be called.
    """

    arguments: NotRequired[list[Schema]]
    """
    What must be given, in order.
    """
    optional_arguments: NotRequired[list[Schema]]
    """
    What may be given after that, in order.
    """
    variadic: NotRequired[bool]
    """
    Whether the last argument may be repeated.
    """
    result: NotRequired[Schema]
    """
    What the function gives back; anything if it is not there.
    """
    implementation: NotRequired[Implementation]
    """
    What computes it.
    """


class DataType(TypedDict):
    """
    A data type that is not part of the language.
    """

    types: list[TypeName]
    """
    The data type and what it is derived from.
    """
    kind: ValueKind
    """
    What it is derived from in the end.
    """
    validation: NotRequired[list[Value]]
    """
    What must be true of a value, also by what the type is derived from.
    """
    properties: NotRequired[dict[str, Property]]
    """
    The members of a complex value, with their defaults.
    """
    key_schema: NotRequired[Schema]
    """
    What the keys of a map must be like, unless a definition says more.
    """
    entry_schema: NotRequired[Schema]
    """
    What the entries of a list or map must be like, unless a definition says more.
    """
    units: NotRequired[Units]
    """
    The units of a scalar type.
    """


CallValue = TypedDict(
    'CallValue',
    {
        '$call': Call
    },
    closed=True,
)


class Delegate(TypedDict):
    workflow: str
    """
    Its name.
    """
    inputs: NotRequired[dict[str, Value]]
    """
    What it is given.
    """


class DelegateActivity(TypedDict, closed=True):
    """
    A workflow that the processor provides is run.
    """

    delegate: Delegate


class CallOperation(TypedDict):
    interface: str
    """
    The name of the interface.
    """
    operation: str
    """
    The name of the operation.
    """
    inputs: NotRequired[dict[str, Value]]
    """
    What it is given, instead of what the node says.
    """


class CallOperationActivity(TypedDict, closed=True):
    """
    An operation is called.
    """

    call_operation: CallOperation


class Inline(TypedDict):
    workflow: str
    """
    Its name.
    """
    inputs: NotRequired[dict[str, Value]]
    """
    What it is given.
    """


class InlineActivity(TypedDict, closed=True):
    """
    Another workflow of the service is run as a part of this one.
    """

    inline: Inline
