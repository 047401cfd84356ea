//! Checks that the pages of the reference and the schemas for editors are up to date and complete.

#[cfg(feature = "schema")]
mod schema;

use std::fmt::Write;

use tosca_parse::entity::LanguageVersion;
use tosca_parse::{TOSCA, reference_docs};

use crate::support::is_up_to_date;

const INTRODUCTION: &str = "\
<!-- Generated from the descriptions of entities by the tests, which fail if it is outdated. Update it with `cargo xtask renew reference`. -->

All entities with their keynames, as `tosca-parse` reads them. `tosca-parse reference ENTITY` shows one in a terminal.
Mandatory keynames are **bold**.";

fn versions() -> impl Iterator<Item = (LanguageVersion, String)> {
    TOSCA
        .versions
        .iter()
        .enumerate()
        .map(|(number, version)| (LanguageVersion(number as u8), version.title.to_lowercase().replace(' ', "-")))
}

#[test]
fn pages_are_up_to_date() {
    for (version, name) in versions() {
        let page = reference_docs::page(&TOSCA, version, INTRODUCTION);
        is_up_to_date(&format!("reference/{name}.md"), &page);
    }
    let mut index = "# Keyname reference\n\n".to_owned();
    for (version, name) in versions() {
        writeln!(index, "- [{}]({name}.md)", TOSCA.version_title(version)).unwrap();
    }
    index.push_str("- [OpenStack Heat](heat.md)\n- [Cloudify DSL](cloudify.md)\n");
    is_up_to_date("reference/README.md", &index);
}

/// Checks that the pages are complete, independently of how they are generated.
#[test]
fn every_keyname_of_every_version_is_on_its_page() {
    for (version, name) in versions() {
        let page = reference_docs::page(&TOSCA, version, INTRODUCTION);
        let mut keynames = 0;
        for kind in TOSCA.kinds {
            let entity = kind.description();
            let Some((_, chapter)) = page.split_once(&format!("\n## {}\n", entity.title)) else {
                let is_held = reference_docs::entities(&TOSCA, version).iter().any(|held| held.name == entity.name);
                assert!(!is_held, "{name} has no chapter on {}", entity.title);
                continue;
            };
            let chapter = chapter.split("\n## ").next().unwrap_or_default();
            for keyname in entity.keynames(version) {
                let row = format!("`{keyname}`");
                let rows =
                    chapter.lines().filter_map(|line| line.strip_prefix('|')).filter_map(|row| row.split('|').next());
                assert!(
                    rows.map(|cell| cell.trim().trim_matches('*')).any(|cell| cell == row),
                    "{name}: {row} of {}",
                    entity.title
                );
                keynames += 1;
            }
        }
        assert!(keynames > 150, "{name}: {keynames}");
    }
}

#[test]
fn sections_are_those_of_the_version() {
    let help = |version: &str| {
        let version = TOSCA.versions.iter().position(|known| known.title == version).unwrap();
        reference_docs::page(&TOSCA, LanguageVersion(version as u8), "")
    };
    let (of_1_1, of_1_3, of_2_0) = (help("TOSCA 1.1"), help("TOSCA 1.3"), help("TOSCA 2.0"));
    assert!(of_1_3.contains("TOSCA 1.3, section 3.8.3.") && !of_1_3.contains("TOSCA 2.0, section"));
    assert!(of_2_0.contains("TOSCA 2.0, section 7.2.") && !of_2_0.contains("TOSCA 1.3, section"));
    // The sections of earlier versions are not known.
    assert!(of_1_1.contains("TOSCA 1.1.") && !of_1_1.contains(", section"));
}
