//! Keywords that the format of a package does not have.

use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{Entity as _, Id, Located, Members};
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::class::Class;
use super::super::manifest::{FOLDER, Listing, Manifest};
use super::super::member::{Argument, Method, Property};
use super::super::rules;
use crate::class::{MethodUsage, PropertyUsage};
use crate::package::{LEGACY_BEFORE, parse_format};

/// A keyword, as it is written, and the format that introduced it.
struct Keyword {
    written: &'static str,
    since: (u32, u32),
}

/// Checks the classes of a package.
pub(super) fn check(manifest: &Manifest, context: &mut Context<'_>, id: Id<Manifest>) {
    let format = manifest.format.and_then(|format| context.node(format.0));
    let text = format.map_or("1.0", |format| format.text());
    let prefix = text.rsplit_once('/').map_or("MuranoPL", |(prefix, _)| prefix);
    if prefix != "MuranoPL" {
        return;
    }
    let package = Package { format: parse_format(text), shown: text, at: format.map(tosca_parse::ard::Node::span) };
    for unit in units(context, id) {
        let count = context.program.unit(unit).map_or(0, |unit| unit.arenas.count(Class::KIND));
        let classes = (0..count).filter_map(|index| context.program.unit(unit)?.arenas.get::<Class>(index));
        for class in classes {
            package.class(context, class);
        }
    }
}

/// Returns whether a file with classes can't use the functions of formats before 1.2. The format is that of the manifest
/// that lists the file. Without one, a file is read as the latest format, unless it is in the folder of a package.
pub(super) fn is_current(context: &Context<'_>, unit: SourceId) -> bool {
    let program = context.program;
    let Some(own) = program.index(unit) else { return false };
    let format = program.list.iter().zip(&program.links).find_map(|(package, links)| {
        let manifest = package.arenas.get::<Manifest>(0)?;
        let lists = |link: &tosca_parse::phase::ResolvedImport| {
            link.unit == own && package.imports[link.import].entity.of(package.id).cast::<Listing>().is_some()
        };
        links.iter().any(lists).then_some(manifest.format)
    });
    match format {
        Some(format) => {
            let text = format.and_then(|format| context.node(format.0)).map_or("1.0", |format| format.text());
            parse_format(text) >= LEGACY_BEFORE
        }
        None => !program.list[own].source.name().contains(&format!("/{FOLDER}/")),
    }
}

/// Returns the files with classes of a package.
fn units(context: &Context<'_>, id: Id<Manifest>) -> Vec<SourceId> {
    let program = context.program;
    let Some((index, unit)) = program.index(id.unit).zip(program.unit(id.unit)) else { return Vec::new() };
    let is_listing = |link: &&tosca_parse::phase::ResolvedImport| {
        unit.imports[link.import].entity.of(id.unit).cast::<Listing>().is_some()
    };
    let mut units: Vec<SourceId> = Vec::new();
    for link in program.links[index].iter().filter(is_listing) {
        let id = program.list[link.unit].id;
        if !units.contains(&id) {
            units.push(id);
        }
    }
    units
}

struct Package<'t> {
    format: (u32, u32),
    shown: &'t str,
    at: Option<tosca_parse::diagnostic::Span>,
}

impl Package<'_> {
    fn class(&self, context: &mut Context<'_>, class: &Class) {
        for property in entities::<Property>(context, &class.properties) {
            let is_static = |usage: &Located<PropertyUsage>| usage.value == PropertyUsage::Static;
            if let Some(usage) = property.usage.filter(is_static) {
                self.newer(context, &usage, &Keyword { written: "Usage: Static", since: (1, 3) });
            }
        }
        for method in entities::<Method>(context, &class.methods) {
            self.method(context, method);
        }
    }

    fn method(&self, context: &mut Context<'_>, method: &Method) {
        if let Some(usage) = method.usage {
            match usage.value {
                MethodUsage::Static => {
                    self.newer(context, &usage, &Keyword { written: "Usage: Static", since: (1, 3) });
                }
                MethodUsage::Extension => {
                    self.newer(context, &usage, &Keyword { written: "Usage: Extension", since: (1, 3) });
                }
                MethodUsage::Action if self.format > (1, 3) => self.action(context, usage),
                _ => {}
            }
        }
        if let Some(scope) = method.scope {
            self.newer(context, &scope, &Keyword { written: "Scope", since: (1, 4) });
        }
        for (_, argument) in &method.arguments {
            let argument = context.program.raw_as::<Argument>(*argument);
            if let Some(usage) = argument.and_then(|argument| argument.usage) {
                self.newer(context, &usage, &Keyword { written: "Usage", since: (1, 4) });
            }
        }
    }

    fn newer<T>(&self, context: &mut Context<'_>, given: &Located<T>, keyword: &Keyword) {
        if self.format >= keyword.since {
            return;
        }
        let Keyword { written, since: (major, minor) } = keyword;
        let at = context.span(given.position);
        let message = format!("`{written}` needs format {major}.{minor}, but the package has format {}", self.shown);
        context
            .problem(&rules::FORMAT_MISMATCH, at, message)
            .related(self.at, "format of the package")
            .help(format!("write `Format: {major}.{minor}` in the manifest"));
    }

    fn action(&self, context: &mut Context<'_>, usage: Located<MethodUsage>) {
        let at = context.span(usage.position);
        context
            .problem(&rules::FORMAT_MISMATCH, at, "`Usage: Action` has been deprecated since format 1.4")
            .related(self.at, "format of the package")
            .help("write `Scope: Public`");
    }
}

fn entities<'a, E: tosca_parse::entity::Entity>(context: &Context<'a>, members: &Members<E>) -> Vec<&'a E> {
    members.iter().filter_map(|(_, id)| context.program.raw_as(id)).collect()
}
