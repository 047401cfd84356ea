//! Writing archives.
