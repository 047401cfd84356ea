//! One version of each class in a lineage: if a class descends from several versions, one of them replaces the others,
//! provided that all packages in between accept it.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tosca_parse_yaql::Result;

use crate::class::Class;
use crate::package::Package;
use crate::runtime::Runtime;
use crate::version::{Requirement, Version};

/// A version of a package and the requirements of the packages that use its classes.
pub(crate) struct Wanted<'w> {
    pub(crate) version: &'w Version,
    pub(crate) requirements: Vec<&'w Requirement>,
    /// Whether no other version is accepted: the parent is in the same package.
    pub(crate) is_fixed: bool,
}

impl Wanted<'_> {
    /// Returns whether the given version can replace this one.
    fn allows(&self, version: &Version) -> bool {
        self.version == version
            || !self.is_fixed && self.requirements.iter().all(|requirement| requirement.allows(version))
    }
}

/// Returns the number of the version that replaces each version of a package: the highest that satisfies the
/// requirements of both.
pub(crate) fn unify(versions: &[&Wanted<'_>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..versions.len()).collect();
    let mut order = places.clone();
    order.sort_by(|left, right| versions[*right].version.cmp(versions[*left].version));
    let mut left = order.clone();
    for number in order {
        let (with_it, others): (Vec<usize>, Vec<usize>) =
            left.iter().partition(|other| versions[**other].allows(versions[number].version));
        if left.contains(&number) && with_it.len() > 1 {
            with_it.iter().for_each(|other| places[*other] = number);
            left = others;
        }
    }
    places
}

/// For each package name, the versions of the package by their numbers in a runtime.
type Versions<'r> = IndexMap<&'r str, IndexMap<usize, Wanted<'r>>>;

impl Runtime {
    /// Returns the replaced ancestors of a class with the given parents and their replacements.
    pub(crate) fn unified(&self, package: &Package, parents: &[Rc<Class>]) -> Result<Vec<(Rc<Class>, Rc<Class>)>> {
        let mut unified: Vec<(Rc<Class>, Rc<Class>)> = Vec::new();
        // The replacement of a class may have other ancestors.
        loop {
            let (lineage, versions) = self.versions(package, parents, &unified);
            let mut places = IndexMap::new();
            for versions in versions.values().filter(|versions| versions.len() > 1) {
                let (numbers, wanted): (Vec<usize>, Vec<&Wanted<'_>>) = versions.iter().unzip();
                places.extend(numbers.iter().zip(unify(&wanted)).map(|(number, place)| (*number, numbers[place])));
            }
            let before = unified.len();
            for class in lineage {
                let Some(place) = places.get(&class.origin.index).filter(|place| **place != class.origin.index) else {
                    continue;
                };
                let stands_for_another = unified.iter().any(|(_, other)| Rc::ptr_eq(other, &class));
                if let Some(other) = self.class_of(self.package(*place), &class.name)?.filter(|_| !stands_for_another) {
                    unified.push((class, other));
                }
            }
            if unified.len() == before {
                return Ok(unified);
            }
        }
    }

    /// Returns the ancestors of a class with the given parents and the versions of the packages that contain them.
    fn versions<'r>(
        &'r self,
        package: &'r Package,
        parents: &[Rc<Class>],
        unified: &[(Rc<Class>, Rc<Class>)],
    ) -> (Vec<Rc<Class>>, Versions<'r>) {
        let mut versions = Versions::new();
        let fixed = Wanted { version: &package.origin.version, requirements: Vec::new(), is_fixed: true };
        versions.entry(&package.origin.name).or_default().insert(package.origin.index, fixed);
        let (mut lineage, mut met) = (Vec::new(), FxHashSet::default());
        let mut next: Vec<(usize, Rc<Class>)> =
            parents.iter().rev().map(|parent| (package.origin.index, parent.clone())).collect();
        while let Some((heir, class)) = next.pop() {
            if let Some((_, other)) = unified.iter().find(|(replaced, _)| Rc::ptr_eq(replaced, &class)) {
                next.push((other.origin.index, other.clone()));
                continue;
            }
            let own = self.package(class.origin.index);
            let wanted = versions
                .entry(&own.origin.name)
                .or_default()
                .entry(own.origin.index)
                .or_insert_with(|| Wanted { version: &own.origin.version, requirements: Vec::new(), is_fixed: false });
            wanted.requirements.extend(self.package(heir).requires.get(&own.origin.name));
            if met.insert(Rc::as_ptr(&class)) {
                next.extend(class.parents.iter().rev().map(|parent| (class.origin.index, parent.clone())));
                lineage.push(class);
            }
        }
        (lineage, versions)
    }
}

#[cfg(test)]
mod tests {
    use super::{Wanted, unify};
    use crate::version::{Requirement, Version};

    #[test]
    fn highest_common_version_is_chosen() -> tosca_parse_yaql::Result<()> {
        for (versions, expected) in [
            (&[("1.0.0", "1"), ("1.1.0", "1")][..], &["1.1.0", "1.1.0"][..]),
            (&[("1.0.0", "1"), ("2.0.0", "2")], &["1.0.0", "2.0.0"]),
            // A later version is not better if an earlier one is required.
            (&[("1.0.0", "1.0"), ("1.1.0", "1")], &["1.0.0", "1.0.0"]),
            (&[("1.0.0", "1"), ("2.0.0", ">=1"), ("1.5.0", "1")], &["1.5.0", "1.5.0", "1.5.0"]),
            (&[("1.0.0", ">=1"), ("2.0.0", "2"), ("1.5.0", "1")], &["2.0.0", "2.0.0", "1.5.0"]),
        ] {
            let read: Vec<_> = versions
                .iter()
                .map(|(version, range)| Ok((Version::parse(version)?, Requirement::parse(range)?)))
                .collect::<tosca_parse_yaql::Result<_>>()?;
            let wanted: Vec<_> = read
                .iter()
                .map(|(version, range)| Wanted { version, requirements: vec![range], is_fixed: false })
                .collect();
            let found: Vec<_> =
                unify(&wanted.iter().collect::<Vec<_>>()).into_iter().map(|place| versions[place].0).collect();
            assert_eq!(found, expected, "{versions:?}");
        }
        Ok(())
    }
}
