//! Pictures of object models of `MuranoPL`: a box for each object, and an arrow for each property that has another one.
//! An object that owns others is in a frame with them, but for the root, which would have all of them in its frame.
//!
//! What is drawn is what the model says, so that one that its classes refuse can be looked at too.

use rustc_hash::FxHashMap;

use super::build::{DEPTH, Edges, Names};
use super::text::{brief, line};
use super::{Edge, Graph, Group, Node};
use crate::ard::{self, Kind};
use crate::diagnostic::SourceId;
use crate::murano::language::{CLASSES, Class, ModelFile, Property};
use crate::normal::Value;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// The key of the header by which an object is told from other data.
const HEADER: &str = "?";

/// The picture of the object model that the entry of a program is; nothing if it is none.
pub(super) fn graph(program: &Program<Complete>, properties: usize) -> Option<Graph> {
    let entry = program.list.first()?;
    entry.root?.cast::<ModelFile>()?;
    let document = entry.document.root()?.items().next()?;
    let root = match document.find(HEADER) {
        Some(_) => document,
        None => document.find("Objects").map_or(document, |objects| objects.value),
    };
    let mut maker = Maker {
        program,
        unit: entry.id,
        most: properties,
        names: Names::default(),
        ids: FxHashMap::default(),
        made: Graph { title: line(entry.source.name()), nodes: Vec::new(), groups: Vec::new(), edges: Vec::new() },
        links: Vec::new(),
    };
    for node in entry.document.nodes().filter(|node| is_object(*node)) {
        maker.ids.extend(text_of(node, "id").map(|id| (id, None)));
        maker.names.add(class_name(node));
    }
    if is_object(root) {
        maker.object(root, &Home { group: None, level: 0, is_root: true });
    }
    Some(maker.finish())
}

fn is_object(node: ard::Node<'_>) -> bool {
    node.find(HEADER).is_some_and(|header| header.value.kind() == Kind::Map)
}

/// What the header of an object says under a key, if it is a text.
fn text_of<'a>(object: ard::Node<'a>, key: &str) -> Option<&'a str> {
    let value = object.find(HEADER)?.value.find(key)?.value;
    (value.kind() == Kind::String && !value.text().is_empty()).then(|| value.text())
}

/// The name of the class of an object, without version and package.
fn class_name(object: ard::Node<'_>) -> &str {
    text_of(object, "type").and_then(|text| text.split(['/', '@']).next()).unwrap_or_default()
}

/// Where an object is drawn.
struct Home {
    group: Option<usize>,
    /// How many frames it is in.
    level: usize,
    is_root: bool,
}

/// One object that has another one.
struct Link<'a> {
    from: usize,
    property: &'a str,
    to: Target<'a>,
}

enum Target<'a> {
    /// An object that is owned.
    Part(usize),
    /// The id of one that is only named.
    Id(&'a str),
}

struct Maker<'a> {
    program: &'a Program<Complete>,
    unit: SourceId,
    /// How many properties a box shows.
    most: usize,
    names: Names<'a>,
    /// All ids of the model, and the boxes of those that have been drawn.
    ids: FxHashMap<&'a str, Option<usize>>,
    made: Graph,
    links: Vec<Link<'a>>,
}

impl<'a> Maker<'a> {
    /// Draws an object with what it owns.
    fn object(&mut self, object: ard::Node<'a>, home: &Home) {
        let (id, class) = (text_of(object, "id"), class_name(object));
        let number = self.made.nodes.len();
        if let Some(id) = id {
            self.ids.insert(id, Some(number));
        }
        let kind = self.names.short(class);
        self.made.nodes.push(Node {
            name: line(text_of(object, "name").or(id).unwrap_or(&kind)),
            kind,
            full_kind: line(class),
            group: home.group,
            ..Node::default()
        });
        let class = self.class(class);
        let mut owner = Owner { number, home, frame: None };
        for entry in object.entries().filter(|entry| entry.key.text() != HEADER) {
            let name = entry.key.text();
            if self.value(entry.value, name, self.takes_objects(class, name), &mut owner) {
                continue;
            }
            let shown = value(entry.value).and_then(|value| brief(name, &value));
            let rows = &mut self.made.nodes[number].rows;
            if rows.len() < self.most {
                rows.extend(shown.map(|shown| (line(name), shown)));
            }
        }
    }

    /// Draws the objects in a value, and says whether there are some.
    fn value(&mut self, value: ard::Node<'a>, property: &'a str, takes_objects: bool, owner: &mut Owner<'_>) -> bool {
        let from = owner.number;
        if is_object(value) {
            let home = owner.home_of_parts(&mut self.made);
            self.links.push(Link { from, property, to: Target::Part(self.made.nodes.len()) });
            self.object(value, &home);
            return true;
        }
        if value.kind() == Kind::String && takes_objects && self.ids.contains_key(value.text()) {
            self.links.push(Link { from, property, to: Target::Id(value.text()) });
            return true;
        }
        let inner = value.items().chain(value.entries().map(|entry| entry.value));
        // All of them are drawn, also when one is found.
        inner.filter(|inner| self.value(*inner, property, takes_objects, owner)).count() > 0
    }

    fn class(&self, name: &str) -> Option<&'a Class> {
        let symbol = self.program.interner.get(name)?;
        let id = self.program.resolve(self.unit, CLASSES, symbol).id()?.cast::<Class>()?;
        self.program.get(id)
    }

    /// Whether a text in a property may be the id of an object. Where nobody knows the property, it may.
    fn takes_objects(&self, class: Option<&Class>, property: &str) -> bool {
        let declared = self.program.interner.get(property).zip(class);
        let declared = declared.and_then(|(name, class)| self.program.get(class.properties.get(name)?));
        declared.is_none_or(Property::takes_objects)
    }

    fn finish(self) -> Graph {
        let mut edges = Edges::default();
        for Link { from, property, to } in self.links {
            let (to, kind) = match to {
                Target::Part(part) => (Some(part), "part"),
                Target::Id(id) => (self.ids[id], "reference"),
            };
            let Some(to) = to else { continue };
            let kind = kind.to_owned();
            edges.add(Edge { from, to, name: line(property), full_kind: kind.clone(), kind, number: 1 });
        }
        Graph { edges: edges.into_list(), ..self.made }
    }
}

/// An object whose parts are being drawn.
struct Owner<'h> {
    number: usize,
    home: &'h Home,
    /// Its frame, once it has a part.
    frame: Option<usize>,
}

impl Owner<'_> {
    /// Where its parts are drawn: in its frame, or where it is if frames are nested too deeply.
    fn home_of_parts(&mut self, graph: &mut Graph) -> Home {
        let Home { group, level, is_root } = *self.home;
        if is_root || level >= DEPTH {
            return Home { group, level, is_root: false };
        }
        let number = *self.frame.get_or_insert_with(|| {
            let owner = &mut graph.nodes[self.number];
            owner.group = Some(graph.groups.len());
            let (name, kind, full_kind) = (owner.name.clone(), owner.kind.clone(), owner.full_kind.clone());
            graph.groups.push(Group { name, kind, full_kind, parent: group });
            graph.groups.len() - 1
        });
        Home { group: Some(number), level: level + 1, is_root: false }
    }
}

/// What a box can show of a value.
fn value(node: ard::Node<'_>) -> Option<Value> {
    Some(match node.kind() {
        Kind::Null | Kind::Map => return None,
        Kind::Boolean => Value::Boolean(node.as_bool()?),
        Kind::List => Value::List(node.items().map(value).collect::<Option<_>>()?),
        Kind::Integer | Kind::Float | Kind::String => Value::String(node.text().into()),
    })
}
