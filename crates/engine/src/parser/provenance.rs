//! Adjusts problems in assembled documents: adds the positions where values are used, and masks secrets.

use foldhash::HashSet;
use rustc_hash::FxHashMap;

use crate::ard::ProvenanceStep;
use crate::diagnostic::{Diagnostic, Related, Span, USED};
use crate::phase::Units;

/// The positions at which a value is used, and its provenance.
#[derive(Default)]
struct Places {
    used: Vec<Span>,
    steps: Vec<ProvenanceStep>,
}

/// The maximum number of positions to show at which a value is used.
const MAX_USES: usize = 3;

impl Places {
    fn note(&mut self, used: Option<Span>, provenance: &[ProvenanceStep]) {
        const LONGEST: usize = 12;
        match used {
            Some(used) if self.used.contains(&used) => {}
            Some(_) if self.used.len() == MAX_USES => return,
            Some(used) => self.used.push(used),
            None => {}
        }
        for step in provenance {
            if self.steps.len() < LONGEST && !self.steps.contains(step) {
                self.steps.push(*step);
            }
        }
    }

    /// Returns the positions to show. If the use with the problem is known, it is the first one.
    fn related(&self, failing: Option<Related>) -> impl Iterator<Item = Related> {
        let known = failing.as_ref().map(|failing| failing.span);
        let others = self.used.iter().filter(move |place| known != Some(**place));
        let others = others.map(|place| Related { span: *place, message: USED.to_owned() });
        let used = failing.into_iter().chain(others).take(MAX_USES);
        used.chain(self.steps.iter().map(|step| Related { span: step.span, message: step.what.to_owned() }))
    }
}

/// Adds the positions at which a value is used to the problems with the value. If a value is used several times, each
/// problem is reported only once.
pub(super) fn add_uses(diagnostics: &mut Vec<Diagnostic>, units: &Units) {
    let mut uses: FxHashMap<Span, Places> = FxHashMap::default();
    for this in units.list.iter().flat_map(|unit| unit.document.uses()) {
        uses.entry(this.written).or_default().note(this.used, this.provenance);
    }
    if uses.is_empty() {
        return;
    }
    let mut reported: HashSet<(&str, Span, String)> = HashSet::default();
    diagnostics.retain_mut(|problem| {
        let Some(places) = uses.get(&problem.span) else { return true };
        let failing = problem.related.iter().position(|related| related.message == USED);
        let failing = failing.map(|at| problem.related.remove(at));
        problem.related.extend(places.related(failing));
        reported.insert((problem.rule.code, problem.span, problem.message.clone()))
    });
}

/// Removes secrets from problems.
pub(super) fn mask(diagnostics: &mut [Diagnostic], units: &Units) {
    let secrets = units.secrets();
    if secrets.is_empty() {
        return;
    }
    for problem in diagnostics {
        for help in &mut problem.help {
            let masked = secrets.masked(help);
            if masked != *help {
                *help = masked;
                problem.fix = None;
            }
        }
        let texts = std::iter::once(&mut problem.message);
        for text in texts.chain(problem.related.iter_mut().map(|related| &mut related.message)) {
            *text = secrets.masked(text);
        }
    }
}
