//! Comparison of values with schemas.

mod core;
pub(super) mod input;
mod parts;
pub(super) mod result;
mod scalar;
pub(super) mod scalar_cache;
mod wrong;

pub use self::core::Judge;

use super::call;
use super::call::literal::{RangeFault, range};
use super::call::{Call, Shape, function, is_function_name, text};
use super::clause::{constraint, explain};
use super::evaluation::{self, Evaluator, LIGHT, is_written_as_string};
use super::path;
use super::path::StepEvaluator;
use super::path::place::ValueContext;
use super::schema::Schema;
use super::typed::datum::Datum;
use super::typed::kind::DataKind;
use super::typed::text::{boolean_1_1, decode_base64, timestamp};
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Help, Span};
use crate::entity::{Clauses, Entity as _, Id, NodeRef};
use crate::grammar::bound_help;
use crate::grammar::definition::FunctionDefinition;
use crate::grammar::types::DataType;
use crate::grammar::version::V2_0;
use crate::phase::{Check, Context, DiagnosticExt};
use crate::rules;
use crate::value::{TimestampForm, Version};

/// The maximum effort for a clause that reads values other than the one under validation.
const MAX_EFFORT_FOR_OTHERS: usize = 10_000;

impl<'a> Judge<'_, 'a> {
    /// Compares the value at the given position with a schema.
    pub fn check_at(&mut self, position: NodeRef, schema: &Schema<'a>) {
        if let Some(node) = self.context.node(position) {
            self.check(node, schema);
        }
    }

    /// Compares a value that depends on the meaning of `SELF` with a schema once this meaning is known. A value that is
    /// wrong for any meaning of `SELF` has been reported.
    pub(crate) fn check_call_at(&mut self, position: NodeRef, schema: &Schema<'a>) {
        let Some(node) = self.context.node(position) else { return };
        // A definition in another file may be used by many templates, mostly with suitable targets.
        if self.user_elsewhere(node).is_some() && self.is_fit(node, schema) {
            return;
        }
        let (place, check_call) = (ValueContext { subject: None, ..self.place }, self.check_call);
        if (call::size_with_calls(self.context, node).is_some() || schema.reads_others(self.context))
            && self.context.is_free_of_errors(|context| Judge::with(context, place, check_call).check(node, schema))
        {
            self.check(node, schema);
        }
    }

    /// Evaluates the conditions on a value that depends on the meaning of `SELF`.
    pub(crate) fn validate_at(&mut self, position: NodeRef, schema: &Schema<'a>) {
        let Some(node) = self.context.node(position) else { return };
        match self.shape(node) {
            Shape::Call(_) => self.check_computed(node, schema),
            Shape::Literal => self.check_validation(node, schema),
            Shape::Malformed(_) => {}
        }
    }

    /// Compares a value with a schema.
    pub fn check(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        // The placeholder of a rejected alias has been reported.
        if node.is_placeholder() {
            return;
        }
        self.context.record_judged(node);
        match self.shape(node) {
            Shape::Call(call) => {
                let known = self.check_call(call);
                result::check(self, call, &known, schema);
                if schema.kind(self.context) == Some(DataKind::Scalar) {
                    result::check_scalars(self, call, schema);
                }
                self.check_computed(node, schema);
            }
            Shape::Malformed(key) => self.check_malformed(node, key, schema),
            Shape::Literal if self.check_quoted_call(node, schema) => {}
            Shape::Literal => {
                match scalar_cache::of_scalar(self.context, node, schema, self.version(node), self.place.at) {
                    Some(check) => self.check_scalar(node, schema, check),
                    None => self.check_literal(node, schema),
                }
            }
        }
    }

    /// Compares a scalar with a schema, unless it is cached as valid.
    fn check_scalar(&mut self, node: Node<'a>, schema: &Schema<'a>, check: Check) {
        let text = node.text();
        let of_text = || scalar_cache::of_text(self.context, check, text);
        if self.context.has_passed(&check) || of_text().is_some_and(|check| self.context.has_passed(&check)) {
            return;
        }
        let (before, had_looked_around) = (self.context.problems(), std::mem::take(&mut self.has_looked_around));
        self.check_literal(node, schema);
        let is_certain = !self.is_silent && !self.is_lenient && !self.context.program.has_any(FunctionDefinition::KIND);
        if is_certain && !self.has_looked_around && self.context.problems() == before {
            scalar_cache::remember(self.context, check, schema, text);
        }
        self.has_looked_around |= had_looked_around;
    }

    /// Checks the type of a bound that values are compared with. The bound itself need not be valid: the largest valid
    /// value plus one is a useful bound.
    pub(crate) fn check_bound(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let was_lenient = std::mem::replace(&mut self.is_lenient, true);
        self.check(node, schema);
        self.is_lenient = was_lenient;
    }

    /// Runs a closure without reporting problems.
    pub(crate) fn silently<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let was_silent = std::mem::replace(&mut self.is_silent, true);
        let result = work(self);
        self.is_silent = was_silent;
        result
    }

    /// Returns whether a value matches a schema. Reports nothing.
    pub(crate) fn is_fit(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        let (place, check_call) = (self.place, self.check_call);
        self.context.is_free_of_errors(|context| Judge::with(context, place, check_call).check(node, schema))
    }

    /// Checks the result of a call, if it can be computed.
    fn check_computed(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let wanted = (schema.kind(self.context) == Some(DataKind::Scalar)).then_some(schema);
        let datum = match self.evaluator().evaluate(node, wanted) {
            Datum::Unknown if !self.is_silent && schema.is_restricted(self.context) => self.read(node, wanted),
            datum => datum,
        };
        self.check_datum(node, &datum, schema);
    }

    /// Evaluates a call that reads the values of properties.
    fn read(&mut self, node: Node<'a>, wanted: Option<&Schema<'a>>) -> Datum {
        if !scalar_cache::is_about_others(self.context, node) || !self.context.has_room_for_uses(1, self.place.at) {
            return Datum::Unknown;
        }
        let mut evaluator = Evaluator::of_assigned(self.context, self.place, MAX_EFFORT_FOR_OTHERS);
        let datum = evaluator.evaluate(node, wanted);
        let left = evaluator.effort();
        self.context.spend_room_for_uses(MAX_EFFORT_FOR_OTHERS - left);
        if left == 0 {
            self.context.report_unchecked(self.place.at);
        }
        datum
    }

    fn check_datum(&mut self, node: Node<'a>, datum: &Datum, schema: &Schema<'a>) {
        let items: Vec<&Datum> = match datum {
            Datum::List(items) => items.iter().collect(),
            Datum::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        };
        if let Some(entries) = schema.entries(self.context).filter(|_| !items.is_empty()) {
            let kind = entries.kind(self.context);
            // A single entry of a wrong type shows that the function is unsuitable.
            match items.iter().find(|item| kind.is_some_and(|kind| !item.may_be(kind))) {
                Some(item) => return self.wrong_entry(node, item, &entries),
                None => items.into_iter().for_each(|item| self.check_datum(node, item, &entries)),
            }
        }
        self.validate(node, datum, schema);
    }

    /// Reports an entry of a result that has the wrong type.
    fn wrong_entry(&mut self, node: Node<'a>, entry: &Datum, schema: &Schema<'a>) {
        let wanted = schema.type_name(self.context);
        let message = format!("the result contains {entry}, but its entries must have type `{wanted}`");
        self.problem(&rules::RESULT_TYPE, node, message)
            .help(format!("pass values of type `{wanted}` to the function"));
    }

    /// Reports a map with several keys, one of which looks like a call (decision A 6).
    fn check_malformed(&mut self, node: Node<'a>, key: Node<'a>, schema: &Schema<'a>) {
        let name = key.text().trim_start_matches('$');
        let is_name = is_function_name(name);
        let rule = if is_name { &rules::MALFORMED_FUNCTION } else { &rules::ODD_KEY };
        let message = format!("`{}` looks like a function call, but is not the only key of its map", key.text());
        let problem = self.problem(rule, key, message);
        let problem = if is_name {
            problem.help("indent the call further if it is meant as the value of another key")
        } else {
            problem
        };
        problem.help(format!("write `$${name}` if the key should start with a dollar sign"));
        if !is_name {
            self.check_literal(node, schema);
        }
    }

    /// Reports a call that may have no result where a value is required, because it reads an input that is
    /// not required and has no default.
    pub fn check_is_certain(&mut self, node: Node<'a>, what: &str) {
        let Shape::Call(call) = self.shape(node) else { return };
        let Some(source) = path::input::optional(self.context, &self.place, call) else { return };
        let name = self.context.program.name(source);
        let message = format!("{what} needs a value, but input `{name}` may have none");
        let declared = self.context.program.name_span(source);
        self.problem(&rules::UNCERTAIN_VALUE, node, message)
            .related(declared, "input declared here")
            .help("make the input required, or give it a default");
    }

    fn check_literal(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        let Some(data_type) = schema.data_type else {
            // A value of unknown type can still contain calls.
            if !self.check_misspelt_call(node) {
                self.check_calls_within(node);
            }
            return;
        };
        let kind = DataKind::of(self.context, data_type);
        let fits = match kind {
            DataKind::String => node.kind() == Kind::String || is_written_as_string(self.context, node),
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
                let datum = scalar::read_unit(self, node, data_type);
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
            DataKind::Complex if self.check_misspelt_call_for(node, data_type) => return,
            DataKind::Complex => node.kind() == Kind::Map && self.check_members(node, data_type),
        };
        if fits {
            self.check_validation(node, schema);
        } else {
            self.wrong_type_of(node, data_type, kind, schema);
        }
    }

    /// Reports a string that would be a function call without its quotes.
    fn check_quoted_call(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        let Some(call) = text::quoted(node, self.version(node)) else { return false };
        let is_string = schema.kind(self.context) == Some(DataKind::String);
        if is_string {
            self.problem(&rules::QUOTED_CALL, node, "the quotes turn this function call into a string")
                .help(Help::write(call));
        }
        is_string
    }

    fn check_integer(&mut self, node: Node<'a>, data_type: Id<DataType>, schema: &Schema<'a>) {
        if node.kind() != Kind::Integer {
            self.wrong_type_of(node, data_type, DataKind::Integer, schema);
        } else if self.check_size(node) {
            self.check_validation(node, schema);
        }
    }

    /// Reports an integer that does not fit into 64 bits.
    pub(crate) fn check_size(&mut self, node: Node<'_>) -> bool {
        let fits = node.as_integer().and_then(|integer| i64::try_from(integer).ok()).is_some();
        if !fits {
            let message = format!("`{}` does not fit into a 64-bit integer", node.text());
            self.problem(&rules::INTEGER_OVERFLOW, node, message).help(format!(
                "an integer is between {} and {}",
                i64::MIN,
                i64::MAX
            ));
        }
        fits
    }

    /// Reports a number that is too large for a float. Infinity is a float but must be written as such.
    fn check_float_size(&mut self, node: Node<'_>) -> bool {
        let is_infinite = node.as_float().is_some_and(f64::is_infinite);
        if is_infinite && !node.text().to_ascii_lowercase().contains("inf") {
            let message = format!("`{}` is too large for a float and is read as infinity", node.text());
            self.problem(&rules::FLOAT_OVERFLOW, node, message)
                .help("a float is at most about 1.8e308; write `.inf` for infinity");
        }
        true
    }

    /// Reads a range and reports its problems.
    fn read_range(&mut self, node: Node<'a>, data_type: Id<DataType>, schema: &Schema<'a>) -> Datum {
        match range(self.context, node) {
            Ok(range) => return range,
            Err(RangeFault::NoList) => self.wrong_type_of(node, data_type, DataKind::Range, schema),
            Err(RangeFault::Bounds) => {
                let message = format!("a range has two bounds, not {}", node.len());
                self.problem(&rules::MALFORMED_VALUE, node, message).help("write `[ 1, UNBOUNDED ]`, for example");
            }
            Err(RangeFault::Unread(bounds)) => {
                for bound in bounds {
                    if !matches!(self.shape(bound), Shape::Literal) {
                        self.check(bound, &Schema::of_type(None));
                        continue;
                    }
                    let message = format!("`{}` is not a bound of a range", bound.text());
                    self.problem(&rules::MALFORMED_VALUE, bound, message)
                        .help(bound_help(bound, "a bound is an integer; the upper one may be `UNBOUNDED`"));
                }
            }
            Err(RangeFault::Reversed(lower, upper)) => {
                let message = format!("the lower bound {lower} is above the upper bound {upper}");
                self.problem(&rules::MALFORMED_VALUE, node, message).help("swap the bounds");
            }
        }
        Datum::Unknown
    }

    /// Checks a string whose type has a grammar.
    fn check_text(&mut self, node: Node<'a>, data_type: Id<DataType>, kind: DataKind, schema: &Schema<'a>) {
        let version = self.version(node);
        let is_number = matches!(node.kind(), Kind::Float | Kind::Integer);
        if kind == DataKind::Version && version < V2_0 && is_number {
            // `1.0` without quotes is common in 1.x, and its meaning is clear.
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
                    self.problem(&rules::DATE_ONLY, node, message).help(Help::write(format!("{text}T00:00:00Z")));
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

    /// Returns whether a boolean is spelled correctly (decision A 3); in 1.x, the rules of YAML apply.
    pub(crate) fn is_spelt_right(&self, node: Node<'_>) -> bool {
        self.version(node) < V2_0 || matches!(node.text(), "true" | "false")
    }

    /// Checks whether a value is a boolean. Before 2.0, YAML 1.1 spellings are accepted with a warning.
    fn check_boolean(&mut self, node: Node<'a>) -> bool {
        if let Some(value) = boolean_1_1(node, self.version(node)) {
            let message = format!("`{}` is a boolean only in YAML 1.1", node.text());
            self.problem(&rules::BOOLEAN_SPELLING, node, message).help(Help::write(value));
            return true;
        }
        node.kind() == Kind::Boolean && self.is_spelt_right(node)
    }

    /// Reports a regular expression that may be valid but can't be run here (decision A 61).
    pub(crate) fn unused_pattern(&mut self, pattern: Node<'_>, reason: &str) {
        let message = format!("values are not matched against `{}`, because it {reason}", pattern.text());
        self.problem(&rules::UNUSED_PATTERN, pattern, message).help(
            "other processors may support it; if possible, use syntax that all dialects interpret alike, without lookaround and backreferences",
        );
    }

    /// Returns whether a value is or contains a function call.
    pub(crate) fn has_calls(&self, node: Node<'a>) -> bool {
        let mut nodes = vec![node];
        while let Some(node) = nodes.pop() {
            if !matches!(self.shape(node), Shape::Literal) {
                return true;
            }
            nodes.extend(node.items().chain(node.entries().map(|entry| entry.value)));
        }
        false
    }

    /// Reports a map that is a misspelled call rather than a value of its complex type. Returns whether it is one.
    fn check_misspelt_call_for(&mut self, node: Node<'a>, data_type: Id<DataType>) -> bool {
        let key = node.entries().next().and_then(|entry| entry.key.symbol());
        let properties = self.context.get(data_type).map(|data_type| &data_type.properties);
        let is_member = key.zip(properties).is_some_and(|(key, properties)| properties.get(key).is_some());
        !is_member && self.check_misspelt_call(node)
    }

    /// Reports a misspelled call before 2.0. Returns whether a value is one. A value without a schema may be any map,
    /// but a map with suitable arguments under a key similar to a function name is considered a misspelled call.
    fn check_misspelt_call(&mut self, node: Node<'a>) -> bool {
        let mut entries = node.entries();
        let (Some(entry), None) = (entries.next(), entries.next()) else { return false };
        let name = entry.key.text();
        let is_given = entry.value.kind() == Kind::List || entry.value.kind() == Kind::String && name.contains('_');
        if self.version(node) >= V2_0 || !is_given || !is_function_name(name) {
            return false;
        }
        let Some(near) = nearest(name, function::distinct(self.version(node))) else { return false };
        let message = format!("there is no function `{name}`");
        self.problem(&rules::UNKNOWN_FUNCTION, entry.key, message).help(Help::did_you_mean(near));
        true
    }

    /// Checks the calls in a value without a schema.
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

    /// Evaluates the conditions on a value, if there are any.
    fn check_validation(&mut self, node: Node<'a>, schema: &Schema<'a>) {
        if schema.is_restricted(self.context) {
            let datum = self.evaluator().understand(node, schema);
            self.validate(node, &datum, schema);
        }
    }

    /// Evaluates the conditions on a value.
    pub(crate) fn validate(&mut self, node: Node<'_>, datum: &Datum, schema: &Schema<'a>) {
        if *datum == Datum::Unknown || self.is_silent || self.is_lenient {
            return;
        }
        let of_type =
            schema.data_type.and_then(|data_type| self.context.get(data_type)).map(|data_type| &data_type.validation);
        let clauses: Vec<NodeRef> =
            schema.validation.into_iter().chain(of_type).flat_map(Clauses::iter).map(|clause| clause.0).collect();
        let mut unmet: Vec<(Span, Option<String>)> = Vec::new();
        for position in clauses {
            let Some(clause) = self.context.node(position) else { continue };
            let known = scalar_cache::long_clause(&mut self.evaluator().about(datum, schema), schema, position, clause);
            let whole = evaluation::weight(clause);
            let weight = known.map_or(whole, |clause| clause.weight);
            if weight > LIGHT {
                // A cached value would not count toward the limit.
                self.has_looked_around = true;
                let part = schema.definition.or(schema.data_type.map(Id::any)).unwrap_or(self.place.at);
                if !self.context.has_room_for_condition(weight, part) {
                    continue;
                }
            }
            let is_about_others =
                known.map_or_else(|| scalar_cache::looks_around(self.context, position), |clause| clause.looks_around);
            self.has_looked_around |= is_about_others;
            if is_about_others && !self.context.has_room_for_uses(1, self.place.at) {
                continue;
            }
            let is_explained = whole <= LIGHT || whole <= self.context.room_for_conditions();
            let before = unmet.len();
            let evaluator = if is_about_others {
                Evaluator::of_assigned(self.context, self.place, MAX_EFFORT_FOR_OTHERS)
            } else {
                self.evaluator()
            };
            let mut evaluator = evaluator.about(datum, schema);
            if self.version(clause) < V2_0 {
                unmet.extend(constraint::unfulfilled(&mut evaluator, clause, datum, schema, is_explained));
            } else if evaluator.evaluate(clause, None) == Datum::Boolean(false) {
                let sides = if is_explained { explain::explain(&mut evaluator, clause) } else { None };
                unmet.push((clause.span(), sides));
            }
            if is_about_others {
                let left = evaluator.effort();
                self.context.spend_room_for_uses(MAX_EFFORT_FOR_OTHERS - left);
                if left == 0 {
                    self.context.report_unchecked(self.place.at);
                }
            }
            if whole > LIGHT && unmet.len() > before {
                self.context.spend_room_for_conditions(whole);
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
        let message = format!("{} is not valid: {datum} does not fulfill {clauses}", schema.title(self.context));
        let mut problem = self.problem(&rules::VALIDATION_FAILED, node, message);
        for (clause, sides) in unmet {
            problem = problem.related(Some(clause), "violated clause").help_if(sides);
        }
    }
}

impl<'a> StepEvaluator<'a> for Judge<'_, 'a> {
    fn context(&self) -> &Context<'a> {
        self.context
    }

    fn place(&self) -> ValueContext<'a> {
        self.place
    }

    fn kind_of(&mut self, call: Call<'a>) -> Option<DataKind> {
        self.check_call(call).kind(self.context)
    }
}
