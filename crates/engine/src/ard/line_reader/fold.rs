//! Scalars of several lines.

use super::Lines;

impl Lines<'_> {
    /// Appends what the line ends between two positions stand for: a single one is a space; of several, the first is
    /// dropped.
    pub(super) fn fold(&self, text: &mut String, from: usize, to: usize) {
        let breaks = memchr::memchr_iter(b'\n', &self.bytes[from..to]).count();
        if breaks == 1 {
            text.push(' ');
        } else {
            (1..breaks).for_each(|_| text.push('\n'));
        }
    }
}
