//! Tests of the order of keynames.

use tosca_parse_engine::Entity;
use tosca_parse_engine::ard::Document;
use tosca_parse_engine::entity::{
    Child, Children, DetectedSource, Language, LanguageVersion, Members, Recognition, Text, Value,
};
use tosca_parse_fmt::{Failure, Keynames, Options, format_in};

/// A list of errands.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "list")]
struct List {
    /// The title.
    title: Option<Text>,
    /// Any data.
    data: Option<Value>,
    /// The errands.
    errands: Members<Errand>,
    /// Errands in order.
    steps: Children<Errand>,
}

/// An errand.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "errand")]
struct Errand {
    /// The place.
    #[field(short(scalar))]
    place: Option<Text>,
    /// A note.
    note: Option<Text>,
    /// A value, which can be written in place of the errand.
    #[field(short(map))]
    value: Option<Value>,
    /// The next one.
    then: Child<Stop>,
}

/// A stop.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stop")]
struct Stop {
    /// The place.
    place: Option<Text>,
    /// A note.
    note: Option<Text>,
}

tosca_parse::kinds! { static KINDS = [List, Errand, Stop]; }

static ERRANDS: Language = Language { detect, ..Language::new("Errands", KINDS) };

fn detect(document: &Document, _: Recognition<'_>) -> DetectedSource {
    let is_list = document.root().is_some_and(|root| root.find("unknown").is_none());
    DetectedSource { is_unversioned: !is_list, ..DetectedSource::version(LanguageVersion::FIRST) }
}

/// Asserts the formatted form of a text with its keynames in order. Formatting it again must not change it.
#[track_caller]
fn assert_ordered(text: &str, expected: &str) {
    let options = Options { keynames: Keynames::Standard, ..Options::default() };
    let ordered = format_in(Some(&ERRANDS), text, &options).expect("it can be ordered").apply(text);
    assert_eq!(ordered, expected);
    let again = format_in(Some(&ERRANDS), &ordered, &options).expect("it can be ordered again");
    assert!(again.is_unchanged(), "not stable: {:?}", again.edits);
    let source = format_in(Some(&ERRANDS), text, &Options::default()).expect("it can be formatted").apply(text);
    let plain = tosca_parse_fmt::format(text, &Options::default()).expect("it can be formatted").apply(text);
    assert_eq!(source, plain, "the default keeps the order");
}

#[test]
fn keynames_are_in_the_order_of_the_fields() {
    assert_ordered(
        "errands:\n    b:\n        note: x\n        place: y\n    a: { note: x, place: y }\ntitle: t\n",
        "title: t\nerrands:\n  b:\n    place: y\n    note: x\n  a: { place: y, note: x }\n",
    );
}

#[test]
fn other_keys_come_last_in_their_order() {
    assert_ordered("z: 1\nerrands: {}\ny: 2\ntitle: t\n", "title: t\nerrands: {}\nz: 1\ny: 2\n");
}

#[test]
fn data_keeps_its_order() {
    assert_ordered(
        "errands: { a: { zebra: 1, note: x, place: y } }\ndata:\n  title: 1\n  note: 2\n  place: 3\n",
        "data:\n  title: 1\n  note: 2\n  place: 3\nerrands: { a: { zebra: 1, note: x, place: y } }\n",
    );
}

#[test]
fn comments_and_blank_lines_move_with_their_entries() {
    assert_ordered(
        "# About the file\n\
         errands: # all\n  # first\n  a:\n    # about the note\n    note: x # why\n    # about the place\n    \
         place: y\n    # the end\n\n# the title\n\n# of the list\ntitle: t\n# last\n",
        "# About the file\n# the title\n\n# of the list\ntitle: t\n\nerrands: # all\n  # first\n  a:\n    \
         # about the place\n    place: y\n    # about the note\n    note: x # why\n    # the end\n# last\n",
    );
    assert_ordered(
        "errands:\n  a:\n    # about all\n\n    # about the note\n    note: x\n\n    place: y\n",
        "errands:\n  a:\n    # about all\n\n    place: y\n\n    # about the note\n    note: x\n",
    );
}

#[test]
fn comments_that_are_neighbors_no_longer_are_aligned_anew() {
    assert_ordered(
        "title: a long title # 1\nsteps: []           # 2\nerrands: {}\ndata: 1   # 3\n",
        "title: a long title # 1\ndata: 1 # 3\nerrands: {}\nsteps: [] # 2\n",
    );
}

#[test]
fn entries_move_to_the_line_of_a_dash() {
    assert_ordered(
        "steps:\n- note: x\n  place: y\n-\n  then:\n    note: |\n      a\n\n      b\n    place: z\n  place: y\n",
        "steps:\n  - place: y\n    note: x\n  - place: y\n    then:\n      place: z\n      note: |\n        a\n\n        b\n",
    );
    // Above the dash, the comment would be about the item.
    let commented = "steps:\n  - note: x\n    # about the place\n    place: y\n";
    assert_ordered(commented, commented);
    assert_ordered(
        "steps:\n  - # one\n    note: x\n    # about the place\n    place: y\n",
        "steps:\n  - # one\n    # about the place\n    place: y\n    note: x\n",
    );
}

#[test]
fn aliases_stay_behind_their_anchors() {
    let text = "errands:\n  a: { note: &n x, place: *n }\n  b:\n    note: &m x\n    place: *m\ntitle: *m\n";
    assert_ordered(text, text);
    assert_ordered(
        "errands:\n  b:\n    then: { note: *n }\n    place: y\ndata: &n x\n".replace("*n", "n").as_str(),
        "data: &n x\nerrands:\n  b:\n    place: y\n    then: { note: n }\n",
    );
    assert_ordered(
        "data: &n x\nsteps: [ *n ]\nerrands: { a: *n }\n",
        "data: &n x\nerrands: { a: *n }\nsteps: [ *n ]\n",
    );
    // An anchor may be declared twice.
    let twice = "errands: &n {}\nsteps: *n\ndata: &n 1\n";
    assert_ordered(twice, twice);
}

#[test]
fn merge_keys_and_explicit_keys_keep_maps_as_they_are() {
    for text in [
        "data: &d { note: x }\nerrands:\n  a:\n    <<: *d\n    note: x\n    place: y\n",
        "errands:\n  a:\n    ? note\n    : x\n    place: y\n",
        "errands:\n  a: { ? note: x, place: y }\n",
        "errands:\n  a: { note: x, place: }\n",
        "errands:\n  a: {\n    note: x, # why\n    place: y\n  }\n",
        "errands:\n  a:\n    note: |+\n      x\n\n    place: y\n",
    ] {
        assert_ordered(text, text);
    }
}

#[test]
fn comments_around_brackets_on_several_lines_keep_their_targets() {
    for text in [
        "errands:\n  # tosca-parse: ignore[T1]\n  a: { note: x,\n    place: y }\n",
        "errands:\n  # tosca-parse: ignore[T1]\n\n  # more\n  a: { note: x,\n    place: y }\n",
        "errands:\n  # about the note\n  a: { note: x,\n    place: y }\n",
        "errands:\n  a: { note: x,\n    place: y } # about the place\n",
        "errands:\n  a: {\n    note: x,\n    place: y } # about the place\n",
        "errands:\n  a: {\n    # about the note\n    note: x,\n    place: y\n  }\n",
        "errands:\n  a: {\n    note: x,\n    place: y\n    # about the place\n  }\n",
        "errands:\n  a: { # about the note\n    note: x,\n    place: y\n  }\n",
        "steps:\n  - then: { note: x,\n      place: y } # about the place\n",
        "steps: [ { then: { note: x,\n  place: y } } ] # about the place\n",
    ] {
        assert_ordered(text, text);
    }
    assert_ordered(
        "errands:\n  # about a\n  a: {\n    note: x,\n    place: y\n  } # the end\n  # about b\n  b: { note: x, place: y } # b\n",
        "errands:\n  # about a\n  a: {\n    place: y,\n    note: x\n  } # the end\n  # about b\n  b: { place: y, note: x } # b\n",
    );
}

#[test]
fn ignore_comments_stay_above_their_lines() {
    assert_ordered(
        "# About the file\n# tosca-parse: ignore[T1]\nerrands: {}\ntitle: t\n",
        "# About the file\ntitle: t\n# tosca-parse: ignore[T1]\nerrands: {}\n",
    );
    assert_ordered(
        "# tosca-parse: ignore[T1]\n# why\n\nerrands: {}\n\ntitle: t\n",
        "title: t\n\n# tosca-parse: ignore[T1]\n# why\n\nerrands: {}\n",
    );
    assert_ordered(
        "errands:\n  a:\n    # about a\n    # tosca-parse: ignore[T1]\n\n    note: x\n    place: y\n",
        "errands:\n  a:\n    place: y\n    # about a\n    # tosca-parse: ignore[T1]\n\n    note: x\n",
    );
    // At the end of a block, too, it applies to the next line.
    assert_ordered(
        "errands:\n  a:\n    then:\n      place: y\n      # tosca-parse: ignore[T1]\n    place: y\n",
        "errands:\n  a:\n      # tosca-parse: ignore[T1]\n    place: y\n    then:\n      place: y\n",
    );
    assert_ordered(
        "errands:\n  a:\n    then:\n      place: y\n    note: x\n    # tosca-parse: ignore[T1]\n  b: {}\n",
        "errands:\n  a:\n    note: x\n    then:\n      place: y\n    # tosca-parse: ignore[T1]\n  b: {}\n",
    );
    for text in [
        // At the top, a comment can apply to the whole file.
        "# tosca-parse: ignore[T1]\n# tosca-parse: file-ignore[T2]\nerrands: {}\ntitle: t\n",
        "steps:\n  # tosca-parse: ignore[T1]\n  - note: x\n    place: y\n",
    ] {
        assert_ordered(text, text);
    }
    assert_ordered(
        "# tosca-parse: file-ignore[T2]\n# tosca-parse: ignore[T1]\nerrands: {}\ntitle: t\n",
        "# tosca-parse: file-ignore[T2]\ntitle: t\n# tosca-parse: ignore[T1]\nerrands: {}\n",
    );
    assert_ordered(
        "steps:\n  # about the item\n  - note: x\n    place: y\n",
        "steps:\n  # about the item\n  - place: y\n    note: x\n",
    );
}

#[test]
fn keys_that_occur_twice_are_refused() {
    let options = Options { keynames: Keynames::Standard, ..Options::default() };
    let failure = format_in(Some(&ERRANDS), "errands: {}\ntitle: t\nerrands: {}\n", &options);
    assert!(matches!(failure, Err(Failure::Invalid(_))), "{failure:?}");
}

#[test]
fn excluded_lines_keep_their_order() {
    for text in [
        "errands:\n  a:\n    # fmt: off\n    note:   x\n    # fmt: on\n    place: y\n",
        "# fmt: off\nerrands:   {}\ntitle: t\n",
        "errands:\n  a:\n    note:   x # fmt: skip\n    place: y\n",
        "errands:\n  a:   { note: x, place: y } # fmt: skip\n",
    ] {
        assert_ordered(text, text);
    }
    assert_ordered(
        "errands:\n  a:\n    then:\n      # fmt: off\n      note:   x\n      place: y\n    place: y\n",
        "errands:\n  a:\n    place: y\n    then:\n      # fmt: off\n      note:   x\n      place: y\n",
    );
}

#[test]
fn texts_that_the_language_does_not_recognize_keep_their_order() {
    for text in ["unknown: 1\ntitle: t\n", "errands: {}\ntitle: t\n---\nerrands: {}\ntitle: t\n", "- title\n"] {
        assert_ordered(text, text);
    }
}

#[test]
fn line_endings_and_marks_are_kept() {
    assert_ordered(
        "\u{feff}errands:\r\n  a:\r\n    note: x\r\n    place: y\r\n\r\ntitle: t",
        "\u{feff}title: t\r\n\r\nerrands:\r\n  a:\r\n    place: y\r\n    note: x\r\n",
    );
}

#[test]
fn letters_of_several_bytes_can_be_next_to_a_change() {
    assert_ordered("errands:\n  a:\n    note: 需\n    place: 屬\n", "errands:\n  a:\n    place: 屬\n    note: 需\n");
    assert_ordered("errands:\n  屬: { note: 需, place: 屬 }\n", "errands:\n  屬: { place: 屬, note: 需 }\n");
}

#[test]
fn only_the_lines_that_change_are_replaced() {
    let options = Options { keynames: Keynames::Standard, ..Options::default() };
    let text = "title: t\nerrands:\n  a:\n    note: 1\n    place: 2\n  b: x\n";
    let edits = format_in(Some(&ERRANDS), text, &options).expect("it can be ordered").edits;
    let start = text.find("    note").expect("it is there");
    let end = text.find("  b").expect("it is there");
    assert_eq!(edits, [(start..end, "    place: 2\n    note: 1\n".to_owned())]);
}

#[test]
fn multi_line_brackets_keep_their_lines() {
    assert_ordered(
        "errands:\n  a: {\n    note: \"x\n      y\",\n    place: z,\n    then: { note: 1, place: 2 }\n  }\n",
        "errands:\n  a: {\n    place: z,\n    note: \"x\n      y\",\n    then: { place: 2, note: 1 }\n  }\n",
    );
}
