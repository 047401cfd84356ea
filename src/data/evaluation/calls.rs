//! Evaluation of calls.

use super::{Evaluator, Reason};
use crate::ard::{Kind, Node};
use crate::data::call::function;
use crate::data::call::function::{Function, Parameter, PathTarget, ReturnType};
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape, is_literal_name, own, shape};
use crate::data::path::input::input;
use crate::data::path::member::{Member, follow, property};
use crate::data::path::walk::lead;
use crate::data::schema::Schema;
use crate::data::typed::apply::{comparisons, compute};
use crate::data::typed::arithmetic::Computed;
use crate::data::typed::datum::Datum;
use crate::data::typed::kind::DataKind;
use crate::data::typed::pattern;
use crate::data::typed::scalar::canonical;
use crate::grammar::definition::ParameterDefinition;

impl<'a> Evaluator<'_, 'a> {
    /// Evaluates a call. `wanted` is the schema of the expected result.
    pub(super) fn call(&mut self, call: Call<'a>, wanted: Option<&Schema<'a>>) -> Datum {
        let arguments = call.arguments();
        let Some(function) = function::find(call.name) else { return Datum::Unknown };
        match call.name {
            "value" => return self.value.map_or(Datum::Unknown, |(value, _)| self.within(value, &arguments)),
            "get_input" => return self.input(&arguments),
            "get_property" | "get_attribute" if self.depth.is_some() => return self.looked_up(&arguments),
            "and" | "or" => return self.junction(call.name == "and", &arguments),
            // The arguments decide which of the two functions is called, and the result of the custom one is unknown.
            _ if own::extension(self.context, self.place.at, call).is_some() => return Datum::Unknown,
            _ => {}
        }
        if let ("valid_values", [subject, list]) = (call.name, &arguments[..])
            && let Some(model) = self.model(&arguments)
            && let Some(table) = self.table(*list, &model)
        {
            let value = self.evaluate(*subject, Some(&model));
            let is_listed = if value.is_known() { table.contains(&value) } else { return Datum::Unknown };
            if is_listed.is_none() && table.is_known() {
                self.fail(call.node, Reason::WrongArgument);
            }
            return is_listed.map_or(Datum::Unknown, Datum::Boolean);
        }
        let mut evaluated = self.arguments(function, &arguments, wanted);
        let mut size = comparisons(call.name, &evaluated);
        size += evaluated.iter().map(Datum::size).sum::<usize>();
        if let ("matches", [text, datum @ Datum::String(_)], [_, pattern]) =
            (call.name, &mut evaluated[..], &arguments[..])
        {
            // Only expressions that are written as text have a common limit.
            if pattern.kind() != Kind::String || pattern::is_excess(self.context.program, *pattern) {
                *datum = Datum::Unknown;
            } else {
                size = pattern::effort(datum, text).saturating_add(size);
            }
        }
        if !self.spend(call.node, size) {
            return Datum::Unknown;
        }
        let context = self.context;
        let written = |of_type: Option<_>, number: &_| {
            of_type.map(|of_type| canonical(context, of_type, number)).unwrap_or_default()
        };
        match compute(call.name, &evaluated, written) {
            Computed::Overflow => self.fail(call.node, Reason::Overflow),
            Computed::DivisionByZero => self.fail(call.node, Reason::DivisionByZero),
            Computed::Value(Datum::Unknown) => self.fail_if_known(call, function, &evaluated),
            Computed::Value(datum) => return datum,
        }
        Datum::Unknown
    }

    /// Records a failure if a call has no result although all its arguments are known.
    fn fail_if_known(&mut self, call: Call<'a>, function: &Function, evaluated: &[Datum]) {
        if !function.is_about_the_graph() && evaluated.iter().all(Datum::is_known) {
            self.fail(call.node, Reason::WrongArgument);
        }
    }

    fn arguments(&mut self, function: &Function, arguments: &[Node<'a>], wanted: Option<&Schema<'a>>) -> Vec<Datum> {
        let model = self.model(arguments);
        // Numbers with units are read as scalars if a scalar is expected, or if they are combined with scalars.
        let scalar = if function.is_arithmetic() { model.as_ref().or(wanted) } else { None };
        let scalar = scalar.filter(|schema| schema.kind(self.context) == Some(DataKind::Scalar));
        let argument = |(index, argument): (usize, &Node<'a>)| match (&model, function.parameter(index)) {
            (Some(model), Parameter::Values) if argument.kind() == Kind::List => {
                Datum::List(argument.items().map(|item| self.evaluate(item, Some(model))).collect())
            }
            (Some(model), _) if function.is_comparison() => self.evaluate(*argument, Some(model)),
            _ => self.evaluate(*argument, scalar),
        };
        arguments.iter().enumerate().map(argument).collect()
    }

    /// Returns the schema for the literals among arguments: the schema of the value under validation, or else of a
    /// property that one of the arguments reads.
    pub(crate) fn model(&mut self, arguments: &[Node<'a>]) -> Option<Schema<'a>> {
        let context = self.context;
        let mut calls = arguments.iter().filter_map(|argument| match shape(context, *argument) {
            Shape::Call(call) => Some(call),
            _ => None,
        });
        let Some((_, schema)) = self.value else {
            self.depth?;
            return calls.into_iter().find_map(|call| self.model_of_property(call));
        };
        calls.find_map(|call| match call.name {
            "value" => call.arguments().iter().try_fold(*schema, |schema, step| match step.kind() {
                Kind::Integer => schema.entries(context),
                _ => schema.member(context, step.text()).or_else(|| schema.entries(context)),
            }),
            // The result of arithmetic with a scalar is a scalar of the same type.
            name if function::find(name).is_some_and(Function::is_arithmetic) => {
                self.model(&call.arguments()).filter(|model| model.kind(context) == Some(DataKind::Scalar))
            }
            _ => None,
        })
    }

    fn model_of_property(&mut self, call: Call<'a>) -> Option<Schema<'a>> {
        match follow(self, call, &call.arguments(), function::path_target(call.name)?) {
            Ok(StaticResult::Schema(schema)) => Some(Schema::of_type(schema.data_type)),
            _ => None,
        }
    }

    /// Returns the given value of an input, or else its default. The result is unknown as long as no values are given.
    fn input(&mut self, arguments: &[Node<'a>]) -> Datum {
        let Some((name, steps)) = arguments.split_first() else { return Datum::Unknown };
        let context = self.context;
        // In types and workflows, the given inputs are unknown.
        let is_unsaid = context.program.inputs.is_empty() && !self.has_defaults;
        let is_open = is_unsaid || self.place.workflow(context).is_some();
        if is_open || !self.place.is_in_service(context) {
            return Datum::Unknown;
        }
        let Some(schema) = input(context, &self.place, name.text()) else { return Datum::Unknown };
        let default = || {
            let input = schema.definition?.cast::<ParameterDefinition>()?;
            context.node(context.get(input)?.default?.0)
        };
        let given = context.program.given_input(name.text()).map(|(_, value)| value);
        let Some(value) = given.or_else(default) else { return Datum::Unknown };
        let datum = self.understand(value, &schema);
        self.within(&datum, steps)
    }

    /// Returns the value that a path leads to. An attribute that is not a property is unknown before runtime.
    fn looked_up(&mut self, arguments: &[Node<'a>]) -> Datum {
        let Ok(Some(led)) = lead(self, arguments) else { return Datum::Unknown };
        for (here, steps) in led.places.into_iter().filter(|_| !led.is_all) {
            let name = arguments.get(steps).copied().filter(|name| is_literal_name(self.context, *name));
            let Some(name) = name else { break };
            match property(self.context, &here, name.text(), PathTarget::Property) {
                Member::Missing { .. } => {}
                Member::Unknowable => break,
                Member::Found(_) => {
                    let found = self.property(&here, name.text());
                    return found.map_or(Datum::Unknown, |(datum, _)| self.within(&datum, &arguments[steps + 1..]));
                }
            }
        }
        Datum::Unknown
    }

    /// Returns the part of a value that the steps lead to.
    fn within(&mut self, value: &Datum, steps: &[Node<'a>]) -> Datum {
        let mut value = value.clone();
        for node in steps {
            let step = self.evaluate(*node, None);
            let found = match (value, step) {
                (Datum::Map(entries), Datum::String(name)) => {
                    entries.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
                }
                (Datum::List(items), Datum::Integer(index)) => {
                    usize::try_from(index).ok().and_then(|index| items.into_iter().nth(index))
                }
                _ => return Datum::Unknown,
            };
            let Some(found) = found else {
                self.fail(*node, Reason::NoEntry);
                return Datum::Unknown;
            };
            value = found;
        }
        value
    }

    /// Evaluates a conjunction or disjunction, up to the first decisive argument.
    fn junction(&mut self, is_and: bool, arguments: &[Node<'a>]) -> Datum {
        let mut result = Datum::Boolean(is_and);
        for argument in arguments {
            match self.evaluate(*argument, None) {
                Datum::Boolean(value) if value != is_and => return Datum::Boolean(value),
                Datum::Boolean(_) => {}
                _ => result = Datum::Unknown,
            }
        }
        result
    }

    /// Returns the kind of the result of a call that can't be computed yet.
    pub(super) fn kind_of_unknown(&mut self, call: Call<'a>) -> Option<DataKind> {
        let arguments = call.arguments();
        match (call.name, function::find(call.name)?.result) {
            (_, ReturnType::Kind(kind)) => Some(kind),
            ("get_input", _) => input(self.context, &self.place, arguments.first()?.text())?.kind(self.context),
            (name, _) => follow(self, call, &arguments, function::path_target(name)?).ok()?.kind(self.context),
        }
    }
}
