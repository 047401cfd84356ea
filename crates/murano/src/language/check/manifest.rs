//! Manifests: whether they name existing files and classes.

use tosca_parse::entity::{AnyId, Checked, Checks, Id, LocalId};
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::{Context, DiagnosticExt as _, ResolvedImport, Unit};
use tosca_parse::source::ImportTarget;

use super::super::class::{Class, ClassFile};
use super::super::finder::PACKAGE;
use super::super::manifest::{FOLDER, Listing, Manifest, Required};
use super::super::{CLASSES, rules};
use crate::runtime::CORE;

/// Returns the source that an entity asks for, if it could be read.
fn source<'a>(context: &Context<'a>, id: AnyId) -> Option<&'a Unit> {
    let program = context.program;
    let (index, unit) = (program.index(id.unit)?, program.unit(id.unit)?);
    let is_its = |link: &&ResolvedImport| unit.imports[link.import].entity == id.local();
    program.links[index].iter().find(is_its).map(|link| &*program.list[link.unit])
}

impl Checked for Listing {
    const CHECKS: Checks<Self> = Checks::NEW.import(file_of).after_inheritance(listing);
}

fn file_of(listing: &Listing, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let node = reader.document().node(listing.file?.0.node);
    let url = format!("{FOLDER}/{}", node.text());
    let target = Some(ImportTarget::Url { url, repository: None });
    Some(ImportRequest { entity: id, node: node.id(), target, prefix: None, is_reference: true })
}

/// Checks that the file that is listed for a class contains it.
fn listing(listing: &Listing, context: &mut Context<'_>, id: Id<Listing>) {
    let (Some(unit), Some(header)) = (source(context, id.any()), context.header(id.any())) else { return };
    let may_lack = context.program.may_lack_names(unit.id) || !unit.document.is_complete();
    if may_lack || context.program.resolve(unit.id, CLASSES, header.name).id().is_some() || has_nameless(unit) {
        return;
    }
    let (name, file) = (context.text(header.name), unit.source.name());
    let names = context.program.visible(unit.id, CLASSES).into_iter().map(|(name, _)| name);
    let help = context.did_you_mean(name, names, "the classes of the file are");
    let at = context.program.name_span(id.any());
    let place = listing.file.and_then(|file| context.span(file.0));
    let message = format!("`{file}` has no class `{name}`");
    context.problem(&rules::UNLISTED_CLASS, at, message).related(place, "listed file").help_if(help);
}

/// Returns whether a file has a class without a name, which is found by any name.
fn has_nameless(unit: &Unit) -> bool {
    let classes = (0..).map_while(|index| unit.arenas.get::<Class>(index));
    let is_file = unit.root.is_some_and(|root| root.cast::<ClassFile>().is_some());
    is_file && classes.into_iter().any(|class| class.name.is_none() && class.is_declared())
}

impl Checked for Required {
    const CHECKS: Checks<Self> = Checks::NEW.import(package_of).after_inheritance(required);
}

fn package_of(_: &Required, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let header = reader.header(id)?;
    let name = format!("{PACKAGE}{}", reader.interner().text(header.name));
    let target = Some(ImportTarget::Profile(name));
    Some(ImportRequest { entity: id, node: header.key, target, prefix: None, is_reference: true })
}

/// Checks that a required package is known.
fn required(_: &Required, context: &mut Context<'_>, id: Id<Required>) {
    let Some(header) = context.header(id.any()) else { return };
    let name = context.text(header.name);
    let own = header.owner.and_then(|owner| context.get(owner.of(id.unit).cast::<Manifest>()?));
    if name == CORE || own.is_some_and(|own| own.package_name() == Some(name)) || source(context, id.any()).is_some() {
        return;
    }
    let at = context.program.name_span(id.any());
    let message = format!("no matching version of {PACKAGE}`{name}` is known");
    context
        .problem(&rules::UNKNOWN_PACKAGE, at, message)
        .help("pass the folder that contains the package with `--package-path`");
}
