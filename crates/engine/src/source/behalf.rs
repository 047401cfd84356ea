//! The source on behalf of which another one is read.
//!
//! A document from the network must not make this computer ask others that only it can reach. Providers lie in several
//! layers (archives read from others), and all of a reading happens on one thread, so the thread knows for which
//! document it reads.

use std::cell::RefCell;

use super::Address;

thread_local! {
    static IMPORTER: RefCell<Option<Address>> = const { RefCell::new(None) };
}

/// Does something for a source from the network that names another one; `None` for what the user or a local source names.
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

/// The source from the network for which this thread reads.
#[cfg(feature = "http")]
pub(super) fn importer() -> Option<Address> {
    IMPORTER.with_borrow(Clone::clone)
}

/// The address on the network that a source comes from, which may be that of an archive.
pub fn network_source(address: &Address) -> Option<Address> {
    let outermost = std::iter::successors(Some(address), |address| address.archive()).last()?;
    outermost.is_remote().then(|| outermost.clone())
}
