//! Comparison of the output with its description.

use std::collections::BTreeSet;

use serde_json::Value;

use super::description::{Body, Content, Description, Field, Form};

/// Traverses a model. Records the fields in it as `Thing.field`, and returns those that are not described.
pub(crate) fn compare(description: &Description, service: &Value, seen: &mut BTreeSet<String>) -> Vec<String> {
    let mut walk = Walk { description, seen, surprises: Vec::new() };
    walk.form(&Form::Named("Service".to_owned()), service, "");
    walk.surprises
}

struct Walk<'a> {
    description: &'a Description,
    seen: &'a mut BTreeSet<String>,
    surprises: Vec<String>,
}

impl Walk<'_> {
    fn form(&mut self, form: &Form, value: &Value, place: &str) {
        match (form, value) {
            (Form::List(of), Value::Array(items)) => {
                items.iter().for_each(|item| self.form(of, item, &format!("{place}[]")));
            }
            (Form::Map(of), Value::Object(entries)) => {
                entries.iter().for_each(|(key, entry)| self.form(of, entry, &format!("{place}.{key}")));
            }
            (Form::Named(name), value) => self.named(name, value, place),
            _ => self.surprises.push(format!("{place} is {value}, which is no {form:?}")),
        }
    }

    fn named(&mut self, name: &str, value: &Value, place: &str) {
        let fits = match name {
            // Any data, and calls.
            "Value" => return,
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "boolean" => value.is_boolean(),
            _ => return self.thing(name, value, place),
        };
        if !fits {
            self.surprises.push(format!("{place} is {value}, which is no {name}"));
        }
    }

    fn thing(&mut self, name: &str, value: &Value, place: &str) {
        let description = self.description;
        let Some(thing) = description.find(name) else {
            self.surprises.push(format!("{name}, at {place}, is not described"));
            return;
        };
        match &thing.body {
            Body::Struct(fields) => self.fields(name, fields, value, place),
            Body::Enum(variants) => {
                let (key, content) = match value {
                    Value::Object(entries) if entries.len() == 1 => entries.iter().next().unwrap(),
                    _ => (&value.as_str().unwrap_or_default().to_owned(), &Value::Null),
                };
                let Some(variant) = variants.iter().find(|variant| variant.name == *key) else {
                    self.surprises.push(format!("{place} is {value}, which is no {name}"));
                    return;
                };
                let full = [name, ".", key].concat();
                match &variant.content {
                    Content::Nothing => {}
                    Content::One(form) => self.form(form, content, place),
                    Content::Fields(fields) => self.fields(&full, fields, content, place),
                }
                self.seen.insert(full);
            }
        }
    }

    fn fields(&mut self, name: &str, fields: &[Field], value: &Value, place: &str) {
        let Value::Object(entries) = value else {
            self.surprises.push(format!("{place} is {value}, which is no {name}"));
            return;
        };
        for (key, entry) in entries {
            match fields.iter().find(|field| field.name == *key) {
                Some(field) => self.form(&field.of, entry, &format!("{place}.{key}")),
                None => self.surprises.push(format!("{name} has no field {key}, at {place}")),
            }
            self.seen.insert([name, ".", key].concat());
        }
        for field in fields.iter().filter(|field| !field.is_optional && !entries.contains_key(&field.name)) {
            self.surprises.push(format!("{place} has no {}", field.name));
        }
    }
}
