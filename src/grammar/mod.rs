//! The languages that the phases can read: one folder each.

pub mod tosca;
