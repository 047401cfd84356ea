//! Words that are none.

use tosca_parse_derive::Words;

/// Without a title, twice the same, and with a field.
#[derive(Words)]
enum Way {
    /// On foot.
    Walking,
    /// On foot.
    #[word(name = "walking")]
    Running,
    #[word(sicne = V2)]
    Train(u32),
}

/// No words.
#[derive(Words)]
#[words(title = "nothing")]
struct Nothing;

fn main() {}
