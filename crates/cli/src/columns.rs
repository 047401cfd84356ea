//! Columns of text.

use unicode_width::UnicodeWidthStr;

/// The maximum width of a column. A wider cell moves the rest of its row, and does not widen the other rows.
const MAX_WIDTH: usize = 100;

/// Returns the width of a column with the given cells.
pub(super) fn width<'c>(cells: impl IntoIterator<Item = &'c str>) -> usize {
    cells.into_iter().map(UnicodeWidthStr::width).filter(|width| *width <= MAX_WIDTH).max().unwrap_or(0)
}

/// Returns the spaces that follow a cell in a column.
pub(super) fn padding(cell: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(cell.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_do_not_widen_the_column() {
        let widest = "x".repeat(MAX_WIDTH);
        assert_eq!(width(["a", "über", "日本"]), 4);
        assert_eq!(width(["a", &*widest, &*widest.repeat(700)]), MAX_WIDTH);
        assert_eq!((padding("日本", 6), padding(&widest, 6)), ("  ".to_owned(), String::new()));
    }
}
