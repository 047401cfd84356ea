//! Wrong annotations are errors at the right place.
//!
//! `TRYBUILD=overwrite` rewrites the expected output.

#[test]
fn wrong_annotations_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/wrong/*.rs");
}
