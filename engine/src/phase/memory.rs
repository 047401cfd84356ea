//! What is remembered from template to template.
//!
//! A thousand templates of one type ask the same questions. Who has found an answer that does not depend on the template
//! may remember it, each in a type of its own: a phase can't know what a language wants to know again.

use std::any::{Any, TypeId};
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::rendering::Plans;

/// How many plans are kept from one handful of entities to the next: where each template has a type of its own, plans are
/// of no use to others, and there are as many as members of types.
const MOST_PLANS: usize = 2_000;

/// What one thread remembers.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) plans: Plans,
    others: FxHashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Memory {
    /// Forgets the plans if there are too many.
    pub(super) fn bound(&mut self) {
        if self.plans.len() > MOST_PLANS {
            self.plans = Plans::default();
        }
    }

    /// What is remembered in a type; nothing at first.
    pub(super) fn of<T: Any + Send + Sync + Default>(&mut self) -> Option<&mut T> {
        let memory = self.others.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        (&mut **memory as &mut dyn Any).downcast_mut()
    }
}

/// The memories that no thread uses at the moment.
#[derive(Default)]
pub(super) struct Memories(Mutex<Vec<Memory>>);

impl Memories {
    /// Lends a memory to a thread.
    pub(super) fn lend(&self) -> Lent<'_> {
        let memory = self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        Lent { memory, owner: self }
    }
}

/// A memory that goes back when it is not needed any more.
pub(super) struct Lent<'a> {
    pub(super) memory: Memory,
    owner: &'a Memories,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Ok(mut spare) = self.owner.0.lock() {
            spare.push(std::mem::take(&mut self.memory));
        }
    }
}
