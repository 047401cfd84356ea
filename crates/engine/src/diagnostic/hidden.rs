//! Secrets that are known by their text, such as those that a syntax has told of: they are hidden wherever they occur.

use rustc_hash::{FxHashMap, FxHashSet};

/// What stands instead of a secret.
const MASK: &str = "*****";
/// Secrets of fewer bytes are hidden only where they are whole words.
const SHORT: usize = 4;
/// A longer secret is hidden even if only its beginning, of so many bytes, is quoted.
const BEGINNING: usize = 16;

/// Texts that nobody may see, by their first bytes.
#[derive(Debug, Default)]
pub struct Secrets<'a> {
    long: FxHashMap<[u8; SHORT], Vec<&'a str>>,
    short: FxHashSet<&'a str>,
}

impl<'a> Secrets<'a> {
    /// These secrets. What is shown is often one line, so that each line is a secret of its own.
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

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.long.is_empty() && self.short.is_empty()
    }

    /// A text with `*****` in the place of each secret in it.
    pub fn masked(&self, text: &str) -> String {
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

    /// How many bytes at the beginning of a text are a secret, or as much of one as is quoted.
    fn at(&self, text: &str) -> Option<usize> {
        let known = self.long.get(text.as_bytes().first_chunk()?)?;
        let common = known.iter().filter_map(|secret| {
            let same = secret.char_indices().zip(text.chars()).find(|((_, one), other)| one != other);
            let length = same.map_or(secret.len().min(text.len()), |((at, _), _)| at);
            (length == secret.len() || length >= BEGINNING).then_some(length)
        });
        common.max()
    }

    /// A short secret counts where it is a whole word.
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
