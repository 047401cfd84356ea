//! The functions that values can call since version 2.

use tosca_parse::ard::Node;
use tosca_parse::entity::{Function, Functions, Id, Lookup, Parameter, Section};
use tosca_parse::phase::Context;

use crate::grammar::{RECIPES, STUFFS, Stuff};
use crate::problem;

pub(crate) static FUNCTIONS: Functions = Functions {
    prefix: "$",
    list: &[
        Function {
            name: "most_of",
            usage: "the name of a stuff",
            parameters: &[named(&[STUFFS])],
            required: 1,
            rest: None,
        },
        Function {
            name: "minutes_of",
            usage: "the name of a recipe",
            parameters: &[named(&[RECIPES])],
            required: 1,
            rest: None,
        },
        Function { name: "sum", usage: "numbers", parameters: &[], required: 0, rest: Some(Parameter::Value) },
    ],
    unknown: Some(&problem::UNKNOWN_FUNCTION),
    wrong_arguments: Some(&problem::WRONG_ARGUMENTS),
};

const fn named(sections: &'static [Section]) -> Parameter {
    Parameter::Name(Lookup::of(sections))
}

/// Returns the weight in a value in grams, if it can be computed.
pub(crate) fn grams(context: &Context<'_>, value: Node<'_>) -> Option<i128> {
    let Some(call) = FUNCTIONS.call(value) else { return value.as_integer() };
    match call.name {
        "most_of" => {
            let name = context.program.interner.get(call.arguments().next()?.text())?;
            let found = context.program.resolve(value.document().source(), STUFFS, name).id()?;
            let stuff: Id<Stuff> = found.cast()?;
            Some(i128::from(context.get(stuff)?.most?.value.0))
        }
        "sum" => call.arguments().map(|argument| grams(context, argument)).sum(),
        _ => None,
    }
}
