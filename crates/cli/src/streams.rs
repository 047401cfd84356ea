//! Where the command writes.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Stderr, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use anstream::adapter::StripBytes;

use super::output;
use tosca_parse::diagnostic::render::{escaped, shown};
use tosca_parse::source::replace::Draft;

/// The standard output and the standard error.
///
/// Somebody who reads the output with `head` has seen enough and closes the pipe. That is no failure: what is written
/// after that goes nowhere. Escape sequences for colour are understood on consoles of Windows too.
pub(super) struct Streams {
    out: Pipe<Output>,
    /// Not locked, since other threads show there how far they have got.
    err: Pipe<AutoStream<Stderr>>,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self {
            out: Pipe::new(Output::Stream(Box::new(AutoStream::always(io::stdout().lock())))),
            err: Pipe::new(AutoStream::always(io::stderr())),
        }
    }

    /// Writes to a file what was asked for, instead of to the standard output, and without colour.
    pub(super) fn redirect(&mut self, path: &Path) {
        self.out = Pipe::new(Output::File(Late { path: path.to_owned(), draft: None, strip: StripBytes::new() }));
    }

    /// Lets others write to the standard output, which is locked otherwise; what is written here goes nowhere.
    pub(super) fn leave_out(&mut self) {
        self.out = Pipe::new(Output::Stream(Box::new(io::sink())));
    }

    /// The output of a command. Text of others is made harmless.
    pub(super) fn out(&mut self) -> Plain<'_> {
        Plain::new(&mut self.out)
    }

    /// Messages besides. Text of others is made harmless.
    pub(super) fn err(&mut self) -> Plain<'_> {
        Plain::new(&mut self.err)
    }

    /// The output of a command, for a renderer that makes the text of others harmless, and may use colors.
    pub(super) fn rendered_out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Messages besides, for a renderer that makes the text of others harmless, and may use colors.
    pub(super) fn rendered_err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    /// Where problems go that programs read.
    pub(super) fn report(&mut self, is_taken: bool) -> &mut dyn Write {
        if is_taken { &mut self.err } else { &mut self.out }
    }

    /// Writes everything that is left, and gives an output file its new content.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()?;
        let file = self.out.take_if(|output| matches!(output, Output::File(_)));
        if let Some(Output::File(Late { draft: Some(draft), .. })) = file {
            draft.replace()?;
        }
        self.err.flush()
    }
}

/// Lines in which no text of others moves the cursor, hides other text, shows a credential, or gives a command to the
/// runner of a workflow.
pub(super) struct Plain<'a> {
    stream: &'a mut dyn Write,
    /// The beginning of a line that is not complete: what is harmful may come in several pieces.
    line: String,
}

impl<'a> Plain<'a> {
    fn new(stream: &'a mut dyn Write) -> Self {
        Self { stream, line: String::new() }
    }

    /// For `write!`, where the trait is not in scope.
    pub(super) fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> io::Result<()> {
        Write::write_fmt(self, arguments)
    }

    /// Writes all lines that have been given.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        Write::flush(self)
    }

    fn write_line(&mut self, end: &str) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        write!(self.stream, "{}{end}", shown(&line))
    }
}

impl Write for Plain<'_> {
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

impl Drop for Plain<'_> {
    fn drop(&mut self) {
        // Nothing but an incomplete line is left; that the stream is closed is noticed when it is flushed.
        let _ = self.write_line("");
    }
}

/// JSON that means the same, without what strangers have written that should not reach a terminal.
fn harmless(json: &[u8]) -> Cow<'_, [u8]> {
    // All at once: nearly every text is harmless.
    if json.iter().copied().fold(0, u8::max) <= b'~' {
        return Cow::Borrowed(json);
    }
    match std::str::from_utf8(json).map(escaped) {
        Ok(Cow::Owned(escaped)) => Cow::Owned(escaped.into_bytes()),
        _ => Cow::Borrowed(json),
    }
}

/// Keeps what strangers have written from reaching a terminal, in JSON, which means the same afterwards.
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

/// The standard output, or a file instead of it.
enum Output {
    Stream(Box<dyn Write>),
    File(Late),
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

/// A file that gets its new content when everything is written: until then it may be one that is still to be read.
struct Late {
    path: PathBuf,
    draft: Option<Draft>,
    /// Removes colors, which may be split over several writes.
    strip: StripBytes,
}

impl Late {
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl Write for Late {
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

/// A stream whose reader may go away.
struct Pipe<W: Write> {
    writer: Option<BufWriter<W>>,
}

impl<W: Write> Pipe<W> {
    fn new(writer: W) -> Self {
        Self { writer: Some(BufWriter::with_capacity(1 << 16, writer)) }
    }

    /// The writer, after everything has been flushed, if it is one to be ended.
    fn take_if(&mut self, is_ended: impl FnOnce(&W) -> bool) -> Option<W> {
        let writer = self.writer.take_if(|writer| is_ended(writer.get_ref()));
        writer.map(|writer| writer.into_parts().0)
    }

    fn attempt<T>(&mut self, instead: T, write: impl FnOnce(&mut BufWriter<W>) -> io::Result<T>) -> io::Result<T> {
        let Some(writer) = &mut self.writer else { return Ok(instead) };
        match write(writer) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                // What is left in the buffer must not be written when it is dropped.
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
        self.attempt(bytes.len(), |writer| writer.write(bytes))
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
        assert_eq!(escaped("\"\u{7f}\""), "\"\\u007f\"", "where all else is ASCII, too");
        assert_eq!(escaped("\"\u{202e}\u{7f}\""), "\"\\u202e\\u007f\"");
    }
}
