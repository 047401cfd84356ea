//! Damaged or malicious archives.

use super::*;

fn files<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)].iter().chain(more).copied().collect()
}

/// Checks that there is exactly one problem of a kind, and that the template is read anyway.
#[track_caller]
fn reads_but(outcome: &Outcome, code: &str, message: &str) {
    assert_eq!(codes(outcome), [code], "{}", lines(outcome));
    assert!(lines(outcome).contains(message), "{}", lines(outcome));
    assert!(Service::of(&outcome.program).is_some());
    assert!(outcome.diagnostics.iter().all(|problem| !problem.help.is_empty()));
}

#[track_caller]
fn fails(outcome: &Outcome, code: &str, message: &str) {
    assert_eq!(codes(outcome), [code], "{}", lines(outcome));
    assert!(lines(outcome).contains(message), "{}", lines(outcome));
    assert!(!outcome.is_valid());
}

#[test]
fn names_that_leave_the_archive() {
    for name in ["../evil.yaml", "a/../../evil.yaml", "a\\..\\..\\evil.yaml", "types/.."] {
        for bytes in [zip(&files(&[(name, "evil")])), tar(&files(&[(name, "evil")]))] {
            reads_but(&parse("a.csar", bytes), "T1504", "leads upwards with `..`");
        }
    }
}

#[test]
fn names_that_are_absolute() {
    for name in ["/etc/passwd", "C:/boot.ini", "c:\\boot.ini", "\\\\host\\share"] {
        for bytes in [zip(&files(&[(name, "evil")])), tar(&files(&[(name, "evil")]))] {
            reads_but(&parse("a.csar", bytes), "T1505", "is an absolute path");
        }
    }
}

#[test]
fn links_and_devices() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files(&[]) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.add_symlink("link.yaml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    reads_but(&parse("a.csar", bytes), "T1506", "the entry `link.yaml` is a symbolic link, not a file");
    for (kind, what) in [
        (tar::EntryType::Symlink, "a symbolic link"),
        (tar::EntryType::Link, "a hard link"),
        (tar::EntryType::Char, "a device"),
        (tar::EntryType::Fifo, "a pipe"),
    ] {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, text) in files(&[]) {
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(0);
        tar.append_link(&mut header, "link.yaml", "/etc/passwd").unwrap();
        let bytes = tar.into_inner().unwrap();
        reads_but(&parse("a.tar", bytes), "T1506", &format!("is {what}, not a file"));
    }
}

#[test]
fn the_same_name_twice() {
    let two = files(&[("types/y.yaml", TYPES)]);
    let bytes = replaced(&zip(&two), b"types/y.yaml", b"types/x.yaml");
    reads_but(&parse("a.csar", bytes), "T1507", "the archive has two entries `types/x.yaml`");
    let again = files(&[("./types/x.yaml", "other")]);
    for bytes in [zip(&again), tar(&again), gzip(&tar(&again))] {
        reads_but(&parse("a.csar", bytes), "T1507", "the archive has two entries `types/x.yaml`");
    }
}

#[test]
fn a_file_that_is_encrypted() {
    let mut bytes = zip(&files(&[]));
    // The flag has different offsets in the table and before each file.
    for (signature, flag) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(signature)).collect();
        bytes[places[2] + flag] |= 1;
    }
    let outcome = parse("a.csar", bytes);
    assert_eq!(codes(&outcome), ["T1503"]);
    let shown = lines(&outcome);
    assert!(
        shown.contains("a.csar!/service.yaml:2:12: error[T1503]: can't read `memory:/a.csar!/types/x.yaml`"),
        "{shown}"
    );
    assert!(shown.contains("a.csar!/types/x.yaml:1:1: error[T1503]: the file is encrypted"), "{shown}");
}

#[test]
fn a_wrong_checksum() {
    let bytes = replaced(&zip(&files(&[])), b"Server: {}", b"Server: []");
    let outcome = parse("a.csar", bytes);
    assert_eq!(codes(&outcome), ["T1502"], "{}", lines(&outcome));
    let mut bytes = gzip(&tar(&files(&[])));
    let at = bytes.len() - 6;
    bytes[at] ^= 1;
    reads_but(&parse("a.tgz", bytes), "T1502", "its checksum does not match");
    // Problems of unused files are only found when all files are verified.
    let unused = replaced(&zip(&files(&[("unused.txt", "0123456789")])), b"0123456789", b"9876543210");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csar", &unused);
    let parser = parser_in(folder.path());
    assert!(parser.parse("a.csar").unwrap().is_valid());
    let entry = Entry::at(parser.address("a.csar").unwrap()).verify(true);
    let outcome = parser.parse_entry(entry);
    assert!(lines(&outcome).starts_with("a.csar!/unused.txt:1:1: error[T1502]: "), "{}", lines(&outcome));
}

#[test]
fn an_archive_that_is_cut_off() {
    let whole = zip(&files(&[]));
    for length in [0, 1, 30, whole.len() / 2, whole.len() - 30, whole.len() - 1] {
        fails(&parse("a.csar", whole[..length].to_vec()), "T1501", "a.csar:1:1: ");
    }
    // The files before the end of a tar archive can be read.
    let long = "#".repeat(5000);
    let whole = tar(&files(&[("long.yaml", &long)]));
    reads_but(&parse("a.tar", whole[..whole.len() - 3000].to_vec()), "T1501", "the archive is cut off");
    let packed = gzip(&whole);
    let outcome = parse("a.tgz", packed[..packed.len() - 4].to_vec());
    assert!(codes(&outcome).contains(&"T1501"), "{}", lines(&outcome));
    fails(&parse("a.tgz", b"no gzip".to_vec()), "T1501", "it is not an archive");
    fails(
        &parse("a.tgz", gzip(b"no tape, but long enough to be taken for the header of one".repeat(20).as_slice())),
        "T1501",
        "damaged",
    );
}

#[test]
fn a_method_that_is_not_known() {
    let mut bytes = zip(&files(&[]));
    for (signature, method) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(signature)).collect();
        bytes[places[1] + method] = 12;
    }
    fails(&parse("a.csar", bytes), "T1510", "it is packed in an unsupported way");
}

#[test]
fn bombs() {
    let zeros = "\0".repeat(40 << 20);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files(&[("zeros", &zeros)]) {
        zip.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    assert!(bytes.len() < 100_000);
    fails(&parse("a.csar", bytes.clone()), "T1509", "it unpacks to more than 250 times its own size");
    fails(&parse("a.tgz", gzip(&tar(&files(&[("zeros", &zeros)])))), "T1509", "");
    let limits = ArchiveLimits { ratio: 2000, ..ArchiveLimits::default() };
    assert!(parse_with("a.csar", bytes.clone(), limits).is_valid());
    let limits = ArchiveLimits { total: 20 << 20, ratio: 2000, ..ArchiveLimits::default() };
    fails(&parse_with("a.csar", bytes, limits), "T1508", "it unpacks to more than the limit of 20971520 bytes");
}

#[test]
fn too_many_and_too_deep() {
    let limits = || ArchiveLimits { entries: 3, depth: 4, bytes: 1 << 20, ..ArchiveLimits::default() };
    assert!(parse_with("a.csar", zip(&files(&[])), limits()).is_valid());
    for bytes in [zip(&files(&[("b", "")])), tar(&files(&[("b", "")]))] {
        fails(&parse_with("a.csar", bytes, limits()), "T1508", "it has more than 3 entries");
    }
    // A high file count at the end of an archive is rejected before any file is read.
    let claim = replaced(&zip(&files(&[])), b"\x03\0\x03\0", b"\xff\xff\xff\xff");
    fails(&parse_with("a.csar", claim, limits()), "T1508", "it has more than 3 entries");
    let deep = ArchiveLimits { entries: 10, ..limits() };
    reads_but(
        &parse_with("a.csar", zip(&files(&[("a/b/c/d/e", "")])), deep),
        "T1508",
        "nested more than 4 levels deep",
    );
    let small = ArchiveLimits { bytes: 100, ..limits() };
    fails(&parse_with("a.csar", zip(&files(&[])), small), "T1004", "it is larger than the limit of 100 bytes");
}

#[test]
fn many_problems_of_a_kind_are_counted() {
    let names: Vec<String> = (0..500).map(|number| format!("../{number}")).collect();
    let evil: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "")).collect();
    let outcome = parse("a.csar", zip(&files(&evil)));
    assert_eq!(outcome.diagnostics.len(), 21);
    reads_but(&outcome, "T1504", "the archive has 480 more problems of this kind");
}

#[test]
fn names_that_conflict() {
    let similar =
        zip(&[("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES), ("Types/X.yaml", "")]);
    let outcome = parse("a.csar", similar);
    assert_eq!((codes(&outcome), outcome.is_valid()), (vec!["T1511"], true), "{}", lines(&outcome));
    for (one, other) in [("caf\u{e9}", "cafe\u{301}"), ("Straße", "STRASSE")] {
        assert_eq!(codes(&parse("a.csar", zip(&files(&[(one, ""), (other, "")])))), ["T1511"], "{one}");
    }
    let both = zip(&[("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES), ("types", "")]);
    assert_eq!(codes(&parse("a.csar", both)), ["T1507"]);
}

#[test]
fn names_that_windows_does_not_accept() {
    for name in ["con", "a/AUX.txt", "Lpt1.tar.gz", "COM9 .txt", "a./b", "b ", "what?.sh", "file:b"] {
        let outcome = parse("a.csar", zip(&files(&[(name, "")])));
        assert_eq!((codes(&outcome), outcome.is_valid()), (vec!["T1512"], true), "{name}: {}", lines(&outcome));
    }
    for name in ["console", "com10", "aux-files/a", ".con", "a.con", "lpt"] {
        assert_eq!(codes(&parse("a.csar", zip(&files(&[(name, "")])))), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn names_that_can_not_be_displayed() {
    let odd = zip(&[("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES), ("a\u{1b}[31m\nb", "")]);
    let outcome = parse("a.csar", odd);
    assert_eq!(codes(&outcome), ["T1510"]);
    assert!(!lines(&outcome).contains('\u{1b}') && lines(&outcome).lines().count() == 1, "{}", lines(&outcome));
}

#[test]
fn pax_headers_that_tools_read_differently() {
    let tar = |kind: tar::EntryType, record: &str| {
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(record.len() as u64);
        tar.append_data(&mut header, "pax_header", record.as_bytes()).unwrap();
        for (name, text) in files(&[]) {
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        parse("a.tar", tar.into_inner().unwrap())
    };
    let renames = tar(tar::EntryType::XGlobalHeader, "19 path=other.yaml\n");
    reads_but(&renames, "T1510", "a header that renames other entries");
    let size = tar(tar::EntryType::XHeader, "11 size=-1\n");
    reads_but(&size, "T1510", "a file with an invalid size");
    assert!(codes(&tar(tar::EntryType::XGlobalHeader, "18 comment=abcdef\n")).is_empty());
}

#[test]
fn files_with_holes() {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, text) in files(&[("GNUSparseFile.0/hole.bin", "1\n0\n4\nhole")]) {
        if name.contains("hole") {
            tar.append_pax_extensions([("GNU.sparse.major", &b"1"[..]), ("GNU.sparse.name", b"hole.bin")]).unwrap();
        }
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    let bytes = tar.into_inner().unwrap();
    for (name, bytes) in [("a.tar", bytes.clone()), ("a.tgz", gzip(&bytes))] {
        reads_but(&parse(name, bytes), "T1510", "is a sparse file, which is not supported");
    }
}

#[test]
fn headers_without_end() {
    for kind in [tar::EntryType::GNULongName, tar::EntryType::GNULongLink, tar::EntryType::XHeader] {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, text) in files(&[]) {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        let long: Vec<u8> = (0..2 << 20).map(|number: u32| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(long.len() as u64);
        header.set_cksum();
        tar.append(&header, &*long).unwrap();
        let bytes = tar.into_inner().unwrap();
        for (name, bytes) in [("a.tar", bytes.clone()), ("a.tgz", gzip(&bytes))] {
            fails(&parse(name, bytes), "T1508", "the headers of an entry are larger than allowed");
        }
    }
    // The size of a large file itself does not count as the size of its header.
    let large = "x".repeat(6 << 20);
    for (name, bytes) in [
        ("a.tar", tar(&files(&[("b", &large), ("c", "")]))),
        ("a.tgz", gzip(&tar(&files(&[("b", &large), ("c", "")])))),
    ] {
        assert_eq!(lines(&parse(name, bytes)), "");
    }
}

#[test]
fn a_table_that_has_other_names() {
    let bytes = zip(&[("TOSCA.meta", META), ("service.yaml", SERVICE), ("types/x.yaml", TYPES)]);
    // The content follows the name.
    let start = bytes.windows(17).position(|part| part == b"types/x.yamltosca").unwrap();
    let mut other = bytes.clone();
    other[start..start + 12].copy_from_slice(b"types/y.yaml");
    let outcome = parse("a.csar", other);
    assert!(codes(&outcome).contains(&"T1501") && lines(&outcome).contains("a different name"), "{}", lines(&outcome));
}

#[test]
fn names_that_are_too_long() {
    let long = |length: usize| format!("types/{}", "x".repeat(length - 6));
    let bytes = |name: &str| zip(&files(&[(name, "")]));
    assert_eq!(codes(&parse("a.csar", bytes(&long(4096)))), [""; 0]);
    reads_but(&parse("a.csar", bytes(&long(4097))), "T1508", "the name of an entry is longer than 4096 bytes");

    let names: Vec<String> = (0..4100).map(|number| format!("{number:04}{}", long(4092))).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "")).collect();
    let message = "the names of its entries are longer than 16777216 bytes together";
    fails(&parse("a.csar", zip(&files(&many))), "T1508", message);
}

#[test]
fn too_many_folders() {
    let limits = ArchiveLimits { entries: 60, ..ArchiveLimits::default() };
    let deep = |depth: usize| format!("{}x", "a/".repeat(depth));
    // The folder `types` counts, too.
    let paths = [deep(59), format!("{}y", deep(59)), format!("{}z/x", "a/".repeat(58))];
    let parse = |paths: &[String]| {
        let paths: Vec<(&str, &str)> = paths.iter().map(|path| (&**path, "")).collect();
        parse_with("a.csar", zip(&files(&paths)), limits.clone())
    };
    assert_eq!(codes(&parse(&paths[..2])), [""; 0]);
    fails(&parse(&paths), "T1508", "it has more than 60 folders");
}

#[test]
fn a_file_that_is_a_folder_is_one_problem() {
    let bytes = zip(&files(&[("a", ""), ("a-b", ""), ("a/b/c", ""), ("a/b/d", ""), ("a/e", "")]));
    reads_but(&parse("a.csar", bytes), "T1507", "`a` is both a file and a folder in the archive");
}
