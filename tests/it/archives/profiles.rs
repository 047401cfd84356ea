//! Profiles in archives.

use super::*;

const PROFILE: &str =
    "tosca_definitions_version: tosca_2_0\nprofile: org.example.base:1.0\nimports: [ types/x.yaml ]\n";

fn service() -> String {
    SERVICE.replace("[ types/x.yaml ]", "[ { profile: \"org.example.base:1.0\" } ]")
}

#[test]
fn profiles_are_found_in_archives_of_the_profile_path() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = zip(&[("profile.yaml", PROFILE), ("types/x.yaml", TYPES)]);
    write(folder.path(), "library/deep/base.zip", bytes);
    write(folder.path(), "templates/service.yaml", service());
    for path in ["library", "library/deep/base.zip"] {
        for sandbox in [false, true] {
            let builder = Parser::builder(&TOSCA).directory(folder.path()).profile_path(folder.path().join(path));
            let outcome = builder.sandbox(sandbox).build().unwrap().parse("templates/service.yaml").unwrap();
            assert_eq!(lines(&outcome), "", "{path}");
            let names: Vec<&str> = outcome.sources.iter().map(|source| source.name()).collect();
            assert!(names.contains(&"library/deep/base.zip!/types/x.yaml"), "{names:?}");
        }
    }
    let (profiles, problems) =
        Parser::builder(&TOSCA).profile_path(folder.path().join("library")).build().unwrap().profiles();
    assert!(problems.is_empty());
    let own = profiles.iter().find(|(name, _)| name == "org.example.base:1.0").unwrap();
    assert_eq!(own.1.path_in_archive().unwrap(), "profile.yaml");
    assert!(
        profiles.iter().any(|(name, address)| name == "org.oasis-open.simple:2.0" && address.scheme() == "builtin")
    );
}

#[test]
fn profiles_are_found_in_the_archive_of_the_template() {
    let service = service();
    let files = [("service.yaml", &*service), ("profiles/base", PROFILE), ("profiles/types/x.yaml", TYPES)];
    for bytes in [zip(&files), gzip(&tar(&files))] {
        assert_eq!(lines(&parse("a.csar", bytes)), "");
    }
    // Other files next to an archive are ignored.
    assert_eq!(codes(&parse("a.csar", zip(&files[..1]))), ["T1402"]);
}
