//! The sections of the standards that describe each entity.

use crate::entity::{EntityDescription, LanguageVersion};
use crate::grammar::version::{V1_3, V2_0};

/// The sections of the Simple Profile 1.3, by the titles of entities.
const OF_1_3: &[(&str, &str)] = &[
    ("TOSCA file", "3.10"),
    ("activity", "3.6.23"),
    ("artifact definition", "3.6.7"),
    ("artifact type", "3.7.4"),
    ("attribute condition", "3.6.25"),
    ("attribute definition", "3.6.12"),
    ("attribute mapping", "3.8.9"),
    ("capability assignment", "3.8.1"),
    ("capability definition", "3.7.2"),
    ("capability filter", "3.6.5"),
    ("capability mapping", "3.8.10"),
    ("capability type", "3.7.7"),
    ("data type", "3.7.6"),
    ("event filter", "3.6.21"),
    ("group", "3.8.5"),
    ("group type", "3.7.11"),
    ("implementation", "3.6.15"),
    ("import", "3.6.8"),
    ("interface definition", "3.6.20"),
    ("interface mapping", "3.8.12"),
    ("interface type", "3.7.5"),
    ("node filter", "3.6.5"),
    ("node template", "3.8.3"),
    ("node type", "3.7.9"),
    ("notification definition", "3.6.18"),
    ("operation call", "3.6.23.3"),
    ("operation definition", "3.6.16"),
    ("parameter definition", "3.6.14"),
    ("policy", "3.8.6"),
    ("policy type", "3.7.12"),
    ("precondition", "3.6.26"),
    ("property definition", "3.6.10"),
    ("property filter", "3.6.4"),
    ("property mapping", "3.8.8"),
    ("relationship template", "3.8.4"),
    ("relationship type", "3.7.10"),
    ("repository", "3.6.6"),
    ("requirement assignment", "3.8.2"),
    ("requirement definition", "3.7.3"),
    ("requirement mapping", "3.8.11"),
    ("schema definition", "3.6.9"),
    ("service template", "3.9"),
    ("substitution mapping", "3.8.13"),
    ("trigger", "3.6.22"),
    ("workflow", "3.8.7"),
    ("workflow step", "3.6.27"),
];

/// Returns the section about an entity in the standard for the given version; empty if it is unknown.
#[expect(clippy::unnecessary_wraps, reason = "other languages have no standard")]
pub(super) fn section(version: LanguageVersion, entity: &EntityDescription) -> Option<&'static str> {
    Some(match version {
        V2_0 => entity.spec,
        V1_3 => OF_1_3.iter().find(|(title, _)| *title == entity.title).map_or("", |(_, section)| section),
        _ => "",
    })
}
