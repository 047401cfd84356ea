//! CSAR: the layout of TOSCA archives (2.0, chapter 18; 1.3, chapter 6).

mod describe;
mod entry_points;
mod head;
mod meta;

use crate::source::archive::Layout;
pub(super) use head::release;

/// The layout of TOSCA archives.
pub static LAYOUT: Layout = Layout {
    endings: &[".csar"],
    descriptions: &meta::PLACES,
    start: entry_points::start,
    describe: describe::describe,
};
