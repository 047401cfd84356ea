//! Markdown pages, with links between them, for repositories.

use std::fmt::Write as _;

use tosca_parse::diagnostic::markdown::{code, yaml};

use crate::html::{capital, first_paragraph, summary, words};
use crate::model::{Contents, Documentation, Fact, FactValue, Inherited, Link, Member, Page, Part, Section};
use crate::{MARK, diagram, prose};

/// The depth from which lists are no longer indented.
const MAX_INDENT: usize = 10;

/// Returns the content of a file.
pub(crate) fn text(documentation: &Documentation, part: Part) -> String {
    let writer = Writer { documentation };
    match part {
        Part::Index => writer.index(),
        Part::Kind(kind) => writer.kind(kind),
        Part::Page(page) => writer.page(page),
        // Only HTML has them.
        Part::Style | Part::Search => String::new(),
    }
}

#[derive(Clone, Copy)]
struct Writer<'d> {
    documentation: &'d Documentation,
}

impl Writer<'_> {
    fn path(self, page: usize) -> String {
        let paths = &self.documentation.paths;
        format!("{}/{}.md", paths.folders[self.documentation.pages[page].kind], paths.stems[page])
    }

    /// Returns a name as a link from a page in a folder.
    fn link(self, link: &Link) -> String {
        self.link_from("../", link)
    }

    fn link_from(self, root: &str, link: &Link) -> String {
        let name = prose::name(self.documentation.link_text(link));
        link.page.map_or_else(|| name.clone(), |page| format!("[{name}]({root}{})", self.path(page)))
    }

    fn index(self) -> String {
        let Documentation { title, about, kinds, left_out, .. } = self.documentation;
        let mut out = begin(&prose::escape(&prose::line(title)));
        self.contents(&mut out, about, "");
        if left_out.pages > 0 || left_out.members > 0 {
            let _ = writeln!(
                out,
                "\n> The limits of this documentation omit {} types and {} members.",
                left_out.pages, left_out.members
            );
        }
        for (number, kind) in kinds.iter().enumerate() {
            let [own, others] = self.documentation.of_kind(number);
            let folder = &self.documentation.paths.folders[number];
            let _ = writeln!(out, "\n## {}\n", capital(&kind.plural));
            for page in &own {
                self.item(&mut out, *page, "", 0);
            }
            if !others.is_empty() {
                let space = if own.is_empty() { "" } else { "\n" };
                let all = if own.is_empty() { "Those of other files" } else { "All, with those of other files" };
                let _ = writeln!(out, "{space}[{all}]({folder}/README.md)");
            }
        }
        out
    }

    /// Writes a page as an item of a list.
    fn item(self, out: &mut String, page: usize, root: &str, depth: usize) {
        let Page { name, contents, .. } = &self.documentation.pages[page];
        let link = Link { text: name.clone(), page: Some(page), anchor: String::new() };
        let summary = prose::escape(&summary(contents));
        let dash = if summary.is_empty() { "" } else { " – " };
        let indent = "  ".repeat(depth.min(MAX_INDENT));
        let deprecated = if contents.is_deprecated { " (deprecated)" } else { "" };
        let _ = writeln!(out, "{indent}- {}{deprecated}{dash}{summary}", self.link_from(root, &link));
    }

    fn kind(self, number: usize) -> String {
        let kind = &self.documentation.kinds[number];
        let mut out = begin(&capital(&kind.plural));
        let _ = writeln!(out, "\n{}\n", prose::markdown(first_paragraph(kind.docs)));
        for (depth, page) in self.documentation.tree(number) {
            self.item(&mut out, page, "../", depth);
        }
        out.push_str("\n[Index](../README.md)\n");
        out
    }

    fn page(self, number: usize) -> String {
        let page = &self.documentation.pages[number];
        let kind = &self.documentation.kinds[page.kind];
        let mut out = begin(&format!("{} {}", capital(&kind.title), prose::name(&page.name)));
        let _ = writeln!(
            out,
            "\n[Index](../README.md) / [{}](README.md) / declared in {}",
            capital(&kind.plural),
            prose::name(&page.file)
        );
        if page.contents.is_deprecated {
            out.push_str("\n**Deprecated**\n");
        }
        self.contents(&mut out, &page.contents, "");
        self.hierarchy(&mut out, number);
        for section in &page.contents.sections {
            self.section(&mut out, section);
        }
        self.usages(&mut out, page);
        out
    }

    /// Writes a description and keynames.
    fn contents(self, out: &mut String, contents: &Contents, indent: &str) {
        if let Some(description) = contents.description.as_deref().filter(|description| !description.trim().is_empty())
        {
            out.push('\n');
            push_indented(out, &prose::markdown(description), indent);
        }
        if !contents.facts.is_empty() {
            out.push('\n');
            contents.facts.iter().for_each(|fact| self.fact(out, fact, indent));
        }
    }

    fn fact(self, out: &mut String, fact: &Fact, indent: &str) {
        // Lists of descriptions mostly have dashes; another sign begins another list.
        let _ = write!(out, "{indent}* {}:", code(fact.keyname));
        if let Some(text) = self.inline(&fact.value) {
            let _ = writeln!(out, " {text}");
            return;
        }
        let inner = format!("{indent}  ");
        match &fact.value {
            FactValue::Links(_) => {}
            FactValue::Data(texts) => {
                for text in texts {
                    out.push_str("\n\n");
                    push_indented(out, &yaml(text), &inner);
                }
                out.push('\n');
            }
            FactValue::Entities(entities) => {
                out.push('\n');
                let is_list = entities.len() > 1;
                for (number, entity) in entities.iter().enumerate() {
                    if is_list {
                        let short = entity.short().and_then(|value| self.inline(value));
                        let _ = writeln!(out, "{inner}* {}", short.clone().unwrap_or(format!("no. {}", number + 1)));
                        if short.is_some() {
                            continue;
                        }
                    }
                    let indent = if is_list { format!("{inner}  ") } else { inner.clone() };
                    self.contents(out, entity, &indent);
                    self.inner(out, &entity.sections, &indent);
                }
            }
        }
    }

    /// Returns a value as part of a line, if it is short.
    fn inline(self, value: &FactValue) -> Option<String> {
        match value {
            FactValue::Links(links) => Some(self.links(links, ", ")),
            FactValue::Data(texts) if texts.iter().all(|text| !text.contains('\n')) => {
                let texts: Vec<String> = texts.iter().map(|text| prose::name(text)).collect();
                Some(texts.join(", "))
            }
            FactValue::Data(_) => None,
            FactValue::Entities(entities) => {
                let texts: Option<Vec<String>> = entities.iter().map(|entity| self.inline(entity.short()?)).collect();
                Some(texts?.join(", "))
            }
        }
    }

    fn links(self, links: &[Link], separator: &str) -> String {
        links.iter().map(|link| self.link(link)).collect::<Vec<_>>().join(separator)
    }

    fn hierarchy(self, out: &mut String, number: usize) {
        let page = &self.documentation.pages[number];
        if page.ancestors.is_empty() && page.derived.is_empty() {
            return;
        }
        out.push_str("\n## Inheritance\n");
        if !page.ancestors.is_empty() {
            let more = if page.has_more_ancestors { " ← …" } else { "" };
            let _ = writeln!(out, "\nDerived from {}{more}", self.links(&page.ancestors, " ← "));
        }
        if !page.derived.is_empty() {
            let _ = writeln!(out, "\nDerived types: {}", self.links(&page.derived, ", "));
        }
        let target = |link: &Link| Some(format!("../{}", self.path(link.page?)));
        if let Some(graph) = diagram::graph(self.documentation, number, &target) {
            let _ = writeln!(out, "\n```mermaid\n{}```", graph.mermaid());
        }
    }

    fn section(self, out: &mut String, section: &Section) {
        let _ = writeln!(out, "\n## {}\n\n{}", words(section.keyname), prose::markdown(section.docs));
        for member in &section.own {
            let _ = writeln!(out, "\n### {}", self.title(member));
            self.contents(out, &member.contents, "");
            self.inner(out, &member.contents.sections, "");
        }
        for inherited in &section.inherited {
            let _ = writeln!(out, "\nInherited from {}:\n", self.link(&inherited.from));
            self.inherited(out, inherited, "");
        }
        if section.has_more {
            out.push_str("\nFurther ancestors may declare more.\n");
        }
    }

    /// Returns the name of a member with its type.
    fn title(self, member: &Member) -> String {
        let of_type = member.of_type.as_ref().map(|of_type| format!(": {}", self.link(of_type)));
        let refines = member.refines.as_ref().map(|link| format!(", refines that of {}", self.link(link)));
        let required = if member.is_required { ", required" } else { "" };
        let deprecated = if member.contents.is_deprecated { ", deprecated" } else { "" };
        let (of_type, refines) = (of_type.unwrap_or_default(), refines.unwrap_or_default());
        format!("{}{of_type}{required}{deprecated}{refines}", prose::name(&member.name))
    }

    fn inherited(self, out: &mut String, inherited: &Inherited, indent: &str) {
        for brief in &inherited.members {
            let of_type = brief.of_type.as_ref().map(|of_type| format!(": {}", self.link(of_type)));
            let required = if brief.is_required { ", required" } else { "" };
            let dash = if brief.summary.is_empty() { "" } else { " – " };
            let _ = writeln!(
                out,
                "{indent}- {}{}{required}{dash}{}",
                self.link(&brief.link),
                of_type.unwrap_or_default(),
                prose::escape(&brief.summary)
            );
        }
        if inherited.more > 0 {
            let _ = writeln!(out, "{indent}- and {} more", inherited.more);
        }
    }

    /// Writes the members of a member.
    fn inner(self, out: &mut String, sections: &[Section], indent: &str) {
        for section in sections {
            if !section.own.is_empty() {
                let _ = writeln!(out, "\n{indent}{}:\n", words(section.keyname));
                let inner = format!("{indent}  ");
                for member in &section.own {
                    let _ = writeln!(out, "{indent}- {}", self.title(member));
                    self.contents(out, &member.contents, &inner);
                    self.inner(out, &member.contents.sections, &inner);
                }
            }
            for inherited in &section.inherited {
                let _ = writeln!(out, "\n{indent}{} of {}:\n", words(section.keyname), self.link(&inherited.from));
                self.inherited(out, inherited, indent);
            }
        }
    }

    fn usages(self, out: &mut String, page: &Page) {
        if page.usages.is_empty() {
            return;
        }
        out.push_str("\n## Used by\n\n");
        for same in page.usages.chunk_by(|one, other| one.user == other.user) {
            let places: Vec<String> = same
                .iter()
                .map(|usage| format!("{} {}", usage.noun, prose::name(&usage.name)).trim_start().to_owned())
                .collect();
            let _ = writeln!(out, "- {}: {}", self.link(&same[0].user), places.join(", "));
        }
        if page.more_usages > 0 {
            let _ = writeln!(out, "- and {} more places", page.more_usages);
        }
    }
}

/// Returns the start of a file.
fn begin(title: &str) -> String {
    format!("<!-- {MARK} -->\n\n# {title}\n")
}

/// Writes lines with an indentation.
fn push_indented(out: &mut String, text: &str, indent: &str) {
    for line in text.lines() {
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
        out.push('\n');
    }
}
