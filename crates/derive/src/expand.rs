//! The generated code. All paths are absolute, so that the code compiles in any module.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Expr;
use syn::ext::IdentExt;
use syn::parse::Parser;

use crate::ast::{Entity, Field};
use crate::attr::{Assigns, Keyname, Lookup, Mandatory, ReadAs, Relation};
use crate::valid::TYPES;

/// Generates the implementation of `Described`.
pub(crate) fn expand(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let name = ident.to_string();
    let (title, spec, docs) = (&entity.attrs.title, &entity.attrs.spec, &entity.docs);
    let tuple = entity.attrs.tuple;
    let descriptions = entity.fields.iter().map(|field| description(field, tuple));
    let count = entity.fields.len();
    let shared = entity.fields.iter().enumerate().map(|(index, field)| {
        let (pattern, ident) = (arm(index, count), &field.ident);
        quote!(#pattern => &self.#ident,)
    });
    let exclusive = entity.fields.iter().enumerate().map(|(index, field)| {
        let (pattern, ident) = (arm(index, count), &field.ident);
        quote!(#pattern => &mut self.#ident,)
    });
    let relations = entity.attrs.relations.iter().map(|of| relation(of, entity));
    let assertions = entity.fields.iter().flat_map(assertions);
    quote! {
        #[automatically_derived]
        impl ::tosca_parse::entity::Described for #ident {
            fn description(&self) -> &'static ::tosca_parse::entity::EntityDescription {
                static FIELDS: [::tosca_parse::entity::FieldDescription; #count] = [#(#descriptions),*];
                static DESCRIPTION: ::tosca_parse::entity::EntityDescription = ::tosca_parse::entity::EntityDescription {
                    name: #name,
                    title: #title,
                    docs: #docs,
                    spec: #spec,
                    fields: &FIELDS,
                    tuple: #tuple,
                    relations: &[#(#relations),*],
                };
                &DESCRIPTION
            }

            fn field(&self, index: usize) -> &dyn ::tosca_parse::entity::Field {
                match index { #(#shared)* }
            }

            fn field_mut(&mut self, index: usize) -> &mut dyn ::tosca_parse::entity::Field {
                match index { #(#exclusive)* }
            }
        }

        #(#assertions)*
    }
}

/// Returns assertions for a field whose type may be an alias. With them, the compiler checks that the options suit the
/// shape of the type.
fn assertions(field: &Field) -> Vec<TokenStream> {
    if TYPES.contains(&field.type_name().as_str()) {
        return Vec::new();
    }
    let (ty, attrs) = (&field.ty, &field.attrs);
    let named = "Named(_) | Sequence(_)";
    let inherit = attrs.inherit.as_ref().map(ToString::to_string).unwrap_or_default();
    let of_rule = match inherit.as_str() {
        "narrow" => Some("Reference | References"),
        "refine" => Some("Named(_) | Sequence(_) | One(_)"),
        "replace" | "extend" => Some(named),
        "within" => Some("Scalar(..)"),
        _ => None,
    };
    let needed = [
        ("sequenced".to_owned(), attrs.sequenced.map(|_| named)),
        ("section".to_owned(), attrs.section.as_ref().map(|_| named)),
        ("list_too".to_owned(), attrs.list_too.as_ref().map(|_| named)),
        ("list_keys".to_owned(), attrs.list_keys.map(|_| "Sequence(_)")),
        ("read_as".to_owned(), attrs.read_as.as_ref().map(|_| "Value")),
        ("value".to_owned(), attrs.value.as_ref().map(|_| "Value | Values")),
        ("argument".to_owned(), attrs.argument.as_ref().map(|_| "Value")),
        ("file".to_owned(), attrs.file.map(|_| "Scalar(..)")),
        ("scoped".to_owned(), attrs.scoped.map(|_| "Named(_)")),
        ("closed".to_owned(), attrs.closed.as_ref().map(|_| named)),
        ("assigns".to_owned(), attrs.assigns.as_ref().map(|_| "Named(_) | Sequence(_) | Values")),
        (format!("inherit = {inherit}"), of_rule),
    ];
    let assertion = |(what, shapes): (String, Option<&str>)| {
        let shapes: Vec<syn::Pat> = shapes?.split(" | ").filter_map(|shape| pattern(shape).ok()).collect();
        let message = format!("`{what}` does not apply to the type of the field `{}`", field.ident);
        Some(quote! {
            const _: () = ::core::assert!(
                ::core::matches!(<#ty as ::tosca_parse::entity::Shaped>::SHAPE, #(#shapes)|*),
                #message
            );
        })
    };
    needed.into_iter().filter_map(assertion).collect()
}

/// Parses a shape as a pattern.
fn pattern(shape: &str) -> syn::Result<syn::Pat> {
    syn::Pat::parse_single.parse_str(&format!("::tosca_parse::entity::Shape::{shape}"))
}

/// Returns the match arm for a field index. The arm for the last field is `_`, so that the match needs no panicking arm
/// for other indexes.
fn arm(index: usize, count: usize) -> TokenStream {
    if index + 1 == count { quote!(_) } else { quote!(#index) }
}

fn description(field: &Field, in_tuple: bool) -> TokenStream {
    let ident = field.ident.unraw().to_string();
    let (ty, docs, attrs) = (&field.ty, &field.docs, &field.attrs);
    let keynames: Vec<TokenStream> = if attrs.keynames.is_empty() {
        vec![keyname(&attrs.own, if in_tuple { "" } else { &ident })]
    } else {
        attrs.keynames.iter().map(|given| keyname(given, &ident)).collect()
    };
    let mandatory = option(attrs.mandatory.as_ref().map(mandatory));
    let default = option(attrs.default.as_ref().map(|text| quote!(#text)));
    let has_short = |which: &str| attrs.short.iter().any(|short| short == which);
    let (scalar, list, map) = (has_short("scalar"), has_short("list"), has_short("map"));
    let members_short = option(attrs.members_short.as_ref().map(|field| quote!(#field)));
    let (early, sequenced) = (attrs.early, attrs.sequenced.is_some());
    let section = option(attrs.section.as_ref().map(|section| quote!(#section)));
    let lookup = option(attrs.lookup.as_ref().map(lookup));
    let role = variant(attrs.role.as_ref().map_or("none".to_owned(), ToString::to_string).as_str());
    let inherit = option(attrs.inherit.as_ref().map(|rule| {
        let rule = variant(&rule.to_string());
        quote!(::tosca_parse::entity::Inherit::#rule)
    }));
    let map_too = option(attrs.map_too.as_ref().map(|map| versions(map.since.as_ref(), map.until.as_ref())));
    let list_too = option(attrs.list_too.as_ref().map(|list| versions(list.since.as_ref(), list.until.as_ref())));
    let list_keys = attrs.list_keys.is_some();
    let read_as = option(attrs.read_as.as_ref().map(read_as));
    let one_too = option(attrs.one_too.as_ref().map(|one| versions(one.since.as_ref(), one.until.as_ref())));
    let closed = option(attrs.closed.as_ref().map(|closed| versions(closed.since.as_ref(), closed.until.as_ref())));
    let value = option(attrs.value.as_ref().map(|value| versions(value.since.as_ref(), value.until.as_ref())));
    let argument = option(attrs.argument.as_ref().map(|(_, parameter)| quote!(#parameter)));
    let (scoped, file) = (attrs.scoped.is_some(), attrs.file.is_some());
    let assigns = option(attrs.assigns.as_ref().map(assigns));
    quote! {
        ::tosca_parse::entity::FieldDescription {
            ident: #ident,
            docs: #docs,
            keynames: &[#(#keynames),*],
            shape: <#ty as ::tosca_parse::entity::Shaped>::SHAPE,
            also: <#ty as ::tosca_parse::entity::Shaped>::ALSO,
            nullable: <#ty as ::tosca_parse::entity::Shaped>::NULLABLE,
            mandatory: #mandatory,
            default: #default,
            short: ::tosca_parse::entity::ShortForms { scalar: #scalar, list: #list, map: #map },
            members_short: #members_short,
            early: #early,
            sequenced: #sequenced,
            section: #section,
            scoped: #scoped,
            lookup: #lookup,
            role: ::tosca_parse::entity::Role::#role,
            inherit: #inherit,
            map_too: #map_too,
            list_too: #list_too,
            list_keys: #list_keys,
            one_too: #one_too,
            read_as: #read_as,
            closed: #closed,
            assigns: #assigns,
            value: #value,
            argument: #argument,
            file: #file,
        }
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    if let Some(value) = value {
        quote!(::core::option::Option::Some(#value))
    } else {
        quote!(::core::option::Option::None)
    }
}

fn keyname(keyname: &Keyname, ident: &str) -> TokenStream {
    let name = keyname.name.as_ref().map_or_else(|| ident.to_owned(), syn::LitStr::value);
    let versions = versions(keyname.since.as_ref(), keyname.until.as_ref());
    let tolerated = option(keyname.tolerated.as_ref().map(|tolerated| self::versions(None, tolerated.until.as_ref())));
    quote!(::tosca_parse::entity::Keyname { name: #name, versions: #versions, tolerated: #tolerated })
}

pub(crate) fn versions(since: Option<&Expr>, until: Option<&Expr>) -> TokenStream {
    let since = since.map_or_else(|| quote!(::tosca_parse::entity::LanguageVersion::FIRST), |version| quote!(#version));
    let until = until.map_or_else(|| quote!(::tosca_parse::entity::LanguageVersion::LAST), |version| quote!(#version));
    quote!(::tosca_parse::entity::Versions { since: #since, until: #until })
}

fn mandatory(mandatory: &Mandatory) -> TokenStream {
    let versions = versions(mandatory.since.as_ref(), mandatory.until.as_ref());
    let inheritable = mandatory.inheritable;
    quote!(::tosca_parse::entity::Mandatory { versions: #versions, inheritable: #inheritable })
}

fn read_as(read_as: &ReadAs) -> TokenStream {
    let entity = &read_as.entity;
    let versions = versions(read_as.since.as_ref(), read_as.until.as_ref());
    quote! {
        ::tosca_parse::entity::ReadAs {
            versions: #versions,
            entity: || {
                ::tosca_parse::entity::Described::description(&<#entity as ::core::default::Default>::default())
            },
            read: |reader, node| {
                reader.entity::<#entity>(::core::option::Option::None, node, ::core::option::Option::None);
            },
        }
    }
}

fn relation(relation: &Relation, entity: &Entity) -> TokenStream {
    let kind = variant(&relation.kind.to_string());
    let indices = relation.fields.iter().filter_map(|name| entity.fields.iter().position(|field| field.ident == *name));
    let versions = versions(relation.since.as_ref(), relation.until.as_ref());
    let (inherited, rule) = (relation.inherited, &relation.rule);
    let help = option(relation.help.as_ref().map(|help| quote!(#help)));
    quote! {
        ::tosca_parse::entity::Relation {
            kind: ::tosca_parse::entity::RelationKind::#kind,
            fields: &[#(#indices),*],
            versions: #versions,
            inherited: #inherited,
            rule: &#rule,
            help: #help,
        }
    }
}

fn lookup(lookup: &Lookup) -> TokenStream {
    let sections = &lookup.sections;
    let optional = lookup.optional.then(|| quote!(.optional()));
    quote!(::tosca_parse::entity::Lookup::of(&[#(#sections),*]) #optional)
}

fn assigns(assigns: &Assigns) -> TokenStream {
    let undeclared = variant(assigns.undeclared.as_ref().map_or("error".to_owned(), ToString::to_string).as_str());
    let field = option(assigns.from.as_ref().map(|field| quote!(#field)));
    let also = option(assigns.also.as_ref().map(|field| quote!(#field)));
    let title = assigns.title.as_ref().map(syn::LitStr::value).unwrap_or_default();
    quote! {
        ::tosca_parse::entity::AssignmentSpec {
            undeclared: ::tosca_parse::entity::Undeclared::#undeclared,
            field: #field,
            title: #title,
            also: #also,
        }
    }
}

/// Converts a name such as `overwrite` to the variant `Overwrite`.
fn variant(name: &str) -> syn::Ident {
    let camel: String = name
        .split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect();
    format_ident!("{camel}")
}
