//! Decryption by the `gpg` program, so that agents, smart cards and passphrase prompts keep working.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The programs that are tried.
const PROGRAMS: &[&str] = &["gpg2", "gpg"];
/// The maximum time for decryption.
const PATIENCE: Duration = Duration::from_secs(120);

/// Decrypts a document.
///
/// # Errors
///
/// Returns a message if there is no program or no key, or if decryption takes too long.
pub(super) fn decrypt(encrypted: Vec<u8>) -> Result<Vec<u8>, String> {
    let start = |program: &&str| {
        let mut command = Command::new(program);
        command
            .args(["--batch", "--quiet", "--decrypt"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().ok()
    };
    let Some(child) = PROGRAMS.iter().find_map(start) else {
        return Err("there is no program `gpg` to decrypt it".to_owned());
    };
    run(child, encrypted)
}

fn run(mut child: Child, encrypted: Vec<u8>) -> Result<Vec<u8>, String> {
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&encrypted)));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let out = std::thread::spawn(move || read(stdout));
    let err = std::thread::spawn(move || read(stderr));
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("`gpg` took too long to decrypt it".to_owned());
            }
        }
    };
    let _ = writer.join();
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    if status.success() {
        return Ok(out);
    }
    let reason = String::from_utf8_lossy(&err);
    Err(format!("`gpg` can't decrypt it: {}", reason.lines().last().unwrap_or("it does not say why")))
}

fn read(pipe: Option<impl std::io::Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
