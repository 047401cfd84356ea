//! Forms for objects of classes: the schemas of the classes, translated to the keywords that forms use.

use std::rc::Rc;

use foldhash::HashSet;
use serde_json::{Map, Value as Json, json};
use tosca_parse_form::Form;

use crate::{Class, ClassUsage, Runtime, Style, TypeName};

/// The maximum number of classes whose objects are part of one form. Objects of further classes are named by their ids.
const MAX_CLASSES: usize = 100;
/// The maximum number of classes to choose from for one field.
const MAX_CHOICES: usize = 40;
/// Keywords of class schemas that have no meaning, or a different one, in a form.
const OWN: &[&str] = &[
    "$schema",
    "context",
    "excludedProperties",
    "formIndex",
    "formSection",
    "formSections",
    "helpText",
    "muranoType",
    "owned",
    "version",
];

/// Returns the form of a model: an object of a class, with the objects that it owns.
///
/// # Errors
///
/// Returns an error if the class, or a class that its contracts name, is invalid.
pub fn class_form(runtime: &Rc<Runtime>, class: &Rc<Class>) -> Result<Form, tosca_parse_yaql::Error> {
    let mut maker = Maker { runtime, wanted: Vec::new(), made: Map::new() };
    let schema = maker.object(class)?;
    maker.finish(schema, "model.yaml")
}

/// Returns the form for the arguments of an action or of a model builder, apart from the model.
///
/// # Errors
///
/// Returns an error if the class has no such method or is invalid.
pub fn builder_form(runtime: &Rc<Runtime>, class: &Rc<Class>, builder: &str) -> Result<Form, tosca_parse_yaql::Error> {
    let mut schemas = runtime.schemas(class, &[builder.to_owned()], Style::Correct)?;
    runtime.entrance(class, builder)?;
    let schema = &mut schemas[builder];
    let mut maker = Maker { runtime, wanted: Vec::new(), made: Map::new() };
    let mut made = maker.members(schema, Map::new(), Vec::new())?;
    made.entry("title").or_insert_with(|| format!("{}.{builder}", class.name).into());
    maker.finish(made.into(), "arguments.yaml")
}

struct Maker<'r> {
    runtime: &'r Rc<Runtime>,
    /// Classes of objects in the form whose schemas are still to be generated.
    wanted: Vec<(String, Rc<Class>)>,
    made: Map<String, Json>,
}

impl Maker<'_> {
    /// Returns the form for a schema, with the schemas that it refers to.
    fn finish(mut self, mut schema: Json, file: &'static str) -> Result<Form, tosca_parse_yaql::Error> {
        while let Some((name, class)) = self.wanted.pop() {
            let object = self.object(&class)?;
            self.made.insert(name, object);
        }
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("$defs".into(), self.made.into());
        }
        Ok(Form { schema, file })
    }

    /// Returns the form of an object: its header and its properties, in display order.
    fn object(&mut self, class: &Rc<Class>) -> Result<Json, tosca_parse_yaql::Error> {
        let schema = self.runtime.schemas(class, &[String::new()], Style::Correct)?[""].take();
        let header = json!({ "visible": false, "const": { "type": class.name } });
        let mut made = self.members(&schema, Map::from_iter([("?".to_owned(), header)]), vec![json!("?")])?;
        made.entry("title").or_insert_with(|| class.name.as_str().into());
        Ok(made.into())
    }

    /// Returns the given fields followed by those of a schema, in display order.
    fn members(
        &mut self,
        schema: &Json,
        mut properties: Map<String, Json>,
        mut required: Vec<Json>,
    ) -> Result<Map<String, Json>, tosca_parse_yaql::Error> {
        let listed = schema["required"].as_array();
        let listed: HashSet<&str> = listed.into_iter().flatten().filter_map(Json::as_str).collect();
        for (name, field) in ordered(schema) {
            if listed.contains(name.as_str()) && field["visible"] != false {
                required.push(json!(name));
            }
            let mut field_made = self.field(field)?;
            if let Some(made) = field_made.as_object_mut() {
                made.extend(section(schema, field).map(|section| ("section".into(), section)));
            }
            properties.insert(name.clone(), field_made);
        }
        let mut made = self.words(schema)?;
        made.extend([
            ("properties".to_owned(), properties.into()),
            ("required".to_owned(), required.into()),
            ("additionalProperties".to_owned(), false.into()),
        ]);
        Ok(made)
    }

    fn field(&mut self, schema: &Json) -> Result<Json, tosca_parse_yaql::Error> {
        if type_of(schema) == Some("muranoObject") {
            return self.reference(schema);
        }
        self.words(schema).map(Json::from)
    }

    /// Returns the form for an object in a field: the object is either filled in there or named by its id.
    fn reference(&mut self, schema: &Json) -> Result<Json, tosca_parse_yaql::Error> {
        let name = schema["muranoType"].as_str().unwrap_or_default();
        let mut made = Map::new();
        for key in ["title", "visible"] {
            made.extend(schema.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        let about = about(schema);
        if schema["owned"] == false || self.made.len() + self.wanted.len() >= MAX_CLASSES {
            let kind = format!("The id of an object of `{name}`.");
            made.extend([
                ("type".to_owned(), json!("string")),
                ("description".to_owned(), json!([about, kind].join(" ").trim())),
            ]);
            return Ok(made.into());
        }
        if !about.is_empty() {
            made.insert("description".into(), about.into());
        }
        let ty = TypeName { name: name.to_owned(), version: None, package: None };
        let class = self.runtime.find_type(&ty)?;
        let mut choices: Vec<Json> = Vec::new();
        for class in self.choices(&class) {
            let is_known =
                self.made.contains_key(&class.name) || self.wanted.iter().any(|(name, _)| *name == class.name);
            if !is_known && self.made.len() + self.wanted.len() >= MAX_CLASSES && !choices.is_empty() {
                break;
            }
            choices.push(json!({ "$ref": format!("#/$defs/{}", class.name) }));
            if !is_known {
                self.wanted.push((class.name.clone(), class));
            }
        }
        if choices.len() == 1 {
            made.extend(choices.remove(0).as_object().cloned().unwrap_or_default());
        } else {
            made.insert("anyOf".into(), choices.into());
        }
        Ok(made.into())
    }

    /// Returns the classes that a field for objects of a class accepts: that class and its descendants.
    fn choices(&self, class: &Rc<Class>) -> Vec<Rc<Class>> {
        let packages = self.runtime.packages().iter();
        let names = packages.flat_map(|package| package.class_names().map(move |name| (package.origin.index, name)));
        // Problems in unrelated classes are irrelevant here.
        let mut choices: Vec<Rc<Class>> = names
            .filter_map(|(package, name)| self.runtime.find_class(package, name).ok())
            .filter(|other| other.usage == ClassUsage::Class && other.is_a(class) && !Rc::ptr_eq(other, class))
            .collect();
        choices.sort_by(|left, right| left.name.cmp(&right.name));
        choices.dedup_by(|left, right| left.name == right.name);
        choices.truncate(MAX_CHOICES);
        choices.insert(0, class.clone());
        choices
    }

    /// Returns the keywords of a schema that the form page supports. An empty field is omitted, so no value needs to be
    /// null.
    fn words(&mut self, schema: &Json) -> Result<Map<String, Json>, tosca_parse_yaql::Error> {
        let mut made = Map::new();
        for (key, value) in schema.as_object().into_iter().flatten() {
            match key.as_str() {
                own if OWN.contains(&own) => {}
                "required" => {}
                "type" => drop(made.insert("type".into(), types(schema))),
                "not" => drop(made.insert(key.clone(), self.words(value)?.into())),
                "allOf" | "anyOf" => {
                    let parts = value.as_array().into_iter().flatten();
                    let parts = parts.map(|part| self.words(part).map(Json::from)).collect::<Result<Vec<_>, _>>()?;
                    made.insert(key.clone(), parts.into());
                }
                "exclusiveMinimum" | "exclusiveMaximum" => {
                    let bound = if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
                    if *value == true {
                        made.insert(key.clone(), schema[bound].clone());
                    }
                }
                "minimum" if schema["exclusiveMinimum"] == true => {}
                "maximum" if schema["exclusiveMaximum"] == true => {}
                "items" if value.is_array() => {
                    let items = value.as_array().into_iter().flatten().map(|item| self.field(item));
                    made.insert("prefixItems".into(), items.collect::<Result<Vec<_>, _>>()?.into());
                }
                "additionalItems" => drop(made.insert("items".into(), self.field(value)?)),
                "items" | "additionalProperties" if value.is_object() => {
                    made.insert(key.clone(), self.field(value)?);
                }
                "properties" => {
                    let mut members = Map::new();
                    for (name, member) in value.as_object().into_iter().flatten() {
                        members.insert(name.clone(), self.field(member)?);
                    }
                    if !members.is_empty() {
                        made.insert("properties".into(), members.into());
                    }
                    made.extend(schema.get("required").map(|required| ("required".to_owned(), required.clone())));
                }
                "default" if value.is_null() => {}
                _ => drop(made.insert(key.clone(), value.clone())),
            }
        }
        let about = about(schema);
        if !about.is_empty() {
            made.insert("description".into(), about.into());
        }
        Ok(made)
    }
}

/// Returns the type of a value that is not null.
fn type_of(schema: &Json) -> Option<&str> {
    let of = &schema["type"];
    of.as_str().or_else(|| of.as_array()?.iter().filter_map(Json::as_str).find(|one| *one != "null"))
}

/// Returns the types of a value that is not null.
fn types(schema: &Json) -> Json {
    match schema["type"].as_array().map(|all| all.iter().filter(|one| *one != "null").cloned().collect::<Vec<_>>()) {
        Some(several) if several.len() > 1 => several.into(),
        _ => type_of(schema).into(),
    }
}

fn about(schema: &Json) -> String {
    let texts: Vec<&str> = ["description", "helpText"].iter().filter_map(|key| schema[*key].as_str()).collect();
    texts.join(" ")
}

/// Returns the title of the section that a field is in.
fn section(schema: &Json, field: &Json) -> Option<Json> {
    let name = field["formSection"].as_str()?;
    let title = &schema["formSections"][name]["title"];
    Some(if title.is_string() { title.clone() } else { name.into() })
}

/// Returns the fields, sorted by section and by their position in it; those without a section come last.
fn ordered(schema: &Json) -> Vec<(&String, &Json)> {
    let mut fields: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    let sections: Vec<&String> =
        schema["formSections"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    fields.sort_by_key(|(_, field)| {
        let section = field["formSection"].as_str();
        let place = sections.iter().position(|known| section == Some(known.as_str()));
        (place.unwrap_or(usize::MAX), field["formIndex"].as_i64().unwrap_or(i64::MAX))
    });
    fields
}
