//! The pages that describe what is written for other programs.

use std::fmt::Write;

use super::description::{Body, Content, Description, Field, Form, Thing, Variant};

const MODEL: &str = "\
<!-- Made from src/normal/model by the tests, which fail when it is out of date. UPDATE_DOCS=1 cargo test renews it. -->

# The normal model

What `tosca-parse FILE --emit json` (or `yaml`) writes, and what `Service::of` gives in the library: one
[Service](#service) with everything applied to everything. It is flat and complete. Whoever reads it needs neither the
files that it was written in nor any type: what is inherited, copied or defaulted is there. Maps are in the order of
the source, with what is inherited first. JSON is indented if it goes to a terminal, or with `--pretty`.

Fields may be added within a version of the model; none is removed, renamed or given another meaning. Readers should
ignore what they do not know. A field without content (nothing, an empty list or map, a switch that is off) is not
written; those that are always there are marked with \\*.

[model.schema.json](model.schema.json) says the same as a JSON Schema, which `tosca-parse schema` writes.

*Value* stands for data as TOSCA has it: null, booleans, integers of 64 bits, floats, strings, lists, maps. Integers
beyond 64 bits are strings; infinite floats are the strings `.inf` and `-.inf`, what is not a number is `.nan`. A call
of a function, which only a processor can run, is a map with the single key `$call`:

```json
{ \"$call\": { \"name\": \"get_input\", \"arguments\": [\"port\"] } }
```

A function that is not built in also has an `origin`, and is listed among the functions of the service. Keys of data
that begin with a dollar sign are written with one more, so that no data can be mistaken for a call; strings are
never calls.
";

const PROBLEMS: &str = "\
<!-- Made from src/diagnostic by the tests, which fail when it is out of date. UPDATE_DOCS=1 cargo test renews it. -->

# Problems in JSON

What `tosca-parse FILE… --format json` writes: one [Document](#document) with the problems of all files of the run. It
goes to the standard output, or to the standard error if a model or a dump is asked for, which then has the standard
output for itself. A problem of a source that several files share is told once.

Fields may be added within a version of the document; none is removed, renamed or given another meaning. Readers should
ignore what they do not know. All fields are always there, empty where there is nothing to say.

[problems.schema.json](problems.schema.json) says the same as a JSON Schema, which `tosca-parse schema problems` writes.
";

/// The pages: names of files, and texts.
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
