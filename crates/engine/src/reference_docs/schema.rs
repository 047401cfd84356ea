//! JSON Schemas for sources, for use in editors.
//!
//! The schemas contain everything that can be checked in a single file: keynames, the forms of their values, and
//! mandatory keynames. They are never stricter than the parser: every file that is read without an error is valid.
//! Tolerated forms are marked as deprecated, so that editors can highlight them.

use serde_json::{Map, Value, json};

use super::{documentation, phrase, reached};
use crate::entity::{
    EntityDescription, EnumValue, FieldDescription, Form, Keyname, Language, LanguageVersion, Relation, RelationKind,
    Shape, ShortForms,
};

/// A schema or part of a schema.
type Object = Map<String, Value>;

/// Returns the JSON Schema for sources in a version, in draft 2020-12.
pub fn json_schema(language: &Language, version: LanguageVersion) -> Value {
    let of = Of { language, version };
    let all = reached(language, |keyname| of.is_read(keyname));
    let roots = language.roots.iter().filter_map(|kind| language.kinds.get(usize::from(kind.0)));
    let roots: Vec<Value> = roots.map(|root| reference(root.description())).collect();
    let root = if let [root] = &roots[..] { root.clone() } else { json!({ "anyOf": roots }) };
    let mut schema = Object::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!(language.version_title(version)));
    schema.extend(root.as_object().cloned().unwrap_or_default());
    let definitions: Object = all.into_iter().map(|entity| (entity.name.to_owned(), of.entity(entity))).collect();
    schema.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(schema)
}

fn reference(entity: &EntityDescription) -> Value {
    json!({ "$ref": format!("#/$defs/{}", entity.name) })
}

/// Returns a schema that accepts values that match any of the given schemas.
fn either(schemas: impl Iterator<Item = Value>) -> Value {
    let mut schemas: Vec<Value> = schemas.collect();
    match schemas.len() {
        _ if schemas.contains(&json!(true)) => json!(true),
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    }
}

/// Returns a schema that requires at least one of the given keynames.
fn any_of(names: &[&str]) -> Value {
    match names {
        [name] => json!({ "required": [name] }),
        names => json!({ "anyOf": names.iter().map(|name| json!({ "required": [name] })).collect::<Vec<_>>() }),
    }
}

/// Returns a schema for a relation between keynames; `None` if a schema can't express the relation. An inherited
/// keyname may replace a missing one.
fn alternatives(relation: &Relation, fields: &[Vec<&str>]) -> Option<Value> {
    let mut schemas: Vec<Value> = fields.iter().map(|names| any_of(names)).collect();
    match relation.kind {
        RelationKind::AnyOf if !relation.inherited => return Some(json!({ "anyOf": schemas })),
        RelationKind::Needs | RelationKind::AnyOf => return None,
        RelationKind::OneOf if !relation.inherited => {}
        RelationKind::OneOf | RelationKind::AtMostOne => {
            let none = json!({ "not": { "anyOf": schemas } });
            schemas.push(none);
        }
    }
    Some(json!({ "oneOf": schemas }))
}

/// The language and version of a schema.
#[derive(Clone, Copy)]
struct Of<'a> {
    language: &'a Language,
    version: LanguageVersion,
}

impl Of<'_> {
    fn entity(self, entity: &'static EntityDescription) -> Value {
        let mut schema = Object::new();
        schema.insert("title".to_owned(), json!(entity.title));
        let (text, examples) = documentation(self.language, self.version, entity);
        schema.insert("description".to_owned(), json!(text));
        if !examples.is_empty() {
            schema.insert("examples".to_owned(), json!(examples));
        }
        let map = entity.is_map(self.version).then(|| Value::Object(self.keynames(entity)));
        let items = entity.tuple.then(|| self.items(entity));
        let all = map.into_iter().chain(items).chain(self.short_forms(entity));
        schema.extend(either(all).as_object().cloned().unwrap_or_default());
        Value::Object(schema)
    }

    /// Returns the schema for an entity that is written as a list of its fields.
    fn items(self, entity: &EntityDescription) -> Value {
        let fields: Vec<_> = entity.items(self.version).map(|(_, field)| field).collect();
        let needed = fields.iter().filter(|field| field.is_mandatory(self.version)).count();
        let items: Vec<Value> = fields.iter().map(|field| self.value(field)).collect();
        json!({ "type": "array", "prefixItems": items, "minItems": needed, "maxItems": fields.len() })
    }

    /// Returns the schema for a map of keynames.
    fn keynames(self, entity: &EntityDescription) -> Object {
        let mut schema = Object::new();
        schema.insert("type".to_owned(), json!("object"));
        let (mut properties, mut others) = (Object::new(), json!(false));
        for field in entity.fields {
            for keyname in field.keynames.iter().filter(|keyname| self.is_read(keyname)) {
                if keyname.name == Keyname::ANY {
                    others = self.member(field);
                } else if keyname.name == Keyname::NONE {
                    // Such a field is covered by the short forms.
                } else if keyname.versions.contains(self.version) || !properties.contains_key(keyname.name) {
                    properties.insert(keyname.name.to_owned(), self.property(field, keyname));
                }
            }
        }
        schema.insert("properties".to_owned(), Value::Object(properties));
        schema.insert("additionalProperties".to_owned(), others);
        let (plain, several): (Vec<_>, Vec<_>) = self.mandatory(entity).into_iter().partition(|names| names.len() == 1);
        if !plain.is_empty() {
            schema.insert("required".to_owned(), json!(plain.concat()));
        }
        let mut all: Vec<Value> = several.iter().map(|names| any_of(names)).collect();
        let relations = entity.relations.iter().filter(|relation| relation.versions.contains(self.version));
        for relation in relations {
            let fields = relation.fields.iter().map(|index| self.names(&entity.fields[*index]));
            let fields: Vec<Vec<&str>> = fields.filter(|names| !names.is_empty()).collect();
            all.extend(alternatives(relation, &fields));
            let [needing, needed @ ..] = &fields[..] else { continue };
            if relation.kind == RelationKind::Needs && !relation.inherited {
                let needed = needed.concat();
                let dependent: Object = needing.iter().map(|name| ((*name).to_owned(), json!(needed))).collect();
                schema.insert("dependentRequired".to_owned(), Value::Object(dependent));
            }
        }
        if !all.is_empty() {
            schema.insert("allOf".to_owned(), Value::Array(all));
        }
        schema
    }

    /// Returns the schemas for the short forms of an entity.
    fn short_forms(self, entity: &EntityDescription) -> Vec<Value> {
        let field = |has: fn(ShortForms) -> bool| {
            entity.fields.iter().find(|field| has(field.short) && field.exists_in(self.version))
        };
        let mut forms = Vec::new();
        let scalar = json!({ "type": ["string", "number", "boolean"] });
        forms.extend(field(|short| short.scalar).map(|field| self.restricted(field, scalar)));
        forms.extend(field(|short| short.list).map(|field| self.restricted(field, json!({ "type": "array" }))));
        if field(|short| short.map).is_some() {
            // A map with a mandatory keyname is a map of keynames, not a short form.
            let telling = entity.fields.iter().filter(|field| field.mandatory.is_some());
            let telling: Vec<Value> =
                telling.flat_map(|field| self.names(field)).map(|name| json!({ "required": [name] })).collect();
            let not = if telling.is_empty() { json!(false) } else { json!({ "anyOf": telling }) };
            forms.push(json!({ "type": "object", "not": not }));
        }
        if self.language.leniency.null_is_empty.contains(self.version) {
            forms.push(json!({ "type": "null", "deprecated": true }));
        }
        forms
    }

    /// Restricts the schema of a field to the kinds of values that a short form may have.
    fn restricted(self, field: &FieldDescription, kinds: Value) -> Value {
        match self.value(field) {
            Value::Bool(_) => kinds,
            value => json!({ "allOf": [kinds, value] }),
        }
    }

    fn is_read(self, keyname: &Keyname) -> bool {
        keyname.is_read_in(self.version) || self.language.is_early(self.version, keyname)
    }

    /// Returns the keynames of a field.
    fn names(self, field: &FieldDescription) -> Vec<&'static str> {
        let names = field.keynames.iter().filter(|keyname| self.is_read(keyname) && keyname.is_written());
        names.map(|keyname| keyname.name).collect()
    }

    /// Returns the keynames of each mandatory field; one keyname of each field must be present.
    fn mandatory(self, entity: &EntityDescription) -> Vec<Vec<&'static str>> {
        let is_mandatory = |field: &&FieldDescription| {
            field.mandatory.is_some_and(|mandatory| !mandatory.inheritable && mandatory.versions.contains(self.version))
        };
        let mut all: Vec<_> = entity.fields.iter().filter(is_mandatory).map(|field| self.names(field)).collect();
        all.iter_mut().for_each(Vec::dedup);
        all.retain(|names| !names.is_empty());
        all.dedup();
        all
    }

    fn property(self, field: &FieldDescription, keyname: &Keyname) -> Value {
        let mut schema = Object::new();
        let sentences =
            [phrase::line(field.docs)].into_iter().chain(phrase::notes(self.language, field, self.version, keyname));
        schema.insert("description".to_owned(), json!(sentences.collect::<Vec<_>>().join(" ")));
        if !keyname.versions.contains(self.version) {
            schema.insert("deprecated".to_owned(), json!(true));
        }
        if let Some(Ok(default)) = field.default.map(serde_json::from_str::<Value>) {
            schema.insert("default".to_owned(), default);
        }
        let null = (field.nullable && field.entity(self.version).is_none()).then(|| json!({ "type": "null" }));
        let value = either([self.value(field)].into_iter().chain(null));
        schema.extend(value.as_object().cloned().unwrap_or_default());
        Value::Object(schema)
    }

    /// Returns the schema for the value of a field; `true` if anything is allowed.
    fn value(self, field: &FieldDescription) -> Value {
        let also = field.also.map(|also| self.form(also));
        let value = match field.shape {
            Shape::List(_) => {
                json!({ "type": "array", "items": either([self.member(field)].into_iter().chain(also)) })
            }
            _ => either([self.shape(field)].into_iter().chain(also)),
        };
        let one = match field.shape {
            _ if !field.takes_one(self.version) => None,
            Shape::Scalar(_, Form::List(item)) => Some(self.form(*item)),
            Shape::References => Some(self.form(Form::String)),
            _ => Some(self.member(field)),
        };
        either([value].into_iter().chain(one))
    }

    fn shape(self, field: &FieldDescription) -> Value {
        let map = || json!({ "type": "object", "additionalProperties": self.member(field) });
        match field.shape {
            Shape::Scalar(_, form) => self.form(form),
            Shape::Value => field.entity(self.version).map_or(json!(true), reference),
            Shape::Values => json!({ "type": "object" }),
            Shape::Reference => self.form(Form::String),
            Shape::References => self.form(Form::List(&Form::String)),
            Shape::One(_) | Shape::List(_) => self.member(field),
            Shape::Named(_) | Shape::Sequence(_) if !field.takes_list(self.version) => map(),
            Shape::Named(_) | Shape::Sequence(_) => {
                let one = json!({ "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": self.member(field) });
                let list = json!({ "type": "array", "items": one });
                if !field.sequenced || field.map_too.is_some_and(|versions| versions.contains(self.version)) {
                    return json!({ "anyOf": [list, map()] });
                }
                list
            }
        }
    }

    /// Returns the schema for one of the entities in a field.
    fn member(self, field: &FieldDescription) -> Value {
        let Some(entity) = field.shape.entity() else { return json!(true) };
        let entity_schema = reference(entity);
        let short = field
            .members_short
            .and_then(|ident| entity.field(ident))
            .filter(|(_, field)| field.exists_in(self.version));
        match short {
            Some((_, short)) => {
                let bare = json!({ "type": ["string", "number", "boolean", "array"] });
                json!({ "anyOf": [entity_schema, self.restricted(short, bare)] })
            }
            None => entity_schema,
        }
    }

    fn enum_values(self, values: &[EnumValue], any_case: bool) -> Value {
        let there = values.iter().filter(|value| value.versions.contains(self.version));
        let mut all: Vec<Value> =
            there.map(|value| json!({ "const": value.name, "description": phrase::line(value.docs) })).collect();
        if any_case {
            all.push(json!({ "type": "string", "pattern": "[A-Z]", "deprecated": true }));
        }
        json!({ "anyOf": all })
    }

    fn form(self, form: Form) -> Value {
        match form {
            Form::Any => json!(true),
            Form::Null => json!({ "type": "null" }),
            Form::Boolean if self.language.leniency.yaml_1_1_booleans.contains(self.version) => {
                let spellings = "^([Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff])$";
                json!({ "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": spellings, "deprecated": true }] })
            }
            Form::Boolean => json!({ "type": "boolean" }),
            Form::Count => json!({ "type": "integer", "minimum": 0 }),
            Form::String => json!({ "type": "string" }),
            Form::Pattern(pattern) => json!({ "type": ["string", "number"], "pattern": pattern }),
            Form::Constant(word) => json!({ "const": word }),
            Form::Enumerated { values, any_case } => self.enum_values(values, any_case),
            Form::List(item) => json!({ "type": "array", "items": self.form(*item) }),
            Form::Either(forms) => {
                json!({ "anyOf": forms.iter().map(|form| self.form(*form)).collect::<Vec<_>>() })
            }
        }
    }
}
