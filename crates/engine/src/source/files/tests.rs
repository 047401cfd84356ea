#![allow(clippy::unwrap_used)]

use std::io::Write;

use tempfile::TempDir;

use super::*;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn address(&self, name: &str) -> Address {
        Address::from_path(Path::new(name), self.0.path())
    }

    fn write(&self, name: &str, text: &[u8]) -> Address {
        fs::write(self.path(name), text).unwrap();
        self.address(name)
    }
}

#[test]
fn files_are_read_up_to_the_limit() {
    let folder = Folder::new();
    let address = folder.write("a #1.yaml", b"12345");
    assert!(FileProvider.serves(&address) && FileProvider.exists(&address) && !FileProvider.is_slow(&address));
    assert_eq!(FileProvider.read(&address, 5), Ok(b"12345".to_vec()));
    assert_eq!(FileProvider.read(&address, 4), Err(ReadError::TooLarge { limit: 4 }));
    assert_eq!(FileProvider.read(&folder.write("empty", b""), 0), Ok(Vec::new()));
}

#[test]
fn missing_files_are_not_found() {
    let folder = Folder::new();
    let file = folder.write("a.yaml", b"");
    for address in [folder.address("b.yaml"), folder.address("x/b.yaml"), file.join("a.yaml/b").unwrap()] {
        assert!(!FileProvider.exists(&address));
        assert_eq!(FileProvider.read(&address, 10), Err(ReadError::NotFound));
        assert_eq!(FileProvider.identity(&address), address);
    }
}

#[test]
fn folders_are_not_files() {
    let folder = Folder::new();
    fs::create_dir(folder.path("types")).unwrap();
    let address = folder.address("types");
    assert!(!FileProvider.exists(&address));
    assert_eq!(FileProvider.read(&address, 10), Err(ReadError::NotAFile { what: "a directory" }));
    assert_eq!(FileProvider.read(&address.as_directory(), 10), Err(ReadError::NotAFile { what: "a directory" }));
}

#[test]
fn other_addresses_are_not_served() {
    for url in ["https://host/a", "memory:a", "builtin:a"] {
        let address = Address::parse(url).unwrap();
        assert!(!FileProvider.serves(&address) && !FileProvider.exists(&address));
        assert_eq!(FileProvider.read(&address, 10), Err(ReadError::no_provider(&address)));
        assert_eq!(FileProvider.identity(&address), address);
    }
}

#[test]
fn strange_names_have_reasons() {
    let read = |name: &str| FileProvider.read(&Address::from_path(Path::new(name), Path::new("/")), 10).unwrap_err();
    assert_eq!(read("a\0b").to_string(), "its name contains a NUL character");
    assert_eq!(read(&"x".repeat(5000)).to_string(), "its name is longer than the file system allows");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn special_files_are_rejected() {
        let folder = Folder::new();
        assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
        let _listener = UnixListener::bind(folder.path("socket")).unwrap();
        symlink("pipe", folder.path("link")).unwrap();
        for (address, what) in [
            (folder.address("pipe"), "a named pipe"),
            (folder.address("link"), "a named pipe"),
            (folder.address("socket"), "a socket"),
            (Address::parse("file:///dev/zero").unwrap(), "a device"),
            (Address::parse("file:///dev/null").unwrap(), "a device"),
        ] {
            assert_eq!(FileProvider.read(&address, 10), Err(ReadError::NotAFile { what }), "{address}");
            assert!(!FileProvider.exists(&address));
        }
    }

    #[test]
    fn files_without_a_size_have_a_limit_too() {
        // The size of this file is reported as zero.
        let address = Address::parse("file:///proc/self/status").unwrap();
        if FileProvider.exists(&address) {
            assert_eq!(FileProvider.read(&address, 10), Err(ReadError::TooLarge { limit: 10 }));
            assert!(FileProvider.read(&address, 1 << 20).unwrap().len() > 10);
        }
    }

    #[test]
    fn files_that_grow_have_a_limit() {
        let folder = Folder::new();
        let address = folder.write("log", b"");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut file = fs::OpenOptions::new().append(true).open(folder.path("log")).unwrap();
                while !done.load(Ordering::Relaxed) {
                    file.write_all(&[b'x'; 4096]).unwrap();
                }
            });
            let result = loop {
                match FileProvider.read(&address, 1 << 20) {
                    Ok(bytes) if bytes.is_empty() => {}
                    result => break result,
                }
            };
            done.store(true, Ordering::Relaxed);
            match result {
                Ok(bytes) => assert!(bytes.len() <= 1 << 20),
                Err(error) => assert_eq!(error, ReadError::TooLarge { limit: 1 << 20 }),
            }
        });
    }

    #[test]
    fn links_have_the_identity_of_their_target() {
        let folder = Folder::new();
        fs::create_dir(folder.path("types")).unwrap();
        let target = folder.write("types/a.yaml", b"text");
        symlink("types", folder.path("link")).unwrap();
        // Links are also resolved in paths that don't exist.
        let missing = FileProvider.identity(&folder.address("link/x/missing.yaml"));
        assert_eq!(
            missing,
            FileProvider.identity(&folder.address("types")).as_directory().join("x/missing.yaml").unwrap()
        );
        symlink("types/a.yaml", folder.path("b.yaml")).unwrap();
        symlink("loop", folder.path("loop")).unwrap();
        let identity = FileProvider.identity(&target);
        // The identity that is determined within a known directory is the same or unknown.
        for name in ["types/a.yaml", "link/a.yaml", "b.yaml", "loop", "link/missing.yaml", "missing/a.yaml"] {
            let address = folder.address(name);
            let in_directory = FileProvider.identity_in(&FileProvider.identity(&address.directory()), &address);
            let is_link = !name.contains('/');
            let expected = cfg!(target_os = "linux") && !is_link;
            assert_eq!(in_directory, expected.then(|| FileProvider.identity(&address)), "{name}");
        }
        assert_eq!(FileProvider.identity(&folder.address("link/a.yaml")), identity);
        assert_eq!(FileProvider.identity(&folder.address("b.yaml")), identity);
        assert_eq!(FileProvider.identity(&identity), identity);
        assert_eq!(FileProvider.read(&folder.address("b.yaml"), 10), Ok(b"text".to_vec()));
        assert_eq!(
            FileProvider.read(&folder.address("loop"), 10).unwrap_err().to_string(),
            "too many levels of symbolic links"
        );
    }

    #[test]
    fn permissions_are_respected() {
        let folder = Folder::new();
        let address = folder.write("secret.yaml", b"text");
        fs::set_permissions(folder.path("secret.yaml"), fs::Permissions::from_mode(0o0)).unwrap();
        // Root can read the file anyway.
        let expected = match fs::read(folder.path("secret.yaml")) {
            Ok(bytes) => Ok(bytes),
            Err(_) => Err(ReadError::Denied),
        };
        assert_eq!(FileProvider.read(&address, 10), expected);
    }
}
