//! Fingerprints, which identify a problem across runs.
//!
//! Tools that compare the problems in two states of a project must recognize a problem that has only moved. So a
//! fingerprint is computed from the source, the rule and the message, but not from the line. Equal fingerprints are
//! numbered.

use rustc_hash::FxHashMap;

use super::name;
use crate::diagnostic::{Diagnostic, mask_credentials};
use crate::text::Sources;

/// The state while the fingerprints of the problems in one report are computed, in order.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    seen: FxHashMap<u128, u32>,
}

impl Fingerprints {
    /// Returns a fingerprint that is unique in the report.
    pub(super) fn of(&mut self, diagnostic: &Diagnostic, sources: &Sources) -> String {
        let message = mask_credentials(&diagnostic.message);
        let first = hash(&[name(sources, diagnostic.span.source), diagnostic.rule.code, &message]);
        let number = self.seen.entry(first).or_default();
        *number += 1;
        let hash = if *number == 1 { first } else { hash(&[&first.to_string(), &number.to_string()]) };
        format!("{hash:032x}")
    }
}

/// Returns the 128-bit FNV-1a hash. Unlike the hashes used in hash tables, it is the same on every computer and in
/// every version.
fn hash(parts: &[&str]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_stable() {
        assert_eq!(hash(&[]), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        // Stored fingerprints must stay valid.
        assert_eq!(format!("{:032x}", hash(&["a.yaml", "T1201", "message"])), "23d6eda37a00d018d2d8228579443d9e");
    }
}
