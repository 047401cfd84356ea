//! The engine with a custom language that uses only the public interface: phases must work for any language as for
//! TOSCA, including features that TOSCA does not need (several parents, types that depend on each other).

#![allow(clippy::unwrap_used)]

mod calls;
mod command;
mod hierarchies;
mod incomplete;
mod inheritance;
mod language;
mod names;
mod options;
mod read;
mod relations;
mod rendering;
mod seams;
mod sessions;

use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::entity::{Entity, Language, Section};
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::symbol::Symbol;
use tosca_parse::{Entry, Outcome, Parser};

use kitchen::{KITCHEN, RECIPES, Recipe};

/// Parses a book, and the books that it imports.
fn parse_in(language: &'static Language, text: &str, others: &[(&str, &str)]) -> Outcome {
    let memory = MemoryProvider::new();
    for (name, text) in others {
        memory.insert(Address::parse(&format!("memory:{name}")).unwrap(), *text);
    }
    let parser = Parser::builder(language).provider(std::sync::Arc::new(memory)).build().unwrap();
    parser.parse_entry(Entry::text(Address::parse("memory:book.yaml").unwrap(), text))
}

/// Parses a book and checks that it has exactly the problems that its comments announce: `# error[rule] text` on the line
/// of the problem, several of them one after the other.
fn check_in(language: &'static Language, text: &str, others: &[(&str, &str)]) -> Outcome {
    let outcome = parse_in(language, text, others);
    let mut found: Vec<String> = Vec::new();
    let mut expected: Vec<String> = Vec::new();
    for source in outcome.sources.iter() {
        let shown = |line: u32, problem: &str| format!("{}:{line}: {problem}", source.name());
        for (line, number) in source.text().lines().zip(1..) {
            expected.extend(line.split(" # ").skip(1).map(|problem| shown(number, problem.trim())));
        }
        for problem in outcome.diagnostics.iter().filter(|problem| problem.span.source == source.id()) {
            let line = source.line_column(problem.span.start).line;
            let Diagnostic { severity, rule, message, .. } = problem;
            assert!(!problem.help.is_empty(), "{message}");
            found.push(shown(line, &format!("{severity}[{}] {message}", rule.name)));
        }
    }
    let fits = |found: &String, expected: &String| match (found.split_once("] "), expected.split_once(']')) {
        (Some((found, message)), Some((expected, text))) => found == expected && message.contains(text.trim()),
        _ => false,
    };
    let is_same = found.len() == expected.len() && found.iter().zip(&expected).all(|(one, other)| fits(one, other));
    assert!(is_same, "found:\n{}\n\nexpected:\n{}", found.join("\n"), expected.join("\n"));
    outcome
}

fn check(text: &str) -> Outcome {
    check_in(&KITCHEN, text, &[])
}

/// Finds the entity with a name in an outcome.
fn find<E: Entity>(outcome: &Outcome, section: Section, name: &str) -> tosca_parse::entity::Id<E> {
    let unit = outcome.entry().unwrap();
    let name = symbol(outcome, name);
    outcome.program.resolve(unit, section, name).id().unwrap().cast().unwrap()
}

fn symbol(outcome: &Outcome, name: &str) -> Symbol {
    outcome.program.interner.get(name).unwrap()
}

fn recipe<'a>(outcome: &'a Outcome, name: &str) -> &'a Recipe {
    outcome.program.get(find::<Recipe>(outcome, RECIPES, name)).unwrap()
}

/// Returns the names of members, in their order.
fn names<'a, E: Entity>(outcome: &'a Outcome, members: &tosca_parse::entity::Members<E>) -> Vec<&'a str> {
    members.iter().map(|(name, _)| outcome.program.text(name)).collect()
}
