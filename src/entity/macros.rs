//! Macros for what every language has: numbered kinds of entities and numbered sections of names.

/// Makes entities the kinds of a language: implements [`Entity`](trait@crate::entity::Entity) for each, and declares
/// the list of them that the [`Language`](crate::entity::Language) wants.
///
/// ```
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
///     /// What it is for.
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
                }
            )*
        };
        $visibility static $name: &[&dyn $crate::entity::AnyKind] =
            &[$(&$crate::entity::KindOf::<$entity>::NEW),*];
    };
}

/// Declares the sections of names of a language: a constant for each, and the list of them that the
/// [`Language`](crate::entity::Language) wants.
///
/// Each has a title, which is what authors call a thing with such a name. A section that is `local` is not seen by units
/// that import the one that declares; in one that `shadows`, a name may be declared although an imported unit declares
/// it too, which then only gives a warning.
///
/// ```
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
        const _: () = assert!([$($title),*].len() <= 256, "a language has at most 256 sections");
        $crate::sections!(@constants 0u8; $($(#[$attribute])* $constant)*);
        $visibility static $name: &[$crate::entity::SectionDescription] = &[$(
            $crate::entity::SectionDescription {
                title: $title,
                exported: true $(&& $crate::sections!(@exported $flag))*,
                shadows: false $(|| $crate::sections!(@shadows $flag))*,
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
    (@exported shadows) => { true };
    (@shadows local) => { false };
    (@shadows shadows) => { true };
}
