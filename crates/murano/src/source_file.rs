//! Files of packages as the engine has read them and their problems as errors of the runtime.

use std::ops::{Deref, Range};
use std::sync::Arc;

use tosca_parse::ard::Node;
use tosca_parse::diagnostic::{Diagnostic, Severity, SourceId, Span};
use tosca_parse::entity::{AnyId, Id};
use tosca_parse::phase::read::read_alone;
use tosca_parse::phase::{Unit, Units};
use tosca_parse::rules::DUPLICATE_KEY;
use tosca_parse::source::{SharedText, Source};
use tosca_parse_yaql::{Error, ErrorKind, Result};

use crate::error::{Kind, fail, value_error};
use crate::language::{Class, ClassFile, MURANO, Manifest, ManifestFile, rules};
use crate::name::Namespaces;
use crate::trace;

/// Returns the range of a node in its text.
pub(crate) fn range(node: Node<'_>) -> Range<u32> {
    node.span().start..node.span().end
}

/// The keynames of maps of members.
const MEMBERS: [&str; 4] = ["Properties", "Methods", "Workflow", "Arguments"];

/// A file of a package: a unit that was read alone or as part of a program.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    units: Arc<Units>,
    /// The index of the unit in the list.
    number: usize,
}

impl Deref for SourceFile {
    type Target = Units;

    fn deref(&self) -> &Units {
        &self.units
    }
}

impl SourceFile {
    /// Returns the file of a unit.
    pub(crate) fn of(units: &Arc<Units>, number: usize) -> Self {
        Self { units: units.clone(), number }
    }

    /// Reads the given text without its imports.
    pub(crate) fn read(name: &str, text: impl Into<SharedText>) -> Self {
        Self::read_source(Source::new(SourceId(0), name, text))
    }

    /// Reads a source without its imports.
    pub(crate) fn read_source(source: Source) -> Self {
        Self::of(&read_alone(&MURANO, source).units, 0)
    }

    pub(crate) fn unit(&self) -> &Unit {
        &self.units.list[self.number]
    }

    /// Returns the manifest with the name of its package; `None` if the file is not one.
    pub(crate) fn manifest(&self) -> Option<(&Manifest, &str)> {
        let manifest = self.unit().arenas.get::<Manifest>(0)?;
        self.unit().root?.cast::<ManifestFile>()?;
        Some((manifest, manifest.package_name()?))
    }

    /// Returns the classes of the file, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (Id<Class>, &Class)> {
        let file = self.unit().root.and_then(AnyId::cast::<ClassFile>).and_then(|file| self.raw_as(file));
        let classes = file.into_iter().flat_map(|file| file.classes.iter().copied());
        classes.filter_map(|id| Some((id, self.raw_as(id)?)))
    }

    /// Adds a range of the file to an error.
    pub(crate) fn at(&self, part: Range<u32>, error: Error) -> Error {
        trace::in_file(&self.unit().source, error.at(&part))
    }

    /// Converts a problem to an error of the same kind as in the reference, which mostly depends on the position.
    fn failure(&self, problem: &Diagnostic, namespaces: &Namespaces) -> Error {
        let (unit, Span { start, end, .. }) = (self.unit(), problem.span);
        let is_below = |keyname| unit.document.path_to(start).iter().any(|key| key == keyname);
        let written = unit.source.text().get(start as usize..end as usize).unwrap_or_default();
        let name = namespaces.resolve(written.trim_matches(['"', '\'']));
        let message = problem.message.as_str();
        let error = match (problem.rule.code, name) {
            (code, _) if code.starts_with("T10") || code.starts_with("T11") => fail(Kind::Yaml, message),
            (code, _) if code == rules::EXPRESSION_SYNTAX.code => Error::new(ErrorKind::Grammar, message),
            (code, Err(error)) if code == rules::INVALID_NAME_OF_TYPE.code => Error::new(error.kind(), message),
            _ if is_below("Properties") || is_below("Arguments") => fail(Kind::DslSyntax, message),
            _ => value_error(message),
        };
        let error = problem.help.iter().take(1).fold(error, |error, help| error.with_hint(help));
        self.at(start..end, error)
    }

    /// Returns the first error that fulfills a condition. Duplicate keys are accepted, as in the reference
    /// implementation, unless they are names of members: there, the reference implementation uses the last one, but the
    /// engine uses the first.
    pub(crate) fn check(&self, namespaces: &Namespaces, is_meant: impl Fn(&Diagnostic) -> bool) -> Result<()> {
        let document = &self.unit().document;
        let is_member = |problem: &Diagnostic| {
            let path = document.path_to(problem.span.start);
            path.iter().rev().nth(1).is_some_and(|above| MEMBERS.contains(&above.as_str()))
        };
        let is_refused = |problem: &&Diagnostic| {
            problem.severity == Severity::Error
                && is_meant(problem)
                // Checked last, because the path to a position is searched from the root.
                && (problem.rule.code != DUPLICATE_KEY.code || is_member(problem))
        };
        let problem = self.unit().diagnostics.iter().find(is_refused);
        problem.map_or(Ok(()), |problem| Err(self.failure(problem, namespaces)))
    }
}
