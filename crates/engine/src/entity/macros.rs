//! Macros for numbered kinds of entities and numbered sections of names.

/// Makes entities the kinds of a language: implements [`Entity`](trait@crate::entity::Entity) for each of them and
/// declares their list for the [`Language`](crate::entity::Language). Finds implementations of
/// [`Checked`](crate::entity::Checked) automatically.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::Entity;
/// use tosca_parse::entity::{Entity as _, Members, Text};
///
/// /// A file.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "file")]
/// struct File {
///     /// The parts.
///     parts: Members<Part>,
/// }
///
/// /// A part.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "part")]
/// struct Part {
///     /// The description.
///     description: Option<Text>,
/// }
///
/// tosca_parse::kinds! {
///     static KINDS = [File, Part];
/// }
///
/// assert_eq!(KINDS.len(), 2);
/// assert_eq!(KINDS[1].description().title, "part");
/// assert_eq!(Part::KIND, KINDS[1].number());
/// ```
#[macro_export]
macro_rules! kinds {
    ($visibility:vis static $name:ident = [$($entity:ident),* $(,)?];) => {
        const _: () = {
            enum Number { $($entity),* }
            $(
                impl $crate::entity::Entity for $entity {
                    const KIND: $crate::entity::Kind = $crate::entity::Kind(Number::$entity as u8);
                    const CHECKS: $crate::entity::Checks<Self> = {
                        #[allow(unused_imports)]
                        use $crate::entity::Unchecked as _;
                        $crate::entity::ChecksOf::<$entity>::FOUND
                    };
                }
            )*
        };
        $visibility static $name: &[&dyn $crate::entity::AnyKind] =
            &[$(&$crate::entity::KindOf::<$entity>::NEW),*];
    };
}

/// Declares a language's sections of names: a constant for each section, and their list for the
/// [`Language`](crate::entity::Language).
///
/// Each section has a title: the term for an entity in it. Names in a `local` section are not visible to importing
/// units. In a section that `shadows`, a name may be declared although an imported unit declares it too; this causes a
/// warning. In a section whose names are `found`, referring to an entity imports its source, which the language's
/// [finder](crate::entity::Language::finder) finds by the name. If the section is also `local`, only that entity is
/// imported, and nothing else in its source.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// tosca_parse::sections! {
///     static SECTIONS;
///     /// Names of types.
///     TYPES = "type";
///     /// Names of rules.
///     RULES = "rule", shadows;
///     /// Names of parts.
///     PARTS = "part", local;
/// }
///
/// assert_eq!(SECTIONS[usize::from(PARTS.0)].title, "part");
/// assert!(SECTIONS[0].exported && !SECTIONS[2].exported && SECTIONS[1].shadows);
/// ```
#[macro_export]
macro_rules! sections {
    (
        $visibility:vis static $name:ident;
        $($(#[$attribute:meta])* $constant:ident = $title:literal $(, $flag:ident)*;)*
    ) => {
        const _: () = assert!(<[&str]>::len(&[$($title),*]) <= 256, "a language has at most 256 sections of names");
        $crate::sections!(@constants 0u8; $($(#[$attribute])* $constant)*);
        $visibility static $name: &[$crate::entity::SectionDescription] = &[$(
            $crate::entity::SectionDescription {
                title: $title,
                exported: true $(&& $crate::sections!(@exported $flag))*,
                shadows: false $(|| $crate::sections!(@shadows $flag))*,
                found: false $(|| $crate::sections!(@found $flag))*,
            }
        ),*];
    };
    (@constants $number:expr; $(#[$attribute:meta])* $constant:ident $($rest:tt)*) => {
        $(#[$attribute])*
        pub const $constant: $crate::entity::Section = $crate::entity::Section($number);
        $crate::sections!(@constants $number + 1; $($rest)*);
    };
    (@constants $number:expr;) => {};
    (@exported local) => { false };
    (@exported $other:ident) => { true };
    (@shadows shadows) => { true };
    (@shadows $other:ident) => { false };
    (@found found) => { true };
    (@found $other:ident) => { false };
}

/// Returns the [`FieldKey`](crate::entity::FieldKey) of an entity's field, for code that treats the field specially.
/// The compiler rejects names that do not exist.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::Entity;
/// use tosca_parse::entity::{Described as _, FieldKey, Text};
/// use tosca_parse::field_key;
///
/// /// A part.
/// #[derive(Entity, Clone, Debug, Default)]
/// #[entity(title = "part")]
/// struct Part {
///     /// The color.
///     color: Option<Text>,
/// }
/// # tosca_parse::kinds! { static KINDS = [Part]; }
///
/// const COLOR: FieldKey = field_key!(Part.color);
/// let part = Part::default().description();
/// assert_eq!(FieldKey::of(part, &part.fields[0]), COLOR);
/// ```
///
/// ```compile_fail
/// # struct Part { color: u8 }
/// tosca_parse_engine::field_key!(Part.colour);
/// ```
#[macro_export]
macro_rules! field_key {
    ($entity:ident . $field:ident) => {{
        const _: fn(&$entity) = |entity| {
            let _ = &entity.$field;
        };
        $crate::entity::FieldKey::new(stringify!($entity), stringify!($field))
    }};
}

#[cfg(test)]
mod tests {
    use crate::entity::SectionDescription;

    mod none {
        crate::sections! { pub(super) static NONE; }
    }

    #[allow(dead_code, unreachable_pub)]
    mod many {
        crate::sections! {
            pub(super) static MANY;
            A0 = "0"; A1 = "1"; A2 = "2"; A3 = "3"; A4 = "4"; A5 = "5"; A6 = "6"; A7 = "7"; A8 = "8"; A9 = "9";
            B0 = "10"; B1 = "11"; B2 = "12"; B3 = "13"; B4 = "14"; B5 = "15"; B6 = "16"; B7 = "17"; B8 = "18"; B9 = "19";
            C0 = "20"; C1 = "21"; C2 = "22"; C3 = "23"; C4 = "24"; C5 = "25"; C6 = "26"; C7 = "27"; C8 = "28"; C9 = "29";
            D0 = "30"; D1 = "31"; D2 = "32"; D3 = "33"; D4 = "34"; D5 = "35"; D6 = "36"; D7 = "37"; D8 = "38"; D9 = "39";
            E0 = "40"; E1 = "41"; E2 = "42"; E3 = "43"; E4 = "44"; E5 = "45"; E6 = "46"; E7 = "47"; E8 = "48"; E9 = "49";
            F0 = "50"; F1 = "51"; F2 = "52"; F3 = "53"; F4 = "54"; F5 = "55"; F6 = "56"; F7 = "57"; F8 = "58"; F9 = "59";
            G0 = "60"; G1 = "61"; G2 = "62"; G3 = "63"; G4 = "64", local; G5 = "65", shadows; G6 = "66", found;
        }
    }

    #[test]
    fn a_language_may_have_no_sections() {
        let sections: &[SectionDescription] = none::NONE;
        assert!(sections.is_empty());
    }

    #[test]
    fn more_than_64_sections_are_allowed() {
        assert_eq!((many::A0.0, many::G3.0, many::G6.0), (0, 63, 66));
        assert_eq!(many::MANY.len(), 67);
        assert!(many::MANY.iter().enumerate().all(|(number, section)| section.title == number.to_string()));
        assert!(many::MANY[63].exported && !many::MANY[64].exported);
        assert!(many::MANY[65].shadows && !many::MANY[65].found && many::MANY[66].found);
    }
}
