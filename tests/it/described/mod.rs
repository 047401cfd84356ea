//! Templates that are generated from the descriptions of entities: one for each version and each way from a field of one
//! entity to a field of another. Whatever holds for all fields is checked with them.

mod mistakes;
mod model;

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Map, Value as Json, json};
use tosca_parse::TOSCA;
use tosca_parse::entity::{EntityDescription, FieldDescription, Form, Keyname, LanguageVersion, RelationKind, Shape};
use tosca_parse::grammar::version::{V1_0, V1_1, V1_2, V1_3, V2_0};

const VERSIONS: [(&str, LanguageVersion); 5] = [
    ("tosca_simple_yaml_1_0", V1_0),
    ("tosca_simple_yaml_1_1", V1_1),
    ("tosca_simple_yaml_1_2", V1_2),
    ("tosca_simple_yaml_1_3", V1_3),
    ("tosca_2_0", V2_0),
];

/// The name of every declaration, so that every reference has a target.
const NAME: &str = "T";

/// A step from an entity to one of its fields.
#[derive(Clone, Copy)]
struct Step {
    entity: &'static EntityDescription,
    field: &'static FieldDescription,
}

/// Returns the ways to all fields that `is_wanted` accepts, through the fields of a file that `is_entered` accepts: the
/// shortest one for each pair of a field and the field that its entity is in.
fn ways(
    version: LanguageVersion,
    is_entered: impl Fn(&FieldDescription) -> bool,
    is_wanted: impl Fn(&FieldDescription) -> bool,
) -> Vec<Vec<Step>> {
    let mut ways = Vec::new();
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from([(TOSCA.kinds[0].description(), Vec::<Step>::new())]);
    while let Some((entity, way)) = queue.pop_front() {
        for field in entity.fields.iter().filter(|field| field.exists_in(version)) {
            if way.is_empty() && !is_entered(field) {
                continue;
            }
            let above = way.last().map(|step: &Step| (step.entity.name, step.field.ident));
            if !seen.insert((above, entity.name, field.ident)) {
                continue;
            }
            let mut way = way.clone();
            way.push(Step { entity, field });
            if is_wanted(field) {
                ways.push(way.clone());
            }
            if let Some(inner) = field.shape.entity() {
                queue.push_back((inner, way));
            }
        }
    }
    ways
}

/// Describes a way in a message.
fn shown(way: &[Step]) -> String {
    way.iter().map(|step| format!("{}.{}", step.entity.name, step.field.ident)).collect::<Vec<_>>().join(" ")
}

/// Returns data for a field that is not on the way.
fn filled(field: &FieldDescription, version: LanguageVersion) -> Json {
    match field.shape {
        Shape::Scalar(_, Form::Boolean) => json!(true),
        Shape::Scalar(_, Form::Count) => json!(1),
        Shape::Scalar(_, Form::Constant(word)) => json!(word),
        Shape::Scalar(_, Form::List(_)) => json!([NAME]),
        Shape::Scalar(..) => json!(NAME),
        Shape::Value | Shape::Reference => json!(NAME),
        Shape::Values => json!({}),
        Shape::References => json!([NAME]),
        Shape::One(entity) => whole(entity(), version),
        Shape::Named(entity) => json!({ NAME: whole(entity(), version) }),
        Shape::List(entity) => json!([whole(entity(), version)]),
        Shape::Sequence(entity) => json!([{ NAME: whole(entity(), version) }]),
    }
}

/// Returns an entity with its mandatory keynames.
fn whole(entity: &'static EntityDescription, version: LanguageVersion) -> Json {
    around(entity, version, None)
}

/// Returns an entity with its mandatory keynames, and with the data of a given field.
fn around(entity: &'static EntityDescription, version: LanguageVersion, given: Option<&(Step, Json)>) -> Json {
    let is_given = |field: &FieldDescription| given.is_some_and(|(step, _)| step.field.ident == field.ident);
    let data = |field: &FieldDescription| match given {
        Some((_, data)) if is_given(field) => data.clone(),
        _ => filled(field, version),
    };
    if entity.tuple {
        return entity.items(version).map(|(_, field)| data(field)).collect();
    }
    let relations = || entity.relations.iter().filter(|relation| relation.versions.contains(version));
    let is_needed = |index: usize| {
        relations().any(|relation| match relation.kind {
            RelationKind::OneOf | RelationKind::AnyOf => {
                relation.fields[0] == index && !relation.fields.iter().any(|index| is_given(&entity.fields[*index]))
            }
            RelationKind::Needs => is_given(&entity.fields[relation.fields[0]]) && relation.fields.contains(&index),
            RelationKind::AtMostOne => false,
        })
    };
    let mut map = Map::new();
    for (index, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.exists_in(version)) {
        if !(is_given(field) || field.is_mandatory(version) || is_needed(index)) {
            continue;
        }
        match (field.keyname(version), data(field)) {
            (Keyname::NONE, data) => return data,
            (Keyname::ANY, Json::Object(entries)) => map.extend(entries),
            (Keyname::ANY, data) => drop(map.insert(NAME.to_owned(), data)),
            (keyname, data) => drop(map.insert(keyname.to_owned(), data)),
        }
    }
    Json::Object(map)
}

/// Returns a template in which the field at the end of the way has a value.
fn template(version: (&str, LanguageVersion), way: &[Step], value: &Json) -> Json {
    let mut data = value.clone();
    for (n, step) in way.iter().enumerate().rev() {
        let is_last = n + 1 == way.len();
        let held = match step.field.shape {
            // A condition before 2.0 is a list of clauses.
            Shape::Value if is_last && step.field.keyname(version.1) == "constraints" => json!([{ "equal": data }]),
            Shape::Values if is_last => json!({ "p": data }),
            Shape::Named(_) if step.field.section.is_some() => json!({ NAME: data }),
            Shape::Named(_) => json!({ "x": data }),
            Shape::Sequence(_) => json!([{ "x": data }]),
            Shape::List(_) => json!([data]),
            _ => data,
        };
        data = around(step.entity, version.1, Some(&(*step, held)));
    }
    let root = way[0].entity;
    let mut all = declarations(root, version.1);
    let service = root.fields.iter().find(|field| field.ident == "service_template").unwrap();
    let keyname = service.keyname(version.1);
    all[keyname] = declarations(service.shape.entity().unwrap(), version.1);
    merge(&mut all, data);
    all["tosca_definitions_version"] = json!(version.0);
    all
}

/// Returns an entity with one member in each field that declares names.
fn declarations(entity: &'static EntityDescription, version: LanguageVersion) -> Json {
    let declaring = |field: &&FieldDescription| field.section.is_some() && field.exists_in(version);
    let members =
        entity.fields.iter().filter(declaring).map(|field| (field.keyname(version).to_owned(), filled(field, version)));
    Json::Object(members.collect())
}

fn merge(data: &mut Json, other: Json) {
    match (data, other) {
        (Json::Object(data), Json::Object(other)) => {
            for (key, value) in other {
                merge(data.entry(key).or_insert(Json::Null), value);
            }
        }
        (Json::Array(data), Json::Array(other)) => data.extend(other),
        (data, other) => *data = other,
    }
}
