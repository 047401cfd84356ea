//! Words and numbers.

use tosca_parse::Enumerated;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{Form, Scalar};
use tosca_parse::phase::read::Reader;
use tosca_parse::rules::{INVALID_WORD, WRONG_TYPE};

/// The place where operations run.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "executor")]
#[non_exhaustive]
pub enum Executor {
    /// The agent of the manager.
    CentralDeploymentAgent,
    /// The agent on the host of the node.
    HostAgent,
}

/// The states of node instances in which a workflow can be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeInstancesActive;

impl Scalar for NodeInstancesActive {
    const WHAT: &'static str = "list of states";
    const FORM: Form = Form::List(&Form::String);

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        const STATES: [&str; 3] = ["all", "partial", "none"];
        if node.kind() != Kind::List {
            reader.wrong_kind(node, "`node_instances_active`", "a list");
            return None;
        }
        for item in node.items().filter(|item| !STATES.contains(&item.text())) {
            let message = format!("`{}` is not a state of node instances", item.text());
            reader.problem(&INVALID_WORD, item, message).help("write `all`, `partial` or `none`");
        }
        Some(Self)
    }
}

/// A whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub i128);

impl Scalar for Number {
    const WHAT: &'static str = "integer";
    const FORM: Form = Form::Count;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        integer(reader, node).map(Self)
    }
}

/// The number of times that an operation is repeated, at least -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries(pub i128);

impl Scalar for Retries {
    const WHAT: &'static str = "number of retries";
    const FORM: Form = Form::Any;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let number = integer(reader, node)?;
        if number < -1 {
            let message = format!("the number of retries must be at least -1, not {number}");
            reader.problem(&WRONG_TYPE, node, message).help("write `-1` to repeat the operation without limit");
        }
        Some(Self(number))
    }
}

/// A number of seconds, at least 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay(pub f64);

impl Scalar for Delay {
    const WHAT: &'static str = "number of seconds";
    const FORM: Form = Form::Any;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let Some(seconds) = node.as_float().filter(|_| matches!(node.kind(), Kind::Integer | Kind::Float)) else {
            reader.wrong_kind(node, "a number of seconds", "a number");
            return None;
        };
        if seconds < 0.0 {
            let message = format!("a number of seconds must be at least 0, not {}", node.text());
            reader.problem(&WRONG_TYPE, node, message).help("write `0` or a positive number");
        }
        Some(Self(seconds))
    }
}

fn integer(reader: &mut Reader<'_>, node: Node<'_>) -> Option<i128> {
    let number = node.as_integer().filter(|_| node.kind() == Kind::Integer);
    if number.is_none() {
        reader.wrong_kind(node, "the number", "an integer");
    }
    number
}
