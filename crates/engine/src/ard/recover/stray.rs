//! Finds lines that other programs add to a text: markers of merge conflicts and fences of code blocks.

use super::candidates::Candidate;

/// Returns repairs that ignore such lines near the given one.
pub(super) fn candidates(lines: &[&str], at: usize) -> Vec<Candidate> {
    [conflict(lines, at), fences(lines, at)].into_iter().flatten().collect()
}

/// The maximum number of lines between the markers of a conflict.
const FAR: usize = 200;

/// Returns a repair that keeps the first version of a text with a merge conflict.
fn conflict(lines: &[&str], at: usize) -> Option<Candidate> {
    let first = at.saturating_sub(FAR);
    let last = lines.len().min(at + FAR);
    let find =
        |mut numbers: std::ops::Range<usize>, marker: &str| numbers.find(|number| lines[*number].starts_with(marker));
    let start = (first..=at).rev().find(|number| lines[*number].starts_with("<<<<<<<"))?;
    let middle = find(start + 1..last, "=======")?;
    let end = find(middle + 1..last, ">>>>>>>").filter(|end| at <= *end)?;
    let base = find(start + 1..middle, "|||||||").unwrap_or(middle);
    let omitted = std::iter::once(start).chain(base..=end).map(|number| (number, String::new()));
    let help = format!(
        "keep one of the versions on lines {} to {}, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
        start + 1,
        end + 1
    );
    let repaired = Candidate { lines: omitted.collect(), help: Some(help), ..Candidate::default() };
    Some(repaired.about(start, 0..lines[start].trim_end().len(), "a merge conflict is not resolved").certain())
}

/// Returns a repair that ignores the fences around a code block in Markdown.
fn fences(lines: &[&str], at: usize) -> Option<Candidate> {
    let is_fence = |line: &str| ["```", "~~~"].iter().any(|fence| line.starts_with(fence));
    if !is_fence(lines[at]) {
        return None;
    }
    let found: Vec<usize> = (0..lines.len()).filter(|number| is_fence(lines[*number])).collect();
    let first = found.first().copied().unwrap_or(at);
    let help = match found[..] {
        [_] => format!("remove line {}", at + 1),
        _ => "remove the lines with the fences of the code block".to_owned(),
    };
    let repaired = Candidate {
        lines: found.into_iter().map(|number| (number, String::new())).collect(),
        help: Some(help),
        ..Candidate::default()
    };
    Some(
        repaired.about(first, 0..lines[first].trim_end().len(), "this line belongs to Markdown, not to YAML").certain(),
    )
}
