//! The remote source on whose behalf another one is read.
//!
//! A remote document must not make this computer send requests to hosts that only it can reach. Providers are layered
//! (archives are read from others), and each read happens on one thread, so the importing document is stored per
//! thread.

use std::cell::RefCell;

use super::Address;

thread_local! {
    static IMPORTER: RefCell<Option<Address>> = const { RefCell::new(None) };
}

/// Runs a closure on behalf of a remote source that names another one; `importer` is `None` if the user or a local
/// source names it.
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

/// Returns the remote source for which this thread reads.
#[cfg(feature = "http")]
pub(super) fn importer() -> Option<Address> {
    IMPORTER.with_borrow(Clone::clone)
}

/// Returns the remote address that a source comes from, which may be that of an archive.
pub fn network_source(address: &Address) -> Option<Address> {
    let outermost = std::iter::successors(Some(address), |address| address.archive()).last()?;
    outermost.is_remote().then(|| outermost.clone())
}
