//! Input that would exhaust memory without limits.

use std::fmt::Write as _;
use std::process::Command;

/// Aliases and brackets that expand to far more than the memory limit of the process.
#[test]
fn bombs_do_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.yaml");
    let mut bomb =
        format!("tosca_definitions_version: tosca_2_0\ndsl_definitions:\n  l0: &l0 {{ a: {} }}\n", "x".repeat(1000));
    for number in 1..30 {
        let items: Vec<String> = (0..10).map(|key| format!("k{key}: *l{}", number - 1)).collect();
        writeln!(bomb, "  l{number}: &l{number} {{ {} }}", items.join(", ")).unwrap();
    }
    bomb += "metadata: *l29\nnode_types: *l29\n";
    for text in [bomb, format!("tosca_definitions_version: tosca_2_0\nmetadata: {}", "[".repeat(1_000_000))] {
        std::fs::write(&path, text).unwrap();
        // In KiB: little more than a process with a few threads reserves.
        let limited = "ulimit -v 1000000; exec \"$0\" --format concise \"$1\"";
        let output = Command::new("sh")
            .args(["-c", limited, env!("CARGO_BIN_EXE_tosca-parse")])
            .arg(&path)
            .env("RAYON_NUM_THREADS", "2")
            .env("XDG_CONFIG_HOME", folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
