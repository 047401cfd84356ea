"""Node types."""

from __future__ import annotations

from typing import Any

from .capabilitytype import CapabilityTypeDef
from .interfaces import LIFECYCLE, LIFECYCLE_SHORTNAME
from .relationshiptype import RelationshipType
from .statefulentitytype import StatefulEntityType


class NodeType(StatefulEntityType):
    def __init__(self, ntype: str, custom_def: dict[str, Any] | None = None) -> None:
        super().__init__(ntype, self.NODE_PREFIX, custom_def)
        self.ntype = ntype

    @property
    def relationship(self) -> dict[RelationshipType, NodeType]:
        """The relationships that the requirements of the type describe, with the types of their targets."""
        found: dict[RelationshipType, NodeType] = {}
        for requirement in self.get_all_requirements():
            for name, described in requirement.items():
                if not isinstance(described, dict):
                    continue
                relationship, node = described.get("relationship"), described.get("node")
                if isinstance(relationship, dict):
                    relationship = relationship.get("type")
                node = node or self._node_with(described.get("capability"))
                if node:
                    kind = RelationshipType(relationship or self.DEPENDSON, name, self.custom_def)
                    found[kind] = NodeType(node, self.custom_def)
        return found

    def _node_with(self, capability: str | None) -> str | None:
        """Returns the first node type with a capability of a type."""
        for name in [*self.TOSCA_DEF, *(self.custom_def or {})]:
            declared = self._declaration(name) or {}
            capabilities = declared.get(self.CAPABILITIES)
            if isinstance(capabilities, dict) and any(
                    isinstance(one, dict) and one.get("type") == capability for one in capabilities.values()):
                return name
        return None

    def get_capabilities_objects(self) -> list[CapabilityTypeDef]:
        """Returns the capabilities, with inherited ones."""
        found = []
        for name, described in self.get_definition(self.CAPABILITIES).items():
            kind = str(described.get("type") if isinstance(described, dict) else described)
            found.append(CapabilityTypeDef(name, kind, self.type, self.custom_def))
        return found

    def get_capabilities(self) -> dict[str, CapabilityTypeDef]:
        return {capability.name: capability for capability in self.get_capabilities_objects()}

    def get_capability(self, name: str) -> Any:
        """Returns the properties of a capability, as its type declares them."""
        found = self.get_capabilities().get(name)
        return found.properties if found else None

    def get_capability_type(self, name: str) -> Any:
        found = self.get_capabilities().get(name)
        return found.type if found else None

    @property
    def requirements(self) -> Any:
        """The requirements, with inherited ones."""
        return self.get_value(self.REQUIREMENTS, None, True)

    def get_all_requirements(self) -> list[dict[str, Any]]:
        return [one for one in self.requirements or [] if isinstance(one, dict)]

    @property
    def interfaces(self) -> Any:
        """The interfaces that the type itself declares."""
        return self.get_value(self.INTERFACES)

    @property
    def lifecycle_inputs(self) -> list[str]:
        """The names of the inputs of the operation `create`."""
        found: list[str] = []
        for name in (LIFECYCLE_SHORTNAME, LIFECYCLE):
            create = ((self.interfaces or {}).get(name) or {}).get("create")
            if isinstance(create, dict):
                found += list(create.get("inputs") or {})
        return found

    @property
    def lifecycle_operations(self) -> list[str]:
        """The names of the operations of the standard lifecycle."""
        return list(self.interfaces_node_lifecycle_operations)
