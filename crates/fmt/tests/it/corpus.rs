//! Tests that third-party files keep their data.

use std::path::{Path, PathBuf};
use std::{env, fs};

use tosca_parse_fmt::{Failure, Lists, Options, Quotes, format};

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is readable").map(|entry| entry.expect("so is the entry"))
        {
            match entry.file_type().expect("it has a type") {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn styles() -> [Options; 3] {
    let one = Options {
        indent: 4,
        quotes: Quotes::Single,
        lists: Lists::Flush,
        bracket_spacing: false,
        ..Options::default()
    };
    [Options::default(), one.clone(), Options { quotes: Quotes::Keep, lists: Lists::Indented, ..one }]
}

/// Returns what is wrong with the formatted form of a text, if anything; `None` if the text is not valid YAML.
fn fault(text: &str, style: &Options) -> Option<Option<String>> {
    let once = match format(text, style) {
        Ok(once) => once.apply(text),
        Err(Failure::Invalid(_)) => return None,
        Err(error) => return Some(Some(error.to_string())),
    };
    Some(match format(&once, style) {
        Ok(twice) if twice.is_unchanged() => None,
        Ok(twice) => Some(format!("not stable: {:?}", twice.edits.first())),
        Err(error) => Some(format!("{error} the second time")),
    })
}

/// Asserts that files can be formatted: each in the default style, and in one of all styles in turn.
fn assert_stable(files: &[PathBuf], least: usize) {
    let styles = styles();
    let check = |(index, path): (usize, &PathBuf)| {
        let text = fs::read_to_string(path).ok()?;
        let mut faults = Vec::new();
        for style in [&styles[0], &styles[index % styles.len()]] {
            let name = path.display();
            faults.extend(fault(&text, style)?.map(|fault| format!("{name}: {fault}")));
        }
        Some(faults)
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let results: Vec<Vec<String>> = std::thread::scope(|scope| {
        let work = |worker| move || files.iter().enumerate().skip(worker).step_by(workers).filter_map(check).collect();
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(work(worker))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Vec<String>>>| thread.join().expect("no panic");
        threads.into_iter().flat_map(join).collect()
    });
    let count = results.len();
    let mut faults: Vec<_> = results.into_iter().flatten().collect();
    faults.sort();
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    assert!(count >= least, "only {count} texts");
}

/// Returns the shared YAML files: either those of the YAML test suite, or all others.
fn shared(is_of_suite: bool) -> Vec<PathBuf> {
    let Some(shared) = env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: third-party files, because TOSCA_PARSE_SHARED does not name the folder that contains them");
        return Vec::new();
    };
    let is_wanted = |path: &PathBuf| {
        let is_yaml =
            path.extension().is_some_and(|ending| ["yaml", "yml", "yay"].iter().any(|known| ending == *known));
        let in_suite = path.components().any(|part| part.as_os_str() == "yaml-test-suite");
        is_yaml && in_suite == is_of_suite
    };
    files(&Path::new(&shared).join("conformance")).into_iter().filter(is_wanted).collect()
}

#[test]
fn texts_of_the_yaml_suite_keep_their_data() {
    let files = shared(true);
    assert_stable(&files, if files.is_empty() { 0 } else { 300 });
}

#[test]
fn shared_templates_keep_their_data() {
    let files = shared(false);
    assert_stable(&files, if files.is_empty() { 0 } else { 5000 });
}
