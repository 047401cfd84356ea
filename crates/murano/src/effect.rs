//! Effects: the requests that methods of the core library would send to clouds, agents and users.

use std::rc::Rc;

use tosca_parse::Enumerated;
use tosca_parse::entity::Enumerated as _;
use tosca_parse_yaql::{Dict, Result, Value};

use crate::runtime::Runtime;

/// A request that would have left the runtime.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its kind.
    pub kind: EffectKind,
    /// The method of the core library.
    pub action: String,
    /// The name of the stack, instance or object.
    pub target: String,
    /// Details, such as the template, plan or message, by name.
    pub details: Dict,
}

/// The kind of an effect.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "kind of an effect")]
#[non_exhaustive]
pub enum EffectKind {
    /// A Heat stack.
    #[value(name = "stack")]
    Stack,
    /// The agent of an instance.
    #[value(name = "agent")]
    Agent,
    /// A message to users.
    #[value(name = "report")]
    Report,
    /// The statistics of applications and instances.
    #[value(name = "notification")]
    Notification,
    /// A Mistral workflow.
    #[value(name = "workflow")]
    Workflow,
}

impl EffectKind {
    /// Returns the kind as a word.
    pub fn as_str(self) -> &'static str {
        self.name()
    }
}

impl Effect {
    /// Returns the effect as data.
    pub fn to_value(&self) -> Value {
        let entry = |key: &str, value: &str| (Value::from(key), Value::from(value));
        let own = [entry("kind", self.kind.as_str()), entry("action", &self.action), entry("target", &self.target)];
        Value::dict(own.into_iter().chain(self.details.iter().map(|(key, value)| (key.clone(), value.clone()))))
    }
}

impl Runtime {
    /// Returns the effects so far, in order. There are none unless the runtime [records](crate::Builder::record) them.
    pub fn effects(&self) -> Vec<Effect> {
        self.effects.as_ref().map(|effects| effects.borrow().clone()).unwrap_or_default()
    }

    /// Records an effect and charges it to the budget.
    pub(crate) fn record(
        self: &Rc<Self>,
        kind: EffectKind,
        action: &str,
        target: String,
        details: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Result<()> {
        let Some(effects) = &self.effects else { return Ok(()) };
        let size = size_of::<Effect>() + action.len() + target.len();
        self.meter().budget().bytes(size as u64)?;
        let mut kept = Dict::default();
        for (name, value) in details {
            self.meter().budget().bytes(value.weight())?;
            kept.insert(name.into(), value);
        }
        effects.borrow_mut().push(Effect { kind, action: action.to_owned(), target, details: kept });
        Ok(())
    }
}
