//! Enums with invalid values.

/// Without a title, with a duplicate value, and with a value that has a field.
#[derive(Enumerated)]
enum Way {
    /// On foot.
    Walking,
    /// On foot.
    #[value(name = "walking")]
    Running,
    #[value(sicne = V2)]
    Train(u32),
}

/// No values.
#[derive(Enumerated)]
#[enumerated(title = "nothing")]
struct Nothing;
