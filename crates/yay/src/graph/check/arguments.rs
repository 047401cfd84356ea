//! Arguments that no macro uses.

use rustc_hash::FxHashSet;

use super::survey::{Call, Survey};
use crate::evaluate::Function;
use crate::graph::Graph;
use crate::name::Name;
use crate::warning::{Warning, WarningKind};

/// The maximum number of bodies that are searched for the use of an argument.
const MAX_BODIES: usize = 100;

/// The names in the body of a macro or prototype.
#[derive(Default)]
struct Names {
    used: FxHashSet<Name>,
    called: Vec<Name>,
}

impl Graph<'_> {
    pub(super) fn unused_arguments(&mut self, survey: &Survey) -> Vec<Warning> {
        let mut names: Vec<Names> = survey.bodies.iter().map(|_| Names::default()).collect();
        for used in &survey.uses {
            let Some(body) = used.body else { continue };
            let names = &mut names[body as usize];
            names.used.insert(used.name);
            // A macro can be called by any name that it has been given.
            if used.is_callee || survey.by_name.contains_key(&used.name) {
                names.called.push(used.name);
            }
        }
        let referring = self.blocks_with_here(survey);
        let mut warnings = Vec::new();
        for call in &survey.calls {
            let Some(bodies) = survey.by_name.get(&call.name) else { continue };
            let refers_to_itself = call.scope.is_some_and(|scope| referring.contains(&scope));
            let is_macro = bodies.iter().all(|body| survey.bodies[*body as usize].is_macro);
            if refers_to_itself || !is_macro || self.is_value(survey, call) {
                continue;
            }
            for (argument, at) in &call.arguments {
                if self.is_used(survey, &names, bodies, *argument) {
                    continue;
                }
                warnings.push(Warning {
                    kind: WarningKind::UnusedArgument,
                    message: format!(
                        "macro `{}` doesn't use argument `{}`",
                        self.loaded.names.text(call.name),
                        self.loaded.names.text(*argument)
                    ),
                    help: Some("remove the argument, or use its name in the macro".to_owned()),
                    meant: None,
                    at: *at,
                    related: bodies.first().map(|body| (survey.bodies[*body as usize].at, "macro")),
                });
            }
        }
        warnings
    }

    /// Returns whether the name in a call may denote something other than a macro.
    fn is_value(&self, survey: &Survey, call: &Call) -> bool {
        survey.set.contains(&call.name) || self.inputs.contains_key(&call.name)
    }

    /// Returns whether a body or a body that it calls uses a name. Called bodies can use the same names.
    fn is_used(&self, survey: &Survey, names: &[Names], bodies: &[u32], name: Name) -> bool {
        let mut waiting: Vec<u32> = bodies.to_vec();
        let mut seen: FxHashSet<u32> = waiting.iter().copied().collect();
        while let Some(body) = waiting.pop() {
            let of_body = &names[body as usize];
            if survey.bodies[body as usize].is_opaque || of_body.used.contains(&name) || seen.len() > MAX_BODIES {
                return true;
            }
            for called in &of_body.called {
                match survey.by_name.get(called) {
                    Some(bodies) => waiting.extend(bodies.iter().copied().filter(|body| seen.insert(*body))),
                    None if Function::named(self.loaded.names.text(*called)).is_some() => {}
                    None => return true,
                }
            }
        }
        false
    }

    /// Returns the blocks that use `here`, with which the arguments in a block can refer to each other.
    fn blocks_with_here(&self, survey: &Survey) -> FxHashSet<u32> {
        let mut blocks = FxHashSet::default();
        for used in survey.uses.iter().filter(|used| used.name == self.words.here) {
            let mut next = Some(used.scope);
            while let Some(scope) = next.filter(|scope| blocks.insert(*scope)) {
                next = survey.scopes[scope as usize].parent;
            }
        }
        blocks
    }
}
