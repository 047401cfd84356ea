//! Masks secrets with a known value, such as those that a syntax has reported, wherever they occur.

use foldhash::{HashMap, HashSet};

use super::MASK;

/// Secrets with fewer bytes are masked only if they are whole words.
const SHORT: usize = 4;
/// The minimum length in bytes of a quoted beginning of a longer secret that is masked like the whole secret.
const BEGINNING: usize = 16;

/// The secrets by their first bytes.
#[derive(Debug, Default)]
pub struct Secrets<'a> {
    long: HashMap<[u8; SHORT], Vec<&'a str>>,
    short: HashSet<&'a str>,
}

impl<'a> Secrets<'a> {
    /// Collects secrets. Output often quotes single lines, so each line of a secret is treated as a secret.
    pub fn of(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut secrets = Self::default();
        let mut lines: Vec<&str> = texts.flat_map(str::lines).filter(|line| !line.trim().is_empty()).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            match line.as_bytes().first_chunk() {
                Some(start) => secrets.long.entry(*start).or_default().push(line),
                None => {
                    secrets.short.insert(line);
                }
            }
        }
        secrets
    }

    /// Returns whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.long.is_empty() && self.short.is_empty()
    }

    /// Replaces each secret in `text` with `*****`.
    pub fn masked(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let length = self.at(rest).or_else(|| self.word(rest, shown.chars().next_back()));
            if let Some(length) = length {
                shown.push_str(MASK);
                rest = &rest[length..];
            } else {
                shown.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        shown
    }

    /// Returns the number of bytes at the start of `text` that are a secret or the quoted start of a secret.
    fn at(&self, text: &str) -> Option<usize> {
        let known = self.long.get(text.as_bytes().first_chunk()?)?;
        let common = known.iter().filter_map(|secret| {
            let same = secret.char_indices().zip(text.chars()).find(|((_, one), other)| one != other);
            let length = same.map_or(secret.len().min(text.len()), |((at, _), _)| at);
            (length == secret.len() || length >= BEGINNING).then_some(length)
        });
        common.max()
    }

    /// Returns the length of the short secret at the start of `text`. Short secrets are masked only as whole words;
    /// `before` is the preceding character.
    fn word(&self, text: &str, before: Option<char>) -> Option<usize> {
        if self.short.is_empty() || before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
        self.short.contains(&text[..end]).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_quoted() {
        let secrets = Secrets::of(["hunter2", "a1", "0123456789abcdefghijkl\nsecond line"].into_iter());
        let shown = |text: &str| secrets.masked(text);
        assert_eq!(shown("`hunter2` is no integer"), "`*****` is no integer");
        assert_eq!(shown("`a1`, not `a12` or a hunter"), "`*****`, not `a12` or a hunter");
        assert_eq!(shown("`0123456789abcdefg…` and `second line`"), "`*****…` and `*****`");
        assert_eq!(shown("0123456789"), "0123456789");
    }
}
