//! Comparing values with schemas.

use super::super::definition::PropertyDefinition;
use super::super::types::DataType;
use super::super::version::V2_0;
use super::call::{Call, Shape, is_function_name, unescape};
use super::{DataKind, Datum, Place, Schema, constraint, evaluate, expression, scalar, scalar_unit};
use crate::ard::{Kind, Node};
use crate::diagnostic::Rule;
use crate::entity::{Id, LanguageVersion, Position, Quirk, Value};
use crate::phase::{Context, Explain, Problem};
use crate::rules;
use crate::value::{Timestamp, TimestampForm, Version, parse_number};

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
}

impl<'c, 'a> Judge<'c, 'a> {
    /// A judge of values at a place.
    pub fn new(context: &'c mut Context<'a>, place: Place<'a>) -> Self {
        Self { context, place, is_silent: false, is_lenient: false }
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
    pub(super) fn is_fit(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
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
            DataKind::Boolean => node.kind() == Kind::Boolean && self.is_spelt_right(node),
            DataKind::Float => matches!(node.kind(), Kind::Float | Kind::Integer),
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
        } else if node.as_integer().and_then(|integer| i64::try_from(integer).ok()).is_none() {
            let message = format!("`{}` does not fit into the 64 bits of an integer", node.text());
            self.problem(&rules::INTEGER_OVERFLOW, node, message).help(format!(
                "an integer lies between {} and {}",
                i64::MIN,
                i64::MAX
            ));
        } else {
            self.check_validation(node, schema);
        }
    }

    /// Reads a range: a list of two bounds (1.3, 3.3.3; decision B3).
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

    fn check_items(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
        node.items().for_each(|item| self.check(item, &entries));
        true
    }

    fn check_entries(&mut self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        // Keys that are to be something else than strings have been reported where that is said (decision A 47).
        let keys = schema.keys(self.context);
        let is_odd =
            keys.as_ref().and_then(|keys| keys.kind(self.context)).is_some_and(|kind| kind != DataKind::String);
        let keys = keys.filter(|_| !is_odd);
        let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
        for entry in node.entries() {
            match &keys {
                _ if entry.key.kind() == Kind::Map => self.check_computed_key(entry.key, keys.as_ref()),
                Some(keys) => self.check_literal(entry.key, keys),
                None if entry.key.kind() != Kind::String => self.key_is_no_string(entry.key),
                None => {}
            }
            self.check(entry.value, &entries);
        }
        true
    }

    /// A key of a map can be what a function gives (2.0, 10.1).
    fn check_computed_key(&mut self, key: Node<'a>, schema: Option<&Schema<'a>>) {
        let Shape::Call(call) = self.shape(key) else { return self.key_is_no_string(key) };
        let known = expression::check_call(self, call);
        if let Some(schema) = schema {
            expression::check_result(self, call, &known, schema);
            self.check_computed(key, schema);
        } else if let Some(kind) = known.kind(self).filter(|kind| *kind != DataKind::String) {
            let message =
                format!("a key of a map must be a string, but `${}` gives {}", call.name, kind.with_article());
            self.problem(&rules::RESULT_TYPE, key, message).help("use a function that gives a string");
        }
    }

    fn key_is_no_string(&mut self, key: Node<'_>) {
        let message = format!("the keys of a map are strings, not {}", crate::phase::read::with_article(key));
        let help = match key.kind() {
            Kind::Map | Kind::List => "write a string, or a call of a function that gives one".to_owned(),
            _ => format!("put it in quotes: \"{}\"", key.text()),
        };
        self.problem(&rules::WRONG_TYPE, key, message).help(help);
    }

    fn check_members(&mut self, node: Node<'a>, data_type: Id<DataType>) -> bool {
        let Some(definition) = self.context.get(data_type) else { return true };
        for entry in node.entries() {
            // What a value has must be known when it is read, so its names are not computed.
            if matches!(entry.key.kind(), Kind::Map | Kind::List) {
                let message =
                    format!("the names of properties are strings, not {}", crate::phase::read::with_article(entry.key));
                self.problem(&rules::WRONG_TYPE, entry.key, message).help("write the name as it is");
                continue;
            }
            let member = entry.key.symbol().and_then(|name| definition.properties.get(name));
            match member.and_then(|id| Some((id, self.context.get(id)?))) {
                Some((id, PropertyDefinition { value: Some(Value(fixed)), .. })) => {
                    let name = self.context.program.name(id.any());
                    let message = format!("property `{name}` has a fixed value and can't be assigned");
                    let fixed = self.context.span(*fixed);
                    self.problem(&rules::FIXED_VALUE_ASSIGNED, entry.key, message)
                        .related(fixed, "it is fixed here")
                        .help("leave the assignment out");
                }
                Some((id, property)) => {
                    let schema = super::Typed::schema(property, self.context, id);
                    self.check(entry.value, &schema);
                }
                None => {
                    let context = &self.context;
                    let names: Vec<&str> = definition.properties.iter().map(|(name, _)| context.text(name)).collect();
                    let help = context.did_you_mean(entry.key.text(), &names, "it has");
                    let name = context.program.name(data_type.any());
                    let message = format!("data type `{name}` has no property `{}`", entry.key.text());
                    let defined = context.program.name_span(data_type.any());
                    self.problem(&rules::UNDECLARED, entry.key, message).help_if(help).related(defined, "defined here");
                }
            }
        }
        for (name, id) in definition.properties.iter() {
            let Some(property) = self.context.get(id) else { continue };
            if property.is_required() && !property.has_value() && node.get(name).is_none() {
                let message = format!(
                    "a `{}` needs a value for `{}`",
                    self.context.program.name(data_type.any()),
                    self.context.text(name)
                );
                let defined = self.context.program.name_span(id.any());
                let help = format!("add `{}: …`", self.context.text(name));
                self.problem(&rules::MISSING_VALUE, node, message).related(defined, "it is required here").help(help);
            }
        }
        true
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
            _ => None,
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
        for clause in clauses {
            let Some(clause) = self.context.node(clause) else { continue };
            if self.version(clause) < V2_0 {
                self.check_constraints(node, datum, clause, schema);
                continue;
            }
            let environment = evaluate::Environment { value: Some((datum, schema)) };
            if evaluate::evaluate(self, clause, &environment, None) == Datum::Boolean(false) {
                let message =
                    format!("{} is not valid: {datum} does not fulfil a validation clause", schema.title(self.context));
                let sides = evaluate::explain(self, clause, &environment);
                self.problem(&rules::VALIDATION_FAILED, node, message)
                    .related(Some(clause.span()), "this must be true")
                    .help_if(sides);
            }
        }
    }

    /// Evaluates the constraint clauses of a list.
    fn check_constraints(&mut self, node: Node<'_>, datum: &Datum, clauses: Node<'a>, schema: &Schema<'a>) {
        let Some(clause) = constraint::unfulfilled(self, clauses, datum, schema) else { return };
        let message = format!("{} is not valid: {datum} does not fulfil a constraint", schema.title(self.context));
        let help = clause.entries().next().and_then(|entry| constraint::remedy(entry.key.text(), entry.value));
        self.problem(&rules::VALIDATION_FAILED, node, message)
            .related(Some(clause.span()), "this must be true")
            .help_if(help);
    }

    /// A value as one of its type; parts that are calls, or not what they should be, are unknown.
    pub(super) fn understand(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        self.silently(|judge| judge.understand_silently(node, schema))
    }

    fn understand_silently(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        let version = self.version(node);
        if !matches!(self.shape(node), Shape::Literal) {
            return evaluate::evaluate(self, node, &evaluate::Environment { value: None }, Some(schema));
        }
        let known = |datum: Option<Datum>| datum.unwrap_or(Datum::Unknown);
        let Some(data_type) = schema.data_type else { return plain(node, version) };
        match DataKind::of(self.context, data_type) {
            DataKind::String => {
                let is_string = node.kind() == Kind::String || self.is_written_as_string(node);
                known(is_string.then(|| Datum::String(unescape(node.text(), version).to_owned())))
            }
            DataKind::Integer => {
                known(node.as_integer().and_then(|integer| i64::try_from(integer).ok()).map(Datum::Integer))
            }
            DataKind::Float => known(node.as_float().map(Datum::Float)),
            DataKind::Boolean => known(node.as_bool().map(Datum::Boolean)),
            DataKind::Bytes => known(decode_base64(node.text()).map(Datum::Bytes)),
            DataKind::Nil => known((node.kind() == Kind::Null).then_some(Datum::Nil)),
            DataKind::Timestamp => known(timestamp(node.text(), version).map(Datum::Timestamp)),
            DataKind::Version => known(Version::parse(node.text()).map(Datum::Version)),
            DataKind::Scalar => scalar::read(self, node, data_type),
            DataKind::ScalarUnit => scalar_unit::read(self, node, data_type),
            DataKind::Range => self.read_range(node, data_type, schema),
            DataKind::List => {
                let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
                known(
                    (node.kind() == Kind::List).then(|| {
                        Datum::List(node.items().map(|item| self.understand_silently(item, &entries)).collect())
                    }),
                )
            }
            DataKind::Map => {
                let entries = schema.entries(self.context).unwrap_or(Schema::of_type(None));
                self.understand_entries(node, |_, _| entries)
            }
            DataKind::Complex => {
                let schema = *schema;
                self.understand_entries(node, move |judge, name| {
                    schema.member(judge.context, name).unwrap_or(Schema::of_type(None))
                })
            }
        }
    }

    fn understand_entries(&mut self, node: Node<'a>, schema: impl Fn(&Self, &str) -> Schema<'a>) -> Datum {
        if node.kind() != Kind::Map {
            return Datum::Unknown;
        }
        let version = self.version(node);
        let entries = node.entries().map(|entry| {
            let schema = schema(self, entry.key.text());
            Some((key(entry.key, version)?, self.understand_silently(entry.value, &schema)))
        });
        entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
    }
}

/// Reads a timestamp: before 2.0 in the forms of YAML 1.1 too.
fn timestamp(text: &str, version: LanguageVersion) -> Option<Timestamp> {
    if version < V2_0 { Timestamp::parse_yaml(text) } else { Timestamp::parse(text) }
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

/// A literal of which no type is known.
pub(super) fn plain(node: Node<'_>, version: LanguageVersion) -> Datum {
    match node.kind() {
        Kind::Null => Datum::Nil,
        Kind::Boolean => node.as_bool().map_or(Datum::Unknown, Datum::Boolean),
        Kind::Integer => {
            node.as_integer().and_then(|integer| i64::try_from(integer).ok()).map_or(Datum::Unknown, Datum::Integer)
        }
        Kind::Float => node.as_float().map_or(Datum::Unknown, Datum::Float),
        Kind::String => Datum::String(unescape(node.text(), version).to_owned()),
        Kind::List => Datum::List(
            node.items()
                .map(|item| match Call::shape(item, version) {
                    Shape::Literal => plain(item, version),
                    _ => Datum::Unknown,
                })
                .collect(),
        ),
        Kind::Map => {
            let entries = node.entries().map(|entry| {
                let value = match Call::shape(entry.value, version) {
                    Shape::Literal => plain(entry.value, version),
                    _ => Datum::Unknown,
                };
                Some((key(entry.key, version)?, value))
            });
            entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
        }
    }
}

/// The key of an entry of a map; nothing if it is computed, so that it is not known which entries there are.
fn key(node: Node<'_>, version: LanguageVersion) -> Option<String> {
    (!matches!(node.kind(), Kind::Map | Kind::List)).then(|| unescape(node.text(), version).to_owned())
}

/// The bytes that a text stands for in Base64 (RFC 2045: line breaks do not count).
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n' | ' ' | '\t')).collect();
    base64::engine::general_purpose::STANDARD.decode(text).ok()
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
