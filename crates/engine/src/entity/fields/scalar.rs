//! Scalars: strings, booleans, and scalars that languages define.

use super::super::{Field, FieldDescription, Form, Inherit, NodeRef, Quirk, Shape, Shaped, downcast};
use super::List;
use crate::ard::{Kind as NodeKind, Node, Style};
use crate::diagnostic::Help;
use crate::phase::inheritance::{Completion, InheritedField, InheritingField};
use crate::phase::read::Reader;
use crate::rules;

/// A string. Only its position is stored; the value remains in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub NodeRef);

impl Shaped for Option<Text> {
    const SHAPE: Shape = Shape::Scalar("string", Form::String);
}

impl Field for Option<Text> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        if node.kind() == NodeKind::String {
            *self = Some(Text(reader.position(node)));
            if field.file {
                reader.record_file(node);
            }
            return;
        }
        let is_computed = reader.is_computed(node, field);
        if is_computed && reader.has(Quirk::COMPUTED_STRINGS) {
            *self = Some(Text(reader.position(node)));
            return;
        }
        let problem = reader.wrong_kind(node, &field.title(reader.version()), "a string");
        if is_computed {
            problem
                .help("write the value; only values of properties, attributes and parameters can be computed")
                .help(Quirk::COMPUTED_STRINGS.help());
        }
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let mut inherited = sources.iter().filter_map(|source| *downcast::<Self>(source.field)?);
        let Some(own) = *self else {
            *self = inherited.next();
            return;
        };
        let is_changed = |inherited: &Text| completion.text(own.0) != completion.text(inherited.0);
        if site.inherit == Inherit::Fixed
            && let Some(inherited) = inherited.find(is_changed)
        {
            completion.changed_fixed(site, own.0, inherited.0);
        }
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.iter().for_each(|text| visit(text.0));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }
}

/// A list of strings.
pub type Texts = List<Text>;

impl Shaped for Texts {
    const SHAPE: Shape = Shape::Scalar("list of strings", Form::List(&Form::String));
}

impl Field for Texts {
    fn is_set(&self) -> bool {
        self.is_given()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, field: &'static FieldDescription) {
        let items = reader.items(node, field);
        let text = |item: Node<'_>| {
            if item.kind() == NodeKind::String {
                return Some(Text(reader.position(item)));
            }
            reader.wrong_kind(item, &format!("an entry of {}", field.title(reader.version())), "a string");
            None
        };
        *self = items.into_iter().filter_map(text).collect();
    }

    fn inherit(&mut self, _: &mut Completion<'_>, _: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        overwrite(self, sources);
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.iter().for_each(|text| visit(text.0));
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }
}

/// A scalar with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The scalar.
    pub value: T,
    /// The position.
    pub position: NodeRef,
}

/// A type of scalars: how they are read, and which values may replace them in a refinement.
pub trait Scalar: Clone + PartialEq + Send + Sync + 'static {
    /// The term for a scalar of the type, with an article, for messages: `a boolean`.
    const WHAT: &'static str;

    /// The form of the scalars, as far as it can be described, for the JSON Schema.
    const FORM: Form = Form::Any;

    /// Reads a scalar and reports its problems; returns `None` if the scalar can't be used.
    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self>;

    /// Checks whether the scalar may replace `base` in a refinement that must stay within the refined value. `base` is
    /// `None` if no value was given. The error names the bound that is violated.
    fn within(&self, base: Option<&Self>, field: &FieldDescription) -> Result<(), String> {
        let _ = (base, field);
        Ok(())
    }
}

/// The storage for a located scalar in a field: inline, or boxed if it is large and rare.
pub trait LocatedScalar: Clone + Send + Sync + 'static {
    /// The scalar.
    type Scalar: Scalar;

    /// Stores a scalar with its position.
    fn of(located: Located<Self::Scalar>) -> Self;

    /// Returns the scalar with its position.
    fn located(&self) -> &Located<Self::Scalar>;
}

impl<T: Scalar> LocatedScalar for Located<T> {
    type Scalar = T;

    fn of(located: Located<T>) -> Self {
        located
    }

    fn located(&self) -> &Located<T> {
        self
    }
}

impl<T: Scalar> LocatedScalar for Box<Located<T>> {
    type Scalar = T;

    fn of(located: Located<T>) -> Self {
        Self::new(located)
    }

    fn located(&self) -> &Located<T> {
        self
    }
}

impl<G: LocatedScalar> Shaped for Option<G> {
    const SHAPE: Shape = Shape::Scalar(G::Scalar::WHAT, G::Scalar::FORM);
}

impl<G: LocatedScalar> Field for Option<G> {
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_>, _: &'static FieldDescription) {
        *self = G::Scalar::read(reader, node).map(|value| G::of(Located { value, position: reader.position(node) }));
    }

    fn inherit(&mut self, completion: &mut Completion<'_>, site: &InheritingField<'_>, sources: &[InheritedField<'_>]) {
        let mut inherited = sources.iter().filter_map(|source| downcast::<Self>(source.field)?.as_ref());
        let Some(own) = self.as_ref().map(G::located) else {
            *self = inherited.next().cloned();
            return;
        };
        match site.inherit {
            Inherit::Within => {
                for source in sources {
                    // Even if a source has no value, its default may count.
                    let Some(base) = downcast::<Self>(source.field) else { continue };
                    let base = base.as_ref().map(G::located);
                    if let Err(reason) = own.value.within(base.map(|base| &base.value), site.field) {
                        completion.breaks_contract(site, own.position, base.map(|base| base.position), source, &reason);
                        return;
                    }
                }
            }
            Inherit::Fixed => {
                if let Some(inherited) = inherited.map(G::located).find(|inherited| inherited.value != own.value) {
                    completion.changed_fixed(site, own.position, inherited.position);
                }
            }
            _ => {}
        }
    }

    fn copy_from(&mut self, other: &dyn Field) {
        copy(self, other);
    }

    fn visit_data(&self, visit: &mut dyn FnMut(NodeRef)) {
        self.iter().for_each(|scalar| visit(scalar.located().position));
    }
}

impl Scalar for bool {
    const WHAT: &'static str = "a boolean";
    const FORM: Form = Form::Boolean;

    fn read(reader: &mut Reader<'_>, node: Node<'_>) -> Option<Self> {
        if let Some(value) = node.as_bool() {
            if node.text() != "true" && node.text() != "false" {
                let message = format!("boolean `{}` is not spelled `true` or `false`", node.text());
                reader.problem(&rules::BOOLEAN_SPELLING, node, message).help(Help::write(value));
            }
            return Some(value);
        }
        let meant = match node.text().to_ascii_lowercase().as_str() {
            _ if node.kind() != NodeKind::String => None,
            "yes" | "on" => Some(true),
            "no" | "off" => Some(false),
            _ => None,
        };
        let is_put_up_with = reader.language().leniency.yaml_1_1_booleans.contains(reader.version());
        if let Some(value) = meant.filter(|_| is_put_up_with) {
            let message = format!("`{}` is a boolean only in YAML 1.1", node.text());
            reader.problem(&rules::BOOLEAN_SPELLING, node, message).help(Help::write(value));
            return Some(value);
        }
        let help = match meant {
            Some(value) if node.style() == Style::Plain => Some(Help::write(value)),
            _ if matches!(node.text(), "true" | "false") => Some(Help::unquote()),
            _ => None,
        };
        let problem = reader.wrong_kind(node, "the value", "`true` or `false`");
        if let Some(help) = help {
            problem.help(help);
        }
        None
    }

    /// Checks that a `true` remains `true`. The default in the field's description applies to an absent value.
    fn within(&self, base: Option<&Self>, field: &FieldDescription) -> Result<(), String> {
        let base = base.map_or(field.default == Some("true"), |base| *base);
        if base && !self { Err("a `true` must not become `false`".to_owned()) } else { Ok(()) }
    }
}

/// Takes the nearest inherited value if the field has no value.
pub(super) fn overwrite<F: Field + Clone>(own: &mut F, sources: &[InheritedField<'_>]) {
    if own.is_set() {
        return;
    }
    let mut inherited = sources.iter().filter_map(|source| downcast::<F>(source.field)).filter(|field| field.is_set());
    if let Some(inherited) = inherited.next() {
        *own = inherited.clone();
    }
}

/// Copies the value of `other` if the field has no value.
pub(super) fn copy<F: Field + Clone>(own: &mut F, other: &dyn Field) {
    if !own.is_set()
        && let Some(other) = downcast::<F>(other)
    {
        *own = other.clone();
    }
}
