//! Results of earlier runs are used again only if nothing that they depend on has changed.

use super::*;

const TYPES: &str = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: {} }\n";
const A: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ lib/types.yaml ]
node_types: { Web: { derived_from: Sever } }
service_template: { node_templates: { web: { type: Server } } }
";
const B: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ lib/types.yaml, missing.yaml ]
service_template: { node_templates: { web: { type: Web } } }
";
const C: &str = "\
tosca_definitions_version: tosca_2_0
artifact_types: { Script: {} }
node_types: { Server: { artifacts: { run: { type: Script, file: scripts/run.sh } } } }
service_template:
  inputs: { port: { type: integer } }
  node_templates: { server: { type: Server } }
";

/// Creates a folder with three templates, whose results are in the cache.
fn cached() -> Folder {
    let files = [("t/lib/types.yaml", TYPES), ("t/a.yaml", A), ("t/b.yaml", B), ("t/c.yaml", C)];
    let folder = Folder::new(&files);
    assert_eq!(parsed(&folder, ""), (4, 4));
    folder
}

/// Returns the number of files that were parsed, and of all files.
fn parsed(folder: &Folder, arguments: &str) -> (usize, usize) {
    let run = folder.run(&format!("t --cache-results .results --verbose {arguments}"));
    let line = run.err.lines().find(|line| line.contains("from the cache")).unwrap_or_else(|| panic!("{}", run.all()));
    let mut words = line.split(' ');
    let first = words.next().unwrap().parse().unwrap();
    (first, words.nth(1).unwrap().parse().unwrap())
}

#[test]
fn unchanged_files_are_not_parsed_and_reported_alike() {
    let folder = cached();
    assert_eq!(parsed(&folder, ""), (0, 4));
    for format in ["full", "json", "sarif", "github", "concise", "junit", "rdjson"] {
        let plain = folder.run(&format!("t --format {format}"));
        assert!(plain.code == 1 && plain.out.contains("Sever"), "{}", plain.all());
        let own = format!("t --format {format} --cache-results .{format}");
        assert_eq!(folder.run(&own).all(), plain.all(), "the first run with {format}");
        assert_eq!(folder.run(&own).all(), plain.all(), "the second run with {format}");
    }
    // Some results are from the cache, others are not.
    folder.write("t/a.yaml", &format!("{A}# changed\n"));
    assert_eq!(folder.run("t --cache-results .full").all(), folder.run("t").all());
}

#[test]
fn changes_of_files_are_noticed() {
    let folder = cached();
    folder.write("t/c.yaml", &format!("{C}# more\n"));
    assert_eq!(parsed(&folder, ""), (1, 4));
    assert_eq!(parsed(&folder, ""), (0, 4));
    // The size is the same.
    folder.write("t/lib/types.yaml", &TYPES.replace("Server", "Sorver"));
    assert_eq!(parsed(&folder, ""), (3, 4));
    folder.write("t/missing.yaml", "tosca_definitions_version: tosca_2_0\nnode_types: { Web: {} }\n");
    // The new file is also a template.
    assert_eq!(parsed(&folder, ""), (2, 5));
    std::fs::remove_file(folder.path().join("t/missing.yaml")).unwrap();
    assert_eq!(parsed(&folder, ""), (1, 4));
    // The file of an artifact.
    folder.write("t/scripts/run.sh", "");
    assert_eq!(parsed(&folder, ""), (1, 4));
    assert_eq!(parsed(&folder, ""), (0, 4));
    std::fs::remove_file(folder.path().join("t/scripts/run.sh")).unwrap();
    assert_eq!(parsed(&folder, ""), (1, 4));
}

#[test]
fn changes_of_settings_are_noticed() {
    let folder = cached();
    for arguments in ["--quirk shared-names", "--limit source-depth=50", "--input port=80", "--deny lints", "--sandbox"]
    {
        assert_eq!(parsed(&folder, arguments), (4, 4), "{arguments}");
        assert_eq!(parsed(&folder, arguments), (0, 4), "{arguments}");
    }
    assert_eq!(parsed(&folder, ""), (0, 4));
    folder.write("tosca-parse.yaml", "strict: true\n");
    assert_eq!(parsed(&folder, ""), (4, 4));
    folder.write("tosca-parse.yaml", "strict: false\n");
    assert_eq!(parsed(&folder, ""), (4, 4));
    assert_eq!(parsed(&folder, ""), (0, 4));
}

/// Files that have not changed for two seconds are recognized by their state alone.
#[cfg(target_os = "linux")]
#[test]
fn files_with_a_known_state_are_not_read() {
    let other = "kind: Deployment # not a template, whatever its name ends with\n";
    let folder = Folder::new(&[("t/lib/types.yaml", TYPES), ("t/a.yaml", A), ("t/c.yaml", C), ("t/other.yaml", other)]);
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert_eq!(parsed(&folder, ""), (3, 3));
    let record = folder.path().join(".results/templates.json");
    let text = std::fs::read_to_string(&record).unwrap();
    let written = || std::fs::metadata(&record).unwrap().modified().unwrap();
    let first = written();
    assert_eq!(parsed(&folder, ""), (0, 3));
    assert_eq!(written(), first, "nothing is new");
    // What the record says is not checked again.
    std::fs::write(&record, text.replacen("\"is_template\":false", "\"is_template\":true", 1)).unwrap();
    assert_eq!(parsed(&folder, ""), (1, 4));
    for damage in ["", "{", &text.replace("program\":\"", "program\":\"other")] {
        std::fs::write(&record, damage).unwrap();
        assert_eq!(parsed(&folder, ""), (0, 3), "{damage}");
    }
    // A change of the content, of the name, and of a link.
    let template = "tosca_definitions_version: tosca_2_0\nnode_types: { S: {} } # x\n";
    assert_eq!(template.len(), other.len());
    folder.write("t/other.yaml", template);
    assert_eq!(parsed(&folder, ""), (1, 4));
    let path = |name: &str| folder.path().join(name);
    std::fs::rename(path("t/c.yaml"), path("t/d.yaml")).unwrap();
    std::fs::rename(path("t/a.yaml"), path("t/c.yaml")).unwrap();
    assert_eq!(parsed(&folder, ""), (2, 4));
    assert_eq!(folder.run("t --cache-results .results").all(), folder.run("t").all());
    std::fs::rename(path("t/lib"), path("lib")).unwrap();
    std::os::unix::fs::symlink(path("lib"), path("t/lib")).unwrap();
    assert_eq!(parsed(&folder, "").1, 3);
    assert_eq!(folder.run("t --cache-results .results").all(), folder.run("t").all());
    std::fs::remove_file(path("t/c.yaml")).unwrap();
    std::os::unix::fs::symlink(path("t/d.yaml"), path("t/c.yaml")).unwrap();
    // The result is not that of the file before.
    assert_eq!(parsed(&folder, ""), (1, 3));
    assert!(folder.run("t --cache-results .results").out.contains("t/c.yaml:3"));
}

/// A file that is found by its content is recognized by its new state afterwards.
#[cfg(target_os = "linux")]
#[test]
fn new_states_of_unchanged_files_are_recorded() {
    let folder = Folder::new(&[("t/a.yaml", TYPES), ("t/b.yaml", TYPES)]);
    let record = || {
        let files = std::fs::read_dir(folder.path().join(".results")).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.filter(|path| !path.ends_with("templates.json")).collect();
        files.sort();
        files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect::<String>()
    };
    // The files are too new for their states to be compared.
    assert_eq!(parsed(&folder, ""), (2, 2));
    assert_eq!(record().matches("\"state\":null").count(), 2);
    assert_eq!(parsed(&folder, ""), (0, 2));
    assert_eq!(record().matches("\"state\":null").count(), 2, "the files are still too new");
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert_eq!(parsed(&folder, ""), (0, 2));
    let renewed = record();
    assert_eq!(renewed.matches("\"state\":null").count(), 0);
    assert_eq!(parsed(&folder, ""), (0, 2));
    assert_eq!(record(), renewed, "nothing is new");
    // A file with other times, and another one with other content as well.
    let touch = |name: &str| {
        let file = std::fs::File::options().append(true).open(folder.path().join(name)).unwrap();
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
        file.set_times(std::fs::FileTimes::new().set_modified(time)).unwrap();
    };
    touch("t/a.yaml");
    folder.write("t/b.yaml", &TYPES.replace("Server", "Sorver"));
    touch("t/b.yaml");
    std::thread::sleep(std::time::Duration::from_millis(2100));
    assert_eq!(parsed(&folder, ""), (1, 2));
    assert_ne!(record(), renewed);
    let renewed = record();
    assert_eq!(parsed(&folder, ""), (0, 2));
    assert_eq!(record(), renewed, "nothing is new");
}

/// A program of another size is another version.
#[cfg(target_os = "linux")]
#[test]
fn other_programs_do_not_use_the_results() {
    let folder = cached();
    let other = folder.path().join("other");
    std::fs::copy(env!("CARGO_BIN_EXE_tosca-parse"), &other).unwrap();
    std::fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"\0").unwrap();
    let mut command = std::process::Command::new(&other);
    command.current_dir(folder.path()).env("XDG_CONFIG_HOME", folder.path().join(".config"));
    let run = Run::of(command.args(["t", "--cache-results", ".results", "--verbose"]));
    assert!(run.err.contains("4 of 4 files parsed, 0 from the cache"), "{}", run.all());
}

/// Returns a damaged copy of a file.
type Damage = fn(&[u8]) -> Vec<u8>;

#[test]
fn damaged_results_are_replaced() {
    let folder = cached();
    let shards = || {
        let files = std::fs::read_dir(folder.path().join(".results")).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect::<Vec<_>>()
    };
    let damages: [Damage; 4] = [
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |_| b"\xff\x00garbage".to_vec(),
        |_| "[".repeat(100_000).into_bytes(),
        // Positions outside of the text.
        |bytes| String::from_utf8_lossy(bytes).replace("\"span\":[0,", "\"span\":[0,9999").into_bytes(),
    ];
    for damage in damages {
        assert!(!shards().is_empty());
        for path in shards() {
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, damage(&bytes)).unwrap();
        }
        assert!(parsed(&folder, "").0 > 0);
        assert_eq!(parsed(&folder, ""), (0, 4));
        assert_eq!(folder.run("t --cache-results .results").all(), folder.run("t").all());
    }
}

#[test]
fn projects_keep_results_only_inside() {
    let folder = cached();
    let parent = |arguments: &str| folder.run(&format!("t/c.yaml --quiet {arguments}"));
    folder.write("tosca-parse.yaml", "cache_results: .kept\n");
    assert!(parent("--sandbox").err.contains("`--sandbox` is given") && !folder.path().join(".kept").exists());
    assert_eq!(parent("").err, "");
    assert!(folder.path().join(".kept").exists());
    let outside = tempfile::tempdir().unwrap();
    let place = outside.path().join("new");
    folder.write("tosca-parse.yaml", &format!("cache_results: {}\n", place.display()));
    assert!(parent("").err.contains("outside the project"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        folder.write("tosca-parse.yaml", "cache_results: link/new\n");
        assert!(parent("").err.contains("outside the project"));
    }
    assert!(!place.exists());
    // The user may name any folder.
    let run = Run::of(folder.command("t/c.yaml --quiet --no-config").env("TOSCA_PARSE_CACHE_RESULTS", &place));
    assert!(run.is_quiet() && place.exists(), "{}", run.all());
}
