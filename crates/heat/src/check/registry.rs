//! Environments: values of parameters and replacements of types.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashMap;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::diagnostic::{Diagnostic, Help, Rule, Span};
use tosca_parse::entity::{AnyId, Checked, Checks, Id, LocalId, Text, Texts, Values};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::{Context, DiagnosticExt as _, Program, Unit};
use tosca_parse::source::ImportTarget;

use super::constraint::{Fault, misfit, mistyped};
use super::value::{Declared, PSEUDO_PARAMETERS};
use super::{Nested, default_of, imported_by, is_path, no_nulls};
use crate::environment::{Environment, MergeStrategy, RegistryEntry};
use crate::grammar::{ParameterType, Template};
use crate::rules;
use crate::types::{ResourceType, TypeLibrary};
use crate::{ENVIRONMENT, TYPES};

/// The maximum number of replacements that lead from a name to its type.
const MAX_REPLACEMENTS: usize = 16;
/// The maximum length to which patterns may extend a name, in bytes. Only loops produce longer names.
const MAX_LENGTH: usize = 1024;

const HOOKS: [&str; 6] = ["pre-create", "pre-update", "pre-delete", "post-create", "post-update", "post-delete"];
const ACTIONS: [&str; 2] = ["update", "replace"];

impl Checked for Environment {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(|_, reader, id| no_nulls(reader, id));
}

impl Checked for RegistryEntry {
    const CHECKS: Checks<Self> = Checks::NEW.import(replaced_by_template).after_read(words);
}

/// Returns the import of a template whose path is a replacement.
fn replaced_by_template(entry: &RegistryEntry, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let node = reader.document().node(entry.replacement?.0.node);
    let path = node.text();
    if !is_path(path) {
        return None;
    }
    let owners = std::iter::successors(Some(id), |id| reader.header(*id)?.owner);
    let base = { owners }.find_map(|id| reader.document().node(reader.header(id)?.node).find("base_url"));
    let base = base.filter(|_| !path.contains("://") && !path.starts_with('/')).map(|base| base.value);
    if base.is_some_and(|base| matches!(base.kind(), Kind::Map | Kind::List)) {
        return None;
    }
    let base = base.filter(|base| base.kind() != Kind::Null).map(Node::text);
    let url = match base.filter(|base| !base.is_empty()) {
        Some(base) => format!("{}/{path}", base.trim_end_matches('/')),
        None => path.to_owned(),
    };
    let target = Some(ImportTarget::Url { url, repository: None });
    Some(ImportRequest { entity: id, node: node.id(), target, prefix: None, is_reference: true })
}

fn words(entry: &RegistryEntry, reader: &mut Reader<'_>, _: LocalId) {
    let mut check = |given: &Texts, what: &str, known: &[&'static str]| {
        for Text(position) in given {
            let node = reader.document().node(position.node);
            if known.contains(&node.text()) {
                continue;
            }
            let help = match nearest(node.text(), known.iter().copied()) {
                Some(near) => Help::did_you_mean(near),
                None => format!("write one of `{}`", known.join("`, `")).into(),
            };
            let message = format!("there is no {what} `{}`", node.text());
            reader.problem(&tosca_parse::rules::INVALID_WORD, node, message).help(help);
        }
    };
    check(&entry.hooks, "hook", &HOOKS);
    check(&entry.restricted_actions, "action", &ACTIONS);
}

/// The environments of a program.
pub(crate) struct Registry<'a> {
    environments: Vec<(AnyId, &'a Environment)>,
    /// Whether all values are known: there is an environment, which may be empty, and all can be read.
    has_all_values: bool,
    /// Whether an environment or a library of types can't be read, so that types may be missing.
    is_partial: bool,
    /// The patterns without their asterisks; if several are equal, the last one.
    patterns: HashMap<&'a str, Id<RegistryEntry>>,
    /// The lengths of the patterns, longest first.
    lengths: Vec<usize>,
    /// The templates that entries name.
    templates: OnceCell<FxHashMap<AnyId, Nested<'a>>>,
    /// The parameters that have values in place of their defaults.
    defaults: OnceCell<HashSet<&'a str>>,
}

/// The meaning of the name of a type.
pub(crate) enum Meaning<'a> {
    /// A type.
    Type(&'a ResourceType),
    /// A template, unless it can't be read, and the type that it replaces.
    Template(Option<Nested<'a>>, Option<&'a ResourceType>),
    /// Nothing: the unknown name.
    Unknown(Cow<'a, str>),
    /// The name is replaced in a loop.
    Loop,
}

impl<'a> Registry<'a> {
    pub(crate) fn new(program: &'a Program<Complete>) -> Self {
        let units = || program.given.iter().map(|unit| &program.list[*unit]);
        let environments: Vec<_> = units()
            .filter_map(|unit| unit.root)
            .filter_map(|root| Some((root, program.get(root.cast::<Environment>()?)?)))
            .collect();
        let of_option = || units().filter(|unit| unit.option == Some(ENVIRONMENT.name));
        let is_readable = |root: AnyId| {
            let environment = root.cast::<Environment>().and_then(|id| program.get(id));
            let is_read = |keyname, values: Values| values.position.is_some() || !program.gives(root, keyname);
            program.gap(root).is_none()
                && environment.is_none_or(|known| {
                    is_read("parameters", known.parameters) && is_read("parameter_defaults", known.parameter_defaults)
                })
        };
        let is_whole = |unit: &Arc<Unit>| unit.document.is_complete() && unit.root.is_none_or(is_readable);
        let registries = environments.iter().filter_map(|(_, known)| program.get(known.resource_registry?));
        let types = registries.flat_map(|registry| registry.types.iter());
        let patterns: HashMap<&str, _> =
            types.filter_map(|(name, id)| Some((program.text(name).strip_suffix('*')?, id))).collect();
        let lengths: BTreeSet<usize> = patterns.keys().map(|prefix| prefix.len()).collect();
        Self {
            has_all_values: of_option().next().is_some() && of_option().all(is_whole),
            is_partial: units().any(|unit| unit.is_data || !unit.document.is_complete()),
            environments,
            patterns,
            lengths: lengths.into_iter().rev().collect(),
            templates: OnceCell::new(),
            defaults: OnceCell::new(),
        }
    }

    /// Returns the meaning of the name of a type in the unit of an entity; `resource` is the name of the resource, if
    /// the unit is the entry.
    pub(crate) fn meaning(
        &self,
        context: &Context<'a>,
        at: AnyId,
        name: &'a str,
        resource: Option<&'a str>,
    ) -> Meaning<'a> {
        let (mut name, first) = (Cow::Borrowed(name), name);
        for _ in 0..MAX_REPLACEMENTS {
            // Names that result from patterns are not interned, because a loop creates many.
            let symbol = context.program.interner.get(&name);
            let found = symbol.and_then(|symbol| context.resolve(at, TYPES, symbol).id());
            let exact = || context.get(found?.cast::<RegistryEntry>()?).map(|entry| (entry, found));
            let of_resource = resource.and_then(|resource| self.of_resource(context, resource, &name));
            let replaced = of_resource.or_else(|| exact().and_then(|(entry, id)| Some((entry, id?))));
            let replaced = replaced.or_else(|| {
                let id = self.lengths.iter().find_map(|length| self.patterns.get(name.get(..*length)?))?;
                Some((context.get(*id)?, id.any()))
            });
            let Some((entry, id)) = replaced else {
                let found = found.and_then(|id| context.get(id.cast::<ResourceType>()?));
                return found.map_or(Meaning::Unknown(name), Meaning::Type);
            };
            let Some(node) = entry.replacement.and_then(|text| context.node(text.0)) else {
                let node = context.header(id).zip(context.program.unit(id.unit));
                let node = node.map(|(header, unit)| unit.document.node(header.node).kind());
                if !matches!(node, Some(Kind::Null | Kind::Map)) {
                    return Meaning::Template(None, None);
                }
                return declared(context, at, &name).map_or(Meaning::Unknown(name), Meaning::Type);
            };
            if is_path(node.text()) {
                return Meaning::Template(self.template(context, id), declared(context, at, first));
            }
            let pattern = context.program.name(id).strip_suffix('*');
            let next = match (node.text().strip_suffix('*'), pattern.and_then(|prefix| name.strip_prefix(prefix))) {
                (Some(prefix), Some(rest)) if prefix.len() + rest.len() > name.len().max(MAX_LENGTH) => break,
                (Some(prefix), Some(rest)) => Cow::Owned(format!("{prefix}{rest}")),
                _ => Cow::Borrowed(node.text()),
            };
            if next == name {
                return declared(context, at, &name).map_or(Meaning::Unknown(name), Meaning::Type);
            }
            name = next;
        }
        Meaning::Loop
    }

    /// Returns whether there are environments, which can replace types by templates.
    pub(crate) fn replaces(&self) -> bool {
        !self.environments.is_empty()
    }

    /// Returns whether types may be missing because something could not be read.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns the entry for a type of a single resource; later environments win.
    fn of_resource(&self, context: &Context<'a>, resource: &str, name: &str) -> Option<(&'a RegistryEntry, AnyId)> {
        let (resource, name) = (context.program.interner.get(resource)?, context.program.interner.get(name)?);
        self.environments.iter().rev().find_map(|(_, environment)| {
            let of_resource = context.get(environment.resource_registry?)?.resources.get(resource)?;
            let id = context.get(of_resource)?.entries.get(name)?;
            Some((context.get(id)?, id.any()))
        })
    }

    fn template(&self, context: &Context<'a>, entry: AnyId) -> Option<Nested<'a>> {
        let templates = self.templates.get_or_init(|| {
            let units = self.environments.iter().filter_map(|(id, _)| context.program.index(id.unit));
            units.flat_map(|unit| imported_by(context.program, unit)).collect()
        });
        templates.get(&entry).copied()
    }

    /// Returns whether environments give a value in place of the default of a parameter.
    pub(crate) fn has_default(&self, context: &Context<'a>, name: &str) -> bool {
        let defaults = self.defaults.get_or_init(|| {
            let sections = self.environments.iter().map(|(_, environment)| environment.parameter_defaults);
            let entries = sections.filter_map(|section| context.node(section.position?)).flat_map(Node::entries);
            entries.filter(|entry| entry.value.kind() != Kind::Null).map(|entry| entry.key.text()).collect()
        });
        defaults.contains(name)
    }

    /// Checks the values that environments give to the parameters of the entry and records them.
    pub(crate) fn set(&self, parameters: &mut HashMap<&'a str, Declared<'a>>, context: &mut Context<'a>) {
        let defaults = self.values(|environment| environment.parameter_defaults, false, parameters, context);
        let mut values = self.values(|environment| environment.parameters, true, parameters, context);
        defaults.into_iter().for_each(|(name, value)| {
            values.entry(name).or_insert(value);
        });
        let mut missing: Vec<AnyId> = Vec::new();
        parameters.iter_mut().for_each(|(name, declared)| match values.get(name) {
            Some(value) => declared.value = *value,
            None if declared.value.is_none() && self.has_all_values => missing.push(declared.id.any()),
            None => {}
        });
        missing.sort_by_key(|id| context.program.name_span(*id).map(|span| span.start));
        for id in missing {
            let message = format!("{} has no value", context.describe(id));
            let at = context.program.name_span(id);
            let problem = context.problem(&rules::MISSING_PARAMETER_VALUE, at, message);
            problem.help("give the parameter a value in an environment, or a default");
        }
    }

    /// Returns the values of a section; `None` for those that are merged. `is_strict` is for a section whose names must
    /// all be those of parameters.
    fn values(
        &self,
        section: fn(&Environment) -> Values,
        is_strict: bool,
        parameters: &HashMap<&'a str, Declared<'a>>,
        context: &mut Context<'a>,
    ) -> HashMap<&'a str, Option<Node<'a>>> {
        let mut values: HashMap<&str, Option<Node<'_>>> = HashMap::default();
        let mut strategies: HashMap<&str, MergeStrategy> = HashMap::default();
        let mut faults: HashMap<&str, Vec<(Node<'_>, Fault)>> = HashMap::default();
        let names = OnceCell::new();
        for (_, environment) in &self.environments {
            let node = section(environment).position.and_then(|position| context.node(position));
            for entry in node.into_iter().flat_map(Node::entries) {
                let (name, value) = (entry.key.text(), entry.value);
                let Some(declared) = parameters.get(name) else {
                    if is_strict {
                        let names = names.get_or_init(|| sorted(parameters));
                        // The parameter that was probably meant is not missing.
                        unknown(entry.key, names, context).map(|meant| values.entry(meant).or_default());
                    }
                    continue;
                };
                if value.kind() == Kind::Null {
                    continue;
                }
                let strategy = strategy(environment, name, context);
                let is_merged = strategy != MergeStrategy::Overwrite;
                let fault = if is_merged { mistyped(declared.parameter, value) } else { None };
                let fault = fault.or_else(|| misfit(declared.parameter, value, context).filter(|_| !is_merged));
                // Later values override earlier ones, which are then not used.
                if !is_merged {
                    faults.remove(name);
                }
                faults.entry(name).or_default().extend(fault.map(|fault| (value, fault)));
                let before = strategies.insert(name, strategy);
                let is_scalar = matches!(
                    declared.parameter.r#type.map(|ty| ty.value),
                    Some(ParameterType::Boolean | ParameterType::Number)
                );
                if before.is_some_and(|before| before != strategy) {
                    let message = format!("environments merge parameter `{name}` in different ways");
                    let problem = problem(context, &rules::INVALID_MERGE, value, message);
                    problem.help("repeat `parameter_merge_strategies` in each environment that gives a value");
                } else if before.is_some() && is_merged && is_scalar {
                    let message = format!("values of parameter `{name}` can't be merged");
                    let problem = problem(context, &rules::INVALID_MERGE, value, message);
                    problem.help("use the strategy `overwrite`, or remove one of the values");
                }
                values.insert(name, Some(value).filter(|_| before.is_none() || !is_merged));
            }
        }
        for (name, (value, Fault { what, help })) in
            faults.into_iter().flat_map(|(name, faults)| faults.into_iter().map(move |fault| (name, fault)))
        {
            let message = format!("the value of parameter `{name}` {what}");
            problem(context, &rules::INVALID_PARAMETER_VALUE, value, message).help(help);
        }
        values
    }
}

fn problem<'c>(
    context: &'c mut Context<'_>,
    rule: &'static Rule,
    node: Node<'_>,
    message: String,
) -> Option<tosca_parse::phase::DiagnosticBuilder<'c>> {
    context.problem(rule, Some(node.span()), message)
}

fn sorted<'a>(parameters: &HashMap<&'a str, Declared<'a>>) -> Vec<&'a str> {
    let mut names: Vec<_> = parameters.keys().copied().collect();
    names.sort_unstable();
    names
}

/// Reports a name that no parameter has. Returns the parameter that was probably meant.
fn unknown<'p>(key: Node<'_>, parameters: &[&'p str], context: &mut Context<'_>) -> Option<&'p str> {
    let name = key.text();
    if PSEUDO_PARAMETERS.contains(&name) {
        let message = format!("pseudo parameter `{name}` can't be set");
        problem(context, &rules::UNDECLARED_PARAMETER, key, message).help(format!("remove `{name}`"));
        return None;
    }
    let (meant, help) = context.suggestions().search(name, parameters.iter().copied(), "the template has");
    let message = format!("the template has no parameter `{name}`");
    let problem = problem(context, &rules::UNDECLARED_PARAMETER, key, message);
    problem.help(help.unwrap_or_else(|| format!("remove `{name}`, or move it to `parameter_defaults`").into()));
    meant
}

fn strategy(environment: &Environment, name: &str, context: &Context<'_>) -> MergeStrategy {
    let find = |name: &str| environment.parameter_merge_strategies.get(context.program.interner.get(name)?);
    let found = find(name).or_else(|| find("default")).and_then(|id| context.get(id)?.strategy);
    found.map_or(MergeStrategy::Overwrite, |strategy| strategy.value)
}

/// Returns the type of a name that a library declares, regardless of environments.
fn declared<'a>(context: &Context<'a>, at: AnyId, name: &str) -> Option<&'a ResourceType> {
    let program = context.program;
    let name = program.interner.get(name)?;
    let libraries = program.implicit[program.index(at.unit)?].iter().filter_map(|unit| program.list[*unit].root);
    let types = libraries.filter_map(|root| match root.cast::<TypeLibrary>() {
        Some(library) => program.get(library)?.resource_types.get(name),
        None => root.cast::<ResourceType>().filter(|id| program.name(id.any()) == program.text(name)),
    });
    types.into_iter().find_map(|id| program.get(id))
}

/// Reports what is missing in a template that implements a type, as far as it matters to templates that use the type.
pub(crate) fn facade(
    template: &Template,
    replaces: &ResourceType,
    name: &str,
    at: Option<Span>,
    context: &Context<'_>,
) -> Vec<Diagnostic> {
    use crate::types::PropertyType::{Any, Boolean, Integer, List, Map, Number, String};
    let Some(at) = at.filter(|_| !replaces.any_property.is_some_and(|any| any.value)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut report = |message: std::string::String, help: &str| {
        let message = format!("the template in place of `{name}` {message}");
        found.push(Diagnostic::new(&rules::INVALID_FACADE, at, message).with_help(help));
    };
    for (property, id) in replaces.properties.iter() {
        let Some(definition) = context.get(id) else { continue };
        let parameter = template.parameters.get(property).and_then(|id| context.get(id));
        let property = context.text(property);
        let Some(ty) = parameter.and_then(|parameter| parameter.r#type) else {
            if parameter.is_none() && definition.required.is_some_and(|required| required.value) {
                report(format!("lacks the parameter `{property}`"), "declare the parameter in the template");
            }
            continue;
        };
        let fits = match ty.value {
            ParameterType::String => &[String][..],
            ParameterType::Number => &[Number, Integer],
            ParameterType::Boolean => &[Boolean],
            ParameterType::CommaDelimitedList => &[List],
            ParameterType::Json => &[Map],
        };
        if definition.r#type.is_some_and(|ty| ty.value != Any && !fits.contains(&ty.value)) {
            report(
                format!("has a parameter `{property}` whose type differs from that of the property"),
                "correct the type of the parameter",
            );
        }
    }
    for (parameter, id) in template.parameters.iter() {
        let is_needed = context.get(id).is_some_and(|parameter| default_of(parameter, context).is_none());
        if is_needed && replaces.properties.get(parameter).is_none() {
            let parameter = context.text(parameter);
            report(format!("requires `{parameter}`, which the type does not have"), "give the parameter a default");
        }
    }
    for (attribute, _) in replaces.attributes.iter() {
        if template.outputs.get(attribute).is_none() {
            report(format!("lacks the output `{}`", context.text(attribute)), "add the output to the template");
        }
    }
    found
}
