//! Where the command writes.

use std::io::{self, BufWriter, ErrorKind, Stderr, StdoutLock, Write};

use anstream::AutoStream;

/// The standard output and the standard error.
///
/// Somebody who reads the output with `head` has seen enough and closes the pipe. That is no failure: what is written
/// after that goes nowhere. Escape sequences for colour are understood on consoles of Windows too.
pub(super) struct Streams {
    out: Pipe<AutoStream<StdoutLock<'static>>>,
    /// Not locked, since other threads show there how far they have got.
    err: Pipe<AutoStream<Stderr>>,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self {
            out: Pipe::new(AutoStream::always(io::stdout().lock())),
            err: Pipe::new(AutoStream::always(io::stderr())),
        }
    }

    /// What was asked for.
    pub(super) fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// What there is to say besides.
    pub(super) fn err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    /// Writes what has not been written yet.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.err.flush()
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
}
