//! Values, compared with their types.

use fancy_regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::{Help, Rule, Span};
use tosca_parse::entity::{AnyId, Checked, Checks, Entity as _, Id, Reference};
use tosca_parse::phase::rendering::Assignment;
use tosca_parse::phase::{Check, Context, DiagnosticExt as _};
use tosca_parse::rules::{MISSING_VALUE, UNDECLARED, WRONG_TYPE};

use super::{find, key_of, kind, node_of, not_null, report, value_of};
use crate::function::call;
use crate::grammar::{DataType, PropertyDefinition};
use crate::rules::{INVALID_PARENT, TOLERATED_VALUE};

/// The maximum number of definitions that are searched for the fields of one value.
const MAX_FIELDS: usize = 2_000;

/// The maximum depth of data types in data types that is searched.
const MAX_DEPTH: usize = 100;

/// The maximum number of reported missing fields of one value.
const MAX_LACKING: usize = 20;

/// The number of field lookups that count as one check in the budget.
const FIELDS_AT_ONCE: usize = 4;

/// The number that identifies the check for fields that need a value.
const LACKS_NOTHING: u8 = 0;

/// The property of nodes that already exist, whose other properties need no values.
const EXTERNAL: &str = "use_external_resource";

/// The kind of a type.
#[derive(Clone, Copy)]
pub(crate) enum Type<'a> {
    /// Any value.
    Any,
    /// A primitive type, by its name.
    Primitive(&'a str),
    Data(Id<DataType>),
    /// The type is unknown, which has been reported.
    Unknown,
}

/// Returns the type that a reference stands for.
pub(crate) fn type_of<'a>(context: &Context<'a>, reference: Option<Reference<DataType>>) -> Type<'a> {
    let Some(reference) = reference else { return Type::Any };
    let Some(target) = context.target(reference) else { return Type::Unknown };
    match context.program.unit(target.any().unit).and_then(|unit| unit.implicit) {
        Some(_) => Type::Primitive(context.program.name(target.any())),
        None => Type::Data(target),
    }
}

/// Returns whether a primitive type stands for objects of the manager.
pub(super) fn is_object(primitive: &str) -> bool {
    !matches!(primitive, "string" | "integer" | "float" | "boolean" | "list" | "dict" | "regex" | "textarea")
}

/// Returns whether a literal has a primitive type. Strings and objects accept all values.
pub(super) fn fits(primitive: &str, node: Node<'_>) -> bool {
    match primitive {
        "integer" => node.kind() == Kind::Integer,
        "float" => matches!(node.kind(), Kind::Integer | Kind::Float),
        "boolean" => node.kind() == Kind::Boolean,
        "list" => node.kind() == Kind::List,
        "dict" => node.kind() == Kind::Map,
        "regex" => node.kind() == Kind::String && Regex::new(node.text()).is_ok(),
        _ => true,
    }
}

/// Returns whether the manager accepts a value as a string although it is not one.
fn is_tolerated(primitive: &str, node: Node<'_>) -> bool {
    matches!(primitive, "string" | "textarea") && !matches!(node.kind(), Kind::String | Kind::Null)
}

/// The context in which a value is checked.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The owner of the value, for messages.
    pub(super) what: &'a str,
    /// Whether the value must be complete, so that missing fields are reported.
    pub(super) is_whole: bool,
    /// The keyname that contains the value and its owner.
    pub(super) within: Option<(Span, &'a str)>,
}

impl<'a> Subject<'a> {
    pub(super) const fn new(what: &'a str) -> Self {
        Self { what, is_whole: true, within: None }
    }

    /// Reports a problem with the value.
    fn report(
        self,
        context: &mut Context<'_>,
        rule: &'static Rule,
        node: Node<'_>,
        message: String,
        help: impl Into<Help>,
    ) {
        let problem = context.problem(rule, Some(node.span()), message).help(help);
        if let Some((span, what)) = self.within {
            problem.related(Some(span), what);
        }
    }
}

/// Checks a value.
pub(super) fn check(context: &mut Context<'_>, ty: Type<'_>, node: Node<'_>, subject: Subject<'_>) {
    check_over(context, ty, node, &[], subject);
}

/// Checks a value that overrides defaults.
fn check_over(context: &mut Context<'_>, ty: Type<'_>, node: Node<'_>, defaults: &[Node<'_>], subject: Subject<'_>) {
    if call(node).is_some() {
        return;
    }
    let what = subject.what;
    match ty {
        Type::Any | Type::Unknown => {}
        Type::Primitive(primitive) if !fits(primitive, node) => {
            let message = format!("{what} must have type `{primitive}`, not {}", kind(node));
            subject.report(context, &WRONG_TYPE, node, message, "correct the value or its type");
        }
        Type::Primitive(primitive) => {
            if is_tolerated(primitive, node) {
                let message = format!("{what} must be a string, not {}", kind(node));
                let help = "put the value in quotes, or correct the type; the manager accepts any value";
                subject.report(context, &TOLERATED_VALUE, node, message, help);
            }
        }
        Type::Data(id) if node.kind() == Kind::Map => fields(context, id, node, defaults, subject),
        Type::Data(id) => {
            let message = format!("{what} must be a map of {}, not {}", context.describe(id.any()), kind(node));
            subject.report(context, &WRONG_TYPE, node, message, "write a map of fields");
        }
    }
}

fn fields(context: &mut Context<'_>, id: Id<DataType>, node: Node<'_>, defaults: &[Node<'_>], subject: Subject<'_>) {
    let Some(ty) = context.get(id).filter(|_| context.is_complete(id.any())) else { return };
    for entry in node.entries().filter(|entry| !entry.duplicate) {
        let name = entry.key.text();
        let field = entry.key.symbol().and_then(|name| ty.properties.get(name)).and_then(|field| context.get(field));
        let Some(field) = field else {
            let names = ty.properties.iter().map(|(name, _)| context.text(name));
            let help = context.did_you_mean(name, names, "it has");
            let message = format!("{} has no field `{name}`", context.describe(id.any()));
            let help = help.unwrap_or_else(|| format!("remove `{name}`").into());
            subject.report(context, &UNDECLARED, entry.key, message, help);
            continue;
        };
        let layers =
            entry.key.symbol().into_iter().flat_map(|name| defaults.iter().filter_map(move |layer| layer.get(name)));
        let inner: Vec<_> = layers.map(|entry| entry.value).chain(value_of(context, field.default)).collect();
        let what = format!("field `{name}`");
        check_over(context, type_of(context, field.r#type), entry.value, &inner, Subject { what: &what, ..subject });
    }
    let check = Check::new(LACKS_NOTHING, context.version(id.any()), id.any());
    if !subject.is_whole
        || context.has_passed(&check)
        || !context.has_room_for_uses(ty.properties.len() / FIELDS_AT_ONCE, id.any())
    {
        return;
    }
    let (mut lacking, mut lacks_nothing, mut reported) = (Lacking::default(), true, 0);
    for (name, field) in ty.properties.iter() {
        if !lacking.lacks(context, field) {
            continue;
        }
        lacks_nothing = false;
        let is_given = node.get(name).is_some() || defaults.iter().any(|layer| layer.get(name).is_some());
        if !is_given && reported < MAX_LACKING {
            reported += 1;
            let name = context.text(name);
            let message = format!("{} lacks the field `{name}`", subject.what);
            subject.report(context, &MISSING_VALUE, node, message, format!("add `{name}: …`"));
        }
    }
    if lacks_nothing {
        context.remember(check);
    }
}

/// Returns whether a template must give a value to a property.
pub(crate) fn needs_value(context: &Context<'_>, id: Id<PropertyDefinition>) -> bool {
    Lacking::default().lacks(context, id)
}

/// A search for fields without values, which visits each definition once.
#[derive(Default)]
struct Lacking {
    /// The results by definition. In a loop of data types, which is reported, nothing is missing.
    definitions: FxHashMap<AnyId, bool>,
    /// The number of given values that were searched.
    values: usize,
    depth: usize,
}

impl Lacking {
    /// Returns whether a field or a property needs a value.
    fn lacks(&mut self, context: &Context<'_>, id: Id<PropertyDefinition>) -> bool {
        if let Some(known) = self.definitions.get(&id.any()) {
            return *known;
        }
        if self.definitions.len() >= MAX_FIELDS || self.depth >= MAX_DEPTH {
            return false;
        }
        self.definitions.insert(id.any(), false);
        self.depth += 1;
        let lacks = self.lacks_value(context, id);
        self.depth -= 1;
        self.definitions.insert(id.any(), lacks);
        lacks
    }

    fn lacks_value(&mut self, context: &Context<'_>, id: Id<PropertyDefinition>) -> bool {
        let Some(field) = context.get(id) else { return false };
        if field.required.is_some_and(|required| !required.value) {
            return false;
        }
        let default = value_of(context, field.default);
        match (type_of(context, field.r#type), default) {
            (Type::Data(_), Some(default)) if default.kind() != Kind::Map || call(default).is_some() => false,
            (Type::Data(ty), default) => self.lacks_fields(context, ty, default.as_slice()),
            (_, default) => default.is_none(),
        }
    }

    /// Returns whether a data type has a field that needs a value, besides those that are given.
    fn lacks_fields<'n>(&mut self, context: &Context<'n>, id: Id<DataType>, given: &[Node<'n>]) -> bool {
        let Some(ty) = context.get(id).filter(|_| context.is_complete(id.any())) else { return false };
        ty.properties.iter().any(|(name, field)| {
            let inner: Vec<_> = given.iter().filter_map(|layer| layer.get(name)).map(|entry| entry.value).collect();
            match inner.first() {
                None => self.lacks(context, field),
                Some(first) if first.kind() != Kind::Map || call(*first).is_some() => false,
                Some(_) => self.lacks_within(context, field, inner),
            }
        })
    }

    /// Returns whether a given value of a field lacks a field of its data type.
    fn lacks_within<'n>(
        &mut self,
        context: &Context<'n>,
        id: Id<PropertyDefinition>,
        mut given: Vec<Node<'n>>,
    ) -> bool {
        let Some(field) = context.get(id) else { return false };
        let Type::Data(ty) = type_of(context, field.r#type) else { return false };
        self.values += 1;
        if self.values >= MAX_FIELDS || self.depth >= MAX_DEPTH {
            return false;
        }
        given.extend(value_of(context, field.default));
        self.depth += 1;
        let lacks = self.lacks_fields(context, ty, &given);
        self.depth -= 1;
        lacks
    }
}

/// A search for fields with a default of null that their types don't allow, which visits each definition once.
#[derive(Default)]
struct NullFields {
    definitions: FxHashSet<AnyId>,
    depth: usize,
}

impl NullFields {
    /// Returns the first such field that a value of a data type gets, besides those that are given.
    fn find<'a>(&mut self, context: &Context<'a>, id: Id<DataType>, given: &[Node<'_>]) -> Option<&'a str> {
        let ty = context.get(id)?;
        ty.properties.iter().find_map(|(name, field)| {
            let is_given = given.iter().any(|layer| layer.get(name).is_some());
            let is_full = self.definitions.len() >= MAX_FIELDS || self.depth >= MAX_DEPTH;
            if is_given || is_full || !self.definitions.insert(field.any()) {
                return None;
            }
            let field = context.get(field)?;
            let default = value_of(context, field.default);
            match type_of(context, field.r#type) {
                Type::Primitive(primitive) => {
                    let default = default?;
                    (default.kind() == Kind::Null && !fits(primitive, default)).then(|| context.text(name))
                }
                Type::Data(inner) => {
                    self.depth += 1;
                    let found = self.find(context, inner, default.as_slice());
                    self.depth -= 1;
                    found
                }
                _ => None,
            }
        })
    }
}

impl Checked for DataType {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(not_null).after_inheritance(data_type);
}

/// Checks the parent of a data type: primitive types have no fields to inherit.
fn data_type(ty: &DataType, context: &mut Context<'_>, _: Id<DataType>) {
    if let (Some(parent), Type::Primitive(primitive)) = (ty.derived_from, type_of(context, ty.derived_from)) {
        let at = context.reference_span(parent);
        let message = format!("a data type can't be derived from the primitive type `{primitive}`");
        context.problem(&INVALID_PARENT, at, message).help("name a data type, or remove `derived_from`");
    }
}

impl Checked for PropertyDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(not_null).after_inheritance(definition).judge(judge);
}

fn definition(definition: &PropertyDefinition, context: &mut Context<'_>, id: Id<PropertyDefinition>) {
    let ty = type_of(context, definition.r#type);
    let default = value_of(context, definition.default);
    if let Some(default) = default {
        super::call::check_definition(context, default);
        // A null only matters if a template uses it.
        if default.kind() != Kind::Null {
            let subject = Subject { is_whole: false, ..Subject::new("the default") };
            check(context, ty, default, subject);
        }
    }
    let owner = context.program.owners(id.any()).next();
    let is_field = owner.is_some_and(|owner| owner.kind == DataType::KIND);
    if let (Type::Data(data), false) = (ty, is_field)
        && let Some(name) = NullFields::default().find(context, data, default.as_slice())
        && let Some(key) = key_of(context, id.any())
    {
        let message = format!("the default of field `{name}` is null, which its type does not allow");
        report(context, &WRONG_TYPE, key, message, "give the field a different default, or no default");
    }
}

/// Returns the defaults that a type and its parents give a property, nearest first, as long as they have the same data
/// type.
pub(crate) fn defaults<'a>(context: &Context<'a>, id: Id<PropertyDefinition>, data: Id<DataType>) -> Vec<Node<'a>> {
    let name = context.program.name(id.any());
    let Some(name) = context.program.interner.get(name) else { return Vec::new() };
    let mut layers = Vec::new();
    let mut owner = context.program.owners(id.any()).next();
    while let Some(of_type) = owner.filter(|_| layers.len() < 64) {
        let node =
            node_of(context, of_type).and_then(|node| node.find("properties")).and_then(|all| all.value.get(name));
        let own = node.and_then(|entry| entry.value.find("default")).map(|entry| entry.value);
        let is_same = own_type(context, of_type, name).is_none_or(|own| own == data);
        if !is_same {
            break;
        }
        layers.extend(own);
        owner = context.program.lineage(of_type).and_then(|lineage| lineage.parents().first().copied());
    }
    layers
}

/// Returns the data type of a property as the given type itself declares it.
fn own_type(context: &Context<'_>, of_type: AnyId, name: tosca_parse::symbol::Symbol) -> Option<Id<DataType>> {
    let properties = if let Some(id) = of_type.cast::<crate::grammar::NodeType>() {
        &context.program.raw_as(id)?.properties
    } else if let Some(id) = of_type.cast::<crate::grammar::RelationshipType>() {
        &context.program.raw_as(id)?.properties
    } else {
        return None;
    };
    context.target_of(context.get(properties.get(name)?)?.r#type)
}

fn judge(
    definition: &PropertyDefinition,
    context: &mut Context<'_>,
    id: Id<PropertyDefinition>,
    assignment: &Assignment,
) {
    let name = context.program.name(id.any());
    let ty = type_of(context, definition.r#type);
    if let Some(value) = assignment.value.and_then(|value| context.node(value)) {
        if name == EXTERNAL && call(value).is_some() {
            let message = format!("`{EXTERNAL}` can't be a function");
            report(context, &WRONG_TYPE, value, message, "write `true` or `false`");
        }
        let is_whole = !is_external(context, assignment);
        let layers = match ty {
            Type::Data(data) => defaults(context, id, data),
            _ => Vec::new(),
        };
        let what = format!("property `{name}`");
        let title = format!("the properties of {}", context.describe(assignment.owner));
        let properties = node_of(context, assignment.owner).and_then(|node| node.find("properties"));
        let within = properties.map(|properties| (properties.key.span(), &*title));
        check_over(context, ty, value, &layers, Subject { what: &what, is_whole, within });
        return;
    }
    if !assignment.is_checked {
        return;
    }
    let default = value_of(context, definition.default);
    let at = context.program.name_span(assignment.owner);
    if let (Some(default), Type::Primitive(primitive)) = (default, ty)
        && default.kind() == Kind::Null
        && !fits(primitive, default)
    {
        let message = format!("property `{name}` is null by default, which its type does not allow");
        context.problem(&WRONG_TYPE, at, message).help(format!("add `{name}: …`"));
    }
    let lacks = match ty {
        Type::Data(data) if definition.required.is_none_or(|required| required.value) => {
            let layers = defaults(context, id, data);
            let is_computed = layers.first().is_some_and(|layer| call(*layer).is_some());
            !is_computed && Lacking::default().lacks_fields(context, data, &layers)
        }
        _ => Lacking::default().lacks(context, id),
    };
    if lacks {
        context.depends_on_template();
        if !is_external(context, assignment) {
            let message = format!("{} lacks `{name}`", context.describe(assignment.owner));
            context.problem(&MISSING_VALUE, at, message).help(format!("add `{name}: …`"));
        }
    }
}

/// Returns whether a template declares that its node already exists.
fn is_external(context: &Context<'_>, assignment: &Assignment) -> bool {
    let properties = node_of(context, assignment.owner).and_then(|node| node.find("properties"));
    let external = properties.and_then(|properties| find(context, properties.value, EXTERNAL));
    external.is_some_and(|external| external.as_bool() == Some(true))
}
