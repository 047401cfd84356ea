//! The characters that the line reader supports.
//!
//! It is cheaper to check once in advance for rare characters than at every position where they would matter.

/// Returns whether `text` contains only supported characters: no control characters except tabs and line ends (`\n` or
/// `\r\n`), no byte order marks, and none of the Unicode separators that were line ends in earlier versions of YAML.
pub(super) fn is_known(text: &[u8]) -> bool {
    let mut rare = Rare::default();
    for chunk in text.chunks(CHUNK) {
        rare = rare.or(Rare::of(chunk));
        if rare.control {
            return false;
        }
    }
    !(rare.carriage && has_lone_carriage(text) || rare.beyond_ascii && has_particular(text))
}

/// The size of a chunk: small enough for the L1 cache, and large enough that the overhead per chunk does not matter.
const CHUNK: usize = 4096;

#[derive(Clone, Copy, Default)]
struct Rare {
    control: bool,
    carriage: bool,
    beyond_ascii: bool,
}

impl Rare {
    /// Classifies the bytes in a chunk. The code has no branches, so that many bytes are processed together.
    fn of(chunk: &[u8]) -> Self {
        let (mut controls, mut known_controls, mut carriages, mut highest) = (0, 0, 0, 0);
        for &byte in chunk {
            controls += u16::from(byte < b' ') + u16::from(byte == 0x7F);
            known_controls += u16::from(byte == b'\n') + u16::from(byte == b'\t') + u16::from(byte == b'\r');
            carriages += u16::from(byte == b'\r');
            highest |= byte;
        }
        Self { control: controls > known_controls, carriage: carriages > 0, beyond_ascii: highest >= 0x80 }
    }

    fn or(self, other: Self) -> Self {
        Self {
            control: self.control | other.control,
            carriage: self.carriage | other.carriage,
            beyond_ascii: self.beyond_ascii | other.beyond_ascii,
        }
    }
}

/// Returns whether `text` contains a `\r` that is not followed by `\n`.
fn has_lone_carriage(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
}

/// Returns whether `text`, in UTF-8, contains one of U+0080 to U+009F, U+2028, U+2029, U+FEFF, U+FFFE and U+FFFF.
fn has_particular(text: &[u8]) -> bool {
    text.windows(2).enumerate().any(|(at, pair)| match pair {
        [0xC2, 0x80..=0x9F] => true,
        [0xE2, 0x80] => matches!(text.get(at + 2), Some(0xA8 | 0xA9)),
        [0xEF, 0xBB] => text.get(at + 2) == Some(&0xBF),
        [0xEF, 0xBF] => matches!(text.get(at + 2), Some(0xBE | 0xBF)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn words_of_any_language_are_known() {
        for text in ["", "a: b\n", "größe: 10 €\r\n\tx\r\n", "😀", "\u{A0}\u{2027}\u{202A}\u{FEFE}\u{FFFD}"] {
            assert!(is_known(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn characters_with_a_meaning_are_not() {
        for character in ["\0", "\u{7}", "\r", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}"] {
            assert!(!is_known(format!("a: {character}b").as_bytes()), "{character:?}");
            assert!(!is_known(format!("{}: ä{character}", "x".repeat(5000)).as_bytes()), "{character:?}");
        }
    }
}
