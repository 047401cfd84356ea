//! Messages over standard input and output.
//!
//! An editor may have a bug, or another program may write to the same stream. A message that can't be read is answered
//! with an error, and reading continues with the next one. No message takes more memory than the maximum length.

use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The maximum length of a message, in bytes.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// The maximum length of a line of a header, in bytes.
const MAX_HEADER_BYTES: u64 = 4 << 10;

/// The threads that read and write.
pub struct Threads {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits for the threads, which end when no more messages can be sent.
    ///
    /// # Errors
    ///
    /// Returns an error if a message could not be written.
    pub fn join(self) -> io::Result<()> {
        let failed = |_| io::Error::other("a thread of the server has failed");
        self.reader.join().map_err(failed)?;
        self.writer.join().map_err(failed)?
    }
}

/// Returns a connection over standard input and output.
pub fn stdio() -> (Connection, Threads) {
    let (ours, theirs) = Connection::memory();
    let Connection { sender, receiver } = theirs;
    let reader = thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let answer = match read(&mut input) {
                Ok(Incoming::Message(message)) => {
                    let is_end = matches!(&message, Message::Notification(last) if last.method == "exit");
                    if sender.send(message).is_err() || is_end {
                        return;
                    }
                    continue;
                }
                Ok(Incoming::Malformed(answer)) => answer,
                Ok(Incoming::End) | Err(_) => return,
            };
            if write_text(&answer.to_string()).is_err() {
                return;
            }
        }
    });
    let writer = thread::spawn(move || {
        receiver.into_iter().try_for_each(|message| {
            let mut out = io::stdout().lock();
            message.write(&mut out)
        })
    });
    (ours, Threads { reader, writer })
}

/// The result of reading a message.
#[derive(Debug)]
enum Incoming {
    Message(Message),
    /// A malformed message, with the answer to it.
    Malformed(Value),
    /// The end of the stream.
    End,
}

/// The name of the header that every message must have.
const LENGTH: &str = "content-length:";

/// Reads a message.
fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut lengths = Vec::new();
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        (&mut *input).take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(Incoming::End);
        }
        if line.last() != Some(&b'\n') {
            skip_line(input)?;
        }
        let line = line.trim_ascii();
        if line.is_empty() && is_first {
            // Blank lines between messages are skipped.
            continue;
        }
        if line.is_empty() {
            break;
        }
        is_first = false;
        let line = String::from_utf8_lossy(line);
        // The content of a message without a length precedes the header of the next one on its line.
        if let Some(at) = line.to_ascii_lowercase().rfind(LENGTH) {
            if lengths.len() < 2 {
                lengths.push(line[at + LENGTH.len()..].trim().parse::<u64>().ok());
            }
            lengths.dedup();
        }
    }
    let [Some(length)] = lengths[..] else {
        let message = if lengths.len() > 1 { "has several values" } else { "has no valid value" };
        let message = format!("the header {message} of `Content-Length`");
        return Ok(malformed(ErrorCode::ParseError, &Value::Null, &message));
    };
    let mut content = (&mut *input).take(length);
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut content, &mut io::sink())?;
        let message = format!("the message has more than {MAX_MESSAGE_BYTES} bytes");
        return Ok(malformed(ErrorCode::ParseError, &Value::Null, &message));
    }
    // The announced length may be too large, so memory is allocated only for bytes that arrive.
    let mut bytes = Vec::new();
    content.read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(Incoming::End);
    }
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(malformed(ErrorCode::ParseError, &Value::Null, &format!("invalid JSON: {error}"))),
    };
    let id = value.get("id").filter(|id| !id.is_null()).cloned();
    let answered = id.clone().filter(|id| id.is_string() || id.is_i64()).unwrap_or_default();
    Ok(match serde_json::from_value(value) {
        Ok(Message::Notification(_)) if id.is_some() => {
            malformed(ErrorCode::InvalidRequest, &answered, "the ID must be a string or an integer of 32 bits")
        }
        Ok(message) => Incoming::Message(message),
        Err(_) => malformed(ErrorCode::InvalidRequest, &answered, "neither a request, a notification, nor a response"),
    })
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, is_end) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

fn malformed(code: ErrorCode, id: &Value, message: &str) -> Incoming {
    Incoming::Malformed(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } }))
}

fn write_text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    /// Returns the codes of the answers to a stream, with 0 for a message.
    fn codes(stream: &str) -> Vec<i64> {
        let mut input = stream.as_bytes();
        let mut codes = Vec::new();
        loop {
            match read(&mut input).unwrap() {
                Incoming::Message(_) => codes.push(0),
                Incoming::Malformed(answer) => codes.push(answer["error"]["code"].as_i64().unwrap()),
                Incoming::End => return codes,
            }
        }
    }

    #[test]
    fn malformed_messages_are_answered_and_survived() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
        let deep = framed(&"[".repeat(100_000));
        for (bad, code) in [
            ("hello\r\n\r\n", -32700),
            ("Content-Length: x\r\n\r\n", -32700),
            ("Content-Length: -1\r\n\r\n", -32700),
            ("Content-Length: 18446744073709551616\r\n\r\n", -32700),
            ("Content-Type: x\r\n\r\n{}", -32700),
            ("Content-Length: -1\r\n\r\n{\"id\":1}", -32700),
            (&*framed(r#"{"a":"#), -32700),
            (&*deep, -32700),
            (&*framed("\u{feff}"), -32700),
            (&*framed("[]"), -32600),
            (&*framed("1"), -32600),
            (&*framed(r#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#), -32600),
            (&*framed(r#"{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}"#), -32600),
            (&*framed(r#"{"jsonrpc":"2.0","id":5000000000,"method":"shutdown"}"#), -32600),
            ("Content-Length: 2\r\nContent-Length: 500\r\n\r\n{}", -32700),
            (&*framed(r#"[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]"#), -32600),
            (&*format!("{}\r\n\r\n", "x".repeat(100_000)), -32700),
        ] {
            assert_eq!(codes(&format!("{good}{bad}{good}")), [0, code, 0], "{bad:.40}");
        }
        assert_eq!(codes(&good.replace("Content-Length", "content-length")), [0]);
        assert_eq!(codes(&good.replace("\r\n\r\n", "\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n")), [0]);
    }

    #[test]
    fn announced_lengths_take_no_memory() {
        for length in [1_u64 << 30, 1_000_000_000_000, u64::MAX] {
            assert_eq!(codes(&format!("Content-Length: {length}\r\n\r\nabc")), [-32700]);
        }
        assert_eq!(codes("Content-Length: 60000000\r\n\r\nabc"), [0_i64; 0]);
    }
}
