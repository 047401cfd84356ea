//! Scalars that are known to be what a schema asks for.
//!
//! Templates say the same over and over: ports, sizes, versions, names of distributions. Whether such a scalar is valid
//! depends on its text and on the schema alone, unless clauses of the schema look into the service, or somebody defines
//! functions, which may give those in clauses another meaning. So what has been found valid once need not be compared
//! again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::types::DataType;
use super::super::schema::Schema;
use super::super::typed::kind::DataKind;
use super::bounds::Bounds;
use super::wording::{Wording, looks_around};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Field as _, Id, LanguageVersion, Value};
use crate::phase::Context;

/// The scalars that are known to be valid, by what they are compared with.
#[derive(Default)]
pub(super) struct Judged {
    by_demand: FxHashMap<Demand, Valid>,
    /// How many texts there are.
    texts: usize,
}

/// What a scalar is compared with, and how it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Demand {
    data_type: Id<DataType>,
    clauses: Clauses,
    kind: Kind,
    version: LanguageVersion,
}

/// The clauses with which a scalar is compared besides those of its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Clauses {
    /// There are none.
    None,
    /// Those of a definition.
    Of(AnyId),
    /// The one of this wording.
    Worded(Wording),
}

/// Which scalars are valid.
enum Valid {
    /// That is not known: there was only one so far, as there is for the default of a property.
    Unknown,
    /// That depends on where they stand.
    Open,
    /// All of them.
    All,
    /// Those within bounds, and maybe others.
    Within(Bounds),
    /// These, and maybe others.
    Texts(FxHashSet<Box<str>>),
}

/// How many demands are remembered: in a file of types, each property is one of its own.
const MOST_DEMANDS: usize = 4_000;

/// How many texts are remembered for a demand and for all, and how long they may be: what differs from template to
/// template is not met again.
const MOST_TEXTS: usize = 1_000;
const MOST_TEXTS_OF_ALL: usize = 50_000;
const LONGEST_TEXT: usize = 64;

impl Judged {
    /// Whether a scalar is known to be valid.
    pub(super) fn has(&self, demand: &Demand, text: &str) -> bool {
        match self.by_demand.get(demand) {
            Some(Valid::All) => true,
            Some(Valid::Within(bounds)) => bounds.has(text),
            Some(Valid::Texts(texts)) => texts.contains(text),
            Some(Valid::Unknown | Valid::Open) | None => false,
        }
    }

    /// Remembers a scalar that has been found valid. Whether it should be found out, too, what the validity of such scalars
    /// depends on: this is the second one.
    pub(super) fn remember(&mut self, demand: &Demand, text: &str) -> bool {
        if self.texts >= MOST_TEXTS_OF_ALL {
            *self = Self::default();
        }
        match self.by_demand.get_mut(demand) {
            Some(Valid::Unknown) => return true,
            Some(Valid::Texts(texts)) if texts.len() < MOST_TEXTS && text.len() <= LONGEST_TEXT => {
                self.texts += usize::from(texts.insert(text.into()));
            }
            Some(Valid::Texts(_) | Valid::Within(_) | Valid::Open | Valid::All) => {}
            None => {
                if self.by_demand.len() >= MOST_DEMANDS {
                    *self = Self::default();
                }
                self.by_demand.insert(*demand, Valid::Unknown);
            }
        }
        false
    }

    /// Remembers what the validity of such scalars depends on.
    pub(super) fn know(&mut self, demand: Demand, scope: Scope) {
        self.by_demand.insert(
            demand,
            match scope {
                Scope::Place => Valid::Open,
                Scope::Kind => Valid::All,
                Scope::Bounds(bounds) => Valid::Within(bounds),
                Scope::Text => Valid::Texts(FxHashSet::default()),
            },
        );
    }
}

/// What the validity of a scalar depends on.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// Where it stands.
    Place,
    /// Its kind.
    Kind,
    /// Whether it lies within bounds.
    Bounds(Bounds),
    /// Its text.
    Text,
}

impl Demand {
    /// What a scalar that is no call is compared with, if there is anything to compare it with.
    pub(super) fn of(node: Node<'_>, schema: &Schema<'_>, version: LanguageVersion) -> Option<Self> {
        let kind = node.kind();
        let data_type = schema.data_type.filter(|_| !matches!(kind, Kind::Map | Kind::List))?;
        let definition = schema.validation.filter(|clauses| clauses.is_set()).and(schema.definition);
        let clauses = definition.map_or(Clauses::None, Clauses::Of);
        Some(Self { data_type, clauses, kind, version })
    }

    /// The same for a scalar that is part of a definition itself. It is compared with that definition only once, but many
    /// definitions say the same.
    pub(super) fn of_definition(self, context: &mut Context<'_>, schema: &Schema<'_>, at: AnyId) -> Self {
        if self.clauses != Clauses::Of(at) {
            return self;
        }
        let Some([Value(clause)]) = schema.validation.map(|clauses| &clauses.items[..]) else { return self };
        Wording::of(context, *clause).map_or(self, |wording| Self { clauses: Clauses::Worded(wording), ..self })
    }

    /// What the validity of scalars depends on: the clauses of all that a scalar is compared with.
    pub(super) fn scope(&self, context: &Context<'_>, schema: &Schema<'_>) -> Scope {
        let of_type = context.get(self.data_type);
        let of_number = of_type.and_then(|of_type| context.get(context.target_of(of_type.data_type)?));
        let of_types = of_type.into_iter().chain(of_number).map(|data_type| &data_type.validation);
        let clauses = || schema.validation.into_iter().chain(of_types.clone()).flat_map(|clauses| &clauses.items);
        if self.kind == Kind::Integer
            && schema.kind(context) == Some(DataKind::Integer)
            && let Some(bounds) = Bounds::of(context, clauses().map(|clause| clause.0))
        {
            return Scope::Bounds(bounds);
        }
        if clauses().any(|clause| looks_around(context, clause.0)) {
            return Scope::Place;
        }
        let is_text = self.kind == Kind::String && schema.kind(context) == Some(DataKind::String);
        if is_text && clauses().next().is_none() { Scope::Kind } else { Scope::Text }
    }
}
