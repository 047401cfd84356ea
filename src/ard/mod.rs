//! Agnostic raw data.
