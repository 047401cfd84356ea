//! Pages of the documentation are run: their files are written, their commands typed, and what they show must come.
//!
//! A fenced block whose info string is a language and a path (`yaml lib/types.yaml`) is a file. In a block `console`, a
//! line that begins with `$` is a command, and what follows is what it writes. `UPDATE_DOCS=1` writes what comes instead.

use std::path::Path;
use std::process::{Command, Stdio};

/// The pages that are run.
const PAGES: &[&str] = &["docs/murano.md", "docs/ci.md", "docs/configuration.md", "docs/migrate.md"];

#[test]
fn pages_show_what_happens() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    for name in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let run = run(&page);
        if update {
            std::fs::write(&path, run).unwrap();
        } else if let Some((shown, written)) = page.lines().zip(run.lines()).find(|(shown, written)| shown != written) {
            panic!("{name} shows\n{shown}\nwhere the command writes\n{written}\nUPDATE_DOCS=1 renews the page");
        } else {
            assert_eq!(page.len(), run.len(), "{name} does not show all; UPDATE_DOCS=1 renews the page");
        }
    }
}

/// The page with what its commands write.
fn run(page: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
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
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, block.join("\n") + "\n").unwrap();
                block.iter().for_each(|line| push(&mut out, line));
            }
            None if info == "console" => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    push(&mut out, &format!("$ {command}"));
                    out.push_str(&typed(command, folder.path(), &mut last));
                }
            }
            None => block.iter().for_each(|line| push(&mut out, line)),
        }
        push(&mut out, "```");
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// What a command writes. There are few: `tosca-parse`, `cat`, and `echo $?` for the exit code.
fn typed(command: &str, folder: &Path, last: &mut i32) -> String {
    let mut words = words(command).into_iter();
    match words.next().as_deref() {
        Some("echo") => format!("{last}\n"),
        Some("cat") => words.map(|path| std::fs::read_to_string(folder.join(path)).unwrap()).collect(),
        Some("tosca-parse") => {
            let mut process = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
            process.env("XDG_CONFIG_HOME", folder.join(".config")).env("XDG_CACHE_HOME", folder.join(".cache"));
            let output = process.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
            *last = output.status.code().unwrap();
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        }
        other => panic!("{other:?} is no command of the pages"),
    }
}

/// The words of a command, which may be in single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut is_open = false;
    for (index, part) in command.split('\'').enumerate() {
        let is_quoted = index % 2 == 1;
        for (number, piece) in part.split(|it: char| it == ' ' && !is_quoted).enumerate() {
            // What stands right beside a quote belongs to the same word.
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
