//! Error recovery: reads on after a syntax error.
//!
//! A wrong indentation or a missing colon must not hide the other problems in a source, and must not cause others.
//! Several repairs are tried for each error. Among the repairs with which the reader gets farthest, the first one that
//! leaves the fewest problems is applied to a copy of the text, so that everything after it is read normally. Problems
//! are keys without a value, and those that a [`ProblemCounter`](super::ProblemCounter) finds: the reader of the language. If no repair
//! helps, the block with the error is omitted.
//!
//! A repair knows the place of the mistake, which may be above the line on which the reader noticed it. If a repair
//! only makes the text readable, without knowing its intended meaning, the text is *unclear*, and nothing else is
//! reported there.
//!
//! Recovery works on lines, independently of the reader, and describes the repair of each error. Repairs are tried on
//! the part of the text around the error, so in a long file they cost little more than in a short one.

mod brackets;
mod candidates;
mod flow;
mod joined;
mod stray;
mod window;

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use self::candidates::{Candidate, candidates, empty_keys};
use self::window::Window;
use super::event::{Content, Event, Sink, Stop};
use super::granit;
use super::source_map::{self, SourceMap};
use crate::text::SharedText;

/// The maximum number of repairs in one source.
const MAX_REPAIRS: usize = 64;

/// The number of bytes that may be read because of errors, for each byte of a source: to find repairs, and to read repaired
/// texts.
const BYTES_PER_BYTE: usize = 64;

/// The maximum number of bytes that are read because of errors. A larger source is only read up to its first error.
const MAX_BYTES: usize = 16 << 20;

/// Rating a repair counts like reading its text this many times, since the reader of the language reads it, too.
const READS_PER_RATING: usize = 4;

/// The maximum number of repairs one directly after the other. If they don't resolve the error, content is omitted.
const MAX_CONSEQUENCES: usize = 4;

/// The maximum number of repairs of one error that are rated by their problems.
const MAX_RATED: usize = 24;

/// The state while a source is repaired, error by error.
pub(super) struct Recovery<'a> {
    depth: u32,
    /// Returns the number of problems in a text.
    rate: &'a dyn Fn(&str) -> usize,
    repairs: usize,
    /// The maximum number of bytes that may be read, and how many of them are left.
    most_bytes: usize,
    bytes: usize,
    /// Whether a repair would have exceeded a limit.
    is_exhausted: bool,
    original: &'a str,
    /// The start in the original text for each line of the repaired text.
    origins: Vec<u32>,
    /// The ranges in the original text whose meaning is unclear.
    unclear: Vec<Range<u32>>,
    /// The last repaired line.
    last_line: Option<usize>,
    /// Whether the meaning of the last repaired text is clear, so that an error on the next line is no consequence.
    is_clear: bool,
    /// The number of repairs whose errors were consequences of the last error that was not.
    consequences: usize,
}

/// A repaired text.
pub(super) struct RecoveredText {
    pub(super) text: String,
    /// A description of the repair.
    pub(super) help: Option<String>,
    /// The mistake, if it is not on the line of the error.
    pub(super) mistake: Option<Mistake>,
    /// Whether content has been omitted.
    pub(super) is_shortened: bool,
    /// Whether the error is a consequence of the previous one, which has been reported.
    pub(super) is_consequence: bool,
}

/// A mistake and its place in the original text.
pub(super) struct Mistake {
    pub(super) place: Range<u32>,
    pub(super) message: String,
}

impl<'a> Recovery<'a> {
    pub(super) fn new(depth: u32, bytes: usize, original: &'a str, rate: &'a dyn Fn(&str) -> usize) -> Self {
        let most_bytes = MAX_BYTES.min(bytes.saturating_add(BYTES_PER_BYTE * original.len()));
        Self {
            depth,
            rate,
            repairs: MAX_REPAIRS,
            most_bytes,
            bytes: most_bytes,
            is_exhausted: false,
            original,
            origins: source_map::starts(original),
            unclear: Vec::new(),
            last_line: None,
            is_clear: false,
            consequences: 0,
        }
    }

    /// Returns the mapping from the repaired text to the original.
    pub(super) fn source_map(&self, original: &SharedText, text: &str) -> SourceMap {
        SourceMap::new(original.clone(), text, &self.origins, self.unclear.clone())
    }

    /// Repairs the error at the given offset; returns `None` if that is impossible or too many repairs have been made.
    pub(super) fn repair(&mut self, text: &str, at: usize) -> Option<RecoveredText> {
        self.is_exhausted |= self.repairs == 0;
        self.repairs = self.repairs.checked_sub(1)?;
        // The repaired text is read, too.
        self.charge(text.len())?;
        let lines: Vec<&str> = text.split('\n').collect();
        let (line, column) = position(text, at);
        let is_consequence = self.last_line.is_some_and(|last| line <= last + usize::from(!self.is_clear));
        self.consequences = if is_consequence { self.consequences + 1 } else { 0 };
        let is_shortening = self.consequences > MAX_CONSEQUENCES;
        let window = self.window(&lines, line, column)?;
        let mut best: Option<((usize, Reverse<usize>), Candidate)> = None;
        let mut rated = 0;
        let candidates = candidates(&lines, line, column).filter(|candidate| candidate.is_shortened || !is_shortening);
        for mut candidate in candidates {
            if best.is_some() && candidate.is_shortened && !is_shortening {
                break;
            }
            candidate.lines.sort_by_key(|(number, _)| *number);
            let recovered = window.apply(&candidate);
            // Lines outside the window may be replaced, too.
            let replaced: usize = candidate.lines.iter().map(|(_, line)| line.len()).sum();
            let Some(()) = self.charge(recovered.len().max(replaced)) else { break };
            let added = candidate.added_lines();
            let reached =
                self.error(&recovered).map_or(usize::MAX, |(line, _)| window.number(line.saturating_sub(added)));
            let is_farther = best.as_ref().is_none_or(|((best, _), _)| reached > *best);
            let is_as_far = best.as_ref().is_some_and(|((best, _), _)| reached == *best);
            if reached <= line || !is_farther && (!is_as_far || rated == MAX_RATED) {
                continue;
            }
            let Some(()) = self.charge(READS_PER_RATING * recovered.len()) else { break };
            rated += 1;
            // It is unclear what a key without a value means, so a repair that creates no such key is more likely to be
            // right.
            let empty = empty_keys(&recovered, window.position(line));
            let problems = candidate.hidden + empty + (self.rate)(&recovered);
            let merit = (reached, Reverse(problems));
            if best.as_ref().is_none_or(|(best, _)| merit > *best) {
                best = Some((merit, candidate));
            }
            if reached == usize::MAX && problems == 0 {
                break;
            }
        }
        let (_, candidate) = best?;
        let mistake = candidate.mistake.as_ref().filter(|mistake| mistake.is_certain || mistake.line != line);
        let mistake = mistake.map(|mistake| Mistake {
            place: self.original(mistake.line, &mistake.columns),
            message: mistake.message.clone(),
        });
        let unclear = candidate.unclear.iter().map(|(line, columns)| self.original(*line, columns));
        let unclear: Vec<_> = unclear.collect();
        self.unclear.extend(unclear);
        let text = Window::whole(&lines).apply(&candidate);
        self.divide(&candidate);
        self.last_line = Some(line + candidate.added_lines());
        self.is_clear = !candidate.is_shortened && candidate.unclear.is_empty();
        Some(RecoveredText {
            text,
            help: candidate.help,
            mistake,
            is_shortened: candidate.is_shortened,
            is_consequence,
        })
    }

    /// Returns the range in the original text for columns of a line.
    fn original(&self, line: usize, columns: &Range<usize>) -> Range<u32> {
        let Range { start, end } = source_map::range(self.original, &self.origins, line);
        let offset = |column: usize| start.saturating_add(column as u32).min(end);
        offset(columns.start)..offset(columns.end)
    }

    /// Divides the origin of the line that a repair divides.
    fn divide(&mut self, candidate: &Candidate) {
        if let (Some(column), Some((line, _))) = (candidate.divided_at, candidate.lines.first()) {
            let second = self.original(*line, &(column..column)).start;
            self.origins.insert(line + 1, second);
        }
    }

    /// Returns the lines in which repairs are tried: those around the error, if they have the same error without the
    /// other lines. Returns `None` if too many bytes have been read already.
    fn window<'l>(&mut self, lines: &'l [&'l str], line: usize, column: usize) -> Option<Window<'l>> {
        if let Some(window) = Window::around(lines, line) {
            let text = window.text();
            self.charge(text.len())?;
            if self.error(&text) == Some((window.position(line), column)) {
                return Some(window);
            }
        }
        Some(Window::whole(lines))
    }

    /// Subtracts from the number of bytes that may still be read; returns `None` if it is smaller.
    fn charge(&mut self, bytes: usize) -> Option<()> {
        self.is_exhausted |= bytes > self.bytes;
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Returns whether there have been too many errors to repair all of them.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns the number of bytes that have been read because of errors.
    pub(super) fn bytes_read(&self) -> usize {
        self.most_bytes - self.bytes
    }

    /// Returns the line and column of the first error in `text`.
    fn error(&self, text: &str) -> Option<(usize, usize)> {
        match granit::read(text, self.depth, &mut Trial::default()) {
            Err(Stop::Syntax(error)) => Some(position(text, error.place.start as usize)),
            Ok(()) | Err(Stop::TooDeep(_) | Stop::TooManyComments(_)) => None,
        }
    }
}

/// Returns the line and column of the given offset, in bytes.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    (memchr::memchr_iter(b'\n', before).count(), before.len() - start)
}

/// A sink that ignores all events and stops at a second document.
#[derive(Default)]
struct Trial {
    has_started: bool,
}

impl<'a> Sink<'a> for Trial {
    const TAKES_COMMENTS: bool = false;

    fn take(&mut self, event: Event<'a>) -> ControlFlow<()> {
        let is_start = matches!(event.content, Content::DocumentStart { .. });
        if is_start && std::mem::replace(&mut self.has_started, true) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, Recovery, Stop, Trial, granit};

    /// Returns a text with the given number of entries before and after one with a syntax error.
    fn text(wrong: &str, entries: usize) -> String {
        let entry = |name: char, number: usize| format!("  - {name}{number}:\n      b: [1]\n      c: |\n        d\n");
        let block = |name: char| (0..entries).map(|number| entry(name, number)).collect::<Vec<_>>().concat();
        format!("a:\n{}  - y:\n{wrong}{}e: 1\n", block('x'), block('z'))
    }

    #[test]
    fn the_work_for_a_repair_depends_little_on_the_length_of_the_text() {
        for wrong in
            ["      b: {\n        c: 1\n        d: 2\n", "      b: '\n        c: 1\n", "     b: 1\n      c: 1\n"]
        {
            let work = |entries: usize| {
                let text = text(wrong, entries);
                let Err(Stop::Syntax(error)) = granit::read(&text, 100, &mut Trial::default()) else {
                    panic!("no error: {wrong}");
                };
                let mut recovery = Recovery::new(100, MAX_BYTES, &text, &|_| 1);
                let recovered = recovery.repair(&text, error.place.start as usize).expect("a repair");
                assert!(!recovered.is_shortened, "{wrong}");
                (text.len(), recovery.bytes_read() - text.len())
            };
            let (short, long) = (work(100), work(4000));
            assert!(long.0 > 30 * short.0 && long.1 < 2 * short.1, "{wrong}: {short:?}, {long:?}");
        }
    }
}
