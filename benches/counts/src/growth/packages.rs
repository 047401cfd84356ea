//! `MuranoPL` packages and object models.

use std::sync::Arc;

use tosca_parse::murano::language::MURANO;
use tosca_parse::source::{Address, MemoryProvider};
use tosca_parse::{Entry, Outcome, Parser};

use super::{Comparison, lines, size};

/// Generates the files of a package with many entries of a kind; the last file is the entry.
type Shape = fn(usize) -> Vec<(String, String)>;

/// Shapes by name, each with the number of entries in the smaller package, and the number of problems per entry.
const SHAPES: &[(&str, usize, usize, Shape)] = &[
    ("classes of one file", 100, 0, |n| {
        let text = lines(n, |i| class(i, n));
        package(n, |_| "All.yaml".to_owned(), vec![("Classes/All.yaml".to_owned(), text)])
    }),
    ("classes of many files", 100, 0, |n| {
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
    ("calls of a method with many arguments", 300, 0, |n| {
        let arguments = lines(n, |i| format!("      - argument_{i:06}: {{ Contract: $ }}"));
        let body = lines(n, |i| format!("      - $.m(argument_{i:06} => 1)"));
        one_class(&format!("Methods:\n  m:\n    Arguments:\n{arguments}    Body:\n{body}"))
    }),
    ("objects whose `.init` has many arguments", 300, 0, |n| {
        let arguments = lines(n, |i| format!("      - argument_{i:06}: {{ Contract: $ }}"));
        let body = lines(n, |i| format!("      - new(B, argument_{i:06} => 1)"));
        one_class(&format!(
            "Methods:\n  m:\n    Body:\n{body}---\nName: B\nMethods:\n  .init:\n    Arguments:\n{arguments}"
        ))
    }),
    ("classes that override a method with many arguments", 300, 1, |n| {
        let arguments = lines(n, |i| format!("      - argument_{i:06}: {{ Contract: $.notNull() }}"));
        let classes = lines(n, |i| format!("---\nName: B{i}\nExtends: A\nMethods: {{ m: {{}} }}"));
        one_class(&format!("Methods:\n  m:\n    Arguments:\n{arguments}{classes}"))
    }),
    ("objects of a class with many ancestors", 300, 0, |n| {
        let body = lines(n, |i| format!("      - new(B{}, argument => {i})", n - 1));
        let classes = lines(n, |i| match i {
            0 => "---\nName: B0\nMethods: { .init: { Arguments: [ argument: { Contract: $ } ] } }".to_owned(),
            _ => format!("---\nName: B{i}\nExtends: B{}", i - 1),
        });
        one_class(&format!("Methods:\n  m:\n    Body:\n{body}{classes}"))
    }),
    ("classes that inherit many methods", 300, 0, |n| {
        let methods = lines(n, |i| format!("  method_{i:06}: {{}}"));
        let classes = lines(n, |i| format!("---\nName: B{i}\nExtends: A\nMethods: {{ m: {{}} }}"));
        one_class(&format!("Methods:\n{methods}{classes}"))
    }),
    ("keys that a class does not have", 300, 1, |n| {
        let properties = lines(n, |i| format!("  property_{i:06}: {{ Contract: $ }}"));
        let given: Vec<String> = (0..n).map(|i| format!("\"propertys_{i:06}\": 1")).collect();
        with_model(&format!("Properties:\n{properties}"), &given.join(", "))
    }),
    ("objects", 500, 0, |n| {
        with_model(OBJECTS, &format!("\"all\": [ {} ]", objects(n, |i| format!("o{}", (i + 1) % n))))
    }),
    ("objects within each other", 20, 0, |n| {
        let mut model = "\"size\": 1".to_owned();
        for i in 0..n {
            model = format!("\"size\": 1, \"next\": {{ \"?\": {{ \"type\": \"t.A\", \"id\": \"o{i}\" }}, {model} }}");
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
    let object =
        |i| format!("{{ \"?\": {{ \"type\": \"t.A\", \"id\": \"o{i}\" }}, \"size\": 3, \"next\": \"{}\" }}", next(i));
    (0..n).map(object).collect::<Vec<_>>().join(",\n")
}

/// Returns a class with the usual parts.
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
    files.push(("manifest.yaml".to_owned(), format!("Format: 1.4\nType: Library\nFullName: t\nClasses:\n{listed}")));
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
    let memory = MemoryProvider::new();
    let address = |path: &str| Address::parse(&format!("memory:/p/{path}")).expect("the package is read");
    for (path, text) in files {
        memory.insert(address(path), text.as_bytes().to_vec());
    }
    let parser = Parser::builder(&MURANO).provider(Arc::new(memory)).threads(1).build().expect("the package is read");
    parser.parse_entry(Entry::at(address(&files.last().expect("the package is read").0)))
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    SHAPES
        .iter()
        .map(|(name, n, _, shape)| Comparison::growth(&format!("MuranoPL: {name}"), *n, |n| size(&parse(&shape(n)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_problems_in_their_names() {
        for (what, n, problems, shape) in SHAPES {
            let outcome = parse(&shape(*n));
            assert_eq!(outcome.diagnostics.len(), n * problems, "{what}: {:?}", outcome.diagnostics.first());
        }
    }
}
