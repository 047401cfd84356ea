//! The lines of a source, with the properties that indentation depends on.

/// A line, in bytes of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: u32,
    /// The first byte after the leading white space.
    pub(super) content: u32,
    /// The end, without the line break.
    pub(super) end: u32,
    /// The number of spaces at the start.
    pub(super) indent: u32,
    /// Whether there is only white space.
    pub(super) blank: bool,
    /// Whether there is only a comment.
    pub(super) comment: bool,
    /// Whether the leading white space contains a tab.
    pub(super) tab: bool,
}

impl Line {
    /// Returns whether the line has content.
    pub(super) fn counts(&self) -> bool {
        !self.blank && !self.comment
    }
}

pub(super) fn lines(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while start < bytes.len() {
        let end =
            start + bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len() - start);
        lines.push(line(bytes, start, end));
        start = end + if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    lines
}

fn line(bytes: &[u8], start: usize, end: usize) -> Line {
    let leading = bytes[start..end].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let content = start + leading;
    Line {
        start: start as u32,
        content: content as u32,
        end: end as u32,
        indent: leading as u32,
        blank: content == end,
        comment: bytes.get(content) == Some(&b'#') && content < end,
        tab: bytes[start..content].contains(&b'\t'),
    }
}
