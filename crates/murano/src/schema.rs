//! JSON Schemas of classes, and of the methods that build models of them: what forms are made of.

mod check;
mod layout;

use std::rc::Rc;

use serde_json::{Map, Value as Json, json};
use tosca_parse_yaql::{
    Argument as YaqlArgument, Error, ErrorKind, Kind as NodeKind, Name, Node, Operator, Result, Value,
};

use crate::class::{Class, MethodUsage, PropertyUsage};
use crate::failure::{Kind, fail};
use crate::frame::Frame;
use crate::invoke::{Access, Arguments};
use crate::meta::{self, Attached};
use crate::object::type_value;
use crate::runtime::Runtime;
use crate::serialize;
use crate::template::{Content, Template};

/// How closely schemas follow the generator that Murano has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// What contracts say, as far as a schema can say it.
    #[default]
    Correct,
    /// What Murano itself makes of them, with its mistakes.
    Reference,
}

/// A part of a schema, while functions of a contract add to it.
#[derive(Clone, Default)]
struct Draft {
    schema: Map<String, Json>,
    not_null: bool,
}

/// What is needed to make schemas of the contracts of a class.
struct Maker<'m> {
    runtime: &'m Rc<Runtime>,
    /// The class that declares the contract.
    class: Rc<Class>,
    style: Style,
    text: std::cell::RefCell<std::sync::Arc<str>>,
}

impl Runtime {
    /// The schemas of a class, under the empty name, and of its model builders, under theirs; only those of some names,
    /// if any are given.
    ///
    /// # Errors
    ///
    /// What is wrong with the class or with what is attached to it.
    pub fn schemas(self: &Rc<Self>, class: &Rc<Class>, only: &[String], style: Style) -> Result<Json> {
        let wanted = |name: &str| only.is_empty() || only.iter().any(|other| other == name);
        let mut schemas = Map::new();
        if wanted("") {
            schemas.insert(String::new(), self.class_schema(class, style)?);
        }
        let mut seen = Vec::new();
        for declaring in class.lineage() {
            for (name, method) in &declaring.methods {
                let static_and_public = method.usage == MethodUsage::Static && method.is_public();
                if seen.contains(name) || !static_and_public || !wanted(name) {
                    continue;
                }
                seen.push(name.clone());
                let attached = meta::of_method(self, class, name)?;
                if is_builder(&attached) {
                    schemas.insert(name.clone(), self.method_schema(class, name, &attached, style)?);
                }
            }
        }
        Ok(schemas.into())
    }

    /// The model that a model builder makes of another one, or of an object of which nothing but the class is given.
    ///
    /// # Errors
    ///
    /// The class has no such builder, or what it fails with.
    pub fn build_model(
        self: &Rc<Self>,
        class: &Rc<Class>,
        builder: &str,
        model: Option<Value>,
        named: Vec<(std::sync::Arc<str>, Value)>,
    ) -> Result<Value> {
        if !is_builder(&meta::of_method(self, class, builder)?) {
            let message = format!("Class {} has no model builder \"{builder}\"", class.name);
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
        for declaring in class.lineage() {
            for name in declaring.properties.keys() {
                let Some((owner, property)) = class.find_property(name)? else { continue };
                let shown = matches!(property.usage, PropertyUsage::In | PropertyUsage::InOut);
                if properties.contains_key(name) || !shown {
                    continue;
                }
                let mut schema = self.field(&owner, &property.contract, property.default.as_ref(), style)?;
                let attached = meta::of_property(self, class, name)?;
                layout::describe_field(&mut schema, class, name, &attached, style);
                properties.insert(name.clone(), schema);
            }
        }
        Ok(layout::root(class, properties, &meta::of_type(self, class)?))
    }

    fn method_schema(
        self: &Rc<Self>,
        class: &Rc<Class>,
        name: &str,
        attached: &[Attached],
        style: Style,
    ) -> Result<Json> {
        let mut properties = Map::new();
        if let Some((owner, method)) = class.find_method(name)? {
            // The first parameter of a builder is the model that it starts with, which is no field.
            let skipped = usize::from(style == Style::Correct);
            for argument in method.arguments.iter().skip(skipped) {
                let mut schema = self.field(&owner, &argument.contract, argument.default.as_ref(), style)?;
                let attached = meta::of_argument(self, &owner, &argument.meta)?;
                layout::describe_field(&mut schema, class, &argument.name, &attached, style);
                properties.insert(argument.name.clone(), schema);
            }
        }
        Ok(layout::root(class, properties, attached))
    }

    fn field(
        self: &Rc<Self>,
        class: &Rc<Class>,
        contract: &Template,
        default: Option<&Template>,
        style: Style,
    ) -> Result<Json> {
        let maker = Maker { runtime: self, class: class.clone(), style, text: std::cell::RefCell::new("".into()) };
        let mut schema = match (&contract.content, style) {
            (Content::Yaql(_) | Content::List(_) | Content::Map(_), _) | (_, Style::Correct) => {
                maker.schema(contract)?
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
        Ok(schema)
    }
}

fn is_builder(attached: &[Attached]) -> bool {
    attached.iter().any(|attached| {
        attached.object.class.name == "io.murano.metadata.ModelBuilder"
            && attached.object.property("enabled").is_some_and(|enabled| enabled.is_truthy())
    })
}

fn has_expression(template: &Template) -> bool {
    let mut has = false;
    template.each(&mut |part| has |= part.as_yaql().is_some());
    has
}

fn to_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}

impl Maker<'_> {
    fn schema(&self, contract: &Template) -> Result<Json> {
        match &contract.content {
            Content::Yaql(expression) => {
                *self.text.borrow_mut() = expression.text().clone();
                Ok(self.draft(expression.root())?.finish())
            }
            Content::List(contracts) => self.list(contracts),
            Content::Map(contracts) => self.map(contracts),
            _ if self.style == Style::Reference => Ok(Json::Null),
            _ => Ok(json!({ "enum": [to_json(&contract.raw_value())] })),
        }
    }

    fn list(&self, contracts: &[Template]) -> Result<Json> {
        let is_bound = |contract: &&Template| matches!(contract.content, Content::Integer(_));
        let bounds = contracts.iter().rev().take_while(is_bound).count().min(2);
        let (contracts, bounds) = contracts.split_at(contracts.len() - bounds);
        let mut schema = Map::new();
        schema.insert("type".into(), "array".into());
        let mut items = contracts.iter().map(|contract| self.schema(contract)).collect::<Result<Vec<_>>>()?;
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
                schema.insert(key.into(), to_json(&bound.raw_value()));
            }
        }
        Ok(schema.into())
    }

    fn map(&self, contracts: &[(Template, Template)]) -> Result<Json> {
        let mut properties = Map::new();
        // A map without contracts takes anything.
        let mut additional = Json::from(contracts.is_empty() && self.style == Style::Correct);
        for (key, contract) in contracts {
            let schema = self.schema(contract)?;
            if key.as_yaql().is_some() {
                additional = schema;
            } else {
                properties.insert(key.raw_value().to_python(), schema);
            }
        }
        Ok(json!({ "type": "object", "properties": properties, "additionalProperties": additional }))
    }

    /// The schema of a chain of contracts.
    fn draft(&self, node: &Node) -> Result<Draft> {
        match &node.kind {
            NodeKind::Method { receiver, name, arguments, .. } => {
                let draft = self.draft(receiver)?;
                self.extend(draft, name, arguments)
            }
            NodeKind::Binary(Operator::Or, left, right) => {
                let draft = self.draft(left)?;
                if draft.schema.is_empty() { self.draft(right) } else { Ok(draft) }
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
                draft.schema.insert("owned".into(), (name == "owned").into());
                return Ok(draft);
            }
            "check" => {
                if let Some(YaqlArgument::Positional(predicate)) = arguments.first() {
                    self.check(predicate, &mut draft.schema)?;
                }
                return Ok(draft);
            }
            _ => return Ok(draft),
        };
        if self.style == Style::Reference {
            draft.schema.clear();
        }
        draft.schema.insert("type".into(), ty.into());
        if ty == "muranoObject" {
            self.object(&mut draft.schema, name == "template", arguments)?;
        }
        Ok(draft)
    }

    fn object(&self, schema: &mut Map<String, Json>, template: bool, arguments: &[YaqlArgument]) -> Result<()> {
        let context = Frame::enter(self.runtime, &self.class, &type_value(&self.class), None);
        if let Some(YaqlArgument::Positional(name)) = arguments.first() {
            let class = Frame::of(&context)?.resolve(&context.evaluate(name)?)?;
            schema.insert("muranoType".into(), class.name.as_str().into());
            if self.style == Style::Correct {
                schema.insert("version".into(), class.origin.version.to_string().into());
            }
        }
        if template {
            schema.insert("owned".into(), true.into());
            let excluded = arguments.iter().find_map(|argument| match argument {
                YaqlArgument::Mapping(key, value) if key.as_text().is_some_and(|key| **key == *"excludeProperties") => {
                    Some(value)
                }
                _ => None,
            });
            if let Some(excluded) = excluded {
                schema.insert("excludedProperties".into(), to_json(&context.evaluate(excluded)?));
            }
        }
        Ok(())
    }

    /// The value of an expression that does not depend on `$`.
    fn constant(&self, node: &tosca_parse_yaql::Expr) -> Result<Option<Value>> {
        if depends_on_data(node) {
            return Ok(None);
        }
        let context = Frame::enter(self.runtime, &self.class, &type_value(&self.class), None);
        match context.evaluate(node) {
            Ok(value) => Ok(Some(value)),
            // Murano fails where a check needs the object, and only there.
            Err(error) if self.style == Style::Reference && crate::failure::is(&error, crate::Kind::NoProperty) => {
                Err(error)
            }
            Err(_) => Ok(None),
        }
    }
}

/// Whether `$` matters, outside of what functions get as expressions.
fn depends_on_data(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Variable(name) => *name == Name::Position(1),
        NodeKind::Method { receiver, .. } => depends_on_data(receiver),
        NodeKind::Call { .. } => false,
        _ => node.children().iter().any(|child| depends_on_data(child)),
    }
}

impl Draft {
    fn finish(mut self) -> Json {
        if let Some(ty) = self.schema.get("type").filter(|_| !self.not_null).cloned() {
            self.schema.insert("type".into(), json!([ty, "null"]));
        }
        self.schema.into()
    }
}
