//! Walks through the model of a service: its nodes, their properties and their requirements.
//!
//! The model is flat and complete. Nothing has to be looked up in a type, because inherited, default and copied members
//! are included. Facts that are known only once the service runs are function calls or open requirements.
//!
//! ```text
//! cargo run --example read_model -- examples/templates/shop.yaml
//! ```

use std::error::Error;
use std::fmt::Write;

use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::normal::{Node, Property, Requirement, Service, State, Types, Value};
use tosca_parse::{Entry, Parser, TOSCA};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "examples/templates/shop.yaml".to_owned());
    let parser = Parser::builder(&TOSCA).build()?;
    // The entry can have values for inputs, as a YAML string or at an address.
    let entry = Entry::at(parser.address(&file)?);
    let outcome = parser.parse_entry(entry);
    if !outcome.is_valid() {
        return Err(Terminal::new(&outcome.diagnostics, &outcome.sources).to_string().into());
    }
    let service = Service::of(&outcome.program).ok_or("there is no service template")?;
    #[allow(clippy::print_stdout, reason = "a program may print; the library does not")]
    {
        print!("{}", describe(&service)?);
    }
    Ok(())
}

/// Describes the content of a service.
pub(crate) fn describe(service: &Service) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for (name, node) in &service.nodes {
        describe_node(&mut text, name, node)?;
    }
    Ok(text)
}

fn describe_node(text: &mut String, name: &str, node: &Node) -> std::fmt::Result {
    writeln!(text, "{name}: {}", lineage(&node.types))?;
    for (name, property) in &node.properties {
        writeln!(text, "  {name} = {}", value(property))?;
    }
    for (capability, offered) in &node.capabilities {
        writeln!(text, "  offers {capability}: {}", lineage(&offered.types))?;
        for (name, property) in &offered.properties {
            writeln!(text, "    {name} = {}", value(property))?;
        }
    }
    for requirement in &node.requirements {
        writeln!(text, "  needs {}", need(requirement))?;
    }
    Ok(())
}

/// Lists a type and its ancestors; the type itself comes first.
fn lineage(types: &Types) -> String {
    types.iter().map(|of| &*of.name).collect::<Vec<_>>().join(" < ")
}

/// Describes a value and its origin.
fn value(property: &Property) -> String {
    let Some(value) = &property.value else {
        return if property.schema.required { "no value yet".to_owned() } else { "no value".to_owned() };
    };
    let origin = match property.state {
        State::Default => " (default)",
        State::Fixed => " (fixed by the type)",
        State::Assigned | State::Unset => "",
    };
    match value {
        Value::Call(call) => format!("the result of `{}`{origin}", call.name),
        value => format!("{value}{origin}"),
    }
}

/// Describes a requirement and its target.
fn need(requirement: &Requirement) -> String {
    let relationship = lineage(&requirement.relationship.types);
    let name = &requirement.name;
    match (&requirement.target, &requirement.dangling) {
        (Some(target), _) => {
            let capability = target.capability.as_deref().unwrap_or("no capability");
            format!("{name}: {capability} of {}, by a {relationship}", target.node)
        }
        (None, Some(constraints)) => {
            let [node, capability] = [&constraints.node_types, &constraints.capability_types].map(lineage);
            format!("{name}: a {node} that offers a {capability}, by a {relationship}")
        }
        (None, None) => format!("{name}: no target"),
    }
}
