//! Heat Orchestration Templates (HOT) of `OpenStack`, as a language of the engine.
//!
//! 1. `grammar` describes the entities in templates, `environment` those in environments, and `types` those in
//!    libraries of resource types.
//! 2. `function` is a table of functions with their versions, their possible results, and the checks of their
//!    arguments.
//! 3. `check` contains the checks that annotations can't express, and `lint` the optional checks.
//! 4. `model` and `topology` describe the content of a template, and `form` creates a form for its parameters.

extern crate tosca_parse_engine as tosca_parse;

mod check;
mod completion;
pub mod environment;
mod form;
mod function;
pub mod grammar;
mod lint;
mod model;
pub mod rules;
mod shape;
mod topology;
pub mod types;

use tosca_parse::ard::{Dialect, Document, Kind, Schema};
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::{
    Described as _, DetectedSource, Entity as _, EntityDescription, ImplicitUnit, Language, LanguageOption,
    LanguageVersion, Leniency, NameAlias, OptionValue, Precedence, Recognition, Section, VersionDescription, Versions,
    has_root_key, values_on_lines,
};
use tosca_parse::phase::migration::Renames;

use environment::{Environment, EventSink, Registry, RegistryEntry, Strategy};
use grammar::{Bounds, Condition, Constraint, Modulo, Output, Parameter, ParameterGroup, Resource, Template};
use types::{AttributeDefinition, PropertyDefinition, Renamed, ResourceType, TypeLibrary};

tosca_parse::sections! {
    pub(crate) static SECTIONS;
    /// The names of parameters.
    PARAMETERS = "parameter", local;
    /// The names of conditions.
    CONDITIONS = "condition", local;
    /// The names of resources.
    RESOURCES = "resource", local;
    /// The names of resource types.
    TYPES = "resource type";
}

tosca_parse::kinds! {
    pub(crate) static KINDS = [
        Template, ParameterGroup, Parameter, Constraint, Bounds, Modulo, Condition, Resource, Output, Environment,
        Registry, RegistryEntry, Strategy, EventSink, TypeLibrary, ResourceType, Renamed, PropertyDefinition,
        AttributeDefinition,
    ];
}

/// The keyname for the version of a template.
const VERSION: &str = "heat_template_version";

/// Describes the version with the given date.
macro_rules! version {
    ($date:literal) => {
        VersionDescription { title: concat!("Heat ", $date), word: $date }
    };
}

const VERSIONS: &[VersionDescription] = &[
    version!("2013-05-23"),
    version!("2014-10-16"),
    version!("2015-04-30"),
    version!("2015-10-15"),
    version!("2016-04-08"),
    version!("2016-10-14"),
    version!("2017-02-24"),
    version!("2017-09-01"),
    version!("2018-03-02"),
    version!("2018-08-31"),
    version!("2021-04-16"),
];

/// Types and functions by which a template without its version is recognized.
const SIGNS: [&str; 4] = ["OS::", "get_attr:", "get_param:", "get_resource:"];

/// The sections by which an environment is recognized.
const ENVIRONMENT_SECTIONS: [&str; 2] = ["resource_registry", "parameter_defaults"];

/// The names of releases that templates may declare instead of a date.
const RELEASES: [(&str, &str); 6] = [
    ("newton", "2016-10-14"),
    ("ocata", "2017-02-24"),
    ("pike", "2017-09-01"),
    ("queens", "2018-03-02"),
    ("rocky", "2018-08-31"),
    ("wallaby", "2021-04-16"),
];

/// The option for environments.
const ENVIRONMENT: LanguageOption = LanguageOption {
    name: "environment",
    short: Some('e'),
    value: OptionValue::Source,
    repeated: true,
    help: "Use an OpenStack Heat environment; later ones override earlier ones",
};

/// The option for resource types.
const RESOURCE_TYPES: LanguageOption = LanguageOption {
    name: "resource-types",
    short: None,
    value: OptionValue::Source,
    repeated: true,
    help: "Add a resource type of OpenStack Heat, as `openstack orchestration resource type show` prints it",
};

/// Heat Orchestration Templates.
pub static HEAT: Language = Language {
    versions: VERSIONS,
    sections: SECTIONS,
    roots: &[Template::KIND, Environment::KIND, TypeLibrary::KIND, ResourceType::KIND],
    leniency: Leniency {
        null_is_empty: Versions::ALL,
        null_is_absent: Versions::ALL,
        yaml_1_1_booleans: Versions::ALL,
        ..Leniency::NONE
    },
    yaml: Dialect { schema: Schema::Yaml11, ..Dialect::CORE },
    claims: |_, text| claims(text),
    detect,
    misplaced_key,
    options: &[ENVIRONMENT, RESOURCE_TYPES],
    functions: function::of_values,
    named_file: check::named_file,
    implicit: |_| BUILT_IN,
    rules: &[rules::EXPLAINED],
    lints: lint::LINTS,
    complete_value: completion::complete_value,
    describe_member: completion::describe_member,
    topology: topology::topology,
    model: |program| model::model(program).map(|model| Ok(model.into())),
    form: form::form,
    migrate: Some(|programs, to| RENAMES.migrate(&HEAT, programs, to)),
    ..Language::new("Heat", KINDS)
};

const RENAMES: Renames = Renames { version: VERSION, function: function::replacement };

/// The resource types of `OpenStack`.
static BUILT_IN: &[ImplicitUnit] = &[ImplicitUnit {
    name: "builtin:/heat/types.yaml",
    text: include_str!("../normative/types.yaml"),
    packed: &[],
    precedence: Precedence::Shadowed,
    aliases,
}];

/// Returns the older names of resource types, which the default environment of Heat maps to their new names.
fn aliases(section: Section, name: &str) -> Vec<NameAlias> {
    let older = |prefix: &str, old: &str| {
        Some(NameAlias { name: format!("{old}{}", name.strip_prefix(prefix)?), is_tolerated: false })
    };
    let mut names = Vec::new();
    if section == TYPES {
        names.extend(older("OS::Neutron", "OS::Quantum"));
        names.extend(older("OS::Aodh::", "OS::Ceilometer::").filter(|_| !name.contains("EventAlarm")));
        names.extend(older("OS::Aodh::Alarm", "OS::Metering::Alarm"));
    }
    names
}

/// Returns whether a source declares a version of the language. A source that declares no version of any language is
/// also a template if it has resources whose types or functions are those of Heat, and an environment if it has one of
/// the sections that only environments have.
fn claims(text: &str) -> bool {
    let has = |key: &str| has_root_key(text, key);
    values_on_lines(text, VERSION).next().is_some()
        || has("resources")
            && SIGNS.iter().any(|sign| text.contains(sign))
            && !["AWSTemplateFormatVersion", "HeatTemplateFormatVersion"].into_iter().any(has)
        || ENVIRONMENT_SECTIONS.into_iter().any(has)
}

/// Returns the help for a key of a resource that is probably a property.
fn misplaced_key(description: &EntityDescription, version: LanguageVersion, key: &str) -> Option<String> {
    let is_property = description.title == Resource::default().description().title
        && nearest(key, description.keynames(version)).is_none();
    is_property.then(|| format!("write a property below `properties`: `properties: {{ {key}: … }}`"))
}

fn detect(document: &Document, recognition: Recognition<'_>) -> DetectedSource {
    let latest = DetectedSource::version(LanguageVersion(VERSIONS.len() as u8 - 1));
    if recognition.option == Some(ENVIRONMENT.name) {
        return latest.root(Environment::KIND);
    }
    let Some(root) = document.root() else { return latest };
    if ENVIRONMENT_SECTIONS.iter().any(|section| root.find(section).is_some()) && root.find(VERSION).is_none() {
        return latest.root(Environment::KIND);
    }
    if root.find("resource_types").is_some() && root.find(VERSION).is_none() {
        return latest.root(TypeLibrary::KIND);
    }
    if recognition.option == Some(RESOURCE_TYPES.name) {
        return latest.root(ResourceType::KIND);
    }
    if ["AWSTemplateFormatVersion", "HeatTemplateFormatVersion"].iter().any(|key| root.find(key).is_some())
        && root.find(VERSION).is_none()
    {
        // CloudFormation templates can be nested in Heat templates.
        return DetectedSource { is_foreign: true, ..latest };
    }
    let Some(entry) = root.find(VERSION) else { return latest };
    // Values of the wrong kind are reported by the reader.
    if entry.value.kind() != Kind::String {
        return latest;
    }
    let text = entry.value.text();
    let date = RELEASES.iter().find(|(release, _)| *release == text).map_or(text, |(_, date)| date);
    match VERSIONS.iter().position(|version| version.word == date) {
        Some(number) => DetectedSource::version(LanguageVersion(number as u8)),
        None => {
            let message = format!("there is no version `{text}` of Heat templates");
            let help = "write `2021-04-16`, or another version that the service supports";
            let rule = &tosca_parse::rules::UNKNOWN_VERSION;
            latest.with([Diagnostic::new(rule, entry.value.span(), message).with_help(help)])
        }
    }
}
