//! `TOSCA.meta`, and archives without one.

use super::*;
use tosca_parse::archive::LAYOUT;
use tosca_parse::source::Address;
use tosca_parse::source::archive::Archive;

fn with_meta(meta: &str) -> Outcome {
    parse("a.csar", zip(&[("TOSCA.meta", meta), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)]))
}

#[test]
fn both_places_and_all_versions_are_known() {
    let old = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {}\n";
    let meta = "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: Ada\nEntry-Definitions: a/b.yaml\n\n\
                Name: a/b.yaml\nContent-Type: text/yaml\n";
    for place in ["TOSCA.meta", "TOSCA-Metadata/TOSCA.meta"] {
        assert_eq!(lines(&parse("a.csar", zip(&[(place, meta), ("a/b.yaml", old)]))), "");
        assert_eq!(lines(&parse("a.tgz", gzip(&tar(&[(place, META), ("service.yaml", TYPES)])))), "");
    }
    assert_eq!(lines(&with_meta("CSAR-Version: 2.0\n")), "", "the only YAML file at the root");
}

#[test]
fn problems_in_it_have_positions() {
    for (meta, expected) in [
        ("Created-By: Ada\nEntry-Definitions: service.yaml\n", "1:1: error[T1522]:"),
        ("CSAR-Version: 3.0\nEntry-Definitions: service.yaml\n", "1:15: error[T1523]:"),
        ("CSAR-Version: 2.0\nTOSCA-Meta-File-Version: 7\nEntry-Definitions: service.yaml\n", "2:26: error[T1523]:"),
        ("CSAR-Version: 2.0\nEntry:Definitions: service.yaml\n", "2:1: error[T1521]:"),
        ("CSAR-Version: 2.0\nEntry-Definitions: servise.yaml\n", "2:20: error[T1526]:"),
        ("CSAR-Version: 2.0\nEntry-Definitions: ../service.yaml\n", "2:20: error[T1526]:"),
        (
            "CSAR-Version: 2.0\nEntry-Definitions: service.yaml\nOther-Definitions: types/x.yaml b.yaml\n",
            "3:33: error[T1526]:",
        ),
        ("TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nEntry-Definitions: service.yaml\n", "2:15: warning[T1527]:"),
    ] {
        let outcome = with_meta(meta);
        assert_eq!(outcome.diagnostics.len(), 1, "{meta}: {}", lines(&outcome));
        let shown = lines(&outcome);
        assert!(shown.starts_with(&format!("memory:/a.csar!/TOSCA.meta:{expected} ")), "{meta}: {shown}");
        assert!(!outcome.diagnostics[0].help.is_empty());
    }
    let help = &with_meta("CSAR-Version: 2.0\nEntry-Definitions: servise.yaml\n").diagnostics[0].help;
    assert_eq!(help[0], "did you mean `service.yaml`?");
    // All of these problems at once.
    let outcome = with_meta("CSAR-Version: 1.0\nx\nEntry-Definitions: service.yaml\nOther-Definitions: absent.yaml\n");
    assert_eq!(codes(&outcome), ["T1521", "T1526", "T1527"]);
    assert_eq!(outcome.diagnostics.len(), 4);
}

#[test]
fn there_must_be_one_template() {
    let two =
        parse("a.csar", zip(&[("TOSCA.meta", META), ("TOSCA-Metadata/TOSCA.meta", META), ("service.yaml", TYPES)]));
    assert_eq!(codes(&two), ["T1524"]);
    for files in [
        &[("a.yaml", TYPES), ("b.yml", TYPES)][..],
        &[("a/b.yaml", TYPES)],
        &[("readme.md", "")],
        &[],
        &[("TOSCA.meta", "CSAR-Version: 2.0\n"), ("a/b.yaml", TYPES)],
    ] {
        for bytes in [zip(files), tar(files)] {
            let outcome = parse("a.csar", bytes);
            assert_eq!(codes(&outcome), ["T1525"], "{}", lines(&outcome));
            let has_meta = files.iter().any(|(name, _)| *name == "TOSCA.meta");
            let place = if has_meta { "memory:/a.csar!/TOSCA.meta:1:1: " } else { "memory:/a.csar:1:1: " };
            assert!(lines(&outcome).starts_with(place), "{}", lines(&outcome));
        }
    }
}

#[test]
fn archives_without_an_entry_name_the_templates() {
    let help = |files: &[(&str, &str)]| {
        let outcome = parse("a.csar", zip(files));
        assert_eq!(codes(&outcome), ["T1525"], "{}", lines(&outcome));
        outcome.diagnostics[0].message.clone() + ": " + &outcome.diagnostics[0].help.join("; ")
    };
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let several = help(&[("a.yaml", TYPES), ("b.yaml", service)]);
    assert!(
        several.contains("such as `b.yaml`, `a.yaml`: add a `TOSCA.meta` with `Entry-Definitions: b.yaml`"),
        "{several}"
    );
    let nested = help(&[("Definitions/s.yaml", service), ("readme.md", "")]);
    assert!(nested.contains("`tosca-parse csar create FOLDER --entry Definitions/s.yaml`"), "{nested}");
    let of_system = help(&[("shop/s.yaml", service), ("__MACOSX/shop/._s.yaml", ""), (".DS_Store", "")]);
    assert!(of_system.contains("everything in the archive is in the folder `shop`"), "{of_system}");
}

#[test]
fn archive_in_a_single_folder_is_read() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: { a: { type: Nope } } }\n";
    let meta = "CSAR-Version: 2.0\nEntry-Definitions: s/a.yaml\nOther-Definitions: s/absent.yaml\n";
    for (files, expected) in [
        (&[("shop/s.yaml", service), ("__MACOSX/shop/._s.yaml", "")][..], &["T1525", "T2001"][..]),
        (&[("shop/TOSCA.meta", meta), ("shop/s/a.yaml", service)], &["T1525", "T1526", "T2001"]),
        (
            &[("shop/TOSCA-Metadata/TOSCA.meta", meta), ("shop/s/a.yaml", service), ("shop/b.yaml", "")],
            &["T1525", "T1526", "T2001"],
        ),
        // Without a template, only the folder is reported.
        (&[("shop/a.yaml", service), ("shop/b.yaml", service)], &["T1525"]),
        (&[("shop/s/a.yaml", service)], &["T1525"]),
    ] {
        for bytes in [zip(files), tar(files)] {
            let outcome = parse("a.csar", bytes);
            assert_eq!(codes(&outcome), expected, "{files:?}: {}", lines(&outcome));
        }
    }
    let outcome = parse("a.csar", zip(&[("shop/s.yaml", SERVICE), ("shop/types/x.yaml", TYPES)]));
    assert_eq!(codes(&outcome), ["T1525"], "imports are relative to the template: {}", lines(&outcome));
}

#[test]
fn hidden_templates_at_the_root_are_named() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let outcome = parse("a.csar", zip(&[("a.yaml", service), (".b.yaml", service)]));
    assert!(
        lines(&outcome).contains("several YAML files at the root, such as `.b.yaml`, `a.yaml`"),
        "{}",
        lines(&outcome)
    );
}

#[test]
fn without_it_a_template_must_name_itself() {
    let template = |version: &str, metadata: &str| {
        format!("tosca_definitions_version: {version}\nmetadata: {{ {metadata} }}\ntopology_template: {{}}\n")
    };
    let named = "template_name: a, template_version: 1.0";
    for version in ["tosca_simple_yaml_1_1", "tosca_simple_yaml_1_2", "tosca_simple_yaml_1_3"] {
        assert_eq!(lines(&parse("a.csar", zip(&[("a.yaml", &template(version, named))]))), "", "{version}");
        let outcome = parse("a.csar", zip(&[("a.yaml", &template(version, "template_name: a"))]));
        let expected = "memory:/a.csar!/a.yaml:1:28: error[T1528]: in an archive without `TOSCA.meta`, the metadata of the \
                        template must have `template_version`";
        assert!(lines(&outcome).starts_with(expected), "{}", lines(&outcome));
    }
    let misspelt = zip(&[("a.yaml", &template("tosca_simple_yaml_1_0", named)), ("TOSCA-Meta/TOSCA.meta", META)]);
    let outcome = parse("a.csar", misspelt);
    assert_eq!(codes(&outcome), ["T1528"]);
    assert_eq!(outcome.diagnostics[0].help, ["call `TOSCA-Meta/TOSCA.meta` `TOSCA-Metadata/TOSCA.meta` instead"]);
    // A template with a `TOSCA.meta`, or in TOSCA 2.0, need not contain its name.
    let old = "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nEntry-Definitions: a.yaml\n";
    let outcome = parse("a.csar", zip(&[("a.yaml", &template("tosca_simple_yaml_1_0", "")), ("TOSCA.meta", old)]));
    assert_eq!(lines(&outcome), "");
    assert_eq!(lines(&parse("a.csar", zip(&[("a.yaml", TYPES)]))), "");
}

#[test]
fn it_has_a_maximum_size() {
    let of_size = |size: usize| format!("{META}{}", "\n".repeat(size - META.len()));
    assert_eq!(codes(&with_meta(&of_size(1 << 20))), [""; 0]);
    let outcome = with_meta(&of_size((1 << 20) + 1));
    assert_eq!(codes(&outcome), ["T1004"], "{}", lines(&outcome));
}

#[test]
fn the_number_of_other_templates_is_limited() {
    let names: Vec<String> = (0..10_001).map(|number| format!("{number}.yaml")).collect();
    let with = |number: usize| {
        let meta = format!("{META}Other-Definitions: {}\n", names[..number].join(" "));
        let mut files = vec![("TOSCA.meta", &*meta), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)];
        files.extend(names.iter().map(|name| (&**name, "")));
        let address = Address::from_path(Path::new("a.csar"), Path::new("/"));
        Archive::from_bytes(&address, zip(&files), &ArchiveLimits::default(), &[&LAYOUT]).unwrap()
    };
    let archive = with(10_000);
    assert_eq!((archive.other_definitions().len(), archive.findings().len()), (10_000, 0));
    let archive = with(10_001);
    assert_eq!((archive.other_definitions().len(), archive.findings().len()), (10_000, 1));
    assert_eq!(archive.findings()[0].message, "`Other-Definitions` names more than 10000 templates");
}
