//! Comparing values with schemas.

mod parts;
mod understanding;

pub(super) use understanding::plain;
use understanding::{decode_base64, timestamp};

use super::super::definition::PropertyDefinition;
use super::super::types::DataType;
use super::super::version::V2_0;
use super::arguments::check_scalars;
use super::call::{Call, Shape, is_function_name};
use super::{DataKind, Datum, Place, Schema, constraint, evaluate, expression, function, scalar, scalar_unit};
use crate::ard::{Kind, Node};
use crate::diagnostic::{Rule, Span};
use crate::entity::{Id, LanguageVersion, Position, Quirk};
use crate::phase::{Context, Explain, Problem};
use crate::rules;
use crate::value::{TimestampForm, Version, parse_number};

/// Compares values that stand at one place with what they should be.
pub struct Judge<'c, 'a> {
    /// The program.
    pub context: &'c mut Context<'a>,
    /// Where the values stand.
    pub place: Place<'a>,
    /// Whether problems are not reported: for values that have been compared before.
    is_silent: bool,
    /// Whether values need not be valid: for those that valid ones are compared with.
    is_lenient: bool,
    /// The definitions whose defaults are being understood.
    filling: Vec<Id<PropertyDefinition>>,
    /// How many members of values may still be taken from defaults: types whose defaults hold values of each other
    /// would otherwise make a short text into an endless value.
    to_fill: usize,
    /// How many properties have led to the one whose value is computed; nothing unless the values of properties are
    /// computed at all, as they are where nodes are compared with filters.
    depth: Option<u8>,
}

/// How many members of a value are taken from defaults at most.
const MOST_FILLED: usize = 1000;

/// How many properties may get their values from one another before they are taken for a loop.
const DEPTH: u8 = 32;

impl<'c, 'a> Judge<'c, 'a> {
    /// A judge of values at a place.
    pub fn new(context: &'c mut Context<'a>, place: Place<'a>) -> Self {
        Self {
            context,
            place,
            is_silent: false,
            is_lenient: false,
            filling: Vec::new(),
            to_fill: MOST_FILLED,
            depth: None,
        }
    }

    /// A judge that computes what properties are, with the values that inputs have now. It reports nothing.
    pub(crate) fn of_values(context: &'c mut Context<'a>, place: Place<'a>) -> Self {
        Self { is_silent: true, depth: Some(0), ..Self::new(context, place) }
    }

    /// Whether the values of properties are computed.
    pub(super) fn computes_properties(&self) -> bool {
        self.depth.is_some()
    }

    /// Understands a value that stands at another place, to which a property has led. Unknown if too many have.
    pub(super) fn understand_elsewhere(&mut self, node: Node<'a>, schema: &Schema<'a>, place: Place<'a>) -> Datum {
        let Some(depth) = self.depth.filter(|depth| *depth < DEPTH) else { return Datum::Unknown };
        let before = (self.depth, self.place);
        (self.depth, self.place) = (Some(depth + 1), place);
        let datum = self.understand(node, schema);
        (self.depth, self.place) = before;
        datum
    }

    /// The version that a node is written in.
    pub(super) fn version(&self, node: Node<'_>) -> LanguageVersion {
        self.context.program.unit(node.document().source()).map_or(LanguageVersion::LAST, |unit| unit.version)
    }

    /// What a node is with regard to functions. Data that is given from outside holds no calls.
    pub(super) fn shape(&self, node: Node<'a>) -> Shape<'a> {
        match self.context.program.unit(node.document().source()) {
            Some(unit) if !unit.is_data => Call::shape(node, unit.version),
            _ => Shape::Literal,
        }
    }

    /// Reports a problem with a node.
    pub(super) fn problem(
        &mut self,
        rule: &'static Rule,
        node: Node<'_>,
        message: impl Into<String>,
    ) -> Option<Problem<'_>> {
        let span = (!self.is_silent && !node.is_substitute()).then(|| node.span());
        self.context.problem(rule, span, message)
    }

    /// Compares the value at a position with a schema.
    pub fn check_at(&mut self, position: Position, schema: &Schema<'a>) {
        if let Some(node) = self.context.node(position) {
            self.check(node, schema);
        }
    }

    /// Compares a value with a schema.
    pub fn check(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        // What stands in for an alias that was refused has been reported.
        if node.is_substitute() {
            return;
        }
        match self.shape(node) {
            Shape::Call(call) => {
                let known = expression::check_call(self, call);
                expression::check_result(self, call, &known, schema);
                if schema.kind(self.context) == Some(DataKind::Scalar) {
                    check_scalars(self, call, schema);
                }
                self.check_computed(node, schema);
            }
            Shape::Malformed(key) => self.check_malformed(node, key, schema),
            Shape::Literal => self.check_literal(node, schema),
        }
    }

    /// Compares a value that others are compared with to their type. The largest valid value plus one is a good bound,
    /// so it need not be valid.
    pub(super) fn check_bound(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let was_lenient = std::mem::replace(&mut self.is_lenient, true);
        self.check(node, schema);
        self.is_lenient = was_lenient;
    }

    /// Does something without reporting problems.
    pub(super) fn silently<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let was_silent = std::mem::replace(&mut self.is_silent, true);
        let result = work(self);
        self.is_silent = was_silent;
        result
    }

    /// Whether a value is what a schema asks for. Nothing is reported.
    pub(in super::super) fn is_fit(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        let place = self.place;
        self.context.is_free_of_errors(|context| Judge::new(context, place).check(node, schema))
    }

    /// What a call gives must be valid too, if it can be computed.
    fn check_computed(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let environment = evaluate::Environment { value: None };
        let wanted = (schema.kind(self.context) == Some(DataKind::Scalar)).then_some(schema);
        let datum = evaluate::evaluate(self, node, &environment, wanted);
        self.check_datum(node, &datum, schema);
    }

    fn check_datum(&mut self, node: Node<'a>, datum: &Datum, schema: &Schema<'a>) {
        let items: Vec<&Datum> = match datum {
            Datum::List(items) => items.iter().collect(),
            Datum::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        };
        if let Some(entries) = schema.entries(self.context).filter(|_| !items.is_empty()) {
            let kind = entries.kind(self.context);
            // One entry of a wrong type is enough to say that the function does not fit.
            match items.iter().find(|item| kind.is_some_and(|kind| !item.may_be(kind))) {
                Some(item) => return self.wrong_entry(node, item, &entries),
                None => items.into_iter().for_each(|item| self.check_datum(node, item, &entries)),
            }
        }
        self.validate(node, datum, schema);
    }

    /// An entry of what a call gives is not of its type.
    fn wrong_entry(&mut self, node: Node<'a>, entry: &Datum, schema: &Schema<'a>) {
        let wanted = schema.type_name(self.context);
        let message = format!("the result has {entry} in it, where entries must be of type `{wanted}`");
        self.problem(&rules::RESULT_TYPE, node, message).help(format!("give the function values of type `{wanted}`"));
    }

    /// A map with several keys of which one looks like a call (decision A 6).
    fn check_malformed(&mut self, node: Node<'a>, key: Node<'a>, schema: &Schema<'a>) {
        let name = key.text().trim_start_matches('$');
        let is_name = is_function_name(name);
        let rule = if is_name { &rules::MALFORMED_FUNCTION } else { &rules::ODD_KEY };
        let message = format!("`{}` looks like a call of a function, but is not the only key of its map", key.text());
        let problem = self.problem(rule, key, message);
        let problem = if is_name {
            problem.help("indent it further if it is meant as the value of another key")
        } else {
            problem
        };
        problem.help(format!("write `$${name}` if the key shall start with a dollar sign"));
        if !is_name {
            self.check_literal(node, schema);
        }
    }

    /// Reports a call that may give nothing, where something is needed: an input that is neither required nor has a
    /// default.
    pub fn check_is_certain(&mut self, node: Node<'a>, what: &str) {
        let Shape::Call(call) = self.shape(node) else { return };
        let Some(source) = expression::optional_input(self, call) else { return };
        let name = self.context.program.name(source);
        let message = format!("{what} needs a value, but input `{name}` may have none");
        let declared = self.context.program.name_span(source);
        self.problem(&rules::UNCERTAIN_VALUE, node, message)
            .related(declared, "the input is declared here")
            .help("make the input required, or give it a default");
    }

    fn check_literal(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let Some(data_type) = schema.data_type else {
            // A value of unknown type can still hold calls.
            self.check_calls_within(node);
            return;
        };
        let kind = DataKind::of(self.context, data_type);
        let fits = match kind {
            DataKind::String => node.kind() == Kind::String || self.is_written_as_string(node),
            DataKind::Boolean => self.check_boolean(node),
            DataKind::Float => matches!(node.kind(), Kind::Float | Kind::Integer) && self.check_float_size(node),
            DataKind::Nil => node.kind() == Kind::Null,
            DataKind::Integer => return self.check_integer(node, data_type, schema),
            DataKind::Bytes | DataKind::Timestamp | DataKind::Version => {
                return self.check_text(node, data_type, kind, schema);
            }
            DataKind::Scalar => {
                let datum = scalar::read(self, node, data_type);
                self.validate(node, &datum, schema);
                return;
            }
            DataKind::ScalarUnit => {
                let datum = scalar_unit::read(self, node, data_type);
                self.validate(node, &datum, schema);
                return;
            }
            DataKind::Range => {
                let datum = self.read_range(node, data_type, schema);
                self.validate(node, &datum, schema);
                return;
            }
            DataKind::List => node.kind() == Kind::List && self.check_items(node, schema),
            DataKind::Map => node.kind() == Kind::Map && self.check_entries(node, schema),
            DataKind::Complex => node.kind() == Kind::Map && self.check_members(node, data_type),
        };
        if fits {
            self.check_validation(node, schema);
        } else {
            self.wrong_type_of(node, data_type, kind, schema);
        }
    }

    /// Whether a number or boolean is a string as it is written.
    fn is_written_as_string(&self, node: Node<'_>) -> bool {
        let is_scalar = matches!(node.kind(), Kind::Integer | Kind::Float | Kind::Boolean);
        is_scalar && self.context.program.quirks.has(Quirk::NumbersAsStrings)
    }

    fn check_integer(&mut self, node: Node<'a>, data_type: Id<DataType>, schema: &Schema<'a>) {
        if node.kind() != Kind::Integer {
            self.wrong_type_of(node, data_type, DataKind::Integer, schema);
        } else if self.check_size(node) {
            self.check_validation(node, schema);
        }
    }

    /// Reports an integer that does not fit into 64 bits.
    pub(super) fn check_size(&mut self, node: Node<'_>) -> bool {
        let fits = node.as_integer().and_then(|integer| i64::try_from(integer).ok()).is_some();
        if !fits {
            let message = format!("`{}` does not fit into the 64 bits of an integer", node.text());
            self.problem(&rules::INTEGER_OVERFLOW, node, message).help(format!(
                "an integer lies between {} and {}",
                i64::MIN,
                i64::MAX
            ));
        }
        fits
    }

    /// Reports a number that is larger than all floats. Infinity is one, but must be written as such.
    fn check_float_size(&mut self, node: Node<'_>) -> bool {
        let is_infinite = node.as_float().is_some_and(f64::is_infinite);
        if is_infinite && !node.text().to_ascii_lowercase().contains("inf") {
            let message = format!("`{}` is larger than all floats, and is taken for infinity", node.text());
            self.problem(&rules::FLOAT_OVERFLOW, node, message)
                .help("a float is at most about 1.8e308; write `.inf` for infinity");
        }
        true
    }

    /// Reads a range: a list of two bounds (1.3, 3.3.3; decision B 3).
    fn read_range(&mut self, node: Node<'a>, data_type: Id<DataType>, schema: &Schema<'a>) -> Datum {
        let mut bounds = node.items();
        let (Some(lower), Some(upper), None) = (bounds.next(), bounds.next(), bounds.next()) else {
            if node.kind() == Kind::List {
                let message = format!("a range has two bounds, not {}", node.len());
                self.problem(&rules::MALFORMED_VALUE, node, message).help("write for example `[ 1, UNBOUNDED ]`");
            } else {
                self.wrong_type_of(node, data_type, DataKind::Range, schema);
            }
            return Datum::Unknown;
        };
        let bound = |node: Node<'_>| node.as_integer().and_then(|bound| i64::try_from(bound).ok());
        let is_open = upper.kind() == Kind::String && upper.text() == "UNBOUNDED";
        for node in [Some(lower), Some(upper).filter(|_| !is_open)].into_iter().flatten() {
            // A bound may be computed.
            if !matches!(self.shape(node), Shape::Literal) {
                self.check(node, &Schema::of_type(None));
                return Datum::Unknown;
            }
            if bound(node).is_none() {
                let message = format!("`{}` is not a bound of a range", node.text());
                self.problem(&rules::MALFORMED_VALUE, node, message)
                    .help("a bound is an integer; the upper one may be `UNBOUNDED`");
                return Datum::Unknown;
            }
        }
        match (bound(lower), bound(upper)) {
            (Some(lower), Some(upper)) if lower > upper => {
                let message = format!("the lower bound {lower} is above the upper bound {upper}");
                self.problem(&rules::MALFORMED_VALUE, node, message).help("swap the bounds");
                Datum::Unknown
            }
            (Some(lower), upper) => Datum::Range { lower, upper },
            (None, _) => Datum::Unknown,
        }
    }

    /// Values that are texts with a grammar.
    fn check_text(&mut self, node: Node<'a>, data_type: Id<DataType>, kind: DataKind, schema: &Schema<'a>) {
        let version = self.version(node);
        let is_number = matches!(node.kind(), Kind::Float | Kind::Integer);
        if kind == DataKind::Version && version < V2_0 && is_number {
            // `1.0` without quotes is common in 1.x, and means what it says.
        } else if node.kind() != Kind::String {
            return self.wrong_type_of(node, data_type, kind, schema);
        }
        let text = node.text();
        let help = match kind {
            DataKind::Bytes if decode_base64(text).is_none() => "write the bytes in Base64, with padding",
            DataKind::Version if Version::parse(text).is_none() => {
                "a version is `major.minor`, `major.minor.fix`, `major.minor.fix.qualifier` or `major.minor.fix.qualifier-build`"
            }
            DataKind::Timestamp => match timestamp(text, version).map(|timestamp| timestamp.form) {
                None => "a timestamp is written as in `2024-10-09T12:00:00Z` or `2024-10-09T12:00:00.5+02:00`",
                Some(TimestampForm::DateOnly) if version >= V2_0 => {
                    let message = format!("`{text}` has no time");
                    self.problem(&rules::DATE_ONLY, node, message).help(format!("write `{text}T00:00:00Z`"));
                    return self.check_validation(node, schema);
                }
                Some(_) => return self.check_validation(node, schema),
            },
            _ => return self.check_validation(node, schema),
        };
        let message = match kind {
            DataKind::Bytes => "the text is not Base64".to_owned(),
            DataKind::Version => format!("`{text}` is not a version"),
            _ => format!("`{text}` is not a timestamp"),
        };
        let defined = schema.definition.and_then(|definition| self.context.program.name_span(definition));
        self.problem(&rules::MALFORMED_VALUE, node, message).related(defined, "defined here").help(help);
    }

    /// A boolean is spelt in one way only (decision A 3); in 1.x, YAML decides.
    pub(super) fn is_spelt_right(&self, node: Node<'_>) -> bool {
        self.version(node) < V2_0 || matches!(node.text(), "true" | "false")
    }

    /// Looks for calls of functions in a value of which nothing else is known.
    fn check_calls_within(&mut self, node: Node<'a>) {
        let anything = Schema::of_type(None);
        match node.kind() {
            Kind::List => node.items().for_each(|item| self.check(item, &anything)),
            Kind::Map => node.entries().for_each(|entry| {
                if entry.key.kind() == Kind::Map {
                    self.check(entry.key, &anything);
                }
                self.check(entry.value, &anything);
            }),
            _ => {}
        }
    }

    /// Reports that a value is not of a type.
    pub(super) fn wrong_type(&mut self, node: Node<'_>, data_type: Id<DataType>, kind: DataKind) {
        self.wrong_type_of(node, data_type, kind, &Schema::of_type(Some(data_type)));
    }

    fn wrong_type_of(&mut self, node: Node<'_>, data_type: Id<DataType>, kind: DataKind, schema: &Schema<'a>) {
        let name = self.context.program.name(data_type.any());
        let what = schema.title(self.context);
        let expected = kind.with_article();
        let of_type =
            if expected.ends_with(name) || kind == DataKind::Boolean { String::new() } else { format!(" (`{name}`)") };
        let found = match node.kind() {
            Kind::Boolean if kind == DataKind::Boolean => format!("`{}`", node.text()),
            _ => crate::phase::read::with_article(node).to_owned(),
        };
        let message = format!("{what} must be {expected}{of_type}, not {found}");
        let is_scalar = !matches!(node.kind(), Kind::Map | Kind::List | Kind::Null);
        let help = match kind {
            _ if node.kind() == Kind::Null => Some("give a value, or leave it out".to_owned()),
            DataKind::Integer if node.kind() == Kind::Float => {
                let whole = node.as_float().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
                Some(whole.map_or("write a whole number".to_owned(), |number| format!("write `{number:.0}`")))
            }
            DataKind::String | DataKind::Version | DataKind::Timestamp if is_scalar => {
                Some(format!("put it in quotes: \"{}\"", node.text()))
            }
            DataKind::Boolean if node.kind() == Kind::Boolean => {
                Some(format!("write `{}`", node.text().to_ascii_lowercase()))
            }
            DataKind::Integer | DataKind::Float | DataKind::Boolean
                if node.kind() == Kind::String && is_quoted(node, kind) =>
            {
                Some("leave the quotes out".to_owned())
            }
            _ => function::likely(node, self.version(node)).map(|name| format!("did you mean the function `{name}`?")),
        };
        let defined = schema.definition.and_then(|definition| self.context.program.name_span(definition));
        let quirk = (kind == DataKind::String && is_scalar).then(|| Quirk::NumbersAsStrings.help());
        self.problem(&rules::WRONG_TYPE, node, message).help_if(help).help_if(quirk).related(defined, "defined here");
    }

    /// Evaluates what must be true of a value, if anything must.
    fn check_validation(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let of_type = schema.data_type.and_then(|data_type| self.context.get(data_type));
        let is_free = of_type.is_none_or(|data_type| data_type.validation.items.is_empty())
            && schema.validation.is_none_or(|clauses| clauses.items.is_empty());
        if !is_free {
            let datum = self.understand(node, schema);
            self.validate(node, &datum, schema);
        }
    }

    /// Evaluates what must be true of a value.
    pub(super) fn validate(&mut self, node: Node<'_>, datum: &Datum, schema: &Schema<'a>) {
        if *datum == Datum::Unknown || self.is_silent || self.is_lenient {
            return;
        }
        let of_type =
            schema.data_type.and_then(|data_type| self.context.get(data_type)).map(|data_type| &data_type.validation);
        let clauses: Vec<Position> = schema
            .validation
            .into_iter()
            .chain(of_type)
            .flat_map(|clauses| &clauses.items)
            .map(|clause| clause.0)
            .collect();
        let mut unmet: Vec<(Span, Option<String>)> = Vec::new();
        for clause in clauses {
            let Some(clause) = self.context.node(clause) else { continue };
            if self.version(clause) < V2_0 {
                for (clause, is) in constraint::unfulfilled(self, clause, datum, schema) {
                    unmet.push((clause, is));
                }
                continue;
            }
            let environment = evaluate::Environment { value: Some((datum, schema)) };
            if evaluate::evaluate(self, clause, &environment, None) == Datum::Boolean(false) {
                unmet.push((clause.span(), evaluate::explain(self, clause, &environment)));
            }
        }
        if unmet.is_empty() {
            return;
        }
        let what = if self.version(node) < V2_0 { "constraint" } else { "validation clause" };
        let clauses = match unmet.len() {
            1 => format!("a {what}"),
            several => format!("{several} {what}s"),
        };
        let message = format!("{} is not valid: {datum} does not fulfil {clauses}", schema.title(self.context));
        let mut problem = self.problem(&rules::VALIDATION_FAILED, node, message);
        for (clause, sides) in unmet {
            problem = problem.related(Some(clause), "this must be true").help_if(sides);
        }
    }
}

/// Whether a text would be of a kind if it were not in quotes.
fn is_quoted(node: Node<'_>, kind: DataKind) -> bool {
    let would_be = match kind {
        DataKind::Integer => node.text().parse::<i64>().is_ok(),
        DataKind::Float => parse_number(node.text()).is_some(),
        _ => matches!(node.text(), "true" | "false"),
    };
    would_be && node.style() != crate::ard::Style::Plain
}

/// Checks a number of nodes or relationships: a non-negative integer, or a call that gives an integer (decision A 55).
pub(crate) fn check_count(context: &mut Context<'_>, at: crate::entity::AnyId, count: Position) {
    let Some(node) = context.node(count) else { return };
    if node.as_integer().is_some_and(|count| count < 0) {
        context
            .problem(&rules::WRONG_TYPE, Some(node.span()), "a count can't be negative")
            .help("write `0` or a larger number");
        return;
    }
    let name = context.intern("integer");
    let integer =
        context.resolve(at, super::super::section::DATA_TYPES, name).id().and_then(crate::entity::AnyId::cast);
    Judge::new(context, Place::of(at)).check(node, &Schema::of_type(integer));
}
