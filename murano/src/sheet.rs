//! Sources of packages as they have been read, and what is wrong with them as errors.

use std::ops::{Deref, Range};
use std::sync::Arc;

use tosca_parse::ard::Node;
use tosca_parse::diagnostic::{Diagnostic, Severity, SourceId, Span};
use tosca_parse::entity::{AnyId, Id};
use tosca_parse::phase::read::read_alone;
use tosca_parse::phase::{Unit, Units};
use tosca_parse::rules::DUPLICATE_KEY;
use tosca_parse::source::{SharedText, Source};
use yaql::{Error, ErrorKind, Result};

use crate::failure::{Kind, fail, value_error};
use crate::language::{Class, ClassFile, MURANO, Manifest, ManifestFile, rules};
use crate::name::Namespaces;
use crate::trace;

/// The part of the text that a node is.
pub(crate) fn range(node: Node<'_>) -> Range<u32> {
    node.span().start..node.span().end
}

/// The keynames below which there are names.
const MEMBERS: [&str; 4] = ["Properties", "Methods", "Workflow", "Arguments"];

/// A source that has been read, by itself or in a program.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    units: Arc<Units>,
    /// The number of its unit in the list.
    number: usize,
}

impl Deref for Sheet {
    type Target = Units;

    fn deref(&self) -> &Units {
        &self.units
    }
}

impl Sheet {
    /// The source of a unit.
    pub(crate) fn of(units: &Arc<Units>, number: usize) -> Self {
        Self { units: units.clone(), number }
    }

    /// Reads a source by itself.
    pub(crate) fn read(name: &str, text: impl Into<SharedText>) -> Self {
        Self::of(&read_alone(&MURANO, Source::new(SourceId(0), name, text)).units, 0)
    }

    pub(crate) fn unit(&self) -> &Unit {
        &self.units.list[self.number]
    }

    /// The manifest that the source is, and the name of its package.
    pub(crate) fn manifest(&self) -> Option<(&Manifest, &str)> {
        let manifest = self.unit().arenas.get::<Manifest>(0)?;
        self.unit().root?.cast::<ManifestFile>()?;
        Some((manifest, manifest.package_name()?))
    }

    /// The classes in the source, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (Id<Class>, &Class)> {
        let file = self.unit().root.and_then(AnyId::cast::<ClassFile>).and_then(|file| self.raw_as(file));
        let classes = file.into_iter().flat_map(|file| file.classes.items.iter().copied());
        classes.filter_map(|id| Some((id, self.raw_as(id)?)))
    }

    /// A failure in a part of the source.
    pub(crate) fn at(&self, part: Range<u32>, error: Error) -> Error {
        trace::in_file(&self.unit().source, error.at(&part))
    }

    /// The error that a problem is: of the kind that the reference fails with. Names are in some namespaces.
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

    /// Fails with the first error of the source that fulfils a condition. Keys may occur twice, unless they are names of
    /// members: the reference takes the last one.
    pub(crate) fn check(&self, namespaces: &Namespaces, is_meant: impl Fn(&Diagnostic) -> bool) -> Result<()> {
        let document = &self.unit().document;
        let is_member = |problem: &Diagnostic| {
            let path = document.path_to(problem.span.start);
            path.iter().rev().nth(1).is_some_and(|above| MEMBERS.contains(&above.as_str()))
        };
        let is_refused = |problem: &&Diagnostic| {
            problem.severity == Severity::Error
                && (problem.rule.code != DUPLICATE_KEY.code || is_member(problem))
                && is_meant(problem)
        };
        let problem = self.unit().diagnostics.iter().find(is_refused);
        problem.map_or(Ok(()), |problem| Err(self.failure(problem, namespaces)))
    }
}
