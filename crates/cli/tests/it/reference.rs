//! Documentation that the command prints about itself.

use std::path::PathBuf;

use tosca_parse::rules;

use super::*;

#[test]
fn rules_are_explained_by_code_and_name() {
    let folder = folder();
    let run = folder.run("explain T2001");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.starts_with("T2001 unknown-name (error)\n"), "{}", run.out);
    assert!(run.out.contains("\nwrong:\n") && run.out.contains("\nright:\n"), "{}", run.out);
    assert_eq!(folder.run("explain unknown-name").out, run.out);
    let both = folder.run("explain T2001 shadowed-name");
    assert_eq!(both.out, format!("{}\n{}", run.out, folder.run("explain T2003").out));
    let run = folder.run("explain unknwon-name");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("unknown-name"), "{}", run.err);
}

#[test]
fn all_rules_are_listed() {
    let run = folder().run("rules");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(run.out.lines().count(), rules::ALL.len());
    for (line, explained) in run.out.lines().zip(rules::ALL.iter()) {
        let rule = explained.rule;
        assert!(line.starts_with(rule.code) && line.contains(rule.name) && line.ends_with(rule.summary), "{line}");
    }
}

#[test]
fn entities_are_shown_by_whatever_name() {
    let folder = folder();
    let run = folder.run("reference substitution-mappings --in 1.2");
    assert_eq!((run.code, &*run.err), (0, ""));
    insta::assert_snapshot!(run.out);
    for name in ["SubstitutionMapping", "substitution mapping", "Substitution_mapping"] {
        assert_eq!(folder.run(&format!("reference --in 1.2 {name}")).out, run.out);
    }
    let run = folder.run("reference");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.contains("\nnode template "), "{}", run.out);
    assert!(run.out.lines().count() > 30, "{}", run.out);
}

#[test]
fn misspelt_entities_are_told() {
    let run = folder().run("reference node tempalte");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert_eq!(run.err, "error: nothing in TOSCA 2.0 is called `node tempalte`; did you mean `node template`?\n");
    let run = folder().run("reference function definition --in 1.3");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("TOSCA 1.3"), "{}", run.err);
    assert_eq!(folder().run("reference --in 3.0").code, 2);
}

#[test]
fn schemas_are_written() {
    let folder = folder();
    for (arguments, file) in [
        ("schema", "model"),
        ("schema model", "model"),
        ("schema problems", "problems"),
        ("schema plan", "plan"),
        ("schema differences", "differences"),
        ("schema tosca-1.3", "tosca-1.3"),
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, &*run.err), (0, ""));
        let shipped = root().join(format!("docs/{file}.schema.json"));
        let shipped = std::fs::read_to_string(shipped).unwrap().replace("\r\n", "\n");
        assert!(run.out == shipped, "{arguments}");
    }
}

#[test]
fn what_is_written_is_as_the_schemas_say() {
    let folder = folder();
    let validator = |of: &str| {
        let schema = serde_json::from_str(&folder.run(&["schema ", of].concat()).out).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let model = validator("model");
    let templates = root().join("tests/model/templates");
    let examples = root().join("examples/templates");
    let given = "--input name=somebody --input given=5";
    let cluster = "--input image=worker:2";
    let mut files = vec![(examples.join("shop.yaml"), ""), (examples.join("cluster.yaml"), cluster)];
    for file in std::fs::read_dir(templates).unwrap().map(|file| file.unwrap().path()) {
        let inputs = if file.ends_with("values.yaml") { given } else { "" };
        files.push((file, inputs));
    }
    let mut models = 0;
    for (file, inputs) in &files {
        for arguments in ["--emit json", "--emit yaml", "--emit json --positions"] {
            let run = Run::of(folder.command(&[arguments, " ", inputs].concat()).arg(file));
            assert_eq!(run.code, 0, "{}", run.err);
            if !run.out.is_empty() {
                // JSON is YAML too.
                let written = serde_yaml::from_str(&run.out).unwrap();
                assert!(model.is_valid(&written), "{}: {:#?}", file.display(), model.validate(&written));
                models += 1;
            }
        }
    }
    assert!(models >= 36, "{models}");
    let problems = validator("problems");
    for file in ["valid.yaml", "invalid.yaml", "doubtful.yaml", "missing.yaml"] {
        let run = folder.run(&["--format json ", file].concat());
        assert!(problems.is_valid(&serde_json::from_str(&run.out).unwrap()), "{}", run.out);
    }
}

#[test]
fn shells_are_told_how_to_complete_arguments() {
    let folder = folder();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = folder.run(&["completions ", shell].concat());
        assert_eq!((run.code, &*run.err), (0, ""), "{shell}");
        assert!(run.out.contains("TOSCA_PARSE_COMPLETE"), "{shell}: {}", run.out);
        let script = folder.path().join(shell);
        std::fs::write(&script, &run.out).unwrap();
        // The shell itself checks the script, if it is installed.
        if matches!(shell, "bash" | "zsh" | "fish")
            && let Ok(checked) = Command::new(shell).arg("-n").arg(&script).output()
        {
            assert!(checked.status.success(), "{shell}: {}", String::from_utf8_lossy(&checked.stderr));
        }
    }
}

#[test]
fn there_is_a_manual_page() {
    let run = folder().run("man");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(run.out.contains(".TH tosca-parse 1"), "{}", run.out);
    let text = run.out.replace("\\-", "-");
    for word in ["--stop-after", "--input", "--format", "--strict", "EXIT", "explain"] {
        assert!(text.to_uppercase().contains(&word.to_uppercase()), "the page does not mention {word}");
    }
}

#[test]
fn commands_have_manual_pages() {
    for (arguments, title) in
        [("man fmt", ".TH tosca-parse-fmt 1"), ("man csar create", ".TH tosca-parse-csar-create 1")]
    {
        let run = folder().run(arguments);
        assert!(run.code == 0 && run.out.contains(title), "{}", run.all());
    }
    let run = folder().run("man fmtt");
    assert_eq!((run.code, &*run.err), (2, "error: there is no command `fmtt`; did you mean `fmt`?\n"));
}

#[test]
fn versions_can_be_verbose() {
    let short = folder().run("version").out;
    let long = folder().run("version -v").out;
    assert!(long.starts_with(&short) && long.contains("\nTOSCA 1.0, 1.1, 1.2, 1.3, 2.0\n"), "{long}");
}

/// The commands that comments in the example templates suggest.
#[test]
fn examples_work() {
    let templates = root().join("examples/templates");
    let files: Vec<PathBuf> = std::fs::read_dir(&templates).unwrap().map(|file| file.unwrap().path()).collect();
    let mut examples = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "yaml")) {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines().filter_map(|line| line.strip_prefix("#   tosca-parse ")) {
            let run = Run::of(folder().command(line).current_dir(&templates));
            let is_broken = file.file_stem().is_some_and(|name| name == "broken");
            assert_eq!((run.code, &*run.err), (i32::from(is_broken), ""), "{line}");
            assert_eq!(run.out.contains("error["), is_broken, "{line}");
            examples += 1;
        }
    }
    assert!(examples >= 5);
}

#[test]
fn lists_are_json_on_request() {
    let folder = Folder::new(&[]);
    let read = |arguments: &str| -> serde_json::Value {
        let run = folder.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.all());
        serde_json::from_str(&run.out).unwrap()
    };
    let rules = read("rules --format json");
    let unknown = rules.as_array().unwrap().iter().find(|rule| rule["code"] == "T1201").unwrap();
    assert_eq!((&unknown["name"], &unknown["level"]), (&"unknown-keyname".into(), &"error".into()));
    assert!(unknown["url"].as_str().unwrap().ends_with("/rules/T1201.html") && unknown.get("text").is_none());
    let explained = read("explain T1201 --format json");
    assert!(explained[0]["text"].as_str().unwrap().contains("yaml wrong"));
    let limits = read("limits --format json");
    let depth = limits.as_array().unwrap().iter().find(|limit| limit["name"] == "source-size").unwrap();
    assert_eq!((&depth["unit"], &depth["default"]), (&"bytes".into(), &(1_u64 << 28).into()));
    let quirks = read("quirks --format json");
    assert!(quirks["quirks"][0]["needed_by"].is_string() && quirks["sets"][0]["quirks"].is_array());
}

#[test]
fn beginnings_of_names_list_rules() {
    let folder = Folder::new(&[]);
    let run = folder.run("explain unknown");
    assert!(run.out.lines().count() > 3 && run.out.lines().all(|line| line.contains(" unknown-")), "{}", run.all());
    assert_eq!(folder.run("explain unknownx").code, 2);
}
