//! The output streams of the command.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Stderr, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use anstream::adapter::StripBytes;

use super::output;
use tosca_parse::diagnostic::Color;
use tosca_parse::diagnostic::render::{escaped, sanitize};
use tosca_parse::source::replace::Draft;

/// Standard output and standard error.
///
/// A reader such as `head` closes the pipe when it has read enough. This is not an error: further output is discarded.
/// Escape sequences for color also work on Windows consoles.
pub(super) struct Streams {
    out: Pipe<Output>,
    /// Not locked, because other threads show their progress there.
    err: Pipe<AutoStream<Stderr>>,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self {
            out: Pipe::new(Output::Stream(Box::new(AutoStream::always(io::stdout().lock())))),
            err: Pipe::new(AutoStream::always(io::stderr())),
        }
    }

    /// Redirects requested output to a file, without color.
    pub(super) fn redirect(&mut self, path: &Path) {
        self.out = Pipe::new(Output::File(LazyFile { path: path.to_owned(), draft: None, strip: StripBytes::new() }));
    }

    /// Leaves standard output, which is otherwise locked, to other code. Requested output is discarded from now on.
    pub(super) fn leave_out(&mut self) {
        self.out = Pipe::new(Output::Stream(Box::new(io::sink())));
    }

    /// Returns the stream for requested output. Untrusted text is sanitized.
    pub(super) fn out(&mut self) -> SanitizedWriter<'_> {
        SanitizedWriter::new(&mut self.out)
    }

    /// Returns the number of bytes of requested output so far.
    pub(super) fn written(&self) -> usize {
        self.out.written
    }

    /// Returns the stream for messages. Untrusted text is sanitized.
    pub(super) fn err(&mut self) -> SanitizedWriter<'_> {
        SanitizedWriter::new(&mut self.err)
    }

    /// Returns the stream for requested output of a renderer that sanitizes untrusted text itself and may use color.
    pub(super) fn rendered_out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Returns the stream for messages of a renderer that sanitizes untrusted text itself and may use color.
    pub(super) fn rendered_err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    /// Returns the stream for problems: standard error if standard output carries a result. Their renderers sanitize
    /// untrusted text, and may use [color](is_colored).
    pub(super) fn report(&mut self, is_taken: bool) -> &mut dyn Write {
        if is_taken { &mut self.err } else { &mut self.out }
    }

    /// Flushes both streams and replaces the output file if there is one.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()?;
        let file = self.out.take_if(|output| matches!(output, Output::File(_)));
        if let Some(Output::File(LazyFile { draft: Some(draft), .. })) = file {
            draft.replace()?;
        }
        self.err.flush()
    }
}

/// Returns whether the stream for problems shows color.
pub(super) fn is_colored(color: Color, is_taken: bool) -> bool {
    if is_taken { color.enabled(&io::stderr()) } else { color.enabled(&io::stdout()) }
}

/// Returns the width of help in columns: that of the terminal, if standard output is one.
pub(super) fn width() -> usize {
    const DEFAULT: usize = 100;
    let of_terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let of_variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    of_terminal.or_else(of_variable).filter(|width| *width > 0).unwrap_or(DEFAULT)
}

/// The mark at the start of some files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A writer whose lines are safe: untrusted text in them can't move the cursor, hide other text, show a credential, or
/// give commands to a workflow runner.
pub(super) struct SanitizedWriter<'a> {
    stream: &'a mut dyn Write,
    /// The start of an incomplete line: a harmful sequence may arrive in several pieces.
    line: String,
}

impl<'a> SanitizedWriter<'a> {
    fn new(stream: &'a mut dyn Write) -> Self {
        Self { stream, line: String::new() }
    }

    /// Writes formatted text. With this method, `write!` works where the trait is not in scope.
    pub(super) fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> io::Result<()> {
        Write::write_fmt(self, arguments)
    }

    /// Writes all buffered lines.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        Write::flush(self)
    }

    fn write_line(&mut self, end: &str) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let (line, end) = match line.strip_suffix('\r').filter(|_| !end.is_empty()) {
            Some(line) => (line, "\r\n"),
            None => (&*line, end),
        };
        // A diff must have tabs and the mark at the start of a file if the file has them.
        let changed = line.strip_prefix([' ', '+', '-']).unwrap_or(line);
        let rest = changed.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        write!(self.stream, "{}", &line[..line.len() - rest.len()])?;
        for part in rest.split_inclusive('\t') {
            let text = part.strip_suffix('\t').unwrap_or(part);
            write!(self.stream, "{}{}", sanitize(text), &part[text.len()..])?;
        }
        write!(self.stream, "{end}")
    }
}

impl Write for SanitizedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => {
                    self.line.push_str(line);
                    self.write_line("\n")?;
                }
                None => self.line.push_str(line),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line("")?;
        self.stream.flush()
    }
}

impl Drop for SanitizedWriter<'_> {
    fn drop(&mut self) {
        // Only an incomplete line is left; a closed stream is noticed when it is flushed.
        let _ = self.write_line("");
    }
}

/// Escapes untrusted characters that must not reach a terminal. The JSON keeps its meaning.
fn harmless(json: &[u8]) -> Cow<'_, [u8]> {
    // A quick check of the whole text, because nearly every text is harmless. Workflow commands begin with `##`.
    let is_plain = json.iter().copied().fold(0, u8::max) <= b'~';
    if is_plain && !(json.contains(&b'#') && json.windows(2).any(|pair| pair == b"##")) {
        return Cow::Borrowed(json);
    }
    match std::str::from_utf8(json).map(escaped) {
        Ok(Cow::Owned(escaped)) => Cow::Owned(escaped.into_bytes()),
        _ => Cow::Borrowed(json),
    }
}

/// A writer of JSON that escapes untrusted characters that must not reach a terminal. The JSON keeps its meaning.
pub(super) struct Json<W>(pub(super) W);

impl<W: Write> Write for Json<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(&harmless(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output or a file instead of it.
enum Output {
    Stream(Box<dyn Write>),
    File(LazyFile),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// An output file that is replaced after everything has been written, because it may be an input, too.
struct LazyFile {
    path: PathBuf,
    draft: Option<Draft>,
    /// Removes colors, whose sequences may be split over several writes.
    strip: StripBytes,
}

impl LazyFile {
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl Write for LazyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let draft = match self.draft.take() {
            Some(draft) => draft,
            None => output::draft(&self.path)?,
        };
        let draft = self.draft.insert(draft);
        let result = self.strip.strip_next(bytes).try_for_each(|part| draft.write_all(part));
        result.map(|()| bytes.len()).map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A stream whose reader may close it.
struct Pipe<W: Write> {
    writer: Option<BufWriter<W>>,
    /// The number of bytes that have been written.
    written: usize,
}

impl<W: Write> Pipe<W> {
    fn new(writer: W) -> Self {
        Self { writer: Some(BufWriter::with_capacity(1 << 16, writer)), written: 0 }
    }

    /// Takes the writer if a condition holds. The writer's buffer is discarded, so it must be flushed before.
    fn take_if(&mut self, is_ended: impl FnOnce(&W) -> bool) -> Option<W> {
        let writer = self.writer.take_if(|writer| is_ended(writer.get_ref()));
        writer.map(|writer| writer.into_parts().0)
    }

    fn attempt<T>(&mut self, instead: T, write: impl FnOnce(&mut BufWriter<W>) -> io::Result<T>) -> io::Result<T> {
        let Some(writer) = &mut self.writer else { return Ok(instead) };
        match write(writer) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                // The rest of the buffer must not be written on drop.
                if let Some(writer) = self.writer.take() {
                    drop(writer.into_parts());
                }
                Ok(instead)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.attempt(bytes.len(), |writer| writer.write(bytes))?;
        self.written += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(ErrorKind::BrokenPipe.into())
        }
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure() {
        let mut pipe = Pipe::new(Closed);
        let long = vec![b'a'; 1 << 18];
        assert!(pipe.write_all(&long).is_ok());
        assert!(pipe.write_all(b"more").is_ok());
        assert!(pipe.flush().is_ok());
    }

    #[test]
    fn other_failures_are_told() {
        let mut pipe = Pipe::new(Full);
        pipe.write_all(b"short").unwrap();
        assert_eq!(pipe.flush().unwrap_err().kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn nothing_in_json_reaches_a_terminal_that_has_no_picture() {
        let escaped = |text: &str| {
            let mut json = Vec::new();
            Json(&mut json).write_all(text.as_bytes()).unwrap();
            String::from_utf8(json).unwrap()
        };
        assert_eq!(escaped("{ \"a\": \"b~\" }\n"), "{ \"a\": \"b~\" }\n");
        assert_eq!(escaped("\"gr\u{fc}n\""), "\"gr\u{fc}n\"");
        assert_eq!(escaped("\"\u{7f}\""), "\"\\u007f\"", "the only special character");
        assert_eq!(escaped("\"\u{202e}\u{7f}\""), "\"\\u202e\\u007f\"");
        assert_eq!(escaped("\"# ##[add-mask]\""), "\"# #\\u0023[add-mask]\"", "a command");
    }
}
