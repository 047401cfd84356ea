//! Checks that any bytes that are read as an archive result in an outcome.

use proptest::prelude::*;

use super::*;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

fn samples() -> Vec<Vec<u8>> {
    let files = [("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)];
    vec![zip(&files), tar(&files), gzip(&tar(&files))]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_an_archive(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for name in ["a.csar", "a.tar", "a.tgz", "a.yaml"] {
            let outcome = parse(name, bytes.clone());
            prop_assert!(!outcome.is_valid());
        }
    }

    #[test]
    fn any_change_of_an_archive_ends_in_an_outcome(
        which in 0..3_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = samples().swap_remove(which);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // This only checks that there is an outcome with valid invariants.
        let outcome = parse("a.csar", bytes);
        prop_assert!(!outcome.sources.is_empty());
    }

    #[test]
    fn any_text_is_a_meta(text in "\\PC{0,200}|([A-Z][a-z-]{0,9}:? ?[a-z.\" ]{0,9}\r?\n?){0,9}") {
        let outcome = parse("a.zip", zip(&[("TOSCA.meta", &text), ("service.yaml", TYPES)]));
        prop_assert!(!outcome.sources.is_empty());
    }
}
