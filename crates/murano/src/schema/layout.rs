//! The layout of a form: titles, sections, and the order of fields.

use std::rc::Rc;

use serde_json::{Map, Value as Json, json};

use super::{Style, to_json};
use crate::class::Class;
use crate::meta::{Attached, texts};

/// Returns the distance between two classes in the lineage, and the number of classes in the lineage. They order fields
/// with the same index: those of ancestors come first.
fn weight(class: &Rc<Class>, by: &Rc<Class>) -> (i64, i64) {
    let count = i64::try_from(class.lineage().count()).unwrap_or(i64::MAX);
    let mut level = vec![class.clone()];
    let mut distance = 0;
    while !level.is_empty() && !level.iter().any(|other| Rc::ptr_eq(other, by)) {
        let mut above: Vec<Rc<Class>> = Vec::new();
        for parent in level.iter().flat_map(|below| class.parents_of(below)) {
            if !above.iter().any(|other| Rc::ptr_eq(other, &parent)) {
                above.push(parent);
            }
        }
        level = above;
        distance += 1;
    }
    (count, distance)
}

fn position(class: &Rc<Class>, attached: &Attached, index: i64) -> i64 {
    let (count, weight) = weight(class, &attached.by);
    index.saturating_add(1).saturating_mul(count) - weight
}

fn index_of(attached: &Attached) -> Option<i64> {
    attached.object.property("index")?.as_i64()
}

fn describe(schema: &mut Map<String, Json>, attached: &[Attached]) {
    let texts = texts(attached);
    for (key, text) in [("title", texts.title), ("description", texts.description), ("helpText", texts.help_text)] {
        schema.extend(text.map(|text| (key.to_owned(), to_json(&text))));
    }
}

/// Adds the metadata of a field to its schema.
pub(super) fn describe_field(schema: &mut Json, class: &Rc<Class>, name: &str, attached: &[Attached], style: Style) {
    let Some(schema) = schema.as_object_mut() else { return };
    describe(schema, attached);
    if style == Style::Correct && !schema.contains_key("title") {
        schema.insert("title".into(), name.into());
    }
    for meta in attached {
        let property = |name: &str| meta.object.property(name).as_ref().map_or(Json::Null, to_json);
        match meta.object.class.name.as_str() {
            "io.murano.metadata.forms.Hidden" => drop(schema.insert("visible".into(), property("visible"))),
            "io.murano.metadata.forms.Position" | "io.murano.metadata.Position" => {
                schema.insert("formSection".into(), property("section"));
                if let Some(index) = index_of(meta) {
                    schema.insert("formIndex".into(), position(class, meta, index).into());
                }
            }
            _ => {}
        }
    }
}

/// Returns the schema of a form.
pub(super) fn root(
    class: &Rc<Class>,
    properties: Map<String, Json>,
    required: Vec<String>,
    attached: &[Attached],
) -> Json {
    let mut schema = Map::new();
    schema.insert("$schema".into(), "http://json-schema.org/draft-04/schema#".into());
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema.insert("formSections".into(), sections(class, attached));
    describe(&mut schema, attached);
    schema.into()
}

fn sections(class: &Rc<Class>, attached: &[Attached]) -> Json {
    let is_section = |meta: &&Attached| meta.object.class.name == "io.murano.metadata.forms.Section";
    // If sections have the same name, that of the nearest class counts, then the one with the smallest index.
    let mut chosen: Vec<(String, &Attached)> = Vec::new();
    for meta in attached.iter().filter(is_section) {
        let name = meta.object.property("name").map(|name| name.to_python()).unwrap_or_default();
        let rank = |meta: &Attached| (weight(class, &meta.by).1, index_of(meta).unwrap_or(i64::MAX));
        match chosen.iter_mut().find(|(other, _)| *other == name) {
            Some((_, other)) if rank(meta) < rank(other) => *other = meta,
            Some(_) => {}
            None => chosen.push((name, meta)),
        }
    }
    chosen.sort_by_key(|(_, meta)| index_of(meta).map_or(i64::MAX, |index| position(class, meta, index)));
    let mut sections = Map::new();
    for (number, (name, meta)) in chosen.into_iter().enumerate() {
        let title = meta.object.property("title").as_ref().map_or(Json::Null, to_json);
        let mut section = json!({ "title": title });
        if let (Some(section), true) = (section.as_object_mut(), index_of(meta).is_some()) {
            section.insert("index".into(), number.into());
        }
        sections.insert(name, section);
    }
    sections.into()
}
