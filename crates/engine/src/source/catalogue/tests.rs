#![allow(clippy::unwrap_used)]

use std::fs;

use tempfile::TempDir;

use super::*;

/// The labels for a test language.
pub(super) static LABELS: ProfileHeader = ProfileHeader {
    names: &["profile", "namespace"],
    version: "language_version",
    file: "profile.yaml",
    help: "write `profile: …` in a file",
};

struct Folder(TempDir);

impl Folder {
    /// Creates a folder with the given files, each given as path and text.
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    fn write(&self, path: &str, text: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn address(&self, path: &str) -> Address {
        Address::from_path(Path::new(path), self.0.path())
    }

    fn shown(&self, address: &Address) -> String {
        address.display_name(Some(self.0.path()))
    }

    /// Looks up a name in a catalogue of `place` in this folder.
    fn find(&self, place: &str, name: &str) -> Option<String> {
        let catalogue = Catalogue::new(&LABELS, vec![self.path(place)]);
        catalogue.find(name, &Address::parse("memory:entry").unwrap()).map(|address| self.shown(&address))
    }
}

#[test]
fn folders_are_searched_with_all_that_is_in_them() {
    let folder = Folder::of(&[
        ("a/b/c/base.yaml", "language_version: 2\nprofile: org.base:v1\n"),
        ("no-ending", "language_version: 2\nprofile: io.kubernetes:1.30\n"),
        ("old.yml", "language_version: 1\nnamespace: org.old\n"),
        ("a/.git/hidden.yaml", "profile: hidden\n"),
        (".hidden.yaml", "profile: hidden\n"),
    ]);
    assert_eq!(folder.find("", "org.base:v1").unwrap(), "a/b/c/base.yaml");
    assert_eq!(folder.find("", "io.kubernetes:1.30").unwrap(), "no-ending");
    assert_eq!(folder.find("", "org.old").unwrap(), "old.yml");
    assert_eq!(folder.find("", "hidden"), None);
    assert_eq!(folder.find("", "org.base"), None);
    assert_eq!(folder.find("a/.git", "hidden").unwrap(), "a/.git/hidden.yaml", "asked for by the user");
}

#[test]
fn a_search_path_can_be_a_file() {
    let folder = Folder::of(&[("a.yaml", "profile: a\n"), ("b.yaml", "profile: b\n")]);
    assert_eq!(folder.find("a.yaml", "a").unwrap(), "a.yaml");
    assert_eq!(folder.find("a.yaml", "b"), None);
}

#[test]
fn search_paths_come_before_the_folder_of_the_entry() {
    let folder = Folder::of(&[
        ("entry/service.yaml", ""),
        ("entry/x.yaml", "profile: x\n"),
        ("entry/y.yaml", "profile: y\n"),
        ("entry/below/z.yaml", "profile: z\n"),
        ("one/x.yaml", "profile: x\n"),
        ("two/x.yaml", "profile: x\n"),
        ("two/w.yaml", "profile: w\n"),
    ]);
    let catalogue = Catalogue::new(&LABELS, vec![folder.path("two"), folder.path("one"), folder.path("absent")]);
    let entry = folder.address("entry/service.yaml");
    let find = |name| catalogue.find(name, &entry).map(|address| folder.shown(&address));
    assert_eq!(find("x").unwrap(), "two/x.yaml");
    assert_eq!(find("y").unwrap(), "entry/y.yaml");
    assert_eq!(find("z"), None);
    assert_eq!(Catalogue::new(&LABELS, Vec::new()).find("x", &entry).unwrap(), folder.address("entry/x.yaml"));

    let names = |entry| -> Vec<String> {
        let shown = |(name, address): (String, Address)| format!("{name} {}", folder.shown(&address));
        catalogue.names(entry).into_iter().map(shown).collect()
    };
    assert_eq!(names(Some(&entry)), ["w two/w.yaml", "x two/x.yaml", "y entry/y.yaml"]);
    assert_eq!(names(None), ["w two/w.yaml", "x two/x.yaml"]);
}

#[test]
fn entries_that_are_not_files_have_no_folder() {
    let catalogue = Catalogue::new(&LABELS, Vec::new());
    for entry in ["memory:service.yaml", "https://host/service.yaml"] {
        assert_eq!(catalogue.find("x", &Address::parse(entry).unwrap()), None);
    }
}

#[test]
fn the_choice_between_two_files_is_deterministic() {
    let folder = Folder::of(&[
        ("a/z.yaml", "profile: x\n"),
        ("b/profile.yaml", "profile: x\n"),
        ("c/profile.yaml", "profile: x\n"),
        ("d/1.yaml", "profile: y\n"),
        ("d/2.yaml", "profile: y\n"),
        ("e/1.yaml", "namespace: z\n"),
        ("e/2.yaml", "language_version: 2\nprofile: z\n"),
    ]);
    assert_eq!(folder.find("", "x").unwrap(), "b/profile.yaml");
    assert_eq!(folder.find("", "y").unwrap(), "d/1.yaml");
    assert_eq!(folder.find("", "z").unwrap(), "e/2.yaml");
}

#[test]
fn only_the_beginning_is_read() {
    let comment = "# comment\n".repeat(7000);
    let folder = Folder::of(&[
        ("early.yaml", &format!("description: >\n  long\nprofile: early\n{comment}")),
        ("late.yaml", &format!("{comment}profile: late\n")),
        ("cut.yaml", &format!("#{}\nprofile: cut in two", "x".repeat(65_520))),
        ("binary", "profile: binary\n\0"),
    ]);
    assert_eq!(folder.find("", "early").unwrap(), "early.yaml");
    for name in ["late", "cut in two", "cut", "cu", "c", "binary"] {
        assert_eq!(folder.find("", name), None, "{name}");
    }
}

#[test]
fn large_files_next_to_the_entry_are_skipped() {
    let folder = Folder::of(&[]);
    let mut text = b"profile: large\n".to_vec();
    text.resize(LARGE as usize - 1, b'#');
    folder.write("almost", &text);
    text.push(b'#');
    folder.write("large", &text);
    let found = Catalogue::new(&LABELS, Vec::new()).find("large", &folder.address("service.yaml"));
    assert_eq!(found, Some(folder.address("almost")));
}

#[test]
fn folders_are_searched_once() {
    let folder = Folder::of(&[("a.yaml", "profile: a\n"), ("lib/b.yaml", "profile: b\n")]);
    let catalogue = Catalogue::new(&LABELS, vec![folder.path("lib")]);
    let clone = catalogue.clone();
    let entry = folder.address("service.yaml");
    assert!(catalogue.find("a", &entry).is_some() && catalogue.find("b", &entry).is_some());
    fs::remove_file(folder.path("a.yaml")).unwrap();
    fs::remove_file(folder.path("lib/b.yaml")).unwrap();
    folder.write("c.yaml", b"profile: c\n");
    assert!(clone.find("a", &entry).is_some() && clone.find("b", &entry).is_some());
    assert_eq!(clone.find("c", &entry), None);
    assert!(Catalogue::new(&LABELS, Vec::new()).find("c", &entry).is_some());
}

#[test]
fn threads_share_results() {
    let folder = Folder::of(&[("lib/a.yaml", "profile: a\n"), ("b.yaml", "profile: b\n")]);
    let catalogue = Catalogue::new(&LABELS, vec![folder.path("lib")]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let entry = folder.address("service.yaml");
                assert_eq!(catalogue.find("a", &entry), Some(folder.address("lib/a.yaml")));
                assert_eq!(catalogue.find("b", &entry), Some(folder.address("b.yaml")));
            });
        }
    });
}

#[test]
fn problems_of_search_paths_are_reported() {
    let folder = Folder::of(&[("lib/a.yaml", "profile: a\n")]);
    let catalogue = Catalogue::new(&LABELS, vec![folder.path("absent"), folder.path("lib")]);
    let problems = catalogue.problems();
    assert_eq!(problems, [CatalogueProblem::Missing(folder.path("absent"))]);
    let text = problems[0].to_string();
    assert!(text.starts_with("the profile path `") && text.ends_with("absent` does not exist"));
}

#[test]
fn relative_search_paths_start_at_the_current_directory() {
    let catalogue = Catalogue::new(&LABELS, vec!["src".into()]);
    assert_eq!(catalogue.problems(), []);
    assert_eq!(format!("{catalogue:?}"), format!("Catalogue([{:?}])", std::env::current_dir().unwrap().join("src")));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn links_are_followed_but_not_in_circles() {
        let folder = Folder::of(&[("real/a.yaml", "profile: a\n"), ("lib/b.yaml", "profile: b\n")]);
        symlink("../real", folder.path("lib/link")).unwrap();
        symlink("..", folder.path("real/up")).unwrap();
        symlink("nowhere", folder.path("lib/dangling")).unwrap();
        assert_eq!(folder.find("lib", "a").unwrap(), "lib/link/a.yaml");
        assert_eq!(folder.find("lib", "b").unwrap(), "lib/b.yaml");
    }

    #[test]
    fn pipes_are_passed_over() {
        let folder = Folder::of(&[("z.yaml", "profile: z\n")]);
        assert!(Command::new("mkfifo").arg(folder.path("a.yaml")).status().unwrap().success());
        assert_eq!(folder.find("", "z").unwrap(), "z.yaml");
        let pipe = folder.path("a.yaml");
        assert_eq!(Catalogue::new(&LABELS, vec![pipe.clone()]).problems(), [CatalogueProblem::Unreadable(pipe)]);
    }
}

#[test]
fn search_paths_have_a_common_limit() {
    let folder = Folder::of(&[
        ("a/one.yaml", "profile: one"),
        ("a/two.yaml", "profile: two"),
        ("b/three.yaml", "profile: three"),
        ("c/four.yaml", "profile: four"),
        ("c/five.yaml", "profile: five"),
        ("d/six.yaml", "profile: six"),
    ]);
    let names = |files: usize, entries: usize| {
        let searches = Searches::default();
        // Other parsers have used up the rest.
        let others = Index { remaining: Some(Remaining { entries, files }), ..Index::new(&LABELS) };
        let others = std::cell::RefCell::new(OnceLock::from(Some(others)));
        searches.register(&[PathBuf::new()], "", |path| Shelf { index: others.take(), ..Shelf::new(&LABELS, path) });
        let paths = ["a", "b", "c", "d"].map(|name| folder.path(name));
        let paths = searches.register(&paths, "", |path| Shelf::new(&LABELS, path));
        let catalogue = Catalogue(Arc::new(Inner::new(&LABELS, paths)));
        let names: Vec<String> = catalogue.names(None).into_iter().map(|(name, _)| name).collect();
        (names.join(" "), catalogue.problems())
    };
    assert_eq!(names(6, 10), ("five four one six three two".to_owned(), vec![]));
    let cut = |path: &str| vec![CatalogueProblem::TooMany(folder.path(path))];
    assert_eq!(names(4, 10), ("five one three two".to_owned(), cut("c")));
    assert_eq!(names(6, 6), ("one three two".to_owned(), cut("c")));
    assert_eq!(names(0, 10), (String::new(), cut("a")));
}
