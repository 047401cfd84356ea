//! Mistakes in YAML, made at every place of valid templates: each is one problem, on its line.
//!
//! A generator makes each kind of mistake at each line where it is possible. Results that are still valid templates
//! don't count, and neither do those that are valid YAML with a different meaning, because nothing is repaired in them.
//! By default only some of the places are tried; `--ignored` tries all and prints a table.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;

use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// A template with the usual constructions of TOSCA 1.3.
const SIMPLE: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
description: A shop and where it runs
metadata:
  template_name: shop
  template_author: somebody
data_types:
  Address:
    derived_from: tosca.datatypes.Root
    properties:
      street: { type: string }
      number:
        type: integer
        required: false
node_types:
  Shop:
    derived_from: tosca.nodes.SoftwareComponent
    description: |
      Sells things
      on the web
    properties:
      port:
        type: integer
        default: 80
      address:
        type: Address
      tags: { type: list, entry_schema: string, required: false }
    requirements:
      - store:
          capability: tosca.capabilities.Node
          occurrences: [ 0, 1 ]
topology_template:
  inputs:
    cores:
      type: integer
      default: 2
    image: { type: string, default: 'debian:12' }
  node_templates:
    server:
      type: tosca.nodes.Compute
      capabilities:
        host:
          properties:
            num_cpus: { get_input: cores }
            mem_size: 4 GB
        os:
          properties:
            type: linux
            distribution: \"debian\"
    shop:
      type: Shop
      properties:
        port: 8080
        address: { street: \"Main Street\", number: 7 }
        tags: [ small, new ]
      requirements:
        - host: server
        - store:
            node: server
      interfaces:
        Standard:
          operations:
            create: install.sh
            start:
              implementation: start.sh
              inputs:
                level: 3
  outputs:
    port:
      description: The port of the shop
      value: { get_property: [ shop, port ] }
";

/// Templates of TOSCA 2.0, some of which import others.
const FILES: &[&str] = &["hello", "shop", "shop-types", "cluster", "platform", "database-cluster"];

/// A text with a mistake, and the indexes of the lines where it may be reported.
type Mistake = (String, RangeInclusive<usize>);

/// A kind of mistake: its name, and the function that makes it at a line.
type KindOfMistake = (&'static str, fn(&[&str], usize) -> Option<Mistake>);

const KINDS: &[KindOfMistake] = &[
    ("line one space further", |lines, at| moved(lines, at, 1, false)),
    ("line one space back", |lines, at| moved(lines, at, -1, false)),
    ("block one space further", |lines, at| moved(lines, at, 1, true)),
    ("block one space back", |lines, at| moved(lines, at, -1, true)),
    ("line two spaces further", |lines, at| moved(lines, at, 2, false)),
    ("missing colon", |lines, at| {
        let (head, tail) = lines[at].split_once(':').filter(|(head, _)| is_plain_key(head))?;
        line(lines, at, &format!("{head}{tail}"))
    }),
    ("missing space after a colon", |lines, at| {
        let (head, tail) = lines[at].split_once(": ").filter(|(head, _)| is_plain_key(head))?;
        line(lines, at, &format!("{head}:{tail}"))
    }),
    ("semicolon for a colon", |lines, at| {
        let (head, tail) = lines[at].split_once(':').filter(|(head, _)| is_plain_key(head))?;
        line(lines, at, &format!("{head};{tail}"))
    }),
    ("full-width colon", |lines, at| {
        let (head, tail) = lines[at].split_once(':').filter(|(head, _)| is_plain_key(head))?;
        line(lines, at, &format!("{head}：{}", tail.trim_start()))
    }),
    ("lost line break", |lines, at| {
        let next = lines.get(at + 1).filter(|next| !next.trim().is_empty() && !is_text(lines, at + 1))?;
        Some(joined(lines, at, &format!("{} {}", lines[at], next.trim_start())))
    }),
    ("lost line break before indentation", |lines, at| {
        let next = lines.get(at + 1).filter(|next| !next.trim().is_empty() && !is_text(lines, at + 1))?;
        Some(joined(lines, at, &format!("{}{next}", lines[at])))
    }),
    ("tab as indentation", |lines, at| {
        let depth = depth(lines[at]);
        (depth > 1).then(|| line(lines, at, &format!("{}{}", "\t".repeat(depth / 2), &lines[at][depth..])))?
    }),
    ("tabs as indentation of a block", |lines, at| {
        let (own, end) = (depth(lines[at]), end(lines, at));
        if own < 2 || end < at + 2 {
            return None;
        }
        let tabbed = |line: &str| format!("{}{}", "\t".repeat(depth(line) / 2), line.trim_start());
        Some((replaced(lines, at..end, tabbed), at..=at))
    }),
    ("no-break spaces as indentation", |lines, at| {
        let depth = depth(lines[at]);
        (depth > 0).then(|| line(lines, at, &format!("{}{}", "\u{a0}".repeat(depth), &lines[at][depth..])))?
    }),
    ("missing comma", |lines, at| {
        let comma = lines[at].find(", ")?;
        is_flow(lines[at]).then(|| line(lines, at, &format!("{}{}", &lines[at][..comma], &lines[at][comma + 1..])))?
    }),
    ("wrong closing bracket", |lines, at| {
        let close = lines[at].rfind(['}', ']']).filter(|_| is_flow(lines[at]))?;
        let other = if lines[at][close..].starts_with('}') { ']' } else { '}' };
        line(lines, at, &format!("{}{other}{}", &lines[at][..close], &lines[at][close + 1..]))
    }),
    ("missing closing bracket", |lines, at| {
        let close = lines[at].rfind(['}', ']']).filter(|_| is_flow(lines[at]))?;
        line(lines, at, &format!("{}{}", &lines[at][..close].trim_end(), &lines[at][close + 1..]))
    }),
    ("superfluous closing bracket", |lines, at| {
        is_flow(lines[at]).then(|| line(lines, at, &format!("{}{}", lines[at], if at % 2 == 0 { "}" } else { "]" })))?
    }),
    ("open bracket before a scalar", |lines, at| with_value(lines, at, |value| format!("[{value}"))),
    ("open brace before a scalar", |lines, at| with_value(lines, at, |value| format!("{{{value}"))),
    ("open double quote", |lines, at| with_value(lines, at, |value| format!("\"{value}"))),
    ("open single quote", |lines, at| with_value(lines, at, |value| format!("'{value}"))),
    ("text after a quoted scalar", |lines, at| with_value(lines, at, |value| format!("\"{value}\" x"))),
    ("apostrophe in single quotes", |lines, at| with_value(lines, at, |value| format!("'it's {value}'"))),
    ("text after a quoted scalar in a list", |lines, at| {
        let (head, items) = lines[at].split_once("[ ").filter(|(_, items)| items.starts_with(char::is_alphanumeric))?;
        let (first, rest) = items.split_once([',', ' '])?;
        line(lines, at, &format!("{head}[ \"{first}\" x,{rest}"))
    }),
    ("colon in a value", |lines, at| with_value(lines, at, |value| format!("{value}: other"))),
    ("at sign", |lines, at| with_value(lines, at, |value| format!("@{value}"))),
    ("backtick", |lines, at| with_value(lines, at, |value| format!("`{value}`"))),
    ("percent sign", |lines, at| with_value(lines, at, |value| format!("%{value}"))),
    ("asterisk", |lines, at| with_value(lines, at, |value| format!("*{value}"))),
    ("glob", |lines, at| with_value(lines, at, |_| "*.yaml".to_owned())),
    ("exclamation mark", |lines, at| with_value(lines, at, |value| format!("!{value}"))),
    ("dash without a space", |lines, at| {
        let item = lines[at].trim_start().strip_prefix("- ")?;
        line(lines, at, &format!("{}-{item}", " ".repeat(depth(lines[at]))))
    }),
    ("dash before a key of a map", |lines, at| {
        let key = lines[at].trim_start();
        (is_plain_key(key.split(':').next()?) && key.contains(':'))
            .then(|| line(lines, at, &format!("{}- {key}", " ".repeat(depth(lines[at])))))?
    }),
    ("hyphen before a key", |lines, at| {
        let key = lines[at].trim_start();
        (is_plain_key(key.split(':').next()?) && key.contains(':'))
            .then(|| line(lines, at, &format!("{}-{key}", " ".repeat(depth(lines[at])))))?
    }),
    ("text of a block scalar too far left", |lines, at| {
        let is_first = is_text(lines, at) && !is_text(lines, at.checked_sub(1)?);
        (is_text(lines, at) && !is_first).then(|| line(lines, at, &lines[at][2..]))?
    }),
    ("second document", |lines, at| {
        let mut changed = lines.to_vec();
        changed.insert(at, "---");
        (at > 1 && !is_text(lines, at) && !is_text(lines, at - 1)).then(|| (changed.join("\n"), at..=at))
    }),
    ("markers of a merge conflict", |lines, at| {
        let mut changed = lines.to_vec();
        changed.splice(at..=at, ["<<<<<<< HEAD", lines[at], "=======", lines[at], ">>>>>>> other"]);
        (at > 0 && !is_text(lines, at)).then(|| (changed.join("\n"), at..=at + 4))
    }),
    ("fences of Markdown", |lines, at| {
        (at == 0).then(|| (format!("```yaml\n{}\n```\n", lines.join("\n").trim_end()), 0..=0))
    }),
    ("only a fence at the end", |lines, at| {
        (at == 0).then(|| (format!("{}\n```\n", lines.join("\n").trim_end()), lines.len() - 1..=lines.len() - 1))
    }),
    ("tabs in the whole file", |lines, at| {
        let tabbed = |line: &str| format!("{}{}", "\t".repeat(depth(line).div_ceil(2)), line.trim_start());
        let first = lines.iter().position(|line| depth(line) > 0)?;
        (at == 0).then(|| (replaced(lines, 0..lines.len(), tabbed), first..=first))
    }),
];

fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// Returns whether a text is the beginning of a line up to the colon after an unquoted key.
fn is_plain_key(head: &str) -> bool {
    let key = head.trim_start().trim_start_matches("- ");
    !key.is_empty() && key.chars().all(|char| char.is_alphanumeric() || "_.-".contains(char))
}

/// Returns whether a line consists of a key and a value in brackets.
fn is_flow(line: &str) -> bool {
    line.trim_end().ends_with(['}', ']']) && !line.trim_start().starts_with('#')
}

/// Returns whether a line is in a block scalar.
fn is_text(lines: &[&str], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    let above = lines[..at].iter().rev().find(|above| depth(above) < depth(line) && !above.trim().is_empty());
    above.is_some_and(|above| above.ends_with(['|', '>']))
}

/// Returns the end of the block that begins at a line.
fn end(lines: &[&str], at: usize) -> usize {
    let own = depth(lines[at]);
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let is_inside = |line: &&&str| {
        let is_list = depth(line) == own && is_item(line) && !is_item(lines[at]);
        depth(line) > own || line.trim().is_empty() || is_list
    };
    let end = at + 1 + lines[at + 1..].iter().take_while(is_inside).count();
    (at + 1..=end).rev().find(|end| *end == at + 1 || !lines[end - 1].trim().is_empty()).unwrap_or(end)
}

fn replaced(lines: &[&str], range: std::ops::Range<usize>, with: impl Fn(&str) -> String) -> String {
    let changed = lines
        .iter()
        .enumerate()
        .map(|(number, line)| if range.contains(&number) { with(line) } else { (*line).to_owned() });
    changed.collect::<Vec<_>>().join("\n")
}

/// Replaces a line.
fn line(lines: &[&str], at: usize, line: &str) -> Option<Mistake> {
    (line != lines[at]).then(|| (replaced(lines, at..at + 1, |_| line.to_owned()), at..=at))
}

/// Replaces a line and the next one.
fn joined(lines: &[&str], at: usize, line: &str) -> Mistake {
    let mut changed = lines.to_vec();
    changed.splice(at..=at + 1, [line]);
    (changed.join("\n"), at..=at)
}

/// Indents a line or a block differently. With a single sibling, either of the two may be the wrong one.
fn moved(lines: &[&str], at: usize, by: isize, block: bool) -> Option<Mistake> {
    let own = depth(lines[at]);
    let end = end(lines, at);
    if is_text(lines, at) || own == 0 && by < 0 || block && end == at + 1 {
        return None;
    }
    let shifted = |line: &str| match (line.trim().is_empty(), depth(line).checked_add_signed(by)) {
        (true, _) | (_, None) => line.to_owned(),
        (false, Some(depth)) => format!("{}{}", " ".repeat(depth), line.trim_start()),
    };
    let range = at..if block { end } else { at + 1 };
    Some((replaced(lines, range, shifted), sibling(lines, at, own)))
}

/// Returns the lines from a line to its sibling, if there is just one.
fn sibling(lines: &[&str], at: usize, own: usize) -> RangeInclusive<usize> {
    let is_in = |line: &&str| line.trim().is_empty() || depth(line) >= own;
    let first = at - lines[..at].iter().rev().take_while(|line| is_in(line)).count();
    let last = at + lines[at..].iter().take_while(|line| is_in(line)).count();
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let is_sibling = |line: &str| depth(line) == own && !is_blank(line) && is_item(line) == is_item(lines[at]);
    let siblings: Vec<usize> = (first..last).filter(|number| is_sibling(lines[*number])).collect();
    match siblings[..] {
        [first, last] => first..=last,
        _ => at..=at,
    }
}

/// Replaces the value of a line, if it is a plain scalar.
fn with_value(lines: &[&str], at: usize, with: impl Fn(&str) -> String) -> Option<Mistake> {
    let colon = lines[at].find(": ").map(|colon| colon + 2).filter(|_| !is_text(lines, at))?;
    let (head, value) = lines[at].split_at(colon);
    (value.starts_with(char::is_alphanumeric)).then(|| line(lines, at, &format!("{head}{}", with(value))))?
}

/// The mistakes whose consequences are reported, too: the kind, a part of the text, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("", "  namespace: ", "names with this prefix are not recognized as consequences"),
    ("line ", " - profile: ", "the first line of an item deviates from the second line, and there are only two"),
    ("no-break spaces as indentation", "node_templates:", "the error is noticed more than 60 lines further down"),
    ("lost line break before indentation", "\n", "no space separates two words"),
    ("lost line break", "MiB Login:", "`Login` occurs nowhere else as a key"),
    ("second document", "---", "if it begins at the top level, names in it may be missing"),
    ("text after a quoted scalar in a list", "[ \"select\" x,]", "the list decides whether a property is needed"),
];

/// The results of one kind of mistake.
#[derive(Default)]
struct Tally {
    /// The mistakes that are not valid YAML.
    all: usize,
    /// Those with one problem.
    one: usize,
    /// Those with one problem on the right line.
    right: usize,
    /// Wrong indentations of a line that is reported itself, and those among them whose help names the right one.
    helped: (usize, usize),
    /// The mistakes that are valid YAML but not a valid template, and those among them with one problem on the right line.
    readable: (usize, usize),
    wrong: Vec<String>,
}

/// Makes the mistakes, each at every `step`th place.
fn tally(step: usize) -> Vec<Tally> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/templates");
    let parser = Parser::builder(&TOSCA).directory(&folder).build().unwrap();
    let read = |name: &&str| {
        let file = format!("{name}.yaml");
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        (file, text.replace("\r\n", "\n"))
    };
    let mut texts: Vec<(String, String)> = FILES.iter().map(read).collect();
    texts.push(("simple.yaml".into(), SIMPLE.into()));
    let parse = |file: &str, text: String| {
        let address = Address::from_path(Path::new(file), &folder);
        parser.parse_entry(Entry::text(address, text))
    };
    for (file, text) in &texts {
        assert_eq!(parse(file, text.clone()).diagnostics, [], "{file}");
    }
    let mut count = 0;
    let mut tallies = Vec::new();
    for (name, make) in KINDS {
        let mut tally = Tally::default();
        for (file, text) in &texts {
            let lines: Vec<&str> = text.split('\n').collect();
            for at in 0..lines.len() {
                let is_possible = at == 0 || !is_blank(lines[at]);
                let Some((wrong, expected)) = is_possible.then(|| make(&lines, at)).flatten() else { continue };
                count += 1;
                if count % step == 0 {
                    let outcome = parse(file, wrong.clone());
                    tally.add((name, file, at), (lines[at], &wrong), &expected, &outcome);
                }
            }
        }
        tallies.push(tally);
    }
    tallies
}

impl Tally {
    fn add(
        &mut self,
        (name, file, at): (&str, &str, usize),
        (right, wrong): (&str, &str),
        expected: &RangeInclusive<usize>,
        outcome: &Outcome,
    ) {
        if outcome.is_valid() {
            return;
        }
        let line_of = |problem: &Diagnostic| {
            let source = outcome.sources.get(problem.span.source).unwrap();
            source.line_column(problem.span.start).line as usize - 1
        };
        let is_one = outcome.diagnostics.len() == 1;
        let is_right = is_one && expected.contains(&line_of(&outcome.diagnostics[0]));
        if !outcome.diagnostics.iter().any(|problem| ["T1101", "T1105"].contains(&problem.rule.code)) {
            self.readable.0 += 1;
            self.readable.1 += usize::from(is_right);
            return;
        }
        self.all += 1;
        self.one += usize::from(is_one);
        self.right += usize::from(is_right);
        let line = wrong.split('\n').nth(at).unwrap();
        if is_right
            && expected == &(at..=at)
            && line.trim_start() == right.trim_start()
            && !line.contains(['\t', '\u{a0}'])
        {
            let help = match depth(right) {
                0 => format!("don't indent line {}", at + 1),
                depth => format!("indent line {} by {depth} space", at + 1),
            };
            self.helped.0 += 1;
            self.helped.1 += usize::from(outcome.diagnostics[0].help[0].starts_with(&help));
        }
        let is_exception = |(kind, part, _): &(&str, &str, &str)| {
            let is_there = line.contains(part) || *part == "\n";
            name.starts_with(kind) && is_there
        };
        if !is_right && !EXCEPTIONS.iter().any(is_exception) {
            let mut shown = format!("{name}, {file}:{}:\n    {line}\n", at + 1);
            for problem in &outcome.diagnostics {
                let (code, message, help) = (problem.rule.code, &problem.message, &problem.help);
                writeln!(shown, "    {}: {code} {message} | {help:?}", line_of(problem) + 1).unwrap();
            }
            self.wrong.push(shown);
        }
    }
}

#[test]
fn a_mistake_is_one_problem_on_its_line() {
    let tallies = tally(29);
    let wrong: Vec<&str> = tallies.iter().flat_map(|tally| tally.wrong.iter().map(String::as_str)).collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
    assert!(tallies.iter().map(|tally| tally.all).sum::<usize>() > 200);
}

#[test]
#[ignore = "tries every place and prints a table"]
fn table_of_all_places() {
    let tallies = tally(1);
    eprintln!("{:42} invalid   one right   readable right   moved  help", "");
    let show = |name: &str, tallies: &[Tally]| {
        let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>();
        let (all, one, right) = (sum(|tally| tally.all), sum(|tally| tally.one), sum(|tally| tally.right));
        let readable = (sum(|tally| tally.readable.0), sum(|tally| tally.readable.1));
        let helped = (sum(|tally| tally.helped.0), sum(|tally| tally.helped.1));
        eprint!("{name:42} {all:7} {one:5} {right:5} {:10} {:5}", readable.0, readable.1);
        eprintln!(" {:7} {:5}", helped.0, helped.1);
    };
    for ((name, _), tally) in KINDS.iter().zip(&tallies) {
        show(name, std::slice::from_ref(tally));
    }
    show("all", &tallies);
    let wrong: Vec<&str> = tallies.iter().flat_map(|tally| tally.wrong.iter().map(String::as_str)).collect();
    assert!(wrong.is_empty(), "{} mistakes: {}", wrong.len(), wrong.concat());
}
