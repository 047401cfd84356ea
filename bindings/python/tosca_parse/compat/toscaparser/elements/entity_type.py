"""The base of types."""

from __future__ import annotations

import copy
from typing import Any, ClassVar

from ... import definitions


class _BuiltIn:
    """The built-in types, made when they are first used."""

    def __get__(self, instance: object, owner: type) -> dict[str, Any]:
        return definitions.flat()


class EntityType:
    """A type. `defs` is its declaration."""

    SECTIONS = (DERIVED_FROM, PROPERTIES, ATTRIBUTES, REQUIREMENTS, INTERFACES, CAPABILITIES, TYPE, ARTIFACTS) = (
        "derived_from", "properties", "attributes", "requirements", "interfaces", "capabilities", "type", "artifacts")
    TOSCA_DEF_SECTIONS: ClassVar[list[str]] = list(definitions.SECTIONS.values())
    TOSCA_DEF = _BuiltIn()
    RELATIONSHIP_TYPE = (DEPENDSON, HOSTEDON, CONNECTSTO, ATTACHESTO, LINKSTO, BINDSTO) = (
        "tosca.relationships.DependsOn", "tosca.relationships.HostedOn", "tosca.relationships.ConnectsTo",
        "tosca.relationships.AttachesTo", "tosca.relationships.network.LinksTo", "tosca.relationships.network.BindsTo")
    TOSCA = "tosca"
    NODE_PREFIX = "tosca.nodes."
    RELATIONSHIP_PREFIX = "tosca.relationships."
    CAPABILITY_PREFIX = "tosca.capabilities."
    INTERFACE_PREFIX = "tosca.interfaces."
    ARTIFACT_PREFIX = "tosca.artifacts."
    POLICY_PREFIX = "tosca.policies."
    GROUP_PREFIX = "tosca.groups."
    DATATYPE_PREFIX = "tosca.datatypes."
    DATATYPE_NETWORK_PREFIX = "tosca.datatypes.network."

    type: str
    prefix = ""
    defs: dict[str, Any] | None = None
    custom_def: dict[str, Any] | None = None

    def _declaration(self, name: Any) -> dict[str, Any] | None:
        found = (self.custom_def or {}).get(name)
        found = self.TOSCA_DEF.get(name) if found is None else found
        return found if isinstance(found, dict) else None

    def _chain(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the type and its ancestors, nearest first."""
        chain: list[tuple[str, dict[str, Any]]] = []
        name: Any = self.type
        declared = self.defs
        while isinstance(declared, dict) and all(name != seen for seen, _ in chain):
            chain.append((name, declared))
            name = declared.get(self.DERIVED_FROM)
            declared = self._declaration(name)
            if declared is None and name is not None:
                name = f"{self.prefix}{name}"
                declared = self._declaration(name)
        return chain

    def derived_from(self, defs: dict[str, Any]) -> Any:
        """Returns the name of the parent type in a declaration."""
        return self.entity_value(defs, self.DERIVED_FROM)

    def is_derived_from(self, type_str: str) -> bool:
        """Returns whether the type is a type or derived from it."""
        return any(name == type_str for name, _ in self._chain())

    @property
    def parent_type(self) -> Any:
        """The parent type; `None` for a root type."""
        chain = self._chain()
        return self._of(chain[1][0]) if len(chain) > 1 else None

    def _of(self, name: str) -> Any:
        """Returns another type of the same kind."""
        return type(self)(name, self.custom_def)  # type: ignore[call-arg]

    def entity_value(self, defs: dict[str, Any] | None, key: str) -> Any:
        return defs.get(key) if defs else None

    def get_value(self, ndtype: str, defs: dict[str, Any] | None = None, parent: bool | None = None) -> Any:
        """Returns a section of the declaration or of `defs`. With `parent`, inherited entries are part of it, for `defs`
        those of the type and its ancestors.
        """
        if not parent:
            return copy.copy(self.entity_value(self.defs if defs is None else defs, ndtype))
        merged: Any = None
        for declared in ([] if defs is None else [defs]) + [declared for _, declared in self._chain()]:
            value = declared.get(ndtype)
            if value is None:
                continue
            if merged is None:
                merged = copy.copy(value)
            elif isinstance(merged, dict) and isinstance(value, dict):
                for key, item in value.items():
                    merged.setdefault(key, item)
            elif isinstance(merged, list) and isinstance(value, list):
                names = {name for entry in merged for name in (entry if isinstance(entry, dict) else [entry])}
                merged += [entry for entry in value if not names.intersection(entry if isinstance(entry, dict) else [entry])]
        return merged

    def get_definition(self, ndtype: str) -> dict[str, Any]:
        """Returns a section of the declaration, with inherited entries."""
        return self.get_value(ndtype, parent=True) or {}
