//! Decompression with a limit on how far data may expand.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

/// The unpacked size in bytes up to which data may expand by any factor.
const HARMLESS: u64 = 16 << 20;

/// The maximum expansion ratio by default.
pub(super) const MAX_RATIO: u64 = 250;

/// Returns whether data expands by a suspiciously large factor.
pub(super) fn is_bomb(size: u64, packed: u64, ratio: u64) -> bool {
    size > HARMLESS && size / packed.max(1) > ratio
}

/// The error of a [`Gunzip`] whose data expands too far.
#[derive(Debug, thiserror::Error)]
#[error("the data expands too far")]
pub(super) struct ExpandsTooFar;

impl ExpandsTooFar {
    pub(super) fn is_cause_of(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()).is_some()
    }
}

/// A reader that decompresses gzip data and fails if the data expands by more than a ratio.
pub(super) struct Gunzip<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    unpacked: u64,
    ratio: u64,
}

impl<R: Read> Gunzip<R> {
    pub(super) fn new(reader: R, ratio: u64) -> Self {
        Self { decoder: MultiGzDecoder::new(Counted { reader, count: 0 }), unpacked: 0, ratio }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.unpacked += read as u64;
        if is_bomb(self.unpacked, self.decoder.get_ref().count, self.ratio) {
            return Err(io::Error::other(ExpandsTooFar));
        }
        Ok(read)
    }
}

struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}
