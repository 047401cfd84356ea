//! A small language about recipes. It has what TOSCA has not: types with several parents, and types that need each
//! other to be complete.

use tosca_parse::Entity;
use tosca_parse::ard::{Document, Kind as NodeKind, Node};
use tosca_parse::diagnostic::{Diagnostic, Level, Rule};
use tosca_parse::entity::{
    AnyId, Child, Children, Clauses, Entity as _, FieldDescription, Given, Language, LanguageVersion, Local, Members,
    NotRecognised, Quirks, Reference, References, Scalar, Text, Value, Values, VersionDescription, Versions,
};
use tosca_parse::phase::inheritance::{Contest, Winner, first_parent, most_derived};
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::rendering::{Application, Assignment};
use tosca_parse::phase::{Context, Explain as _};
use tosca_parse::rules;
use tosca_parse::source::ImportTarget;

/// The first version.
pub(crate) const V1: LanguageVersion = LanguageVersion(0);
/// The second version.
pub(crate) const V2: LanguageVersion = LanguageVersion(1);

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
pub(crate) static KITCHEN: Language = language("kitchen", most_derived);

/// Where the parent that is named first wins.
pub(crate) static HASTY_KITCHEN: Language = language("hasty kitchen", first_parent);

/// Where no parent wins.
pub(crate) static PEDANTIC_KITCHEN: Language = language("pedantic kitchen", nobody);

/// The problem of heirs in the pedantic kitchen.
pub(crate) static DISPUTED: Rule = rule("K4001", "disputed", "parents differ");

/// A check that a recipe makes of itself.
static NO_INGREDIENTS: Rule = rule("K4002", "no-ingredients", "a recipe has no ingredients");

const fn rule(code: &'static str, name: &'static str, summary: &'static str) -> Rule {
    Rule { code, name, level: Level::Error, summary, text: "" }
}

/// The language, but for what happens where parents differ.
pub(crate) const fn language(name: &'static str, winner: fn(&Contest<'_>) -> Winner) -> Language {
    Language {
        name,
        versions: &[VersionDescription { title: "kitchen 1" }, VersionDescription { title: "kitchen 2" }],
        kinds: KINDS,
        sections: SECTIONS,
        root: Book::KIND,
        services: &[],
        null_is_empty: Versions { since: V1, until: V1 },
        mixed: Versions { since: V1, until: V1 },
        import_loops: Versions { since: V2, until: V2 },
        yaml_1_1_booleans: Versions { since: V1, until: V1 },
        timestamp_tags: Versions { since: V1, until: V1 },
        recognise,
        member_name: |_, _, _| None,
        profiles: &[],
        implicit: |_| &[],
        winner,
    }
}

fn nobody(_: &Contest<'_>) -> Winner {
    Winner::Nobody(&DISPUTED)
}

fn recognise(document: &Document, _: Quirks) -> Result<LanguageVersion, NotRecognised> {
    let version = document.root().and_then(|root| root.find("kitchen"));
    match version.map(|entry| (entry.value.text(), entry.value.span())) {
        Some(("1", _)) => Ok(V1),
        Some(("2", _)) => Ok(V2),
        Some((text, span)) => {
            let message = format!("there is no kitchen `{text}`");
            let problem = Diagnostic::new(&rules::UNKNOWN_VERSION, span, message).with_help("write `2`");
            Err(NotRecognised { diagnostics: vec![problem], guess: V2 })
        }
        None => Err(NotRecognised { diagnostics: Vec::new(), guess: V2 }),
    }
}

/// A book of recipes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "book")]
pub(crate) struct Book {
    /// The version.
    #[field(mandatory)]
    pub(crate) kitchen: Option<Value>,
    /// Other books.
    pub(crate) imports: Children<Import>,
    /// What things are made of.
    #[field(section = STUFFS)]
    pub(crate) stuffs: Members<Stuff>,
    /// How things are made.
    #[field(section = RECIPES)]
    pub(crate) recipes: Members<Recipe>,
    /// What is eaten.
    #[field(section = DISHES)]
    pub(crate) dishes: Members<Dish>,
}

/// An import.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "import", import = request)]
pub(crate) struct Import {
    /// The address of the other book.
    #[field(mandatory, short(scalar))]
    pub(crate) book: Option<Text>,
    /// The prefix of its names.
    pub(crate) prefix: Option<Text>,
}

fn request(import: &Import, reader: &mut Reader<'_>, id: Local) -> Option<ImportRequest> {
    let text = |Text(position): Text| reader.document().node(position.node).text();
    let node = import.book?.0.node;
    let target = Some(ImportTarget::Url { url: text(import.book?).to_owned(), repository: None });
    let prefix = import.prefix.map(|prefix| reader.interner().intern(text(prefix)));
    Some(ImportRequest { entity: id, node, target, prefix })
}

/// What things are made of.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stuff")]
pub(crate) struct Stuff {
    /// What it is a sort of.
    #[field(keyname = "like", parent, lookup(STUFFS))]
    pub(crate) parents: References<Stuff>,
    /// Where it is kept.
    #[field(inherit = fixed)]
    pub(crate) shelf: Option<Text>,
    /// What is to be known about it.
    #[field(inherit = overwrite)]
    pub(crate) note: Option<Text>,
    /// How much of it is too much.
    #[field(inherit = within)]
    pub(crate) most: Option<Given<Grams>>,
}

/// How a thing is made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "recipe", after_inheritance = check)]
pub(crate) struct Recipe {
    /// What it is a variation of.
    #[field(keyname = "like", parent, lookup(RECIPES))]
    pub(crate) parents: References<Recipe>,
    /// How long it takes.
    #[field(keyname("time", until = V1, tolerated), keyname("minutes", since = V2), inherit = overwrite)]
    pub(crate) minutes: Option<Value>,
    /// What must be thought of.
    #[field(inherit = accumulate)]
    pub(crate) warnings: Clauses,
    /// What goes into it.
    #[field(inherit = refine)]
    pub(crate) ingredients: Members<Ingredient>,
    /// What is done.
    #[field(inherit = extend)]
    pub(crate) steps: Members<Step>,
    /// What is served with it.
    #[field(inherit = refine)]
    pub(crate) sides: Members<Side>,
    /// The side for children.
    #[field(inherit = refine)]
    pub(crate) small_side: Child<Side>,
}

fn check(recipe: &Recipe, context: &mut Context<'_>, id: AnyId) {
    if recipe.ingredients.is_empty() && context.is_complete(id) {
        let message = format!("{} has no ingredients", context.describe(id));
        let at = context.program.name_span(id);
        context.problem(&NO_INGREDIENTS, at, message).help("add `ingredients: …`");
    }
}

/// What goes into a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "ingredient", judge = judge)]
pub(crate) struct Ingredient {
    /// What it is.
    #[field(lookup(STUFFS), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub(crate) stuff: Option<Reference<Stuff>>,
    /// How much of it there is at most.
    #[field(inherit = within)]
    pub(crate) grams: Option<Given<Grams>>,
    /// Whether the dish is the same without it.
    #[field(inherit = overwrite)]
    pub(crate) optional: Option<Given<bool>>,
}

fn judge(ingredient: &Ingredient, context: &mut Context<'_>, id: AnyId, assignment: &Assignment) {
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
pub(crate) struct Grams(pub(crate) u32);

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
pub(crate) struct Step {
    /// What is done.
    #[field(mandatory, short(scalar))]
    pub(crate) text: Option<Text>,
}

/// What is served with a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side")]
pub(crate) struct Side {
    /// How it is made.
    #[field(definition, lookup(RECIPES), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub(crate) recipe: Option<Reference<Recipe>>,
    /// What goes into it.
    #[field(inherit = refine, closed)]
    pub(crate) ingredients: Members<Ingredient>,
}

/// What is eaten.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "dish", render = render)]
pub(crate) struct Dish {
    /// How it is made.
    #[field(definition, lookup(RECIPES))]
    pub(crate) recipe: Option<Reference<Recipe>>,
    /// The dish that it is the same as, but for what is given here.
    #[field(copy, lookup(DISHES))]
    pub(crate) same_as: Option<Reference<Dish>>,
    /// How much goes into it.
    #[field(assigns(title = "ingredient"))]
    pub(crate) ingredients: Values,
    /// How much goes into what is served with it.
    #[field(assigns)]
    pub(crate) sides: Members<ServedSide>,
}

fn render(_: &Dish, context: &mut Context<'_>, id: AnyId) {
    let definition = context.definition(id);
    context.apply::<Dish>(&Application { assigning: Some(id), definition, template: id, is_checked: true });
}

/// What is served with a dish.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side assignment")]
pub(crate) struct ServedSide {
    /// How much goes into it.
    #[field(assigns(title = "ingredient"))]
    pub(crate) ingredients: Values,
}
