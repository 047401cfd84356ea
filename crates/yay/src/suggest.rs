//! "Did you mean …?"

use crate::error::Error;

/// The minimum similarity of two names.
const ALIKE: f64 = 0.8;

/// Adds the name that was probably meant to an error.
pub(crate) fn add<'a>(error: Error, written: &str, names: impl Iterator<Item = &'a str>) -> Error {
    match alike(written, names) {
        Some(name) => error.meant(name),
        None => error,
    }
}

/// Returns the name that is most similar to another one, if any is similar enough.
pub(crate) fn alike<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 100;
    if written.len() > LONGEST {
        return None;
    }
    let mut best: Option<(f64, &str)> = None;
    for name in names.filter(|name| name.len() <= LONGEST && *name != written) {
        let likeness = strsim::jaro_winkler(written, name);
        if likeness >= ALIKE && best.is_none_or(|(least, _)| likeness > least) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name)
}
