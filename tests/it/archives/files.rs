//! Lookup of files in archives.

use std::path::PathBuf;
use std::sync::Arc;

use tosca_parse::source::{Address, Provider, ReadError};

use super::*;

const FILES: &[(&str, &str)] = &[("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)];

#[test]
fn every_format_is_read() {
    for (name, bytes) in [
        ("service.csar", zip(FILES)),
        ("service.zip", zip(FILES)),
        ("service.tar", tar(FILES)),
        ("service.tar.gz", gzip(&tar(FILES))),
        ("service.TGZ", gzip(&tar(FILES))),
        // The content determines the format, not the name.
        ("service.csar", gzip(&tar(FILES))),
        ("service.csar", tar(FILES)),
    ] {
        let outcome = parse(name, bytes.clone());
        assert_eq!(lines(&outcome), "", "{name}");
        assert_eq!(Service::of(&outcome.program).unwrap().nodes.len(), 1);
        let names: Vec<&str> = outcome.sources.iter().map(|source| source.name()).take(2).collect();
        assert_eq!(names, [format!("memory:/{name}!/service.yaml"), format!("memory:/{name}!/types/x.yaml")]);

        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), name, bytes);
        let outcome = parser_in(folder.path()).parse(name).unwrap();
        assert_eq!(lines(&outcome), "");
        assert_eq!(outcome.sources.iter().next().unwrap().name(), format!("{name}!/service.yaml"));
    }
}

#[test]
fn problems_point_into_the_archive() {
    let broken = TYPES.replace("{}", "\n    propertys: {}");
    let files = [("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", &*broken)];
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "service.csar", zip(&files));
    let outcome = parser_in(folder.path()).parse("service.csar").unwrap();
    let shown = lines(&outcome);
    assert!(shown.starts_with("service.csar!/types/x.yaml:4:5: error[T1201]: "), "{shown}");
    // A displayed address can be used as an argument.
    let outcome = parser_in(folder.path()).parse("service.csar!/types/x.yaml").unwrap();
    assert_eq!(lines(&outcome), shown);
}

#[test]
fn a_changed_archive_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "service.csar", zip(FILES));
    let parser = parser_in(folder.path());
    assert!(parser.parse("service.csar").unwrap().is_valid());
    write(folder.path(), "service.csar", zip(&FILES[..2]));
    assert_eq!(codes(&parser.parse("service.csar").unwrap()), ["T1001"]);
    write(folder.path(), "service.csar", zip(FILES));
    assert!(parser.parse("service.csar").unwrap().is_valid());
}

#[test]
fn absolute_paths_and_parents_start_at_the_root() {
    for (path, expected) in [
        ("/types/x.yaml", ""),
        ("../../../types/x.yaml", ""),
        ("./types/../types/x.yaml", ""),
        ("types", "T1002"),
        ("types/y.yaml", "T1001"),
        ("Types/x.yaml", "T1001"),
        ("file:///etc/passwd", "T1401"),
        ("inner.csar", "T1002"),
    ] {
        let service = SERVICE.replace("types/x.yaml", path);
        let files = [("service.yaml", &*service), ("types/x.yaml", TYPES), ("inner.csar", "")];
        let outcome = parse("service.zip", zip(&files));
        assert_eq!(codes(&outcome).join(" "), expected, "{path}: {}", lines(&outcome));
    }
}

#[test]
fn nothing_outside_of_an_archive_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "types/x.yaml", TYPES);
    write(folder.path(), "service.csar", zip(&FILES[..2]));
    let outcome = parser_in(folder.path()).parse("service.csar").unwrap();
    assert!(lines(&outcome).contains("error[T1001]: can't read `service.csar!/types/x.yaml`"), "{}", lines(&outcome));

    // A folder with a `TOSCA.meta` is also an archive.
    let inner = folder.path().join("inner");
    write(&inner, "TOSCA-Metadata/TOSCA.meta", META.replace("service.yaml", "definitions/service.yaml"));
    write(&inner, "definitions/service.yaml", SERVICE.replace("types/x.yaml", "/x.yaml"));
    write(&inner, "x.yaml", TYPES);
    assert_eq!(lines(&parser_in(folder.path()).parse("inner").unwrap()), "");
    write(&inner, "definitions/service.yaml", SERVICE.replace("types/x.yaml", "../../types/x.yaml"));
    let outcome = parser_in(folder.path()).parse("inner").unwrap();
    assert!(lines(&outcome).starts_with("inner/definitions/service.yaml:2:12: error[T1405]: "), "{}", lines(&outcome));
}

#[test]
fn imports_never_leave_a_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, "types/x.yaml", TYPES);
    write(path, "inner/own/x.yaml", TYPES);
    let absolute = path.join("types/x.yaml");
    let mut imports = vec![
        ("../types/x.yaml".to_owned(), "T1405"),
        (absolute.to_str().unwrap().to_owned(), "T1405"),
        (format!("file://{}", absolute.display()), "T1405"),
        ("http://127.0.0.1:9/x.yaml".to_owned(), "T1405"),
        ("own/x.yaml".to_owned(), ""),
        ("/own/x.yaml".to_owned(), ""),
        ("absent.yaml".to_owned(), "T1001"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, path.join("inner/link.yaml")).unwrap();
        imports.push(("link.yaml".to_owned(), "T1405"));
    }
    for (import, expected) in imports {
        write(path, "inner/service.yaml", SERVICE.replace("types/x.yaml", &import));
        let parser = |sandbox| Parser::builder(&TOSCA).directory(path).sandbox(sandbox).build().unwrap();
        let outcome = parser(true).parse("inner/service.yaml").unwrap();
        assert_eq!(codes(&outcome).join(" "), expected, "{import}: {}", lines(&outcome));
        let outcome = parser(false).parse("inner/service.yaml").unwrap();
        assert!(!codes(&outcome).contains(&"T1405"), "{import}");
    }
}

/// A thread replaces a file by a link repeatedly while imports of the file are read.
#[cfg(unix)]
#[test]
fn changing_links_never_leave_a_sandbox() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let secret = "tosca_definitions_version: tosca_2_0\nnode_types: { Secret: {} }\n";
    write(path, "secret.yaml", secret);
    write(path, "inner/own.yaml", TYPES);
    write(path, "inner/service.yaml", SERVICE.replace("types/x.yaml", "x.yaml"));
    let (x, own) = (path.join("inner/x.yaml"), path.join("inner/own.yaml"));
    let (link, copy) = (path.join("inner/link"), path.join("inner/copy"));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                let _ = std::os::unix::fs::symlink(path.join("secret.yaml"), &link);
                let _ = std::fs::rename(&link, &x);
                let _ = std::fs::copy(&own, &copy);
                let _ = std::fs::rename(&copy, &x);
            }
        });
        for _ in 0..60 {
            let parser = Parser::builder(&TOSCA).directory(path).sandbox(true).threads(1).build().unwrap();
            let outcome = parser.parse("inner/service.yaml").unwrap();
            let has_secret = outcome.sources.iter().any(|source| source.text().contains("Secret"));
            assert!(!has_secret, "{}", lines(&outcome));
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

/// A file that becomes a link after its location has been checked, and before it is opened.
#[derive(Debug)]
struct Flipped {
    name: &'static str,
    leads_to: PathBuf,
}

impl Provider for Flipped {
    fn serves(&self, address: &Address) -> bool {
        address.file_name() == self.name && address.archive().is_none()
    }

    fn read(&self, _: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        std::fs::read(&self.leads_to).map_err(|error| ReadError::Io(error.to_string()))
    }

    fn exists(&self, _: &Address) -> bool {
        true
    }

    fn file(&self, _: &Address) -> Option<PathBuf> {
        Some(self.leads_to.clone())
    }
}

#[test]
fn the_target_of_an_archive_link_must_be_in_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let further = "tosca_definitions_version: tosca_2_0\nimports: [ types/further.yaml ]\n";
    let archive = zip(&[("all.yaml", further), ("types/further.yaml", TYPES)]);
    write(path, "outside.csar", &archive);
    write(path, "inner/x.csar", &archive);
    write(path, "inner/service.yaml", SERVICE.replace("types/x.yaml", "x.csar"));
    for (leads_to, expected) in [("inner/x.csar", ""), ("outside.csar", "T1002")] {
        let flipped = Flipped { name: "x.csar", leads_to: path.join(leads_to).canonicalize().unwrap() };
        let builder = Parser::builder(&TOSCA).directory(path).sandbox(true).provider(Arc::new(flipped));
        let outcome = builder.build().unwrap().parse("inner/service.yaml").unwrap();
        assert_eq!(codes(&outcome).join(" "), expected, "{leads_to}: {}", lines(&outcome));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path.join("inner/x.csar"), path.join("inner/link.csar")).unwrap();
        write(path, "inner/service.yaml", SERVICE.replace("types/x.yaml", "link.csar"));
        let parser = Parser::builder(&TOSCA).directory(path).sandbox(true).build().unwrap();
        assert_eq!(lines(&parser.parse("inner/service.yaml").unwrap()), "");
    }
}

#[test]
fn archives_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "lib/types.csar",
        zip(&[
            ("all.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ types/x.yaml ]\n"),
            ("types/x.yaml", TYPES),
        ]),
    );
    write(folder.path(), "service.yaml", SERVICE.replace("types/x.yaml", "lib/types.csar"));
    let outcome = parser_in(folder.path()).parse("service.yaml").unwrap();
    assert_eq!(lines(&outcome), "");
    // A file that is imported both from the archive and by a file in the archive counts as one.
    let loops = "tosca_definitions_version: tosca_2_0\nimports: [ all.yaml ]\nnode_types:\n  Server: {}\n";
    write(
        folder.path(),
        "lib/types.csar",
        zip(&[
            ("all.yaml", "tosca_definitions_version: tosca_2_0\nimports: [ types/x.yaml ]\n"),
            ("types/x.yaml", &loops.replace("all.yaml", "/all.yaml")),
        ]),
    );
    let outcome = parser_in(folder.path()).parse("service.yaml").unwrap();
    assert_eq!(codes(&outcome), ["T1403"], "{}", lines(&outcome));
    // Problems of an imported archive are reported at the import.
    write(folder.path(), "lib/types.csar", "no archive");
    let outcome = parser_in(folder.path()).parse("service.yaml").unwrap();
    assert_eq!(
        lines(&outcome),
        "service.yaml:2:12: error[T1501]: can't read `lib/types.csar`: the archive is cut off or damaged\n"
    );
}

#[test]
fn other_definitions_are_templates_too() {
    let folder = tempfile::tempdir().unwrap();
    let meta = format!("{META}Other-Definitions: types/x.yaml \"with blank.yaml\" service.yaml\n");
    let files =
        [("TOSCA.meta", &*meta), ("service.yaml", SERVICE), ("types/x.yaml", TYPES), ("with blank.yaml", TYPES)];
    write(folder.path(), "service.csar", zip(&files));
    for (name, _) in &files {
        write(&folder.path().join("unpacked"), name, files.iter().find(|(other, _)| other == name).unwrap().1);
    }
    let parser = parser_in(folder.path());
    for name in ["service.csar", "unpacked"] {
        let additional = parser.additional_templates(&parser.address(name).unwrap());
        let names: Vec<String> = additional.iter().map(|address| address.file_name().to_owned()).collect();
        assert_eq!(names, ["x.yaml", "with blank.yaml"], "{name}");
        assert!(additional.into_iter().all(|address| parser.parse_entry(Entry::at(address)).is_valid()));
    }
}
