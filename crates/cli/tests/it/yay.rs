//! `tosca-parse yay`, and templates in Yay

use insta::assert_snapshot;

use super::Folder;

const LAYERS: &[(&str, &str)] = &[
    ("base.yay", "set size = 2\nroles:\n  - web\nif size > 1:\n  kind: cluster\nbox:\n  n: {{ size * unit }}\n"),
    ("over.yay", "unit: 5\nextend roles:\n  - db\nbox:\n  m: text {{ here.n }}\n"),
];

#[test]
fn layers_are_evaluated() {
    let folder = Folder::new(LAYERS);
    let run = folder.run("yay json base.yay over.yay");
    assert_eq!(run.code, 0, "{}", run.err);
    let wanted = r#"{"roles":["web","db"],"kind":"cluster","box":{"n":10,"m":"text 10"},"unit":5}"#;
    assert_eq!(run.out.split_whitespace().collect::<String>().replace("text10", "text 10"), wanted);
    assert_eq!(folder.run("yay get roles.1 base.yay over.yay").out, "db\n");
    assert_eq!(folder.run("yay expr size+unit base.yay over.yay").out, "7\n");
    assert_eq!(folder.run("yay get box.n base.yay --input unit=7 --input size=3").out, "21\n");
    let run = folder.run("yay check base.yay");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("Y2001") && run.err.contains("base.yay:7"), "{}", run.err);
    let run = folder.run("yay yaml --label secret over.yay --input size=1");
    assert!(run.out.is_empty() && run.err.contains("Y2001"), "{} {}", run.out, run.err);
    assert_eq!(folder.run("yay get unit --label secret over.yay").out, "'*****'\n");
}

#[test]
fn check_finds_mistakes_in_branches_that_are_not_taken() {
    let text = "large: false\nsize: 2\nif large:\n  nodes: {{ sise }}\nsize: 3\n";
    let folder = Folder::new(&[("main.yay", text), ("right.yay", "size: 2\nif 0:\n  nodes: {{ size }}\n")]);
    let run = folder.run("yay check main.yay");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("error[Y2002]") && run.err.contains("main.yay:4:13"), "{}", run.err);
    assert!(run.err.contains("warning[Y2004]") && run.err.contains("did you mean `size`?"), "{}", run.err);
    // Only `check` reports these mistakes.
    let run = folder.run("yay json main.yay");
    assert_eq!((run.code, &*run.err), (0, ""));
    let run = folder.run("yay check right.yay");
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(folder.run("yay check --input sise=1 main.yay").code, 0);
}

#[test]
fn checks_of_templates_are_optional() {
    let text = "tosca_definitions_version: tosca_2_0\nif 0:\n  description: {{ nope }}\n";
    let folder = Folder::new(&[("service.yay", text)]);
    let run = folder.run("service.yay");
    assert_eq!((run.code, &*run.err), (0, ""));
    let run = folder.run("--warn yay-unknown-name service.yay");
    assert!(run.code == 0 && run.out.contains("warning[Y2002]") && run.out.contains("3:19"), "{}", run.all());
}

#[test]
fn documents_are_drawn() {
    let folder = Folder::new(LAYERS);
    for phase in ["initial", "normalized", "folded"] {
        let run = folder.run(&format!("yay dot --phase {phase} base.yay over.yay"));
        assert_eq!(run.code, 0, "{}", run.err);
        assert_snapshot!(format!("yay-dot-{phase}"), run.out);
    }
    let run = folder.run("yay dot --phase folded --format svg base.yay over.yay");
    assert!(run.out.starts_with("<svg ") && run.out.contains("Sequence"), "{}", run.out);
    // Expressions with unknown names remain.
    let run = folder.run("yay dot --phase folded base.yay");
    assert!(run.code == 0 && run.out.contains("Identifier\\nunit"), "{}{}", run.out, run.err);
    let run = folder.run("yay fold base.yay");
    assert_eq!(run.out, "set size = 2\nroles:\n  - web\nkind: cluster\nbox:\n  n: {{ 2 * unit }}\n", "{}", run.err);
    let run = folder.run("yay fold --label secret base.yay");
    assert!(run.code == 0 && !run.out.contains("cluster"), "{}{}", run.out, run.err);
}

#[test]
fn templates_are_found_in_folders() {
    let template = "tosca_definitions_version: tosca_2_0\ninclude \"rest.yay\"\n";
    let folder = Folder::new(&[("a/one.yay", template), ("lib/rest.yay", "description: {{ who else \"me\" }}\n")]);
    let run = folder.run("a --search lib");
    assert_eq!((run.code, run.out.as_str()), (0, "1 of 1 file is valid\n"), "{}", run.err);
    let run = folder.run("a");
    assert!(run.code == 1 && run.out.contains("Y1003"), "{}", run.all());
    let run = folder.run("a/one.yay --search lib --input who=you --emit json");
    assert!(run.code == 1 || run.out.is_empty(), "{}", run.out);
    assert!(!run.err.contains("T5211"), "{}", run.err);
}

#[test]
fn documents_for_others_are_no_templates() {
    let template = "tosca_definitions_version: tosca_2_0\ninclude \"part.yay\"\n";
    let folder = Folder::new(&[("a/service.yay", template), ("a/part.yay", "description: a part\n")]);
    // In a folder they are skipped; among named files, only on request.
    for arguments in ["a --verbose", "--skip-unversioned a/part.yay a/service.yay"] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.err);
        assert!(!run.out.contains("part.yay") && run.out.contains("service.yay"), "{arguments}: {}", run.out);
    }
    assert_eq!(folder.run("a/part.yay").code, 1);
}

#[test]
fn the_sandbox_keeps_documents_in_their_folders() {
    let folder = Folder::new(&[
        ("p/inner.yay", "include \"part/a.yay\"\n"),
        ("p/part/a.yay", "x: 1\n"),
        ("p/outer.yay", "include \"../b.yay\"\n"),
        ("p/remote.yay", "include \"https://example.invalid/b.yay\"\n"),
        ("p/glob.yay", "include \"../*.yay\"\n"),
        ("p/variable.yay", "x: {{ env.HOME else 0 }}\n"),
        ("b.yay", "x: 2\n"),
    ]);
    assert_eq!(folder.run("yay get x p/outer.yay").out, "2\n");
    for command in ["json", "yaml", "check", "fold", "get x", "expr x", "dot --phase folded"] {
        assert_eq!(folder.run(&format!("yay {command} --sandbox p/inner.yay")).code, 0, "{command}");
        for (file, code) in [("outer", "Y1003"), ("remote", "Y1003"), ("glob", "Y1003"), ("variable", "Y1005")] {
            let run = folder.run(&format!("yay {command} --sandbox p/{file}.yay"));
            assert!(run.code == 1 && run.err.contains(code), "{command} {file}: {}", run.all());
        }
    }
    // The user grants further folders.
    assert_eq!(folder.run("yay get x --sandbox p/outer.yay --search .").out, "2\n");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../../b.yay", folder.path().join("p/part/link.yay")).unwrap();
        std::fs::write(folder.path().join("p/linked.yay"), "include \"part/link.yay\"\n").unwrap();
        assert_eq!(folder.run("yay get x p/linked.yay").out, "2\n");
        assert_eq!(folder.run("yay get x --sandbox p/linked.yay").code, 1);
        // The lookup continues after a file that the sandbox refuses.
        std::fs::create_dir_all(folder.path().join("q/part")).unwrap();
        std::fs::write(folder.path().join("q/part/link.yay"), "x: 3\n").unwrap();
        assert_eq!(folder.run("yay get x --sandbox p/linked.yay --search q").out, "3\n");
    }
}

#[test]
fn the_sandbox_of_templates_is_that_of_documents() {
    let template = "tosca_definitions_version: tosca_2_0\n";
    let folder = Folder::new(&[
        ("p/outer.yay", "include \"b.yay\"\n"),
        ("p/path.yay", "include \"../out/b.yay\"\n"),
        ("p/glob.yay", "include \"../out/*.yay\"\n"),
        ("out/b.yay", template),
        ("out/secret.yay", "x: 1\n"),
    ]);
    for (file, granted) in [("outer", true), ("path", true), ("glob", false)] {
        let refused = folder.run(&format!("--sandbox p/{file}.yay"));
        assert!(refused.code == 1 && !refused.all().contains("secret.yay"), "{file}: {}", refused.all());
        if granted {
            let run = folder.run(&format!("--sandbox p/{file}.yay --search out"));
            assert_eq!(run.code, 0, "{file}: {}", run.all());
        }
    }
}
