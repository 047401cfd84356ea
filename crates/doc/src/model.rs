//! Documentation as data.

use foldhash::HashSet;

use crate::paths::Paths;
use crate::{html, markdown};

/// The limits on a documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of pages.
    pub pages: usize,
    /// The maximum total size of the names and strings on all pages, in bytes, without markup.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pages: 20_000, bytes: 32 << 20 }
    }
}

/// The number of items that a documentation omits because of its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Types without a page.
    pub pages: usize,
    /// Members of documented types.
    pub members: usize,
}

/// The format of a documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HTML pages with a search.
    Html,
    /// Markdown files.
    Markdown,
}

/// A file of a documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the folder of the documentation: at most one folder and a name, of letters, digits, `_`, `-` and `.`.
    pub path: String,
    part: Part,
}

/// The part of a documentation that a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Index,
    Style,
    Search,
    /// The list of the pages of a kind.
    Kind(usize),
    Page(usize),
}

/// The documentation of the types of one or more programs.
#[derive(Debug, Default)]
pub struct Documentation {
    /// The title.
    pub title: String,
    /// The introduction: the root entity of the documented file, without its types.
    pub about: Contents,
    /// The kinds of pages.
    pub kinds: Vec<KindOfPage>,
    /// The pages of the documented types, and of all types that they mention.
    pub pages: Vec<Page>,
    /// The omitted items.
    pub left_out: LeftOut,
    pub(crate) paths: Paths,
    /// If members are omitted: the ids of all others, with their pages.
    pub(crate) anchors: Option<HashSet<(usize, String)>>,
}

impl Documentation {
    /// Returns the id that a link leads to; `None` if it leads to a whole page.
    pub(crate) fn anchor<'l>(&self, link: &'l Link) -> Option<&'l str> {
        let is_there = |page| self.anchors.as_ref().is_none_or(|ids| ids.contains(&(page, link.anchor.clone())));
        link.page.filter(|page| !link.anchor.is_empty() && is_there(*page)).map(|_| &*link.anchor)
    }

    /// Returns the files in a format.
    pub fn files(&self, format: Format) -> Vec<File> {
        let (extension, index, others): (_, _, &[_]) = match format {
            Format::Html => ("html", "index.html", &[("style.css", Part::Style), ("search.js", Part::Search)]),
            Format::Markdown => ("md", "README.md", &[]),
        };
        let folders = &self.paths.folders;
        let top = std::iter::once((index, Part::Index)).chain(others.iter().copied());
        let top = top.map(|(name, part)| (name.to_owned(), part));
        let of_kind = |(kind, folder)| (format!("{folder}/{index}"), Part::Kind(kind));
        let of_page = |(number, page): (usize, &Page)| {
            (format!("{}/{}.{extension}", folders[page.kind], self.paths.stems[number]), Part::Page(number))
        };
        let of_kinds = folders.iter().enumerate().map(of_kind);
        let all = top.chain(of_kinds).chain(self.pages.iter().enumerate().map(of_page));
        all.map(|(path, part)| File { path, part }).collect()
    }

    /// Returns the content of a file, with [`MARK`](crate::MARK) in one of the first two lines.
    pub fn text(&self, format: Format, file: &File) -> String {
        match format {
            Format::Html => html::text(self, file.part),
            Format::Markdown => markdown::text(self, file.part),
        }
    }

    /// Returns the text of a link. Texts for which there was no room are replaced by the name of the page.
    pub(crate) fn link_text<'l>(&'l self, link: &'l Link) -> &'l str {
        match link.page {
            Some(page) if link.text.is_empty() => &self.pages[page].name,
            _ => &link.text,
        }
    }

    /// Returns the numbers of the pages of a kind, sorted by name: those of the documented types, then all others.
    pub(crate) fn of_kind(&self, kind: usize) -> [Vec<usize>; 2] {
        let of = |is_own: bool| {
            let is_wanted = |number: &usize| self.pages[*number].kind == kind && self.pages[*number].is_own == is_own;
            let mut numbers: Vec<usize> = (0..self.pages.len()).filter(is_wanted).collect();
            numbers.sort_by_cached_key(|number| (self.pages[*number].name.to_lowercase(), *number));
            numbers
        };
        [of(true), of(false)]
    }

    /// Returns the pages of a kind as a tree, in order: each with its depth.
    pub(crate) fn tree(&self, kind: usize) -> Vec<(usize, usize)> {
        let [own, others] = self.of_kind(kind);
        let all: Vec<usize> = own.into_iter().chain(others).collect();
        let parent = |page: &usize| self.pages[*page].ancestors.first().and_then(|link| link.page);
        let mut waiting: Vec<(usize, usize)> =
            all.iter().rev().filter(|page| parent(page).is_none()).map(|page| (0, *page)).collect();
        let mut is_shown = vec![false; self.pages.len()];
        let mut shown = Vec::with_capacity(all.len());
        // Types that are derived from themselves have no root.
        let mut rest = all.iter();
        loop {
            let Some((depth, page)) = waiting.pop() else {
                match rest.find(|page| !is_shown[**page]) {
                    Some(page) => waiting.push((0, *page)),
                    None => return shown,
                }
                continue;
            };
            if std::mem::replace(&mut is_shown[page], true) {
                continue;
            }
            shown.push((depth, page));
            let derived = self.pages[page].derived.iter().rev().filter_map(|link| link.page);
            waiting.extend(derived.map(|page| (depth + 1, page)));
        }
    }
}

/// A kind of entity that has pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindOfPage {
    /// The term for an entity, such as `node type`.
    pub title: String,
    /// The term for several of them.
    pub plural: String,
    /// The documentation of the kind, in Markdown.
    pub docs: &'static str,
}

/// The page of a type, or of another entity that importing files can name.
#[derive(Debug, Default)]
pub struct Page {
    /// The index of its kind.
    pub kind: usize,
    /// The name.
    pub name: String,
    /// The file that declares it.
    pub file: String,
    /// Whether it is one of the documented types, rather than one that they mention.
    pub is_own: bool,
    /// Its description, keynames and members.
    pub contents: Contents,
    /// The ancestors, nearest first.
    pub ancestors: Vec<Link>,
    /// The number of its parents, which are the first ancestors.
    pub parents: usize,
    /// Whether there are further ancestors.
    pub has_more_ancestors: bool,
    /// The types that are directly derived from it.
    pub derived: Vec<Link>,
    /// The places that name it.
    pub usages: Vec<Usage>,
    /// The number of further places.
    pub more_usages: usize,
}

/// The content of an entity.
#[derive(Debug, Default)]
pub struct Contents {
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The values of keynames.
    pub facts: Vec<Fact>,
    /// The members, by keyname.
    pub sections: Vec<Section>,
    /// Whether its status or metadata says that it is deprecated.
    pub is_deprecated: bool,
}

/// The value of a keyname.
#[derive(Debug)]
pub struct Fact {
    /// The keyname.
    pub keyname: &'static str,
    /// The documentation of the keyname, in Markdown.
    pub docs: &'static str,
    /// The value.
    pub value: FactValue,
    /// Whether it can be written in place of the entity, if it is the only value.
    pub is_short: bool,
}

impl Contents {
    /// Returns the value that can be written in place of the entity, because there is no other.
    pub(crate) fn short(&self) -> Option<&FactValue> {
        match &self.facts[..] {
            [fact] if fact.is_short && self.description.is_none() && self.sections.is_empty() => Some(&fact.value),
            _ => None,
        }
    }
}

/// The value of a keyname.
#[derive(Debug)]
pub enum FactValue {
    /// Names, mostly of types.
    Links(Vec<Link>),
    /// Values, in YAML.
    Data(Vec<String>),
    /// Unnamed entities.
    Entities(Vec<Contents>),
}

/// The members that a keyname declares.
#[derive(Debug)]
pub struct Section {
    /// The keyname.
    pub keyname: &'static str,
    /// The documentation of the keyname, in Markdown.
    pub docs: &'static str,
    /// The members that the entity itself declares or refines.
    pub own: Vec<Member>,
    /// The members that others declare: ancestors, nearest first, or the type of the entity.
    pub inherited: Vec<Inherited>,
    /// Whether there are further ancestors, which may declare members.
    pub has_more: bool,
}

/// A member, as its declaring type shows it.
#[derive(Debug, Default)]
pub struct Member {
    /// The name.
    pub name: String,
    /// The HTML id; empty if it is a member of a member.
    pub anchor: String,
    /// The type; its text is empty if it has none.
    pub of_type: Option<Link>,
    /// Whether it must be assigned.
    pub is_required: bool,
    /// The declaration that it refines.
    pub refines: Option<Link>,
    /// Its content.
    pub contents: Contents,
}

/// The members that another type declares.
#[derive(Debug)]
pub struct Inherited {
    /// The declaring type.
    pub from: Link,
    /// The members.
    pub members: Vec<Brief>,
    /// The number of further members.
    pub more: usize,
}

/// A member in short.
#[derive(Clone, Debug)]
pub struct Brief {
    /// The name, with a link to its declaration.
    pub link: Link,
    /// The type.
    pub of_type: Option<Link>,
    /// Whether it must be assigned.
    pub is_required: bool,
    /// The first sentence of the description, without markup.
    pub summary: String,
}

/// A name, and the page that it leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The text.
    pub text: String,
    /// The index of the page; `None` if there is none.
    pub page: Option<usize>,
    /// The HTML id on the page; empty for the page as a whole.
    pub anchor: String,
}

/// A place that names a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The type with the place.
    pub user: Link,
    /// The term for the member that names it, such as `requirement`; empty for the user as a whole.
    pub noun: &'static str,
    /// The name of the member or, for the user as a whole, the keyname.
    pub name: String,
    /// The HTML id of the member on the page of the user.
    pub anchor: String,
}
