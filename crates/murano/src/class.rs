//! Classes: what they declare, and how they descend from one another.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse::Words;
use yaql::{Result, Value};

use crate::failure::{Kind, fail, value_error};
use crate::name::Namespaces;
use crate::package::{CodeFile, Origin};
use crate::statement::{Block, block};
use crate::template::{Content, Template};

/// A class.
pub struct Class {
    /// Its qualified name.
    pub name: String,
    /// The package that it is in.
    pub origin: Rc<Origin>,
    /// The file that it is in.
    pub file: Arc<CodeFile>,
    /// `Class` or `Meta`.
    pub usage: ClassUsage,
    /// The classes that it extends, in the order of their names.
    pub parents: Vec<Rc<Class>>,
    /// The properties that it declares itself.
    pub properties: IndexMap<String, Rc<Property>>,
    /// The methods that it declares itself.
    pub methods: IndexMap<String, Rc<Method>>,
    /// The names of classes whose extension methods it sees, resolved.
    pub imports: Vec<String>,
    /// What is attached to it.
    pub meta: Vec<MetaSpec>,
    /// The namespaces that names in it are resolved in.
    pub namespaces: Namespaces,
    /// The ancestors in whose place other versions of them stand, and these.
    pub(crate) unified: Vec<(Rc<Class>, Rc<Class>)>,
    pub(crate) ancestors: OnceCell<Vec<Rc<Class>>>,
    pub(crate) statics: RefCell<IndexMap<String, Value>>,
    /// The properties that have been looked for: every object of the class asks for all of them.
    pub(crate) found: RefCell<FxHashMap<String, Found>>,
}

/// A property with the class that declares it, if there is one.
pub(crate) type Found = Option<(Rc<Class>, Rc<Property>)>;

/// What a class is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassUsage {
    /// Objects.
    Class,
    /// Descriptions of what is declared.
    Meta(MetaTraits),
}

/// What a meta class can be attached to, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaTraits {
    /// Whether several can be attached to one thing.
    pub many: bool,
    /// What it applies to.
    pub targets: Vec<String>,
    /// Whether descendants have it, too.
    pub inherited: bool,
}

/// How a property is used.
#[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
#[words(title = "usage of a property")]
pub enum PropertyUsage {
    /// Models set it; code does so only while the object is initialised.
    #[word(name = "In")]
    In,
    /// Code sets it.
    #[word(name = "Out")]
    Out,
    /// Models and code set it.
    #[word(name = "InOut")]
    InOut,
    /// Models set it; it never changes.
    #[word(name = "Const")]
    Const,
    /// Code sets it; it is not kept with the model.
    #[word(name = "Runtime")]
    Runtime,
    /// The configuration of the class sets it.
    #[word(name = "Config")]
    Config,
    /// It belongs to the class rather than to its objects.
    #[word(name = "Static")]
    Static,
}

impl PropertyUsage {
    const ALL: [(&'static str, Self); 7] = [
        ("Runtime", Self::Runtime),
        ("Config", Self::Config),
        ("In", Self::In),
        ("InOut", Self::InOut),
        ("Out", Self::Out),
        ("Const", Self::Const),
        ("Static", Self::Static),
    ];

    /// The keyword.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, usage)| *usage == self).map_or("", |(keyword, _)| keyword)
    }
}

/// A property.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// How it is used.
    pub usage: PropertyUsage,
    /// What its values are.
    pub contract: Template,
    /// Its value if there is none.
    pub default: Option<Template>,
    /// What is attached to it.
    pub meta: Vec<MetaSpec>,
}

/// How a method is used.
#[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
#[words(title = "usage of a method")]
pub enum MethodUsage {
    /// It is called on objects.
    #[word(name = "Runtime")]
    Runtime,
    /// It is called on the class.
    #[word(name = "Static")]
    Static,
    /// It is called on objects of other classes, which are its first argument.
    #[word(name = "Extension")]
    Extension,
    /// It is called on objects, by users as well.
    #[word(name = "Action")]
    Action,
}

impl MethodUsage {
    /// The keyword.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Runtime => "Runtime",
            Self::Static => "Static",
            Self::Extension => "Extension",
            Self::Action => "Action",
        }
    }
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// Its name; `.init` and `.destroy` are those that are called at the beginning and end of an object.
    pub name: String,
    /// How it is used.
    pub usage: MethodUsage,
    /// `Public` if it can be called from outside.
    pub scope: String,
    /// Its arguments.
    pub arguments: Vec<Rc<Argument>>,
    /// Its statements.
    pub body: Block,
    /// What is attached to it.
    pub meta: Vec<MetaSpec>,
}

impl Method {
    /// Whether it can be called from outside.
    pub fn is_public(&self) -> bool {
        self.scope == "Public"
    }
}

/// How an argument is used.
#[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
#[words(title = "usage of an argument")]
pub enum ArgumentUsage {
    /// It takes one value.
    #[word(name = "Standard")]
    Standard,
    /// It takes all values by position that are left.
    #[word(name = "VarArgs")]
    VarArgs,
    /// It takes all values by name that are left.
    #[word(name = "KwArgs")]
    KwArgs,
}

/// An argument of a method.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// How it is used.
    pub usage: ArgumentUsage,
    /// What its values are.
    pub contract: Template,
    /// Its value if there is none.
    pub default: Option<Template>,
    /// What is attached to it.
    pub meta: Vec<MetaSpec>,
}

/// Something that is attached to a declaration.
#[derive(Clone, Debug)]
pub struct MetaSpec {
    /// The name of the meta class as it is written.
    pub name: String,
    /// Its properties.
    pub properties: Vec<(Template, Template)>,
}

impl Class {
    /// All classes that it descends from: its parents from left to right, then theirs.
    pub fn ancestors(&self) -> &[Rc<Self>] {
        self.ancestors.get_or_init(|| {
            let mut all: Vec<Rc<Self>> = Vec::new();
            let mut level = self.parents_of(self);
            while !level.is_empty() {
                let mut next = Vec::new();
                for class in level {
                    if !all.iter().any(|other| Rc::ptr_eq(other, &class)) {
                        next.extend(self.parents_of(&class));
                        all.push(class);
                    }
                }
                level = next;
            }
            all
        })
    }

    /// Itself and all classes that it descends from.
    pub fn lineage(self: &Rc<Self>) -> impl Iterator<Item = Rc<Self>> {
        std::iter::once(self.clone()).chain(self.ancestors().iter().cloned())
    }

    /// The parents of a class as this one descends from them: some may stand there in another version than the class
    /// itself extends.
    pub fn parents_of(&self, class: &Self) -> Vec<Rc<Self>> {
        let mut parents: Vec<Rc<Self>> = Vec::with_capacity(class.parents.len());
        for parent in class.parents.iter().map(|parent| self.in_place_of(parent)) {
            if !parents.iter().any(|other| Rc::ptr_eq(other, &parent)) {
                parents.push(parent);
            }
        }
        parents
    }

    /// The version of an ancestor from which it descends.
    pub(crate) fn in_place_of(&self, ancestor: &Rc<Self>) -> Rc<Self> {
        let replaced = self.unified.iter().find(|(replaced, _)| Rc::ptr_eq(replaced, ancestor));
        replaced.map_or(ancestor, |(_, other)| other).clone()
    }

    /// Whether it is the other one, or descends from it, in this version or in one that stands in its place.
    pub fn is_a(&self, other: &Self) -> bool {
        let is_it = |class: &Rc<Self>| std::ptr::eq(&raw const **class, other);
        std::ptr::eq(self, other)
            || self.ancestors().iter().any(is_it)
            || self.unified.iter().any(|(replaced, _)| is_it(replaced))
    }

    /// Whether one of its ancestors, or itself, descends from another one.
    pub(crate) fn is_below(&self, one: &Self, other: &Self) -> bool {
        if self.unified.is_empty() {
            return one.is_a(other);
        }
        let (mut met, mut next) = (Vec::new(), self.parents_of(one));
        while let Some(class) = next.pop() {
            if std::ptr::eq(&raw const *class, other) {
                return true;
            }
            if !met.iter().any(|known| Rc::ptr_eq(known, &class)) {
                next.extend(self.parents_of(&class));
                met.push(class);
            }
        }
        false
    }

    /// The declarations of a member that no other declaration overrides, of all classes that declare it.
    fn dominant<T>(self: &Rc<Self>, declared: impl Fn(&Rc<Self>) -> Option<T>) -> Vec<(Rc<Self>, T)> {
        let all: Vec<_> = self.lineage().filter_map(|class| declared(&class).map(|member| (class, member))).collect();
        let overridden: Vec<bool> = all
            .iter()
            .map(|(class, _)| all.iter().any(|(other, _)| !Rc::ptr_eq(other, class) && self.is_below(other, class)))
            .collect();
        all.into_iter().zip(overridden).filter(|(_, overridden)| !overridden).map(|(member, _)| member).collect()
    }

    /// The method of a name, with the class that declares it.
    ///
    /// # Errors
    ///
    /// [`Kind::AmbiguousMethod`] if several ancestors have it.
    pub fn find_method(self: &Rc<Self>, name: &str) -> Result<Option<(Rc<Self>, Rc<Method>)>> {
        let mut found = self.dominant(|class| class.methods.get(name).cloned());
        if found.len() > 1 {
            return Err(fail(Kind::AmbiguousMethod, format!("Found more than one method \"{name}\"")));
        }
        Ok(found.pop())
    }

    /// The property of a name, with the class that declares it.
    ///
    /// # Errors
    ///
    /// [`Kind::AmbiguousProperty`] if several ancestors have it.
    pub fn find_property(self: &Rc<Self>, name: &str) -> Result<Option<(Rc<Self>, Rc<Property>)>> {
        if let Some(known) = self.found.borrow().get(name) {
            return Ok(known.clone());
        }
        let mut found = self.dominant(|class| class.properties.get(name).cloned());
        if found.len() > 1 {
            return Err(fail(Kind::AmbiguousProperty, format!("Found more than one property \"{name}\"")));
        }
        let found = found.pop();
        self.found.borrow_mut().insert(name.to_owned(), found.clone());
        Ok(found)
    }

    /// All declarations of a property, the nearest first.
    pub fn declarations(self: &Rc<Self>, name: &str) -> Vec<(Rc<Self>, Rc<Property>)> {
        self.lineage()
            .filter_map(|class| class.properties.get(name).cloned().map(|property| (class, property)))
            .collect()
    }

    /// How it is written in messages.
    pub fn describe(&self) -> String {
        format!("MuranoClass({}/{})", self.name, self.origin.version)
    }
}

/// What a class declares, before its parents are known.
pub(crate) struct Declaration {
    pub(crate) usage: ClassUsage,
    pub(crate) parents: Vec<String>,
    pub(crate) imports: Vec<String>,
    pub(crate) properties: IndexMap<String, Rc<Property>>,
    pub(crate) methods: IndexMap<String, Rc<Method>>,
    pub(crate) meta: Vec<MetaSpec>,
}

/// Reads a class.
///
/// # Errors
///
/// What the first malformed part is.
pub(crate) fn declaration(template: &Template, namespaces: &Namespaces) -> Result<Declaration> {
    let names =
        |key| -> Result<Vec<String>> { names(template.get(key)).iter().map(|name| namespaces.resolve(name)).collect() };
    let methods = match template.get("Methods").filter(|methods| methods.as_map().is_some_and(|map| !map.is_empty())) {
        Some(methods) => Some(methods),
        None => template.get("Workflow"),
    };
    Ok(Declaration {
        usage: class_usage(template)?,
        parents: names("Extends")?,
        imports: names("Import")?,
        properties: members(template.get("Properties"), property)?,
        methods: members(methods, method)?,
        meta: meta(template.get("Meta"))?,
    })
}

fn names(template: Option<&Template>) -> Vec<String> {
    match template.map(|template| &template.content) {
        Some(Content::List(items)) => items.iter().filter_map(Template::raw_text).map(str::to_owned).collect(),
        _ => template.and_then(Template::raw_text).map(str::to_owned).into_iter().collect(),
    }
}

fn class_usage(template: &Template) -> Result<ClassUsage> {
    match template.get("Usage").map(|usage| usage.raw_text().unwrap_or_default()) {
        None | Some("Class") => Ok(ClassUsage::Class),
        Some("Meta") => Ok(ClassUsage::Meta(meta_traits(template)?)),
        Some(other) => Err(value_error(format!("Invalid type Usage: \"{other}\""))),
    }
}

fn meta_traits(template: &Template) -> Result<MetaTraits> {
    const TARGETS: [&str; 5] = ["Package", "Type", "Property", "Method", "Argument"];
    let many = match template.get("Cardinality").map(|value| value.raw_text().unwrap_or_default()) {
        None | Some("One") => false,
        Some("Many") => true,
        Some(other) => return Err(value_error(format!("Invalid MetaClass Cardinality \"{other}\""))),
    };
    let mut targets = names(template.get("Applies"));
    if targets.is_empty() || targets.iter().any(|target| target == "All") {
        targets = TARGETS.map(str::to_owned).to_vec();
    }
    if let Some(unknown) = targets.iter().find(|target| !TARGETS.contains(&target.as_str())) {
        return Err(value_error(format!("Invalid MetaClass target(s) \"{unknown}\":")));
    }
    let inherited = match template.get("Inherited").map(|value| &value.content) {
        None => false,
        Some(Content::Boolean(truth)) => *truth,
        Some(_) => return Err(value_error("Invalid Inherited value. Must be true or false")),
    };
    Ok(MetaTraits { many, targets, inherited })
}

fn members<T>(
    template: Option<&Template>,
    read: impl Fn(&str, &Template) -> Result<T>,
) -> Result<IndexMap<String, Rc<T>>> {
    let mut members = IndexMap::new();
    for (key, value) in template.and_then(Template::as_map).unwrap_or_default() {
        let name = match key.raw_value().to_python() {
            name if name == "initialize" => ".init".to_owned(),
            name if name == "destroy" => ".destroy".to_owned(),
            name => name,
        };
        members.insert(name.clone(), Rc::new(read(&name, value)?));
    }
    Ok(members)
}

fn contract(template: &Template, what: &str) -> Result<Template> {
    template.get("Contract").cloned().ok_or_else(|| fail(Kind::DslSyntax, format!("{what} has no contract")))
}

fn property(name: &str, template: &Template) -> Result<Property> {
    if template.as_map().is_none() {
        return Err(fail(Kind::DslSyntax, format!("the property {name} has to be a map")));
    }
    let usage = match template.get("Usage").map(|usage| usage.raw_text().unwrap_or_default()) {
        None => PropertyUsage::In,
        Some(keyword) => PropertyUsage::ALL
            .into_iter()
            .find(|(other, _)| *other == keyword)
            .map(|(_, usage)| usage)
            .ok_or_else(|| unknown_usage(keyword, "Runtime, Config, In, InOut, Out, Const, Static"))?,
    };
    Ok(Property {
        name: name.to_owned(),
        usage,
        contract: contract(template, name)?,
        default: template.get("Default").cloned(),
        meta: meta(template.get("Meta"))?,
    })
}

fn unknown_usage(usage: &str, all: &str) -> yaql::Error {
    fail(Kind::DslSyntax, format!("Unknown usage {usage}. Must be one of ({all})"))
}

fn method(name: &str, template: &Template) -> Result<Method> {
    let keyword = template.get("Usage").map(|usage| usage.raw_text().unwrap_or_default());
    let usage = match keyword {
        None | Some("Runtime") => MethodUsage::Runtime,
        Some("Static") => MethodUsage::Static,
        Some("Extension") => MethodUsage::Extension,
        Some("Action") => MethodUsage::Action,
        Some(other) => return Err(value_error(format!("Unknown method usage {other}"))),
    };
    let scope = template.get("Scope").and_then(Template::raw_text);
    let scope = match (usage, scope) {
        (MethodUsage::Action, Some("Session")) => {
            let message = format!("Both \"Usage: Action\" and \"Scope: Session\" are provided for method {name}");
            return Err(value_error(message));
        }
        (MethodUsage::Action, _) => "Public",
        (_, scope) => scope.unwrap_or("Session"),
    };
    Ok(Method {
        name: name.to_owned(),
        usage,
        scope: scope.to_owned(),
        arguments: arguments(name, template.get("Arguments"))?,
        body: template.get("Body").map_or_else(|| Ok(Vec::new()), block)?,
        meta: meta(template.get("Meta"))?,
    })
}

fn arguments(method: &str, template: Option<&Template>) -> Result<Vec<Rc<Argument>>> {
    let invalid = || fail(Kind::DslSyntax, "Invalid arguments declaration");
    let mut entries = Vec::new();
    match template.map(|template| &template.content) {
        None | Some(Content::Null) => {}
        Some(Content::Map(map)) => entries.extend(map),
        Some(Content::List(items)) => {
            for item in items {
                match item.as_map() {
                    Some([entry]) => entries.push(entry),
                    _ => return Err(invalid()),
                }
            }
        }
        Some(_) => return Err(invalid()),
    }
    let mut arguments = Vec::new();
    let mut stage = 0;
    for (name, template) in entries {
        let argument = argument(&name.raw_value().to_python(), template)?;
        let rank = match argument.usage {
            ArgumentUsage::Standard => 0,
            ArgumentUsage::VarArgs => 1,
            ArgumentUsage::KwArgs => 2,
        };
        if rank < stage || (rank > 0 && rank == stage) {
            return Err(fail(Kind::DslSyntax, format!("Invalid argument order in method {method}")));
        }
        stage = rank;
        arguments.push(Rc::new(argument));
    }
    Ok(arguments)
}

fn argument(name: &str, template: &Template) -> Result<Argument> {
    if template.as_map().is_none() {
        return Err(fail(Kind::DslSyntax, "Invalid arguments declaration"));
    }
    let usage = match template.get("Usage").map(|usage| usage.raw_text().unwrap_or_default()) {
        None | Some("Standard") => ArgumentUsage::Standard,
        Some("VarArgs") => ArgumentUsage::VarArgs,
        Some("KwArgs") => ArgumentUsage::KwArgs,
        Some(other) => return Err(unknown_usage(other, "VarArgs, Standard, KwArgs")),
    };
    Ok(Argument {
        name: name.to_owned(),
        usage,
        contract: contract(template, name)?,
        default: template.get("Default").cloned(),
        meta: meta(template.get("Meta"))?,
    })
}

/// What is attached: a name, a name with properties, or a list of those.
pub(crate) fn meta(template: Option<&Template>) -> Result<Vec<MetaSpec>> {
    match template {
        None => Ok(Vec::new()),
        Some(Template { content: Content::Null, .. }) => Ok(Vec::new()),
        Some(Template { content: Content::List(items), .. }) => items.iter().map(meta_item).collect(),
        Some(item) => Ok(vec![meta_item(item)?]),
    }
}

fn meta_item(item: &Template) -> Result<MetaSpec> {
    let invalid = || value_error("Invalid Meta declaration");
    match item.as_map() {
        None => Ok(MetaSpec { name: item.raw_text().ok_or_else(invalid)?.to_owned(), properties: Vec::new() }),
        Some([(name, properties)]) => Ok(MetaSpec {
            name: name.raw_text().ok_or_else(invalid)?.to_owned(),
            properties: properties.as_map().unwrap_or_default().to_vec(),
        }),
        Some(_) => Err(invalid()),
    }
}
