"""Groups."""

from __future__ import annotations

from typing import Any

from .entity_template import EntityTemplate


class Group(EntityTemplate):
    """A group. `members` are names, and `member_nodes` the node templates."""

    SECTIONS = (TYPE, METADATA, DESCRIPTION, PROPERTIES, MEMBERS, INTERFACES, ATTRIBUTES) = (  # type: ignore[assignment]
        "type", "metadata", "description", "properties", "members", "interfaces", "attributes")

    def __init__(self, name: str, group_templates: Any, member_nodes: Any, custom_defs: Any = None) -> None:
        super().__init__(name, group_templates, "group_type", custom_defs)
        self.tpl = group_templates
        self.meta_data = self.entity_tpl.get(self.METADATA)
        self.member_nodes = member_nodes

    @property
    def members(self) -> Any:
        return self.entity_tpl.get(self.MEMBERS)

    @property
    def description(self) -> Any:
        return self.entity_tpl.get(self.DESCRIPTION)

    def get_member_nodes(self) -> Any:
        return self.member_nodes
