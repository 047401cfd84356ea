//! Folding of scalars that span several lines.

use super::Lines;

impl Lines<'_> {
    /// Appends the folded form of the line ends between two positions: for a single line end, a space; for several line
    /// ends, all but the first.
    pub(super) fn fold(&self, text: &mut String, from: usize, to: usize) {
        let breaks = memchr::memchr_iter(b'\n', &self.bytes[from..to]).count();
        if breaks == 1 {
            text.push(' ');
        } else {
            (1..breaks).for_each(|_| text.push('\n'));
        }
    }
}
