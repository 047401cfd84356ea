//! Methods that the host implements.

use std::cell::RefCell;
use std::rc::Rc;

use tosca_parse_murano::{Access, Arguments, NativeCall, Natives, PackageSource, Runtime, category, object_of};
use tosca_parse_yaql::{Error, ErrorKind, Result, Value};

const CLASSES: &str = "\
Namespaces: {=: t, s: io.murano.system}
Name: Files
Methods:
  read:
    Usage: Static
  size:
    Body:
      Return: 0
---
Name: App
Extends: Files
Methods:
  run:
    Body:
      - $text: $.read(name => motd)
      - $other: :Files.read(issue)
      - Try:
          - $.read(none)
        Catch:
          Do:
            - $caught: true
      - Return: [$text, $other, $caught, $.size()]
";

/// Files in memory, and the methods that read them.
struct Files(Rc<RefCell<Vec<String>>>);

impl Natives for Files {
    fn has(&self, class: &str, method: &str) -> bool {
        class == "t.Files" && matches!(method, "read" | "size")
    }

    fn call(&self, call: &NativeCall<'_>) -> Result<Value> {
        let by = object_of(call.this).map_or_else(|| call.class.to_owned(), |object| object.id.clone());
        self.0.borrow_mut().push(format!("{by}.{}", call.method));
        if call.method == "size" {
            return Ok(Value::from(3_i64));
        }
        match call.arguments.get(0, "name").to_python().as_str() {
            "none" => Err(Error::new(ErrorKind::Value, "there is no such file")),
            name => Ok(Value::from(format!("text of {name}").as_str())),
        }
    }
}

#[test]
fn the_host_has_methods() {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let package = PackageSource::from_text("t", "1.4", &[], CLASSES).unwrap();
    let runtime = Runtime::builder().package(package).natives(Files(asked.clone())).build().unwrap();
    let header = Value::dict([("type".into(), "t.App".into()), ("id".into(), "a".into())]);
    runtime.load_object(&Value::dict([("?".into(), header)])).unwrap();
    let value = runtime.call_object("a", "run", Arguments::default(), Access::Session).unwrap();
    let wanted = ["text of motd".into(), "text of issue".into(), Value::from(true), Value::from(3_i64)];
    assert_eq!(value, Value::list(wanted.to_vec()));
    assert_eq!(asked.borrow().len(), 4);
    assert!(asked.borrow().iter().any(|call| call == "a.size"), "{:?}", asked.borrow());
    let error = runtime.call_object("a", "nope", Arguments::default(), Access::Session).unwrap_err();
    assert_eq!(category(&error), "NoMethod");
}
