//! Storage for an archive's bytes.
//!
//! Several threads read files in an archive at the same time, each at its own position. An archive may contain images
//! of many gigabytes next to a small template, so an archive in the file system is not read into memory.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of an archive.
#[derive(Clone)]
pub(super) enum Storage {
    Memory(Arc<[u8]>),
    /// A file and the size that it had when it was opened.
    File(Arc<Mutex<File>>, u64),
}

impl Storage {
    pub(super) fn file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::File(Arc::new(Mutex::new(file)), length))
    }

    /// Creates a file that no other process can open and that is deleted when it is closed.
    pub(super) fn temporary() -> io::Result<File> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        #[cfg(windows)]
        {
            const DELETE_ON_CLOSE: u32 = 0x0400_0000;
            std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
            std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, DELETE_ON_CLOSE);
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let random = RandomState::new().hash_one(number);
        let name = format!("tosca-parse-{}-{number}-{random:x}.tmp", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = options.open(&path)?;
        #[cfg(unix)]
        std::fs::remove_file(&path)?;
        Ok(file)
    }

    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, length) => *length,
        }
    }

    pub(super) fn reader(&self) -> Reader {
        Reader { storage: self.clone(), at: 0, end: self.length(), buffer: Vec::new(), used: 0 }
    }

    /// Returns a reader for `length` bytes from `start` on.
    pub(super) fn part(&self, start: u64, length: u64) -> Reader {
        let end = start.saturating_add(length).min(self.length());
        Reader { at: start.min(end), end, ..self.reader() }
    }

    /// Reads bytes at the given position into `buffer`. Returns the number of bytes, which is 0 at the end.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Memory(bytes) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
                (&bytes[at..]).read(buffer)
            }
            Self::File(file, length) => {
                let most = usize::try_from(length.saturating_sub(at)).unwrap_or(usize::MAX).min(buffer.len());
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(at))?;
                file.read(&mut buffer[..most])
            }
        }
    }
}

/// A reader for an archive's bytes, with its own position. A clone continues at the same position.
pub(super) struct Reader {
    storage: Storage,
    /// The position after the buffer.
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that have been read.
    used: usize,
}

impl Reader {
    const BUFFER: usize = 16 << 10;

    /// Returns the position of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.at - (self.buffer.len() - self.used) as u64
    }
}

impl Clone for Reader {
    fn clone(&self) -> Self {
        Self { storage: self.storage.clone(), at: self.position(), end: self.end, buffer: Vec::new(), used: 0 }
    }
}

impl Read for Reader {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.used == self.buffer.len() {
            let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
            if target.len() >= Self::BUFFER {
                let most = target.len().min(left);
                let read = self.storage.read_at(self.at, &mut target[..most])?;
                self.at += read as u64;
                return Ok(read);
            }
            self.buffer.resize(Self::BUFFER.min(left), 0);
            self.used = 0;
            let read = self.storage.read_at(self.at, &mut self.buffer);
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            self.at += read? as u64;
        }
        let read = (&self.buffer[self.used..]).read(target)?;
        self.used += read;
        Ok(read)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, offset) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(offset) => (self.end, offset),
            SeekFrom::Current(offset) => (self.position(), offset),
        };
        let at = base.checked_add_signed(offset);
        let at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a position before the beginning"))?;
        let start = self.at - self.buffer.len() as u64;
        if (start..=self.at).contains(&at) {
            self.used = (at - start) as usize;
        } else {
            self.buffer.clear();
            self.used = 0;
            self.at = at;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write;

    use super::*;

    #[test]
    fn files_and_memory_are_read_alike() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        for storage in [Storage::file(file).unwrap(), Storage::Memory(bytes.clone().into())] {
            assert_eq!(storage.length(), 100_000);
            let mut all = Vec::new();
            storage.reader().read_to_end(&mut all).unwrap();
            assert_eq!(all, bytes);
            let mut part = Vec::new();
            storage.part(90, 20_000).read_to_end(&mut part).unwrap();
            assert_eq!(part, bytes[90..20_090]);
            for (start, length) in [(99_999, 1), (200_000, 0)] {
                let mut end = Vec::new();
                assert_eq!(storage.part(start, 20).read_to_end(&mut end).unwrap(), length);
            }
            let mut reader = storage.reader();
            let mut four = [0; 4];
            for (to, at) in [
                (SeekFrom::Start(50_000), 50_000),
                (SeekFrom::Current(-10), 49_994),
                (SeekFrom::End(-4), 99_996),
                (SeekFrom::Current(-99_999), 1),
                (SeekFrom::Current(0), 5),
            ] {
                assert_eq!(reader.seek(to).unwrap(), at as u64);
                let mut clone = reader.clone();
                reader.read_exact(&mut four).unwrap();
                assert_eq!(four, bytes[at..at + 4]);
                clone.read_exact(&mut four).unwrap();
                assert_eq!(four, bytes[at..at + 4]);
            }
            assert_eq!(reader.seek(SeekFrom::Start(1 << 40)).unwrap(), 1 << 40);
            assert_eq!(reader.read(&mut four).unwrap(), 0);
            assert!(reader.seek(SeekFrom::End(-200_000)).is_err());
        }
    }
}
