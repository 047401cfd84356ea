//! Translates the library's syntax errors into terms that authors understand.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use crate::ard::event::{Stop, SyntaxError};

/// Converts an error of the library to the reason why reading stopped.
pub(super) fn explain(text: &str, error: &ScanError) -> Stop {
    let at = error.marker().byte_offset().filter(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return Stop::TooDeep(character(text, at));
    }
    if *error.kind() == ErrorKind::TooManyComments {
        return Stop::TooManyComments(character(text, at));
    }
    let (message, help) = words(error.kind(), text, at);
    Stop::Syntax(SyntaxError { message, place: place(error.kind(), text, at), help: help.map(Into::into) })
}

/// Returns the message and, if there is any, help that does not depend on the surrounding text.
fn words(kind: &ErrorKind, text: &str, at: usize) -> (String, Option<&'static str>) {
    use ErrorKind as E;
    let here = text[at..].chars().next();
    let (message, help) = match kind {
        E::UnclosedFlowCollection { open } => {
            return (format!("`{open}` is never closed"), Some(missing_bracket(*open)));
        }
        E::MismatchedFlowCollectionEnd { open, close } => {
            return (format!("`{open}` is closed by `{close}`"), Some(missing_bracket(*open)));
        }
        E::MisplacedFlowCollectionEnd => {
            let bracket = here.unwrap_or(']');
            return (
                format!("`{bracket}` closes nothing"),
                Some("remove the bracket, or quote the string that contains it"),
            );
        }
        E::UnexpectedCharacter { character } => return unexpected(*character),
        E::MissingAnchorOrAliasName => {
            let sign = here.unwrap_or('*');
            return (
                format!("`{sign}` must be followed by the name of an anchor"),
                Some("put the text in quotes if it should begin with this character"),
            );
        }
        E::UnknownQuotedScalarEscape => {
            let escape = escape(text, at).map_or("\\", |range| &text[range]);
            return (
                format!("`{escape}` has no meaning in double quotes"),
                Some("write `\\\\` for a backslash, or use single quotes, where backslashes have no special meaning"),
            );
        }

        E::UnclosedQuotedScalar => ("the quote is never closed", Some(CLOSE_QUOTE)),
        E::DocumentIndicatorInQuotedScalar => ("the document ends inside a quoted string", Some(CLOSE_QUOTE)),
        E::InvalidTrailingSingleQuotedScalar => {
            ("text follows the closing quote", Some("write a quote inside single quotes twice: `'it''s'`"))
        }
        E::InvalidTrailingDoubleQuotedScalar => {
            ("text follows the closing quote", Some("write a quote inside double quotes as `\\\"`"))
        }
        E::InvalidQuotedScalarHexEscape | E::InvalidLowSurrogateHexEscape => {
            ("the escape lacks hexadecimal digits", Some("`\\x` needs two digits, `\\u` four, `\\U` eight"))
        }
        E::InvalidLowSurrogate | E::MissingLowSurrogate | E::UnpairedLowSurrogate => {
            ("the escape is only half of a character", Some("`\\uD800` to `\\uDFFF` are used in pairs"))
        }
        E::InvalidUnicodeEscape => ("the escape does not name a Unicode character", None),
        E::InvalidQuotedScalarIndent if here.is_none() => ("the quote is never closed", Some(CLOSE_QUOTE)),
        E::InvalidQuotedScalarIndent => (
            "a line of a quoted string is not indented enough",
            Some("close the quote before this line, or indent the line more than the key"),
        ),

        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar
        | E::InvalidBlockEntryWhitespace => ("a tab may not be used for indentation", Some("indent with spaces")),
        E::InvalidIndentation | E::InvalidFlowScalarIndent => ("the line is not indented enough", None),
        E::InvalidBlockScalarIndent => (
            "a line is indented less than the first line of the block scalar",
            Some("indent all lines of the block scalar equally"),
        ),
        E::InvalidBlockScalarHeader => (
            "text follows `|` or `>` on the same line",
            Some("begin the text on the next line, or put the text in quotes"),
        ),
        E::ZeroBlockScalarIndent => ("the indentation of a block scalar can't be 0", None),

        E::SimpleKeyExpected => ("a key is expected here, followed by `:`", None),
        E::InvalidSimpleKey => ("the key is longer than YAML allows", Some("put `? ` before the key")),
        E::ExpectedBlockMappingKey => ("a key of the map is expected here", None),
        E::ExpectedBlockSequenceEntry => ("an item of the list is expected here, beginning with `- `", None),
        E::BlockSequenceEntryNotAllowed => {
            ("a list can't begin here", Some("begin the list on the next line, or enclose it in `[` and `]`"))
        }
        E::BlockEntryInFlowCollection => ("`- ` can't be used inside brackets", Some("separate items with `,`")),
        E::MappingValueNotAllowed | E::InvalidColonPlacement => ("`:` is not allowed here", None),
        E::InvalidMappingValueWhitespace | E::FlowMappingValueAdjacentCollection => {
            ("`:` must be followed by a space", None)
        }
        E::MappingKeyNotAllowed => ("`?` can't begin a key here", Some("put the text in quotes")),
        E::PlainScalarStartsWithDashFlowIndicator => ("`-` alone is not a string", Some("put the dash in quotes")),
        E::ExpectedFlowMappingSeparator => ("`,` or `}` is expected here", Some(SEPARATE)),
        E::ExpectedFlowSequenceSeparator => ("`,` or `]` is expected here", Some(SEPARATE)),
        E::UnexpectedEof
        | E::UnexpectedEofFlowSequence
        | E::UnexpectedEofFlowMapping
        | E::UnexpectedEofImplicitFlowMapping
        | E::UnexpectedEofBlockSequence
        | E::UnexpectedEofBlockMapping
        | E::ExpectedNodeContent
        | E::UnexpectedEndOfPlainScalar => ("a value is expected here", None),

        E::CommentInterceptedScalar => {
            ("a comment ends the string, so the next line can't continue it", Some("put the text in quotes"))
        }
        E::CommentNotSeparated => ("a space is missing before `#`", None),
        E::ExpectedWhitespace => ("a space is missing", None),
        E::BomInsideDocument => ("byte order mark inside the text", Some("remove the invisible character")),

        E::ExpectedDocumentStart => ("nothing may follow the value of the document", None),
        E::InvalidDocumentEnd => ("nothing but a comment may follow `...` on its line", None),
        E::MissingDocumentEndBeforeDirective => {
            ("a directive can't be inside a document", Some("put the text in quotes if it should begin with `%`"))
        }
        E::DuplicateVersionDirective => ("duplicate `%YAML` directive", None),
        E::UnsupportedYamlMajorVersion => {
            ("this version of YAML is not supported", Some("use `%YAML 1.2` or remove the directive"))
        }
        E::DuplicateTagDirective => ("duplicate `%TAG` directive for a handle", None),
        E::MissingDirectiveName
        | E::InvalidDirectiveName
        | E::InvalidDirectiveTerminator
        | E::MissingYamlVersionSeparator
        | E::MissingYamlVersion
        | E::YamlVersionTooLong
        | E::DirectiveByteLimitExceeded { .. }
        | E::TooManyReservedDirectiveParams { .. }
        | E::ExpectedTagDirectiveBang
        | E::InvalidTagDirectiveTerminator => ("the directive is not well-formed", None),

        E::UndeclaredTagHandle => {
            ("the handle of the tag is not declared", Some("declare the handle with `%TAG`, or remove the tag"))
        }
        E::UnclosedVerbatimTag => ("`!<` is never closed by `>`", None),
        E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => {
            ("the tag is not well-formed", Some("put the text in quotes if it should begin with `!`"))
        }

        // Input errors can't occur for text in memory; other kinds may be added by future versions of the library.
        other => return (other.to_string(), None),
    };
    (message.into(), help)
}

const CLOSE_QUOTE: &str = "close the quote where the string ends";
const SEPARATE: &str = "separate entries with `,`, or put the string in quotes if it is a single one";

fn missing_bracket(open: char) -> &'static str {
    if open == '[' { "close the bracket with `]`" } else { "close the bracket with `}`" }
}

fn unexpected(character: char) -> (String, Option<&'static str>) {
    match character {
        '@' | '`' | '%' => {
            (format!("a plain scalar can't begin with {}", in_ticks(character)), Some("put the text in quotes"))
        }
        _ if character.is_control() || !character.is_ascii() => {
            (format!("the character U+{:04X} is not allowed in YAML", character as u32), None)
        }
        _ => (format!("{} is not expected here", in_ticks(character)), None),
    }
}

fn in_ticks(character: char) -> String {
    if character == '`' { "a backtick".into() } else { format!("`{character}`") }
}

/// Returns the position to report, which is often closer to the mistake than the position at which the library noticed
/// it.
fn place(kind: &ErrorKind, text: &str, at: usize) -> Range<u32> {
    let found = match kind {
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => escape(text, at),
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::InvalidBlockEntryWhitespace => tab_on_line(text, at),
        // `at` is the start of the scalar that continues on a line with a tab.
        ErrorKind::TabInPlainScalar => tab_below(text, at),
        ErrorKind::UnexpectedCharacter { character } => {
            text[at..].find(*character).map(|offset| at + offset..at + offset + character.len_utf8())
        }
        _ => None,
    };
    found.map_or_else(|| character(text, at), |range| range.start as u32..range.end as u32)
}

/// Returns the range of the character at the given offset; an empty range at the end of a line.
fn character(text: &str, at: usize) -> Range<u32> {
    let length = text[at..].chars().next().filter(|next| !matches!(next, '\n' | '\r')).map_or(0, char::len_utf8);
    at as u32..(at + length) as u32
}

/// Returns the range of the first invalid escape in the double-quoted scalar that begins at the given offset.
fn escape(text: &str, at: usize) -> Option<Range<usize>> {
    let mut from = at;
    loop {
        let start = from + text[from..].find('\\')?;
        let name = text[start + 1..].chars().next()?;
        let after_name = start + 1 + name.len_utf8();
        let wanted = match name {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N' | '_' | 'L'
            | 'P' | '\n' | '\r' => 0,
            _ => return Some(start..after_name),
        };
        let digits = text[after_name..].bytes().take(wanted).take_while(u8::is_ascii_hexdigit).count();
        let end = after_name + digits;
        from = end;
        if wanted == 0 {
            continue;
        }
        let code = u32::from_str_radix(&text[after_name..end], 16).unwrap_or(u32::MAX);
        let is_pair = (0xD800..0xDC00).contains(&code) && begins_with_low_half(&text[end..]);
        if digits < wanted || !(is_pair || char::from_u32(code).is_some()) {
            return Some(start..end);
        }
        if is_pair {
            from = end + "\\uDC00".len();
        }
    }
}

/// Returns whether `text` begins with an escape for a low surrogate.
fn begins_with_low_half(text: &str) -> bool {
    text.strip_prefix("\\u")
        .and_then(|digits| digits.get(..4))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .is_some_and(|code| (0xDC00..0xE000).contains(&code))
}

/// Returns the range of the first tab on the line that contains the given offset.
fn tab_on_line(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text[..at].rfind(LINE_ENDS).map_or(0, |end| end + 1);
    let line = text[start..].split(LINE_ENDS).next()?;
    let tab = start + line.find('\t')?;
    Some(tab..tab + 1)
}

/// Returns the range of the tab in the indentation of the first tab-indented line after the given offset.
fn tab_below(text: &str, at: usize) -> Option<Range<usize>> {
    let mut start = at;
    for (number, line) in text[at..].split_inclusive(LINE_ENDS).enumerate() {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..indentation].find('\t').filter(|_| number > 0) {
            return Some(start + tab..start + tab + 1);
        }
        start += line.len();
    }
    None
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];
