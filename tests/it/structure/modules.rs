//! The modules of a package and their uses of each other, read from its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The segments of a path from the root of the package.
type Segments = Vec<String>;

/// The modules of a package, each with the file that declares it.
pub(super) struct Package {
    modules: BTreeMap<Segments, Module>,
}

/// The uses of other modules in the source of a module, without its tests.
#[derive(Default)]
struct Module {
    /// The paths in the source, from the root. Re-exports are not uses.
    paths: BTreeSet<Segments>,
    /// The re-exported names, with their paths from the root.
    exports: BTreeMap<String, Segments>,
}

impl Package {
    /// Reads the sources below a folder of the repository.
    pub(super) fn read(folder: &str) -> Self {
        let folder = super::root().join(folder);
        let mut package = Self { modules: BTreeMap::new() };
        let files: Vec<_> = super::texts(&folder).into_iter().filter(|(path, _)| is_source(path)).collect();
        let names: Vec<Segments> =
            files.iter().map(|(path, _)| module_name(path.strip_prefix(&folder).unwrap())).collect();
        for ((path, text), name) in files.iter().zip(&names) {
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut reader = Reader { own: name, all: &names, module: Module::default() };
            reader.visit_file(&file);
            package.modules.insert(name.clone(), reader.module);
        }
        package
    }

    /// Returns pairs of a module and one that it uses. Re-exports are followed to the module of the declaration.
    pub(super) fn edges(&self) -> BTreeSet<(&[String], &[String])> {
        let edges = self.modules.iter().flat_map(|(from, module)| {
            module.paths.iter().filter_map(move |path| Some((from.as_slice(), self.module_of(path, 0)?)))
        });
        edges.filter(|(from, to)| from != to).collect()
    }

    /// Returns the groups of modules that use each other in a cycle.
    pub(super) fn cycles(&self) -> Vec<Vec<&[String]>> {
        let mut graph = DiGraph::new();
        let indices: BTreeMap<&[String], _> =
            self.modules.keys().map(|name| (name.as_slice(), graph.add_node(name.as_slice()))).collect();
        for (from, to) in self.edges() {
            graph.add_edge(indices[from], indices[to], ());
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1);
        circles.map(|circle| circle.into_iter().map(|index| graph[index]).collect()).collect()
    }

    /// Returns the module that declares the target of a path.
    fn module_of(&self, path: &[String], depth: usize) -> Option<&[String]> {
        let length = (0..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]))?;
        let (name, module) = self.modules.get_key_value(&path[..length])?;
        match path.get(length).and_then(|item| module.exports.get(item)) {
            Some(target) if depth < 8 => self.module_of(target, depth + 1),
            _ => Some(name),
        }
    }
}

pub(super) fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
        && !path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

pub(super) fn module_name(path: &Path) -> Segments {
    let mut name: Segments = path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if name.last().is_some_and(|last| ["mod", "lib"].contains(&last.as_str())) {
        name.pop();
    }
    name
}

struct Reader<'a> {
    own: &'a Segments,
    all: &'a [Segments],
    module: Module,
}

impl Reader<'_> {
    /// Returns a path from the root of the package, if it refers to something in the package.
    fn absolute(&self, path: &[String]) -> Option<Segments> {
        let mut rest = path;
        let mut from = self.own.clone();
        match path.first()?.as_str() {
            "crate" => {
                from.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            child => {
                from.push(child.to_owned());
                let is_module = self.all.contains(&from);
                from.pop();
                if !is_module {
                    return None;
                }
            }
        }
        while rest.first().is_some_and(|first| first == "super") {
            from.pop();
            rest = &rest[1..];
        }
        from.extend(rest.iter().filter(|segment| *segment != "self").cloned());
        Some(from)
    }

    fn flatten(&mut self, tree: &UseTree, prefix: &[String], is_public: bool) {
        let (ident, name) = match tree {
            UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                return self.flatten(&path.tree, &prefix, is_public);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.flatten(tree, prefix, is_public));
            }
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.ident.to_string(), rename.rename.to_string()),
            UseTree::Glob(_) => ("*".to_owned(), "*".to_owned()),
        };
        if let Some(path) = self.absolute(&[prefix, &[ident]].concat()) {
            if is_public {
                self.module.exports.insert(name, path);
            } else {
                self.module.paths.insert(path);
            }
        }
    }
}

pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(ItemMod { attrs, .. }) if is_test(attrs) => {}
            Item::Use(ItemUse { attrs, .. }) if is_test(attrs) => {}
            _ => syn::visit::visit_item(self, item),
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.flatten(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1
            && let Some(path) = self.absolute(&segments)
        {
            self.module.paths.insert(path);
        }
        syn::visit::visit_path(self, path);
    }
}

#[test]
fn uses_are_followed_to_the_declaration() {
    let package = Package::read("src");
    let edges = package.edges();
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Segments>();
    let (from, to) = (module("check::types::node"), module("grammar::types::node"));
    assert!(edges.contains(&(from.as_slice(), to.as_slice())), "{edges:#?}");
    assert!(edges.len() > 500, "only {} uses", edges.len());
}
