//! The derive macro.
