//! Extensions of a language, and syntaxes other than YAML.

use std::sync::Arc;

use tosca_parse::ard::{Assembler, Dialect, Document, Documents, Kind, Node, Origin, Schema};
use tosca_parse::diagnostic::{Diagnostic, Span};
use tosca_parse::entity::{
    AnyId, Checked, Checks, Children, DetectedSource, Entity as _, Language, LocalId, Merging, Reference, References,
    Section, SectionDescription, Text,
};
use tosca_parse::phase::inheritance::most_derived;
use tosca_parse::phase::read::Reader;
use tosca_parse::rules;
use tosca_parse::source::{Address, Finder, MemoryProvider, NameQuery};
use tosca_parse::syntax::{Input, Syntax};
use tosca_parse::{Entity, Entry, Outcome, Parser};

use kitchen::KITCHEN;

tosca_parse::sections! {
    static SECTIONS;
    /// The names of classes.
    CLASSES = "class", found;
}

tosca_parse::kinds! {
    static KINDS = [File, Class];
}

/// A language of classes that declare their own names, several per file, each of which is found by its name.
static CLASSY: Language = classy("Classy", SECTIONS);

/// The same language, except that naming a class brings in only that class.
static CHOOSY: Language = classy("Choosy", alone::SECTIONS);

mod alone {
    tosca_parse::sections! {
        pub(super) static SECTIONS;
        /// The names of classes.
        CLASSES = "class", found, local;
    }
}

const fn classy(name: &'static str, sections: &'static [SectionDescription]) -> Language {
    Language {
        sections,
        yaml: Dialect { schema: Schema::Yaml11, documents: Documents::All, ..Dialect::CORE },
        claims: |name, _| name.rsplit_once('.').is_some_and(|(_, kind)| kind == "class"),
        detect: |_, _| DetectedSource::version(tosca_parse::entity::LanguageVersion::FIRST).root(File::KIND),
        qualify_name: Some(qualify_name),
        finder: |_| Box::new(ByName),
        ..Language::new(name, KINDS)
    }
}

/// A file.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "file")]
struct File {
    /// The content.
    #[field(short(list))]
    classes: Children<Class>,
}

/// A class.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "class")]
struct Class {
    /// Its name.
    #[field(keyname = "Name")]
    name: Option<Text>,
    /// The extended classes.
    #[field(keyname = "Extends", parent, lookup(CLASSES))]
    extends: References<Class>,
    /// The used classes.
    #[field(keyname = "Uses", lookup(CLASSES))]
    uses: Option<Reference<Class>>,
}

impl Checked for Class {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(declare);
}

fn declare(class: &Class, reader: &mut Reader<'_>, id: LocalId) {
    if let Some(Text(name)) = class.name {
        let node = reader.document().node(name.node);
        reader.declare_itself(CLASSES, id, node);
    }
}

/// Adds the namespace `house` to a name without a period.
fn qualify_name(_: &mut Reader<'_>, _: Section, node: Node<'_>) -> Option<String> {
    let name = node.text();
    (!name.ends_with('.')).then(|| if name.contains('.') { name.to_owned() } else { format!("house.{name}") })
}

struct ByName;

impl Finder for ByName {
    fn find(&self, wanted: &NameQuery<'_>) -> Option<Address> {
        let known = ["house.A", "house.B", "other.C"];
        known.contains(&wanted.name).then(|| Address::parse(&format!("memory:{}.class", wanted.name)).unwrap())
    }
}

fn memory(files: &[(&str, &str)]) -> MemoryProvider {
    let memory = MemoryProvider::new();
    for (name, text) in files {
        memory.insert(Address::parse(&format!("memory:{name}")).unwrap(), text.as_bytes().to_vec());
    }
    memory
}

fn parse(parser: &Parser, name: &str) -> Outcome {
    parser.parse_entry(Entry::at(Address::parse(&format!("memory:{name}")).unwrap()))
}

fn messages(outcome: &Outcome) -> Vec<&str> {
    outcome.diagnostics.iter().map(|problem| &*problem.message).collect()
}

const FILES: &[(&str, &str)] = &[
    ("house.A.class", "Name: A\nExtends: [ B ]\n---\n---\nName: other.Beside\nExtends: [ other.C, A ]\n"),
    ("house.B.class", "Name: B\nUses: A\n"),
    ("other.C.class", "Name: other.C\nUses: D\n"),
    ("book.yaml", "kitchen: 2\nstuffs: { salt: {} }\n"),
];

#[test]
fn classes_are_found_by_their_names() {
    assert_eq!(CLASSY.check(), [""; 0]);
    let parser = Parser::builder(&CLASSY).provider(Arc::new(memory(FILES))).build().unwrap();
    let outcome = parse(&parser, "house.A.class");
    // The loop of A and B is not an error; a missing name is reported once, at the reference.
    assert_eq!(messages(&outcome), ["there is no class `house.D`"]);
    let sources: Vec<_> = outcome.sources.iter().map(|source| source.name().to_owned()).collect();
    assert_eq!(sources.len(), 3, "{sources:?}");
    let (unit, program) = (&outcome.program.list[0], &outcome.program);
    assert_eq!(unit.document.root().unwrap().len(), 2);
    let names: Vec<_> = unit.types().map(|id: AnyId| program.describe(id)).collect();
    assert_eq!(names, ["class `house.A`", "class `other.Beside`"]);
}

/// A source that is found for a name brings in all its names or, if names are local, only the requested one.
#[test]
fn local_names_are_those_that_were_looked_for() {
    assert_eq!(alone::CLASSES, CLASSES);
    assert_eq!(CHOOSY.check(), [""; 0]);
    let files = [
        ("house.A.class", "Name: A\nExtends: [ B ]\nUses: Beside\n---\nName: Own\nUses: A\n"),
        ("house.B.class", "Name: B\n---\nName: Beside\nUses: B\n"),
    ];
    let found = |language: &'static Language| {
        let parser = Parser::builder(language).provider(Arc::new(memory(&files))).build().unwrap();
        let outcome = parse(&parser, "house.A.class");
        messages(&outcome).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&CLASSY), [""; 0]);
    assert_eq!(found(&CHOOSY), ["there is no class `house.Beside`"]);
}

#[test]
fn a_parser_speaks_several_languages() {
    let parser = Parser::builder(&KITCHEN).language(&CLASSY).provider(Arc::new(memory(FILES))).build().unwrap();
    for _ in 0..2 {
        assert_eq!(messages(&parse(&parser, "book.yaml")), [""; 0]);
        assert_eq!(messages(&parse(&parser, "other.C.class")), ["there is no class `house.D`"]);
    }
    let languages = |name| parse(&parser, name).program.list[0].language.name;
    assert_eq!([languages("book.yaml"), languages("house.B.class")], ["kitchen", "Classy"]);
}

#[test]
fn equal_text_is_not_equal_bytes() {
    let memory = memory(FILES);
    let parser = Parser::builder(&KITCHEN).provider(Arc::new(memory.clone())).build().unwrap();
    let address = Address::parse("memory:book.yaml").unwrap();
    let valid = FILES[3].1.as_bytes();
    let broken = [valid, b"\xff"].concat();
    for (bytes, is_valid) in [(valid, true), (&broken, false), (valid, true), (&broken, false), (&broken, false)] {
        memory.insert(address.clone(), bytes.to_vec());
        assert_eq!(parse(&parser, "book.yaml").is_valid(), is_valid);
    }
}

/// A syntax of lines with `key value`; `<path` stands for the lines of another source.
struct Lines;

impl Syntax for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn claims(&self, address: &Address, _: &str) -> bool {
        address.file_name().rsplit_once('.').is_some_and(|(_, kind)| kind == "lines")
    }

    fn read(&self, input: &mut Input<'_>) -> (Document, Vec<Diagnostic>) {
        let text = input.source.text().clone();
        let mut assembler = Assembler::new(input.source.id(), text.clone(), input.interner, input.options);
        let mut problems = Vec::new();
        let whole = Span { source: input.source.id(), start: 0, end: text.len() as u32 };
        assert!(assembler.open(Kind::Map, whole));
        for (start, line) in lines(&text) {
            let span = Span { source: whole.source, start, end: start + line.len() as u32 };
            let Some(path) = line.strip_prefix('<') else {
                entry(&mut assembler, line, span, None);
                continue;
            };
            match input.include(input.address, path) {
                Err(refusal) => problems.push(refusal.at(span)),
                Ok(other) => {
                    for (start, line) in lines(other.source.text()) {
                        let written = Span { source: other.source.id(), start, end: start + line.len() as u32 };
                        entry(&mut assembler, line, written, Some(span));
                    }
                }
            }
        }
        assembler.close();
        (assembler.finish(), problems)
    }
}

fn lines(text: &str) -> Vec<(u32, &str)> {
    text.lines().map(|line| ((line.as_ptr() as usize - text.as_ptr() as usize) as u32, line)).collect()
}

fn entry(assembler: &mut Assembler<'_>, line: &str, span: Span, used: Option<Span>) {
    let (key, value) = line.split_once(' ').unwrap();
    let middle = span.start + key.len() as u32;
    assembler.scalar(Kind::String, key, Origin { span: Span { end: middle, ..span }, used, provenance: None });
    assembler.scalar(Kind::Integer, value, Origin { span: Span { start: middle + 1, ..span }, used, provenance: None });
}

#[test]
fn another_syntax_makes_data_of_several_sources() {
    let memory = memory(&[("a.lines", "<b.lines\n"), ("b.lines", "kitchen 2\nkichen 3\n")]);
    let builder = Parser::builder(&KITCHEN).syntax(Arc::new(Lines)).provider(Arc::new(memory.clone()));
    let parser = builder.build().unwrap();
    let outcome = parse(&parser, "a.lines");
    let problem = outcome.diagnostics.last().unwrap();
    assert_eq!(problem.rule.code, rules::UNKNOWN_KEYNAME.code, "{:?}", messages(&outcome));
    let place = |span: Span| {
        let source = outcome.sources.get(span.source).unwrap();
        (source.name().to_owned(), source.text()[span.start as usize..span.end as usize].to_owned())
    };
    assert_eq!(place(problem.span).1, "kichen");
    let related: Vec<_> = problem.related.iter().map(|related| (place(related.span).1, &*related.message)).collect();
    assert_eq!(related, [("<b.lines".to_owned(), "used here")]);

    // The other dependencies of the document are checked again.
    let other = Address::parse("memory:b.lines").unwrap();
    memory.insert(other.clone(), b"kitchen 2\n".to_vec());
    assert_eq!(messages(&parse(&parser, "a.lines")), [""; 0]);
    memory.remove(&other);
    let outcome = parse(&parser, "a.lines");
    assert_eq!(outcome.diagnostics[0].rule.code, rules::NOT_FOUND.code, "{:?}", messages(&outcome));
}

/// A language in which a book and its imports form one unit.
static MERGED_KITCHEN: Language = Language {
    merging: Some(Merging { separator: "--", is_global: |name| name.starts_with("all.") }),
    ..kitchen::language("merged kitchen", most_derived)
};

#[test]
fn merged_units_share_their_names() {
    let pantry =
        "kitchen: 2\nstuffs: { flour: {}, all.salt: {} }\nrecipes: { bread: { ingredients: { flour: flour } } }\n";
    let check = |book: &str, other: &str| {
        let files = [("book.yaml", book), ("pantry.yaml", pantry), ("other.yaml", other)];
        let parser = Parser::builder(&MERGED_KITCHEN).provider(Arc::new(memory(&files))).build().unwrap();
        messages(&parse(&parser, "book.yaml")).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let recipe = |stuff: &str| format!("kitchen: 2\nrecipes: {{ soup: {{ ingredients: {{ it: \"{stuff}\" }} }} }}\n");
    let book = |imports: &str| format!("kitchen: 2\nimports: [ {imports} ]\nstuffs: {{ oil: {{}} }}\n");
    let both = book("pantry.yaml, other.yaml");
    assert_eq!(check(&both, &recipe("oil")), [""; 0]);
    assert_eq!(check(&both, &recipe("flour")), [""; 0]);
    assert_eq!(check(&both, &recipe("rice")), ["there is no stuff `rice`"]);
    // A prefix is part of the name, except for the units below it.
    let prefixed = book("{ book: pantry.yaml, prefix: p }, other.yaml");
    assert_eq!(check(&prefixed, &recipe("p--flour")), [""; 0]);
    assert_eq!(check(&prefixed, &recipe("all.salt")), [""; 0]);
    assert_eq!(check(&prefixed, &recipe("flour")), ["there is no stuff `flour`"]);
    let same = book("{ book: pantry.yaml, prefix: p }, { book: other.yaml, prefix: p }");
    assert_eq!(check(&same, &recipe("flour")), [""; 0]);
    assert_eq!(check(&same, &recipe("oil")), ["there is no stuff `oil`"]);
}

#[test]
fn templates_of_merged_units_are_rendered() {
    let recipes = "stuffs: { salt: {} }\nrecipes: { bread: { ingredients: { salt: salt } } }\n";
    let book = format!("kitchen: 2\nimports: [ other.yaml ]\n{recipes}");
    let other = "kitchen: 2\ndishes: { lunch: { recipe: bread } }\n";
    let files = [("book.yaml", &*book), ("other.yaml", other)];
    let parser = Parser::builder(&MERGED_KITCHEN).provider(Arc::new(memory(&files))).build().unwrap();
    assert_eq!(messages(&parse(&parser, "book.yaml")), ["dish `lunch` lacks `salt`"]);
}
