//! Entities that lack required annotations.

/// It has no annotation.
#[derive(Entity)]
struct Untitled {
    /// A field.
    text: Option<Text>,
}

#[derive(Entity)]
#[entity(title = "undocumented")]
struct Undocumented {
    text: Option<Text>,
}

/// All its fields are skipped.
#[derive(Entity)]
#[entity(title = "empty")]
struct Empty {
    #[field(skip)]
    cache: u32,
}

/// Its names have no `lookup` option.
#[derive(Entity)]
#[entity(title = "lost")]
struct Lost {
    /// One name.
    one: Option<Reference<Lost>>,
    /// Several names.
    several: References<Lost>,
}

/// Its `lookup` options name no sections.
#[derive(Entity)]
#[entity(title = "found nowhere")]
struct Nowhere {
    /// With an empty list of sections.
    #[field(lookup())]
    nowhere: Option<Reference<Lost>>,
    /// Without a list of sections.
    #[field(lookup)]
    anywhere: Option<Reference<Lost>>,
}
