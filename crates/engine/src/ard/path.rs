//! Key paths: the keys that lead from the root of a document to a position.

use super::document::{Document, Kind};
use super::node::Node;

impl Document {
    /// Returns the keys that lead to the given offset in the text, outermost first. A list item that is a map with one
    /// entry is identified by its key, other items by their index, starting at 0.
    ///
    /// Adding text above or next to the position does not change its path, so the position can be found again in a
    /// changed file.
    ///
    /// ```
    /// # use tosca_parse_engine::{ard, symbol::Interner, text::SourceId};
    /// let text = "nodes:\n  web:\n  - host: here\n  - 1\n";
    /// let (document, _) = ard::read(SourceId(0), text.into(), &Interner::new(), &ard::Options::default());
    /// assert_eq!(document.path_to(text.find("here").unwrap() as u32), ["nodes", "web", "host"]);
    /// assert_eq!(document.path_to(text.find('1').unwrap() as u32), ["nodes", "web", "1"]);
    /// ```
    pub fn path_to(&self, offset: u32) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = self.root();
        while let Some(node) = next {
            next = inside(node, offset, &mut path);
        }
        path
    }
}

/// Returns the value in a map or list that contains the given offset, itself or in its key. Adds its name to `path`.
fn inside<'a>(node: Node<'a>, offset: u32, path: &mut Vec<String>) -> Option<Node<'a>> {
    if node.is_alias() {
        return None;
    }
    let holds = |node: Node<'_>| {
        let span = node.span();
        span.source == node.document().source() && span.start <= offset && offset <= span.end
    };
    match node.kind() {
        Kind::Map => {
            let mut entries = node.entries().filter(|entry| !entry.merged);
            let entry = entries.find(|entry| holds(entry.key) || holds(entry.value))?;
            path.push(entry.key.label().into_owned());
            holds(entry.value).then_some(entry.value)
        }
        Kind::List => {
            let (number, item) = node.items().enumerate().find(|(_, item)| holds(*item))?;
            if item.kind() != Kind::Map || item.len() != 1 {
                path.push(number.to_string());
            }
            Some(item)
        }
        _ => None,
    }
}
