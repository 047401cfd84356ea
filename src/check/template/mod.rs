//! Checks of templates, and rendering of services.

pub(super) mod allowed;
pub(super) mod capacity;
pub(super) mod group;
pub(super) mod hosting;
pub(super) mod interface;
mod member_limit;
pub(super) mod node;
pub(super) mod policy;
pub(super) mod relationship;
pub(super) mod requirement_check;
pub(super) mod service;
pub(super) mod substitution;
pub(super) mod trigger;
pub(super) mod workflow;
pub(super) mod workflow_check;
pub(super) mod workflow_loops;
