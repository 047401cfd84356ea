//! Archives, folders, and profiles by name.

use std::io::Write as _;

use super::*;

const TYPES: &str =
    "tosca_definitions_version: tosca_2_0\nprofile: org.example.types:1.0\nnode_types: { Server: {} }\n";
const META: &str = "CSAR-Version: 2.0\nCreated-By: Ada\nEntry-Definitions: service.yaml\n";
const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ types/x.yaml ]
service_template:
  node_templates:
    web: { type: Server }
";

fn shop() -> Folder {
    Folder::new(&[("shop/service.yaml", SERVICE), ("shop/types/x.yaml", TYPES), ("shop/.hidden", "")])
}

#[test]
fn an_archive_is_packed_listed_checked_and_unpacked() {
    let folder = shop();
    let run = folder.run("csar create shop");
    assert_eq!((run.code, &*run.out, &*run.err), (0, "shop.csar: 3 files, zip\n", ""));
    let run = folder.run("csar create shop/service.yaml --output other.tgz --created-by Ada");
    assert_eq!((run.code, &*run.out), (0, "other.tgz: 3 files, tar.gz\n"));
    let run = folder.run("csar list shop.csar");
    assert_eq!(run.out, " 74  TOSCA.meta\n125  service.yaml  (entry)\n 95  types/x.yaml\n");
    for name in ["shop.csar", "other.tgz"] {
        let run = folder.run(&format!("csar check --quiet {name}"));
        assert_eq!((run.code, &*run.err), (0, ""), "{name}");
        let run = folder.run(name);
        assert!(run.code == 0 && run.out.starts_with(&format!("{name}!/service.yaml: valid TOSCA 2.0 service")));
    }
    let run = folder.run("csar extract other.tgz");
    assert_eq!((run.code, &*run.out), (0, "other: 3 files\n"));
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!((text("other/types/x.yaml"), text("other/service.yaml")), (TYPES.to_owned(), SERVICE.to_owned()));
    assert!(text("other/TOSCA.meta").contains("Created-By: Ada\n"));
    // Existing files are replaced only with `--force`.
    let run = folder.run("csar extract shop.csar other");
    assert_eq!((run.code, &*run.out), (1, "other: 0 files\n"));
    assert!(run.err.contains("it already exists; `--force` replaces it"), "{}", run.err);
    assert_eq!(folder.run("csar extract shop.csar other --force").code, 0);
}

#[test]
fn lists_of_archives_with_errors_fail() {
    let folder = Folder::new(&[]);
    let pack = |name: &str, entry: &str| {
        let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join(name)).unwrap());
        for (name, text) in [("TOSCA.meta", META), ("service.yaml", SERVICE), (entry, "")] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    };
    pack("error.csar", "../evil");
    pack("warning.csar", "con");
    let run = folder.run("csar list error.csar");
    assert!(run.code == 1 && run.err.contains("T1504") && run.out.contains("service.yaml"), "{}", run.err);
    let run = folder.run("csar list warning.csar");
    assert!(run.code == 0 && run.err.contains("T1512"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn what_can_be_run_can_be_run_after_unpacking() {
    use std::os::unix::fs::PermissionsExt;
    let folder = shop();
    folder.write("shop/run.sh", "");
    let path = |path: &str| folder.path().join(path);
    std::fs::set_permissions(path("shop/run.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    for name in ["a.csar", "b.tar", "c.tgz"] {
        assert_eq!(folder.run(&format!("csar create shop --output {name}")).code, 0);
        assert_eq!(folder.run(&format!("csar extract {name} out-{name}")).code, 0);
        let mode = |file: &str| std::fs::metadata(path(&format!("out-{name}/{file}"))).unwrap().permissions().mode();
        assert_eq!((mode("run.sh") & 0o100, mode("service.yaml") & 0o100), (0o100, 0), "{name}");
    }
}

#[test]
fn what_is_wrong_with_an_archive_is_told() {
    let folder = shop();
    for (arguments, code, message) in [
        ("csar create shop --output shop.rar", 2, "has no known extension"),
        ("csar create absent", 3, "`absent`"),
        ("csar create shop --entry absent.yaml", 1, "there is no file `absent.yaml`"),
        ("csar create shop/service.yaml --entry service.yaml", 2, "`--entry` is for folders"),
        ("csar list absent.csar", 3, "it does not exist"),
        ("csar extract shop/service.yaml", 1, "it is not an archive"),
        ("csar check absent.csar", 3, "T1001"),
        ("csar", 2, "csar"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.err);
        assert!([&run.out, &run.err].into_iter().any(|text| text.contains(message)), "{arguments}: {}", run.all());
    }
    folder.run("csar create shop");
    let path = folder.path().join("shop.csar");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 30);
    std::fs::write(&path, bytes).unwrap();
    let run = folder.run("csar check --format concise shop.csar");
    assert_eq!((run.code, &*run.out), (1, "shop.csar:1:1: error[T1501]: the archive is cut off or damaged\n"));
}

#[test]
fn everything_in_a_folder_is_validated() {
    let folder = shop();
    folder.write("shop/deep/notes.txt", "");
    folder.run("csar create shop --output shop/deep/packed.csar");
    folder.write("shop/broken.yml", &SERVICE.replace("web: {", "web: { typ: x,"));
    folder.write("shop/notes.yaml", "just: notes\n");
    folder.write("shop/.git/hidden.yaml", "tosca_definitions_version: x\n");
    folder.write("shop/unpacked/TOSCA.meta", "CSAR-Version: 2.0\nEntry-Definitions: a.yaml\n");
    folder.write("shop/unpacked/a.yaml", TYPES);
    let run = folder.run("shop");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("shop/broken.yml:5:12") && run.err.is_empty(), "{}", run.all());
    assert!(run.out.contains("\n\ninvalid  shop/broken.yml (1 error)\n4 of 5 files are valid\n"), "{}", run.all());
    assert!(run.out.ends_with("\n1 error in 1 file, [*] 1 fixable with `--fix`\n"), "{}", run.all());
    assert!(!run.out.contains('\r'));
    let run = folder.run("shop --verbose");
    let files = "invalid  shop/broken.yml (1 error)\n\
                 valid    shop/deep/packed.csar!/service.yaml\n\
                 valid    shop/service.yaml\n\
                 valid    shop/types/x.yaml\n\
                 valid    shop/unpacked/a.yaml\n";
    assert!(run.out.contains(files), "{}", run.all());
    let run = folder.run("--quiet shop");
    assert!(run.code == 1 && !run.out.contains("valid"), "{}", run.all());
    folder.write("empty/notes.txt", "");
    let run = folder.run("empty");
    assert_eq!((run.code, &*run.err), (2, "error: there is no TOSCA file in the folder `empty`\n"));
}

#[test]
fn profiles_are_listed() {
    let folder = shop();
    folder.write("library/notes.txt", "");
    folder.run("csar create shop/types --entry x.yaml --output library/types.zip");
    let run = folder.run("profiles --profile-path library");
    assert_eq!((run.code, &*run.err), (0, ""));
    let own: Vec<&str> = run.out.lines().filter(|line| line.starts_with("org.example")).collect();
    assert_eq!(own.len(), 1, "{}", run.out);
    assert!(own[0].ends_with("  library/types.zip!/x.yaml"), "{}", own[0]);
    assert!(run.out.contains("org.oasis-open.simple:2.0"));
    let run = folder.run("profiles --profile-path absent");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("absent"), "{}", run.err);
    // The profile is found by name when it is imported.
    folder.write("a.yaml", &SERVICE.replace("types/x.yaml", "{ profile: \"org.example.types:1.0\" }"));
    assert_eq!(folder.run("--quiet a.yaml").code, 1);
    assert_eq!(folder.run("--quiet --profile-path library a.yaml").code, 0);
}

#[test]
fn the_sandbox_and_the_network_have_options() {
    let folder = shop();
    folder.write("shop/inner/a.yaml", &SERVICE.replace("types/x.yaml", "../types/x.yaml"));
    assert_eq!(folder.run("--quiet shop/inner/a.yaml").code, 0);
    let run = folder.run("--quiet --format concise --sandbox shop/inner/a.yaml");
    assert!(run.code == 1 && run.out.contains("T1405"), "{}", run.out);
    folder.write("b.yaml", &SERVICE.replace("types/x.yaml", "\"https://example.com/lib/x.yaml\""));
    let run = folder.run("--quiet --offline --map-url https://example.com/lib=shop/types b.yaml");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(folder.run("--map-url no-url b.yaml").code, 2);
}

#[test]
fn an_archive_on_the_network_is_got_once() {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;
    use std::sync::{Arc, Mutex};

    let folder = shop();
    // Another template in the archive, and an imported file.
    folder.write("shop/other.yaml", TYPES);
    folder.run("csar create shop --entry service.yaml --other other.yaml");
    let archive = std::fs::read(folder.path().join("shop.csar")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let requests: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = requests.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let Some(first) = lines.next() else { continue };
            lines.find(String::is_empty);
            let (status, body) =
                if first.contains("absent") { ("404 Not Found", &[][..]) } else { ("200 OK", &archive[..]) };
            log.lock().unwrap().push(first);
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        }
    });
    let run = |arguments: &str| {
        let run = Run::of(&mut folder.command(&arguments.replace("URL", &format!("http://127.0.0.1:{port}"))));
        (run, std::mem::take(&mut *requests.lock().unwrap()).len())
    };
    for command in
        ["validate --no-cache", "resolve --no-cache", "csar check --no-cache", "csar list --no-cache", "--no-cache"]
    {
        let (done, number) = run(&format!("{command} URL/shop.csar"));
        assert_eq!((done.code, number), (0, 1), "{command}: {}", done.err);
        if !command.contains("list") {
            assert!(done.out.contains("2 of 2 files are valid"), "{command}: {}", done.out);
        }
    }
    let (done, number) = run("csar extract URL/shop.csar out --no-cache");
    assert_eq!((done.code, number), (0, 1), "{}", done.err);
    for command in ["validate", "csar check", "csar list"] {
        let (done, number) = run(&format!("{command} URL/absent.csar"));
        assert_eq!((done.code, number), (3, 1), "{command}: {}", done.all());
    }
    let (done, number) = run("csar list --offline URL/shop.csar");
    assert_eq!((done.code, number), (3, 0), "{}", done.err);
}

#[cfg(unix)]
#[test]
fn nothing_is_made_outside_through_a_link() {
    let folder = shop();
    assert_eq!(folder.run("csar create shop").code, 0);
    std::fs::create_dir_all(folder.path().join("other")).unwrap();
    std::fs::create_dir_all(folder.path().join("outside")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("outside"), folder.path().join("other/types")).unwrap();
    let run = folder.run("csar extract shop.csar other");
    assert!(run.code == 1 && run.err.contains("a link leads out of the folder"), "{}", run.err);
    assert_eq!(std::fs::read_dir(folder.path().join("outside")).unwrap().count(), 0);
}

#[test]
fn folder_without_an_entry_names_the_candidates() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: {}\n";
    let folder = Folder::new(&[("a/one.yaml", service), ("a/two.yaml", service), ("a/types.yaml", types)]);
    let run = folder.run("csar create a -o a.csar");
    assert_eq!(run.code, 1);
    let expected = "error: the template can't be determined; name it: `--entry one.yaml`, `--entry two.yaml`, \
                    `--entry types.yaml`\n";
    assert_eq!(run.err, expected);
    assert_eq!(folder.run("csar create a --entry one.yaml -o a.csar").code, 0);
}

#[test]
fn meta_without_an_entry_is_the_place_of_the_problem() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let folder = Folder::new(&[
        ("a/TOSCA.meta", "CSAR-Version: 2.0\nCreated-By: me\n"),
        ("a/one.yaml", service),
        ("a/two.yaml", service),
    ]);
    let run = folder.run("csar check a --format concise");
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("a/TOSCA.meta:1:1: error[T1525]: `Entry-Definitions` is missing"), "{}", run.all());
}

#[test]
fn import_by_name_and_version_is_found_below_an_import_path() {
    let service = "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ 'shop-types:1.0.0' ]\n\
                   topology_template: { node_templates: { shelf: { type: shop.Shelf } } }\n";
    let types = "tosca_definitions_version: tosca_simple_yaml_1_3\n\
                 metadata: { template_name: shop-types, template_version: 1.0.0, template_author: me }\n\
                 node_types: { shop.Shelf: { derived_from: tosca.nodes.Root } }\n";
    let other = types.replace("1.0.0", "2.0.0");
    let folder = Folder::new(&[("service.yaml", service), ("lib/a/types.yaml", &*other), ("lib/b/types.yaml", types)]);
    let run = folder.run("service.yaml");
    assert!(run.code == 1 && run.out.contains("is the name and the version of an archive"), "{}", run.out);
    let run = folder.run("service.yaml --import-path lib");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn archive_in_a_single_folder_is_found_by_name_and_version() {
    let service = "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ 'shop-types:1.0.0' ]\n\
                   topology_template: { node_templates: { shelf: { type: shop.Shelf }, desk: { type: shop.Desk } } }\n";
    let types = "tosca_definitions_version: tosca_simple_yaml_1_3\n\
                 metadata: { template_name: shop-types, template_version: 1.0.0, template_author: me }\n\
                 node_types: { shop.Shelf: { derived_from: tosca.nodes.Root } }\n";
    let folder = Folder::new(&[("service.yaml", service), ("lib/other.txt", "")]);
    for (path, expected) in [("types.yaml", &["T2001"][..]), ("types/types.yaml", &["T2001", "T1525"])] {
        let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join("lib/types.csar")).unwrap());
        zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, types.as_bytes()).unwrap();
        zip.finish().unwrap();
        let run = folder.run("service.yaml --import-path lib --format concise");
        let codes: Vec<&str> = run.out.lines().filter_map(|line| line.split("error[").nth(1)?.get(..5)).collect();
        assert_eq!(codes, expected, "{path}: {}", run.all());
        assert!(run.out.contains("`shop.Desk`") && !run.out.contains("`shop.Shelf`"), "{}", run.out);
    }
}

#[test]
fn missing_files_name_the_options_for_copies() {
    let text = "tosca_definitions_version: tosca_2_0\n\
                imports: [ types/a.yaml, 'https://example.com/types/b.yaml?raw=1' ]\n";
    let folder = Folder::new(&[("service.yaml", text)]);
    let run = folder.run("service.yaml --offline");
    assert!(run.out.contains("name the folder that contains `a.yaml`: `--import-path FOLDER`"), "{}", run.out);
    assert!(run.out.contains("`--map-url https://example.com/types/=FOLDER`"), "{}", run.out);
    let text = "tosca_definitions_version: tosca_2_0\n\
                imports: [ 'file:///absent/a.yaml', 'ftp://example.com/types/b.yaml' ]\n";
    let folder = Folder::new(&[("service.yaml", text)]);
    let run = folder.run("service.yaml --offline");
    assert!(run.out.contains("name the folder that contains `a.yaml`: `--import-path FOLDER`"), "{}", run.out);
    assert!(run.out.contains("`--map-url ftp://example.com/types/=FOLDER`"), "{}", run.out);
}

#[test]
fn meta_that_names_a_missing_template_is_not_packed() {
    let service = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let meta = "CSAR-Version: 2.0\nCreated-By: me\nEntry-Definitions: gone.yaml\n";
    let folder = Folder::new(&[("a/TOSCA.meta", meta), ("a/one.yaml", service)]);
    let run = folder.run("csar create a -o a.csar");
    let expected =
        "error: `TOSCA.meta` names `gone.yaml`, which is not in the folder; name the template: `--entry one.yaml`\n";
    assert_eq!((run.code, &*run.err), (1, expected));
    assert_eq!(folder.run("csar create a --entry one.yaml -o a.csar").code, 0);
    assert_eq!(folder.run("csar check a.csar").code, 0);
    let run = folder.run("csar create a.csar -o b.csar");
    assert!(run.code == 2 && run.err.contains("`a.csar` is an archive"), "{}", run.err);
}

#[test]
fn archives_are_unpacked_only_below_a_named_folder() {
    let folder = shop();
    let pack = |name: &str, entries: &[&str]| {
        let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join(name)).unwrap());
        for name in entries {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(SERVICE.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    };
    for name in ["...zip", "..zip", ".zip"] {
        pack(name, &["service.yaml"]);
        let run = folder.run(&format!("csar extract {name}"));
        let message = format!("error: `{name}` has no name for the folder; name the folder after the archive\n");
        assert_eq!((run.code, &*run.err), (2, &*message));
        assert_eq!(folder.run(&format!("csar extract {name} out-{name}")).code, 0);
    }
    pack("self.zip", &["self.zip", "service.yaml"]);
    let before = std::fs::read(folder.path().join("self.zip")).unwrap();
    let run = folder.run("csar extract self.zip . --force");
    assert_eq!((run.code, &*run.out), (1, ".: 1 file\n"), "{}", run.err);
    assert!(run.err.contains("it is the archive itself"), "{}", run.err);
    assert_eq!(std::fs::read(folder.path().join("self.zip")).unwrap(), before);

    let deep = "a/".repeat(60);
    pack("deep.zip", &[&format!("{deep}x"), &format!("{deep}y"), "service.yaml"]);
    assert_eq!(folder.run("csar extract deep.zip").out, "deep: 3 files\n");
    assert!(folder.path().join("deep").join(deep).join("y").is_file());
}

#[cfg(unix)]
#[test]
fn links_to_hidden_files_are_not_packed() {
    let folder = shop();
    std::os::unix::fs::symlink("service.yaml", folder.path().join("shop/link.yaml")).unwrap();
    assert_eq!(folder.run("csar create shop --entry service.yaml").code, 0);
    std::os::unix::fs::symlink(".hidden", folder.path().join("shop/visible.txt")).unwrap();
    let run = folder.run("csar create shop --entry service.yaml");
    assert!(run.code == 1 && run.err.contains("is a link to a hidden file, and these are not packed"), "{}", run.err);
}
