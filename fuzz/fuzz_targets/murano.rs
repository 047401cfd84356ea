//! Runs all phases on class files, manifests and models, with the core library. Then loads the classes, creates
//! objects, calls methods, generates schemas, and saves the objects.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tosca_parse::murano::language::MURANO;
use tosca_parse::murano::{Access, Arguments, PackageSource, Runtime, Style};
use tosca_parse::yaql::{Limits, Result, Value};
use tosca_parse::{Entry, Parser};

static PARSER: LazyLock<Parser> = LazyLock::new(|| Parser::builder(&MURANO).offline(true).threads(1).build().unwrap());

fuzz_target!(|bytes: &[u8]| {
    let address = PARSER.address("/none/class.yaml").unwrap();
    let outcome = PARSER.parse_entry(Entry::text(address, bytes));
    outcome.diagnostics.iter().for_each(|problem| drop(problem.message.clone()));
    let _ = run(&String::from_utf8_lossy(bytes));
});

fn run(text: &str) -> Result<()> {
    let limits = Limits { depth: 60, ..Limits::murano() }.with_steps(20_000);
    let package = PackageSource::from_text("p", "1.4", &[], text)?;
    let runtime = Runtime::builder().package(package).limits(limits).build()?;
    let package = runtime.packages().iter().find(|package| package.origin.name == "p").cloned();
    for (package, name) in package.iter().flat_map(|package| package.class_names().map(move |name| (package, name))) {
        runtime.meter().restart();
        let Ok(class) = runtime.find_class(package.origin.index, name) else { continue };
        let _ = runtime.check_meta(&class);
        let _ = runtime.schemas(&class, &[], Style::Correct);
        let _ = runtime.schemas(&class, &[], Style::Reference);
        runtime.meter().restart();
        let header = Value::dict([("type".into(), name.into()), ("id".into(), "o".into())]);
        let Ok(object) = runtime.load_object(&Value::dict([("?".into(), header)])) else { continue };
        for method in class.methods.keys() {
            runtime.meter().restart();
            let argument = Arguments::new(vec![Value::from(1_i64)], Vec::new());
            let _ = runtime.call_object("o", method, Arguments::default(), Access::Session);
            let _ = runtime.call_object("o", method, argument, Access::Session);
        }
        runtime.meter().restart();
        let _ = runtime.save(Some(&object));
        runtime.forget();
    }
    Ok(())
}
