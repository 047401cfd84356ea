//! Definitions of functions (2.0, 10.4).

use super::super::scalar::Metadata;
use super::super::section::FUNCTIONS;
use super::super::template::ServiceTemplate;
use super::{Implementation, SchemaDefinition};
use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{
    AnyId, Child, Children, Field, FieldDescription, Form, Given, Id, List, Position, Shape, Shaped, Text, downcast,
};
use crate::phase::inheritance::same_data;
use crate::phase::read::Reader;
use crate::phase::{Context, Explain};
use crate::rules;

/// A function that values can be computed with.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "function definition", spec = "10.4", after_inheritance = check)]
pub struct FunctionDefinition {
    /// The forms in which the function can be called; the first that fits is used.
    #[field(mandatory)]
    pub signatures: Signatures,
    /// What the function computes.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
}

/// A form in which a function can be called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "signature", spec = "10.4")]
pub struct Signature {
    /// What this form of the function is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
    /// What must be given, in order.
    pub arguments: Children<SchemaDefinition>,
    /// What may be given after that, in order.
    pub optional_arguments: Children<SchemaDefinition>,
    /// Whether the last argument may be repeated.
    #[field(default = "false")]
    pub variadic: Option<Given<bool>>,
    /// What the function gives back; anything if it is not given.
    pub result: Child<SchemaDefinition>,
    /// What computes it.
    pub implementation: Child<Implementation>,
}

/// The keyname `signatures`: a list in which an empty element leaves a signature as it is (2.0, 10.4).
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    /// The signatures; nothing where an element is empty.
    pub items: List<Option<Id<Signature>>>,
    list: Option<Position>,
}

impl Shaped for Signatures {
    const SHAPE: Shape = Shape::List(|| crate::entity::Described::description(&Signature::default()));
    const ALSO: Option<Form> = Some(Form::Null);
}

impl Field for Signatures {
    fn is_set(&self) -> bool {
        self.items.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        self.list = (node.kind() == Kind::List).then(|| reader.position(node));
        let items = reader.items(node, field).into_iter();
        let signature = |item: Node<'_>| {
            let is_empty = item.kind() == Kind::Null && !item.is_substitute();
            (!is_empty).then(|| reader.entity::<Signature>(None, item, None))
        };
        self.items = items.map(signature).collect();
    }

    fn copy_from(&mut self, other: &dyn Field) {
        if let Some(other) = downcast::<Self>(other) {
            self.clone_from(other);
        }
    }

    fn visit_children(&self, visit: &mut dyn FnMut(AnyId)) {
        self.items.iter().flatten().for_each(|id| visit(id.any()));
    }
}

impl FunctionDefinition {
    /// The definition outside the service template that one within it refines.
    pub fn refined(context: &Context<'_>, id: Id<Self>) -> Option<Id<Self>> {
        let owner = context.program.owners(id.any()).next()?;
        owner.cast::<ServiceTemplate>()?;
        context.resolve(id.any(), FUNCTIONS, context.header(id.any())?.name).id()?.cast()
    }

    /// The signatures with which a function can be called: those of what it refines, then its own further ones.
    pub fn all_signatures(context: &Context<'_>, id: Id<Self>) -> Vec<Id<Signature>> {
        let own = context.get(id).map_or(&[][..], |function| &function.signatures.items);
        let refined = Self::refined(context, id).and_then(|refined| context.get(refined));
        let refined = refined.map_or(&[][..], |function| &function.signatures.items);
        refined.iter().chain(own.iter().skip(refined.len())).copied().flatten().collect()
    }
}

fn check(function: &FunctionDefinition, context: &mut Context<'_>, id: Id<FunctionDefinition>) {
    let (own, id) = (id, id.any());
    let name = context.program.name(id);
    if let Some(built_in) = super::super::data::FUNCTIONS.iter().find(|built_in| built_in.name == name) {
        let at = context.program.name_span(id);
        if built_in.is_about_the_graph() {
            context
                .problem(&rules::RESERVED_NAME, at, format!("`{name}` is the name of a built-in function"))
                .help("give it another name");
        } else {
            // An example of the text does that (10.4).
            context
                .problem(&rules::EXTENDED_BUILT_IN, at, format!("`{name}` is the name of a built-in function, too"))
                .help("give it another name, so that nobody has to ask which of the two is called");
        }
    }
    if name.contains('$') {
        let at = context.program.name_span(id);
        context
            .problem(&rules::INVALID_NAME, at, format!("`{name}` has a `$` in it, so it can't be called"))
            .help(format!("call it `{}`", name.replace('$', "_").trim_matches('_')));
    }
    let refined = FunctionDefinition::refined(context, own).and_then(|refined| context.get(refined));
    if let Some(refined) = refined {
        check_refinement(function, context, refined);
    }
    let Some(list) = function.signatures.list.and_then(|list| context.node(list)) else { return };
    if list.is_empty() && refined.is_none() {
        let at = context.program.keyname_span(id, "signatures");
        context
            .problem(&rules::NO_SIGNATURES, at, format!("function `{name}` has no signature"))
            .help("add at least one; `- {}` is a function without arguments that gives back anything");
    }
    // An empty element stands for a signature that is defined already.
    let defined = refined.map_or(0, |refined| refined.signatures.items.len());
    let further = function.signatures.items.iter().zip(list.items()).skip(defined);
    for (_, item) in further.filter(|(signature, _)| signature.is_none()) {
        let message = format!("there is no signature of `{name}` that this empty one could leave as it is");
        context.problem(&rules::NULL_VALUE, Some(item.span()), message);
    }
}

/// Within a service, only the implementation of a signature can be changed, and signatures added (2.0, 10.4).
fn check_refinement(function: &FunctionDefinition, context: &mut Context<'_>, refined: &FunctionDefinition) {
    for pair in function.signatures.items.iter().zip(&refined.signatures.items) {
        let (Some(own), Some(refined)) = pair else { continue };
        let node = |id: Id<Signature>| {
            let header = context.header(id.any())?;
            context.node(Position { unit: id.unit, node: header.node })
        };
        let (Some(own), Some(refined)) = (node(*own), node(*refined)) else { continue };
        let changed = ["arguments", "optional_arguments", "variadic", "result"].into_iter().find_map(|keyname| {
            let own = own.find(keyname)?;
            let is_same = refined.find(keyname).is_some_and(|refined| same_data(own.value, refined.value));
            (!is_same).then_some(own.key)
        });
        if let Some(changed) = changed {
            let message = "of a signature that is defined already, only the implementation can be changed";
            context
                .problem(&rules::CHANGED_SIGNATURE, Some(changed.span()), message)
                .related(Some(refined.span()), "it is defined here")
                .help("leave everything but `implementation` out, or put new signatures after those that are defined");
        }
    }
}
