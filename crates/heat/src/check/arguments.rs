//! The arguments of functions.

use foldhash::{HashMap, HashSet};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Help;
use tosca_parse::rules::UNKNOWN_NAME;
use tosca_parse_yaql::{Expression, Syntax};

use super::value::{Checker, Known, Made, PSEUDO_PARAMETERS, Place};
use crate::function::Function;
use crate::grammar::{LIBERTY, NEWTON, PIKE, WALLABY};
use crate::rules;
use crate::shape::Shapes;

impl Checker<'_, '_> {
    fn invalid(&mut self, node: Node<'_>, message: String, help: &str) {
        self.report(&rules::INVALID_FUNCTION, node, message, help);
    }

    /// Checks the shape of an argument and the functions in it. Returns whether it is a literal of an allowed shape.
    fn expect(&mut self, function: &Function, what: &str, node: Node<'_>, allowed: Shapes) -> bool {
        let before = self.context.problems();
        self.walk(node);
        let shapes = self.shapes(node);
        if self.context.problems() == before && !shapes.meets(allowed) {
            let (is, name) = (shapes.title(), function.name());
            let message = format!("{what} of `{name}` must be {}, not {is}", allowed.title());
            self.invalid(node, message, &format!("write {}", allowed.title()));
        }
        self.call(node).is_none() && shapes.meets(allowed)
    }

    /// Checks an argument whose content the caller checks if it is a literal list or map of an allowed shape. Returns
    /// whether it is. Nothing is checked twice, because in nested functions, this would take exponential time.
    fn expect_outline(&mut self, function: &Function, what: &str, node: Node<'_>, allowed: Shapes) -> bool {
        let is_literal = matches!(node.kind(), Kind::List | Kind::Map) && self.call(node).is_none();
        if is_literal && Shapes::of(node).meets(allowed) {
            self.keys(node);
            return true;
        }
        self.expect(function, what, node, allowed);
        false
    }

    /// Returns the arguments of a function that takes a list of them.
    fn list<'n>(&mut self, function: &Function, node: Node<'n>, least: usize, most: usize) -> Option<Vec<Node<'n>>> {
        if self.call(node).is_some() {
            self.walk(node);
            return None;
        }
        let (name, help) = (function.name(), function.help());
        if node.kind() != Kind::List {
            let message = format!("the arguments of `{name}` must be a list, not {}", Shapes::of(node).title());
            self.invalid(node, message, &help);
            return None;
        }
        if node.len() < least || node.len() > most {
            let noun = if node.len() == 1 { "argument" } else { "arguments" };
            let message = format!("`{name}` does not take {} {noun}", node.len());
            self.invalid(node, message, &help);
            return None;
        }
        Some(node.items().collect())
    }

    /// Returns the arguments of a function that takes a map of them.
    fn map(&mut self, function: &Function, node: Node<'_>, required: &[&str], all: &[&str]) -> bool {
        let (name, help) = (function.name(), function.help());
        if node.kind() != Kind::Map {
            let message = format!("the arguments of `{name}` must be a map, not {}", Shapes::of(node).title());
            self.invalid(node, message, &help);
            return false;
        }
        let mut meant = Vec::new();
        for entry in node.entries() {
            let given = entry.key.text();
            if !all.contains(&given) {
                let near = self.context.suggestions().nearest(given, all.iter().copied());
                let help = near.map_or_else(|| help.clone().into(), Help::did_you_mean);
                self.report(&rules::INVALID_FUNCTION, entry.key, format!("`{name}` has no argument `{given}`"), help);
                meant.extend(near);
            }
        }
        for key in required {
            if node.find(key).is_none() {
                if !meant.contains(key) {
                    self.invalid(node, format!("`{name}` lacks the argument `{key}`"), &help);
                }
                return false;
            }
        }
        true
    }

    /// Returns the resource that an argument names; `None` if it is unknown, which has been reported.
    fn resource(&mut self, node: Node<'_>) -> Option<usize> {
        let name = node.text();
        let found = *self.scope.by_name.get(name)?;
        let known = &self.scope.resources[found];
        if !self.is_conditional && known.condition.is_some_and(|condition| self.holds(condition) == Some(false)) {
            let message = format!("resource `{name}` does not exist, because its condition is false");
            self.report(&rules::DISABLED_RESOURCE, node, message, "use the same condition here");
        }
        if let Place::Resource(user) = self.place {
            self.edges[user].push((found, node.span()));
        }
        Some(found)
    }
}

/// Checks a function whose single argument is a string.
pub(crate) fn text(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    checker.expect(function, "the argument", node, Shapes::STRING.or(Shapes::NULL));
}

/// Checks the arguments of a function that takes a list of values with the given shapes.
fn listed(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>, shapes: &[Shapes]) {
    let Some(arguments) = checker.list(function, node, shapes.len(), shapes.len()) else { return };
    for (argument, allowed) in arguments.into_iter().zip(shapes) {
        checker.expect(function, "an argument", argument, *allowed);
    }
}

pub(crate) fn select(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    listed(checker, function, node, &[Shapes::STRING.or(Shapes::INTEGER), Shapes::ANY]);
}

pub(crate) fn split(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    listed(checker, function, node, &[Shapes::STRING, Shapes::STRING.or(Shapes::NULL)]);
}

pub(crate) fn replace(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    listed(checker, function, node, &[Shapes::MAP, Shapes::STRING.or(Shapes::NULL)]);
}

pub(crate) fn members_to_map(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    listed(checker, function, node, &[Shapes::STRING, Shapes::STRING, Shapes::LIST]);
}

pub(crate) fn reference(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let name = node.text();
    if !checker.expect(function, "the name", node, Shapes::STRING) || checker.resource(node).is_some() {
        return;
    }
    let names = || checker.scope.parameters.keys().chain(checker.scope.by_name.keys()).copied();
    if PSEUDO_PARAMETERS.contains(&name) || names().any(|known| known == name) {
        return;
    }
    let mut names: Vec<&str> = names().collect();
    names.sort_unstable();
    let help = checker.context.did_you_mean(name, names, "there are");
    let help = help.unwrap_or_else(|| "define it, or correct the name".into());
    checker.report(&UNKNOWN_NAME, node, format!("there is no resource or parameter `{name}`"), help);
}

pub(crate) fn get_param(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let name = if node.kind() == Kind::List {
        let Some(arguments) = checker.list(function, node, 1, usize::MAX) else { return };
        for argument in &arguments[1..] {
            checker.expect(function, "the path", *argument, Shapes::STRING.or(Shapes::INTEGER));
        }
        arguments[0]
    } else {
        node
    };
    checker.expect(function, "the name", name, Shapes::STRING);
}

pub(crate) fn get_resource(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    if checker.expect(function, "the name", node, Shapes::STRING) {
        checker.resource(node);
    }
}

pub(crate) fn get_attr(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let least = if checker.scope.version < LIBERTY { 2 } else { 1 };
    if node.kind() != Kind::List {
        let message = format!("the arguments of `get_attr` must be a list, not {}", Shapes::of(node).title());
        checker.invalid(node, message, &function.help());
        return;
    }
    let Some(arguments) = checker.list(function, node, least, usize::MAX) else { return };
    if matches!(checker.place, Place::UpdatePolicy(_)) {
        checker.invalid(node, "update policies can't use attributes of resources".to_owned(), "use a parameter");
        return;
    }
    for argument in arguments.iter().skip(2) {
        checker.expect(function, "the path", *argument, Shapes::STRING.or(Shapes::INTEGER));
    }
    let is_literal = checker.expect(function, "the name of the resource", arguments[0], Shapes::STRING);
    let resource = is_literal.then(|| checker.resource(arguments[0])).flatten();
    let Some(attribute) = arguments.get(1) else { return };
    let shapes = Shapes::STRING.or(Shapes::INTEGER);
    if !checker.expect(function, "the name of the attribute", *attribute, shapes) {
        return;
    }
    let Some(known) = resource.map(|resource| &checker.scope.resources[resource]) else { return };
    let text = attribute.text();
    if checker.has_attribute(known, text) {
        return;
    }
    let names = [Some(known.made), known.member].into_iter().flatten().flat_map(|made| checker.attributes(made));
    let help = checker.context.did_you_mean(text, names, "it has");
    let help = help.unwrap_or_else(|| "read a different attribute, such as `show`".into());
    let message = format!("resource `{}` has no attribute `{text}`", known.name);
    checker.report(&rules::UNKNOWN_ATTRIBUTE, *attribute, message, help);
}

impl<'a> Checker<'_, 'a> {
    /// Returns the names of the attributes that a type declares.
    fn attributes(&self, made: Made<'a>) -> impl Iterator<Item = &'a str> {
        let (ty, nested) = match made {
            Made::Unknown => (None, None),
            Made::Type(ty) => (Some(ty), None),
            Made::Nested(_, nested) => (None, Some(nested)),
        };
        let of_type = ty.into_iter().flat_map(|ty| ty.attributes.iter().map(|(name, _)| name));
        let of_template = nested.into_iter().flat_map(|nested| nested.outputs.iter().map(|(name, _)| name));
        of_type.chain(of_template).map(|name| self.context.text(name))
    }

    /// Returns whether a type has an attribute or may have it.
    fn declares(&self, made: Made<'a>, name: &str) -> bool {
        let symbol = || self.context.program.interner.get(name);
        name == "show"
            || match made {
                Made::Unknown => true,
                Made::Type(ty) => {
                    ty.any_attribute.is_some_and(|any| any.value)
                        || symbol().is_some_and(|name| ty.attributes.get(name).is_some())
                }
                Made::Nested(_, nested) => {
                    name == "outputs"
                        || name.starts_with("resource.")
                        || symbol().is_some_and(|name| nested.outputs.get(name).is_some())
                }
            }
    }

    /// Returns whether a resource has an attribute. A group also has the attributes of its members.
    fn has_attribute(&self, known: &Known<'a>, name: &str) -> bool {
        let ty = known.resource.r#type.map_or("", |ty| self.context.text(ty.name));
        let Some(member) = known.member.filter(|_| ty == "OS::Heat::ResourceGroup") else {
            return self.declares(known.made, name);
        };
        name.starts_with("resource.")
            || self.declares(member, name)
            || self.attributes(known.made).any(|known| known == name)
    }
}

pub(crate) fn get_file(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    checker.expect(function, "the path", node, Shapes::STRING);
}

pub(crate) fn resource_facade(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let parts = match function.removed {
        None => ["metadata", "deletion_policy", "update_policy"],
        Some(_) => ["Metadata", "DeletionPolicy", "UpdatePolicy"],
    };
    let name = function.name();
    if checker.expect(function, "the argument", node, Shapes::STRING) && !parts.contains(&node.text()) {
        checker.invalid(node, format!("`{name}` has no part `{}`", node.text()), &function.help());
    } else if checker.scope.is_entry {
        let message = format!("`{name}` only has a value in nested templates");
        checker.invalid(node, message, "use the function in a template that is the type of a resource");
    }
}

pub(crate) fn list_join(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let most = if checker.scope.version < LIBERTY { 2 } else { usize::MAX };
    let Some(arguments) = checker.list(function, node, 2, most) else { return };
    checker.expect(function, "the delimiter", arguments[0], Shapes::STRING);
    let items = if checker.scope.version < LIBERTY {
        Shapes::NULL.or(Shapes::STRING)
    } else {
        Shapes::NULL.or(Shapes::STRING).or(Shapes::LIST).or(Shapes::MAP)
    };
    for list in &arguments[1..] {
        if checker.expect_outline(function, "the list", *list, Shapes::LIST.or(Shapes::NULL)) {
            list.items().for_each(|item| {
                checker.expect(function, "an item", item, items);
            });
        }
    }
}

pub(crate) fn str_replace(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    if !checker.map(function, node, &["template", "params"], &["template", "params"]) {
        return;
    }
    let (Some(template), Some(params)) = (node.find("template"), node.find("params")) else { return };
    let is_literal = checker.expect(function, "`template`", template.value, Shapes::STRING);
    if !checker.expect(function, "`params`", params.value, Shapes::MAP) {
        return;
    }
    for entry in params.value.entries() {
        let key = entry.key.text();
        if entry.key.kind() == Kind::Null || key.is_empty() {
            checker.invalid(entry.key, "a key of `params` is empty".to_owned(), "write the text to replace");
        }
        if function.name() != "str_replace" && is_literal && !template.value.text().contains(key) {
            let message = format!("`template` does not contain `{key}`");
            checker.invalid(entry.key, message, "remove the key, or use `str_replace`");
        }
        let value = entry.value;
        let is_empty = match value.kind() {
            Kind::Null => true,
            Kind::String => value.text().is_empty(),
            Kind::List | Kind::Map => value.is_empty(),
            _ => false,
        };
        if function.name() == "str_replace_vstrict" && is_empty {
            let message = format!("the value of `{key}` is empty");
            checker.invalid(value, message, "write a value, or use `str_replace_strict`");
        }
        let is_complex = Shapes::of(value).meets(Shapes::LIST.or(Shapes::MAP)) && checker.call(value).is_none();
        if checker.scope.version < LIBERTY && is_complex {
            let message = format!("the value of `{key}` must be a scalar in this version");
            checker.invalid(value, message, "join it with `list_join`");
        }
    }
}

pub(crate) fn digest(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 2) else { return };
    if checker.expect(function, "the algorithm", arguments[0], Shapes::STRING) {
        const ALGORITHMS: [&str; 14] = [
            "md5",
            "sha1",
            "sha224",
            "sha256",
            "sha384",
            "sha512",
            "sha3_224",
            "sha3_256",
            "sha3_384",
            "sha3_512",
            "blake2b",
            "blake2s",
            "sha512_224",
            "sha512_256",
        ];
        let name = arguments[0].text();
        let lower = name.to_lowercase();
        if !ALGORITHMS.contains(&lower.as_str()) || lower.starts_with("blake") && lower != name {
            checker.invalid(
                arguments[0],
                format!("there is no digest algorithm `{name}`"),
                "write `sha256`, for instance",
            );
        }
    }
    let is_literal = checker.expect(function, "the string", arguments[1], Shapes::STRING);
    if is_literal && arguments[1].text().chars().any(|letter| letter as u32 > 0xFF) {
        let message = "the string of `digest` has a character beyond Latin-1".to_owned();
        checker.invalid(arguments[1], message, "use only Latin-1 characters");
    }
}

pub(crate) fn repeat(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let all: &[&str] = if checker.scope.version < PIKE {
        &["template", "for_each"]
    } else {
        &["template", "for_each", "permutations"]
    };
    if !checker.map(function, node, &["template", "for_each"], all) {
        return;
    }
    let mut lists = Shapes::LIST.or(Shapes::NULL);
    if let Some(permutations) = node.find("permutations") {
        let is_literal = checker.expect(function, "`permutations`", permutations.value, Shapes::BOOLEAN);
        if !is_literal || permutations.value.as_bool() == Some(true) {
            lists = lists.or(Shapes::MAP);
        }
    } else if checker.scope.version >= NEWTON {
        lists = lists.or(Shapes::MAP);
    }
    let (Some(template), Some(each)) = (node.find("template"), node.find("for_each")) else { return };
    checker.walk(template.value);
    side_by_side(checker, node, each.value);
    if checker.expect_outline(function, "`for_each`", each.value, Shapes::MAP) {
        for entry in each.value.entries() {
            if !checker.expect_outline(function, "a variable", entry.value, lists) {
                continue;
            }
            if entry.value.kind() == Kind::Map {
                entry.value.entries().for_each(|entry| checker.walk(entry.value));
            } else {
                entry.value.items().for_each(|item| {
                    checker.expect(
                        function,
                        "an item",
                        item,
                        Shapes::STRING.or(Shapes::NULL).or(Shapes::MAP).or(Shapes::LIST),
                    );
                });
            }
        }
    }
}

/// Reports lists of different lengths whose items are not permuted but used side by side.
fn side_by_side(checker: &mut Checker<'_, '_>, node: Node<'_>, each: Node<'_>) {
    if node.find("permutations").and_then(|entry| entry.value.as_bool()) != Some(false) {
        return;
    }
    let mut lists = each.entries().map(|entry| entry.value).filter(|value| value.kind() == Kind::List);
    let Some(first) = lists.next().map(Node::len) else { return };
    if let Some(other) = lists.find(|list| list.len() != first) {
        let message = format!("the lists of `repeat` have different lengths: {first} and {}", other.len());
        checker.invalid(other, message, "write lists of the same length, or remove `permutations`");
    }
}

pub(crate) fn str_split(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 3) else { return };
    let is_literal = checker.expect(function, "the delimiter", arguments[0], Shapes::STRING);
    if is_literal && arguments[0].text().is_empty() {
        checker.invalid(arguments[0], "the delimiter of `str_split` is empty".to_owned(), "write a delimiter");
    }
    let has_text = checker.expect(function, "the string", arguments[1], Shapes::STRING.or(Shapes::NULL));
    let Some(index) = arguments.get(2) else { return };
    if !checker.expect(function, "the index", *index, Shapes::INTEGER.or(Shapes::STRING)) {
        return;
    }
    let Ok(number) = index.text().trim().parse::<i64>() else {
        checker.invalid(
            *index,
            format!("the index `{}` of `str_split` is not an integer", index.text()),
            "write an integer",
        );
        return;
    };
    if has_text && is_literal && arguments[1].kind() == Kind::String && !arguments[0].text().is_empty() {
        let parts = arguments[1].text().split(arguments[0].text()).count();
        let parts = i64::try_from(parts).unwrap_or(i64::MAX);
        if number >= parts || number < -parts {
            checker.invalid(
                *index,
                format!("the index {number} of `str_split` is out of range"),
                "write an index that is within the number of parts",
            );
        }
    }
}

/// Checks a list whose values must all have one of the given shapes.
fn values(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>, shapes: Shapes) {
    let Some(arguments) = checker.list(function, node, 0, usize::MAX) else { return };
    for argument in arguments {
        checker.expect(function, "an argument", argument, shapes.or(Shapes::NULL));
    }
}

pub(crate) fn map_merge(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    values(checker, function, node, Shapes::MAP);
}

pub(crate) fn list_concat(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    values(checker, function, node, Shapes::LIST);
}

pub(crate) fn map_replace(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 2) else { return };
    checker.expect(function, "the map", arguments[0], Shapes::MAP.or(Shapes::NULL));
    if checker.expect_outline(function, "the replacement", arguments[1], Shapes::MAP.or(Shapes::NULL)) {
        checker.map(function, arguments[1], &[], &["keys", "values"]);
        for entry in arguments[1].entries() {
            checker.expect(function, "a replacement", entry.value, Shapes::MAP.or(Shapes::NULL));
        }
        colliding(checker, arguments[0], arguments[1]);
    }
}

/// Reports keys that `map_replace` would make equal to other keys.
fn colliding(checker: &mut Checker<'_, '_>, map: Node<'_>, replacement: Node<'_>) {
    if checker.call(map).is_some() {
        return;
    }
    let Some(keys) = replacement.find("keys").map(|entry| entry.value) else { return };
    if checker.call(keys).is_some() {
        return;
    }
    let renamed: HashMap<&str, Node<'_>> = keys.entries().map(|entry| (entry.key.text(), entry.value)).collect();
    let mut met = HashSet::default();
    for key in map.entries().map(|entry| entry.key) {
        let new = renamed.get(key.text()).copied();
        if new.is_some_and(|new| !matches!(new.kind(), Kind::String | Kind::Integer)) {
            continue;
        }
        let name = new.unwrap_or(key).text();
        if !met.insert(name) {
            let message = format!("`map_replace` gives two keys the name `{name}`");
            checker.invalid(new.unwrap_or(key), message, "use different names");
        }
    }
}

pub(crate) fn filter(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 2) else { return };
    for (what, argument) in ["the values", "the list"].into_iter().zip(arguments) {
        checker.expect(function, what, argument, Shapes::LIST.or(Shapes::NULL));
    }
}

pub(crate) fn contains(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 2) else { return };
    checker.walk(arguments[0]);
    checker.expect(function, "the list", arguments[1], Shapes::LIST.or(Shapes::STRING));
}

pub(crate) fn make_url(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    const PARTS: [&str; 8] = ["scheme", "username", "password", "host", "port", "path", "query", "fragment"];
    if checker.call(node).is_some() {
        checker.walk(node);
        return;
    }
    if !checker.map(function, node, &[], &PARTS) {
        return;
    }
    for entry in node.entries() {
        let name = entry.key.text();
        let allowed = match name {
            "query" => Shapes::MAP,
            "port" => Shapes::STRING.or(Shapes::NUMBER),
            _ => Shapes::STRING,
        };
        if !PARTS.contains(&name) || !checker.expect(function, &format!("`{name}`"), entry.value, allowed) {
            continue;
        }
        let text = entry.value.text();
        if name == "port" && !text.trim().parse::<u32>().is_ok_and(|port| (1..=65_535).contains(&port)) {
            checker.invalid(entry.value, format!("`{text}` is not a port"), "write a number from 1 to 65535");
        }
        if name == "scheme" && text.contains(':') {
            checker.invalid(entry.value, "`scheme` contains a colon".to_owned(), "remove the colon");
        }
    }
}

pub(crate) fn yaql(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let before = checker.context.problems();
    if !checker.map(function, node, &["expression"], &["expression", "data"]) {
        return;
    }
    if let Some(data) = node.find("data") {
        checker.walk(data.value);
    }
    let Some(expression) = node.find("expression") else { return };
    if !checker.expect(function, "`expression`", expression.value, Shapes::STRING) {
        return;
    }
    if let Err(fault) = Expression::parse(expression.value.text(), Syntax::Standard) {
        checker.invalid(expression.value, format!("invalid expression: {fault}"), "correct the expression");
    } else if checker.context.problems() == before
        && let Some(Err(fault)) = checker.yaql(node)
    {
        checker.invalid(
            expression.value,
            format!("the expression fails: {fault}"),
            "correct the expression or its data",
        );
    }
}

pub(crate) fn choice(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let least = if checker.scope.version < WALLABY { 3 } else { 2 };
    if node.kind() != Kind::List {
        let message = format!("the arguments of `if` must be a list, not {}", Shapes::of(node).title());
        checker.invalid(node, message, &function.help());
        return;
    }
    let Some(arguments) = checker.list(function, node, least, 3) else { return };
    checker.condition(arguments[0], true);
    let before = std::mem::replace(&mut checker.is_conditional, true);
    arguments[1..].iter().for_each(|branch| checker.walk(*branch));
    checker.is_conditional = before;
}

pub(crate) fn equals(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, 2) else { return };
    arguments.into_iter().for_each(|argument| checker.walk(argument));
}

pub(crate) fn not(checker: &mut Checker<'_, '_>, _: &'static Function, node: Node<'_>) {
    checker.condition(node, true);
}

pub(crate) fn several(checker: &mut Checker<'_, '_>, function: &'static Function, node: Node<'_>) {
    let Some(arguments) = checker.list(function, node, 2, usize::MAX) else { return };
    arguments.into_iter().for_each(|argument| checker.condition(argument, true));
}
