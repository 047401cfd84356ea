//! A small language about recipes on the public interface of `tosca-parse`: a template for custom languages.
//!
//! 1. What authors write is described by structs, one for each concept: see [`Book`], which is what a whole source is.
//!    The annotations of a field say which keyname it has, what it refers to, and how it is inherited.
//! 2. [`kinds!`](tosca_parse::kinds) numbers the structs, [`sections!`](tosca_parse::sections) the sections of names.
//! 3. A [`Language`] holds it together; what it does not say has a default.
//! 4. What annotations can't say is a small function that one of them names: [`Recipe`] checks itself, an [`Ingredient`]
//!    judges what it is given, a [`Dish`] is rendered.
//!
//! The binary `kitchen` is the command for it, with TOSCA as a second language.
//!
//! It has what TOSCA has not: types with several parents, and types that need each other to be complete.
//!
//! ```
//! use kitchen::KITCHEN;
//! use tosca_parse::{Entry, Parser};
//!
//! let parser = Parser::builder(&KITCHEN).build()?;
//! let book = "
//! kitchen: 2
//! stuffs: { flour: {}, salt: { most: 10 } }
//! recipes: { bread: { ingredients: { flour: flour, salt: salt } } }
//! dishes: { breakfast: { recipe: bred } }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("book.yaml")?, book));
//! assert_eq!(outcome.diagnostics[0].message, "there is no recipe `bred`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use tosca_parse::Entity;
use tosca_parse::ard::{Document, Kind as NodeKind, Node};
use tosca_parse::diagnostic::{Diagnostic, Explained};
use tosca_parse::entity::{
    Child, Children, Clauses, FieldDescription, Given, Id, Language, LanguageVersion, Leniency, Local, Members,
    Recognised, Recognition, Reference, References, Scalar, Text, Value, Values, VersionDescription, Versions,
};
use tosca_parse::phase::inheritance::{Contest, Winner, first_parent, most_derived};
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::rendering::{Application, Assignment};
use tosca_parse::phase::{Context, Explain as _};
use tosca_parse::rules;
use tosca_parse::source::ImportTarget;

/// The first version.
pub const V1: LanguageVersion = LanguageVersion(0);
/// The second version.
pub const V2: LanguageVersion = LanguageVersion(1);

tosca_parse::sections! {
    static SECTIONS;
    /// The names of stuffs.
    STUFFS = "stuff";
    /// The names of recipes.
    RECIPES = "recipe", shadows;
    /// The names of dishes.
    DISHES = "dish", local;
}

tosca_parse::kinds! {
    static KINDS = [Book, Import, Stuff, Recipe, Ingredient, Step, Side, Dish, ServedSide];
}

/// Where the most derived of several parents wins.
pub static KITCHEN: Language = language("kitchen", most_derived);

/// Where the parent that is named first wins.
pub static HASTY_KITCHEN: Language = language("hasty kitchen", first_parent);

/// Where no parent wins.
pub static PEDANTIC_KITCHEN: Language = language("pedantic kitchen", nobody);

/// What can be wrong in a kitchen besides what the engine finds by itself.
pub mod problem {
    tosca_parse::rule_table! {
        explained in "rules";
        DISPUTED = "K4001" "disputed" Error, "several parents differ, and none of them wins";
        NO_INGREDIENTS = "K4002" "no-ingredients" Error, "a recipe has no ingredients";
    }
}

/// What is told about rules.
static RULES: &[&[Explained]] = &[problem::EXPLAINED];

/// The language, but for what happens where parents differ.
pub const fn language(name: &'static str, winner: fn(&Contest<'_>) -> Winner) -> Language {
    Language {
        versions: &[VersionDescription { title: "kitchen 1" }, VersionDescription { title: "kitchen 2" }],
        sections: SECTIONS,
        leniency: Leniency {
            null_is_empty: Versions { since: V1, until: V1 },
            mixed: Versions { since: V1, until: V1 },
            yaml_1_1_booleans: Versions { since: V1, until: V1 },
            timestamp_tags: Versions { since: V1, until: V1 },
            ..Leniency::NONE
        },
        claims: |_, text| text.lines().any(|line| line.starts_with("kitchen:")),
        recognise,
        winner,
        rules: RULES,
        ..Language::new(name, KINDS)
    }
}

fn nobody(_: &Contest<'_>) -> Winner {
    Winner::Nobody(&problem::DISPUTED)
}

fn recognise(document: &Document, _: Recognition<'_>) -> Recognised {
    let version = document.root().and_then(|root| root.find("kitchen"));
    match version.map(|entry| (entry.value.text(), entry.value.span())) {
        Some(("1", _)) => Recognised::version(V1),
        Some(("2", _)) => Recognised::version(V2),
        Some((text, span)) => {
            let message = format!("there is no kitchen `{text}`");
            let problem = Diagnostic::new(&rules::UNKNOWN_VERSION, span, message).with_help("write `2`");
            Recognised::version(V2).with([problem])
        }
        None => Recognised::version(V2),
    }
}

/// A book of recipes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "book")]
pub struct Book {
    /// The version.
    #[field(mandatory)]
    pub kitchen: Option<Value>,
    /// Other books.
    pub imports: Children<Import>,
    /// What things are made of.
    #[field(section = STUFFS)]
    pub stuffs: Members<Stuff>,
    /// How things are made.
    #[field(section = RECIPES)]
    pub recipes: Members<Recipe>,
    /// What is eaten.
    #[field(section = DISHES)]
    pub dishes: Members<Dish>,
}

/// An import.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "import", import = request)]
pub struct Import {
    /// The address of the other book.
    #[field(mandatory, short(scalar))]
    pub book: Option<Text>,
    /// The prefix of its names.
    pub prefix: Option<Text>,
}

fn request(import: &Import, reader: &mut Reader<'_>, id: Local) -> Option<ImportRequest> {
    let text = |Text(position): Text| reader.document().node(position.node).text();
    let node = import.book?.0.node;
    let target = Some(ImportTarget::Url { url: text(import.book?).to_owned(), repository: None });
    let prefix = import.prefix.map(|prefix| reader.interner().intern(text(prefix)));
    Some(ImportRequest { entity: id, node, target, prefix, is_reference: false })
}

/// What things are made of.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stuff")]
pub struct Stuff {
    /// What it is a sort of.
    #[field(keyname = "like", parent, lookup(STUFFS))]
    pub parents: References<Stuff>,
    /// Where it is kept.
    #[field(inherit = fixed)]
    pub shelf: Option<Text>,
    /// What is to be known about it.
    #[field(inherit = overwrite)]
    pub note: Option<Text>,
    /// How much of it is too much.
    #[field(inherit = within)]
    pub most: Option<Given<Grams>>,
}

/// How a thing is made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "recipe", after_inheritance = check)]
pub struct Recipe {
    /// What it is a variation of.
    #[field(keyname = "like", parent, lookup(RECIPES))]
    pub parents: References<Recipe>,
    /// How long it takes.
    #[field(keyname("time", until = V1, tolerated), keyname("minutes", since = V2), inherit = overwrite)]
    pub minutes: Option<Value>,
    /// What must be thought of.
    #[field(inherit = accumulate)]
    pub warnings: Clauses,
    /// What goes into it.
    #[field(inherit = refine)]
    pub ingredients: Members<Ingredient>,
    /// What is done.
    #[field(inherit = extend)]
    pub steps: Members<Step>,
    /// What is served with it.
    #[field(inherit = refine)]
    pub sides: Members<Side>,
    /// The side for children.
    #[field(inherit = refine)]
    pub small_side: Child<Side>,
}

fn check(recipe: &Recipe, context: &mut Context<'_>, id: Id<Recipe>) {
    let id = id.any();
    if recipe.ingredients.is_empty() && context.is_complete(id) {
        let message = format!("{} has no ingredients", context.describe(id));
        let at = context.program.name_span(id);
        context.problem(&problem::NO_INGREDIENTS, at, message).help("add `ingredients: …`");
    }
}

/// What goes into a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "ingredient", judge = judge)]
pub struct Ingredient {
    /// What it is.
    #[field(lookup(STUFFS), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub stuff: Option<Reference<Stuff>>,
    /// How much of it there is at most.
    #[field(inherit = within)]
    pub grams: Option<Given<Grams>>,
    /// Whether the dish is the same without it.
    #[field(inherit = overwrite)]
    pub optional: Option<Given<bool>>,
}

fn judge(ingredient: &Ingredient, context: &mut Context<'_>, id: Id<Ingredient>, assignment: &Assignment) {
    let id = id.any();
    let name = context.program.name(id);
    let Some(value) = assignment.value else {
        if assignment.is_checked && ingredient.optional.is_none_or(|optional| !optional.value) {
            let at = context.program.name_span(assignment.owner);
            let message = format!("{} lacks `{name}`", context.describe(assignment.owner));
            context.problem(&rules::MISSING_VALUE, at, message).help(format!("add `{name}: …`"));
        }
        return;
    };
    let grams = context.node(value).and_then(Node::as_integer);
    let most = ingredient.grams.map(|most| i128::from(most.value.0));
    if grams.zip(most).is_some_and(|(grams, most)| grams > most) {
        let at = context.span(value);
        context.problem(&rules::WRONG_TYPE, at, format!("too much `{name}`")).help("take less");
    }
}

/// A weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grams(pub u32);

impl Scalar for Grams {
    const WHAT: &'static str = "weight";

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        let grams = node.as_integer().filter(|_| node.kind() == NodeKind::Integer);
        let grams = grams.and_then(|grams| u32::try_from(grams).ok());
        if grams.is_none() {
            reader.wrong_kind(node, "a weight", "a number of grams").help("write a number such as `20`");
        }
        grams.map(Self)
    }

    fn within(&self, base: Option<&Self>, _: &FieldDescription) -> Result<(), String> {
        match base {
            Some(base) if self.0 > base.0 => Err(format!("{} is more than {}", self.0, base.0)),
            _ => Ok(()),
        }
    }
}

/// What is done.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "step")]
pub struct Step {
    /// What is done.
    #[field(mandatory, short(scalar))]
    pub text: Option<Text>,
}

/// What is served with a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side")]
pub struct Side {
    /// How it is made.
    #[field(definition, lookup(RECIPES), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub recipe: Option<Reference<Recipe>>,
    /// What goes into it.
    #[field(inherit = refine, closed)]
    pub ingredients: Members<Ingredient>,
}

/// What is eaten.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "dish", render = render)]
pub struct Dish {
    /// How it is made.
    #[field(definition, lookup(RECIPES))]
    pub recipe: Option<Reference<Recipe>>,
    /// The dish that it is the same as, but for what is given here.
    #[field(copy, lookup(DISHES))]
    pub same_as: Option<Reference<Dish>>,
    /// How much goes into it.
    #[field(assigns(title = "ingredient"))]
    pub ingredients: Values,
    /// How much goes into what is served with it.
    #[field(assigns)]
    pub sides: Members<ServedSide>,
}

fn render(_: &Dish, context: &mut Context<'_>, id: Id<Dish>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<Dish>(&Application::of(id, definition));
}

/// What is served with a dish.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side assignment")]
pub struct ServedSide {
    /// How much goes into it.
    #[field(assigns(title = "ingredient"))]
    pub ingredients: Values,
}
