//! Sources that an embedding program holds in memory.

use std::fmt;
use std::sync::Arc;

use dashmap::DashMap;
use foldhash::fast::RandomState;

use super::{Address, MEMORY, Provider, ReadError};

/// A provider that serves the sources that were inserted into it.
///
/// It serves every address with the scheme `memory`, and any other address for which it has a source: an editor inserts
/// the unsaved text of a file under the file's `file` address, and this provider takes precedence over
/// [`FileProvider`](super::FileProvider).
///
/// Clones share the sources, so that the program can replace sources while a parser holds the provider.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::source::{Address, MemoryProvider, Provider};
///
/// let memory = MemoryProvider::new();
/// let address = Address::parse("memory:service.yaml")?;
/// memory.insert(address.clone(), "errands: {}");
/// assert!(memory.exists(&address));
/// # Ok::<(), tosca_parse::source::AddressError>(())
/// ```
#[derive(Clone, Default)]
pub struct MemoryProvider(Arc<Inner>);

#[derive(Default)]
struct Inner {
    texts: DashMap<Address, Arc<[u8]>, RandomState>,
    profiles: DashMap<String, Address, RandomState>,
}

impl MemoryProvider {
    /// Creates an empty provider.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inserts a source at an address or replaces the existing one.
    pub fn insert(&self, address: Address, text: impl Into<Vec<u8>>) {
        self.0.texts.insert(address, text.into().into());
    }

    /// Removes a source and returns whether there was one.
    pub fn remove(&self, address: &Address) -> bool {
        self.0.texts.remove(address).is_some()
    }

    /// Registers the name under which a profile can be imported. The profile's source need not be in this provider.
    pub fn insert_profile(&self, name: impl Into<String>, address: Address) {
        self.0.profiles.insert(name.into(), address);
    }
}

impl Provider for MemoryProvider {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == MEMORY || self.exists(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        // The map's lock is released before the source is copied.
        let text = self.0.texts.get(address).map(|text| Arc::clone(&text)).ok_or(ReadError::NotFound)?;
        if text.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(text.to_vec()) }
    }

    fn exists(&self, address: &Address) -> bool {
        self.0.texts.contains_key(address)
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        let directory = directory.as_directory();
        let inside = self.0.texts.iter().filter(|text| text.key().directory() == directory);
        let names: Vec<String> = inside.map(|text| text.key().file_name().to_owned()).collect();
        Some(names).filter(|names| !names.is_empty())
    }

    fn profile(&self, name: &str) -> Option<Address> {
        self.0.profiles.get(name).map(|address| address.clone())
    }
}

impl fmt::Debug for MemoryProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryProvider({} texts)", self.0.texts.len())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::list_directory;
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn texts_are_replaced_and_removed() {
        let memory = MemoryProvider::new();
        let handle = memory.clone();
        let service = address("memory:service.yaml");
        assert_eq!(memory.read(&service, 100), Err(ReadError::NotFound));
        handle.insert(service.clone(), "one");
        assert_eq!(memory.read(&service, 100), Ok(b"one".to_vec()));
        handle.insert(service.clone(), b"three".to_vec());
        assert_eq!(memory.read(&service, 5), Ok(b"three".to_vec()));
        assert_eq!(memory.read(&service, 4), Err(ReadError::TooLarge { limit: 4 }));
        assert!(handle.remove(&service) && !handle.remove(&service));
        assert!(!memory.exists(&service));
    }

    #[test]
    fn other_schemes_are_served_if_a_source_exists() {
        let memory = MemoryProvider::new();
        let file = address("file:///home/ada/service.yaml");
        assert!(memory.serves(&address("memory:/absent.yaml")));
        assert!(!memory.serves(&file));
        memory.insert(file.clone(), "unsaved");
        assert!(memory.serves(&file) && memory.exists(&file));
        assert_eq!(memory.identity(&file), file);
        assert!(!memory.is_slow(&file));
    }

    #[test]
    fn profiles_have_names() {
        let memory = MemoryProvider::new();
        memory.insert_profile("org.base:v1", address("memory:base.yaml"));
        assert_eq!(memory.profile("org.base:v1"), Some(address("memory:base.yaml")));
        assert_eq!(memory.profile("org.base:v2"), None);
    }

    #[test]
    fn directories_are_listed() {
        let memory = MemoryProvider::new();
        for file in ["file:///conf/b%20c.yaml", "file:///conf/a.yaml", "file:///conf/inner/d.yaml", "file:///e.yaml"] {
            memory.insert(address(file), "text");
        }
        let other = MemoryProvider::new();
        other.insert(address("file:///conf/a.yaml"), "text");
        let providers: [Arc<dyn Provider>; 2] = [Arc::new(memory), Arc::new(other)];
        let listed = |directory| list_directory(&providers, &address(directory));
        assert_eq!(listed("file:///conf"), Some(vec!["a.yaml".to_owned(), "b c.yaml".to_owned()]));
        assert_eq!(listed("file:///"), Some(vec!["e.yaml".to_owned()]));
        assert_eq!(listed("file:///none/"), None);
    }

    #[test]
    fn threads_share_the_texts() {
        let memory = MemoryProvider::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let memory = &memory;
                scope.spawn(move || {
                    for number in 0..100 {
                        memory.insert(address(&format!("memory:{thread}/{number}")), "text");
                    }
                });
            }
        });
        assert_eq!(format!("{memory:?}"), "MemoryProvider(400 texts)");
    }
}
