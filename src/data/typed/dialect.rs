//! Translation of regular expressions in templates to the dialect of the crate `regex`.
//!
//! The standard does not specify a dialect, so authors use the dialects of ECMAScript, PCRE and Python. The translation
//! keeps their common constructs, and constructs that only some of them have, unless another dialect interprets them
//! differently. Every character of the result is either a recognized operator or escaped, so that nothing is
//! interpreted in a way that is specific to `regex`.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::CharIndices;

/// A regular expression that can't be used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// No dialect accepts the expression, for this reason.
    Wrong(&'static str),
    /// Some dialect accepts the expression, but it can't be run here, for this reason.
    Unused(String),
}

/// An expression in the dialect of the crate `regex`.
#[derive(Debug, PartialEq)]
pub(super) struct Translated {
    pub(super) text: String,
    /// The text that must follow the original before anything can be appended to it.
    pub(super) terminator: &'static str,
}

const LOOKS_AROUND: &str = "looks ahead or behind";
const REFERS_BACK: &str = "refers back to a group";
const KEEPS_MATCHES: &str = "has an atomic group or a possessive quantifier";
const CALLS_GROUPS: &str = "calls one of its groups, or itself";
const IS_CONDITIONAL: &str = "has a condition";
const HAS_VERBS: &str = "has a control verb";
pub(super) const TOO_LARGE: &str = "is too large";

/// Horizontal and vertical white space of PCRE, as members of a class.
const HORIZONTAL: &str = r"\t\x{20}\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";
const VERTICAL: &str = r"\n-\r\x{85}\x{2028}\x{2029}";

/// The names of POSIX classes.
const POSIX: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// The maximum length of an expression that is run, in bytes: classes take much more memory than their names.
const LONGEST: usize = 32 << 10;

/// Translates an expression.
pub(super) fn translate(pattern: &str) -> Result<Translated, Fault> {
    if pattern.len() > LONGEST {
        return Err(Fault::Unused(TOO_LARGE.to_owned()));
    }
    let mut translator = Translator {
        rest: pattern.char_indices().peekable(),
        pattern,
        out: String::with_capacity(pattern.len() + 8),
        unused: None,
        is_extended: false,
        has_posix: true,
        terminator: "",
    };
    translator.run().map_err(Fault::Wrong)?;
    match translator.unused {
        Some(reason) => Err(Fault::Unused(reason)),
        None => Ok(Translated { text: translator.out, terminator: translator.terminator }),
    }
}

type Read<T> = Result<T, &'static str>;

/// An escape sequence. `Character` and `Class` mean the same inside and outside of classes; the other variants are
/// interpreted differently.
enum Escape {
    Character(char),
    /// A class, as it is written within another class.
    Class(String),
    /// The digits of a numbered reference or, in a class, of an octal number.
    Digits(String),
    /// Any other letter after the backslash.
    Letter(char),
    /// The start of a quotation.
    Quotation,
}

/// A member of a class.
enum Member {
    Character(char),
    Class(String),
}

/// The construct that a parenthesis opens.
enum Opened {
    Group,
    /// A complete construct that can be repeated.
    Atom,
    /// A comment, flags, or an instruction.
    Nothing,
}

struct Translator<'a> {
    rest: Peekable<CharIndices<'a>>,
    pattern: &'a str,
    out: String,
    /// The first part that can't be run. The rest is still checked, because it may be invalid.
    unused: Option<String>,
    /// Whether spaces and comments are ignored (`(?x)`).
    is_extended: bool,
    /// Whether `[:alpha:]` is a POSIX class. Otherwise it is literal text, because a class could not be closed.
    has_posix: bool,
    terminator: &'static str,
}

impl<'a> Translator<'a> {
    fn run(&mut self) -> Read<()> {
        // For each open group, whether spaces are ignored around it.
        let mut groups = Vec::new();
        // Whether the previous item can be repeated.
        let mut is_repeatable = false;
        while let Some(next) = self.next() {
            match next {
                '\\' => {
                    if self.escape_outside()? {
                        is_repeatable = true;
                    }
                    continue;
                }
                '[' => self.class()?,
                '(' => {
                    let around = self.is_extended;
                    match self.open()? {
                        Opened::Group => {
                            groups.push(around);
                            is_repeatable = false;
                        }
                        Opened::Atom => is_repeatable = true,
                        Opened::Nothing => {}
                    }
                    continue;
                }
                ')' => {
                    self.is_extended = groups.pop().ok_or("unopened group")?;
                    self.out.push(')');
                }
                '|' => {
                    self.out.push('|');
                    is_repeatable = false;
                    continue;
                }
                '*' | '+' | '?' if !is_repeatable => return Err("repetition operator missing expression"),
                '*' | '+' | '?' => {
                    self.out.push(next);
                    self.after_quantifier();
                }
                '{' if is_repeatable => self.braces()?,
                '^' | '$' | '.' => self.out.push(next),
                '#' if self.is_extended => {
                    self.terminator = "\n";
                    for (_, character) in self.rest.by_ref() {
                        if character == '\n' {
                            self.terminator = "";
                            break;
                        }
                    }
                    continue;
                }
                space if self.is_extended && space.is_whitespace() => continue,
                literal => self.literal(literal),
            }
            is_repeatable = true;
        }
        if groups.is_empty() { Ok(()) } else { Err("unclosed group") }
    }

    fn next(&mut self) -> Option<char> {
        Some(self.rest.next()?.1)
    }

    fn peek(&mut self) -> Option<char> {
        Some(self.rest.peek()?.1)
    }

    /// Returns the remaining text.
    fn text(&mut self) -> &'a str {
        self.rest.peek().map_or("", |(at, _)| &self.pattern[*at..])
    }

    fn skip(&mut self, bytes: usize) {
        let end = self.pattern.len() - self.text().len() + bytes;
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
    }

    fn take(&mut self, prefix: &str) -> bool {
        let is_next = self.text().starts_with(prefix);
        if is_next {
            self.skip(prefix.len());
        }
        is_next
    }

    /// Returns the text up to a delimiter, which is skipped; `None` if there is no such delimiter.
    fn until(&mut self, delimiter: &str) -> Option<&'a str> {
        let (inner, _) = self.text().split_once(delimiter)?;
        self.skip(inner.len() + delimiter.len());
        Some(inner)
    }

    fn digits(&mut self, radix: u32, most: usize) -> String {
        let text = self.text();
        let digits: String = text.chars().take(most).take_while(|character| character.is_digit(radix)).collect();
        self.skip(digits.len());
        digits
    }

    fn unused(&mut self, reason: impl Into<String>) {
        self.unused.get_or_insert_with(|| reason.into());
    }

    fn ambiguous(&mut self, part: &str) {
        self.unused(format!("has `{part}`, which means something different in each dialect"));
    }

    fn literal(&mut self, character: char) {
        push_literal(&mut self.out, character);
    }

    /// Reads the suffix of a quantifier.
    fn after_quantifier(&mut self) {
        if self.take("?") {
            self.out.push('?');
        } else if self.take("+") {
            self.unused(KEEPS_MATCHES);
        }
    }

    /// Reads a quantifier in braces, or a literal brace.
    fn braces(&mut self) -> Read<()> {
        let text = self.text();
        let length = text.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b',' | b' ')).count();
        let counts = &text[..length];
        if !text[length..].starts_with('}') {
            self.literal('{');
            return Ok(());
        }
        let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
        let is_number = |count: &str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(least) || !(most.is_empty() || is_number(most)) {
            // Python and later versions of PCRE support `{,5}`; these versions of PCRE also support `{ 1, 5 }`. In
            // other dialects, both are literal text.
            let has_number = counts.bytes().any(|byte| byte.is_ascii_digit());
            if has_number && counts.bytes().filter(|byte| *byte == b',').count() <= 1 {
                self.ambiguous(&format!("{{{counts}}}"));
            }
            self.literal('{');
            return Ok(());
        }
        self.skip(counts.len() + 1);
        match (least.parse::<u32>(), most.parse::<u32>()) {
            (Ok(least), Ok(most)) if least > most => {
                return Err("invalid repetition count range, the start must be <= the end");
            }
            (Err(_), _) => self.unused(TOO_LARGE),
            (_, Err(_)) if !most.is_empty() => self.unused(TOO_LARGE),
            _ => {}
        }
        self.out.extend(["{", counts, "}"]);
        self.after_quantifier();
        Ok(())
    }

    /// Reads the construct after an opening parenthesis.
    fn open(&mut self) -> Read<Opened> {
        if self.peek() == Some('*') {
            let verb = self.text().split_once(')').map_or("", |(verb, _)| &verb[1..]);
            if !verb.starts_with(|first: char| first.is_ascii_uppercase() || first == ':') {
                return Err("repetition operator missing expression");
            }
            self.skip(verb.len() + 2);
            self.unused(HAS_VERBS);
            return Ok(Opened::Nothing);
        }
        // Captures are not used.
        if !self.take("?") {
            self.out.push_str("(?:");
            return Ok(Opened::Group);
        }
        if self.take("#") {
            self.until(")").ok_or("unclosed group")?;
            return Ok(Opened::Nothing);
        }
        if self.take("P=") {
            self.reference(")", REFERS_BACK)?;
            return Ok(Opened::Atom);
        }
        let calls = ["P>", "&", "R", "C", "+", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let text = self.text();
        let is_call = calls.iter().any(|call| text.starts_with(call))
            || text.strip_prefix('-').is_some_and(|text| text.starts_with(|first: char| first.is_ascii_digit()));
        if is_call {
            self.reference(")", CALLS_GROUPS)?;
            return Ok(Opened::Atom);
        }
        self.out.push_str("(?:");
        if ["=", "!", "<=", "<!"].into_iter().any(|start| self.take(start)) {
            self.unused(LOOKS_AROUND);
            return Ok(Opened::Group);
        }
        if self.take(">") {
            self.unused(KEEPS_MATCHES);
            return Ok(Opened::Group);
        }
        if self.peek() == Some('(') {
            self.unused(IS_CONDITIONAL);
            return Ok(Opened::Group);
        }
        if self.take(":") || self.take("|") {
            return Ok(Opened::Group);
        }
        let closing = if self.take("P<") || self.take("<") {
            ">"
        } else if self.take("'") {
            "'"
        } else {
            self.out.truncate(self.out.len() - "(?:".len());
            return self.flags();
        };
        self.name(closing)?;
        Ok(Opened::Group)
    }

    fn name(&mut self, closing: &str) -> Read<()> {
        let name = self.until(closing).ok_or("unclosed group name")?;
        if name.contains('-') {
            // Balancing groups in .NET, which remove the match of another group.
            self.unused(REFERS_BACK);
        } else if !name.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$'))
            || !name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '$' | '.'))
        {
            return Err("invalid group name");
        }
        Ok(())
    }

    fn reference(&mut self, closing: &str, reason: &str) -> Read<()> {
        self.unused(reason);
        self.until(closing).map(|_| ()).ok_or("unclosed group")
    }

    /// Reads flags, which apply to a group or to the rest of the enclosing group.
    fn flags(&mut self) -> Read<Opened> {
        let flags = self.text().split([')', ':']).next().unwrap_or_default();
        let end = self.text()[flags.len()..].chars().next().ok_or("unclosed group")?;
        self.skip(flags.len() + 1);
        let mut kept = [String::new(), String::new()];
        let mut is_negative = false;
        let mut is_extended = self.is_extended;
        for flag in flags.chars() {
            match flag {
                'i' | 'm' | 's' => kept[usize::from(is_negative)].push(flag),
                'x' => is_extended = !is_negative,
                '-' if !is_negative => is_negative = true,
                // Strings are Unicode anyway, and neither captures nor greediness affect whether an expression
                // matches.
                'u' if !is_negative => {}
                'n' | 'J' | 'U' => {}
                // Flags of Perl, Java and the module `regex` of Python.
                '^' | 'a' | 'b' | 'd' | 'e' | 'f' | 'l' | 'p' | 'r' | 'u' | 'w' | 'L' | 'V' | '0' | '1' => {
                    self.unused(format!("has the flag `{flag}`"));
                }
                _ => return Err("unrecognized flag"),
            }
        }
        if flags.contains("xx") {
            self.unused("has the flag `xx`");
        }
        if flags.is_empty() {
            return Err("repetition operator missing expression");
        }
        let [on, off] = kept;
        self.is_extended = is_extended;
        let off = if off.is_empty() { off } else { format!("-{off}") };
        if end == ':' {
            self.out.extend(["(?", &on, &off, ":"]);
            return Ok(Opened::Group);
        }
        if !on.is_empty() || !off.is_empty() {
            self.out.extend(["(?", &on, &off, ")"]);
        }
        Ok(Opened::Nothing)
    }

    /// Reads an escape after its backslash, as far as it has the same meaning in classes.
    fn escape(&mut self) -> Read<Escape> {
        let Some(letter) = self.next() else {
            return Err("incomplete escape sequence, reached end of pattern prematurely");
        };
        let character = match letter {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\x0C',
            'v' => '\x0B',
            'a' => '\x07',
            'e' => '\x1B',
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => return Ok(Escape::Class(format!("\\{letter}"))),
            'h' => return Ok(Escape::Class(HORIZONTAL.to_owned())),
            'H' => return Ok(Escape::Class(format!("[^{HORIZONTAL}]"))),
            'V' => return Ok(Escape::Class(format!("[^{VERTICAL}]"))),
            'p' | 'P' => return Ok(self.property(letter)),
            'c' => match self.peek().filter(char::is_ascii_alphabetic) {
                Some(control) => {
                    self.next();
                    char::from(control as u8 & 0x1F)
                }
                None => return Ok(Escape::Letter('c')),
            },
            '0' => {
                let digits = self.digits(8, 2);
                u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32).unwrap_or('\0')
            }
            '1'..='9' => {
                let more = self.digits(10, 2);
                return Ok(Escape::Digits(format!("{letter}{more}")));
            }
            'o' if self.text().starts_with('{') => return Ok(self.code_point(letter, 8)),
            'x' | 'u' if self.text().starts_with('{') => return Ok(self.code_point(letter, 16)),
            'x' | 'u' | 'U' => return Ok(self.hexadecimal(letter)),
            'Q' => return Ok(Escape::Quotation),
            letter if letter.is_ascii_alphabetic() => return Ok(Escape::Letter(letter)),
            other => other,
        };
        Ok(Escape::Character(character))
    }

    /// Reads a code point in braces.
    fn code_point(&mut self, letter: char, radix: u32) -> Escape {
        let code = self.until("}").map(|code| &code[1..]);
        let code = code.map(str::trim).filter(|code| code.chars().all(|digit| digit.is_digit(radix)));
        let point = code.and_then(|code| u32::from_str_radix(code, radix).ok()).and_then(char::from_u32);
        if point.is_none() {
            self.ambiguous(&format!("\\{letter}{{"));
        }
        Escape::Character(point.unwrap_or(letter))
    }

    /// Reads a code point with a fixed number of digits. Two ECMAScript surrogates form one code point.
    fn hexadecimal(&mut self, letter: char) -> Escape {
        let length = match letter {
            'x' => 2,
            'u' => 4,
            _ => 8,
        };
        let digits = self.digits(16, length);
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length);
        let code = match code {
            Some(high @ 0xD800..0xDC00) if self.take("\\u") => {
                let low = u32::from_str_radix(&self.digits(16, 4), 16).unwrap_or_default();
                (0xDC00..0xE000).contains(&low).then(|| 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            }
            code => code,
        };
        let point = code.and_then(char::from_u32);
        if point.is_none() {
            self.ambiguous(&format!("\\{letter}{digits}"));
        }
        Escape::Character(point.unwrap_or(letter))
    }

    /// Reads a Unicode property.
    fn property(&mut self, letter: char) -> Escape {
        let name = if self.take("{") {
            self.until("}")
        } else {
            let text = self.text();
            let length = text.chars().next().map_or(0, char::len_utf8);
            self.skip(length);
            Some(&text[..length])
        };
        let name = name.unwrap_or_default();
        let (is_negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
        let letter = if (letter == 'P') == is_negated { 'p' } else { 'P' };
        Escape::Class(format!("\\{letter}{{{name}}}"))
    }

    /// Reads an escape outside of classes and returns whether it can be repeated.
    fn escape_outside(&mut self) -> Read<bool> {
        match self.escape()? {
            Escape::Character(character) => self.literal(character),
            Escape::Class(class) if class.starts_with('\\') && !class.contains('-') => self.out.push_str(&class),
            Escape::Class(class) => self.out.extend(["[", &class, "]"]),
            Escape::Digits(_) => self.unused(REFERS_BACK),
            Escape::Quotation => {
                let text = self.text();
                let quoted = self.until("\\E").unwrap_or_else(|| {
                    self.skip(text.len());
                    self.terminator = "\\E";
                    text
                });
                quoted.chars().for_each(|character| self.literal(character));
                return Ok(!quoted.is_empty());
            }
            Escape::Letter(letter) => match letter {
                'A' | 'z' | 'b' | 'B' => self.out.extend(['\\', letter]),
                // The end, like `$`. Dialects differ in whether a line break may follow.
                'Z' => self.out.push_str("\\z"),
                'E' => return Ok(false),
                'N' if !self.text().starts_with('{') => self.out.push_str("[^\\n]"),
                'k' => {
                    let delimited = [("<", ">"), ("{", "}"), ("'", "'")];
                    let closing = delimited.into_iter().find(|(open, _)| self.take(open));
                    self.unused(REFERS_BACK);
                    closing.and_then(|(_, close)| self.until(close));
                }
                'g' => self.unused(REFERS_BACK),
                'G' | 'K' | 'R' | 'X' | 'C' => self.unused(format!("has `\\{letter}`")),
                other => self.ambiguous(&format!("\\{other}")),
            },
        }
        Ok(true)
    }

    /// Reads a class, after its bracket.
    fn class(&mut self) -> Read<()> {
        let is_negated = self.take("^");
        let start = self.rest.clone();
        let kept = self.unused.clone();
        // A leading bracket is literal text in PCRE and Python, and the end of an empty class in ECMAScript.
        let mut class = self.members();
        if class.is_none() && self.has_posix {
            self.has_posix = false;
            self.rest = start.clone();
            self.unused.clone_from(&kept);
            class = self.members();
        }
        if class.is_none() {
            self.rest = start;
            self.unused = kept;
            if !self.take("]") {
                return Err("unclosed character class");
            }
            self.empty_class(is_negated);
            return Ok(());
        }
        let members = class.unwrap_or(Ok(String::new()))?;
        if members.is_empty() {
            self.empty_class(is_negated);
            return Ok(());
        }
        self.out.extend([if is_negated { "[^" } else { "[" }, &members, "]"]);
        Ok(())
    }

    fn empty_class(&mut self, is_negated: bool) {
        self.out.push_str(if is_negated { "[\\s\\S]" } else { "[^\\s\\S]" });
    }

    /// Reads the members of a class; `None` if the class is not closed.
    fn members(&mut self) -> Option<Read<String>> {
        let mut members = String::new();
        let mut fault = None;
        let mut is_first = true;
        let mut quoted = false;
        loop {
            if !quoted && !is_first && self.take("]") {
                break;
            }
            is_first = false;
            let lower = match self.member(&mut quoted)? {
                Ok(Some(member)) => member,
                Ok(None) => continue,
                Err(reason) => {
                    fault.get_or_insert(reason);
                    continue;
                }
            };
            let text = self.text();
            if text.strip_prefix('-').is_some_and(is_subtracted) {
                self.ambiguous("-[");
            }
            let is_range = !quoted && text.starts_with('-') && !text.starts_with("-]");
            let Member::Character(lower) = lower else {
                push_member(&mut members, &lower);
                // A hyphen next to a class is literal text.
                if is_range {
                    self.skip(1);
                    members.push_str("\\-");
                }
                continue;
            };
            if !is_range {
                push_member(&mut members, &Member::Character(lower));
                continue;
            }
            self.skip(1);
            match self.member(&mut quoted)? {
                Ok(Some(Member::Character(upper))) if lower <= upper => {
                    push_literal(&mut members, lower);
                    members.push('-');
                    push_literal(&mut members, upper);
                }
                Ok(Some(Member::Character('-'))) if !self.text().starts_with(']') => {
                    // ECMAScript (`v`) subtracts the following class.
                    self.ambiguous("--");
                    push_literal(&mut members, lower);
                }
                Ok(Some(Member::Character(_))) => {
                    fault.get_or_insert("invalid character class range, the start must be <= the end");
                }
                Ok(upper) => {
                    push_literal(&mut members, lower);
                    members.push_str("\\-");
                    if let Some(class) = upper {
                        push_member(&mut members, &class);
                    }
                }
                Err(reason) => {
                    fault.get_or_insert(reason);
                }
            }
        }
        Some(fault.map_or(Ok(members), Err))
    }

    /// Reads the next member of a class; the inner `None` is an empty quotation, and the outer `None` is the end of the
    /// expression.
    fn member(&mut self, quoted: &mut bool) -> Option<Read<Option<Member>>> {
        if *quoted && self.take("\\E") {
            *quoted = false;
            return Some(Ok(None));
        }
        let next = self.next()?;
        if *quoted {
            return Some(Ok(Some(Member::Character(next))));
        }
        match next {
            '\\' => {}
            '[' => return Some(Ok(Some(self.bracket()))),
            '-' if is_subtracted(self.text()) => {
                self.ambiguous("-[");
                return Some(Ok(Some(Member::Character('-'))));
            }
            '&' if self.text().starts_with("&[") => {
                // Java has intersections of classes.
                self.ambiguous("&&[");
                return Some(Ok(Some(Member::Character('&'))));
            }
            other => return Some(Ok(Some(Member::Character(other)))),
        }
        self.peek()?;
        let escape = match self.escape() {
            Ok(escape) => escape,
            Err(reason) => return Some(Err(reason)),
        };
        Some(Ok(Some(match escape {
            Escape::Character(character) => Member::Character(character),
            Escape::Class(class) => Member::Class(class),
            Escape::Letter('b') => Member::Character('\x08'),
            Escape::Letter('E') => return Some(Ok(None)),
            Escape::Letter('N') => {
                self.ambiguous("\\N");
                Member::Character('N')
            }
            Escape::Letter(letter) => {
                self.ambiguous(&format!("\\{letter}"));
                Member::Character(letter)
            }
            Escape::Digits(digits) => {
                let code = u32::from_str_radix(&digits, 8).ok().filter(|code| *code < 0x100).and_then(char::from_u32);
                if code.is_none() {
                    self.ambiguous(&format!("\\{digits}"));
                }
                Member::Character(code.unwrap_or('0'))
            }
            Escape::Quotation => {
                *quoted = true;
                return Some(Ok(None));
            }
        })))
    }

    /// Reads a bracket in a class, which may start a POSIX class.
    fn bracket(&mut self) -> Member {
        let text = self.text();
        if !self.has_posix {
            return Member::Character('[');
        }
        let name = text.strip_prefix(':').and_then(|text| text.split_once(":]")).map(|(name, _)| name);
        if let Some(name) = name.filter(|name| POSIX.contains(&name.trim_start_matches('^'))) {
            self.skip(name.len() + 3);
            return Member::Class(format!("[:{name}:]"));
        }
        for delimiter in [":", ".", "="] {
            let inner = text.strip_prefix(delimiter).and_then(|text| text.split_once(&format!("{delimiter}]")));
            if inner.is_some_and(|(inner, _)| !inner.is_empty() && !inner.contains([']', '['])) {
                self.ambiguous(&format!("[{delimiter}"));
            }
        }
        Member::Character('[')
    }
}

/// Returns whether a nested class follows at the end of the enclosing one. After a hyphen, .NET and XML Schema subtract
/// the nested class.
fn is_subtracted(text: &str) -> bool {
    let inner = text.strip_prefix('[').and_then(|text| text.find(['[', ']']).map(|end| &text[end..]));
    inner.is_some_and(|end| end.starts_with("]]"))
}

fn push_member(members: &mut String, member: &Member) {
    match member {
        Member::Character(character) => push_literal(members, *character),
        Member::Class(class) => members.push_str(class),
    }
}

fn push_literal(out: &mut String, character: char) {
    if character.is_alphanumeric() {
        out.push(character);
    } else {
        let code = u32::from(character);
        let _ = write!(out, "\\x{{{code:X}}}");
    }
}
