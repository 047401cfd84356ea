//! The pages of the reference and the schema for editors are up to date.

use std::path::Path;

use tosca_parse_engine::entity::LanguageVersion;
use tosca_parse_engine::reference_docs;
use tosca_parse_heat::HEAT;

const INTRODUCTION: &str = "\
<!-- Generated from the descriptions of entities by the tests, which fail if it is outdated. Update it with `cargo xtask renew reference`. -->

All entities of templates, environments and resource types of OpenStack Heat with their keynames, in the latest version.
Mandatory keynames are **bold**.";

fn is_up_to_date(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == text, "docs/{file} is out of date: run `cargo xtask renew reference`");
}

#[test]
fn page_and_schema_are_up_to_date() {
    let latest = LanguageVersion(u8::try_from(HEAT.versions.len()).unwrap() - 1);
    let page = reference_docs::page(&HEAT, latest, INTRODUCTION);
    for title in ["## template", "## environment", "## resource type", "`parameter_defaults`", "`depends_on`"] {
        assert!(page.contains(title), "{title}");
    }
    is_up_to_date("reference/heat.md", &page);
    is_up_to_date("heat.schema.json", &format!("{:#}\n", reference_docs::json_schema(&HEAT, latest)));
}
