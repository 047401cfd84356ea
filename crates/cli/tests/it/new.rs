//! Tests of the command `new`.

use super::Folder;

#[test]
fn templates_of_all_versions_are_valid_and_pass_their_tests() {
    let folder = Folder::new(&[]);
    for version in ["1.0", "1.1", "1.2", "1.3", "2.0"] {
        let run = folder.run(&format!("new v{version}/a --tosca {version}"));
        let (template, test) = (format!("v{version}/a/service.yaml"), format!("v{version}/a/service_test.yaml"));
        let expected = format!("wrote {template}\nwrote {test}\nnext: tosca-parse test v{version}/a\n");
        assert_eq!((run.code, &*run.out, &*run.err), (0, &*expected, ""));
        let run = folder.run(&format!("{template} --strict --warn lints --fail-on warning"));
        assert!(run.code == 0 && run.out.contains(&format!("valid TOSCA {version} service, 2 nodes")), "{}", run.all());
        let run = folder.run(&format!("test v{version}/a"));
        assert!(run.code == 0 && run.out.ends_with("\n3 cases, 0 failed\n"), "{}", run.all());
        let run = folder.run(&format!("fmt --check --keynames standard {template} {test}"));
        assert_eq!(run.code, 0, "{}", run.all());
    }
}

#[test]
fn files_can_have_any_name() {
    let folder = Folder::new(&[]);
    let run = folder.run("new");
    assert_eq!(run.out, "wrote service.yaml\nwrote service_test.yaml\nnext: tosca-parse test\n");
    let run = folder.run("new shop.yml");
    assert_eq!(run.out, "wrote shop.yml\nwrote shop_test.yml\nnext: tosca-parse test shop_test.yml\n");
    let mut command = folder.command("new");
    let run = super::Run::of(command.arg("a: b # c.yaml"));
    assert!(run.out.ends_with("\nnext: tosca-parse test 'a: b # c_test.yaml'\n"), "{}", run.all());
    let run = folder.run("test");
    assert!(run.out.ends_with("\n9 cases, 0 failed\n"), "{}", run.all());
}

#[test]
fn existing_files_are_kept() {
    for existing in ["service.yaml", "service_test.yaml"] {
        let folder = Folder::new(&[(existing, "mine\n")]);
        let run = folder.run("new .");
        let expected = format!("error: {existing}: it already exists; no file was written\n");
        assert_eq!((run.code, &*run.out, &*run.err), (1, "", &*expected));
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, [existing]);
        assert_eq!(std::fs::read_to_string(folder.path().join(existing)).unwrap(), "mine\n");
    }
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let folder = Folder::new(&[("notes.txt", "")]);
    for wrong in ["new notes.txt", "new shop_test.yaml", "new --tosca 3.0", "new a b"] {
        let run = folder.run(wrong);
        assert!(run.code == 2 && run.out.is_empty() && !run.err.is_empty(), "{wrong}: {}", run.all());
    }
    // A folder can't be created below a file.
    assert_eq!(folder.run("new notes.txt/a").code, 1);
}
