//! Hovers.

use tosca_parse::ard::Node;
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, FieldDescription, Functions, Section, Shape};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::position_context::{PositionContext, PositionPart};
use tosca_parse::reference_docs;
use tosca_parse::source::Address;

use crate::document_links;
use crate::enclosing::{self, EnclosingEntities, description};
use crate::markdown;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Contents, Hover, Location, MarkupContent, MarkupKind, Position};
use crate::symbol_at::{Meaning, SymbolAt};

/// The maximum number of lines of a definition that a hover shows.
const LINES: usize = 15;

/// The maximum number of members of a field that a hover shows.
const MEMBERS: usize = 20;

/// The maximum number of ancestors that a hover shows.
const ANCESTORS: usize = 12;

/// A function that returns the location of a span in a file that an editor can open.
pub(crate) type Locate<'a> = &'a dyn Fn(Span) -> Option<Location>;

/// Returns the hover for the given position in the entry.
pub(crate) fn hover(parsed: &Parsed, at: Position, locate: Locate<'_>) -> Option<Hover> {
    let unit = parsed.unit()?;
    let offset = place::offset(&unit.source, at);
    let program = &parsed.outcome.program;
    let hovering = Hovering { parsed, program, unit, locate };
    let symbol = SymbolAt::at(program, unit, offset);
    let (span, text) = match &symbol {
        Some(symbol) => (symbol.span, hovering.symbol(symbol, offset)),
        None => hovering.import(offset).or_else(|| hovering.word(offset))?,
    };
    let secrets = program.secrets();
    let text = if secrets.is_empty() { text } else { secrets.masked(&text) };
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(place::range(&unit.source, span.start, span.end)) })
}

struct Hovering<'a> {
    parsed: &'a Parsed,
    program: &'a Program<Complete>,
    unit: &'a Unit,
    locate: Locate<'a>,
}

impl Hovering<'_> {
    fn symbol(&self, symbol: &SymbolAt, offset: u32) -> String {
        match &symbol.meaning {
            Meaning::Keyname(entity, field) => {
                let about = reference_docs::keyname_hover(self.unit.language, self.unit.version, entity, field);
                let members = self.assignable(offset).map(|members| format!("\n\n{members}"));
                format!("{about}{}", members.unwrap_or_default())
            }
            Meaning::Name(_) => {
                let targets = symbol.targets(self.program).into_iter().take(3);
                targets.map(|id| self.note(id)).collect::<Vec<_>>().join("\n\n---\n\n")
            }
        }
    }

    /// Describes an entity: its kind, its description, its members or its source text, and its origin.
    fn note(&self, id: AnyId) -> String {
        let program = self.program;
        let owner = program.owners(id).next().filter(|owner| program.lineage(*owner).is_some());
        let title = |title: &str, id: AnyId| markdown::title(title, program.name(id));
        let of_owner = owner.map(|owner| format!(" of {}", title(&program.describe(owner), owner)));
        let mut parts = vec![format!("{}{}", title(&program.mention(id), id), of_owner.unwrap_or_default())];
        parts.extend(description(program, id).map(markdown::closed));
        if program.lineage(id).is_some() {
            parts.extend(self.ancestors(id));
            parts.extend(self.members(id));
        } else {
            parts.extend(code(program, id));
        }
        parts.extend(self.origin(id));
        parts.join("\n\n")
    }

    fn ancestors(&self, id: AnyId) -> Option<String> {
        let mut ancestors = self.program.ancestry(id).skip(1);
        let shown: Vec<String> = ancestors.by_ref().take(ANCESTORS).map(|id| self.linked(id)).collect();
        let more = if ancestors.next().is_some() { " ← …" } else { "" };
        (!shown.is_empty()).then(|| format!("derived from {}{more}", shown.join(" ← ")))
    }

    /// Lists the members of a type by field, each with its type and the ancestor that declares it.
    fn members(&self, id: AnyId) -> Vec<String> {
        let Some(entity) = self.program.entity(id) else { return Vec::new() };
        let mut lists = Vec::new();
        for field in entity.description().fields {
            if !matches!(field.shape, Shape::Named(_) | Shape::Sequence(_)) || field.inherit.is_none() {
                continue;
            }
            let members = self.program.children(id, field.ident);
            if !members.is_empty() {
                lists.push(format!("**{}**\n\n{}", field.keyname(self.unit.version), self.list(id, &members)));
            }
        }
        lists
    }

    fn list(&self, of_type: AnyId, members: &[AnyId]) -> String {
        let mut lines: Vec<String> = members.iter().take(MEMBERS).map(|id| self.member(of_type, *id)).collect();
        if members.len() > MEMBERS {
            lines.push(format!("- … {} more", members.len() - MEMBERS));
        }
        lines.join("\n")
    }

    /// Lists the members of an entity's definition that the entity can assign in the field at the given offset.
    fn assignable(&self, offset: u32) -> Option<String> {
        let (program, unit) = (self.program, self.unit);
        let position = PositionContext::at(&unit.document, unit.description()?, unit.version, offset)?;
        let PositionPart::Keyname { field: Some(field), .. } = position.part else { return None };
        let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
        let definition = enclosing.definitions.last().copied().flatten()?;
        let members: Vec<AnyId> = enclosing.members(program, field).into_iter().map(|(_, id)| id).collect();
        let title = markdown::title(&program.describe(definition), program.name(definition));
        (!members.is_empty()).then(|| format!("**{title}**\n\n{}", self.list(definition, &members)))
    }

    fn member(&self, of_type: AnyId, id: AnyId) -> String {
        let program = self.program;
        let mut member = enclosing::note(program, id);
        if !member.type_name.is_empty() {
            member.type_name = markdown::code(&member.type_name);
        }
        let mut parts = vec![format!("- {}", markdown::code(program.name(id)))];
        let details = member.to_string();
        if !details.is_empty() {
            parts.push(format!(": {details}"));
        }
        let owner = program.owners(id).next().filter(|owner| *owner != of_type && program.lineage(*owner).is_some());
        parts.extend(owner.map(|owner| format!(", from {}", self.linked(owner))));
        parts.concat()
    }

    /// Returns the name of an entity as a link.
    fn linked(&self, id: AnyId) -> String {
        let name = markdown::code(self.program.name(id));
        let target = self.program.name_span(id).and_then(|span| self.link(span));
        target.map_or_else(|| name.clone(), |target| format!("[{name}]({target})"))
    }

    /// Returns the source of an entity as a link, if it is not the entry.
    fn origin(&self, id: AnyId) -> Option<String> {
        let unit = self.program.unit(id.unit).filter(|unit| unit.id != self.unit.id)?;
        let name = self.name_of(unit);
        let target = self.program.name_span(id).and_then(|span| self.link(span));
        Some(target.map_or_else(|| format!("*in {name}*"), |target| format!("*in [{name}]({target})*")))
    }

    /// Returns the name of a source, relative to the folder of the entry, as Markdown.
    fn name_of(&self, unit: &Unit) -> String {
        let folder = self.parsed.address(self.unit.id).and_then(Address::to_path);
        let folder = folder.as_deref().and_then(std::path::Path::parent);
        let address = self.parsed.address(unit.id).filter(|address| address.to_path().is_some());
        let name = address.map_or_else(|| unit.source.name().to_owned(), |address| address.display_name(folder));
        markdown::text(&name)
    }

    /// Returns the target of a link that opens a span.
    fn link(&self, span: Span) -> Option<String> {
        let location = (self.locate)(span)?;
        Some(format!("{}#L{}", location.uri.0, location.range.start.line + 1))
    }

    /// Describes the target of the import at the given offset.
    fn import(&self, offset: u32) -> Option<(Span, String)> {
        let (span, target) = document_links::imports(self.parsed)
            .find(|(span, _)| span.source == self.unit.id && span.start <= offset && offset <= span.end)?;
        let name = self.name_of(target);
        let start = Span { source: target.id, start: 0, end: 0 };
        let mut parts = vec![match (self.locate)(start) {
            Some(location) => format!("import of [{name}]({})", location.uri.0),
            None => format!("import of {name}"),
        }];
        parts.extend(target.root.and_then(|root| description(self.program, root)).map(markdown::closed));
        let sections = target.language.sections.iter().enumerate().filter(|(_, section)| section.exported);
        let counts = sections.filter_map(|(number, section)| {
            let names = self.program.visible(target.id, Section(number as u8));
            let count = names.iter().filter(|(_, id)| id.unit == target.id).count();
            let title = if count == 1 { section.title.to_owned() } else { reference_docs::plural(section.title) };
            (count > 0).then(|| format!("{count} {title}"))
        });
        let counts: Vec<String> = counts.collect();
        parts.extend((!counts.is_empty()).then(|| format!("declares {}", counts.join(", "))));
        Some((span, parts.join("\n\n")))
    }

    /// Describes a function, an enum value, or any other value that the language knows, at the given offset.
    fn word(&self, offset: u32) -> Option<(Span, String)> {
        let (unit, language) = (self.unit, self.unit.language);
        let position = PositionContext::at(&unit.document, unit.description()?, unit.version, offset)?;
        let node = position.node().filter(|node| {
            let span = node.span();
            span.source == unit.id && span.start <= offset && offset <= span.end
        })?;
        let PositionPart::Value { field, path, key, .. } = &position.part else { return None };
        let function = (language.functions)(unit.version).and_then(|functions| {
            let (_, functions) = functions.parameter_at(path, field.argument, unit.version);
            function(functions, node, key.is_some())
        });
        let text = function.or_else(|| self.scalar(field, node, &position))?;
        Some((node.span(), text))
    }

    /// Describes an enum value of a field or a value that the language proposes.
    fn scalar(&self, field: &FieldDescription, node: Node<'_>, position: &PositionContext<'_>) -> Option<String> {
        let (program, unit) = (self.program, self.unit);
        let word = reference_docs::enum_values(field, unit.version).into_iter().find(|word| word.name == node.text());
        if let Some(word) = word {
            return Some(format!("{}\n\n{}", markdown::code(word.name), word.docs));
        }
        let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
        let proposals = enclosing.complete_value(program, (unit.id, unit.version), position).proposals;
        let known = proposals.into_iter().find(|known| known.label == node.text() && !known.docs.is_empty())?;
        Some(format!("{}\n\n{}", markdown::code(&known.label), known.docs))
    }
}

/// Describes the function that is called at a node: a key or a string that is a call without arguments.
fn function(functions: &Functions, node: Node<'_>, is_key: bool) -> Option<String> {
    let name = node.text().strip_prefix(functions.prefix)?;
    let function = functions.find(name).filter(|_| is_key || !functions.prefix.is_empty())?;
    let least = match function.required {
        0 => String::new(),
        1 => "\n\nAt least one argument.".to_owned(),
        least => format!("\n\nAt least {least} arguments."),
    };
    Some(format!("function `{}{name}`\n\nTakes {}.{least}", functions.prefix, function.usage))
}

/// Returns the source text of an entity.
fn code(program: &Program<Complete>, id: AnyId) -> Option<String> {
    let unit = program.unit(id.unit)?;
    let header = program.header(id)?;
    let (key, value) = (unit.document.node(header.key).span(), unit.document.node(header.node).span());
    let span = Span { end: value.end.max(key.end), ..key };
    let start = unit.source.line_range(unit.source.line_column(key.start).line).start;
    let indent = unit.source.text().get(start..span.start as usize)?.chars().count();
    let text = unit.source.text().get(span.start as usize..span.end as usize)?;
    let mut lines: Vec<&str> = text
        .lines()
        .take(LINES + 1)
        .map(|line| line.get(..indent).filter(|start| start.trim().is_empty()).map_or(line, |_| &line[indent..]))
        .collect();
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("…");
    }
    Some(markdown::yaml(&lines.join("\n")))
}
