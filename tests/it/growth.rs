//! What four times as long a template costs: about four times as much, whatever is wrong with it.
//!
//! An author who misspells one name of thousands is told which one was meant, and one who misspells thousands is not
//! kept waiting: no search may be made for each of many problems through all of many names. The times are those of a
//! debug build on a machine that does other things as well, so the bound is loose, but what is quadratic fails.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// Something that a template may have many of; the template has that many.
type Shape = fn(usize) -> String;

const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

/// Each with the number of entries that the smaller template has.
const SHAPES: &[(&str, usize, Shape)] = &[
    ("inputs that there are not", 500, |n| {
        let inputs = lines(n, |i| format!("    input_{i:06}: {{ type: string }}"));
        let calls = lines(n, |i| format!("        - {{ $get_input: inputs_{i:06} }}"));
        format!(
            "{HEAD}node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: string }} }} }} }}\n\
             service_template:\n  inputs:\n{inputs}  node_templates:\n    a:\n      type: A\n      properties:\n        p:\n{calls}"
        )
    }),
    ("properties that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("        propertys_{i:06}: x"));
        format!("{HEAD}node_types:\n  A:\n    properties:\n{defined}{}{given}", node_template("properties"))
    }),
    ("clauses of one very long line", 8000, |n| {
        let property = |i| {
            format!("p{i:06}: {{ type: integer, default: {}, validation: {{ $greater_than: [ $value, 4 ] }} }}", i % 9)
        };
        let properties = (0..n).map(property).collect::<Vec<_>>().join(", ");
        format!("{HEAD}node_types: {{ A: {{ properties: {{ {properties} }} }} }}\n")
    }),
    ("keys that begin like a function", 2000, |n| {
        let given = lines(n, |i| format!("        - {{ get_property_{i:06}: x }}"));
        format!(
            "{HEAD}node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: {{ type: map, entry_schema: string }} }} }} }} }}\n{}        p:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("members of a value that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      member_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("          members_{i:06}: x"));
        format!(
            "{HEAD}data_types:\n  D:\n    properties:\n{defined}node_types: {{ A: {{ properties: {{ d: {{ type: D }} }} }} }}\n{}        d:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("requirements that there are not", 500, |n| {
        let defined =
            lines(n, |i| format!("    - need_{i:06}: {{ capability: C, relationship: R, count_range: [ 0, 1 ] }}"));
        let given = lines(n, |i| format!("      - needs_{i:06}: a"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates:\n    a:\n      type: A\n      requirements:\n{given}"
        )
    }),
    ("requirements", 1000, |n| {
        let defined = lines(n, |i| format!("    - need_{i:06}: {{ capability: C, relationship: R, node: B }}"));
        let given = lines(n, |i| format!("      - need_{i:06}: b"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  B: {{ capabilities: {{ c: C }} }}\n  A:\n    requirements:\n{defined}\
             service_template:\n  node_templates:\n    b: {{ type: B }}\n    a:\n      type: A\n      requirements:\n{given}"
        )
    }),
    ("hosts on each other, pairs of them in loops", 1000, |n| {
        let nodes = lines(n, |i| {
            let other = if i % 2 == 0 { i + 1 } else { i - 1 };
            format!("    n{i:06}: {{ type: A, requirements: [ host: n{other:06}, host: n{:06} ] }}", (i + 2).min(n - 1))
        });
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ HostedOn: {{}} }}\n\
             node_types: {{ A: {{ capabilities: {{ c: C }}, requirements: [ host: {{ capability: C, relationship: HostedOn, count_range: [ 0, UNBOUNDED ] }} ] }} }}\n\
             service_template:\n  node_templates:\n{nodes}"
        )
    }),
    ("types that there are not", 500, |n| {
        let types = lines(n, |i| format!("  Type{i:06}: {{}}"));
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: Types{i:06} }}"));
        format!("{HEAD}node_types:\n{types}service_template:\n  node_templates:\n{nodes}")
    }),
    ("node templates that there are not", 500, |n| {
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: A, requirements: [ r: nodes_{i:06} ] }}"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\n\
             node_types: {{ A: {{ requirements: [ r: {{ capability: C, relationship: R }} ] }} }}\nservice_template:\n  node_templates:\n{nodes}"
        )
    }),
    ("properties that lack a type, though there are similar ones", 500, |n| {
        let parent = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let own = lines(n, |i| format!("      propertys_{i:06}: {{ required: false }}"));
        format!("{HEAD}node_types:\n  A:\n    properties:\n{parent}  B:\n    derived_from: A\n    properties:\n{own}")
    }),
    ("capabilities of which there is nothing to refine", 500, |n| {
        let types = lines(n, |i| format!("      property_{i:06}: {{ type: string }}"));
        let own = lines(n, |i| format!("          propertys_{i:06}: {{ required: false }}"));
        format!(
            "{HEAD}capability_types:\n  C:\n    properties:\n{types}node_types:\n  A:\n    capabilities:\n      c:\n        type: C\n        properties:\n{own}"
        )
    }),
    ("operations that there are not", 500, |n| {
        let defined = lines(n, |i| format!("      operation_{i:06}: {{}}"));
        let given = lines(n, |i| format!("            operations_{i:06}: run.sh"));
        format!(
            "{HEAD}interface_types:\n  I:\n    operations:\n{defined}node_types: {{ A: {{ interfaces: {{ i: {{ type: I }} }} }} }}\n\
             service_template:\n  node_templates:\n    a:\n      type: A\n      interfaces:\n        i:\n          operations:\n{given}"
        )
    }),
    ("paths to properties that there are not", 300, |n| {
        let defined = lines(n, |i| format!("      property_{i:06}: {{ type: string, required: false }}"));
        let calls =
            lines(n, |i| format!("    output_{i:06}: {{ value: {{ $get_property: [ a, propertys_{i:06} ] }} }}"));
        format!(
            "{HEAD}node_types:\n  A:\n    properties:\n{defined}service_template:\n  node_templates: {{ a: {{ type: A }} }}\n  outputs:\n{calls}"
        )
    }),
    ("repositories that there are not", 300, |n| {
        let defined = lines(n, |i| format!("  repository_{i:06}: {{ url: 'https://example.com' }}"));
        let imports = lines(n, |i| format!("- {{ url: x.yaml, repository: repositorys_{i:06} }}"));
        format!("{HEAD}repositories:\n{defined}imports:\n{imports}")
    }),
    ("steps that there are not", 500, |n| {
        workflow(n, |i| format!("        step_{i:06}: {{ activities: [], on_success: [ steps_{i:06} ] }}"))
    }),
    ("steps one after the other", 1000, |n| {
        workflow(n, |i| format!("        step_{i:06}: {{ activities: [], on_success: [ step_{:06} ] }}", i + 1))
    }),
    ("workflows in each other", 500, |n| {
        let workflows = lines(n, |i| {
            let next = (i + 1) % n;
            format!("    w{i:06}: {{ steps: {{ a: {{ activities: [ inline: w{next:06} ] }} }} }}")
        });
        format!("{HEAD}service_template:\n  node_templates: {{}}\n  workflows:\n{workflows}")
    }),
    ("mapped capabilities that there are not", 300, |n| {
        let defined = lines(n, |i| format!("      capability_{i:06}: C"));
        let mapped = lines(n, |i| format!("      capabilitys_{i:06}: [ a, c ]"));
        format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nnode_types:\n  A:\n    capabilities:\n{defined}  B: {{ capabilities: {{ c: C }} }}\n\
             service_template:\n  node_templates: {{ a: {{ type: B }} }}\n  substitution_mappings:\n    node_type: A\n    capabilities:\n{mapped}"
        )
    }),
    ("members of a group that there are not", 500, |n| {
        let nodes = lines(n, |i| format!("    node_{i:06}: {{ type: A }}"));
        let members = lines(n, |i| format!("      - nodes_{i:06}"));
        format!(
            "{HEAD}node_types: {{ A: {{}} }}\ngroup_types: {{ G: {{}} }}\nservice_template:\n  node_templates:\n{nodes}  groups:\n    g:\n      type: G\n      members:\n{members}"
        )
    }),
    ("keynames that there are not", 500, |n| {
        let keys = lines(n, |i| format!("      descriptions{i:06}: x"));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n    a:\n      type: A\n{keys}")
    }),
    ("keys that occur twice", 500, |n| {
        let keys = lines(2 * n, |i| format!("    node_{:06}: {{ type: A }}", i % n));
        format!("{HEAD}node_types: {{ A: {{}} }}\nservice_template:\n  node_templates:\n{keys}")
    }),
    ("data types that each add a condition", 200, |n| {
        let types = lines(n, |i| {
            let parent = if i == 0 { "integer".to_owned() } else { format!("D{:06}", i - 1) };
            format!("  D{i:06}: {{ derived_from: {parent}, validation: {{ $less_than: [ $value, {} ] }} }}", 9000 - i)
        });
        format!("{HEAD}data_types:\n{types}")
    }),
    ("fixed maps that are the same again", 1000, |n| {
        let value = (0..n).map(|i| format!("k{i:06}: x")).collect::<Vec<_>>().join(", ");
        format!(
            "{HEAD}node_types:\n  A: {{ properties: {{ p: {{ type: map, entry_schema: string, value: {{ {value} }} }} }} }}\n  \
             B: {{ derived_from: A, properties: {{ p: {{ type: map, value: {{ {value} }} }} }} }}\n"
        )
    }),
    ("values of a large type", 1000, |n| {
        let defined = lines(n, |i| format!("      member_{i:06}: {{ type: string }}"));
        let given = lines(n, |i| format!("          member_{i:06}: x"));
        format!(
            "{HEAD}data_types:\n  D:\n    properties:\n{defined}node_types: {{ A: {{ properties: {{ d: {{ type: D }} }} }} }}\n{}        d:\n{given}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("texts that match a pattern", 200, |n| {
        let texts = lines(n, |i| format!("        - text{i}x"));
        format!(
            "{HEAD}data_types: {{ T: {{ derived_from: string, validation: {{ $matches: [ $value, '[a-z]+[0-9]+x' ] }} }} }}\n\
             node_types: {{ A: {{ properties: {{ p: {{ type: list, entry_schema: T }} }} }} }}\n{}        p:\n{texts}",
            node_template("properties").trim_start_matches('\n')
        )
    }),
    ("values that need each other", 200, |n| {
        let defined = lines(n, |i| format!("      p{i:06}: {{ type: string }}"));
        let given = lines(n, |i| {
            let next = (i + 1) % n;
            format!(
                "        p{i:06}: {{ $concat: [ {{ $get_property: [ SELF, p000000 ] }}, {{ $get_property: [ SELF, p{next:06} ] }} ] }}"
            )
        });
        format!("{HEAD}node_types:\n  A:\n    properties:\n{defined}{}{given}", node_template("properties"))
    }),
];

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut text, i| {
        writeln!(text, "{}", line(i)).unwrap();
        text
    })
}

fn node_template(keyname: &str) -> String {
    format!("service_template:\n  node_templates:\n    a:\n      type: A\n      {keyname}:\n")
}

fn workflow(n: usize, step: impl Fn(usize) -> String) -> String {
    let steps = lines(n - 1, step);
    format!(
        "{HEAD}service_template:\n  node_templates: {{}}\n  workflows:\n    w:\n      steps:\n{steps}        step_{:06}: {{ activities: [] }}\n",
        n - 1
    )
}

fn parse(text: &str) -> Outcome {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    parser.parse_entry(Entry::text(parser.address("service.yaml").unwrap(), text))
}

fn fastest(text: &str) -> Duration {
    let time = |_| {
        let start = Instant::now();
        parse(text);
        start.elapsed()
    };
    (0..2).map(time).min().unwrap()
}

/// The length of all that is said.
fn size(outcome: &Outcome) -> usize {
    let diagnostics = outcome.diagnostics.iter();
    diagnostics
        .map(|problem| {
            problem.message.len()
                + problem.help.iter().map(String::len).sum::<usize>()
                + problem.related.iter().map(|related| related.message.len() + 8).sum::<usize>()
        })
        .sum()
}

#[test]
fn time_and_problems_grow_with_the_template() {
    let mut failures = String::new();
    for (what, n, shape) in SHAPES {
        let (small, large) = (shape(*n), shape(4 * n));
        let (of_small, of_large) = (size(&parse(&small)), size(&parse(&large)));
        if of_large > 6 * of_small + 10_000 {
            writeln!(failures, "{what}: {of_small} bytes of problems become {of_large}").unwrap();
        }
        // What takes no time at all can't be compared.
        let floor = Duration::from_millis(15);
        let mut times = Vec::new();
        let is_linear = (0..5).any(|_| {
            let (before, after) = (fastest(&small).max(floor), fastest(&large));
            times.push(format!("{before:.0?} → {after:.0?}"));
            after < before * 10
        });
        if !is_linear {
            writeln!(failures, "{what}: {}", times.join(", ")).unwrap();
        }
    }
    assert!(failures.is_empty(), "these grow faster than the template:\n{failures}");
}

#[test]
fn shapes_are_what_they_are_called() {
    for (what, n, shape) in SHAPES {
        let outcome = parse(&shape(*n));
        let codes: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
        let is_syntax = codes.iter().any(|code| code.starts_with("T11") && *code != "T1102");
        assert!(!is_syntax && !codes.contains(&"T1205"), "{what}: {:?}", outcome.diagnostics.first());
        if what.ends_with("there are not") {
            assert!(codes.len() >= *n, "{what}: {} problems", codes.len());
        }
    }
}

/// The same for pictures, from the model on.
mod pictures {
    use std::fmt::Write as _;
    use std::time::{Duration, Instant};

    use tosca_parse::graph::{Graph, Options};
    use tosca_parse::normal::Service;

    use super::{HEAD, lines, parse};

    /// What requires what, by numbers: of all boxes, for one of them.
    type Arrows = fn(usize, usize) -> Vec<usize>;

    /// Each with the number of boxes of the smaller picture, and how many of them are in a frame.
    const SHAPES: &[(&str, usize, usize, Arrows)] = &[
        ("all in a line", 100, 0, |_, i| i.checked_sub(1).into_iter().collect()),
        ("all in a ring", 100, 0, |n, i| vec![(i + 1) % n]),
        ("one that all need", 100, 0, |_, i| if i > 0 { vec![0] } else { Vec::new() }),
        ("one that needs all", 100, 0, |n, i| if i == 0 { (1..n).collect() } else { Vec::new() }),
        ("a tree", 100, 0, |_, i| i.checked_sub(1).map(|it| it / 3).into_iter().collect()),
        ("any others", 100, 0, |n, i| vec![(i * 7919 + 13) % n]),
        ("two long ways", 100, 0, |n, i| vec![(i + 1).min(n - 1), (i + n / 3).min(n - 1)]),
        ("everything by everything", 40, 0, |n, i| (0..n / 2).map(|it| n / 2 + it).filter(|_| i < n / 2).collect()),
        ("a frame", 100, usize::MAX, |_, _| Vec::new()),
        ("small frames", 100, 4, |_, _| Vec::new()),
        ("small frames with arrows between them", 100, 4, |n, i| vec![(i * 7919 + 13) % n]),
    ];

    fn template(n: usize, in_frame: usize, arrows: Arrows) -> String {
        let nodes = lines(n, |i| {
            let targets = arrows(n, i).into_iter().filter(|target| *target != i);
            let needs: Vec<String> = targets.map(|target| format!("r: n{target:06}")).collect();
            format!("    n{i:06}: {{ type: A, requirements: [ {} ] }}", needs.join(", "))
        });
        let mut text = format!(
            "{HEAD}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\ngroup_types: {{ G: {{}} }}\n\
             node_types: {{ A: {{ capabilities: {{ c: C }}, requirements: [ r: {{ capability: C, relationship: R, count_range: [ 0, UNBOUNDED ] }} ] }} }}\n\
             service_template:\n  node_templates:\n{nodes}"
        );
        if in_frame > 0 {
            text.push_str("  groups:\n");
            for (index, first) in (0..n).step_by(in_frame.min(n)).enumerate() {
                let members: Vec<String> = (first..n).take(in_frame).map(|i| format!("n{i:06}")).collect();
                writeln!(text, "    g{index}: {{ type: G, members: [ {} ] }}", members.join(", ")).unwrap();
            }
        }
        text
    }

    fn graph(text: &str) -> Graph {
        let outcome = parse(text);
        assert!(outcome.is_valid(), "{:?}", outcome.diagnostics.first());
        Graph::of(&Service::of(&outcome.program).unwrap(), Options::default())
    }

    fn time(graph: &Graph) -> Duration {
        let start = Instant::now();
        graph.svg().unwrap();
        start.elapsed()
    }

    #[test]
    fn time_grows_with_the_picture() {
        let mut failures = String::new();
        for (what, n, in_frame, arrows) in SHAPES {
            let small = graph(&template(*n, *in_frame, *arrows));
            let large = graph(&template(4 * n, *in_frame, *arrows));
            assert_eq!((small.boxes(), large.boxes()), (*n, 4 * n), "{what}");
            // What four times as many arrows pass is up to eight times as much.
            let floor = Duration::from_millis(15);
            let mut times = Vec::new();
            let is_linear = (0..5).any(|_| {
                let (before, after) = (time(&small).max(floor), time(&large));
                times.push(format!("{before:.0?} → {after:.0?}"));
                after < before * 12
            });
            if !is_linear {
                writeln!(failures, "{what}: {}", times.join(", ")).unwrap();
            }
        }
        assert!(failures.is_empty(), "these grow faster than the picture:\n{failures}");
    }
}

/// The same for packages of `MuranoPL`, and models of their objects.
#[cfg(feature = "murano")]
mod murano {
    use std::fmt::Write as _;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use tosca_parse::murano::language::MURANO;
    use tosca_parse::source::{Address, Memory};
    use tosca_parse::{Entry, Outcome, Parser};

    use super::{lines, size};

    /// Files that a package has many of, or much of; the last one is the entry.
    type Shape = fn(usize) -> Vec<(String, String)>;

    /// Each with the number of entries that the smaller package has, and how many problems there are for each.
    const SHAPES: &[(&str, usize, usize, Shape)] = &[
        ("classes of one file", 250, 0, |n| {
            let text = lines(n, |i| class(i, n));
            package(n, |_| "All.yaml".to_owned(), vec![("Classes/All.yaml".to_owned(), text)])
        }),
        ("classes of many files", 250, 0, |n| {
            let file = |i| (format!("Classes/C{i}.yaml"), class(i, n));
            package(n, |i| format!("C{i}.yaml"), (0..n).map(file).collect())
        }),
        ("classes that extend each other", 50, 0, |n| {
            let text = lines(n, |i| {
                let parent = if i == 0 { "io.murano.Object".to_owned() } else { format!("C{}", i - 1) };
                format!(
                    "---\nNamespaces: {{ =: t }}\nName: C{i}\nExtends: {parent}\nMethods: {{ m{i}: {{ Body: [ $.m0() ] }} }}"
                )
            });
            package(n, |_| "All.yaml".to_owned(), vec![("Classes/All.yaml".to_owned(), text)])
        }),
        ("classes of two parents each", 50, 0, |n| {
            let text = lines(n, |i| {
                let parents = if i < 2 { "io.murano.Object".to_owned() } else { format!("[ C{}, C{} ]", i - 1, i - 2) };
                format!("---\nNamespaces: {{ =: t }}\nName: C{i}\nExtends: {parents}\nMethods: {{ m: {{}} }}")
            });
            package(n, |_| "All.yaml".to_owned(), vec![("Classes/All.yaml".to_owned(), text)])
        }),
        ("properties that there are not", 300, 1, |n| {
            let properties = lines(n, |i| format!("  property_{i:06}: {{ Contract: $ }}"));
            let body = lines(n, |i| format!("      - $.select($this.propertys_{i:06})"));
            one_class(&format!("Properties:\n{properties}Methods:\n  m:\n    Body:\n{body}"))
        }),
        ("methods that there are not", 300, 1, |n| {
            let methods = lines(n, |i| format!("  method_{i:06}: {{}}"));
            let body = lines(n, |i| format!("      - $.methods_{i:06}()"));
            one_class(&format!("Methods:\n{methods}  m:\n    Body:\n{body}"))
        }),
        ("statements with expressions that a comma has cut off", 500, 1, |n| {
            let body = lines(n, |i| format!("      - {{ word{i:06}: len($x, $y }}"));
            one_class(&format!("Methods:\n  m:\n    Body:\n{body}"))
        }),
        ("variables that there are not", 300, 1, |n| {
            let body = lines(n, |i| format!("      - $variable_{i:06}: $variables_{i:06}"));
            one_class(&format!("Methods:\n  m:\n    Body:\n{body}"))
        }),
        ("classes that there are not", 300, 1, |n| {
            let classes = lines(n, |i| format!("---\nName: Class{i:06}"));
            let properties = lines(n, |i| format!("  p{i}: {{ Contract: $.class(Classs{i:06}) }}"));
            one_class(&format!("Properties:\n{properties}{classes}"))
        }),
        ("members of arguments that there are not", 300, 1, |n| {
            let properties = lines(n, |i| format!("  property_{i:06}: {{ Contract: $ }}"));
            let body = lines(n, |i| format!("      - $a.propertys_{i:06}"));
            one_class(&format!(
                "Methods:\n  m:\n    Arguments: [ a: {{ Contract: $.class(B) }} ]\n    Body:\n{body}---\nName: B\nProperties:\n{properties}"
            ))
        }),
        ("arguments that there are not", 300, 1, |n| {
            let arguments = lines(n, |i| format!("      - argument_{i:06}: {{ Contract: $ }}"));
            let body = lines(n, |i| format!("      - $.m(arguments_{i:06} => 1)"));
            one_class(&format!("Methods:\n  m:\n    Arguments:\n{arguments}    Body:\n{body}"))
        }),
        ("keys that a class does not have", 300, 1, |n| {
            let properties = lines(n, |i| format!("  property_{i:06}: {{ Contract: $ }}"));
            let given: Vec<String> = (0..n).map(|i| format!("\"propertys_{i:06}\": 1")).collect();
            with_model(&format!("Properties:\n{properties}"), &given.join(", "))
        }),
        ("objects", 2_500, 0, |n| {
            with_model(OBJECTS, &format!("\"all\": [ {} ]", objects(n, |i| format!("o{}", (i + 1) % n))))
        }),
        ("objects within each other", 20, 0, |n| {
            let mut model = "\"size\": 1".to_owned();
            for i in 0..n {
                model =
                    format!("\"size\": 1, \"next\": {{ \"?\": {{ \"type\": \"t.A\", \"id\": \"o{i}\" }}, {model} }}");
            }
            with_model(OBJECTS, &model)
        }),
        ("objects that refer to nobody", 300, 1, |n| {
            with_model(OBJECTS, &format!("\"all\": [ {} ]", objects(n, |i| format!("nobody{i}"))))
        }),
    ];

    const OBJECTS: &str = "Properties:
  size: { Contract: $.int().notNull().check($ > 0), Default: 1 }
  next: { Contract: $.class(A) }
  twice: { Contract: $.int(), Default: $.size * 2 }
  all: { Contract: [ $.class(A) ] }
";

    fn objects(n: usize, next: impl Fn(usize) -> String) -> String {
        let object = |i| {
            format!("{{ \"?\": {{ \"type\": \"t.A\", \"id\": \"o{i}\" }}, \"size\": 3, \"next\": \"{}\" }}", next(i))
        };
        (0..n).map(object).collect::<Vec<_>>().join(",\n")
    }

    /// A class with what classes usually have.
    fn class(i: usize, n: usize) -> String {
        let next = (i + 1) % n;
        format!(
            "---
Namespaces: {{ =: t, std: io.murano }}
Name: C{i}
Extends: std:Application
Properties:
  size: {{ Contract: $.int().notNull().check($ > 0), Default: 3 }}
  next: {{ Contract: $.class(C{next}) }}
  names: {{ Contract: [ $.string() ], Usage: InOut }}
Methods:
  sell:
    Arguments:
      - price: {{ Contract: $.int().notNull() }}
      - to: {{ Contract: $.class(C{next}) }}
    Body:
      - $.names: $.names.where($.len() > $price)
      - If: $.next.size > $to.size
        Then:
          - $.next.sell($price, $.next.next)
        Else:
          - Return: new(C{next}, size => $.size)"
        )
    }

    fn package(n: usize, file: impl Fn(usize) -> String, mut files: Vec<(String, String)>) -> Vec<(String, String)> {
        let listed = lines(n, |i| format!("  t.C{i}: {}", file(i)));
        files
            .push(("manifest.yaml".to_owned(), format!("Format: 1.4\nType: Library\nFullName: t\nClasses:\n{listed}")));
        files
    }

    fn one_class(members: &str) -> Vec<(String, String)> {
        vec![("class.yaml".to_owned(), format!("Namespaces: {{ =: t }}\nName: A\n{members}"))]
    }

    fn with_model(members: &str, properties: &str) -> Vec<(String, String)> {
        let manifest = "Format: 1.4\nType: Library\nFullName: t\nClasses: { t.A: A.yaml }\n".to_owned();
        let class = format!("Namespaces: {{ =: t }}\nName: A\n{members}");
        let model = format!("{{ \"?\": {{ \"type\": \"t.A\", \"id\": \"root\" }}, {properties} }}");
        [("manifest.yaml", manifest), ("Classes/A.yaml", class), ("model.json", model)]
            .map(|(path, text)| (path.to_owned(), text))
            .into()
    }

    fn parse(files: &[(String, String)]) -> Outcome {
        let memory = Memory::new();
        let address = |path: &str| Address::parse(&format!("memory:/p/{path}")).unwrap();
        for (path, text) in files {
            memory.insert(address(path), text.as_bytes().to_vec());
        }
        let parser = Parser::builder(&MURANO).provider(Arc::new(memory)).threads(1).build().unwrap();
        parser.parse_entry(Entry::at(address(&files.last().unwrap().0)))
    }

    fn timed(files: &[(String, String)]) -> (Outcome, Duration) {
        let start = Instant::now();
        let outcome = parse(files);
        (outcome, start.elapsed())
    }

    #[test]
    fn time_and_problems_grow_with_packages_and_models() {
        let mut failures = String::new();
        for (what, n, problems, shape) in SHAPES {
            let (small, large) = (shape(*n), shape(4 * n));
            let ((of_small, mut before), (of_large, mut after)) = (timed(&small), timed(&large));
            let expected = n * problems;
            if of_small.diagnostics.len() != expected {
                let first = of_small.diagnostics.first().map(|problem| (problem.rule.code, &problem.message));
                writeln!(failures, "{what}: {} problems, not {expected}: {first:?}", of_small.diagnostics.len())
                    .unwrap();
            }
            let (of_small, of_large) = (size(&of_small), size(&of_large));
            if of_large > 6 * of_small + 10_000 {
                writeln!(failures, "{what}: {of_small} bytes of problems become {of_large}").unwrap();
            }
            let floor = Duration::from_millis(15);
            let mut times = Vec::new();
            let is_linear = (0..8).any(|_| {
                times.push(format!("{before:.0?} → {after:.0?}"));
                let is_linear = after < before.max(floor) * 10;
                if !is_linear {
                    (before, after) = (timed(&small).1, timed(&large).1.min(after));
                }
                is_linear
            });
            if !is_linear {
                writeln!(failures, "{what}: {}", times.join(", ")).unwrap();
            }
        }
        assert!(failures.is_empty(), "these grow faster than the package:\n{failures}");
    }
}
