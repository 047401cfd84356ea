//! Parses expressions in both syntaxes, and evaluates them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tosca_parse::yaql::{Dialect, Engine, Expression, Limits, Syntax, Value};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = Expression::parse(&text, Syntax::Murano);
    let data = || Value::list(vec![Value::from(1_i64), Value::from("two"), Value::dict([("a".into(), Value::Null)])]);
    for dialect in [Dialect::Standard, Dialect::Legacy] {
        let limits = Limits { depth: 100, ..Limits::default() }.with_steps(100_000);
        let _ = Engine::new(dialect, limits).evaluate(&text, data());
    }
});
