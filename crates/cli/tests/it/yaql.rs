//! `tosca-parse yaql`

use super::Folder;

#[test]
fn expressions_are_evaluated() {
    let folder = Folder::new(&[("data.yaml", "users: [{name: Ann, age: 30}, {name: Bob, age: 25}]\n")]);
    let run = folder.run("yaql $.users.where($.age>26).name data.yaml");
    assert_eq!((run.code, run.out.as_str()), (0, "[\n  \"Ann\"\n]\n"), "{}", run.err);
}

#[test]
fn problems_have_places() {
    let run = Folder::new(&[]).run("yaql 1/0");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.ends_with("  1/0\n  ^^^\n"), "{}", run.err);
    let run = Folder::new(&[]).run("yaql 1+*2");
    assert!(run.err.ends_with("  1+*2\n    ^\n"), "{}", run.err);
}

#[test]
fn integers_keep_their_digits() {
    let digits = "7".repeat(60);
    let folder = Folder::new(&[("data.json", &format!("[{digits}, 1]"))]);
    let run = folder.run("yaql $.select($+1) data.json");
    assert_eq!((run.code, run.out), (0, format!("[\n  {}8,\n  2\n]\n", &digits[1..])), "{}", run.err);
}
