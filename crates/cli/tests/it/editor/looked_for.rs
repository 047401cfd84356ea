//! Files that programs look for without reading them.

use serde_json::json;

use super::desk::Desk;

const HEAT: &str = "heat_template_version: 2021-04-16
outputs:
  script: { value: { get_file: scripts/boot.sh } }
";

const TOSCA: &str = "tosca_definitions_version: tosca_2_0
artifact_types: { Script: {} }
node_types: { Server: {} }
service_template:
  node_templates:
    web: { type: Server, artifacts: { boot: { type: Script, file: boot.sh } } }
";

#[test]
fn a_file_that_appears_or_disappears_settles_its_problem() {
    let mut desk = Desk::new(&json!({}), &[("closed.yaml", HEAT)]);
    desk.open("a.yaml", HEAT);
    desk.open("b.yaml", TOSCA);
    let codes = |desk: &Desk| ["a.yaml", "closed.yaml", "b.yaml"].map(|file| desk.codes(file).join(" "));
    // Documents that are not saved yet have no neighbors.
    assert_eq!(codes(&desk), ["", "H6001", ""]);
    std::fs::write(desk.path("a.yaml"), HEAT).unwrap();
    std::fs::write(desk.path("b.yaml"), TOSCA).unwrap();
    desk.replace("a.yaml", HEAT);
    desk.replace("b.yaml", TOSCA);
    let missing = codes(&desk);
    assert_eq!((&*missing[0], &*missing[1], missing[2].is_empty()), ("H6001", "H6001", false));
    std::fs::create_dir(desk.path("scripts")).unwrap();
    std::fs::write(desk.path("scripts/boot.sh"), "").unwrap();
    std::fs::write(desk.path("boot.sh"), "").unwrap();
    for file in ["scripts/boot.sh", "boot.sh"] {
        desk.report_change(file, 1);
    }
    assert_eq!(codes(&desk), ["", "", ""]);
    // Some editors report only the folder.
    std::fs::remove_dir_all(desk.path("scripts")).unwrap();
    desk.report_change("scripts", 3);
    assert_eq!(codes(&desk), ["H6001", "H6001", ""]);
    std::fs::remove_file(desk.path("boot.sh")).unwrap();
    desk.report_change("boot.sh", 3);
    assert_eq!(codes(&desk), missing);
    // A change to any other file is no reason to parse anything.
    std::fs::write(desk.path("other.sh"), "").unwrap();
    desk.report_change("other.sh", 1);
    assert_eq!(codes(&desk), missing);
}

#[test]
fn such_files_are_watched() {
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut desk = Desk::new(&capabilities, &[("a.yaml", HEAT), ("b.yaml", TOSCA)]);
    let patterns = |desk: &mut Desk| {
        let sent = std::mem::take(&mut desk.sent);
        let registrations = sent.iter().flat_map(|sent| sent["params"]["registrations"].as_array().unwrap().clone());
        let watchers = registrations.flat_map(|one| one["registerOptions"]["watchers"].as_array().unwrap().clone());
        watchers.map(|one| one["globPattern"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(patterns(&mut desk), ["**/*.{yaml,yml}", "**/*.sh"]);
    desk.open("a.yaml", &HEAT.replace("boot.sh", "other.sh"));
    assert_eq!(patterns(&mut desk), [""; 0]);
    desk.replace("a.yaml", &HEAT.replace("boot.sh", "Makefile"));
    assert_eq!(patterns(&mut desk), ["**/Makefile"]);
}
