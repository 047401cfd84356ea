//! CSAR: the layout of TOSCA archives (2.0, chapter 18; 1.3, chapter 6).

mod describe;
mod head;
mod meta;
mod start;

use crate::source::archive::Layout;
pub(super) use head::release;

/// The layout of TOSCA archives.
pub static LAYOUT: Layout =
    Layout { endings: &[".csar"], descriptions: &meta::PLACES, start: start::start, describe: describe::describe };
