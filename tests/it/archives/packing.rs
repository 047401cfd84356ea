//! Creation of archives.

use std::fs;
use std::path::Path;
use std::process::Command;

use tosca_parse::archive::LAYOUT;
use tosca_parse::source::Address;
use tosca_parse::source::archive::pack::{PackError, PackOptions, pack};
use tosca_parse::source::archive::{Archive, Format};

use super::*;

const FORMATS: [(&str, Format); 3] = [("a.csar", Format::Zip), ("a.tar", Format::Tar), ("a.tgz", Format::TarGz)];

fn plan(folder: &Path) -> PackOptions {
    PackOptions { folder: folder.to_owned(), ..PackOptions::default() }
}

fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "service.yaml", SERVICE);
    write(folder.path(), "types/x.yaml", TYPES);
    write(folder.path(), "types/a b ü.txt", "text");
    write(folder.path(), ".git/config", "hidden");
    folder
}

fn opened(path: &Path) -> Archive {
    let address = Address::from_path(path, Path::new("/"));
    Archive::from_bytes(&address, fs::read(path).unwrap(), &ArchiveLimits::default(), &[&LAYOUT]).unwrap()
}

fn text(archive: &Archive, path: &str) -> String {
    String::from_utf8(archive.read(path, 1 << 20).unwrap()).unwrap()
}

#[test]
fn the_same_files_result_in_the_same_bytes() {
    let (one, other, target) = (filled(), filled(), tempfile::tempdir().unwrap());
    // The result depends neither on the order in which files were created nor on their times.
    write(other.path(), "service.yaml", SERVICE);
    let then = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(other.path().join("types/x.yaml")).unwrap().set_modified(then).unwrap();
    for (name, format) in FORMATS {
        let paths = [target.path().join(name), target.path().join(format!("other-{name}"))];
        let number = pack(&LAYOUT, &plan(one.path()), &paths[0], format, &mut |_, _| {}).unwrap();
        assert_eq!(number, 4);
        pack(&LAYOUT, &plan(other.path()), &paths[1], format, &mut |_, _| {}).unwrap();
        assert_eq!(fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap(), "{name}");
        let archive = opened(&paths[0]);
        assert_eq!(archive.format(), format);
        let names: Vec<&str> = archive.members().map(|(name, _)| name).collect();
        assert_eq!(names, ["TOSCA.meta", "service.yaml", "types/a b ü.txt", "types/x.yaml"]);
        assert!(archive.findings().is_empty() && archive.verify(&mut |_, _| {}).is_empty());
        let outcome = parser_in(target.path()).parse(name).unwrap();
        assert_eq!(lines(&outcome), "");
    }
    assert_eq!(fs::read_dir(target.path()).unwrap().count(), 6, "nothing is left over");
}

#[test]
fn signatures_and_digests_are_kept() {
    let folder = filled();
    let blocks = "Name: service.yaml\nAlgorithm: SHA-256\nHash: 00ff\n\nSignature: abc\n def\nOdd:line\n";
    let meta = format!("Created-By: Grace\nX-Own: 1\nCSAR-Version: 2.0\n\n{blocks}");
    write(folder.path(), "TOSCA-Metadata/TOSCA.meta", &meta);
    let target = folder.path().join("a.csar");
    pack(&LAYOUT, &plan(folder.path()), &target, Format::Zip, &mut |_, _| {}).unwrap();
    assert_eq!(text(&opened(&target), "TOSCA-Metadata/TOSCA.meta"), meta, "to the letter");
    let others = vec!["types/a b ü.txt".to_owned(), "types/x.yaml".to_owned()];
    let plan = PackOptions { entry: Some("service.yaml".to_owned()), others, ..plan(folder.path()) };
    pack(&LAYOUT, &plan, &target, Format::Zip, &mut |_, _| {}).unwrap();
    let changed = "Created-By: Grace\nX-Own: 1\nCSAR-Version: 2.0\nEntry-Definitions: service.yaml\n\
                   Other-Definitions: \"types/a b ü.txt\" types/x.yaml\n\n";
    let archive = opened(&target);
    assert_eq!(text(&archive, "TOSCA-Metadata/TOSCA.meta"), format!("{changed}{blocks}"));
    // The previous archive is not packed.
    assert_eq!(archive.members().len(), 4);
}

#[test]
fn templates_of_old_versions_get_an_old_meta() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.yml", "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {}\n");
    let target = folder.path().join("a.csar");
    pack(&LAYOUT, &plan(folder.path()), &target, Format::Zip, &mut |_, _| {}).unwrap();
    assert_eq!(
        text(&opened(&target), "TOSCA.meta"),
        "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: tosca-parse\nEntry-Definitions: a.yml\n"
    );
    assert_eq!(lines(&parser_in(folder.path()).parse("a.csar").unwrap()), "");
}

#[test]
fn files_that_can_not_be_packed_are_reported() {
    let folder = filled();
    let target = folder.path().join("a.csar");
    let packed = |plan: &PackOptions| pack(&LAYOUT, plan, &target, Format::Zip, &mut |_, _| {});
    let plan = plan(folder.path());
    let absent = PackOptions { entry: Some("absent.yaml".to_owned()), ..plan.clone() };
    assert!(matches!(packed(&absent), Err(PackError::Missing(name)) if name == "absent.yaml"));
    let none = PackOptions { folder: folder.path().join("types/none"), ..plan.clone() };
    assert!(matches!(packed(&none), Err(PackError::Io(..))));
    write(folder.path(), "other.yaml", TYPES);
    assert!(matches!(packed(&plan), Err(PackError::NoEntry(templates)) if templates.len() != 1));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("types/link")).unwrap();
        assert!(matches!(packed(&plan), Err(PackError::Refused(..))));
    }
    assert!(!target.exists());
}

#[test]
fn ordinary_tools_read_the_archives() {
    let folder = filled();
    let target = tempfile::tempdir().unwrap();
    for (name, format) in FORMATS {
        let path = target.path().join(name);
        pack(&LAYOUT, &plan(folder.path()), &path, format, &mut |_, _| {}).unwrap();
        let unpacked = target.path().join(format!("unpacked-{name}"));
        fs::create_dir(&unpacked).unwrap();
        let mut command = if format == Format::Zip { Command::new("unzip") } else { Command::new("tar") };
        let arguments: &[&str] = if format == Format::Zip { &["-q"] } else { &["-xf"] };
        let output = command.args(arguments).arg(&path).current_dir(&unpacked).env("LC_ALL", "C.UTF-8").output();
        let Ok(output) = output else {
            eprintln!("skipped: {name} is not unpacked, as {command:?} is not there");
            continue;
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        for file in ["service.yaml", "types/x.yaml", "types/a b ü.txt"] {
            let (was, is) = (folder.path().join(file), unpacked.join(file));
            assert_eq!(fs::read(was).unwrap(), fs::read(is).unwrap(), "{name}: {file}");
        }
    }
}
