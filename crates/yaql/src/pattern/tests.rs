//! Tests of patterns. The expected results are those of Python 3.11.

use super::{Flags, Pattern, ecma};
use crate::error::Result;
use crate::meter::{Limits, Meter};

fn is_match(pattern: &str, text: &str) -> std::result::Result<bool, String> {
    let meter = Meter::new(Limits::default());
    let compiled = Pattern::new(&meter, pattern, Flags::default());
    compiled.and_then(|compiled| compiled.is_match(&meter, text)).map_err(|error| error.message().to_owned())
}

#[test]
fn dollar_also_matches_before_a_final_newline() {
    for (pattern, text, expected) in [
        ("^abc$", "abc", true),
        ("^abc$", "abc\n", true),
        ("^abc$", "abc\n\n", false),
        (r"^abc\Z", "abc\n", false),
        ("^(a|b$|c)$", "b\n", true),
        ("^(?:a$|b)\n$", "a\n", true),
        ("x$\n", "x\n", true),
        ("x|b$", "b\n", true),
        ("x|b$", "b\n\n", false),
        ("^$", "\n", true),
        ("(?m)^b$", "a\nb\nc", true),
        ("(?m)^b$", "a\rb\rc", false),
    ] {
        assert_eq!(is_match(pattern, text), Ok(expected), "{pattern} {text:?}");
    }
    let long = format!("{}\n", "ab ".repeat(30_000));
    assert_eq!(is_match(r"^(\w+ ?)+\s*$", &long), Ok(true), "takes linear time");
    assert_eq!(is_match(r"(\w+ ?)+x$", &long), Ok(false));
}

#[test]
fn look_around_matches_in_one_way() {
    for (pattern, text, expected) in [
        (r"^(?=.*(\w))\1", "a b", false),
        (r"^(?=.*(\w))\1", "b b", true),
        (r"^(?=.*?(\w))\1", "a b", true),
        (r"^(?=(a)|(.))\2", "aa", false),
        (r"(?<=(a)|(.))\2", "aa", false),
        (r"(?<=(b)|(.))\2", "aa", true),
        (r"^(?!(a)b)a", "ac", true),
    ] {
        assert_eq!(is_match(pattern, text), Ok(expected), "{pattern} {text:?}");
    }
}

#[test]
fn classes_have_no_operators() {
    for (pattern, text, expected) in [
        ("^[[:alpha:]]$", "x", false),
        ("^[[:alpha:]]$", "a]", true),
        ("^[a&&b]+$", "a&b", true),
        ("^[!--b]$", "b", true),
        ("^[a~~b]+$", "~", true),
        ("^[[a]b]$", "[b]", true),
        ("^[[a]b]$", "b", false),
        ("^[]a]+$", "]a", true),
        ("^[^]a]+$", "b", true),
        (r"^[\W\d]+$", "1-", true),
        (r"^[^\W\d_]+$", "aé", true),
        (r"^[^\W\d_]+$", "a_", false),
        (r"^[\b]$", "\x08", true),
        (r"^[\1\x41-\x43]+$", "\x01B", true),
        ("^[#-~]+$", "a~", true),
    ] {
        assert_eq!(is_match(pattern, text), Ok(expected), "{pattern} {text:?}");
    }
}

#[test]
fn syntax_is_that_of_python() {
    for (pattern, text, expected) in [
        ("^a{,2}$", "aa", true),
        ("^a{,}$", "aaa", true),
        ("^a{}$", "a{}", true),
        ("^a{1,b}$", "a{1,b}", true),
        (r"^(?P<q>['x])a(?P=q)$", "xax", true),
        (r"^(a)?(?(1)b|c)$", "ab", true),
        (r"^(a)?(?(1)b|c)$", "ac", false),
        (r"^(?P<n>a)?(?(n)b)$", "", true),
        ("^(?>a+)b$", "aab", true),
        ("^a++a$", "aa", false),
        ("(?x) ^ a  # the letter\n b $", "ab", true),
        ("^(?i:A)b$", "aB", false),
        ("(?i)^É(?-i:b)$", "éb", true),
        ("(?i)^i[a-j][^i]$", "İıx", true),
        ("(?i)^[^i]$", "ı", false),
        ("(?i)^ı{3}$", "iIİ", true),
        ("(?i)^[k-s]+$", "\u{212a}ſ", true),
        ("(?ia)^k[a-z]É$", "KZÉ", true),
        ("(?ia)^k|[a-z]$", "\u{212a}", false),
        ("(?ia)^É$", "é", false),
        ("(?i)(?a:k)É", "Ké", true),
        ("(?i)^(?a:k)$", "\u{212a}", false),
        ("(?s)^a.b$", "a\nb", true),
        ("^a.b$", "a\u{2028}b", true),
        (r"^\101\x42\u0043\U00000044$", "ABCD", true),
        (r"^(a)(b)\2\1$", "abba", true),
        (r"^(a)\1{2}$", "aaa", true),
        (r"\bé\b", "x é y", true),
        (r"\b½\b", "a½", false),
        (r"^\w+$", "a½", true),
        (r"(?a)^\w+$", "é", false),
        (r"^\s$", "\x1c", true),
        (r"(?<=ab)c(?!d)", "abce", true),
        ("^(?=a)*a$", "a", true),
        (r"^\-\ \#\&\~\<\>\@$", "- #&~<>@", true),
        ("^a(?#note)+$", "aa", true),
        ("", "", true),
        ("^(|a)$", "a", true),
        ("^(?i:)*a(?:){2}(?i:(?=b))*$", "a", true),
        ("(?x:)+", "", true),
        (r"^(?=(a))?a\1$", "aa", true),
        (r"\B", "", false),
        (r"(?a)\B", "", false),
        (r"\B", "-", true),
        (r"a\Bb", "éab", true),
        (r"(?i)(A)(?=(b))", "aB", true),
        (r"(?:a(?=b))$", "ab", false),
        ("(?=a)", "ba", true),
    ] {
        assert_eq!(is_match(pattern, text), Ok(expected), "{pattern} {text:?}");
    }
}

#[test]
fn invalid_patterns_are_explained() {
    for (pattern, problem) in [
        (r"\p{L}", r"unknown escape `\p`; Python's patterns have no Unicode properties; `[^\W\d_]` is any letter"),
        (r"\x{61}", r"`\x` needs 2 hexadecimal digits"),
        (r"a\z", r"unknown escape `\z`; write `\Z` for the end of the text"),
        ("(?<x>a)", "unknown group `(?<`; write `(?P<x>` for a named group"),
        (r"\q", r"unknown escape `\q`; remove the `\`"),
        (r"\N{DASH}", "names of characters are not supported"),
        (r"\8", "there is no group `8`"),
        ("(?P<a>x)(?P<a>y)", "two groups have the name `a`"),
        ("(?P=a)", "there is no group `a`"),
        (r"(a\1)", "group `1` is not complete"),
        ("a(?i)b", "flags for the whole expression must be at its start"),
        ("*a", "a quantifier has nothing to repeat"),
        ("^*", "a quantifier has nothing to repeat"),
        ("a**", "a quantifier follows another quantifier"),
        ("a{3,2}", "the minimum of a repetition is greater"),
        ("(a", "a `)` is missing"),
        ("a)", "a `)` has no `(`"),
        ("[a", "a `]` is missing"),
        ("[a--b]", "the range `a--` is in the wrong order"),
        ("[z-a]", "the range `z-a` is in the wrong order"),
        (r"[\w-a]", "a range of characters can't begin or end with a set"),
        ("(?<=a+)b", "look-behind needs a pattern of fixed width"),
        ("(a)(?(1)b|c|d)", "a condition can have two branches only"),
        ("a\\", r"it ends with a `\`"),
    ] {
        let error = is_match(pattern, "a").expect_err(pattern);
        assert!(error.contains(problem), "{pattern}: {error}");
        assert!(Pattern::check(pattern).is_err());
    }
    let deep = "(".repeat(100_000);
    assert!(is_match(&deep, "a").is_err_and(|error| error.contains("nested too deeply")));
    let nested = |depth| format!("{}a{}", "(?:".repeat(depth), ")*".repeat(depth));
    assert_eq!(is_match(&nested(50), "a"), Ok(true));
    assert!(is_match(&nested(200), "a").is_err_and(|error| error.contains("nested too deeply")));
}

#[test]
fn positions_and_names_of_groups_are_kept() -> Result<()> {
    let meter = Meter::new(Limits::default());
    let pattern = Pattern::new(&meter, r"(?P<word>\w+)(?P<end>x)?\s*$", Flags::default())?;
    for text in ["ab cd", "ab cd\n"] {
        let found = pattern.first(&meter, text)?.expect("a match");
        assert_eq!(found.group(1), Some("cd"), "{text:?}");
        let (positional, named) = pattern.groups(&found);
        assert_eq!((positional.len(), named.len()), (3, 2));
        assert_eq!(super::expand(r"<\g<word>\2>", &pattern, &found)?, "<cd>");
        assert!(super::expand(r"\q", &pattern, &found).is_err());
    }
    let end = Pattern::new(&meter, "b$", Flags::default())?;
    let found = end.first(&meter, "ab\n")?.expect("a match");
    assert_eq!(found.text(), "b", "the newline is not part of the match");
    Ok(())
}

#[test]
fn patterns_get_the_syntax_of_ecma_262() {
    for (python, expected) in [
        ("^[a-z]+$", r"^[a-z]+\n?$"),
        ("^(?:a|b$)$x", r"^(?:a|b(?=\n?$))(?=\n?$)x"),
        (r"\A(?P<year>\d{4})-(?P=year)\Z", r"^(\p{Nd}{4})-(?:\1)$"),
        (r"a\-b\_c\@", "a-b_c@"),
        (r"[]\-[a]", r"[\]\-\[a]"),
        ("[[:alpha:]]", r"[\[:alpha:]\]"),
        ("x{,5}y{z}", r"x{0,5}y\{z\}"),
        ("a(?#note)b(?:c|d)(?=e)", "ab(?:c|d)(?=e)"),
        ("a}]", r"a\}\]"),
        (".*", r"[^\n]*"),
        (r"[\s\S]", r"[\s\S]"),
        (r"[^\W\d_]", r"(?:(?![\p{Nd}_])[\p{L}\p{N}_])"),
        (r"a\Bb", "a(?!^$)(?:(?<=[\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_]))b"),
        (r"(?a)\B", r"(?!^$)\B"),
        (r"(?a)\S", r"[\u0000-\u0008\u000e-\u001f!-\u{10ffff}]"),
        ("(?=a)*b", "b"),
    ] {
        assert_eq!(ecma::translate(python).as_deref(), Some(expected), "{python}");
    }
    for python in ["(?i)a", "(?i:a)", "(?>a)", "a++", "(a)?(?(1)b|c)", r"(a)?\1", r"\N{DASH}", "(", "a)", "[a", r"\z"] {
        assert_eq!(ecma::translate(python), None, "{python}");
    }
    assert_eq!(ecma::literal("a.b|\n"), r"a\.b\|\n");
}

/// Returns the texts of all matches.
fn all(pattern: &str, text: &str) -> Result<Vec<String>> {
    let meter = Meter::new(Limits::default());
    let found = Pattern::new(&meter, pattern, Flags::default())?.all(&meter, text, 0)?;
    Ok(found.iter().map(|next| next.text().to_owned()).collect())
}

#[test]
fn empty_matches_follow_others() -> Result<()> {
    for (pattern, text, expected) in [
        ("a*", "ab", &["a", "", ""][..]),
        ("|a", "ab", &["", "a", "", ""]),
        ("a*?", "aé", &["", "a", "", ""]),
        ("(?:)|(?=x)", "é", &["", ""]),
        (r"\b|\w+", "éa b", &["", "éa", "", "", "b", ""]),
        ("$", "a\n", &["", ""]),
        ("b", "abab", &["b", "b"]),
        ("a+(?=b|$)", "aab aac a\n", &["aa", "a"]),
        ("(?=a)|b", "ab", &["", "b"]),
    ] {
        assert_eq!(all(pattern, text)?, expected, "{pattern} {text:?}");
    }
    Ok(())
}

#[test]
fn counts_and_templates_are_those_of_python() -> Result<()> {
    let meter = Meter::new(Limits::default());
    let replaced = |pattern: &str, text: &str, template: &str, count| {
        let pattern = Pattern::new(&meter, pattern, Flags::default())?;
        pattern.replace(&meter, text, count, |found| super::expand(template, &pattern, found))
    };
    assert_eq!(replaced("a*", "baac", "-", 0)?, "-b--c-");
    assert_eq!(replaced("a", "aaa", "b", 2)?, "bba");
    assert_eq!(replaced("a", "aaa", "b", -1)?, "aaa");
    assert_eq!(replaced("(a)", "a", r"\0\101\1\g<0>\012", 0)?, "\0Aaa\n");
    assert!(replaced("a", "a", r"\777", 0).is_err_and(|error| error.message().contains("greater than")));
    let parts = Pattern::new(&meter, "b*", Flags::default())?.split(&meter, "abc", 0)?;
    assert_eq!(parts, ["", "a", "", "c", ""].map(super::Value::from));
    Ok(())
}

#[test]
fn large_repetitions_are_compiled() {
    for pattern in [
        r"^\w{1,22}$",
        r"^[\w-]{1,63}$",
        r"^\W{0,64}\w",
        "^.{1,4096}$",
        r"(?=.*\d)[\w!]{2,64}",
        r"^(?!.*--)[\w.-]{1,63}$",
    ] {
        for text in ["ab1", "é1"] {
            assert_eq!(is_match(pattern, text), Ok(true), "{pattern} {text}");
        }
    }
    assert_eq!(is_match(r"^[\w.-]{1,255}$", &"a.".repeat(100)), Ok(true));
    // Only texts of ASCII have a small program. The repetitions in others are counted.
    for (pattern, character) in
        [(r"^\w{1,1000}$", "é"), (r"^(?:\w+,?){1000}$", "é,"), (r"^\W{1000}?.?$", "–"), ("(?i)^É(?:a|[^b]){999}$", "é")]
    {
        let matches = |count: usize| is_match(pattern, &character.repeat(count));
        assert!(Pattern::check(pattern).is_ok());
        assert_eq!((matches(1000), matches(1002), matches(0)), (Ok(true), Ok(false), Ok(false)), "{pattern}");
    }
    for pattern in [r"^(\w{1000}){1000}$", "(?!x)(?:(?:a{1000}){1000}){1000}"] {
        let error = Pattern::check(pattern).expect_err(pattern).message().to_owned();
        assert!(error.contains("` is too large: with all its repetitions, it takes more than 16 MB"), "{error}");
        assert_eq!(is_match(pattern, "a"), Err(error));
    }
}

/// Returns the number of steps of finding all matches.
fn steps(pattern: &str, text: &str) -> Result<u64> {
    let meter = Meter::new(Limits::default().with_steps(2_000_000));
    let pattern = Pattern::new(&meter, pattern, Flags::default())?;
    let compiled = meter.steps();
    pattern.all(&meter, text, 0)?;
    Ok(meter.steps() - compiled)
}

#[test]
fn matches_cost_the_text_that_they_pass() -> Result<()> {
    for pattern in ["(?!x)a", r"(?<=b )a", r"(\w)(?!\1)b", "a|b", r"\w+", "(?!x)a+", r"\w+(?!\w)", r"(?:)|(?!x)a"] {
        let (short, long) = (steps(pattern, &"ab ".repeat(300))?, steps(pattern, &"ab ".repeat(3000))?);
        assert!(long < 12 * short + 2000, "{pattern}: {short}, {long}");
    }
    let meter = Meter::new(Limits::default().with_steps(500_000));
    let pattern = Pattern::new(&meter, r"(a|aa)+\1b", Flags::default())?;
    let error = pattern.is_match(&meter, &format!("{}cb", "a".repeat(30))).expect_err("exponential");
    assert_eq!(error.kind(), crate::ErrorKind::Steps);
    assert!(format!("{error:?}").contains("--limit eval-steps"), "{error:?}");
    Ok(())
}

/// A look-ahead is searched as a whole, however its repetitions are nested.
#[test]
fn nested_repetitions_in_look_around_cost_one_search() {
    for text in ["ab ".repeat(1000), "abc def ".repeat(380), "a".repeat(3000)] {
        for pattern in [r"a(?=(?:\w+ )*)b?", r"(?=(\w+ ?)+)a", r"(?=(?:\w{1,5} ?)*)a.", r"\w(?<=a)(?:\w+ )*"] {
            let steps = steps(pattern, &text).map_err(|_| pattern);
            assert!(matches!(steps, Ok(..1_500_000)), "{pattern} in {}: {steps:?}", &text[..3]);
        }
    }
}

/// Python ends a repetition after an empty iteration; others go on with the next alternative.
#[test]
fn empty_iterations_give_way_to_alternatives() {
    let meter = Meter::new(Limits::default());
    let all = |pattern: &str| {
        let pattern = Pattern::new(&meter, pattern, Flags::default()).expect("it is valid");
        let found = pattern.all(&meter, "cba", 0).expect("it is cheap");
        found.iter().map(|found| found.text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(all("(?:b?|a)*"), ["", "ba", ""], "Python finds `b` and `a` separately");
    assert_eq!(all("(?:b|a)*"), ["", "ba", ""]);
}

#[test]
fn ordinary_patterns_are_cheap_in_long_texts() -> Result<()> {
    // 20 KB of prose, of one long row, and of lines.
    let prose = "The quick brown fox, jumps over 13 lazy dogs. ".repeat(450);
    let lines = "name=value other: 1.2.3.4 # note\n".repeat(600);
    let row = "a".repeat(20_000);
    for pattern in [
        r"\w+\s+(?=\d)",
        r"\w+(?!\w)",
        r"[A-Z]\w*(?=\s\w+)",
        r"(?:\w+\s?)+(?=!)",
        r"\b\w+\b",
        r"(?<![\w.])\d+(?:\.\d+)*(?![\w.])",
        r"(?m)^(\w+)=(?!\s)(.*)",
        r"(?m)^\s*(\w+)=(?!\s)(.*)$",
        r"(\w+)\s*=\s*(\w+)",
        r"o[^.]*\.",
        r"\s+$",
    ] {
        for (name, text) in [("prose", &prose), ("lines", &lines), ("row", &row)] {
            match steps(pattern, text) {
                Ok(steps) => assert!(steps < 300_000, "{pattern} in {name}: {steps}"),
                // Each start in the row tries the whole rest.
                Err(error) => assert_eq!((error.kind(), name), (crate::ErrorKind::Steps, "row"), "{pattern}"),
            }
        }
    }
    // The row has no match even without the look-ahead, so that it takes no attempts.
    assert!(steps(r"(?m)^\s*(\w+)=(?!\s)(.*)$", &row)? < 100_000);
    let gaps = format!("{}c", "ab".repeat(100)).repeat(100);
    assert!(steps("(?:a|b)*?(?=c)c", &gaps)? < 500_000);
    // Each attempt may compare a whole word.
    assert!(steps(r"\b(\w+) \1", &prose).is_ok());
    assert!(steps(r"[ab](?:(?:.[^x])*){3,50}\b", &row).is_ok());
    Ok(())
}

#[test]
fn searches_begin_where_a_pattern_without_look_around_matches() -> Result<()> {
    let long = "x".repeat(2_000);
    for (pattern, tail, matches) in [
        (r"(?<=x)(\w)\1=(?!\s)", "yy=1 zz= 2", 1),
        (r"(?>\w*?)(?!x)y+(?=z)z", "yyz", 1),
        (r"\w*?(?!x)y++(?=z)z", "yyz", 1),
        (r"(x)?(?(1)\w*|q)(?=b)b$", "b\n", 1),
        (r"(\w)*?(?=y)y(?(1)z|q)", "yz", 1),
        (r"(?=(x+))\1y", "y", 1),
        (r"(?!\w+y)x+$", "y", 0),
        (r"\B(?=y)y\b", "y", 1),
    ] {
        let meter = Meter::new(Limits::default());
        let (long, short) = (format!("{long}{tail}"), format!("xxx{tail}"));
        let pattern_of = || Pattern::new(&meter, pattern, Flags::default());
        let short = pattern_of()?.all(&meter, &short, 0)?.len();
        let found = pattern_of()?.all(&meter, &long, 0);
        assert_eq!(short, matches, "{pattern}");
        match found {
            Ok(found) => assert_eq!(found.len(), matches, "{pattern}"),
            Err(error) => assert_eq!(error.kind(), crate::ErrorKind::Steps, "{pattern}"),
        }
    }
    Ok(())
}

#[test]
fn all_backtracking_is_charged() -> Result<()> {
    // Each of them takes exponential or cubic time, which the limit on steps stops.
    let row = "a".repeat(5000);
    let (end, other_end) = (format!("{row}b"), format!("{row}cb"));
    for (pattern, text) in [
        (r"(?:(?:.[^x])*){3,50}(?<!a)", &row),
        (r"(?:a|aa)+(?!b)b", &end),
        (r"(?:a*)*(?!b)b", &end),
        (r"(a*)*\1b", &other_end),
        (r"(?:a*?){9}(?!b)b", &end),
        (r"(a?)(?(1)a*|b)*(?!b)b", &end),
    ] {
        let error = steps(pattern, text).expect_err(pattern);
        assert_eq!(error.kind(), crate::ErrorKind::Steps, "{pattern}");
    }
    // Another engine searches the look-ahead as a whole, from each position.
    assert!((400_000..500_000).contains(&steps(r"(?=(?:a*a*)*b)a", &row)?));
    // The same text is searched for each match.
    for (pattern, text) in [
        ("x.*b|a", "xa"),
        (r"x(?:[^b]*b)?", "x"),
        (".{0,9}x[^b]*b|.", "ax"),
        ("a*b|a", "a"),
        ("(?:.*b|a)(?=a)", "a"),
        ("(?:(?:.*b|a)(?=a|x))", "xa"),
    ] {
        let costs = [100, 1000].map(|count| steps(pattern, &text.repeat(count)));
        assert!(
            matches!(costs, [Ok(short), Ok(long)] if long > 15 * short) || costs[1].is_err(),
            "{pattern}: {costs:?}"
        );
    }
    // Those without look-around take time in proportion to the text.
    for pattern in [
        r"[ab](?:(?:.[^x])*){3,50}\b",
        r"(?:a*)*\bb",
        r"^(?:a|aa)+\B$",
        r"(a*)*$",
        "(?:a|aa)*(?=b)",
        "(?:(?:a*)*(?=b|c))",
    ] {
        let (short, long) = (steps(pattern, &row[..1000])?, steps(pattern, &row)?);
        assert!(long < 6 * short + 2000, "{pattern}: {short}, {long}");
    }
    Ok(())
}
