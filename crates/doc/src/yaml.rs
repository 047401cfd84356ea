//! Values as YAML.

use tosca_parse::ard::{Dialect, Kind, Node, write_scalar};

use crate::prose::cut;

/// The maximum length of a value, in bytes. Aliases can make a value much larger than its text.
const LONGEST: usize = 4 << 10;

/// The maximum length of a value on one line.
const ONE_LINE: usize = 80;

/// Returns a value on one line if it is short, and otherwise with one entry per line. A long value is cut off.
pub(crate) fn value(node: Node<'_>) -> String {
    let mut line = Writer { text: String::new(), longest: ONE_LINE };
    line.flow(node);
    if !line.is_full() && !line.text.contains('\n') {
        return line.text;
    }
    let mut block = Writer { text: String::new(), longest: LONGEST };
    block.block(node, 0);
    if block.is_full() {
        block.text.truncate(cut(&block.text, LONGEST).len());
        block.text.push_str("\n…");
    }
    block.text.trim_end().to_owned()
}

struct Writer {
    text: String,
    longest: usize,
}

impl Writer {
    fn is_full(&self) -> bool {
        self.text.len() > self.longest
    }

    /// Writes a value in brackets. The depth of documents limits the recursion.
    fn flow(&mut self, node: Node<'_>) {
        if self.is_full() {
            return;
        }
        match node.kind() {
            Kind::Map => {
                self.text.push_str("{ ");
                for (number, entry) in node.entries().enumerate() {
                    if number > 0 {
                        self.text.push_str(", ");
                    }
                    self.flow(entry.key);
                    self.text.push_str(": ");
                    self.flow(entry.value);
                    if self.is_full() {
                        return;
                    }
                }
                self.close("{ ", "}");
            }
            Kind::List => {
                self.text.push_str("[ ");
                for (number, item) in node.items().enumerate() {
                    if number > 0 {
                        self.text.push_str(", ");
                    }
                    self.flow(item);
                    if self.is_full() {
                        return;
                    }
                }
                self.close("[ ", "]");
            }
            _ => self.scalar(node),
        }
    }

    fn close(&mut self, open: &str, close: &str) {
        if self.text.ends_with(open) {
            self.text.pop();
        } else {
            self.text.push(' ');
        }
        self.text.push_str(close);
    }

    /// Writes a value over several lines.
    fn block(&mut self, node: Node<'_>, indent: usize) {
        match node.kind() {
            Kind::Map if !node.is_empty() => {
                for entry in node.entries() {
                    if self.is_full() {
                        return;
                    }
                    self.begin(indent);
                    self.flow(entry.key);
                    self.text.push(':');
                    self.inner(entry.value, indent + 2);
                }
            }
            Kind::List if !node.is_empty() => {
                for item in node.items() {
                    if self.is_full() {
                        return;
                    }
                    self.begin(indent);
                    self.text.push('-');
                    self.inner(item, indent + 2);
                }
            }
            _ => self.scalar(node),
        }
    }

    /// Begins a line.
    fn begin(&mut self, indent: usize) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&" ".repeat(indent));
    }

    fn inner(&mut self, node: Node<'_>, indent: usize) {
        if self.is_full() {
            return;
        }
        let mut line = Writer { text: String::new(), longest: ONE_LINE.saturating_sub(indent) };
        line.flow(node);
        if line.is_full() && matches!(node.kind(), Kind::Map | Kind::List) {
            self.block(node, indent);
        } else {
            self.text.push(' ');
            self.flow(node);
        }
    }

    fn scalar(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::String => {
                // One character more shows that it does not fit.
                let text = cut(node.text(), self.longest.saturating_add(4));
                self.text.push_str(&write_scalar(text, Dialect::CORE));
            }
            Kind::Null => self.text.push_str("null"),
            _ => self.text.push_str(node.text()),
        }
    }
}
