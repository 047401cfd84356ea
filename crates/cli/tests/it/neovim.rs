//! The server in a real editor: Neovim without a window, with the file that `editors/neovim` provides for users.
//! Skipped with a message if `nvim` is missing.

use super::*;

const TYPES: &str = "\
tosca_definitions_version: tosca_2_0
node_types:
  Server:
    properties:
      port: { type: integer }
      memory: { type: integer, required: false }
";

const SERVICE: &str = "\
tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  node_templates:
    web:
      type: Server
      proprties:
        port: 80
";

#[test]
fn a_template_is_mended_in_neovim() {
    let folder = Folder::new(&[("types.yaml", TYPES), ("service.yaml", SERVICE)]);
    let root = root();
    let mut editor = Command::new("nvim");
    editor.args(["--headless", "--clean", "--cmd", "filetype on"]);
    editor.args(["--cmd", concat!("let g:tosca_parse = '", env!("CARGO_BIN_EXE_tosca-parse"), "'")]);
    editor.arg("-u").arg(root.join("editors/neovim/tosca-parse.lua"));
    editor.arg("-S").arg(root.join("crates/cli/tests/it/neovim.lua"));
    for variable in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
        editor.env(variable, folder.path().join(".home"));
    }
    editor.current_dir(folder.path()).stdin(Stdio::null());
    let output = match editor.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: there is no nvim");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let seen = std::fs::read_to_string(folder.path().join("seen")).unwrap_or_else(|_| panic!("{said}"));
    insta::assert_snapshot!(seen);
}
