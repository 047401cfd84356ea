//! Decoding of source bytes.
//!
//! YAML is nearly always UTF-8, but a reader must also accept UTF-16 and UTF-32, which some editors write. The encoding
//! follows from a byte order mark or, because a YAML file begins with an ASCII character, from the positions of zero
//! bytes (YAML 1.2, section 5.2).

use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::rules;
use crate::text::SharedText;

/// Decodes the bytes of a source and returns its text, without a byte order mark.
///
/// If the bytes are invalid, the text ends before the first invalid one, and a diagnostic at the end of the text names
/// the offset of that byte.
pub fn decode(source: SourceId, bytes: impl Into<Vec<u8>>) -> (SharedText, Option<Diagnostic>) {
    let (text, _, diagnostic) = decode_keeping(source, bytes.into());
    (text, diagnostic)
}

/// Like [`decode`], but also returns the original bytes if they differ from those of the text.
pub(crate) fn decode_keeping(source: SourceId, bytes: Vec<u8>) -> (SharedText, Option<Vec<u8>>, Option<Diagnostic>) {
    let encoding = Encoding::of(&bytes);
    let (text, others, invalid) = match encoding {
        Encoding::Utf8 => utf8(bytes),
        Encoding::Utf16(order) => with_bytes(bytes, |bytes| utf16(bytes, order)),
        Encoding::Utf32(order) => with_bytes(bytes, |bytes| utf32(bytes, order)),
    };
    let diagnostic = invalid.map(|offset| {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let span = Span { source, start: end, end };
        let message = format!("the text is not valid {} starting at byte {offset}", encoding.name());
        Diagnostic::new(&rules::INVALID_ENCODING, span, message).with_help("save the file as UTF-8")
    });
    (text, others, diagnostic)
}

fn with_bytes(
    bytes: Vec<u8>,
    decode: impl FnOnce(&[u8]) -> (SharedText, Option<usize>),
) -> (SharedText, Option<Vec<u8>>, Option<usize>) {
    let (text, invalid) = decode(&bytes);
    (text, Some(bytes), invalid)
}

#[derive(Clone, Copy)]
enum Order {
    BigEndian,
    LittleEndian,
}

#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Utf16(Order),
    Utf32(Order),
}

impl Encoding {
    fn of(bytes: &[u8]) -> Self {
        use Order::{BigEndian, LittleEndian};
        match bytes {
            [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, _, ..] => Self::Utf32(BigEndian),
            [0xFF, 0xFE, 0, 0, ..] | [_, 0, 0, 0, ..] => Self::Utf32(LittleEndian),
            [0xFE, 0xFF, ..] | [0, _, ..] => Self::Utf16(BigEndian),
            [0xFF, 0xFE, ..] | [_, 0, ..] => Self::Utf16(LittleEndian),
            _ => Self::Utf8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16(_) => "UTF-16",
            Self::Utf32(_) => "UTF-32",
        }
    }
}

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns the text and the offset of the first invalid byte.
fn utf8(bytes: Vec<u8>) -> (SharedText, Option<Vec<u8>>, Option<usize>) {
    let without_mark = |text: &str| text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).into();
    match String::from_utf8(bytes) {
        Ok(text) if text.starts_with(BYTE_ORDER_MARK) => (without_mark(&text), Some(text.into_bytes()), None),
        Ok(mut text) => {
            text.shrink_to_fit();
            (text.into(), None, None)
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let text = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
            (without_mark(text), Some(bytes), Some(valid))
        }
    }
}

fn utf16(bytes: &[u8], order: Order) -> (SharedText, Option<usize>) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match order {
        Order::BigEndian => u16::from_be_bytes(*pair),
        Order::LittleEndian => u16::from_le_bytes(*pair),
    });
    let mut valid = 0;
    let characters = char::decode_utf16(units).map_while(Result::ok).inspect(|next| valid += next.len_utf16() * 2);
    let text = without_mark(characters);
    (text, (valid < bytes.len() || !rest.is_empty()).then_some(valid))
}

fn utf32(bytes: &[u8], order: Order) -> (SharedText, Option<usize>) {
    let (units, _) = bytes.as_chunks::<4>();
    let mut valid = 0;
    let characters = units.iter().map_while(|unit| {
        char::from_u32(match order {
            Order::BigEndian => u32::from_be_bytes(*unit),
            Order::LittleEndian => u32::from_le_bytes(*unit),
        })
    });
    let text = without_mark(characters.inspect(|_| valid += 4));
    (text, (valid < bytes.len()).then_some(valid))
}

fn without_mark(characters: impl Iterator<Item = char>) -> SharedText {
    let mut characters = characters.peekable();
    characters.next_if_eq(&BYTE_ORDER_MARK);
    characters.collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "größe: 1 # 😀\n";

    fn utf16_bytes(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    fn utf32_bytes(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
        text.chars().flat_map(|character| to_bytes(character as u32)).collect()
    }

    #[test]
    fn all_encodings_give_the_same_text() {
        for text in [TEXT.to_owned(), format!("{BYTE_ORDER_MARK}{TEXT}")] {
            let encoded = [
                text.clone().into_bytes(),
                utf16_bytes(&text, u16::to_be_bytes),
                utf16_bytes(&text, u16::to_le_bytes),
                utf32_bytes(&text, u32::to_be_bytes),
                utf32_bytes(&text, u32::to_le_bytes),
            ];
            for bytes in encoded {
                let (decoded, problem) = decode(SourceId(0), bytes.clone());
                assert_eq!(&*decoded, TEXT, "{bytes:?}");
                assert_eq!(problem, None);
            }
        }
    }

    #[test]
    fn text_before_an_invalid_byte_is_kept() {
        let (text, problem) = decode(SourceId(3), b"\xEF\xBB\xBFa: 1\nb: \xE4\n");
        assert_eq!(&*text, "a: 1\nb: ");
        let problem = problem.expect("the text is not UTF-8");
        assert_eq!(problem.rule.code, "T1003");
        assert_eq!(problem.span, Span { source: SourceId(3), start: 8, end: 8 });
        assert_eq!(problem.message, "the text is not valid UTF-8 starting at byte 11");
    }

    #[test]
    fn cut_and_unpaired_units_are_invalid() {
        let mut odd = utf16_bytes("ab", u16::to_le_bytes);
        odd.push(b'c');
        let unpaired = [0xFF, 0xFE, b'a', 0, 0x00, 0xD8, b'b', 0];
        let beyond_unicode = [b'a', 0, 0, 0, 0, 0, 0x11, 0];
        let cases = [(odd, "ab", 4), (unpaired.to_vec(), "a", 4), (beyond_unicode.to_vec(), "a", 4)];
        for (bytes, kept, offset) in cases {
            let (text, problem) = decode(SourceId(0), bytes);
            assert_eq!(&*text, kept);
            let message = problem.expect("not valid").message;
            assert!(message.ends_with(&format!("starting at byte {offset}")), "{message}");
        }
    }

    #[test]
    fn empty_and_single_byte_inputs_are_decoded() {
        assert_eq!(&*decode(SourceId(0), Vec::new()).0, "");
        assert_eq!(&*decode(SourceId(0), vec![b'a']).0, "a");
    }
}
