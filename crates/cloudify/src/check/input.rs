//! Inputs, parameters and plugins.

use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{AnyId, Checked, Checks, Children, Entity as _, Id, LocalId, Reference};
use tosca_parse::phase::Context;
use tosca_parse::phase::read::Reader;

use super::value::{Subject, Type, check, is_object, type_of};
use super::{limit, node_of, report, value_of};
use crate::function::call;
use crate::grammar::{Blueprint, Constraint, DataType, Input, Parameter, Plugin};
use crate::rules::{INVALID_INPUT, NO_PLUGIN_SOURCE, TOLERATED_VALUE, VIOLATED_CONSTRAINT};

impl Checked for Input {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(input);
}

fn input(input: &Input, context: &mut Context<'_>, id: Id<Input>) {
    let is_of_blueprint = context.program.owners(id.any()).next().is_some_and(|owner| owner.kind == Blueprint::KIND);
    let violated = if is_of_blueprint { &VIOLATED_CONSTRAINT } else { &TOLERATED_VALUE };
    let described = Described {
        r#type: type_of(context, input.r#type),
        item_type: input.item_type,
        default: value_of(context, input.default),
        constraints: &input.constraints,
        is_of_blueprint,
        violated,
    };
    described.check(context, id.any());
    let Some(node) = node_of(context, id.any()) else { return };
    let is_hidden = input.hidden.is_some_and(|hidden| hidden.value);
    let is_required = input.required.is_none_or(|required| required.value);
    if is_hidden && is_required && input.default.is_none() {
        let at = node.find("hidden").map_or(node, |entry| entry.key);
        let message = "a hidden input that is required must have a default";
        report(context, &INVALID_INPUT, at, message, "add `default: …` or `required: false`");
    }
    if let Some(display) = node.find("display")
        && !matches!(described.r#type, Type::Primitive("textarea") | Type::Unknown)
    {
        let message = "`display` is for inputs of type `textarea`";
        report(context, &INVALID_INPUT, display.key, message, "remove `display`, or write `type: textarea`");
    }
}

impl Checked for Parameter {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(parameter);
}

fn parameter(parameter: &Parameter, context: &mut Context<'_>, id: Id<Parameter>) {
    let described = Described {
        r#type: type_of(context, parameter.r#type),
        item_type: parameter.item_type,
        default: value_of(context, parameter.default),
        constraints: &parameter.constraints,
        is_of_blueprint: false,
        violated: &VIOLATED_CONSTRAINT,
    };
    described.check(context, id.any());
    for constraint in &parameter.constraints {
        let node = node_of(context, constraint.any()).and_then(|node| node.find("error_message"));
        if let Some(entry) = node {
            let message = "constraints of workflow parameters have no `error_message`";
            report(context, &tosca_parse::rules::UNKNOWN_KEYNAME, entry.key, message, "remove `error_message`");
        }
    }
}

/// The description of the value of an input or a parameter.
struct Described<'a> {
    r#type: Type<'a>,
    item_type: Option<Reference<DataType>>,
    default: Option<Node<'a>>,
    constraints: &'a Children<Constraint>,
    /// Whether it is an input of a blueprint, rather than of an operation or a workflow.
    is_of_blueprint: bool,
    /// The rule for a default that violates a constraint.
    violated: &'static tosca_parse::diagnostic::Rule,
}

impl Described<'_> {
    fn check(&self, context: &mut Context<'_>, id: AnyId) {
        let Some(node) = node_of(context, id) else { return };
        let items = self.item_type.map(|reference| self.items(context, node, reference));
        let primitive = match self.r#type {
            Type::Primitive(primitive) => Some(primitive),
            _ => None,
        };
        let object = match items {
            Some(Type::Primitive(primitive)) => Some(primitive),
            _ => primitive,
        };
        if !matches!(self.r#type, Type::Unknown) {
            let default = self.default.filter(|_| self.is_of_blueprint);
            let rule = if self.is_of_blueprint { &INVALID_INPUT } else { &TOLERATED_VALUE };
            limit::check_kinds(context, self.constraints, object, default, rule);
        }
        let Some(default) = self.default else { return };
        super::call::check_definition(context, default);
        let has_constraints = !self.constraints.is_empty();
        if call(default).is_some() {
            if has_constraints && self.is_of_blueprint {
                let message = "an input with constraints can't have a function as its default";
                report(context, &INVALID_INPUT, default, message, "remove the constraints, or write a value");
            }
            return;
        }
        if let Some(object) = primitive.filter(|primitive| is_object(primitive) && self.is_of_blueprint) {
            if default.kind() != Kind::Null {
                let message = format!("an input of type `{object}` can't have a default");
                report(context, &INVALID_INPUT, default, message, "remove the default");
            }
            return;
        }
        if default.kind() != Kind::Null {
            check(context, self.r#type, default, Subject::new("the default"));
        }
        match items {
            Some(items) if default.kind() == Kind::List => {
                for item in default.items() {
                    check(context, items, item, Subject::new("the item"));
                }
                let written: Vec<_> = default.items().filter(|item| call(*item).is_none()).collect();
                limit::check(context, self.constraints, &written, self.violated);
            }
            Some(_) => {}
            None => limit::check(context, self.constraints, &[default], self.violated),
        }
    }

    /// Returns the type of the items, which must be primitive.
    fn items<'a>(&self, context: &mut Context<'a>, node: Node<'_>, reference: Reference<DataType>) -> Type<'a> {
        let at = node.find("item_type").map_or(node, |entry| entry.value);
        if !matches!(self.r#type, Type::Primitive("list") | Type::Unknown) {
            report(
                context,
                &INVALID_INPUT,
                at,
                "`item_type` is for lists",
                "remove `item_type`, or write `type: list`",
            );
        }
        let ty = type_of(context, Some(reference));
        let is_open = context.program.is_open(reference.unit);
        if !matches!(ty, Type::Primitive(_)) && !is_open {
            let message = format!("`{}` is not a primitive type", context.text(reference.name));
            report(context, &INVALID_INPUT, at, message, "write a type such as `string`");
        }
        ty
    }
}

impl Checked for Plugin {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(plugin);
}

fn plugin(plugin: &Plugin, reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id) else { return };
    let (key, node) = (reader.document().node(header.key), reader.document().node(header.node));
    let is_installed = plugin.install.is_none_or(|install| install.value);
    let has = |name: &str| node.find(name).is_some_and(|entry| entry.value.kind() != Kind::Null);
    if node.kind() == Kind::Map && is_installed && !has("source") && !has("package_name") {
        let message = format!("plugin `{}` has neither `source` nor `package_name`", key.text());
        let help = "add `source` or `package_name`, or `install: false` if the manager has the plugin";
        reader.problem(&NO_PLUGIN_SOURCE, key, message).help(help);
    }
}
