//! One-line labels of nodes.

use std::borrow::Cow;

use super::document::Kind;
use super::node::Node;

impl<'a> Node<'a> {
    /// Returns the content of the node on one line, usable as a name: the text of a scalar, or a form such as
    /// `[service, 2]` or `{key: value}` for a list or map.
    pub fn label(self) -> Cow<'a, str> {
        self.label_of(usize::MAX)
    }

    /// Returns the beginning of the label, for messages, because a list or map can have any size.
    pub(super) fn short_label(self) -> Cow<'a, str> {
        self.label_of(200)
    }

    fn label_of(self, longest: usize) -> Cow<'a, str> {
        if !matches!(self.kind(), Kind::Map | Kind::List) {
            return Cow::Borrowed(self.text());
        }
        let mut label = Label { text: String::new(), longest };
        label.write(self);
        Cow::Owned(label.text)
    }
}

struct Label {
    text: String,
    longest: usize,
}

impl Label {
    /// Writes a node. [`super::Limits::MAX_DEPTH`] bounds the recursion.
    fn write(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::List => {
                self.text.push('[');
                let mut items = node.items();
                self.write_separated(|label| items.next().map(|item| label.write(item)));
                self.text.push(']');
            }
            Kind::Map => {
                self.text.push('{');
                let mut entries = node.entries();
                self.write_separated(|label| {
                    entries.next().map(|entry| {
                        label.write(entry.key);
                        label.text.push_str(": ");
                        label.write(entry.value);
                    })
                });
                self.text.push('}');
            }
            _ => self.text.push_str(node.text()),
        }
    }

    /// Writes parts separated by commas: calls `next` for each part until it returns `None` or the label is long
    /// enough.
    fn write_separated(&mut self, mut next: impl FnMut(&mut Self) -> Option<()>) {
        let mut length = self.text.len();
        while self.text.len() < self.longest && next(self).is_some() {
            length = self.text.len();
            self.text.push_str(", ");
        }
        self.text.truncate(length);
    }
}
