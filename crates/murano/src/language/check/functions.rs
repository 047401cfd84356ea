//! The functions that expressions can call in packages of any format.

use std::rc::Rc;

use tosca_parse_yaql::{Function, Library, Shape};

thread_local! {
    static FUNCTIONS: Rc<Functions> = Rc::new(Functions(vec![
        tosca_parse_yaql::standard(),
        tosca_parse_yaql::formatting(),
        tosca_parse_yaql::legacy(),
        crate::functions::LIBRARY.with(Rc::clone),
        crate::functions::LEGACY.with(Rc::clone),
        crate::contract::LIBRARY.with(Rc::clone),
        crate::mock::LIBRARY.with(Rc::clone),
    ]));
}

/// All functions.
pub(super) struct Functions(Vec<Rc<Library>>);

impl Functions {
    pub(super) fn all() -> Rc<Self> {
        FUNCTIONS.with(Rc::clone)
    }

    fn overloads<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Rc<Function>> {
        self.0.iter().flat_map(move |library| library.overloads(name))
    }

    /// Returns whether `name(…)` calls a function.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.overloads(name).any(|function| function.signature().shape != Shape::Method)
    }

    /// Returns whether `value.name(…)` calls a function.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.overloads(name).any(|function| function.signature().shape != Shape::Function)
    }

    /// Returns whether a function evaluates its arguments itself, with a different `$`.
    pub(super) fn is_lazy(&self, name: &str) -> bool {
        self.overloads(name).any(|function| {
            let signature = function.signature();
            let mut types = signature.parameters.iter().map(|parameter| parameter.ty).chain(signature.rest);
            types.any(tosca_parse_yaql::Type::is_lazy)
        })
    }

    /// Returns whether the result of a function depends only on its arguments.
    pub(super) fn is_pure(name: &str) -> bool {
        const OTHERS: [&str; 10] =
            ["call", "datetime", "def", "isRegex", "localtz", "now", "randint", "random", "sleep", "utctz"];
        let libraries = [tosca_parse_yaql::standard(), tosca_parse_yaql::formatting()];
        !OTHERS.contains(&name) && libraries.iter().any(|library| !library.overloads(name).is_empty())
    }

    /// Returns the names of functions that are called as `name(…)` or else as `value.name(…)`.
    pub(super) fn names(&self, as_methods: bool) -> Vec<&str> {
        let all = self.0.iter().flat_map(|library| library.names()).map(AsRef::as_ref);
        let mut names: Vec<&str> =
            all.filter(|name| if as_methods { self.has_method(name) } else { self.has_function(name) }).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
