//! The pages that describe the output for other programs.

use std::fmt::Write;

use super::description::{Body, Content, Description, Field, Form, Thing, Variant};

const MODEL: &str = "\
<!-- Generated from src/normal/model by the tests, which fail if it is outdated. Update it with `cargo xtask renew model`. -->

# The normal model

The output of `tosca-parse FILE --emit json` (or `jsonl`, `yaml`), and of `Service::of` in the library, is a
[Service](#service) with all types and definitions applied. It is flat and complete: inherited, copied and default
members are included, so that a reader needs neither the source files nor any types. Maps are in the order of the
source, with inherited members first. JSON is indented if it is written to a terminal, or with `--pretty`.
YAML that would be much larger than its source is written as JSON, which is valid YAML.

Fields may be added within a version of the model, but none is removed, renamed or given a different meaning. Readers
should ignore unknown fields. Empty fields (null, an empty list or map, `false`) are omitted, except for fields marked
with \\*, which are always present.

[model.schema.json](model.schema.json), which `tosca-parse schema` writes, is the JSON Schema of the model.

*Value* stands for TOSCA data: null, booleans, 64-bit integers, floats, strings, lists, maps. Integers beyond 64 bits
are strings. Infinite floats are the strings `.inf` and `-.inf`, and not-a-number is `.nan`. A function call that only
a processor can evaluate is a map with the single key `$call`:

```json
{ \"$call\": { \"name\": \"get_input\", \"arguments\": [\"port\"] } }
```

A function that is not built in also has an `origin` and is listed among the functions of the service. Data keys that
begin with a dollar sign get a second one, so that data can't be mistaken for a call. Strings are never calls.
";

const PROBLEMS: &str = "\
<!-- Generated from crates/engine/src/diagnostic by the tests, which fail if it is outdated. Update it with `cargo xtask renew model`. -->

# Problems in JSON

The output of `tosca-parse FILE… --format json` is a single [Document](#document) with the problems of all files of the
run. It is written to standard output, or to standard error if standard output is used for a model or a dump. Problems
of a source that several files share are reported once.

Fields may be added within a version of the document, but none is removed, renamed or given a different meaning. Readers
should ignore unknown fields. All fields except `url` are always present, and can be empty.

[problems.schema.json](problems.schema.json), which `tosca-parse schema problems` writes, is the JSON Schema of the
document.
";

/// Returns the pages: file names and contents.
pub(crate) fn pages() -> [(&'static str, String); 2] {
    let (model, problems) = (Description::of_model(), Description::of_problems());
    [("normal-model.md", page(MODEL, &model, true)), ("problems-json.md", page(PROBLEMS, &problems, false))]
}

fn page(introduction: &str, description: &Description, marks: bool) -> String {
    let mut page = introduction.to_owned();
    for thing in &description.things {
        section(&mut page, description, thing, marks);
    }
    page
}

fn section(page: &mut String, description: &Description, thing: &Thing, marks: bool) {
    write!(page, "\n## {}\n\n{}\n", thing.name, thing.text).unwrap();
    match &thing.body {
        Body::Struct(fields) => table(page, description, fields.iter().map(|field| (String::new(), field)), marks),
        Body::Enum(variants) if variants.iter().all(|variant| matches!(variant.content, Content::Nothing)) => {
            page.push_str("\n| string | meaning |\n|---|---|\n");
            for Variant { name, text, .. } in variants {
                writeln!(page, "| `{name}` | {} |", one_line(text)).unwrap();
            }
        }
        Body::Enum(variants) => {
            page.push_str("\n| key | value | meaning |\n|---|---|---|\n");
            for Variant { name, text, content } in variants {
                let of = match content {
                    Content::One(of) => link(description, of),
                    _ => "map".to_owned(),
                };
                writeln!(page, "| `{name}` | {of} | {} |", one_line(text)).unwrap();
            }
            let fields = variants.iter().filter_map(|variant| match &variant.content {
                Content::Fields(fields) => Some(fields.iter().map(|field| ([&variant.name, "."].concat(), field))),
                _ => None,
            });
            table(page, description, fields.flatten(), marks);
        }
    }
}

fn table<'a>(
    page: &mut String,
    description: &Description,
    fields: impl Iterator<Item = (String, &'a Field)>,
    marks: bool,
) {
    page.push_str("\n| field | value | meaning |\n|---|---|---|\n");
    for (prefix, field) in fields {
        let mark = if marks && !field.is_optional { " \\*" } else { "" };
        let (name, of, text) = (&field.name, link(description, &field.of), one_line(&field.text));
        writeln!(page, "| `{prefix}{name}`{mark} | {of} | {text} |").unwrap();
    }
}

fn link(description: &Description, form: &Form) -> String {
    match form {
        Form::List(of) => format!("list of {}", link(description, of)),
        Form::Map(of) => format!("map of {}", link(description, of)),
        Form::Named(name) if description.find(name).is_some() => format!("[{name}](#{})", name.to_lowercase()),
        Form::Named(name) if name == "Value" => "*Value*".to_owned(),
        Form::Named(name) => name.clone(),
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
