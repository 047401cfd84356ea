//! Tests: classes that descend from `io.murano.test.TestFixture` and their methods.

use std::rc::Rc;

use tosca_parse_yaql::{Result, Value};

use crate::class::{Class, ClassUsage, MethodUsage};
use crate::error::{Kind, is};
use crate::invoke::{Access, Arguments};
use crate::runtime::Runtime;

/// The class of tests.
const FIXTURE: &str = "io.murano.test.TestFixture";
/// The beginning of the names of test methods.
const PREFIX: &str = "test";

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The qualified name of the class.
    pub class: String,
    /// The method.
    pub method: String,
}

impl Runtime {
    /// Returns the tests of a package: the methods of its fixtures whose names begin with `test`.
    ///
    /// # Errors
    ///
    /// Returns an error if a class of the package is invalid.
    pub fn tests(self: &Rc<Self>, package: &str) -> Result<Vec<Test>> {
        let mut tests = Vec::new();
        for package in self.packages().iter().filter(|other| other.origin.name == package) {
            for name in package.class_names() {
                let class = self.find_class(package.origin.index, name)?;
                let is_fixture = class.usage == ClassUsage::Class && class.lineage().any(|class| class.name == FIXTURE);
                if is_fixture {
                    tests.extend(methods(&class).into_iter().map(|method| Test { class: name.to_owned(), method }));
                }
            }
        }
        Ok(tests)
    }

    /// Runs a test with a new object: `setUp`, the method, and `tearDown` in any case. No state of other tests remains,
    /// and the limits apply to each test separately.
    ///
    /// # Errors
    ///
    /// Returns the error of the test: a failed assertion or any other error.
    pub fn run_test(self: &Rc<Self>, test: &Test) -> Result<()> {
        const ID: &str = "test";
        self.meter().restart();
        self.forget();
        self.reset_statics();
        let entry = |key: &str, value: &str| (Value::from(key), Value::from(value));
        let header = Value::dict([entry("type", &test.class), entry("id", ID)]);
        self.load_object(&Value::dict([("?".into(), header)]))?;
        let call = |method: &str| self.call_object(ID, method, Arguments::default(), Access::Session).map(|_| ());
        let optional = |method: &str| match call(method) {
            Err(error) if is(&error, Kind::NoMethod) => Ok(()),
            result => result,
        };
        let result = optional("setUp").and_then(|()| call(&test.method));
        let end = optional("tearDown");
        result.and(end)
    }
}

fn methods(class: &Rc<Class>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for class in class.lineage() {
        for (name, method) in &class.methods {
            let is_test =
                name.starts_with(PREFIX) && matches!(method.usage, MethodUsage::Runtime | MethodUsage::Action);
            if is_test && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}
