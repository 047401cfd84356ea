//! Real templates and type libraries of public projects, TOSCA 1.0 to 1.3.

use super::manifest::Suite;

#[test]
fn verdicts_are_those_of_the_projects() {
    Suite { name: "simple-1.x", cases: 140, differences: DIFFERENCES, reasons: &[] }.check();
}

/// The tests of these projects often concern one feature, and ignore the rest of the template.
const DIFFERENCES: &[(&str, &str)] = &[
    ("go-puccini/examples/hot/hello-world.yaml", "it is written in another language, the templates of OpenStack Heat"),
    (
        "openstack-tosca-parser/samples/tests/data/CSAR/csar_root_level_yaml.zip",
        "it uses types for network functions that it does not import",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/CSAR/csar_valid_multilevel_imports_validation.zip",
        "it uses types for network functions that it does not import, and the nodes of one of its files are indented as \
         keynames of the topology",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/CSAR/csar_wordpress_valid_artifact.zip",
        "an artifact is of the type `shell`, which there is not",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/containers/test_container_docker_mysql.yaml",
        "the types for Docker are not normative, so that it must import them",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/functions/test_concat.yaml",
        "it takes the attribute `port` of a `Compute`, which has none",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/functions/test_get_attribute_host_keyword.yaml",
        "its database has no `name`, which is a required property",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/functions/test_get_attribute_with_nested_params.yaml",
        "the capability `endpoint` of `Compute` is refined to a type that is not derived from the one that it has",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/interfaces/test_custom_interface_notifications.yaml",
        "a web application is hosted on a `Compute`, but needs a `WebServer`",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/interfaces/test_custom_interface_operations.yaml",
        "a web application is hosted on a `Compute`, but needs a `WebServer`; and `outputs` of an operation has no value",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/policies/tosca_policy_template.yaml",
        "its triggers have keynames of a draft (`metric`, `threshold`, `granularity` …), lack the mandatory event, and \
         filter by a node that does not exist",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/test_instance_nested_imports.yaml",
        "the files that its imports import do not exist, a web application is hosted on a `Compute`, and a database has \
         no `name`",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/test_no_inputs_in_template.yaml",
        "`metadata` is a string, and `outputs` has no value",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/test_no_outputs_in_template.yaml",
        "`inputs` has no value, for which other suites call templates invalid; the quirk `null-sections` is for such files",
    ),
    (
        "openstack-tosca-parser/samples/tests/data/topology_template/validate/queuingsubsystem_invalid_input.yaml",
        "it leaves a required property of the substituted node unused, but nothing obliges a service to use all of them",
    ),
];
