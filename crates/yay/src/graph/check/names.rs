//! Undefined names in expressions that were not evaluated.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::survey::{StaticKind, Survey, Use};
use crate::evaluate::Function;
use crate::graph::Graph;
use crate::name::Name;
use crate::syntax::StanzaKind;
use crate::warning::{Warning, WarningKind};

/// The maximum number of names that a suggestion is chosen from.
const MAX_CANDIDATES: usize = 1_000;
/// The maximum number of warnings with a suggestion.
const MAX_SUGGESTIONS: usize = 100;

/// The arguments with which bodies are called, by their names; `None` if any argument may be given.
type Arguments = FxHashMap<Name, Option<FxHashSet<Name>>>;

impl Graph<'_> {
    pub(super) fn unknown_names(&mut self, survey: &Survey) -> Vec<Warning> {
        let arguments = arguments(survey);
        let keys: FxHashSet<Name> = match self.root_is_list() {
            Ok(false) => self.keys(self.root).map(|keys| keys.iter().copied().collect()).unwrap_or_default(),
            _ => FxHashSet::default(),
        };
        let candidates = self.candidates(survey);
        let mut warnings = Vec::new();
        for used in survey.uses.iter().filter(|used| !used.is_evaluated && !used.is_optional) {
            let is_global = survey.is_root_open || keys.contains(&used.name) || self.is_global(survey, used.name);
            if is_global || is_in_scope(self, survey, &arguments, used) {
                continue;
            }
            let candidates = if warnings.len() < MAX_SUGGESTIONS { &*candidates } else { &[] };
            warnings.push(self.unknown_name(survey, candidates, used));
        }
        warnings
    }

    /// Returns whether a name has a meaning everywhere.
    fn is_global(&self, survey: &Survey, name: Name) -> bool {
        let text = self.loaded.names.text(name);
        survey.root_keys.contains(&name)
            || survey.exported.contains(&name)
            || self.inputs.contains_key(&name)
            || self.builtins.contains_key(&name)
            || self.classes.iter().any(|(class, _)| *class == name)
            || matches!(&**text, "here" | "self" | "True" | "true" | "False" | "false" | "None" | "none")
            || name == self.words.env && self.has_environment()
            || Function::named(text).is_some()
    }

    /// Returns the names that may have been meant.
    fn candidates(&self, survey: &Survey) -> Vec<Rc<str>> {
        let names = survey.bound.iter().chain(&survey.root_keys).take(MAX_CANDIDATES);
        let mut texts: Vec<_> = names.map(|name| self.text_of(*name)).collect();
        texts.sort_unstable();
        texts
    }

    fn unknown_name(&self, survey: &Survey, candidates: &[Rc<str>], used: &Use) -> Warning {
        let text = self.text_of(used.name);
        let is_of_scope = self.is_key_of_scope(survey, used);
        let alike = || self.loaded.suggestions.alike(&text, candidates.iter().map(|name| &**name));
        let meant = if is_of_scope { None } else { alike().map(str::to_owned) };
        let help = match &meant {
            Some(name) => format!("did you mean `{name}`?"),
            None if is_of_scope => format!("write `here.{text}` for the key of the enclosing mapping"),
            None => format!("define `{text}`, or write `{text} else …` if it may be missing"),
        };
        Warning {
            kind: WarningKind::UnknownName,
            message: format!("unknown name `{text}`, in an expression that is not evaluated"),
            help: Some(help),
            meant,
            at: used.at,
            related: None,
        }
    }

    /// Returns whether the nearest block around the use of a name has a key with that name.
    fn is_key_of_scope(&self, survey: &Survey, used: &Use) -> bool {
        let mut around = survey.around(used.scope);
        let Some(block) = around.find_map(|kind| match kind {
            StaticKind::Block { block, .. } => Some(*block),
            _ => None,
        }) else {
            return false;
        };
        let stanzas = &self.loaded.trees[block.tree as usize].block(block.block).stanzas;
        stanzas.iter().any(|stanza| match &stanza.kind {
            StanzaKind::Map(entries) => entries.position(used.name).is_some(),
            _ => false,
        })
    }
}

impl Survey {
    /// Returns the scopes from the innermost one outwards.
    pub(super) fn around(&self, scope: u32) -> impl Iterator<Item = &StaticKind> {
        let scope = &self.scopes[scope as usize];
        std::iter::successors(Some(scope), |scope| Some(&self.scopes[scope.parent? as usize])).map(|scope| &scope.kind)
    }
}

fn is_in_scope(graph: &Graph<'_>, survey: &Survey, arguments: &Arguments, used: &Use) -> bool {
    let name = used.name;
    for kind in survey.around(used.scope) {
        match kind {
            StaticKind::Block { block, is_open } => {
                let bindings = &graph.loaded.trees[block.tree as usize].block(block.block).bindings;
                if *is_open || bindings.contains_key(&name) {
                    return true;
                }
            }
            StaticKind::Names(names) if names.contains(&name) => return true,
            StaticKind::Names(_) => {}
            StaticKind::Included => return survey.bound.contains(&name),
            // A body can use all names around the place where it is used.
            StaticKind::Body(body) => {
                if survey.bound.contains(&name) {
                    return true;
                }
                let own = survey.bodies[*body as usize].name;
                let is_known = |names: &FxHashSet<Name>| names.contains(&name);
                return arguments.get(&own).is_none_or(|given| given.as_ref().is_none_or(is_known));
            }
        }
    }
    false
}

/// Returns the arguments of each body that is used. The arguments of unused bodies are unknown.
fn arguments(survey: &Survey) -> Arguments {
    let mut arguments = Arguments::default();
    for used in survey.uses.iter().filter(|used| survey.by_name.contains_key(&used.name)) {
        let given = arguments.entry(used.name).or_insert_with(|| Some(FxHashSet::default()));
        // The body may be called by a different name, or the name may denote something else.
        if !used.is_callee || survey.set.contains(&used.name) {
            *given = None;
        }
    }
    for call in &survey.calls {
        match arguments.get_mut(&call.name) {
            Some(given) if call.is_open => *given = None,
            Some(Some(given)) => given.extend(call.arguments.iter().map(|(name, _)| *name)),
            _ => {}
        }
    }
    open_callees(survey, &mut arguments);
    arguments
}

/// Marks the arguments as unknown for bodies that are called by one with unknown arguments, because they can use these
/// arguments, too.
fn open_callees(survey: &Survey, arguments: &mut Arguments) {
    let mut called: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    for used in survey.uses.iter().filter(|used| survey.by_name.contains_key(&used.name)) {
        if let Some(body) = used.body {
            called.entry(survey.bodies[body as usize].name).or_default().push(used.name);
        }
    }
    let is_open = |name: &&Name| !matches!(arguments.get(*name), Some(Some(_)));
    let mut waiting: Vec<Name> = survey.by_name.keys().filter(is_open).copied().collect();
    while let Some(name) = waiting.pop() {
        for callee in called.remove(&name).unwrap_or_default() {
            arguments.insert(callee, None);
            waiting.push(callee);
        }
    }
}
