//! The parts of the annotated struct that the macro needs.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Error, Expr, ExprLit, Fields, Ident, Lit, Meta, Result, Type};

use crate::attr::{EntityAttrs, FieldAttrs};

/// The struct.
pub(crate) struct Entity {
    pub(crate) ident: Ident,
    pub(crate) docs: String,
    pub(crate) attrs: EntityAttrs,
    pub(crate) fields: Vec<Field>,
}

/// A field without the option `skip`.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) docs: String,
    pub(crate) attrs: FieldAttrs,
}

impl Entity {
    /// Parses the input; combines several errors into one.
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new_spanned(&input.ident, "an entity must be a struct with named fields"));
        };
        let Fields::Named(named) = &data.fields else {
            return Err(Error::new_spanned(&input.ident, "an entity must be a struct with named fields"));
        };
        if let Some(parameter) = input.generics.params.first() {
            return Err(Error::new_spanned(parameter, "an entity can't have generic parameters"));
        }
        let mut errors = Errors::default();
        let attrs = errors.keep(EntityAttrs::parse(&input.attrs, input.ident.span())).unwrap_or_default();
        let mut fields = Vec::new();
        for field in &named.named {
            let Some(ident) = field.ident.clone() else { continue };
            let Some(attrs) = errors.keep(FieldAttrs::parse(&field.attrs)) else { continue };
            if attrs.skip {
                continue;
            }
            fields.push(Field { ident, ty: field.ty.clone(), docs: docs(&field.attrs), attrs });
        }
        errors.finish(Self { ident: input.ident.clone(), docs: docs(&input.attrs), attrs, fields })
    }

    pub(crate) fn span(&self) -> Span {
        self.ident.span()
    }
}

impl Field {
    /// Returns the name of the field's type without path and parameters, ignoring `Option`.
    pub(crate) fn type_name(&self) -> String {
        type_name(&self.ty).unwrap_or_default()
    }
}

fn type_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    if segment.ident == "Option"
        && let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
        && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
    {
        return type_name(inner);
    }
    Some(segment.ident.to_string())
}

/// Returns the text of the doc comment, without the space that usually starts each line.
pub(crate) fn docs(attrs: &[syn::Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    lines.map(|line| line.strip_prefix(' ').map_or(line.clone(), str::to_owned)).collect::<Vec<_>>().join("\n")
}

/// The errors found so far, which are reported together.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish<T>(self, value: T) -> Result<T> {
        match self.0 {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }
}
