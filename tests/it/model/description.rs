//! Descriptions of serialized forms, read from the source: structs and enums with their fields, types and
//! documentation.

use syn::{Attribute, Expr, ExprLit, GenericArgument, Item, Lit, Meta, PathArguments, Type};

/// The description of a form.
pub(crate) struct Description {
    pub(crate) things: Vec<Thing>,
}

/// A struct or an enum.
pub(crate) struct Thing {
    pub(crate) name: String,
    /// The documentation, as Markdown.
    pub(crate) text: String,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

/// A field of a struct, or of a variant.
pub(crate) struct Field {
    /// The serialized key.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) of: Form,
    /// Whether the field may be omitted.
    pub(crate) is_optional: bool,
}

/// One of several alternatives.
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The value after the name, if the name is a key.
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Nothing,
    One(Form),
    Fields(Vec<Field>),
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// A string, number, boolean, struct or enum.
    Named(String),
    List(Box<Form>),
    Map(Box<Form>),
}

impl Description {
    /// Describes the normal model.
    pub(crate) fn of_model() -> Self {
        Self::of(&[
            include_str!("../../../src/normal/model/service.rs"),
            include_str!("../../../src/normal/model/property.rs"),
            include_str!("../../../src/normal/model/function.rs"),
            include_str!("../../../src/normal/model/node.rs"),
            include_str!("../../../src/normal/model/interface.rs"),
            include_str!("../../../src/normal/model/process.rs"),
            include_str!("../../../src/normal/model/substitution.rs"),
        ])
    }

    /// Describes the document of problems.
    pub(crate) fn of_problems() -> Self {
        Self::of(&[
            include_str!("../../../crates/engine/src/diagnostic/render/json.rs"),
            include_str!("../../../crates/engine/src/diagnostic/summary.rs"),
            include_str!("../../../crates/engine/src/diagnostic/mod.rs"),
        ])
    }

    fn of(sources: &[&str]) -> Self {
        let files = sources.iter().map(|source| syn::parse_file(source).unwrap());
        Self { things: files.flat_map(|file| file.items).filter_map(thing).collect() }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.name == name)
    }

    /// Returns all fields and variants, as `Thing.field`.
    pub(crate) fn fields(&self) -> Vec<String> {
        let mut all = Vec::new();
        for thing in &self.things {
            match &thing.body {
                Body::Struct(fields) => {
                    all.extend(fields.iter().map(|field| [&thing.name, ".", &field.name].concat()));
                }
                Body::Enum(variants) => {
                    for variant in variants {
                        let name = [&thing.name, ".", &variant.name].concat();
                        if let Content::Fields(fields) = &variant.content {
                            all.extend(fields.iter().map(|field| [&name, ".", &field.name].concat()));
                        }
                        all.push(name);
                    }
                }
            }
        }
        all
    }
}

fn thing(item: Item) -> Option<Thing> {
    match item {
        Item::Struct(item) if is_serialised(&item.attrs) => Some(Thing {
            name: item.ident.to_string(),
            text: text(&item.attrs),
            body: Body::Struct(fields(&item.fields)),
        }),
        Item::Enum(item) if is_serialised(&item.attrs) => {
            let rule = serde(&item.attrs, "rename_all");
            let variants = item.variants.iter().map(|variant| Variant {
                name: renamed(&variant.ident.to_string(), rule.as_deref()),
                text: text(&variant.attrs),
                content: match &variant.fields {
                    syn::Fields::Unit => Content::Nothing,
                    syn::Fields::Unnamed(fields) => Content::One(form(&fields.unnamed[0].ty)),
                    named @ syn::Fields::Named(_) => Content::Fields(self::fields(named)),
                },
            });
            let body = Body::Enum(variants.collect());
            Some(Thing { name: item.ident.to_string(), text: text(&item.attrs), body })
        }
        _ => None,
    }
}

fn fields(fields: &syn::Fields) -> Vec<Field> {
    let fields = fields.iter().map(|field| Field {
        name: serde(&field.attrs, "rename").unwrap_or_else(|| field.ident.as_ref().unwrap().to_string()),
        text: text(&field.attrs),
        of: form(&field.ty),
        is_optional: source_of(&field.attrs, "serde").contains("skip_serializing_if"),
    });
    fields.collect()
}

fn is_serialised(attributes: &[Attribute]) -> bool {
    source_of(attributes, "derive").contains("Serialize")
}

/// Returns the tokens of an attribute.
fn source_of(attributes: &[Attribute], name: &str) -> String {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    lists.filter_map(|attribute| Some(attribute.meta.require_list().ok()?.tokens.to_string())).collect()
}

/// Returns a string option of the serde attribute.
fn serde(attributes: &[Attribute], name: &str) -> Option<String> {
    let source = source_of(attributes, "serde");
    let (_, rest) = source.split_once(&[name, " = \""].concat())?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn renamed(name: &str, rule: Option<&str>) -> String {
    match rule {
        Some("lowercase") => name.to_lowercase(),
        Some("snake_case") => {
            let mut made = String::new();
            for character in name.chars() {
                if character.is_uppercase() && !made.is_empty() {
                    made.push('_');
                }
                made.extend(character.to_lowercase());
            }
            made
        }
        _ => name.to_owned(),
    }
}

/// Returns the documentation, without links that only exist in the source.
fn text(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &meta.value
        {
            text += line.value().trim();
            text.push('\n');
        }
    }
    text.trim().replace("[`", "`").replace("`]", "`")
}

fn form(of: &Type) -> Form {
    let Type::Path(of) = of else { return Form::Named("string".to_owned()) };
    let last = of.path.segments.last().unwrap();
    let argument = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(of) => Some(form(of)),
            _ => None,
        }),
        _ => None,
    };
    let name = last.ident.to_string();
    match (&*name, argument) {
        ("Option" | "Arc" | "Box", Some(inner)) => inner,
        ("Vec", Some(inner)) => Form::List(inner.into()),
        ("Map" | "OverlayMap", Some(inner)) => Form::Map(inner.into()),
        ("Types", _) => Form::List(Form::Named("TypeName".to_owned()).into()),
        ("Name" | "String" | "Cow" | "str", _) => Form::Named("string".to_owned()),
        ("u32" | "u64" | "usize", _) => Form::Named("integer".to_owned()),
        ("bool", _) => Form::Named("boolean".to_owned()),
        _ => Form::Named(name),
    }
}
