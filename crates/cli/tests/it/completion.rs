//! Completion in real shells: bash, zsh and fish. A shell that is missing is skipped with a message.

use super::*;

/// Lines, each with a word that must be offered at its end and one that must not be.
const LINES: &[(&str, &str, &str)] = &[
    ("tosca-parse gra", "graph", "plan"),
    ("tosca-parse --format ", "concise", "mermaid"),
    ("tosca-parse graph --format ", "mermaid", "concise"),
    ("tosca-parse graph --show ", "substitutions", "mermaid"),
    ("tosca-parse plan --format ", "json", "concise"),
    ("tosca-parse csar ", "create", "graph"),
    ("tosca-parse explain unknown-k", "unknown-keyname", "unknown-name"),
    ("tosca-parse explain T200", "T2001", "T1201"),
    ("tosca-parse --deny unused-i", "unused-input", "unused-type"),
    ("tosca-parse --quirk etsi", "etsinfv", "vendor-sections"),
    ("tosca-parse --limit eval-", "eval-steps=", "import-time="),
    ("tosca-parse reference node", "node", "policy"),
    ("tosca-parse profiles show org.oasis", "org.oasis-open.simple:2.0", "tosca_simple_yaml_1_3"),
    ("tosca-parse valid.yaml --input ", "owner=", "title="),
    ("tosca-parse vali", "valid.yaml", "graph"),
    ("tosca-parse plan vali", "valid.yaml", "types.yaml"),
    ("tosca-parse doc sub/", "inner.yaml", "valid.yaml"),
    ("tosca-parse plan --from sub/", "inner.yaml", "valid.yaml"),
    ("tosca-parse migrate --to tosca_2", "tosca_2_0", "tosca_simple_yaml_1_3"),
];

/// Completes the line `$1`.
const BASH: &str = r#"
source <(tosca-parse completions bash)
read -ra COMP_WORDS <<< "$1"
[[ "$1" == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )) COMP_TYPE=9
_clap_complete_tosca_parse tosca-parse "${COMP_WORDS[COMP_CWORD]}" 2> /dev/null
printf '%s\n' "${COMPREPLY[@]}"
"#;

const FISH: &str = "source (tosca-parse completions fish | psub); complete -C $argv[1]";

/// Types the line `$1` and the tab key into a terminal, and prints the screen until it contains `$2`.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; stty cols 200 -echo; setopt list_rows_first; LISTMAX=0; autoload -Uz compinit; compinit -u -D'
zpty -w shell 'zstyle ":completion:*" menu no; source <(tosca-parse completions zsh); echo re''ady'
while zpty -r shell answer; do [[ $answer == *ready* ]] && break; done
zpty -w -n shell "$1"$'\t\t'
for try in {1..400}; do
    sleep 0.05
    while zpty -r -t shell answer; do shown+=$answer; done
    [[ $shown == *"$2"* ]] && break
done
print -rn -- "$shown"
"#;

/// Returns what a shell offers at the end of a line, where `wanted` should be; `None` if there is no such shell.
fn offered(folder: &Folder, shell: &[&str], line: &str, wanted: &str) -> Option<String> {
    let mut command = Command::new(shell[0]);
    let program = Path::new(env!("CARGO_BIN_EXE_tosca-parse")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
    command.args(&shell[1..]).args([line, wanted]).env("PATH", std::env::join_paths(paths).unwrap());
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env(variable, folder.path().join(".home"));
    }
    match command.current_dir(folder.path()).stdin(Stdio::null()).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => panic!("{error}"),
    }
}

fn check(shell: &[&str]) {
    let folder = Folder::new(&[VALID, TYPES]);
    std::fs::create_dir(folder.path().join(".home")).unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/inner.yaml"), "").unwrap();
    std::thread::scope(|scope| {
        for (line, wanted, unwanted) in LINES {
            let folder = &folder;
            scope.spawn(move || {
                let Some(offered) = offered(folder, shell, line, wanted) else {
                    eprintln!("skipped: there is no {}", shell[0]);
                    return;
                };
                assert!(offered.contains(wanted), "{}: {line}: {offered}", shell[0]);
                assert!(!offered.contains(unwanted), "{}: {line}: {offered}", shell[0]);
            });
        }
    });
}

#[test]
fn bash_completes() {
    check(&["bash", "--norc", "-c", BASH, "bash"]);
}

#[test]
fn bash_quotes_special_characters() {
    let text = "tosca_definitions_version: tosca_2_0\nservice_template: { inputs: { a b$: { type: string } } }\n";
    let folder = Folder::new(&[("odd.yaml", text)]);
    let bash = ["bash", "--norc", "-c", BASH, "bash"];
    for line in ["tosca-parse odd.yaml --input ", "tosca-parse odd.yaml --input a"] {
        let Some(offered) = offered(&folder, &bash, line, "") else { return };
        assert_eq!(offered.trim_end(), "a\\ b\\$=", "{line}");
    }
    std::fs::write(folder.path().join("my $.yaml"), "").unwrap();
    for line in ["tosca-parse my", "tosca-parse plan my"] {
        let Some(offered) = offered(&folder, &bash, line, "") else { return };
        assert_eq!(offered.trim_end(), "my\\ \\$.yaml", "{line}");
    }
}

#[test]
fn fish_completes() {
    check(&["fish", "--no-config", "-c", FISH]);
}

#[test]
fn zsh_completes() {
    check(&["zsh", "-f", "-c", ZSH, "zsh"]);
}
