//! The grammar: one struct per concept. Checks are in `check`; nothing here depends on them.

use tosca_parse::Entity;
use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::entity::{
    Child, Children, Clauses, FieldDescription, LanguageVersion, Located, Members, Reference, References, Scalar, Text,
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
    /// The stuffs.
    #[field(section = STUFFS)]
    pub stuffs: Members<Stuff>,
    /// The recipes.
    #[field(section = RECIPES)]
    pub recipes: Members<Recipe>,
    /// The dishes.
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

/// A food from which dishes are made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "stuff", needs(row, shelf, rule = ROW_WITHOUT_SHELF))]
pub struct Stuff {
    /// The more general foods of which it is a kind.
    #[field(keyname = "like", parent, lookup(STUFFS))]
    pub parents: References<Stuff>,
    /// The shelf on which it is kept.
    #[field(inherit = fixed)]
    pub shelf: Option<Text>,
    /// The row on the shelf.
    pub row: Option<Value>,
    /// A note for cooks.
    #[field(inherit = overwrite)]
    pub note: Option<Text>,
    /// The maximum amount.
    #[field(inherit = within)]
    pub most: Option<Located<Grams>>,
}

/// A recipe.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "recipe")]
pub struct Recipe {
    /// The recipes that it varies.
    #[field(keyname = "like", parent, lookup(RECIPES))]
    pub parents: References<Recipe>,
    /// The duration in minutes.
    #[field(keyname("time", until = V1, tolerated), keyname("minutes", since = V2), inherit = overwrite, value)]
    pub minutes: Option<Value>,
    /// Warnings for cooks.
    #[field(inherit = accumulate)]
    pub warnings: Clauses,
    /// The ingredients.
    #[field(inherit = refine)]
    pub ingredients: Members<Ingredient>,
    /// The steps.
    #[field(inherit = extend)]
    pub steps: Members<Step>,
    /// The side dishes.
    #[field(inherit = refine)]
    pub sides: Members<Side>,
    /// The side for children.
    #[field(inherit = refine)]
    pub small_side: Child<Side>,
}

/// An ingredient of a recipe.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "ingredient", at_most_one(spoons, grams, inherited, rule = TWO_AMOUNTS))]
pub struct Ingredient {
    /// The stuff.
    #[field(lookup(STUFFS), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub stuff: Option<Reference<Stuff>>,
    /// The maximum amount in grams.
    #[field(inherit = within)]
    pub grams: Option<Located<Grams>>,
    /// The maximum number of spoons.
    #[field(inherit = overwrite, value)]
    pub spoons: Option<Value>,
    /// Whether the dish is the same without it.
    #[field(inherit = overwrite)]
    pub optional: Option<Located<bool>>,
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

/// A step of a recipe.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "step", one_of(text, video, rule = TEXT_XOR_VIDEO))]
pub struct Step {
    /// The instructions.
    #[field(short(scalar))]
    pub text: Option<Text>,
    /// The address of a video that shows it.
    pub video: Option<Text>,
}

/// A side dish of a recipe.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side")]
pub struct Side {
    /// The recipe.
    #[field(definition, lookup(RECIPES), mandatory(inheritable), short(scalar), inherit = narrow)]
    pub recipe: Option<Reference<Recipe>>,
    /// The ingredients.
    #[field(inherit = refine, closed)]
    pub ingredients: Members<Ingredient>,
}

/// A dish.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "dish")]
pub struct Dish {
    /// The recipe.
    #[field(definition, lookup(RECIPES))]
    pub recipe: Option<Reference<Recipe>>,
    /// The dish that supplies everything that is not given here.
    #[field(copy, lookup(DISHES))]
    pub same_as: Option<Reference<Dish>>,
    /// The amounts of the ingredients.
    #[field(assigns(title = "ingredient"), value)]
    pub ingredients: Values,
    /// The amounts in the side dishes.
    #[field(assigns)]
    pub sides: Members<ServedSide>,
}

/// A side dish of a dish.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "side assignment")]
pub struct ServedSide {
    /// The amounts of the ingredients.
    #[field(assigns(title = "ingredient"), value)]
    pub ingredients: Values,
}
