//! Whether a parser that is kept goes on taking memory.
//!
//! `cargo bench --bench memory -- 1000000` has one parser read so many small templates, no two of which are alike, and
//! prints what the process takes up at every power of ten. From a hundred thousand on it must not grow much. Only Linux tells.

#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use tosca_parse::{Entry, Parser, TOSCA};

/// From how many templates on a parser has to forget some, since they take up what it may remember.
const SETTLED: usize = 100_000;

/// By how much the memory may grow from then on, in per cent.
const SLACK: u64 = 25;

/// A service with a type of its own, imported from nowhere.
fn template(number: usize) -> String {
    format!(
        "tosca_definitions_version: tosca_2_0\ndescription: service {number}\nnode_types:\n  Server{number}:\n    \
         properties:\n      port{number}: {{ type: integer, default: {number} }}\nservice_template:\n  \
         node_templates:\n    web{number}: {{ type: Server{number} }}\n    db{number}:\n      type: Server{number}\n      \
         properties: {{ port{number}: 5432 }}\n"
    )
}

/// The memory that the process has, in KiB.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}

fn main() {
    let count = std::env::args().filter_map(|argument| argument.parse().ok()).next_back().unwrap_or(2 * SETTLED);
    let parser = Parser::builder(&TOSCA).build().expect("there are threads");
    let mut settled = None;
    for number in 1..=count {
        let address = parser.address(&format!("service{number}.yaml")).expect("it is a name");
        let outcome = parser.parse_entry(Entry::text(address, template(number)));
        assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
        let is_power = number >= 100 && number.to_string().trim_end_matches('0') == "1";
        if !is_power && number != count {
            continue;
        }
        let Some(resident) = resident() else { return println!("there is no telling how much memory it takes here") };
        println!("{number:>9} templates: {:>5} MiB", resident >> 10);
        if number >= SETTLED {
            let first = *settled.get_or_insert(resident);
            assert!(resident <= first + first * SLACK / 100, "{first} KiB have become {resident} KiB");
        }
    }
}
