//! The core library: the classes that every package can name.

use std::sync::LazyLock;

use crate::package::PackageSource;
use crate::runtime::CORE;

/// Classes that belong to the core library although none of its files declares them.
pub(crate) const NATIVE_CLASSES: [&str; 1] = ["io.murano.system.GC"];

/// The declarations of the native classes.
pub(crate) const NATIVES: &str = "\
Namespaces: {=: io.murano.system}
Name: GC
";

/// The text of the built-in core library.
pub(crate) const TEXT: &str = concat!(
    include_str!("../normative/io.murano.yaml"),
    "---\n",
    include_str!("../normative/io.murano.system.yaml"),
    "---\n",
    include_str!("../normative/io.murano.resources.yaml"),
    "---\n",
    include_str!("../normative/io.murano.metadata.yaml"),
);

/// The built-in core library, shared by all runtimes.
pub(crate) static LIBRARY: LazyLock<PackageSource> = LazyLock::new(|| PackageSource::of_file(CORE, "1.4", TEXT));

/// Returns the names of the classes of the core library.
pub(crate) fn names<'n>() -> impl Iterator<Item = &'n str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| LIBRARY.class_names().collect());
    NAMES.iter().map(String::as_str)
}
