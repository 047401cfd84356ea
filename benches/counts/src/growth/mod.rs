//! Work that must not grow faster than its input.
//!
//! Each comparison counts the instructions of two inputs, mostly of a shape at two sizes, one four times the other. Linear
//! work is at most about four times as much; a loop in a loop is up to sixteen times as much. Thousands of misspelled names
//! must not each be compared with thousands of others, for example.
//!
//! Counts hardly vary, so the bound is tight and the inputs are small. The tests of this module run the same inputs without
//! counting, and check that the reports are in proportion too.

mod documentation;
mod documents;
mod languages;
mod packages;
mod pictures;
mod plans;
mod programs;
mod templates;
mod texts;

use tosca_parse::Outcome;

/// Two pieces of work, and a limit on their ratio.
pub(crate) struct Comparison {
    pub(crate) name: String,
    /// The work, and then the larger work; each returns the length of its reports in bytes.
    pub(crate) work: [Work; 2],
    /// The maximum of the instructions of the larger work, in multiples of the other.
    pub(crate) most: f64,
}

type Work = Box<dyn Fn() -> usize + Send + Sync>;

impl Comparison {
    /// Compares the work for an input with that for one of four times its size.
    fn growth(name: &str, size: usize, work: impl Fn(usize) -> usize + Copy + Send + Sync + 'static) -> Self {
        let work: [Work; 2] = [Box::new(move || work(size)), Box::new(move || work(4 * size))];
        Self { name: name.to_owned(), work, most: 5.0 }
    }
}

/// Returns all comparisons.
pub(crate) fn all() -> Vec<Comparison> {
    let mut all: Vec<Comparison> = templates::comparisons().collect();
    all.extend(texts::comparisons());
    all.extend(packages::comparisons());
    all.extend(programs::comparisons());
    all.extend(documentation::comparisons());
    all.extend(documents::comparisons());
    all.extend(documents::ways());
    all.extend(pictures::comparisons());
    all.extend(plans::comparisons());
    all.extend(languages::comparisons());
    all
}

/// Returns the length of all messages of an outcome.
fn size(outcome: &Outcome) -> usize {
    let diagnostics = outcome.diagnostics.iter();
    diagnostics
        .map(|problem| {
            problem.message.len()
                + problem.help.iter().map(String::len).sum::<usize>()
                + problem.related.iter().map(|related| related.message.len() + 8).sum::<usize>()
        })
        .sum()
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| line(i) + "\n").collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn reports_are_in_proportion() {
        crate::on_all_processors(&super::all(), |comparison| {
            let [less, more] = comparison.work.each_ref().map(|work| work());
            assert!(more <= 6 * less + 10_000, "{}: {less} bytes of problems become {more}", comparison.name);
        });
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<String> = super::all().into_iter().map(|comparison| comparison.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
