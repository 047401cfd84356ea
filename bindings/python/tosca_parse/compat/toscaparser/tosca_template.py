"""Service templates."""

from __future__ import annotations

import copy
import logging
import os
from typing import Any

from ... import Outcome, Parser
from ..definitions import SECTIONS as TYPE_SECTIONS
from ..definitions import sections
from ..problems import Scope, exception
from .common.exception import (
    ExceptionCollector, InvalidTemplateVersion, MissingRequiredFieldError, TypeMismatchError, UnknownFieldError,
    ValidationError,
)
from .functions import Function
from .imports import ImportsLoader, types_of
from .prereq.csar import CSAR
from .repositories import Repository
from .topology_template import TopologyTemplate, known_inputs
from .tpl_relationship_graph import ToscaGraph
from .utils import yamlparser

log = logging.getLogger("tosca.model")

DEFINITION_VERSION = "tosca_definitions_version"
DESCRIPTION = "description"
IMPORTS = "imports"
REPOSITORIES = "repositories"
TOPOLOGY_TEMPLATE = "topology_template"
SECTIONS = (DEFINITION_VERSION, "tosca_default_namespace", "template_name", TOPOLOGY_TEMPLATE, "template_author",
            "template_version", DESCRIPTION, IMPORTS, "dsl_definitions", "node_types", "relationship_types",
            "relationship_templates", "capability_types", "artifact_types", "data_types", "interface_types",
            "policy_types", "group_types", REPOSITORIES)
YAML_LOADER = yamlparser.load_yaml


class ToscaTemplate:
    """A service template: a YAML file, an archive, or data. `outcome` is the result of the parser.

    Raises `ValidationError` if the template is invalid. Its `diagnostics` are the problems.
    """

    MAIN_TEMPLATE_VERSIONS = ("tosca_simple_yaml_1_0", "tosca_simple_yaml_1_2", "tosca_simple_yaml_1_3")
    VALID_TEMPLATE_VERSIONS = (*MAIN_TEMPLATE_VERSIONS, "tosca_simple_profile_for_mec_1_0_0",
                               "tosca_simple_profile_for_nfv_1_0_0")

    def __init__(self, path: str | None = None, parsed_params: Any = None, a_file: bool = True,
                 yaml_dict_tpl: Any = None, local_defs: Any = None) -> None:
        ExceptionCollector.start()
        try:
            self.a_file = a_file
            self.input_path = path
            self.path: str | None = None
            self._csar: CSAR | None = None
            self.parsed_params = parsed_params
            self.tpl: Any = None
            self.outcome: Outcome | None = None
            self.nested_tosca_tpls: dict[str, Any] = {}
            self.nested_tosca_templates_with_topology: list[TopologyTemplate] = []
            if path:
                self.path = self._get_path(path)
                if self.path:
                    self.tpl = yamlparser.load_yaml(self.path, self.a_file)
            elif yaml_dict_tpl:
                self.tpl = copy.deepcopy(yaml_dict_tpl)  # calls in it are replaced
            else:
                ExceptionCollector.appendException(ValueError("No path or yaml_dict_tpl was provided. There is nothing to parse."))
            if isinstance(self.tpl, dict):
                self._load(local_defs)
            elif self.tpl is not None:
                ExceptionCollector.appendException(TypeMismatchError(what="Template", type="dict"))
        finally:
            ExceptionCollector.stop()
        self.verify_template()

    def _load(self, local_defs: Any) -> None:
        self.version = self._tpl_version()
        self._validate_field()
        self.description = self._tpl_description()
        self.repositories = [Repository(name, values) for name, values in self._tpl_repositories().items()]
        name = self.path or os.path.join(os.getcwd(), "service.yaml")
        loader = ImportsLoader(self._tpl_imports() or [], self.path, list(TYPE_SECTIONS.values()), self.tpl,
                               root=self._csar.temp_dir if self._csar else None)
        self.custom_defs: dict[str, Any] = {**loader.get_custom_defs(), **types_of(self.tpl), **(local_defs or {})}
        for file, imported in loader.imported:
            self._validate_sections(imported, file)
        self.nested_tosca_tpls = loader.get_nested_tosca_tpls()
        self.outcome = self._parse(name, loader)
        try:
            self._build()
        except (AttributeError, TypeError, ValueError):
            # Data of an unexpected shape. The classes don't check shapes; the parser does.
            errors = [exception(problem) for problem in self.outcome.diagnostics if problem.is_error]
            if not errors:
                raise
            for error in errors:
                ExceptionCollector.appendException(error)

    def _build(self) -> None:
        self.topology_template = TopologyTemplate(
            self._tpl_topology_template(), self.custom_defs, self._tpl_relationship_types(), self.parsed_params, None,
            self.outcome)
        topology = self.topology_template
        if topology.description is not None:
            self.description = self.description or topology.description
        self.inputs = topology.inputs
        self.nodetemplates = topology.nodetemplates
        self.relationship_templates = topology.relationship_templates
        self.outputs = topology.outputs
        self.policies = topology.policies
        self.graph = ToscaGraph(self.nodetemplates)
        self._nest()
        for node in self.nodetemplates:
            if not node.substitution_mapped:
                node.validate_occurrences()

    def _validate_field(self) -> None:
        """Reports unknown sections, and a missing or unknown version."""
        self._validate_sections(self.tpl)
        if DEFINITION_VERSION not in self.tpl:
            ExceptionCollector.appendException(MissingRequiredFieldError(what="Template", required=DEFINITION_VERSION))

    def _validate_sections(self, tpl: dict[str, Any], file: str | None = None) -> None:
        """Reports unknown sections and an unknown version, of the template or of an imported file."""
        for name in tpl:
            if name not in SECTIONS and name != "metadata":
                what = f"Template {file}" if file else "Template"
                ExceptionCollector.appendException(UnknownFieldError(what=what, field=name))
        version = tpl.get(DEFINITION_VERSION)
        if DEFINITION_VERSION in tpl and version not in self.VALID_TEMPLATE_VERSIONS:
            versions = '", "'.join(self.VALID_TEMPLATE_VERSIONS)
            shown = f"{version} in {file}" if file else version
            ExceptionCollector.appendException(InvalidTemplateVersion(what=shown, valid_versions=versions))

    def _parse(self, name: str, loader: ImportsLoader) -> Outcome:
        topology = self.tpl.get(TOPOLOGY_TEMPLATE)
        declared = topology.get("inputs") if isinstance(topology, dict) else None
        inputs = known_inputs(declared if isinstance(declared, dict) else {}, self.parsed_params)
        if self.path and self._tpl_imports() == self.tpl.get(IMPORTS):
            text = yamlparser.read(self.path, self.a_file)
        else:
            text = yamlparser.dump({**self.tpl, IMPORTS: self._tpl_imports() or []})
        outcome = Parser(loader=loader.read).parse_text(text, name, inputs=inputs)
        scope = Scope(name, text, self.custom_defs)
        for problem in outcome.diagnostics:
            if not scope.accepts(problem):
                ExceptionCollector.appendException(exception(problem))
        return outcome

    def _nest(self) -> None:
        """Finds the nodes that imported topology templates substitute."""
        for nested in self.nested_tosca_tpls.values():
            kind = self.get_sub_mapping_node_type(nested)
            for node in self.nodetemplates:
                if kind is None or node.type != kind:
                    continue
                params = {prop.name: prop.value.result() if isinstance(prop.value, Function) else prop.value
                          for prop in node.get_properties_objects()}
                topology = TopologyTemplate(nested[TOPOLOGY_TEMPLATE], self.custom_defs,
                                            self._tpl_relationship_types(), params, node)
                node.sub_mapping_tosca_template = node.sub_mapping_tosca_template or topology
                node.substitution_mapped = True
                self.nested_tosca_templates_with_topology.append(topology)

    def get_sub_mapping_node_type(self, tosca_tpl: Any) -> Any:
        """Returns the node type that a template substitutes."""
        return TopologyTemplate.get_sub_mapping_node_type(tosca_tpl.get(TOPOLOGY_TEMPLATE))

    def has_nested_templates(self) -> bool:
        return bool(self.nested_tosca_templates_with_topology)

    def _tpl_version(self) -> Any:
        return self.tpl.get(DEFINITION_VERSION)

    def _tpl_description(self) -> Any:
        description = self.tpl.get(DESCRIPTION)
        return description.rstrip() if isinstance(description, str) else description

    def _tpl_imports(self) -> Any:
        return self.tpl.get(IMPORTS)

    def _tpl_repositories(self) -> dict[str, Any]:
        repositories = self.tpl.get(REPOSITORIES)
        return repositories if isinstance(repositories, dict) else {}

    def _tpl_relationship_types(self) -> dict[str, Any]:
        return sections(self.custom_defs).get("relationship_types", {})

    def _tpl_relationship_templates(self) -> Any:
        return self._tpl_topology_template().get("relationship_templates")

    def _tpl_topology_template(self) -> Any:
        return self.tpl.get(TOPOLOGY_TEMPLATE) or {}

    def _get_path(self, path: str) -> str | None:
        if path.lower().endswith((".yaml", ".yml")):
            return path
        if path.lower().endswith((".zip", ".csar")):
            self._csar = CSAR(path, self.a_file)
            if self._csar.validate():
                self._csar.decompress()
                self.a_file = True
                if not self._csar.error_caught:
                    return os.path.join(self._csar.temp_dir or "", str(self._csar.get_main_template()))
            return None
        ExceptionCollector.appendException(ValueError(f'"{path}" is not a valid file.'))
        return None

    def verify_template(self) -> None:
        """Raises a `ValidationError` if there were exceptions."""
        if not ExceptionCollector.exceptionsCaught():
            return
        where = f'The input "{self.input_path}"' if self.input_path else "The pre-parsed input"
        report = "\n".join(ExceptionCollector.getExceptionsReport(full=False))
        error = ValidationError(message=f"{where} failed validation with the following error(s): \n\n\t{report}")
        error.diagnostics = self.outcome.diagnostics if self.outcome else []
        raise error
