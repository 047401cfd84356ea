//! Reads function calls in values, so that names in their arguments become references.

use super::reader::{Reader, with_article};
use crate::ard::{Kind, Node};
use crate::diagnostic::Help;
use crate::diagnostic::suggest::nearest;
use crate::entity::{FieldDescription, FunctionCall, Functions, Parameter};

impl Reader<'_> {
    /// Reads a value: records the value if it may contain calls, and reads the calls.
    pub(crate) fn read_value(&mut self, value: Node<'_>, field: &'static FieldDescription) {
        let has_calls = field.value.is_some_and(|versions| versions.contains(self.version));
        // Values that are arguments of a specific kind, such as conditions, have forms that only their checks know.
        if let Some(owner) = self.owner.filter(|_| has_calls && field.argument.is_none() && may_call(value)) {
            self.out.values.push((value.id(), owner));
        }
        self.read_calls(value, field);
    }

    /// Reads the calls in a value, if the field may contain calls.
    pub(crate) fn read_calls(&mut self, value: Node<'_>, field: &'static FieldDescription) {
        let has_calls = field.value.is_some_and(|versions| versions.contains(self.version));
        if let Some(functions) = self.functions.filter(|_| has_calls) {
            self.read_argument(value, field.argument.as_ref(), field, functions);
        }
    }

    fn calls_in(&mut self, node: Node<'_>, field: &'static FieldDescription, functions: &'static Functions) {
        match node.kind() {
            Kind::String if functions.prefix.is_empty() => {}
            Kind::String | Kind::Map => match functions.call(node) {
                Some(call) => self.read_call(call, field, functions),
                None => node.entries().for_each(|entry| self.calls_in(entry.value, field, functions)),
            },
            Kind::List => node.items().for_each(|item| self.calls_in(item, field, functions)),
            _ => {}
        }
    }

    fn read_call(&mut self, call: FunctionCall<'_>, field: &'static FieldDescription, functions: &'static Functions) {
        let Some(function) = call.function else {
            self.unknown_function(call, functions);
            call.arguments().for_each(|argument| self.calls_in(argument, field, functions));
            return;
        };
        let count = call.arguments().count();
        if let (false, Some(rule)) = (function.takes(count), functions.wrong_arguments) {
            let arguments = if count == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` can't take {count} {arguments}", call.name_node.text());
            self.problem(rule, call.name_node, message).help(format!("it takes {}", function.usage));
        }
        for (index, argument) in call.arguments().enumerate() {
            self.read_argument(argument, function.parameter(index), field, functions);
        }
    }

    fn read_argument(
        &mut self,
        argument: Node<'_>,
        parameter: Option<&'static Parameter>,
        field: &'static FieldDescription,
        functions: &'static Functions,
    ) {
        match parameter {
            Some(Parameter::Name(lookup)) if functions.call(argument).is_none() => {
                if is_name(argument) {
                    self.name_in_value(argument, field, lookup);
                } else {
                    self.not_a_name(argument, functions);
                }
            }
            Some(Parameter::File) if argument.kind() == Kind::String && functions.call(argument).is_none() => {
                self.record_file(argument);
            }
            Some(Parameter::Other { functions: others, name }) => {
                let functions = others(self.version).unwrap_or(functions);
                match name.as_ref().filter(|_| is_name(argument) && functions.call(argument).is_none()) {
                    Some(lookup) => self.name_in_value(argument, field, lookup),
                    None => self.calls_in(argument, field, functions),
                }
            }
            _ => self.calls_in(argument, field, functions),
        }
    }

    fn unknown_function(&mut self, call: FunctionCall<'_>, functions: &Functions) {
        let Some(rule) = functions.unknown else { return };
        let prefix = functions.prefix;
        let help = match nearest(call.name, functions.list.iter().map(|function| function.name)) {
            Some(near) => Help::did_you_mean(format!("{prefix}{near}")),
            None => format!("write `{prefix}{prefix}{}` if it is not a call", call.name).into(),
        };
        self.problem(rule, call.name_node, format!("there is no function `{}`", call.name)).help(help);
    }

    fn not_a_name(&mut self, argument: Node<'_>, functions: &Functions) {
        if let Some(rule) = functions.wrong_arguments {
            let message = format!("this argument must be a name (a string), not {}", with_article(argument));
            self.problem(rule, argument, message).help("write a name here");
        }
    }
}

/// Returns whether a value contains a map, which may be a call or contain one.
fn may_call(value: Node<'_>) -> bool {
    value.kind() == Kind::Map || value.items().any(may_call)
}

fn is_name(argument: Node<'_>) -> bool {
    argument.kind() == Kind::String && !argument.text().is_empty()
}
