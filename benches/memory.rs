//! Whether the memory of a long-lived parser keeps growing.
//!
//! `cargo bench --bench memory -- 1000000` parses this many small templates, all different, with one parser. It prints
//! the memory of the process at every power of ten. From a hundred thousand on, the memory must hardly grow. Works
//! only on Linux.

#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use tosca_parse::{Entry, Parser, TOSCA};

/// The number of templates that fill the caches of a parser, so that it must evict entries.
const SETTLED: usize = 100_000;

/// The maximum growth of the memory from then on, in percent.
const SLACK: u64 = 25;

/// Returns a service with its own type and without imports.
fn template(number: usize) -> String {
    format!(
        "tosca_definitions_version: tosca_2_0\ndescription: service {number}\nnode_types:\n  Server{number}:\n    \
         properties:\n      port{number}: {{ type: integer, default: {number} }}\nservice_template:\n  \
         node_templates:\n    web{number}: {{ type: Server{number} }}\n    db{number}:\n      type: Server{number}\n      \
         properties: {{ port{number}: 5432 }}\n"
    )
}

/// Returns the resident memory of the process, in KiB.
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
