//! Runs the examples of documentation pages: writes their files, runs their commands, and compares the output.
//!
//! A fenced block whose info string is a language and a path (`yaml lib/types.yaml`) is a file. In a `console` block, a
//! line that begins with `$` is a command, and the lines below it are its output. `UPDATE_DOCS=1` replaces them by the
//! actual output. Commands of an `sh` block have no output in the page; they must succeed.

use std::path::Path;
use std::process::{Command, Stdio};

use super::root;

/// A page to run, and the files that it assumes: their names in the page, and the examples that they are.
type Page = (&'static str, &'static [(&'static str, &'static str)]);

/// The pages to run.
const PAGES: &[Page] = &[
    (
        "docs/archives.md",
        &[
            ("shop/service.yaml", "templates/shop.yaml"),
            ("shop/types/base.yaml", "templates/shop-types.yaml"),
            ("shop/scripts/install-shop.sh", "templates/scripts/install-shop.sh"),
            ("shop/scripts/install-database.sh", "templates/scripts/install-database.sh"),
        ],
    ),
    ("docs/ci.md", &[]),
    ("docs/cli.md", &[]),
    ("docs/configuration.md", &[]),
    ("docs/doc.md", &[]),
    ("docs/fmt.md", &[]),
    (
        "docs/forms.md",
        &[
            ("service.yaml", "templates/cluster.yaml"),
            ("inputs.yaml", "templates/cluster-inputs.json"),
            ("types.yaml", "templates/shop-types.yaml"),
            ("scripts/start-worker.sh", "templates/scripts/start-worker.sh"),
        ],
    ),
    #[cfg(feature = "tables")]
    ("docs/indexes.md", &[]),
    ("docs/migrate.md", &[]),
    ("docs/nfv.md", &[]),
    ("docs/test.md", &[]),
    ("docs/tutorial.md", &[]),
    ("docs/cloudify.md", &[]),
    ("docs/heat.md", &[]),
    ("docs/murano.md", &[]),
    (
        "docs/plans.md",
        &[
            ("service.yaml", "templates/cluster.yaml"),
            ("deployed.yaml", "templates/cluster.yaml"),
            ("old.yaml", "templates/shop.yaml"),
            ("new.yaml", "templates/shop.yaml"),
            ("types.yaml", "templates/shop-types.yaml"),
            ("scripts/start-worker.sh", "templates/scripts/start-worker.sh"),
            ("scripts/install-shop.sh", "templates/scripts/install-shop.sh"),
            ("scripts/install-database.sh", "templates/scripts/install-database.sh"),
        ],
    ),
    (
        "docs/yay.md",
        &[
            ("cluster.yay", "yay/cluster.yay"),
            ("server.yay", "yay/server.yay"),
            ("overrides.yay", "yay/production.yay"),
        ],
    ),
];

#[test]
fn pages_show_what_happens() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let root = root();
    for (name, files) in PAGES {
        let path = root.join(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (file, example) in *files {
            write(&folder.path().join(file), &std::fs::read(root.join("examples").join(example)).unwrap());
        }
        let run = run(&page, folder.path());
        if update {
            std::fs::write(&path, run).unwrap();
        } else if let Some((shown, written)) = page.lines().zip(run.lines()).find(|(shown, written)| shown != written) {
            panic!("{name} shows\n{shown}\nwhere the command writes\n{written}\nUPDATE_DOCS=1 renews the page");
        } else {
            assert_eq!(page.len(), run.len(), "{name} does not show all; UPDATE_DOCS=1 renews the page");
        }
    }
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Runs the commands of a page, and returns the page with their actual output.
fn run(page: &str, folder: &Path) -> String {
    let mut last = 0;
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some((_, path)) => {
                write(&folder.join(path), (block.join("\n") + "\n").as_bytes());
                block.iter().for_each(|line| push(&mut out, line));
            }
            None if info == "console" => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    push(&mut out, &format!("$ {command}"));
                    out.push_str(&typed(command, folder, &mut last));
                }
            }
            None => {
                let commands = block.iter().filter(|line| info == "sh" && line.starts_with("tosca-parse "));
                for command in commands.filter_map(|line| line.split(['#', '|']).next()) {
                    // Words in capitals are placeholders.
                    if !command.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_uppercase)) {
                        let written = typed(command.trim_end(), folder, &mut last);
                        assert_eq!(last, 0, "{command}: {written}");
                    }
                }
                block.iter().for_each(|line| push(&mut out, line));
            }
        }
        push(&mut out, "```");
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Runs a command, and returns its output. The only commands are `tosca-parse`, `cat`, and `echo $?` for the exit code.
fn typed(command: &str, folder: &Path, last: &mut i32) -> String {
    let mut words = words(command).into_iter();
    match words.next().as_deref() {
        Some("echo") => format!("{last}\n"),
        Some("cat") => words.map(|path| std::fs::read_to_string(folder.join(path)).unwrap()).collect(),
        Some("tosca-parse") => {
            let mut process = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
            process.env("XDG_CONFIG_HOME", folder.join(".config")).env("XDG_CACHE_HOME", folder.join(".cache"));
            process.env("HOME", folder.join("home")).env("USERPROFILE", folder.join("home"));
            let output = process.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
            *last = output.status.code().unwrap();
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        }
        other => panic!("{other:?} is no command of the pages"),
    }
}

/// Returns the words of a command, which may be in single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut is_open = false;
    for (index, part) in command.split('\'').enumerate() {
        let is_quoted = index % 2 == 1;
        for (number, piece) in part.split(|it: char| it == ' ' && !is_quoted).enumerate() {
            // Text directly next to a quote belongs to the same word.
            match words.last_mut().filter(|_| is_open && number == 0) {
                Some(last) => last.push_str(piece),
                None if piece.is_empty() && !is_quoted => {}
                None => words.push(piece.to_owned()),
            }
        }
        is_open = is_quoted || !part.ends_with(' ');
    }
    words
}
