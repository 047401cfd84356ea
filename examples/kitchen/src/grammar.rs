//! The grammar: one struct per concept. Checks are in `check`; nothing here depends on them.

use tosca_parse::Entity;
use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::entity::{
    Child, Children, Clauses, FieldDescription, Given, LanguageVersion, Members, Reference, References, Scalar, Text,
    Value, Values,
};
use tosca_parse::phase::read::Reader;

use crate::problem::{ROW_WITHOUT_SHELF, TEXT_XOR_VIDEO, TWO_AMOUNTS};

/// The first version.
pub const V1: LanguageVersion = LanguageVersion(0);
/// The second version.
pub const V2: LanguageVersion = LanguageVersion(1);

tosca_parse::sections! {
    pub(crate) static SECTIONS;
    /// The names of stuffs.
    STUFFS = "stuff";
    /// The names of recipes.
    RECIPES = "recipe", shadows;
    /// The names of dishes.
    DISHES = "dish", local;
}

tosca_parse::kinds! {
    pub(crate) static KINDS = [Book, Import, Stuff, Recipe, Ingredient, Step, Side, Dish, ServedSide];
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
#[entity(title = "import")]
pub struct Import {
    /// The address of the other book.
    #[field(mandatory, short(scalar))]
    pub book: Option<Text>,
    /// The prefix of its names.
    pub prefix: Option<Text>,
}

/// What things are made of.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stuff", needs(row, shelf, rule = ROW_WITHOUT_SHELF))]
pub struct Stuff {
    /// What it is a sort of.
    #[field(keyname = "like", parent, lookup(STUFFS))]
    pub parents: References<Stuff>,
    /// Where it is kept.
    #[field(inherit = fixed)]
    pub shelf: Option<Text>,
    /// The row on the shelf.
    pub row: Option<Value>,
    /// What is to be known about it.
    #[field(inherit = overwrite)]
    pub note: Option<Text>,
    /// How much of it is too much.
    #[field(inherit = within)]
    pub most: Option<Given<Grams>>,
}

/// How a thing is made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "recipe")]
pub struct Recipe {
    /// What it is a variation of.
    #[field(keyname = "like", parent, lookup(RECIPES))]
    pub parents: References<Recipe>,
    /// How long it takes.
    #[field(keyname("time", until = V1, tolerated), keyname("minutes", since = V2), inherit = overwrite, value)]
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

/// What goes into a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "ingredient", at_most_one(spoons, grams, inherited, rule = TWO_AMOUNTS))]
pub struct Ingredient {
    /// What it is.
    #[field(lookup(STUFFS), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub stuff: Option<Reference<Stuff>>,
    /// How much of it there is at most.
    #[field(inherit = within)]
    pub grams: Option<Given<Grams>>,
    /// The maximum number of spoons.
    #[field(inherit = overwrite, value)]
    pub spoons: Option<Value>,
    /// Whether the dish is the same without it.
    #[field(inherit = overwrite)]
    pub optional: Option<Given<bool>>,
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
#[entity(title = "step", one_of(text, video, rule = TEXT_XOR_VIDEO))]
pub struct Step {
    /// What is done.
    #[field(short(scalar))]
    pub text: Option<Text>,
    /// The address of a video that shows it.
    pub video: Option<Text>,
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
#[entity(title = "dish")]
pub struct Dish {
    /// How it is made.
    #[field(definition, lookup(RECIPES))]
    pub recipe: Option<Reference<Recipe>>,
    /// The dish that it is the same as, but for what is given here.
    #[field(copy, lookup(DISHES))]
    pub same_as: Option<Reference<Dish>>,
    /// How much goes into it.
    #[field(assigns(title = "ingredient"), value)]
    pub ingredients: Values,
    /// How much goes into what is served with it.
    #[field(assigns)]
    pub sides: Members<ServedSide>,
}

/// What is served with a dish.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side assignment")]
pub struct ServedSide {
    /// How much goes into it.
    #[field(assigns(title = "ingredient"), value)]
    pub ingredients: Values,
}
