//! The remote source on whose behalf a source is read.
//!
//! A remote document must not make this computer send requests to hosts that only this computer can reach. Providers
//! are layered (archives are read from other providers), and each read happens on one thread, so the importing document
//! is stored per thread.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::{Address, ReadError};

thread_local! {
    static IMPORTER: RefCell<Option<Address>> = const { RefCell::new(None) };
}

/// Runs `work`, which reads a source on behalf of the remote source `importer`; `None` if the user or a local source
/// requests the read.
pub fn on_behalf_of<T>(importer: Option<Address>, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Address>);
    impl Drop for Restore {
        fn drop(&mut self) {
            IMPORTER.set(self.0.take());
        }
    }
    let _restore = Restore(IMPORTER.replace(importer));
    work()
}

/// Returns the remote source on whose behalf this thread is reading.
pub(super) fn importer() -> Option<Address> {
    IMPORTER.with_borrow(Clone::clone)
}

/// Checks that the source on whose behalf this thread is reading may refer to an object. Otherwise, it could have any
/// object read with the user's credentials.
///
/// # Errors
///
/// Returns an error if a remote source outside of the object's bucket refers to it and the bucket is not in `named`.
pub fn check_bucket(object: &Address, named: &BTreeSet<String>) -> Result<(), ReadError> {
    match (importer(), object.bucket()) {
        (Some(importer), Some(bucket)) if !importer.same_origin(object) && !named.contains(&bucket) => {
            Err(ReadError::OtherBucket { bucket })
        }
        _ => Ok(()),
    }
}

/// Returns the remote address from which a source is read, which may be the address of an archive.
pub fn network_source(address: &Address) -> Option<Address> {
    let outermost = std::iter::successors(Some(address), |address| address.archive()).last()?;
    outermost.is_remote().then(|| outermost.clone())
}
