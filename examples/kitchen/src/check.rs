//! Checks that annotations can't express: small functions, each for one stage of an entity.

use tosca_parse::entity::{Checked, Checks, Id, LocalId, Text};
use tosca_parse::phase::read::{ImportRequest, Reader};
use tosca_parse::phase::rendering::{Assignment, RenderedEntity};
use tosca_parse::phase::{Context, DiagnosticExt as _};
use tosca_parse::rules;
use tosca_parse::source::ImportTarget;

use crate::functions;
use crate::grammar::{Dish, Import, Ingredient, Recipe};
use crate::problem;

impl Checked for Import {
    const CHECKS: Checks<Self> = Checks::NEW.import(request);
}

fn request(import: &Import, reader: &mut Reader<'_>, id: LocalId) -> Option<ImportRequest> {
    let text = |Text(position): Text| reader.document().node(position.node).text();
    let node = import.book?.0.node;
    let target = Some(ImportTarget::Url { url: text(import.book?).to_owned(), repository: None });
    let prefix = import.prefix.map(|prefix| reader.interner().intern(text(prefix)));
    Some(ImportRequest { entity: id, node, target, prefix, is_reference: false })
}

impl Checked for Recipe {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(has_ingredients);
}

fn has_ingredients(recipe: &Recipe, context: &mut Context<'_>, id: Id<Recipe>) {
    let id = id.any();
    if recipe.ingredients.is_empty() && context.is_complete(id) {
        let message = format!("{} has no ingredients", context.describe(id));
        let at = context.program.name_span(id);
        context.problem(&problem::NO_INGREDIENTS, at, message).help("add `ingredients: …`");
    }
}

impl Checked for Ingredient {
    const CHECKS: Checks<Self> = Checks::NEW.judge(judge);
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
    let grams = context.node(value).and_then(|value| functions::grams(context, value));
    let most = ingredient.grams.map(|most| i128::from(most.value.0));
    if grams.zip(most).is_some_and(|(grams, most)| grams > most) {
        let at = context.span(value);
        context.problem(&rules::WRONG_TYPE, at, format!("too much `{name}`")).help("take less");
    }
}

impl Checked for Dish {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(_: &Dish, context: &mut Context<'_>, id: Id<Dish>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<Dish>(&RenderedEntity::of(id, definition));
}
