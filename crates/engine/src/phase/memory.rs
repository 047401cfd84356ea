//! What is remembered from template to template, and from parsing to parsing.
//!
//! A thousand templates of one type ask the same questions. Who has found an answer that does not depend on the template
//! may remember it, each in a type of its own: a phase can't know what a language wants to know again.
//!
//! What is remembered is about units by their numbers, and holds for as long as these mean the same: in all programs of a
//! session, until one of them has a unit that imports something else than before.
//!
//! Measured 2026-11-25: to parse 400 node templates again takes 25 % more instructions if nothing is remembered.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::rendering::Plans;

/// How many memories are kept that no thread uses: those of a computer with many threads.
const MOST_SPARE: usize = 256;

/// What one thread remembers.
#[derive(Default)]
struct Memory {
    plans: Plans,
    others: FxHashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

/// What no thread uses at the moment of what has been remembered.
#[derive(Default)]
pub(crate) struct Memories(Mutex<Vec<Memory>>);

impl Memories {
    /// Lends to one thread what another one has remembered, or nothing yet.
    pub(super) fn lend(&self) -> Lent<'_> {
        let memory = self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        Lent { memory, owner: self }
    }
}

impl fmt::Debug for Memories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memories")
    }
}

/// What is remembered; it goes back when it is not needed any more.
pub(super) struct Lent<'a> {
    memory: Memory,
    owner: &'a Memories,
}

impl Lent<'_> {
    /// How entities are applied to definitions.
    pub(super) fn plans(&mut self) -> &mut Plans {
        &mut self.memory.plans
    }

    /// What is remembered in a type; nothing at first.
    pub(super) fn of<T: Any + Send + Sync + Default>(&mut self) -> Option<&mut T> {
        let memory = self.memory.others.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        (&mut **memory as &mut dyn Any).downcast_mut()
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.memory.plans.bound();
        if let Ok(mut spare) = self.owner.0.lock()
            && spare.len() < MOST_SPARE
        {
            spare.push(std::mem::take(&mut self.memory));
        }
    }
}
