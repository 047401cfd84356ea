//! Function calls in values, as far as the phases need to know them.
//!
//! Only a language knows what its functions compute. The engine knows the functions' names, how many arguments they
//! take, and which arguments are names of entities, so that such names are looked up, renamed and completed like all
//! others.

use super::position_context::EnclosingValue;
use super::{CompletionProposal, LanguageVersion, Lookup, ProposalKind};
use crate::ard::{Kind, Node};
use crate::diagnostic::Rule;

/// The functions that can be called in values, in one version of a language.
///
/// A call is a map with one entry whose key is the name of a function: `{ get_input: size }`.
#[derive(Debug)]
pub struct Functions {
    /// The prefix of the function name in a call. If the prefix is not empty, a string that starts with it is a call
    /// without arguments, and a doubled prefix is an escape.
    pub prefix: &'static str,
    /// The functions.
    pub list: &'static [Function],
    /// The rule for calls to unknown functions; `None` if the language reports them.
    pub unknown: Option<&'static Rule>,
    /// The rule for wrong arguments; `None` if the language reports them.
    pub wrong_arguments: Option<&'static Rule>,
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name, without the prefix.
    pub name: &'static str,
    /// A description of the arguments, for messages: `the name of an input`.
    pub usage: &'static str,
    /// The parameters, in order.
    pub parameters: &'static [Parameter],
    /// The number of required parameters.
    pub required: usize,
    /// The kind of additional arguments, if an arbitrary number of them is allowed.
    pub rest: Option<Parameter>,
}

/// The kind of argument that a parameter accepts, besides calls.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    /// Any value, which may contain calls.
    Value,
    /// The name of an entity.
    Name(Lookup),
    /// The address of a file.
    File,
    /// A call to one of a different set of functions, as in a condition, or the name of an entity if there is a lookup.
    Other {
        /// Returns the different set of functions in a version.
        functions: fn(LanguageVersion) -> Option<&'static Functions>,
        /// The lookup for a name; `None` if names are not allowed.
        name: Option<Lookup>,
    },
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct CallArgument {
    /// The set of functions that the called function belongs to.
    pub functions: &'static Functions,
    /// The function.
    pub function: &'static Function,
    /// The index of the argument.
    pub index: usize,
}

/// A function call.
#[derive(Clone, Copy, Debug)]
pub struct FunctionCall<'n> {
    /// The function; `None` if it is unknown.
    pub function: Option<&'static Function>,
    /// The name, without the prefix.
    pub name: &'n str,
    /// The node that contains the name.
    pub name_node: Node<'n>,
    /// The node that contains the arguments, if there are any.
    given: Option<Node<'n>>,
}

impl Functions {
    /// Returns the function with the given name.
    pub fn find(&self, name: &str) -> Option<&'static Function> {
        self.list.iter().find(|function| function.name == name)
    }

    /// Interprets a node as a call, if it is one.
    pub fn call<'n>(&self, node: Node<'n>) -> Option<FunctionCall<'n>> {
        let (name_node, given) = match node.kind() {
            Kind::String if !self.prefix.is_empty() => (node, None),
            Kind::Map => {
                let mut entries = node.entries();
                let (Some(entry), None) = (entries.next(), entries.next()) else { return None };
                (entry.key, Some(entry.value))
            }
            _ => return None,
        };
        let name = name_node.text().strip_prefix(self.prefix).filter(|_| name_node.kind() == Kind::String)?;
        let function = self.find(name);
        let is_call = match self.prefix {
            "" => function.is_some(),
            prefix => !name.is_empty() && !name.starts_with(prefix),
        };
        is_call.then_some(FunctionCall { function, name, name_node, given })
    }

    /// Returns a proposal for editors that inserts a call to `function`. With `with_braces`, it includes the braces of
    /// the call's map.
    pub fn proposal(&self, function: &Function, with_braces: bool) -> CompletionProposal {
        let name = format!("{}{}", self.prefix, function.name);
        let is_of_name = matches!(function.parameters, [Parameter::Name(_)]);
        let takes_several = function.parameters.len() > 1 || function.rest.is_some() && !is_of_name;
        let entry = format!("{name}: {}", if takes_several { "[  ]" } else { "" });
        let text = if with_braces { format!("{{ {entry} }}") } else { entry };
        let proposal =
            CompletionProposal::new(name, ProposalKind::Function).detail(format!("takes {}", function.usage));
        CompletionProposal { text: Some(text), ..proposal }
    }

    /// Returns the kind of argument that is expected at the end of a path within a value, and the functions that can be
    /// called there; `None` if the path does not end directly in a call. `whole` is the kind of argument that is
    /// expected for the value itself.
    pub fn parameter_at(
        &'static self,
        path: &[EnclosingValue<'_>],
        whole: Option<Parameter>,
        version: LanguageVersion,
    ) -> (Option<Parameter>, &'static Self) {
        let (parameter, functions, _) = self.around(path, whole, version);
        (parameter, functions)
    }

    /// Returns the innermost call around the end of a path within a value and the index of the argument that contains
    /// the end.
    pub fn argument_at(
        &'static self,
        path: &[EnclosingValue<'_>],
        whole: Option<Parameter>,
        version: LanguageVersion,
    ) -> Option<CallArgument> {
        self.around(path, whole, version).2
    }

    fn around(
        &'static self,
        path: &[EnclosingValue<'_>],
        whole: Option<Parameter>,
        version: LanguageVersion,
    ) -> (Option<Parameter>, &'static Self, Option<CallArgument>) {
        let within = |functions: &'static Self, parameter: Option<Parameter>| match parameter {
            Some(Parameter::Other { functions: others, .. }) => others(version).unwrap_or(functions),
            _ => functions,
        };
        let mut functions = within(self, whole);
        let mut parameter = whole.filter(|_| path.len() == 1);
        let mut innermost = None;
        for (number, step) in path.iter().enumerate() {
            let Some(call) = functions.call(step.node) else { continue };
            let rest = &path[number + 1..];
            let argument = match rest {
                [given] if given.node.kind() == Kind::List => Some(given.node.len()),
                [given, item, ..] if given.node.kind() == Kind::List => item.index,
                [_, ..] => Some(0),
                [] => None,
            };
            if let Some((function, index)) = call.function.zip(argument) {
                innermost = Some(CallArgument { functions, function, index });
            }
            let of_argument = argument.and_then(|argument| call.function?.parameter(argument).copied());
            functions = within(functions, of_argument);
            let is_direct = matches!(rest, [_]) || matches!(rest, [_, item] if item.index.is_some());
            parameter = of_argument.filter(|_| is_direct);
        }
        (parameter, functions, innermost)
    }
}

impl Function {
    /// Returns the kind of argument that is expected at the given index; `None` if there is no such parameter.
    pub fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.rest.as_ref())
    }

    /// Splits the [usage](Self::usage) into the descriptions of individual parameters, additional arguments last. If
    /// the usage does not describe each parameter separately, returns it as a whole.
    pub fn usages(&self) -> Vec<&'static str> {
        let is_one =
            |part: &&str| ["a ", "an ", "the ", "optionally ", "names "].iter().any(|start| part.starts_with(start));
        let commas = self.usage.split(", ").map(|part| part.strip_prefix("and ").unwrap_or(part));
        let parts: Vec<&str> = commas.flat_map(|part| part.split(" and ")).collect();
        let count = self.parameters.len() + usize::from(self.rest.is_some());
        if parts.len() == count && parts.iter().all(is_one) { parts } else { vec![self.usage] }
    }

    /// Returns whether the function accepts the given number of arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        self.required <= arguments && (arguments <= self.parameters.len() || self.rest.is_some())
    }
}

impl<'n> FunctionCall<'n> {
    /// Returns the node that contains the arguments, if there are any.
    pub fn given(self) -> Option<Node<'n>> {
        self.given
    }

    /// Returns the arguments: the items of a list, or the only argument.
    pub fn arguments(self) -> impl Iterator<Item = Node<'n>> {
        let is_list = self.given.is_some_and(|given| given.kind() == Kind::List);
        let (list, one) = if is_list { (self.given, None) } else { (None, self.given) };
        list.into_iter().flat_map(Node::items).chain(one)
    }
}
