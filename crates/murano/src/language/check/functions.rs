//! The functions that expressions can call in packages of any format.

use std::rc::Rc;

use tosca_parse_yaql::{Argument, Function, Library, Shape, Signature, Type};

thread_local! {
    static FUNCTIONS: Rc<Functions> = Rc::new(Functions {
        all: vec![
            tosca_parse_yaql::standard(),
            tosca_parse_yaql::formatting(),
            crate::functions::LIBRARY.with(Rc::clone),
            crate::contract::LIBRARY.with(Rc::clone),
            crate::mock::LIBRARY.with(Rc::clone),
        ],
        old: vec![tosca_parse_yaql::legacy(), crate::functions::LEGACY.with(Rc::clone)],
    });
}

/// All functions.
pub(super) struct Functions {
    /// The functions of all formats.
    all: Vec<Rc<Library>>,
    /// The functions that only formats before 1.2 have.
    old: Vec<Rc<Library>>,
}

impl Functions {
    pub(super) fn all() -> Rc<Self> {
        FUNCTIONS.with(Rc::clone)
    }

    fn overloads<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Rc<Function>> {
        self.all.iter().chain(&self.old).flat_map(move |library| library.overloads(name))
    }

    /// Returns whether packages of each format can call a function as `name(…)` or as `value.name(…)`.
    pub(super) fn is_current(&self, name: &str, as_method: bool) -> bool {
        let other = if as_method { Shape::Function } else { Shape::Method };
        let mut current = self.all.iter().flat_map(|library| library.overloads(name));
        current.any(|function| function.signature().shape != other)
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
            types.any(Type::is_lazy)
        })
    }

    /// Returns how the arguments of a call misfit all functions with the name; `None` if they fit one of them. The
    /// receiver of a method is its first argument.
    pub(super) fn misfit<'s>(&'s self, name: &'s str, as_method: bool, given: &[Argument]) -> Option<Misfit<'s>> {
        let other = if as_method { Shape::Function } else { Shape::Method };
        let all: Vec<&Signature> = self
            .overloads(name)
            .map(|function| function.signature())
            .filter(|signature| signature.shape != other)
            .collect();
        let takes_mappings = |signature: &&Signature| {
            let mut types = signature.parameters.iter().map(|parameter| parameter.ty).chain(signature.rest);
            types.any(|ty| ty == Type::Mapping)
        };
        if all.is_empty() || all.iter().any(takes_mappings) {
            return None;
        }
        let skipped = usize::from(as_method);
        let call = Given::of(given, skipped);
        if all.iter().any(|signature| call.fits(signature)) {
            return None;
        }
        let knows = |wanted: &str| {
            let declares = |signature: &&Signature| {
                signature.named.is_some() || signature.parameters.iter().any(|parameter| *parameter.name == *wanted)
            };
            all.iter().any(declares)
        };
        if let Some(number) = call.named.iter().find(|(_, named)| !knows(named)).map(|(number, _)| *number) {
            let parameters = all.iter().flat_map(|signature| signature.parameters.iter().skip(skipped));
            return Some(Misfit::Unknown(number, parameters.map(|parameter| &*parameter.name).collect()));
        }
        let least = |signature: &&Signature| {
            signature.parameters.iter().skip(skipped).filter(|parameter| parameter.default.is_none()).count()
        };
        let most = |signature: &&Signature| match signature.rest {
            Some(_) => usize::MAX,
            None => signature.parameters.len().saturating_sub(skipped),
        };
        Some(Misfit::Number(all.iter().map(least).min()?, all.iter().map(most).max()?))
    }

    /// Returns whether the result of a function depends only on its arguments.
    pub(super) fn is_pure(name: &str) -> bool {
        const OTHERS: [&str; 10] =
            ["call", "datetime", "def", "isRegex", "localtz", "now", "randint", "random", "sleep", "utctz"];
        let libraries = [tosca_parse_yaql::standard(), tosca_parse_yaql::formatting()];
        !OTHERS.contains(&name) && libraries.iter().any(|library| !library.overloads(name).is_empty())
    }

    /// Returns the names of the functions that are called as `name(…)` in packages of each format.
    pub(super) fn names(&self) -> Vec<&str> {
        self.names_of(|signature| signature.shape != Shape::Method)
    }

    /// Returns the names of the methods of a scalar, which is described as `a string`, for example.
    pub(super) fn methods_of(&self, scalar: &str) -> Vec<&str> {
        self.names_of(|signature| {
            let receiver = signature.parameters.first().map(|parameter| parameter.ty).or(signature.rest);
            let is_fit = match receiver {
                Some(Type::Any) => true,
                Some(Type::String) => scalar == "a string",
                Some(Type::Int) => scalar == "an integer" || scalar == "a boolean",
                Some(Type::Integer | Type::Number) => scalar == "an integer",
                Some(Type::Boolean) => scalar == "a boolean",
                _ => false,
            };
            is_fit && signature.shape != Shape::Function
        })
    }

    fn names_of(&self, is_wanted: impl Fn(&Signature) -> bool) -> Vec<&str> {
        let has = |name: &&str| {
            self.all
                .iter()
                .filter(|library| !Rc::ptr_eq(library, &crate::contract::LIBRARY.with(Rc::clone)))
                .flat_map(|library| library.overloads(name))
                .any(|function| is_wanted(function.signature()))
        };
        let mut names: Vec<&str> =
            self.all.iter().flat_map(|library| library.names()).map(AsRef::as_ref).filter(has).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The reason why no function accepts the arguments of a call.
pub(super) enum Misfit<'s> {
    /// No function has an argument with the name of the one at this position; the names that there are.
    Unknown(usize, Vec<&'s str>),
    /// The least and greatest number of arguments that the functions take.
    Number(usize, usize),
}

/// The arguments of a call.
struct Given<'g> {
    /// For each position, whether there is an argument.
    positions: Vec<bool>,
    /// The names and where they are.
    named: Vec<(usize, &'g str)>,
}

impl<'g> Given<'g> {
    fn of(arguments: &'g [Argument], receivers: usize) -> Self {
        let mut positions = vec![true; receivers];
        let mut named = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::Mapping(key, _) => named.extend(key.as_text().map(|name| (number, &**name))),
                _ => positions.push(!matches!(argument, Argument::Omitted)),
            }
        }
        Self { positions, named }
    }

    fn fits(&self, signature: &Signature) -> bool {
        let is_given = |(position, name): (usize, &str)| {
            let by_position = self.positions.get(position).copied().unwrap_or_default();
            let by_name = self.named.iter().filter(|(_, named)| *named == name).count();
            usize::from(by_position) + by_name
        };
        let counts = signature
            .parameters
            .iter()
            .enumerate()
            .map(|(position, parameter)| (is_given((position, &parameter.name)), parameter.default.is_some()));
        let is_known = |named: &str| signature.parameters.iter().any(|parameter| *parameter.name == *named);
        (signature.rest.is_some() || self.positions.len() <= signature.parameters.len())
            && (signature.named.is_some() || self.named.iter().all(|(_, named)| is_known(named)))
            && counts.into_iter().all(|(count, is_optional)| count == 1 || count == 0 && is_optional)
    }
}
