"""Operations of interfaces."""

from __future__ import annotations

from typing import Any

from .statefulentitytype import StatefulEntityType

SECTIONS = (LIFECYCLE, CONFIGURE, LIFECYCLE_SHORTNAME, CONFIGURE_SHORTNAME) = (
    "tosca.interfaces.node.lifecycle.Standard", "tosca.interfaces.relationship.Configure", "Standard", "Configure")
INTERFACEVALUE = (IMPLEMENTATION, INPUTS, OUTPUTS) = ("implementation", "inputs", "outputs")
INTERFACE_DEF_RESERVED_WORDS = ["type", "inputs", "derived_from", "version", "description"]


class InterfacesDef(StatefulEntityType):
    """An operation of an interface: `type` is the name of the interface, and `name` that of the operation."""

    def __init__(self, node_type: Any, interfacename: str, node_template: Any = None, name: str | None = None,
                 value: Any = None) -> None:
        self.ntype = node_type
        self.node_template = node_template
        self.type = interfacename
        self.name = name
        self.value = value
        self.implementation = value.get(IMPLEMENTATION) if isinstance(value, dict) else value
        self.inputs = value.get(INPUTS) if isinstance(value, dict) else None
        self.outputs = value.get(OUTPUTS) if isinstance(value, dict) else None
        self.custom_def = getattr(node_type, "custom_def", None)
        full = {LIFECYCLE_SHORTNAME: LIFECYCLE, CONFIGURE_SHORTNAME: CONFIGURE}
        declared = getattr(node_type, "defs", None) or {}
        interface = (declared.get("interfaces") or {}).get(interfacename) or {}
        self.defs = self._declaration(full.get(interfacename, interface.get("type") or interfacename))

    @property
    def lifecycle_ops(self) -> list[str] | None:
        """The operations of the standard lifecycle, if the interface has this type."""
        return self._ops() if self.type in (LIFECYCLE, LIFECYCLE_SHORTNAME) else None

    @property
    def configure_ops(self) -> list[str] | None:
        """The operations that configure a relationship, if the interface has this type."""
        return self._ops() if self.type in (CONFIGURE, CONFIGURE_SHORTNAME) else None

    def _ops(self) -> list[str]:
        return [key for key in self.defs or {} if key not in INTERFACE_DEF_RESERVED_WORDS]


def operations(interface: Any) -> dict[str, Any]:
    """Returns the operations of an interface, in the notation of TOSCA 1.0 or 1.3."""
    found: dict[str, Any] = {}
    for name, value in (interface or {}).items():
        if name == "operations" and isinstance(value, dict):
            found |= value
        elif name not in (*INTERFACE_DEF_RESERVED_WORDS, "notifications"):
            found[name] = value
    return found
