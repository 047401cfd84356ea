//! Quoted strings and the meaning of their escapes.

/// Returns the content of a quoted string. Unknown escapes are kept.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match escape(rest) {
            Some((meaning, length)) => {
                plain.extend(meaning);
                length
            }
            None => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                plain.push_str(&rest[..length]);
                length
            }
        };
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}

/// Returns the content of backquotes. Only the backquote itself is escaped there.
pub(super) fn verbatim(text: &str) -> String {
    text.replace("\\`", "`")
}

/// Returns the character that the escape at the beginning stands for (none for an escaped end of line), and its length.
fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let code = text[1..].chars().next()?;
    let simple = match code {
        '\\' | '\'' | '"' => Some(code),
        'a' => Some('\x07'),
        'b' => Some('\x08'),
        'f' => Some('\x0c'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\x0b'),
        _ => None,
    };
    if let Some(character) = simple {
        return Some((Some(character), 2));
    }
    let (digits, radix, skip) = match code {
        '0'..='7' => (octal(&text[1..]), 8, 1),
        'x' => (text.get(2..4)?, 16, 2),
        'u' => (text.get(2..6)?, 16, 2),
        'U' => (text.get(2..10)?, 16, 2),
        _ => return None,
    };
    if !digits.bytes().all(|byte| char::from(byte).is_digit(radix)) {
        return None;
    }
    let character = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32)?;
    Some((Some(character), skip + digits.len()))
}

fn octal(text: &str) -> &str {
    let length = text.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    &text[..length]
}
