//! The annotations: `#[entity(…)]` on the struct and `#[field(…)]` on its fields.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Ident, LitStr, Path, Result, Token};

use crate::ast::Errors;

/// The options of `#[entity(…)]`.
#[derive(Default)]
pub(crate) struct EntityAttrs {
    pub(crate) title: String,
    pub(crate) spec: String,
    pub(crate) tuple: bool,
    pub(crate) relations: Vec<Relation>,
}

/// A relation between keynames: `one_of(url, profile, rule = URL_XOR_PROFILE, since = V2_0)`.
pub(crate) struct Relation {
    pub(crate) kind: Ident,
    pub(crate) fields: Vec<Ident>,
    pub(crate) rule: Path,
    pub(crate) help: Option<LitStr>,
    pub(crate) inherited: bool,
    pub(crate) since: Option<Expr>,
    pub(crate) until: Option<Expr>,
}

/// The options of `#[field(…)]`.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    /// The options in source order, to find options that exclude each other.
    options: Vec<Ident>,
    pub(crate) skip: bool,
    pub(crate) keynames: Vec<Keyname>,
    /// The values of `since`, `until` and `tolerated` outside `keyname(…)`, for the keyname that equals the field's
    /// name.
    pub(crate) own: Keyname,
    pub(crate) mandatory: Option<Mandatory>,
    pub(crate) default: Option<LitStr>,
    pub(crate) short: Vec<Ident>,
    pub(crate) members_short: Option<LitStr>,
    pub(crate) early: bool,
    pub(crate) sequenced: Option<Span>,
    pub(crate) section: Option<Path>,
    pub(crate) scoped: Option<Span>,
    pub(crate) lookup: Option<Lookup>,
    pub(crate) role: Option<Ident>,
    pub(crate) inherit: Option<Ident>,
    pub(crate) map_too: Option<Closed>,
    pub(crate) list_too: Option<Closed>,
    pub(crate) list_keys: Option<Span>,
    pub(crate) read_as: Option<ReadAs>,
    pub(crate) one_too: Option<Closed>,
    pub(crate) closed: Option<Closed>,
    pub(crate) assigns: Option<Assigns>,
    pub(crate) value: Option<Closed>,
    pub(crate) argument: Option<(Span, Path)>,
    pub(crate) file: Option<Span>,
}

/// The versions in which a keyname is accepted with a warning: all versions or those up to `until`.
#[derive(Default)]
pub(crate) struct Tolerated {
    pub(crate) until: Option<Expr>,
}

#[derive(Default)]
pub(crate) struct Keyname {
    pub(crate) name: Option<LitStr>,
    pub(crate) since: Option<Expr>,
    pub(crate) until: Option<Expr>,
    /// The versions in which the keyname is accepted with a warning.
    pub(crate) tolerated: Option<Tolerated>,
}

impl Keyname {
    /// Returns whether the keyname exists in all versions.
    pub(crate) fn is_always(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.since.is_none() && self.until.is_none() && self.tolerated.is_none()
    }
}

#[derive(Default)]
pub(crate) struct Mandatory {
    pub(crate) since: Option<Expr>,
    pub(crate) until: Option<Expr>,
    pub(crate) inheritable: bool,
}

pub(crate) struct Closed {
    pub(crate) span: Span,
    pub(crate) since: Option<Expr>,
    pub(crate) until: Option<Expr>,
}

pub(crate) struct ReadAs {
    pub(crate) span: Span,
    pub(crate) entity: Path,
    pub(crate) since: Option<Expr>,
    pub(crate) until: Option<Expr>,
}

pub(crate) struct Lookup {
    pub(crate) sections: Vec<Path>,
    pub(crate) optional: bool,
}

pub(crate) struct Assigns {
    pub(crate) span: Span,
    pub(crate) undeclared: Option<Ident>,
    pub(crate) from: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) also: Option<LitStr>,
}

pub(crate) const ENTITY_OPTIONS: &[&str] = &["title", "spec", "tuple", "one_of", "any_of", "at_most_one", "needs"];

pub(crate) const FIELD_OPTIONS: &[&str] = &[
    "skip",
    "keyname",
    "since",
    "until",
    "tolerated",
    "mandatory",
    "default",
    "short",
    "members_short",
    "early",
    "sequenced",
    "section",
    "scoped",
    "lookup",
    "parent",
    "definition",
    "copy",
    "inherit",
    "map_too",
    "list_too",
    "list_keys",
    "one_too",
    "read_as",
    "closed",
    "assigns",
    "value",
    "argument",
    "file",
];

pub(crate) const INHERIT_RULES: &[&str] =
    &["overwrite", "fixed", "within", "narrow", "accumulate", "refine", "replace", "extend"];

impl EntityAttrs {
    pub(crate) fn parse(attrs: &[Attribute], span: Span) -> Result<Self> {
        let mut out = Self::default();
        let mut errors = Errors::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("entity")) {
            errors.keep(attr.parse_nested_meta(|meta| {
                let option = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match option.as_str() {
                    "title" => out.title = meta.value()?.parse::<LitStr>()?.value(),
                    "spec" => out.spec = meta.value()?.parse::<LitStr>()?.value(),
                    "tuple" => out.tuple = true,
                    "one_of" | "any_of" | "at_most_one" | "needs" => out.relations.push(relation(&meta)?),
                    _ => return Err(unknown(&meta, ENTITY_OPTIONS)),
                }
                Ok(())
            }));
        }
        if out.title.is_empty() {
            errors.push(Error::new(span, "an entity needs a title: `#[entity(title = \"node type\")]`"));
        }
        errors.finish(out)
    }
}

impl FieldAttrs {
    pub(crate) fn parse(attrs: &[Attribute]) -> Result<Self> {
        let mut out = Self::default();
        let mut errors = Errors::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("field")) {
            errors.keep(attr.parse_nested_meta(|meta| out.option(&meta)));
        }
        if out.skip
            && let Some(option) = out.options.iter().find(|option| *option != "skip")
        {
            errors.push(Error::new(option.span(), format!("`{option}` has no effect on a skipped field")));
        }
        errors.finish(out)
    }

    fn option(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let Some(option) = meta.path.get_ident() else { return Err(unknown(meta, FIELD_OPTIONS)) };
        if option != "keyname" && self.options.contains(option) {
            return Err(Error::new(option.span(), format!("`{option}` is given twice")));
        }
        self.options.push(option.clone());
        match option.to_string().as_str() {
            "skip" => self.skip = true,
            "keyname" => self.keynames.push(keyname(meta)?),
            "since" => self.own.since = Some(meta.value()?.parse()?),
            "until" => self.own.until = Some(meta.value()?.parse()?),
            "tolerated" => self.own.tolerated = Some(Tolerated::default()),
            "mandatory" => self.mandatory = Some(mandatory(meta)?),
            "default" => self.default = Some(meta.value()?.parse()?),
            "short" => {
                meta.parse_nested_meta(|meta| {
                    self.short.push(one_of(&meta, &["scalar", "list", "map"])?);
                    Ok(())
                })?;
            }
            "members_short" => self.members_short = Some(meta.value()?.parse()?),
            "early" => self.early = true,
            "sequenced" => self.sequenced = Some(option.span()),
            "section" => self.section = Some(meta.value()?.parse()?),
            "scoped" => self.scoped = Some(option.span()),
            "lookup" => self.lookup = Some(lookup(meta, option.span())?),
            "parent" | "definition" | "copy" => {
                if self.role.is_some() {
                    return Err(meta.error("a field can have only one of the roles `parent`, `definition` and `copy`"));
                }
                self.role = Some(option.clone());
            }
            "inherit" => {
                let rule: Ident = meta.value()?.parse()?;
                if !INHERIT_RULES.contains(&rule.to_string().as_str()) {
                    let message = format!("unknown rule `{rule}`, expected one of {}", list(INHERIT_RULES));
                    return Err(Error::new(rule.span(), message));
                }
                self.inherit = Some(rule);
            }
            "map_too" => self.map_too = Some(closed(meta, option.span())?),
            "list_too" => self.list_too = Some(closed(meta, option.span())?),
            "list_keys" => self.list_keys = Some(option.span()),
            "read_as" => self.read_as = Some(read_as(meta, option.span())?),
            "one_too" => self.one_too = Some(closed(meta, option.span())?),
            "closed" => self.closed = Some(closed(meta, option.span())?),
            "assigns" => self.assigns = Some(assigns(meta, option.span())?),
            "value" => self.value = Some(closed(meta, option.span())?),
            "argument" => self.argument = Some((option.span(), meta.value()?.parse()?)),
            "file" => self.file = Some(option.span()),
            _ => return Err(unknown(meta, FIELD_OPTIONS)),
        }
        Ok(())
    }
}

fn keyname(meta: &ParseNestedMeta<'_>) -> Result<Keyname> {
    if meta.input.peek(Token![=]) {
        return Ok(Keyname { name: Some(meta.value()?.parse()?), ..Keyname::default() });
    }
    let content;
    syn::parenthesized!(content in meta.input);
    let mut keyname = Keyname { name: Some(content.parse()?), ..Keyname::default() };
    further(&content, &["since", "until", "tolerated"], |option| {
        if option == "tolerated" {
            let is_limited = content.peek(Token![=]);
            let until = is_limited.then(|| content.parse::<Token![=]>().and_then(|_| content.parse()));
            keyname.tolerated = Some(Tolerated { until: until.transpose()? });
            return Ok(());
        }
        content.parse::<Token![=]>()?;
        let version = Some(content.parse()?);
        if option == "since" {
            keyname.since = version;
        } else {
            keyname.until = version;
        }
        Ok(())
    })?;
    Ok(keyname)
}

/// Parses the options that follow the first argument of an attribute.
fn further(content: ParseStream<'_>, known: &[&str], mut take: impl FnMut(&Ident) -> Result<()>) -> Result<()> {
    while content.peek(Token![,]) {
        content.parse::<Token![,]>()?;
        if content.is_empty() {
            break;
        }
        let option: Ident = content.parse()?;
        if !known.iter().any(|known| option == known) {
            let known = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
            let message = format!("unknown option `{option}`, expected one of {known}");
            return Err(Error::new(option.span(), message));
        }
        take(&option)?;
    }
    Ok(())
}

fn mandatory(meta: &ParseNestedMeta<'_>) -> Result<Mandatory> {
    let mut mandatory = Mandatory::default();
    if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|meta| {
            let option = one_of(&meta, &["since", "until", "inheritable"])?;
            if option == "inheritable" {
                mandatory.inheritable = true;
            } else if option == "since" {
                mandatory.since = Some(meta.value()?.parse()?);
            } else {
                mandatory.until = Some(meta.value()?.parse()?);
            }
            Ok(())
        })?;
    }
    Ok(mandatory)
}

fn closed(meta: &ParseNestedMeta<'_>, span: Span) -> Result<Closed> {
    let mut closed = Closed { span, since: None, until: None };
    if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|meta| {
            let option = one_of(&meta, &["since", "until"])?;
            let version = Some(meta.value()?.parse()?);
            if option == "since" {
                closed.since = version;
            } else {
                closed.until = version;
            }
            Ok(())
        })?;
    }
    Ok(closed)
}

fn read_as(meta: &ParseNestedMeta<'_>, span: Span) -> Result<ReadAs> {
    let none = || Error::new(span, "specify which entity the value looks like: `read_as(NodeFilter)`");
    if !meta.input.peek(syn::token::Paren) {
        return Err(none());
    }
    let content;
    syn::parenthesized!(content in meta.input);
    let mut out = ReadAs { span, entity: content.parse().map_err(|_| none())?, since: None, until: None };
    further(&content, &["since", "until"], |option| {
        content.parse::<Token![=]>()?;
        let version = Some(content.parse()?);
        if option == "since" {
            out.since = version;
        } else {
            out.until = version;
        }
        Ok(())
    })?;
    Ok(out)
}

fn lookup(meta: &ParseNestedMeta<'_>, span: Span) -> Result<Lookup> {
    let mut lookup = Lookup { sections: Vec::new(), optional: false };
    if !meta.input.peek(syn::token::Paren) {
        return Err(meta.error("specify the sections in which the name is looked up: `lookup(SECTION, …)`"));
    }
    let content;
    syn::parenthesized!(content in meta.input);
    for path in Punctuated::<Path, Token![,]>::parse_terminated(&content)? {
        if path.is_ident("optional") {
            lookup.optional = true;
        } else {
            lookup.sections.push(path);
        }
    }
    if lookup.sections.is_empty() {
        return Err(Error::new(span, "specify the sections in which the name is looked up: `lookup(SECTION, …)`"));
    }
    Ok(lookup)
}

fn relation(meta: &ParseNestedMeta<'_>) -> Result<Relation> {
    let Some(kind) = meta.path.get_ident().cloned() else { return Err(meta.error("expected a relation")) };
    let (mut fields, mut inherited) = (Vec::new(), false);
    let (mut rule, mut help, mut since, mut until) = (None, None, None, None);
    meta.parse_nested_meta(|meta| {
        let Some(name) = meta.path.get_ident() else { return Err(meta.error("expected the name of a field")) };
        match name.to_string().as_str() {
            "rule" => rule = Some(meta.value()?.parse()?),
            "help" => help = Some(meta.value()?.parse()?),
            "since" => since = Some(meta.value()?.parse()?),
            "until" => until = Some(meta.value()?.parse()?),
            "inherited" => inherited = true,
            _ => fields.push(name.clone()),
        }
        Ok(())
    })?;
    let Some(rule) = rule else { return Err(Error::new(kind.span(), "a relation needs a rule: `rule = RULE`")) };
    if fields.len() < 2 {
        return Err(Error::new(kind.span(), "a relation needs at least two fields"));
    }
    Ok(Relation { kind, fields, rule, help, inherited, since, until })
}

fn assigns(meta: &ParseNestedMeta<'_>, span: Span) -> Result<Assigns> {
    let mut assigns = Assigns { span, undeclared: None, from: None, title: None, also: None };
    if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|meta| {
            let option = one_of(&meta, &["undeclared", "from", "title", "also"])?;
            if option == "undeclared" {
                let what: Ident = meta.value()?.parse()?;
                if !["error", "warning", "allowed"].contains(&what.to_string().as_str()) {
                    let message = format!("unknown choice `{what}`, expected `error`, `warning` or `allowed`");
                    return Err(Error::new(what.span(), message));
                }
                assigns.undeclared = Some(what);
            } else if option == "also" {
                assigns.also = Some(meta.value()?.parse()?);
            } else if option == "from" {
                assigns.from = Some(meta.value()?.parse()?);
            } else {
                assigns.title = Some(meta.value()?.parse()?);
            }
            Ok(())
        })?;
    }
    Ok(assigns)
}

pub(crate) fn one_of(meta: &ParseNestedMeta<'_>, options: &[&str]) -> Result<Ident> {
    match meta.path.get_ident() {
        Some(ident) if options.contains(&ident.to_string().as_str()) => Ok(ident.clone()),
        _ => Err(unknown(meta, options)),
    }
}

fn unknown(meta: &ParseNestedMeta<'_>, options: &[&str]) -> Error {
    let name = meta.path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::");
    meta.error(format!("unknown option `{name}`, expected one of {}", list(options)))
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
