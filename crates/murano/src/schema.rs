//! JSON Schemas of classes and of the methods that build models of them. They describe forms.

pub(crate) mod below;
mod condition;
mod convert;
mod key;
mod layout;
mod reference;

use std::rc::Rc;

use serde_json::{Map, Value as Json, json};
use tosca_parse::diagnostic::is_secret;
use tosca_parse_yaql::{
    Argument as YaqlArgument, Error, ErrorKind, Expr, Kind as NodeKind, Name, Node, Operator, Result, Value,
};

use crate::class::{ArgumentUsage, Class, MethodUsage, Property, PropertyUsage};
use crate::contract::{self, Mode, Scope};
use crate::error::{Kind, fail, is};
use crate::frame::Frame;
use crate::invoke::{Access, Arguments};
use crate::meta::{self, Attached};
use crate::object::type_value;
use crate::runtime::Runtime;
use crate::serialize;
use crate::template::{Content, Template};
use key::Form;

/// The style of generated schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The meaning of contracts, as far as a schema can express it.
    #[default]
    Correct,
    /// The schemas of Murano itself, with its mistakes.
    Reference,
}

/// A part of a schema, while functions of a contract add to it.
#[derive(Clone, Default)]
struct Draft {
    schema: Map<String, Json>,
    not_null: bool,
    /// The function that converts values last: `int`, `string` or `bool`.
    converted: Option<&'static str>,
    /// Whether its functions reject all values but null.
    is_contradictory: bool,
    /// The class of an object.
    class: Option<Rc<Class>>,
}

/// A generator of schemas for the contracts of a class.
struct Maker<'m> {
    runtime: &'m Rc<Runtime>,
    /// The class that declares the contract.
    class: Rc<Class>,
    style: Style,
    mode: Mode,
    /// The class whose contract has converted the values before.
    nearest: Option<Rc<Class>>,
    text: std::cell::RefCell<std::sync::Arc<str>>,
}

impl Runtime {
    /// Returns the schemas of a class, under the empty name, and of its model builders, under their names. If names are
    /// given, returns only the schemas with these names, which can also be those of actions.
    ///
    /// # Errors
    ///
    /// Returns an error if the class or its metadata is invalid.
    pub fn schemas(self: &Rc<Self>, class: &Rc<Class>, only: &[String], style: Style) -> Result<Json> {
        let mut schemas = Map::new();
        if only.is_empty() || only.iter().any(String::is_empty) {
            schemas.insert(String::new(), self.class_schema(class, style)?);
        }
        for method in self.entrances(class)? {
            let is_wanted = if only.is_empty() { method.is_builder } else { only.contains(&method.name) };
            if is_wanted && (method.is_builder || style == Style::Correct) {
                schemas.insert(method.name.clone(), self.method_schema(class, &method, style)?);
            }
        }
        Ok(schemas.into())
    }

    /// Like [`schemas`](Self::schemas), but requires a schema for each of the given names.
    ///
    /// # Errors
    ///
    /// Returns an error for a name without a schema, too.
    pub fn named_schemas(self: &Rc<Self>, class: &Rc<Class>, names: &[String], style: Style) -> Result<Json> {
        let schemas = self.schemas(class, names, style)?;
        let Some(method) = names.iter().find(|name| schemas.get(name.as_str()).is_none()) else { return Ok(schemas) };
        let name = self.entrance(class, method)?.name;
        Err(Error::new(ErrorKind::Value, format!("`{name}` is an action; Murano has schemas only for model builders")))
    }

    /// Returns the methods of a class that users can call: its actions and model builders, those of the nearest classes
    /// first.
    ///
    /// # Errors
    ///
    /// Returns an error if invalid metadata is attached to one of them.
    pub fn entrances(self: &Rc<Self>, class: &Rc<Class>) -> Result<Vec<Entrance>> {
        let mut seen = Vec::new();
        let mut all = Vec::new();
        for declaring in class.lineage() {
            for (name, method) in &declaring.methods {
                let is_entrance = method.is_public() && method.usage != MethodUsage::Extension;
                if !is_entrance || seen.contains(name) {
                    continue;
                }
                seen.push(name.clone());
                let attached = meta::of_method(self, class, name)?;
                let marker = attached.iter().find(|attached| attached.object.class.name == MODEL_BUILDER);
                let is_enabled =
                    |marker: &Attached| marker.object.property("enabled").is_some_and(|enabled| enabled.is_truthy());
                let is_builder = method.usage == MethodUsage::Static && marker.is_some_and(is_enabled);
                // A builder that is disabled is not offered at all.
                if is_builder || marker.is_none() {
                    all.push(Entrance { name: name.clone(), is_builder, attached });
                }
            }
        }
        Ok(all)
    }

    /// Returns the action or model builder with the given name.
    ///
    /// # Errors
    ///
    /// Returns [`Kind::NoMethod`] if the class has none, with a hint if the name is similar to an existing one.
    pub fn entrance(self: &Rc<Self>, class: &Rc<Class>, name: &str) -> Result<Entrance> {
        let mut all = self.entrances(class)?;
        if let Some(index) = all.iter().position(|method| method.name == name) {
            return Ok(all.swap_remove(index));
        }
        let message = format!("class `{}` has no action or model builder `{name}`", class.name);
        let names = all.iter().map(|method| method.name.as_str());
        let error = fail(Kind::NoMethod, message);
        Err(match tosca_parse::diagnostic::suggest::nearest(name, names) {
            Some(near) => error.with_hint(&format!("did you mean `{near}`?")),
            None => error,
        })
    }

    /// Runs a model builder on a model or on a new object of the class.
    ///
    /// # Errors
    ///
    /// Returns an error if the class has no such builder, and any error of the builder.
    pub fn build_model(
        self: &Rc<Self>,
        class: &Rc<Class>,
        builder: &str,
        model: Option<Value>,
        named: Vec<(std::sync::Arc<str>, Value)>,
    ) -> Result<Value> {
        if !self.entrance(class, builder)?.is_builder {
            let message = format!("method `{builder}` of class `{}` is not a model builder", class.name);
            return Err(fail(Kind::NoMethod, message));
        }
        let entry = |key: &str, value: Value| (Value::from(key), value);
        let blank = || Value::dict([entry("?", Value::dict([entry("type", class.name.as_str().into())]))]);
        let arguments = Arguments::new(vec![model.unwrap_or_else(blank)], named);
        let made = self.call_class(class, builder, arguments, Access::Action)?;
        serialize::model(self, &made)
    }

    fn class_schema(self: &Rc<Self>, class: &Rc<Class>, style: Style) -> Result<Json> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for declaring in class.lineage() {
            for name in declaring.properties.keys() {
                let Some((owner, property)) = class.find_property(name)? else { continue };
                let shown = match property.usage {
                    PropertyUsage::In | PropertyUsage::InOut => true,
                    PropertyUsage::Const => style == Style::Correct,
                    _ => false,
                };
                if properties.contains_key(name) || !shown {
                    continue;
                }
                let (mut schema, mut is_required) =
                    self.field(&owner, &property.contract, property.default.as_ref(), style)?;
                if style == Style::Correct {
                    for (other, declaration) in class.declarations(name) {
                        if !Rc::ptr_eq(&other, &owner) {
                            is_required |= self.restrict(&mut schema, (&owner, &property), (&other, &declaration))?;
                        }
                    }
                }
                required.extend(is_required.then(|| name.clone()));
                let attached = meta::of_property(self, class, name)?;
                layout::describe_field(&mut schema, class, name, &attached, style);
                hide_secret(&mut schema, name, style);
                properties.insert(name.clone(), schema);
            }
        }
        Ok(layout::root(class, properties, required, &meta::of_type(self, class)?))
    }

    fn method_schema(self: &Rc<Self>, class: &Rc<Class>, entrance: &Entrance, style: Style) -> Result<Json> {
        let (mut properties, mut required, mut others) = (Map::new(), Vec::new(), None);
        if let Some((owner, method)) = class.find_method(&entrance.name)? {
            // The first parameter of a builder is the model that it starts with, which has no field.
            let skipped = usize::from(entrance.is_builder && style == Style::Correct);
            for argument in method.arguments.iter().skip(skipped) {
                let (mut schema, is_required) =
                    self.field(&owner, &argument.contract, argument.default.as_ref(), style)?;
                match argument.usage {
                    // Forms name all values, so there are none without names.
                    ArgumentUsage::VarArgs if style == Style::Correct => continue,
                    ArgumentUsage::KwArgs if style == Style::Correct => {
                        others = Some(schema);
                        continue;
                    }
                    _ => {}
                }
                required
                    .extend((is_required && argument.usage == ArgumentUsage::Standard).then(|| argument.name.clone()));
                let attached = meta::of_argument(self, &owner, &argument.meta)?;
                layout::describe_field(&mut schema, class, &argument.name, &attached, style);
                hide_secret(&mut schema, &argument.name, style);
                properties.insert(argument.name.clone(), schema);
            }
        }
        let mut schema = layout::root(class, properties, required, &entrance.attached);
        if let (Some(others), Some(schema)) = (others, schema.as_object_mut()) {
            schema.insert("additionalProperties".into(), others);
        }
        Ok(schema)
    }

    /// Returns the schema of a property or argument and whether it must be given.
    fn field(
        self: &Rc<Self>,
        class: &Rc<Class>,
        contract: &Template,
        default: Option<&Template>,
        style: Style,
    ) -> Result<(Json, bool)> {
        let maker = Maker::new(self, class, style);
        let mut schema = match (&contract.content, style) {
            (Content::Yaql(_) | Content::List(_) | Content::Map(_), _) | (_, Style::Correct) => {
                maker.schema(contract, None)?
            }
            (_, Style::Reference) => {
                let message = "'NoneType' object has no attribute 'update'";
                return Err(Error::new(ErrorKind::Attribute, message));
            }
        };
        if let (Some(default), Some(schema)) = (default, schema.as_object_mut())
            && (style == Style::Reference || !has_expression(default))
        {
            schema.insert("default".into(), to_json(&default.raw_value()));
        }
        let is_given = default.is_some_and(|default| !default.is_null());
        let is_required = style == Style::Correct && !is_given && !maker.takes_null(contract);
        Ok((schema, is_required))
    }
}

impl Runtime {
    /// Restricts the schema of a property to the values that another declaration of it accepts, too. Returns whether that
    /// declaration demands a value.
    fn restrict(
        self: &Rc<Self>,
        schema: &mut Json,
        (owner, property): (&Rc<Class>, &Property),
        (other, declaration): (&Rc<Class>, &Property),
    ) -> Result<bool> {
        // Only the nearest declaration converts values.
        let nearest = Some(owner.clone());
        let maker = Maker { mode: Mode::Validate, nearest, ..Maker::new(self, other, Style::Correct) };
        let mut added = maker.schema(&declaration.contract, Some(&property.contract))?;
        if let (Some(schema), Some(added)) = (schema.as_object_mut(), added.as_object_mut()) {
            let nearest = Maker::new(self, owner, Style::Correct).class_of(owner, &property.contract);
            let wanted = maker.class_of(other, &declaration.contract);
            if let (Some(nearest), Some(wanted)) = (nearest, wanted)
                && nearest.is_a(&wanted)
            {
                added.retain(|key, _| !matches!(key.as_str(), "muranoType" | "version"));
            }
            added.remove("errorMessage");
            condition::restrict(schema, std::mem::take(added));
        }
        let is_given = property.default.as_ref().is_some_and(|default| !default.is_null());
        Ok(!is_given && maker.requires(&declaration.contract, &property.contract))
    }
}

/// Marks text that is a secret according to its name, and removes its default.
fn hide_secret(schema: &mut Json, name: &str, style: Style) {
    let Some(schema) = schema.as_object_mut().filter(|_| style == Style::Correct && is_secret(name)) else { return };
    let is_text =
        |ty: &Json| ty == "string" || ty.as_array().is_some_and(|types| types.iter().any(|ty| ty == "string"));
    if schema.get("type").is_some_and(is_text) {
        schema.remove("default");
        schema.extend([("format".to_owned(), "password".into()), ("writeOnly".to_owned(), true.into())]);
    }
}

/// The meta class that marks model builders.
const MODEL_BUILDER: &str = "io.murano.metadata.ModelBuilder";

/// A method that users can call.
pub struct Entrance {
    /// Its name.
    pub name: String,
    /// Whether the method is a model builder; otherwise, it is an action.
    pub is_builder: bool,
    attached: Vec<Attached>,
}

fn has_expression(template: &Template) -> bool {
    let mut has = false;
    template.each(&mut |part| has |= part.as_yaql().is_some());
    has
}

fn to_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}

impl<'m> Maker<'m> {
    fn new(runtime: &'m Rc<Runtime>, class: &Rc<Class>, style: Style) -> Self {
        let text = std::cell::RefCell::new("".into());
        Self { runtime, class: class.clone(), style, mode: Mode::Transform, nearest: None, text }
    }

    /// Returns the schema of a contract, for values that the nearest contract has converted, if there is another one.
    fn schema(&self, contract: &Template, nearest: Option<&Template>) -> Result<Json> {
        match &contract.content {
            Content::Yaql(expression) => {
                *self.text.borrow_mut() = expression.text().clone();
                let draft = self.draft(expression.root())?;
                Ok(match self.style {
                    Style::Reference => draft.finish(),
                    Style::Correct => {
                        let not_null = !self.takes_null(contract);
                        let mut schema = Draft { not_null, ..draft }.finish();
                        // Without a type, null is the only value that must be rejected.
                        if let Some(schema) =
                            schema.as_object_mut().filter(|schema| not_null && !schema.contains_key("type"))
                        {
                            schema.insert("type".into(), json!(["array", "boolean", "number", "object", "string"]));
                        }
                        if is_closed(expression.root())
                            && let Some(schema) = schema.as_object_mut()
                        {
                            self.retain_accepted(schema, contract);
                        }
                        schema
                    }
                })
            }
            Content::List(_) | Content::Map(_) => {
                let mut schema = match &contract.content {
                    Content::List(contracts) => self.list(contracts, nearest)?,
                    _ => self.map(contract.as_map().unwrap_or_default(), nearest)?,
                };
                // Otherwise, null becomes an empty list or map.
                if self.mode == Mode::Validate && self.takes_null(contract) {
                    schema["type"] = json!([schema["type"], "null"]);
                }
                Ok(schema)
            }
            _ if self.style == Style::Reference => Ok(Json::Null),
            _ => {
                let literal = contract.raw_value();
                Ok(json!({ "enum": condition::equal(&literal).unwrap_or_else(|| vec![to_json(&literal)]) }))
            }
        }
    }

    fn list(&self, contracts: &[Template], nearest: Option<&Template>) -> Result<Json> {
        let (contracts, bounds) = split_bounds(contracts);
        let nearest = match nearest.map(|nearest| &nearest.content) {
            Some(Content::List(nearest)) => split_bounds(nearest).0,
            _ => &[],
        };
        let mut schema = Map::new();
        schema.insert("type".into(), "array".into());
        let count = if contracts.is_empty() { 0 } else { contracts.len().max(nearest.len()) };
        let items =
            (0..count).filter_map(|index| Some(self.schema(of_item(contracts, index)?, of_item(nearest, index))));
        let mut items = items.collect::<Result<Vec<_>>>()?;
        match (items.len(), items.last().cloned()) {
            (0, _) | (_, None) => {}
            (1, Some(_)) => drop(schema.insert("items".into(), items.remove(0))),
            (_, Some(last)) => {
                schema.insert("items".into(), items.into());
                schema.insert("additionalItems".into(), last);
            }
        }
        if self.style == Style::Correct {
            for (key, bound) in ["minItems", "maxItems"].into_iter().zip(bounds) {
                // A bound that can't be a length has no effect.
                if let Some(bound) = bound.raw_value().as_i64().filter(|bound| *bound >= 0) {
                    schema.insert(key.into(), bound.into());
                }
            }
        }
        Ok(schema.into())
    }

    fn map(&self, contracts: &[(Template, Template)], nearest: Option<&Template>) -> Result<Json> {
        let nearest = nearest.and_then(Template::as_map).unwrap_or_default();
        let mut properties = Map::new();
        let mut required = Vec::new();
        // A map without contracts accepts anything. Conversion removes other keys from maps with contracts.
        let keeps_others = contracts.is_empty() || self.mode == Mode::Validate;
        let mut additional = Json::from(keeps_others && self.style == Style::Correct);
        let mut refused = None;
        for (key, contract) in contracts.iter().filter(|(key, _)| key.as_yaql().is_none()) {
            let name = key.raw_value().to_python();
            let converted = named(nearest, &name);
            let needs_value = match converted {
                Some(converted) => self.requires(contract, converted),
                None => !self.takes_null(contract),
            };
            if self.style == Style::Correct && needs_value {
                required.push(Json::from(name.clone()));
            }
            let schema = self.schema(contract, converted.or_else(|| Some(others(nearest)?.1)))?;
            properties.insert(name, schema);
        }
        if let Some((key, contract)) = others(contracts) {
            // The nearest contract adds the keys that it names.
            for (name, converted) in nearest.iter().filter(|(name, _)| name.as_yaql().is_none()) {
                let text = name.raw_value().to_python();
                if properties.contains_key(&text) {
                    continue;
                }
                let is_accepted = contract::accepts(self.runtime, &self.class, key, &name.raw_value());
                let schema = if is_accepted { self.schema(contract, Some(converted))? } else { json!({ "not": {} }) };
                if !is_accepted || self.requires(contract, converted) {
                    required.push(Json::from(text.clone()));
                }
                properties.insert(text, schema);
            }
            let converted = others(nearest);
            additional = self.schema(contract, converted.map(|(_, contract)| contract))?;
            if self.style == Style::Correct {
                let form = match converted {
                    _ if self.mode == Mode::Transform => Form::Convertible,
                    Some((key, _)) => self.form(key)?,
                    None => Form::Text,
                };
                refused = key::refused(&self.schema(key, None)?, form, properties.keys());
            }
        }
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        schema.insert("additionalProperties".into(), additional);
        if let Some(refused) = refused {
            schema.insert("patternProperties".into(), json!({ refused: { "not": {} } }));
        }
        if !required.is_empty() {
            schema.insert("required".into(), required.into());
        }
        Ok(schema.into())
    }

    /// Returns the form of keys that the nearest contract has converted.
    fn form(&self, key: &Template) -> Result<Form> {
        let (Some(class), Some(expression)) = (&self.nearest, key.as_yaql()) else { return Ok(Form::Text) };
        let draft = Maker::new(self.runtime, class, self.style).draft(expression.root())?;
        Ok(match draft.converted {
            Some("integer") => Form::Integer,
            Some("boolean") => Form::Boolean,
            _ => Form::Text,
        })
    }

    /// Returns whether a contract rejects the value that the nearest contract makes of a missing one.
    fn requires(&self, contract: &Template, nearest: &Template) -> bool {
        let Some(class) = &self.nearest else { return false };
        let apply = |class: &Rc<Class>, contract: &Template, value: Value, mode: Mode| {
            contract::apply(self.runtime, class, &type_value(class), contract, value, Scope::new(mode))
        };
        let Ok(converted) = apply(class, nearest, Value::Null, Mode::Transform) else { return false };
        if matches!(converted, Value::Null) {
            return !self.takes_null(contract);
        }
        apply(&self.class, contract, converted, self.mode).is_err_and(|error| !is(&error, Kind::NoProperty))
    }

    /// Returns whether a contract accepts null, which also replaces a missing value.
    fn takes_null(&self, contract: &Template) -> bool {
        let this = type_value(&self.class);
        let scope = Scope::new(self.mode);
        match contract::apply(self.runtime, &self.class, &this, contract, Value::Null, scope) {
            Ok(_) => true,
            // The condition needs an object, so only `notNull` counts.
            Err(error) if is(&error, Kind::NoProperty) => {
                !contract.as_yaql().is_some_and(|expression| contract::refuses_null(expression.root()))
            }
            Err(_) => false,
        }
    }

    /// Returns the schema of a chain of contracts.
    fn draft(&self, node: &Node) -> Result<Draft> {
        match &node.kind {
            NodeKind::Method { receiver, name, arguments, .. } => {
                let draft = self.draft(receiver)?;
                self.extend(draft, name, arguments)
            }
            NodeKind::Binary(Operator::Or, left, right) => {
                let draft = self.draft(left)?;
                // The right side only replaces values that count as false.
                let is_murano = self.style == Style::Reference;
                if draft.schema.is_empty() && is_murano { self.draft(right) } else { Ok(draft) }
            }
            _ => Ok(Draft::default()),
        }
    }

    fn extend(&self, mut draft: Draft, name: &str, arguments: &[YaqlArgument]) -> Result<Draft> {
        let ty = match name {
            "string" => "string",
            "int" => "integer",
            "bool" => "boolean",
            "class" | "template" => "muranoObject",
            "notNull" => {
                draft.not_null = true;
                return Ok(draft);
            }
            "owned" | "notOwned" => {
                if self.style == Style::Correct && draft.class.is_none() {
                    condition::merge(&mut draft.schema, Map::from_iter([("type".to_owned(), "object".into())]));
                }
                draft.schema.insert("owned".into(), (name == "owned").into());
                return Ok(draft);
            }
            "check" => {
                if let Some(YaqlArgument::Positional(predicate)) = arguments.first() {
                    match self.style {
                        Style::Reference => self.check_as_murano(predicate, &mut draft.schema)?,
                        Style::Correct => self.check(predicate, arguments, &mut draft)?,
                    }
                }
                return Ok(draft);
            }
            _ => return Ok(draft),
        };
        match self.style {
            Style::Reference => draft.schema.clear(),
            Style::Correct => convert::convert(&mut draft, ty, self.mode),
        }
        draft.schema.insert("type".into(), ty.into());
        if ty == "muranoObject" {
            draft.class = self.object(&mut draft.schema, name == "template", arguments)?;
        }
        Ok(draft)
    }

    /// Returns the schema of an object of a class whose properties fulfill conditions.
    fn nested(&self, class: Option<&Rc<Class>>, conditions: Vec<condition::Condition>) -> Result<Map<String, Json>> {
        let mut all = Map::new();
        for condition in conditions {
            match condition {
                condition::Condition::One { path, schema } if !path.is_empty() => {
                    let mandatory = self.mandatory(class, &path, &schema)?;
                    condition::merge_nested(&mut all, condition::nested(&path, schema, &mandatory));
                }
                condition::Condition::One { .. } => {}
                condition::Condition::Any(alternatives) => {
                    let schemas = alternatives.into_iter().map(|one| self.nested(class, one).map(Json::from));
                    let schemas = Json::from(schemas.collect::<Result<Vec<_>>>()?);
                    condition::merge_nested(&mut all, Map::from_iter([("anyOf".to_owned(), schemas)]));
                }
            }
        }
        Ok(all)
    }

    /// Returns for each property on the path of a condition whether an object must have it. A property whose default
    /// may fulfill the condition, or that is not read from input, can be missing.
    fn mandatory(&self, class: Option<&Rc<Class>>, path: &[String], schema: &Map<String, Json>) -> Result<Vec<bool>> {
        let mut mandatory = Vec::new();
        let mut class = class.cloned();
        for (depth, name) in path.iter().enumerate() {
            let Some(declaring) = class else { break };
            let Some((owner, property)) = declaring.find_property(name)? else { break };
            let is_read = matches!(property.usage, PropertyUsage::In | PropertyUsage::InOut | PropertyUsage::Const);
            let is_given = property.default.as_ref().is_some_and(|default| !default.is_null());
            // Null has no members.
            let needs_value = depth + 1 < path.len() || !condition::takes_null(schema);
            let below = &self.runtime.below;
            let may_need = is_read && !is_given && needs_value;
            mandatory.push(may_need && !below.is_optional(self.runtime, &declaring, name)?);
            class = self.class_of(&owner, &property.contract);
        }
        Ok(mandatory)
    }

    /// Returns the class that a contract of a property requires.
    fn class_of(&self, owner: &Rc<Class>, contract: &Template) -> Option<Rc<Class>> {
        let expression = contract.as_yaql()?;
        let maker = Maker::new(self.runtime, owner, self.style);
        let mut link = expression.root();
        while let NodeKind::Method { receiver, name, arguments, .. } = &link.kind {
            if &**name == "class" {
                return maker.object(&mut Map::new(), false, arguments).ok()?;
            }
            link = receiver;
        }
        None
    }

    /// Adds the keywords of a condition. Keywords for properties of an object are added to its `context`.
    fn check(&self, predicate: &Expr, arguments: &[YaqlArgument], draft: &mut Draft) -> Result<()> {
        let schema = &mut draft.schema;
        let is_object = schema.get("type").is_some_and(|ty| ty == "muranoObject");
        let types = schema.get("type").cloned();
        let conditions = self.conditions(predicate, types.as_ref())?;
        if is_object {
            let nested = self.nested(draft.class.as_ref(), conditions)?;
            if !nested.is_empty()
                && let Some(context) = schema.entry("context").or_insert_with(|| Map::new().into()).as_object_mut()
            {
                condition::merge_nested(context, nested);
            }
        } else {
            for condition in conditions {
                match condition {
                    condition::Condition::One { path, schema: keywords } if path.is_empty() => {
                        condition::merge(schema, keywords);
                    }
                    _ => {}
                }
            }
        }
        if let Some(text) = self.explanation(arguments)? {
            let all = match schema.get("errorMessage").and_then(Json::as_str) {
                Some(others) => format!("{others}; {text}"),
                None => text,
            };
            schema.insert("errorMessage".into(), all.into());
        }
        Ok(())
    }

    /// Adds the keywords for objects of a class to a schema. Returns the class.
    fn object(
        &self,
        schema: &mut Map<String, Json>,
        template: bool,
        arguments: &[YaqlArgument],
    ) -> Result<Option<Rc<Class>>> {
        let context = Frame::enter(self.runtime, &self.class, &type_value(&self.class), None);
        let mut named = None;
        if let Some(YaqlArgument::Positional(name)) = arguments.first() {
            let class = Frame::of(&context)?.resolve(&context.evaluate(name)?)?;
            schema.insert("muranoType".into(), class.name.as_str().into());
            if self.style == Style::Correct {
                schema.insert("version".into(), class.origin.version.to_string().into());
            }
            named = Some(class);
        }
        if template {
            schema.insert("owned".into(), true.into());
            let excluded = arguments.iter().enumerate().find_map(|(index, argument)| match argument {
                YaqlArgument::Mapping(key, value) if key.as_text().is_some_and(|key| **key == *"excludeProperties") => {
                    Some(value)
                }
                YaqlArgument::Positional(value) if index == 3 && self.style == Style::Correct => Some(value),
                _ => None,
            });
            if let Some(excluded) = excluded {
                schema.insert("excludedProperties".into(), to_json(&context.evaluate(excluded)?));
            }
        }
        Ok(named)
    }

    /// Returns the value of an expression that does not depend on `$`.
    fn constant(&self, node: &tosca_parse_yaql::Expr) -> Result<Option<Value>> {
        let depends = match self.style {
            Style::Correct => mentions_data(node),
            Style::Reference => depends_on_data(node),
        };
        if depends {
            return Ok(None);
        }
        let context = Frame::enter(self.runtime, &self.class, &type_value(&self.class), None);
        match context.evaluate(node) {
            Ok(value) => Ok(Some(value)),
            // Murano fails if a check needs the object, and only then.
            Err(error) if self.style == Style::Reference && crate::error::is(&error, crate::Kind::NoProperty) => {
                Err(error)
            }
            Err(_) => Ok(None),
        }
    }
}

/// Splits the contract for a list into the contracts for items and the bounds.
fn split_bounds(contracts: &[Template]) -> (&[Template], &[Template]) {
    let is_bound = |contract: &&Template| matches!(contract.content, Content::Integer(_));
    let bounds = contracts.iter().rev().take_while(is_bound).count().min(2);
    contracts.split_at(contracts.len() - bounds)
}

/// Returns the contract for an item of a list. The last one is also that of all further items.
fn of_item(contracts: &[Template], index: usize) -> Option<&Template> {
    contracts.get(index).or(contracts.last())
}

/// Returns the contract for a key that a contract for maps names.
fn named<'c>(contracts: &'c [(Template, Template)], name: &str) -> Option<&'c Template> {
    let is_named = |key: &Template| key.as_yaql().is_none() && key.raw_value().to_python() == name;
    contracts.iter().find(|(key, _)| is_named(key)).map(|(_, contract)| contract)
}

/// Returns the contracts for other keys of maps and their values.
fn others(contracts: &[(Template, Template)]) -> Option<(&Template, &Template)> {
    contracts.iter().rfind(|(key, _)| key.as_yaql().is_some()).map(|(key, contract)| (key, contract))
}

/// Returns whether the result depends on `$`, apart from expressions that are passed to functions.
fn depends_on_data(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Variable(name) => *name == Name::Position(1),
        NodeKind::Method { receiver, .. } => depends_on_data(receiver),
        NodeKind::Call { .. } => false,
        _ => node.children().iter().any(|child| depends_on_data(child)),
    }
}

/// Returns whether `$` occurs in an expression, even as the item that a function passes to another expression.
fn mentions_data(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Variable(Name::Position(_)))
        || node.children().iter().any(|child| mentions_data(child))
}

/// Returns whether an expression depends on nothing but `$`.
fn is_closed(node: &Node) -> bool {
    !matches!(&node.kind, NodeKind::Variable(Name::Named(_))) && node.children().iter().all(|child| is_closed(child))
}

impl Draft {
    fn finish(mut self) -> Json {
        let mut types = match self.schema.get("type") {
            Some(Json::Array(types)) => types.clone(),
            Some(ty) => vec![ty.clone()],
            None => {
                condition::replace_empty_lists(&mut self.schema);
                return self.schema.into();
            }
        };
        types.retain(|ty| ty != "null");
        if self.is_contradictory && !self.not_null {
            return json!({ "type": "null" });
        }
        condition::retain_lengths(&mut self.schema, &types);
        condition::retain_constants(&mut self.schema, &types);
        condition::replace_empty_lists(&mut self.schema);
        if !self.not_null {
            types.push("null".into());
        }
        if types.is_empty() {
            return json!({ "type": "null", "not": {} });
        }
        let ty = if types.len() == 1 { types.remove(0) } else { types.into() };
        self.schema.insert("type".into(), ty);
        self.schema.into()
    }
}
