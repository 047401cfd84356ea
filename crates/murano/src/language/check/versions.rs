//! Versions of packages in a lineage: a class that descends from several versions of a class uses only one of them, if
//! one version fulfills the requirements of all packages.

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse::diagnostic::{SourceId, Span};
use tosca_parse::entity::{AnyId, Entity as _, Id};
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::super::class::Class;
use super::super::manifest::{Listing, Manifest};
use super::super::{ancestors, rules};
use crate::lineage::{Wanted, unify};
use crate::version::{Requirement, Version};

/// The default version of a package.
static UNSAID: Version = Version::ZERO;

/// A package of the program.
struct Package<'a> {
    name: &'a str,
    version: &'a Version,
    requires: HashMap<&'a str, (&'a Requirement, Option<Span>)>,
}

/// The packages of a program and the units that contain their classes.
struct Packages<'a> {
    all: Vec<Package<'a>>,
    owners: FxHashMap<SourceId, usize>,
}

/// Reports classes of a package that descend from incompatible versions of a class.
pub(super) fn check(context: &mut Context<'_>, id: Id<Manifest>) {
    let Some(packages) = Packages::of(context) else { return };
    let Some(own) = packages.owners.get(&id.unit).copied() else { return };
    let units: Vec<SourceId> = context
        .program
        .list
        .iter()
        .map(|unit| unit.id)
        .filter(|unit| packages.owners.get(unit) == Some(&own))
        .collect();
    for unit in units {
        let count = context.program.unit(unit).map_or(0, |unit| unit.arenas.count(Class::KIND));
        for class in (0..count).map(|index| AnyId { unit, kind: Class::KIND, index }) {
            packages.judge(context, own, class);
        }
    }
}

impl<'a> Packages<'a> {
    /// Collects the packages; `None` if each package has one version.
    fn of(context: &Context<'a>) -> Option<Self> {
        let program = context.program;
        let (mut all, mut owners) = (Vec::new(), FxHashMap::default());
        for (unit, links) in program.list.iter().zip(&program.links) {
            let Some(manifest) = unit.arenas.get::<Manifest>(0) else { continue };
            let Some(name) = manifest.package_name() else { continue };
            let requires = manifest.requires.iter().filter_map(|(name, id)| {
                let versions = program.raw_as(id)?.versions.as_ref()?;
                Some((program.text(name), (&versions.value, context.span(versions.position))))
            });
            let version = manifest.version.as_ref().map_or(&UNSAID, |version| &version.value);
            owners.insert(unit.id, all.len());
            for link in links {
                if unit.imports[link.import].entity.of(unit.id).cast::<Listing>().is_some() {
                    owners.insert(program.list[link.unit].id, all.len());
                }
            }
            all.push(Package { name, version, requires: requires.collect() });
        }
        let mut names = HashSet::default();
        let has_versions = !all.iter().all(|package| names.insert(package.name));
        has_versions.then_some(Self { all, owners })
    }

    /// Reports a class that descends from several versions of the same class. Its descendants are not reported.
    fn judge(&self, context: &mut Context<'a>, own: usize, class: AnyId) {
        let Some(lineage) = context.program.lineage(class) else { return };
        let parents = lineage.parents();
        if !context.has_room_for_ancestors(lineage.ancestor_count() * parents.len(), class) {
            return;
        }
        let is_new = |one: AnyId, other: AnyId| {
            !parents.iter().any(|parent| {
                let has = |ancestor| context.program.is_a(*parent, ancestor);
                has(one) && has(other)
            })
        };
        let lineage: Vec<AnyId> = ancestors(context.program, class).collect();
        let mut by_name: IndexMap<&str, Vec<AnyId>> = IndexMap::new();
        for ancestor in &lineage {
            by_name.entry(context.program.name(*ancestor)).or_default().push(*ancestor);
        }
        by_name.retain(|_, versions| versions.len() > 1);
        if by_name.is_empty() {
            return;
        }
        let places = self.places(context, own, class, &lineage);
        let place = |id: AnyId| self.owners.get(&id.unit).map(|package| places.get(package).unwrap_or(package));
        let apart = by_name.into_iter().find_map(|(name, versions)| {
            let first = versions[0];
            let other = versions.iter().find(|other| place(**other) != place(first) && is_new(first, **other))?;
            Some((name, first, *other))
        });
        let Some((name, first, other)) = apart else { return };
        let version = |id: AnyId| self.owners.get(&id.unit).map_or(&UNSAID, |package| self.all[*package].version);
        let message = format!(
            "{} descends from `{name}` in versions {} and {}, and neither can replace the other",
            context.describe(class),
            version(first),
            version(other)
        );
        let wanted = |id: AnyId| {
            let package = &self.all[*self.owners.get(&id.unit)?];
            let (wanting, requirement) = std::iter::once(&self.all[own])
                .chain(lineage.iter().filter_map(|ancestor| Some(&self.all[*self.owners.get(&ancestor.unit)?])))
                .filter_map(|heir| Some((heir, heir.requires.get(package.name)?)))
                .find(|(_, (requirement, _))| requirement.allows(package.version))?;
            Some((wanting.name, requirement.1))
        };
        let because: Vec<_> = [first, other].into_iter().filter_map(wanted).collect();
        let at = context.program.name_span(class);
        let mut problem = context.problem(&rules::VERSIONS_APART, at, message);
        for (package, place) in because {
            problem = problem.related(place, format!("package `{package}` requires this version"));
        }
        problem.help("make the packages require ranges that a single version fulfills");
    }

    /// Returns which packages in the lineage of a class are replaced with another version, and by which package.
    fn places(&self, context: &Context<'a>, own: usize, class: AnyId, lineage: &[AnyId]) -> FxHashMap<usize, usize> {
        let mut versions: IndexMap<&str, IndexMap<usize, Wanted<'_>>> = IndexMap::new();
        let entry = |number: usize| Wanted {
            version: self.all[number].version,
            requirements: Vec::new(),
            is_fixed: number == own,
        };
        versions.entry(self.all[own].name).or_default().insert(own, entry(own));
        for heir in std::iter::once(class).chain(lineage.iter().copied()) {
            let parents = context.program.lineage(heir).map_or(&[][..], |lineage| lineage.parents());
            for number in parents.iter().filter_map(|parent| self.owners.get(&parent.unit)) {
                let name = self.all[*number].name;
                let wanted = versions.entry(name).or_default().entry(*number).or_insert_with(|| entry(*number));
                let package = self.owners.get(&heir.unit).map(|package| &self.all[*package]);
                wanted.requirements.extend(package.and_then(|heir| heir.requires.get(name)).map(|(range, _)| *range));
            }
        }
        let mut places = FxHashMap::default();
        for versions in versions.values().filter(|versions| versions.len() > 1) {
            let (numbers, wanted): (Vec<usize>, Vec<&Wanted<'_>>) = versions.iter().unzip();
            places.extend(numbers.iter().zip(unify(&wanted)).map(|(number, place)| (*number, numbers[place])));
        }
        places
    }
}
