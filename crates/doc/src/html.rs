//! HTML pages.
//!
//! They load only files from the same folder, so they work without a server. The search is a script with its index.

use std::fmt::Write as _;

use serde_json::json;
use tosca_parse::diagnostic::render::xml;

use crate::model::{Contents, Documentation, Fact, FactValue, Inherited, Link, Member, Page, Part, Section};
use crate::{MARK, diagram, prose};

/// The depth from which a tree is no longer indented.
const MAX_INDENT: usize = 12;

/// Returns the content of a file.
pub(crate) fn text(documentation: &Documentation, part: Part) -> String {
    let writer = Writer { documentation };
    match part {
        Part::Index => writer.index(),
        Part::Style => format!("/* {MARK} */\n{}", include_str!("style.css")),
        Part::Search => writer.search(),
        Part::Kind(kind) => writer.kind(kind),
        Part::Page(page) => writer.page(page),
    }
}

#[derive(Clone, Copy)]
struct Writer<'d> {
    documentation: &'d Documentation,
}

impl Writer<'_> {
    /// Returns the path of a page in the folder of the documentation.
    fn path(self, page: usize) -> String {
        let paths = &self.documentation.paths;
        format!("{}/{}.html", paths.folders[self.documentation.pages[page].kind], paths.stems[page])
    }

    /// Returns the target of a link from a page in a folder.
    fn target(self, link: &Link) -> Option<String> {
        let anchor = self.documentation.anchor(link).map(|anchor| format!("#{anchor}")).unwrap_or_default();
        Some(format!("../{}{anchor}", self.path(link.page?)))
    }

    /// Returns a name as a link.
    fn link(self, link: &Link) -> String {
        let text = xml(self.documentation.link_text(link));
        match self.target(link) {
            Some(target) => format!("<a href=\"{}\"><code>{text}</code></a>", xml(&target)),
            None => format!("<code>{text}</code>"),
        }
    }

    /// Returns a whole page. `root` leads to the folder of the documentation.
    fn whole(self, root: &str, title: &str, trail: &str, navigation: &str, main: &str) -> String {
        let home = &self.documentation.title;
        let full = if title == home { xml(title) } else { format!("{} – {}", xml(title), xml(home)) };
        let home = xml(home);
        let navigation = if navigation.is_empty() {
            String::new()
        } else {
            format!("<nav class=\"contents\" aria-label=\"On this page\">\n<ul>\n{navigation}</ul>\n</nav>\n")
        };
        format!(
            "<!DOCTYPE html>\n<!-- {MARK} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{full}</title>\n\
             <link rel=\"stylesheet\" href=\"{root}style.css\">\n\
             <script src=\"{root}search.js\" data-root=\"{root}\" defer></script>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to content</a>\n<header>\n<nav aria-label=\"Breadcrumb\">\n\
             <a href=\"{root}index.html\">{home}</a>{trail}\n</nav>\n\
             <form role=\"search\" class=\"search\" hidden>\n<label for=\"search\">Search</label>\n\
             <input id=\"search\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" \
             placeholder=\"Press / to search\" aria-controls=\"results\">\n\
             <p class=\"found\" role=\"status\"></p>\n<ul id=\"results\" hidden></ul>\n</form>\n</header>\n\
             <div class=\"columns\">\n{navigation}<main id=\"main\">\n{main}</main>\n</div>\n</body>\n</html>\n"
        )
    }

    fn index(self) -> String {
        let Documentation { title, about, kinds, left_out, .. } = self.documentation;
        let mut main = format!("<h1>{}</h1>\n", xml(title));
        self.contents(&mut main, about);
        if left_out.pages > 0 || left_out.members > 0 {
            let _ = writeln!(
                main,
                "<p class=\"note\">The limits of this documentation omit {} types and {} members.</p>",
                left_out.pages, left_out.members
            );
        }
        let mut navigation = String::new();
        for (number, kind) in kinds.iter().enumerate() {
            let [own, others] = self.documentation.of_kind(number);
            if own.is_empty() {
                continue;
            }
            let (folder, heading) = (&self.documentation.paths.folders[number], xml(&capital(&kind.plural)));
            let _ = writeln!(navigation, "<li><a href=\"#{folder}\">{heading}</a></li>");
            let _ = writeln!(
                main,
                "<section aria-labelledby=\"{folder}\">\n<h2 id=\"{folder}\"><a href=\"{folder}/index.html\">{heading}</a></h2>"
            );
            self.list(&mut main, &own, "");
            if !others.is_empty() {
                let _ = writeln!(
                    main,
                    "<p><a href=\"{folder}/index.html\">All {heading}, with {} that they use</a></p>",
                    others.len(),
                    heading = xml(&kind.plural),
                );
            }
            main.push_str("</section>\n");
        }
        let hidden: Vec<String> = (0..kinds.len())
            .filter(|kind| self.documentation.of_kind(*kind)[0].is_empty())
            .map(|kind| {
                let folder = &self.documentation.paths.folders[kind];
                format!("<a href=\"{folder}/index.html\">{}</a>", xml(&kinds[kind].plural))
            })
            .collect();
        if !hidden.is_empty() {
            let _ = writeln!(main, "<p>Types of other files that are used here: {}</p>", hidden.join(", "));
        }
        self.whole("", title, "", &navigation, &main)
    }

    /// Writes a list of pages with their summaries.
    fn list(self, out: &mut String, pages: &[usize], root: &str) {
        out.push_str("<dl class=\"types\">\n");
        for number in pages {
            let page = &self.documentation.pages[*number];
            let _ = writeln!(
                out,
                "<div><dt><a href=\"{root}{}\"><code>{}</code></a>{}</dt><dd>{}</dd></div>",
                xml(&self.path(*number)),
                xml(&page.name),
                badges(page.contents.is_deprecated, false),
                xml(&summary(&page.contents)),
            );
        }
        out.push_str("</dl>\n");
    }

    fn kind(self, number: usize) -> String {
        let kind = &self.documentation.kinds[number];
        let heading = capital(&kind.plural);
        let mut main = format!("<h1>{}</h1>\n{}", xml(&heading), prose::html(first_paragraph(kind.docs)));
        main.push_str("<ul class=\"tree\">\n");
        for (depth, page) in self.documentation.tree(number) {
            let of_page = &self.documentation.pages[page];
            let other = if of_page.is_own { "" } else { " <span class=\"quiet\">of another file</span>" };
            let _ = writeln!(
                main,
                "<li class=\"d{}\"><a href=\"../{}\"><code>{}</code></a>{}{other}<span class=\"quiet\"> {}</span></li>",
                depth.min(MAX_INDENT),
                xml(&self.path(page)),
                xml(&of_page.name),
                badges(of_page.contents.is_deprecated, false),
                xml(&summary(&of_page.contents)),
            );
        }
        main.push_str("</ul>\n");
        let trail = format!(" / <span aria-current=\"page\">{}</span>", xml(&kind.plural));
        self.whole("../", &heading, &trail, "", &main)
    }

    fn page(self, number: usize) -> String {
        let page = &self.documentation.pages[number];
        let kind = &self.documentation.kinds[page.kind];
        let mut main = format!(
            "<h1><span class=\"kind\">{}</span> <code>{}</code>{}</h1>\n<p class=\"quiet\">Declared in <code>{}</code></p>\n",
            xml(&kind.title),
            xml(&page.name),
            badges(page.contents.is_deprecated, false),
            xml(&page.file),
        );
        let mut navigation = String::new();
        self.contents(&mut main, &page.contents);
        self.hierarchy(&mut main, &mut navigation, number);
        for section in &page.contents.sections {
            self.section(&mut main, &mut navigation, section);
        }
        self.usages(&mut main, &mut navigation, page);
        let trail = format!(
            " / <a href=\"index.html\">{}</a> / <span aria-current=\"page\">{}</span>",
            xml(&kind.plural),
            xml(&page.name)
        );
        self.whole("../", &page.name, &trail, &navigation, &main)
    }

    /// Writes a description and keynames.
    fn contents(self, out: &mut String, contents: &Contents) {
        if let Some(description) = &contents.description {
            let _ = write!(out, "<div class=\"description\">\n{}</div>\n", prose::html(description));
        }
        self.facts(out, &contents.facts);
    }

    fn facts(self, out: &mut String, facts: &[Fact]) {
        if facts.is_empty() {
            return;
        }
        out.push_str("<dl class=\"facts\">\n");
        for fact in facts {
            let hint = prose::summary(fact.docs);
            let _ = writeln!(out, "<div><dt title=\"{}\"><code>{}</code></dt><dd>", xml(&hint), xml(fact.keyname));
            self.value(out, &fact.value);
            out.push_str("</dd></div>\n");
        }
        out.push_str("</dl>\n");
    }

    fn value(self, out: &mut String, value: &FactValue) {
        match value {
            FactValue::Links(links) => {
                let links: Vec<String> = links.iter().map(|link| self.link(link)).collect();
                let _ = writeln!(out, "<div>{}</div>", links.join(", "));
            }
            FactValue::Data(texts) => texts.iter().for_each(|text| data(out, text)),
            FactValue::Entities(entities) => entities.iter().for_each(|entity| match entity.short() {
                Some(value) => self.value(out, value),
                None => {
                    out.push_str("<div class=\"nested\">\n");
                    self.contents(out, entity);
                    self.inner(out, &entity.sections);
                    out.push_str("</div>\n");
                }
            }),
        }
    }

    fn hierarchy(self, out: &mut String, navigation: &mut String, number: usize) {
        let page = &self.documentation.pages[number];
        let target = |link: &Link| self.target(link);
        if page.ancestors.is_empty() && page.derived.is_empty() {
            return;
        }
        begin(out, navigation, "about-inheritance", "Inheritance", "");
        if !page.ancestors.is_empty() {
            let ancestors: Vec<String> = page.ancestors.iter().map(|link| self.link(link)).collect();
            let more = if page.has_more_ancestors { " ← …" } else { "" };
            let _ = writeln!(out, "<p>Derived from {}{more}</p>", ancestors.join(" ← "));
        }
        if !page.derived.is_empty() {
            let derived: Vec<String> = page.derived.iter().map(|link| self.link(link)).collect();
            let _ = writeln!(out, "<p>Derived types: {}</p>", derived.join(", "));
        }
        let svg = diagram::graph(self.documentation, number, &target).and_then(|graph| graph.svg().ok());
        if let Some(svg) = svg {
            let _ = writeln!(out, "<div class=\"diagram\">\n{svg}</div>");
        }
        out.push_str("</section>\n");
    }

    fn section(self, out: &mut String, navigation: &mut String, section: &Section) {
        begin(out, navigation, section.keyname, &words(section.keyname), &prose::html(section.docs));
        section.own.iter().for_each(|member| self.member(out, member));
        section.inherited.iter().for_each(|inherited| {
            let count = inherited.members.len() + inherited.more;
            let _ = writeln!(
                out,
                // Without a link, because the summary is a control itself; the members lead to the type.
                "<details open>\n<summary>Inherited from <code>{}</code> ({count})</summary>",
                xml(self.documentation.link_text(&inherited.from))
            );
            self.inherited(out, inherited);
            out.push_str("</details>\n");
        });
        if section.has_more {
            out.push_str("<p class=\"quiet\">Further ancestors may declare more.</p>\n");
        }
        out.push_str("</section>\n");
    }

    fn inherited(self, out: &mut String, inherited: &Inherited) {
        out.push_str("<ul class=\"briefs\">\n");
        for brief in &inherited.members {
            let of_type = brief.of_type.as_ref().map(|of_type| format!(": {}", self.link(of_type)));
            let summary =
                if brief.summary.is_empty() { String::new() } else { format!(" – {}", xml(&brief.summary)) };
            let _ = writeln!(
                out,
                "<li>{}{}{}{summary}</li>",
                self.link(&brief.link),
                of_type.unwrap_or_default(),
                badges(false, brief.is_required),
            );
        }
        if inherited.more > 0 {
            let _ = writeln!(out, "<li class=\"quiet\">and {} more</li>", inherited.more);
        }
        out.push_str("</ul>\n");
    }

    fn member(self, out: &mut String, member: &Member) {
        let name = xml(&member.name);
        let of_type = member.of_type.as_ref().map(|of_type| format!(": {}", self.link(of_type))).unwrap_or_default();
        let badges = badges(member.contents.is_deprecated, member.is_required);
        let refines = member.refines.as_ref().map(|link| {
            let target = self.target(link).map(|target| format!(" href=\"{}\"", xml(&target))).unwrap_or_default();
            let text = xml(self.documentation.link_text(link));
            format!(" <span class=\"quiet\">refines that of <a{target}><code>{text}</code></a></span>")
        });
        let refines = refines.unwrap_or_default();
        if member.anchor.is_empty() {
            let _ = writeln!(out, "<li><code>{name}</code>{of_type}{badges}{refines}");
        } else {
            let anchor = xml(&member.anchor);
            let _ = writeln!(
                out,
                "<article class=\"member\" id=\"{anchor}\">\n<h3><a href=\"#{anchor}\"><code>{name}</code></a>{of_type}{badges}{refines}</h3>",
            );
        }
        self.contents(out, &member.contents);
        self.inner(out, &member.contents.sections);
        out.push_str(if member.anchor.is_empty() { "</li>\n" } else { "</article>\n" });
    }

    /// Writes the members of a member.
    fn inner(self, out: &mut String, sections: &[Section]) {
        for section in sections {
            let _ = writeln!(out, "<p class=\"label\">{}</p>", xml(&words(section.keyname)));
            if !section.own.is_empty() {
                out.push_str("<ul class=\"members\">\n");
                section.own.iter().for_each(|member| self.member(out, member));
                out.push_str("</ul>\n");
            }
            for inherited in &section.inherited {
                let _ = writeln!(out, "<p class=\"quiet\">Of {}:</p>", self.link(&inherited.from));
                self.inherited(out, inherited);
            }
        }
    }

    fn usages(self, out: &mut String, navigation: &mut String, page: &Page) {
        if page.usages.is_empty() {
            return;
        }
        begin(out, navigation, "about-usages", "Used by", "");
        out.push_str("<ul>\n");
        for same in page.usages.chunk_by(|one, other| one.user == other.user) {
            let places: Vec<String> = same
                .iter()
                .map(|usage| {
                    let link = Link { anchor: usage.anchor.clone(), ..usage.user.clone() };
                    let place = format!("<code>{}</code>", xml(&usage.name));
                    let noun = if usage.noun.is_empty() { String::new() } else { format!("{} ", xml(usage.noun)) };
                    match self.target(&link).filter(|_| !usage.anchor.is_empty()) {
                        Some(target) => format!("{noun}<a href=\"{}\">{place}</a>", xml(&target)),
                        None => format!("{noun}{place}"),
                    }
                })
                .collect();
            let _ = writeln!(out, "<li>{}: {}</li>", self.link(&same[0].user), places.join(", "));
        }
        if page.more_usages > 0 {
            let _ = writeln!(out, "<li class=\"quiet\">and {} more places</li>", page.more_usages);
        }
        out.push_str("</ul>\n</section>\n");
    }

    /// Returns the script for the search, with its index: for each page and member, its name, the index of its kind,
    /// its path and its summary.
    fn search(self) -> String {
        let mut kinds: Vec<String> = self.documentation.kinds.iter().map(|kind| kind.title.clone()).collect();
        let of_pages = kinds.len();
        let mut entries = Vec::new();
        for (number, page) in self.documentation.pages.iter().enumerate() {
            let path = self.path(number);
            entries.push(json!([page.name, page.kind, path, summary(&page.contents)]));
            for section in &page.contents.sections {
                let kind = kinds[of_pages..].iter().position(|kind| kind == section.keyname);
                let kind = kind.unwrap_or_else(|| {
                    kinds.push(section.keyname.to_owned());
                    kinds.len() - 1 - of_pages
                });
                for member in &section.own {
                    let target = format!("{path}#{}", member.anchor);
                    let name = format!("{} {}", page.name, member.name);
                    entries.push(json!([name, of_pages + kind, target, summary(&member.contents)]));
                }
            }
        }
        let entries: Vec<String> = entries.iter().map(|entry| escaped(&entry.to_string())).collect();
        let kinds = escaped(&json!(kinds).to_string());
        let data = format!("const KINDS = {kinds};\nconst ENTRIES = [\n{}\n];\n", entries.join(",\n"));
        format!("// {MARK}\n\"use strict\";\n{data}{}", include_str!("search.js"))
    }
}

/// Returns JSON that is safe in any script.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Begins a section of a page.
fn begin(out: &mut String, navigation: &mut String, id: &str, title: &str, docs: &str) {
    let (id, title) = (xml(id), xml(title));
    let _ = writeln!(navigation, "<li><a href=\"#{id}\">{title}</a></li>");
    let _ = writeln!(out, "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>");
    if !docs.is_empty() {
        let _ = writeln!(out, "<div class=\"quiet\">{docs}</div>");
    }
}

/// Writes a value: on a line, or as a block.
fn data(out: &mut String, text: &str) {
    // A line break in text needs no reference.
    let escaped = xml(text).replace("&#10;", "\n");
    if text.contains('\n') {
        let _ = writeln!(out, "<pre><code>{escaped}</code></pre>");
    } else {
        let _ = writeln!(out, "<div><code>{escaped}</code></div>");
    }
}

fn badges(is_deprecated: bool, is_required: bool) -> String {
    let badge = |text: &str| format!(" <span class=\"badge {text}\">{text}</span>");
    let deprecated = if is_deprecated { badge("deprecated") } else { String::new() };
    let required = if is_required { badge("required") } else { String::new() };
    deprecated + &required
}

pub(crate) fn summary(contents: &Contents) -> String {
    contents.description.as_deref().map(prose::summary).unwrap_or_default()
}

/// Returns a keyname as a heading.
pub(crate) fn words(keyname: &str) -> String {
    capital(&keyname.replace('_', " "))
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(crate) fn first_paragraph(docs: &str) -> &str {
    docs.split("\n\n").next().unwrap_or_default()
}
