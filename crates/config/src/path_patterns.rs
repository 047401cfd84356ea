//! Path patterns, in configurations and on the command line.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// The maximum number of braces around a part of a path pattern. The library compiles nested braces recursively.
const MAX_DEPTH: usize = 32;

/// The maximum length of path patterns that belong together, in bytes.
const MAX_LENGTH: usize = 64 << 10;

/// Compiles path patterns. `*` and `?` match no slash.
///
/// # Errors
///
/// Returns the reason, in words that follow a colon, if a pattern is invalid, or if the patterns are too long.
pub fn compile<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(parse(pattern)?);
    }
    build(&set)
}

/// Parses a path pattern.
pub(crate) fn parse(pattern: &str) -> Result<Glob, String> {
    check_length([pattern])?;
    let mut depth: usize = 0;
    for byte in pattern.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} braces are nested"));
        }
    }
    GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| error.kind().to_string())
}

/// Compiles parsed path patterns.
pub(crate) fn build(set: &GlobSetBuilder) -> Result<GlobSet, String> {
    set.build().map_err(|_| too_long())
}

/// Checks the total length of path patterns.
pub(crate) fn check_length<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<(), String> {
    let length: usize = patterns.into_iter().map(str::len).sum();
    if length > MAX_LENGTH { Err(too_long()) } else { Ok(()) }
}

fn too_long() -> String {
    format!("the patterns are too long; at most {MAX_LENGTH} bytes are allowed")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn patterns_have_limits() {
        let nested = |depth: usize| format!("{}a{}", "{".repeat(depth), "}".repeat(depth));
        assert!(compile([&*nested(MAX_DEPTH)]).unwrap().is_match("a"));
        assert_eq!(compile([&*nested(MAX_DEPTH + 1)]).unwrap_err(), "more than 32 braces are nested");
        assert_eq!(compile([&*"{".repeat(60_000)]).unwrap_err(), "more than 32 braces are nested");

        assert!(compile([&*"?".repeat(1_000)]).is_ok());
        let error = compile([&*"?".repeat(900_000)]).unwrap_err();
        assert_eq!(error, "the patterns are too long; at most 65536 bytes are allowed");
    }

    #[test]
    fn stars_match_no_slash() {
        let patterns = compile(["*.yaml", "lib/**"]).unwrap();
        assert!(patterns.is_match("a.yaml") && patterns.is_match("lib/b/c.yaml"));
        assert!(!patterns.is_match("b/a.yaml"));
        assert_eq!(compile(["[a"]).unwrap_err(), "unclosed character class; missing ']'");
    }
}
