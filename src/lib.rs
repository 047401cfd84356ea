//! Reads TOSCA service templates, finds every problem in them, and returns a complete model.

pub mod ard;
pub mod diagnostic;
pub mod rules;
pub mod source;
pub mod symbol;
