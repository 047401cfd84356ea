"""Calls of functions in values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..definitions import call, plain
from .common.exception import ExceptionCollector

GET_PROPERTY = "get_property"
GET_ATTRIBUTE = "get_attribute"
GET_INPUT = "get_input"
GET_OPERATION_OUTPUT = "get_operation_output"
CONCAT = "concat"
TOKEN = "token"
SELF = "SELF"
HOST = "HOST"
TARGET = "TARGET"
SOURCE = "SOURCE"
HOSTED_ON = "tosca.relationships.HostedOn"


class Function:
    """A call in a topology template. `context` is the template that contains it, or the outputs."""

    def __init__(self, tosca_tpl: Any, context: Any, name: str, args: Any) -> None:
        self.tosca_tpl = tosca_tpl
        self.context = context
        self.name = name
        self.args = args
        self.validate()

    def validate(self) -> None:
        """Reports a wrong number of arguments. Names are checked by the parser."""

    @property
    def _topology(self) -> Any:
        """The topology template; callers may give the service template instead."""
        return getattr(self.tosca_tpl, "topology_template", self.tosca_tpl)

    def result(self) -> Any:
        """Returns the value as far as it is known before deployment; otherwise the call itself."""
        if hasattr(self.context, "templates"):
            calls = self._topology.calls("nodes", self.context.name)
        elif getattr(self.context, "source", None) is not None:
            calls = self._topology.calls("nodes", self.context.source.name)
        else:
            calls = self._topology.calls()
        value = calls.get(text_of(self.name, self.args), self)
        return self if value is self or call(value) else plain(value)


class GetInput(Function):
    def validate(self) -> None:
        if isinstance(self.args, list) and len(self.args) != 1:
            message = f'Expected one argument for function "get_input" but received "{self.args}".'
            ExceptionCollector.appendException(ValueError(message))

    @property
    def input_name(self) -> Any:
        return self.args[0] if isinstance(self.args, list) else self.args

    def result(self) -> Any:
        given = self._topology.known_inputs(self.input_name)
        if self.input_name in given:
            return given[self.input_name]
        return next((one.default for one in self._topology.inputs if one.name == self.input_name), None)


class GetAttribute(Function):
    def validate(self) -> None:
        if not isinstance(self.args, list) or len(self.args) < 2:
            message = ('Illegal arguments for function "get_attribute". Expected arguments: "node-template-name", '
                       '"req-or-cap"(optional), "property name"')
            ExceptionCollector.appendException(ValueError(message))

    def result(self) -> Any:
        return self

    @property
    def node_template_name(self) -> Any:
        return self.args[0]

    @property
    def attribute_name(self) -> Any:
        return self.args[1]

    def get_referenced_node_template(self) -> Any:
        """Returns the node template of the attribute; for `HOST`, the first host that has it."""
        return _node(self, self.attribute_name, "get_attributes_def")


class GetProperty(Function):
    def validate(self) -> None:
        if not isinstance(self.args, list) or len(self.args) < 2:
            message = ('Expected arguments: "node-template-name", "req-or-cap"(optional), "property name".')
            ExceptionCollector.appendException(ValueError(message))

    @property
    def node_template_name(self) -> Any:
        return self.args[0]

    @property
    def property_name(self) -> Any:
        return self.args[2] if len(self.args) > 2 else self.args[1]

    @property
    def req_or_cap(self) -> Any:
        return self.args[1] if len(self.args) > 2 else None

    def result(self) -> Any:
        """Returns the value; that of a property with an unknown value is its call."""
        value = super().result()
        node: Any = _node(self, self.property_name, "get_properties_def") if value is self else None
        if not hasattr(node, "get_property_value"):
            return value
        owners = _owners(node, self.req_or_cap) if self.req_or_cap else [node]
        values = (owner.get_property_value(self.property_name) for owner in owners)
        assigned = next((value for value in values if value is not None), None)
        called = get_function(self.tosca_tpl, node, assigned)
        if not isinstance(called, Function) or (called.name, called.args) == (self.name, self.args):
            return self if assigned is None else called
        return called.result() if isinstance(called, GetInput) else called


class GetOperationOutput(Function):
    def validate(self) -> None:
        if not isinstance(self.args, list) or len(self.args) != 4:
            message = ('Illegal arguments for function "get_operation_output". Expected arguments: "template_name",'
                       '"interface_name","operation_name","output_variable_name"')
            ExceptionCollector.appendException(ValueError(message))

    def result(self) -> Any:
        return self


class Concat(Function):
    def validate(self) -> None:
        if not isinstance(self.args, list) or not self.args:
            message = 'Invalid arguments for function "concat". Expected at least one arguments.'
            ExceptionCollector.appendException(ValueError(message))


class Token(Function):
    def validate(self) -> None:
        start = 'Invalid arguments for function "token". Expected '
        if not isinstance(self.args, list) or len(self.args) < 3:
            ExceptionCollector.appendException(ValueError(f"{start}at least three arguments."))
            return
        if not isinstance(self.args[1], str) or len(self.args[1]) != 1:
            ExceptionCollector.appendException(ValueError(f"{start}single char value as second argument."))
        if not isinstance(self.args[2], int):
            ExceptionCollector.appendException(ValueError(f"{start}integer value as third argument."))


function_mappings: dict[str, type[Function]] = {
    GET_PROPERTY: GetProperty, GET_INPUT: GetInput, GET_ATTRIBUTE: GetAttribute,
    GET_OPERATION_OUTPUT: GetOperationOutput, CONCAT: Concat, TOKEN: Token,
}


def is_function(function: Any) -> bool:
    """Returns whether a value is a call, as data or as an object."""
    if isinstance(function, dict) and len(function) == 1:
        return next(iter(function)) in function_mappings
    return isinstance(function, Function)


def get_function(tosca_tpl: Any, node_template: Any, raw_function: Any) -> Any:
    """Returns the object for a call; other values are returned as they are."""
    if isinstance(raw_function, dict) and is_function(raw_function):
        ((name, args),) = raw_function.items()
        args = [args] if name == GET_INPUT and not isinstance(args, list) else args
        return function_mappings[name](tosca_tpl, node_template, name, args)
    return raw_function


def _host(node: Any) -> Any:
    return next((target for kind, target in node.relationships.items() if kind.is_derived_from(HOSTED_ON)), None)


def _owners(node: Any, name: str) -> Iterator[Any]:
    """Yields a capability of a node, or the target of a requirement and the target's suitable capabilities."""
    capability = node.get_capability(name)
    if capability:
        yield capability
        return
    declared = next((one[name] for one in node.type_definition.get_all_requirements() if name in one), None)
    wanted = declared.get("capability") if isinstance(declared, dict) else declared
    for kind, target in getattr(node, "relationships", {}).items():
        if kind.capability_name == name:
            yield target
            yield from (one for one in target.get_capabilities_objects() if one.definition.is_derived_from(wanted))


def _node(function: Any, member: str, definitions: str) -> Any:
    """Returns the node template that a function refers to."""
    name, context = function.node_template_name, function.context
    if name == SELF:
        return context
    if name in (SOURCE, TARGET):
        return context.source if name == SOURCE else context.target
    if name == HOST:
        node, passed = _host(context), set()
        while node is not None and node.name not in passed:
            if member in getattr(node.type_definition, definitions)():
                return node
            passed.add(node.name)
            node = _host(node)
        return None
    return next((node for node in function._topology.nodetemplates if node.name == name), None)


def computed(model: Any, evaluated: Any) -> Iterator[tuple[str, Any]]:
    """Yields the calls in a part of the model with their values, outer and later ones last."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(model, dict) and isinstance(evaluated, dict):
        pairs = [(value, evaluated[key]) for key, value in model.items() if key in evaluated]
    elif isinstance(model, list) and isinstance(evaluated, list):
        pairs = list(zip(model, evaluated, strict=False))
    for one, other in reversed(pairs):
        yield from computed(one, other)
    found = call(model)
    if found:
        yield text_of(found[0], plain(found[1])), evaluated


def text_of(name: str, args: Any) -> str:
    return json.dumps([name, args if isinstance(args, list) else [args]], sort_keys=True, default=str)
