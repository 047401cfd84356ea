//! Precompiled forms of the built-in units of TOSCA.

use std::fs;
use std::path::Path;

use tosca_parse::ard::{self, Options};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{BuiltInProfile, ImplicitUnit, Language, LanguageVersion};
use tosca_parse::normal::Service;
use tosca_parse::source::Address;
use tosca_parse::symbol::Interner;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// Returns TOSCA without precompiled units.
pub(super) fn read_each_time() -> &'static Language {
    fn implicit(version: LanguageVersion) -> &'static [ImplicitUnit] {
        Box::leak((TOSCA.implicit)(version).iter().map(|unit| ImplicitUnit { packed: &[], ..*unit }).collect())
    }
    let profiles = TOSCA.profiles.iter().map(|profile| BuiltInProfile { packed: &[], ..*profile });
    let extensions = TOSCA.extensions.iter().map(|units| -> &'static [ImplicitUnit] {
        Box::leak(units.iter().map(|unit| ImplicitUnit { packed: &[], ..*unit }).collect())
    });
    Box::leak(Box::new(Language {
        profiles: Box::leak(profiles.collect()),
        implicit,
        extensions: Box::leak(extensions.collect()),
        ..TOSCA
    }))
}

/// Returns the current precompiled form of a text.
fn packed(text: &str) -> Vec<u8> {
    let options = Options { dialect: TOSCA.yaml, ..Options::default() };
    let (document, problems) = ard::read(SourceId(0), text.into(), &Interner::new(), &options);
    assert!(problems.is_empty(), "{problems:?}");
    ard::pack(&document).expect("it has no anchors, aliases, tags or merges")
}

#[test]
fn packed_units_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("normative");
    let texts = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    let texts: Vec<_> = texts.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect();
    assert!(texts.len() > 10, "{texts:?}");
    for path in texts {
        let made = packed(&fs::read_to_string(&path).unwrap());
        let kept = path.with_extension("packed");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&kept, &made).unwrap();
        }
        let is_same = fs::read(&kept).unwrap_or_default() == made;
        assert!(is_same, "{} is out of date: UPDATE_DOCS=1 cargo test renews it", kept.display());
    }
}

#[test]
fn each_unit_has_its_packed_form() {
    let profiles = TOSCA.profiles.iter().map(|profile| (profile.text, profile.packed));
    let versions = (0..TOSCA.versions.len()).map(|number| LanguageVersion(number as u8));
    let extensions = TOSCA.extensions.iter().copied().flatten();
    let implicit = versions.flat_map(|version| (TOSCA.implicit)(version)).chain(extensions);
    let implicit = implicit.map(|unit| (unit.text, unit.packed));
    for (text, kept) in profiles.chain(implicit) {
        assert!(packed(text) == kept, "{}", text.lines().next().unwrap_or_default());
    }
}

#[test]
fn packed_units_equal_those_that_are_read() {
    let text = "topology_template:\n  node_templates:\n    a:\n      type: tosca.nodes.WebServer\n";
    for version in super::VERSIONS {
        let [ahead, read] = [&TOSCA, read_each_time()].map(|language| super::parse_as(language, version, text));
        let units = ahead.program.list.iter().zip(&read.program.list);
        assert_eq!(
            units.filter(|(a, b)| a.document.is_unpacked() && !b.document.is_unpacked()).count(),
            ahead.program.list.len() - 1
        );
        let model = |outcome: &Outcome| serde_json::to_value(Service::of(&outcome.program)).unwrap();
        assert_eq!(model(&ahead), model(&read), "{version}");
        assert_eq!(super::shown(&ahead), super::shown(&read), "{version}");
    }
}

#[test]
fn another_text_at_the_address_of_a_profile_is_read() {
    let profile = &TOSCA.profiles[0];
    let other = profile.text.replace("data_types:", "data_typos:");
    // The hash of a text identifies its precompiled form, but another text may have the same hash.
    let mistaken = BuiltInProfile { packed: packed(&other).leak(), ..*profile };
    let mistaken = Box::leak(Box::new(Language { profiles: Box::leak(Box::new([mistaken])), ..TOSCA }));
    for (language, text, is_unpacked) in [
        (&TOSCA, profile.text, true),
        (&TOSCA, &*other, false),
        (mistaken, profile.text, false),
        (mistaken, &*other, false),
    ] {
        let parser = Parser::builder(language).build().unwrap();
        let outcome = parser.parse_entry(Entry::text(Address::parse(profile.address).unwrap(), text));
        assert_eq!(outcome.program.list[0].document.is_unpacked(), is_unpacked);
        assert_eq!(outcome.is_valid(), text == profile.text);
    }
}
