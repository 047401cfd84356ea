//! When to use color, and the styles.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::IsTerminal;

use annotate_snippets::renderer::{self, Effects, Style};

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// On a terminal, unless an environment variable specifies otherwise: `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`,
    /// `CLICOLOR=0` and `TERM=dumb`, in order of precedence.
    #[default]
    Auto,
    /// Always, even in a file or a pipe.
    Always,
    /// Never, even on a terminal.
    Never,
}

impl Color {
    /// Returns whether to use color on the given stream: standard error for problems, standard output for explanations.
    pub fn enabled(self, stream: &impl IsTerminal) -> bool {
        self.decide(|| stream.is_terminal(), |name| std::env::var_os(name))
    }

    fn decide(self, terminal: impl Fn() -> bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
        match self {
            Self::Auto => asked(variable).unwrap_or_else(terminal),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Returns whether the environment requests color; `None` if the stream decides.
fn asked(variable: impl Fn(&str) -> Option<OsString>) -> Option<bool> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let forced = |name: &str| set(name).map(|value| value != "0");
    if set("NO_COLOR").is_some() {
        return Some(false);
    }
    let is_dumb = || set("TERM").is_some_and(|terminal| terminal == "dumb");
    let is_refused = || set("CLICOLOR").is_some_and(|value| value == "0") || is_dumb();
    // `CLICOLOR_FORCE=0` leaves the decision to the stream.
    forced("FORCE_COLOR")
        .or_else(|| forced("CLICOLOR_FORCE").filter(|forced| *forced))
        .or_else(|| is_refused().then_some(false))
}

/// Returns whether the terminal supports links (OSC 8), according to its environment. If set, `FORCE_HYPERLINK`
/// decides: `0` for no links.
pub fn links() -> bool {
    supports_links(|name| std::env::var(name).ok())
}

fn supports_links(variable: impl Fn(&str) -> Option<String>) -> bool {
    const PROGRAMS: [&str; 7] = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"];
    const MARKS: [&str; 4] = ["WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM"];
    const TERMINALS: [&str; 4] = ["kitty", "alacritty", "foot", "ghostty"];
    // Terminals based on VTE support links since version 0.50.
    const VTE: u32 = 5000;
    if let Some(forced) = variable("FORCE_HYPERLINK").filter(|forced| !forced.is_empty()) {
        return forced != "0";
    }
    let is_program = || variable("TERM_PROGRAM").is_some_and(|program| PROGRAMS.contains(&&*program));
    let is_marked = || MARKS.iter().any(|name| variable(name).is_some());
    let is_vte = || variable("VTE_VERSION").and_then(|version| version.parse().ok()).is_some_and(|vte: u32| vte >= VTE);
    let is_named = || variable("TERM").is_some_and(|term| TERMINALS.iter().any(|name| term.contains(name)));
    is_program() || is_marked() || is_vte() || is_named()
}

/// Errors.
pub const ERROR: Style = renderer::DEFAULT_ERROR_STYLE;
/// Warnings.
pub const WARNING: Style = renderer::DEFAULT_WARNING_STYLE;
/// Success.
pub const GOOD: Style = renderer::DEFAULT_NOTE_STYLE;
/// Names and codes.
pub const CODE: Style = renderer::DEFAULT_HELP_STYLE;
/// Emphasized text.
pub const STRONG: Style = Style::new().effects(Effects::BOLD);

/// Applies a style to text if `color` is set.
pub fn paint(text: impl Display, style: Style, color: bool) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'v>(pairs: &'v [(&'v str, &'v str)]) -> impl Fn(&str) -> Option<OsString> + 'v {
        |name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
    }

    #[test]
    fn automatic_color_follows_terminal_and_environment() {
        let auto = |terminal, pairs: &[(&str, &str)]| Color::Auto.decide(|| terminal, variables(pairs));
        for pairs in
            [&[][..], &[("NO_COLOR", "")], &[("FORCE_COLOR", "")], &[("CLICOLOR_FORCE", "0")], &[("CLICOLOR", "1")]]
        {
            assert!(auto(true, pairs) && !auto(false, pairs), "{pairs:?}");
        }
        let never = [
            &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")][..],
            &[("TERM", "dumb")],
            &[("CLICOLOR", "0")],
            &[("FORCE_COLOR", "0")],
        ];
        for pairs in never {
            assert!(!auto(true, pairs), "{pairs:?}");
        }
        for pairs in [&[("FORCE_COLOR", "1"), ("TERM", "dumb")][..], &[("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")]] {
            assert!(auto(false, pairs), "{pairs:?}");
        }
    }

    #[test]
    fn explicit_setting_overrides_the_environment() {
        assert!(Color::Always.decide(|| false, variables(&[("NO_COLOR", "1")])));
        assert!(!Color::Never.decide(|| true, variables(&[("FORCE_COLOR", "1")])));
        assert!(Color::Always.enabled(&std::io::stderr()));
        assert!(!Color::Never.enabled(&std::io::stderr()));
    }

    #[test]
    fn links_are_for_terminals_that_support_them() {
        let with = |pairs: &[(&str, &str)]| {
            supports_links(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(with(&[("VTE_VERSION", "6003")]) && !with(&[("VTE_VERSION", "4800")]));
        assert!(
            with(&[("TERM_PROGRAM", "vscode")]) && with(&[("TERM", "xterm-kitty")]) && with(&[("WT_SESSION", "1")])
        );
        assert!(!with(&[("TERM", "xterm-256color")]) && !with(&[]));
        assert!(with(&[("FORCE_HYPERLINK", "1")]) && !with(&[("FORCE_HYPERLINK", "0"), ("WT_SESSION", "1")]));
    }

    #[test]
    fn plain_text_has_no_escapes() {
        assert_eq!(paint("x", STRONG, true), "\u{1b}[1mx\u{1b}[0m");
        assert_eq!(paint("x", STRONG, false), "x");
    }
}
