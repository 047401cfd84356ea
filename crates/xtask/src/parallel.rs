//! Steps that run at the same time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::process::Outcome;

const THREADS: usize = 2;

/// The name of a step, and the names of the steps that must come before it.
type Step<'s> = (&'s str, &'s [&'s str]);

struct State<'s> {
    /// The steps that have not begun, in the order in which they begin if nothing must come before them.
    waiting: Vec<Step<'s>>,
    ended: Vec<&'s str>,
    outcome: Outcome,
}

/// Runs steps on two threads, each step after the ones that must come before it. After a failure, no further step begins.
///
/// # Errors
///
/// Returns the error of the first step that fails.
pub(crate) fn run(steps: &[Step<'_>], run_step: impl Fn(&str) -> Outcome + Sync) -> Outcome {
    let state = Mutex::new(State { waiting: steps.to_vec(), ended: Vec::new(), outcome: Ok(()) });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(name) = next(&state, &changed) {
                    let outcome = run_step(name);
                    let mut state = lock(&state);
                    state.ended.push(name);
                    state.outcome = std::mem::replace(&mut state.outcome, Ok(())).and(outcome);
                    changed.notify_all();
                }
            });
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// Waits until a step can begin, and returns its name; or `None` if no further step begins.
fn next<'s>(state: &Mutex<State<'s>>, changed: &Condvar) -> Option<&'s str> {
    let mut state = lock(state);
    loop {
        if state.waiting.is_empty() || state.outcome.is_err() {
            return None;
        }
        let State { waiting, ended, .. } = &mut *state;
        if let Some(index) = waiting.iter().position(|(_, before)| before.iter().all(|name| ended.contains(name))) {
            return Some(waiting.remove(index).0);
        }
        state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn lock<'l, 's>(state: &'l Mutex<State<'s>>) -> MutexGuard<'l, State<'s>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::run;
    use crate::process::Outcome;

    /// Runs steps of which one may fail, and returns the names of those that began.
    fn begun(failing: &str) -> (Vec<String>, Outcome) {
        let steps: &[(&str, &[&str])] =
            &[("pages", &["site", "others"]), ("site", &["web"]), ("web", &[]), ("others", &[])];
        let (sender, names) = mpsc::channel();
        let outcome = run(steps, |name| {
            sender.send(name.to_owned()).map_err(|error| error.to_string())?;
            if name == failing { Err(format!("{name} failed")) } else { Ok(()) }
        });
        (names.try_iter().collect(), outcome)
    }

    #[test]
    fn each_step_runs_after_those_that_must_come_before_it() {
        let (names, outcome) = begun("");
        let place = |name: &str| names.iter().position(|other| other == name);
        assert!(place("web") < place("site") && place("site") < place("pages") && place("others") < place("pages"));
        assert_eq!((names.len(), outcome), (4, Ok(())));
    }

    #[test]
    fn no_step_begins_after_a_failure() {
        let (names, outcome) = begun("web");
        assert!(!names.contains(&"site".to_owned()) && !names.contains(&"pages".to_owned()), "{names:?}");
        assert_eq!(outcome, Err("web failed".to_owned()));
    }
}
