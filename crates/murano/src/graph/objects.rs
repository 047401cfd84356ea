//! Diagrams of object models: a box per object and an arrow per property that holds another object.
//!
//! An object that owns others shares a frame with them, except for the root, whose frame would hold everything. The
//! diagram shows the model as written, so that a model that its classes reject can be drawn too.

use foldhash::HashMap;

use tosca_parse_engine::ard::{self, Kind};
use tosca_parse_engine::diagnostic::SourceId;
use tosca_parse_engine::phase::Program;
use tosca_parse_engine::phase::inheritance::Complete;
use tosca_parse_graph::text::{self, line};
use tosca_parse_graph::{Edge, Edges, Graph, Group, MAX_FRAME_DEPTH, Node, ShortNames};

use crate::language::{CLASSES, Class, ModelFile, Property};

/// The key of the header, which distinguishes an object from other data.
const HEADER: &str = "?";

/// Returns the object model that is the entry of the program; `None` if the entry is not a model.
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
        names: ShortNames::default(),
        ids: HashMap::default(),
        made: Graph::new(entry.source.name()),
        links: Vec::new(),
    };
    for node in entry.document.nodes().filter(|node| is_object(*node)) {
        maker.ids.extend(text_of(node, "id").map(|id| (id, None)));
        maker.names.add(class_name(node));
    }
    if is_object(root) {
        maker.object(root, &Placement { group: None, level: 0, is_root: true });
    }
    Some(maker.finish())
}

fn is_object(node: ard::Node<'_>) -> bool {
    node.find(HEADER).is_some_and(|header| header.value.kind() == Kind::Map)
}

/// Returns the string under a key in the header of an object.
fn text_of<'a>(object: ard::Node<'a>, key: &str) -> Option<&'a str> {
    let value = object.find(HEADER)?.value.find(key)?.value;
    (value.kind() == Kind::String && !value.text().is_empty()).then(|| value.text())
}

/// Returns the name of the class of an object, without version and package.
fn class_name(object: ard::Node<'_>) -> &str {
    text_of(object, "type").and_then(|text| text.split(['/', '@']).next()).unwrap_or_default()
}

/// The position where an object is drawn.
struct Placement {
    group: Option<usize>,
    /// The number of enclosing frames.
    level: usize,
    is_root: bool,
}

/// An arrow from an object to an object that it holds.
struct Link<'a> {
    from: usize,
    property: &'a str,
    to: Target<'a>,
}

enum Target<'a> {
    /// An owned object.
    Part(usize),
    /// The id of an object that is only referenced.
    Id(&'a str),
}

struct Maker<'a> {
    program: &'a Program<Complete>,
    unit: SourceId,
    /// The maximum number of properties in a box.
    most: usize,
    names: ShortNames,
    /// The ids of all objects in the model, each with the number of its box if it has been drawn.
    ids: HashMap<&'a str, Option<usize>>,
    made: Graph,
    links: Vec<Link<'a>>,
}

impl<'a> Maker<'a> {
    /// Draws an object and the objects that it owns.
    fn object(&mut self, object: ard::Node<'a>, home: &Placement) {
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
            let shown = value(entry.value).map(|value| text::value(name, &value));
            let rows = &mut self.made.nodes[number].rows;
            if rows.len() < self.most {
                rows.extend(shown.map(|shown| (line(name), shown)));
            }
        }
    }

    /// Draws the objects in a value and returns whether there are any.
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
        // All of them are drawn, even after one is found.
        inner.filter(|inner| self.value(*inner, property, takes_objects, owner)).count() > 0
    }

    fn class(&self, name: &str) -> Option<&'a Class> {
        let symbol = self.program.interner.get(name)?;
        let id = self.program.resolve(self.unit, CLASSES, symbol).id()?.cast::<Class>()?;
        self.program.get(id)
    }

    /// Returns whether a string in a property may be the id of an object. Returns true for an unknown property.
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
            edges.add(Edge::new(from, to, property, kind));
        }
        Graph { edges: edges.into_list(), ..self.made }
    }
}

/// An object whose parts are being drawn.
struct Owner<'h> {
    number: usize,
    home: &'h Placement,
    /// Its frame, once it has a part.
    frame: Option<usize>,
}

impl Owner<'_> {
    /// Returns where its parts are drawn: in its frame, or next to it if frames are nested too deeply.
    fn home_of_parts(&mut self, graph: &mut Graph) -> Placement {
        let Placement { group, level, is_root } = *self.home;
        if is_root || level >= MAX_FRAME_DEPTH {
            return Placement { group, level, is_root: false };
        }
        let number = *self.frame.get_or_insert_with(|| {
            let owner = &mut graph.nodes[self.number];
            owner.group = Some(graph.groups.len());
            let (name, kind, full_kind) = (owner.name.clone(), owner.kind.clone(), owner.full_kind.clone());
            graph.groups.push(Group { name, kind, full_kind, parent: group });
            graph.groups.len() - 1
        });
        Placement { group: Some(number), level: level + 1, is_root: false }
    }
}

/// Returns the text of a value; `None` for nulls, maps, and nested lists.
fn value(node: ard::Node<'_>) -> Option<String> {
    Some(match node.kind() {
        Kind::Null | Kind::Map => return None,
        Kind::Boolean => node.as_bool()?.to_string(),
        Kind::List => {
            let items = node.items().map(|item| (item.kind() != Kind::List).then(|| value(item)).flatten());
            format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", "))
        }
        Kind::Integer | Kind::Float | Kind::String => node.text().to_owned(),
    })
}
