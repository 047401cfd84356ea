//! Classes: their members and their inheritance.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tosca_parse::Enumerated;
use tosca_parse::ard::Node;
use tosca_parse::budget::Budget;
use tosca_parse::entity::{Entity, Enumerated as _, Located, Members};
use tosca_parse::source::Source;
use tosca_parse_yaql::{Result, Value};

use crate::error::{Kind, fail};
use crate::language::{self, Attachments, Code, Scope};
use crate::name::Namespaces;
use crate::package::Origin;
use crate::source_file::SourceFile;
use crate::statement::Block;
use crate::template::Template;

/// A loaded class, as the runtime uses it.
pub struct Class {
    /// Its qualified name.
    pub name: String,
    /// The package that contains it.
    pub origin: Rc<Origin>,
    /// The file that contains it.
    pub file: Arc<Source>,
    /// `Class` or `Meta`.
    pub usage: ClassUsage,
    /// The declaration of the class.
    pub(crate) declared: language::Class,
    /// The classes that it extends, in order.
    pub parents: Vec<Rc<Class>>,
    /// The properties that it declares itself.
    pub properties: IndexMap<String, Rc<Property>>,
    /// The methods that it declares itself.
    pub methods: IndexMap<String, Rc<Method>>,
    /// The resolved names of the classes whose extension methods its code can call.
    pub imports: Vec<String>,
    /// The attached metadata.
    pub meta: Vec<MetaSpec>,
    /// Whether metadata is attached to it or to one of its ancestors.
    pub(crate) has_meta: bool,
    /// The namespaces in which its names are resolved.
    pub namespaces: Namespaces,
    /// The replaced ancestors and their replacements.
    pub(crate) unified: Vec<(Rc<Class>, Rc<Class>)>,
    pub(crate) ancestors: OnceCell<Vec<Rc<Class>>>,
    pub(crate) statics: RefCell<IndexMap<String, Value>>,
    /// The static properties whose values are being computed.
    pub(crate) computing: RefCell<Vec<String>>,
    /// A cache of looked-up properties, because every object of the class needs all of them.
    pub(crate) found: RefCell<HashMap<String, Found>>,
    /// The budget of the runtime, which pays for following many ancestors.
    pub(crate) budget: Rc<Budget>,
}

/// A property with the class that declares it, if there is one.
pub(crate) type Found = Option<(Rc<Class>, Rc<Property>)>;

/// The purpose of a class.
#[derive(Enumerated, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[enumerated(title = "usage of a class")]
#[non_exhaustive]
pub enum ClassUsage {
    /// It has objects.
    #[default]
    #[value(name = "Class")]
    Class,
    /// It is attached to declarations.
    #[value(name = "Meta")]
    Meta,
}

/// The usage of a property.
#[derive(Enumerated, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[enumerated(title = "usage of a property")]
#[non_exhaustive]
pub enum PropertyUsage {
    /// Models set it; code does so only while the object is initialized.
    #[default]
    #[value(name = "In")]
    In,
    /// Code sets it.
    #[value(name = "Out")]
    Out,
    /// Models and code set it.
    #[value(name = "InOut")]
    InOut,
    /// Models set it; it never changes.
    #[value(name = "Const")]
    Const,
    /// Code sets it; it is not kept with the model.
    #[value(name = "Runtime")]
    Runtime,
    /// The configuration of the class sets it.
    #[value(name = "Config")]
    Config,
    /// It belongs to the class rather than to its objects.
    #[value(name = "Static")]
    Static,
}

impl PropertyUsage {
    /// Returns the keyword.
    pub fn as_str(self) -> &'static str {
        self.name()
    }
}

/// A property or an argument.
#[derive(Debug)]
pub struct TypeSpec<U> {
    /// Its name.
    pub name: String,
    /// The usage.
    pub usage: U,
    /// The contract of its values.
    pub contract: Template,
    /// The value if none is given.
    pub default: Option<Template>,
    /// The attached metadata.
    pub meta: Vec<MetaSpec>,
}

/// A property.
pub type Property = TypeSpec<PropertyUsage>;

/// An argument of a method.
pub type Argument = TypeSpec<ArgumentUsage>;

/// The usage of a method.
#[derive(Enumerated, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[enumerated(title = "usage of a method")]
#[non_exhaustive]
pub enum MethodUsage {
    /// It is called on objects.
    #[default]
    #[value(name = "Runtime")]
    Runtime,
    /// It is called on the class.
    #[value(name = "Static")]
    Static,
    /// It is called on objects of other classes, which are its first argument.
    #[value(name = "Extension")]
    Extension,
    /// It is called on objects, by users as well.
    #[value(name = "Action")]
    Action,
}

impl MethodUsage {
    /// Returns the keyword.
    pub fn as_str(self) -> &'static str {
        self.name()
    }
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// Its name; `.init` and `.destroy` are called when an object is created or destroyed, respectively.
    pub name: String,
    /// The usage.
    pub usage: MethodUsage,
    /// `Public` if it can be called from outside.
    pub scope: String,
    /// Its arguments.
    pub arguments: Vec<Rc<Argument>>,
    /// Its statements.
    pub body: Arc<Block>,
    /// The attached metadata.
    pub meta: Vec<MetaSpec>,
}

impl Method {
    /// Returns whether the method can be called from outside.
    pub fn is_public(&self) -> bool {
        self.scope == "Public"
    }
}

/// The usage of an argument.
#[derive(Enumerated, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[enumerated(title = "usage of an argument")]
#[non_exhaustive]
pub enum ArgumentUsage {
    /// It takes one value.
    #[default]
    #[value(name = "Standard")]
    Standard,
    /// It takes all remaining values by position.
    #[value(name = "VarArgs")]
    VarArgs,
    /// It takes all remaining values by name.
    #[value(name = "KwArgs")]
    KwArgs,
}

/// Metadata of a declaration.
#[derive(Clone, Debug)]
pub struct MetaSpec {
    /// The qualified name of the meta class.
    pub name: String,
    /// Its properties.
    pub properties: Vec<(Template, Template)>,
}

/// Frees a long chain of ancestors without recursion.
impl Drop for Class {
    fn drop(&mut self) {
        let mut next = std::mem::take(&mut self.parents);
        while let Some(parent) = next.pop() {
            if let Some(mut parent) = Rc::into_inner(parent) {
                next.append(&mut parent.parents);
            }
        }
    }
}

impl Class {
    /// Returns all ancestors: the parents from left to right, then their parents, and so on.
    pub fn ancestors(&self) -> &[Rc<Self>] {
        /// The number of ancestors that are not charged, because following so few costs less than the caller's own work.
        const FEW: usize = 16;
        let is_new = self.ancestors.get().is_none();
        let ancestors = self.ancestors.get_or_init(|| {
            let (mut met, mut all) = (FxHashSet::default(), self.parents_of(self));
            let mut next = 0;
            while let Some(class) = all.get(next).cloned() {
                if met.insert(Rc::as_ptr(&class)) {
                    all.extend(self.parents_of(&class));
                }
                next += 1;
            }
            met.clear();
            all.retain(|class| met.insert(Rc::as_ptr(class)));
            all
        });
        // The next step of the evaluation fails if this exceeds the budget.
        let _ = self.budget.steps(ancestors.len().saturating_sub(FEW) as u64);
        if is_new {
            let _ = self.budget.bytes(std::mem::size_of_val(ancestors.as_slice()) as u64);
        }
        ancestors
    }

    /// Returns the class itself and all of its ancestors.
    pub fn lineage(self: &Rc<Self>) -> impl Iterator<Item = Rc<Self>> {
        std::iter::once(self.clone()).chain(self.ancestors().iter().cloned())
    }

    /// Returns the parents of a class in the lineage of this one. Their versions may differ from the ones that the
    /// class extends.
    pub fn parents_of(&self, class: &Self) -> Vec<Rc<Self>> {
        let mut parents: Vec<Rc<Self>> = Vec::with_capacity(class.parents.len());
        for parent in class.parents.iter().map(|parent| self.in_place_of(parent)) {
            if !parents.iter().any(|other| Rc::ptr_eq(other, &parent)) {
                parents.push(parent);
            }
        }
        parents
    }

    /// Returns the version of an ancestor that the class actually descends from.
    pub(crate) fn in_place_of(&self, ancestor: &Rc<Self>) -> Rc<Self> {
        let replaced = self.unified.iter().find(|(replaced, _)| Rc::ptr_eq(replaced, ancestor));
        replaced.map_or(ancestor, |(_, other)| other).clone()
    }

    /// Returns the versions of ancestors that others replace.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = Rc<Self>> {
        self.unified.iter().map(|(replaced, _)| replaced.clone())
    }

    /// Returns whether the class is `other` or a descendant of it, in the same version or in a compatible one.
    pub fn is_a(&self, other: &Self) -> bool {
        let is_it = |class: &Rc<Self>| std::ptr::eq(&raw const **class, other);
        std::ptr::eq(self, other)
            || self.ancestors().iter().any(is_it)
            || self.unified.iter().any(|(replaced, _)| is_it(replaced))
    }

    /// Returns the classes below which some of the given classes are. They are ancestors of this class, or the class
    /// itself.
    pub(crate) fn above<'c>(self: &Rc<Self>, classes: impl Iterator<Item = &'c Rc<Self>>) -> FxHashSet<*const Self> {
        let mut above = FxHashSet::default();
        let mut next: Vec<Rc<Self>> = classes.flat_map(|class| self.parents_of(class)).collect();
        while let Some(class) = next.pop() {
            if above.insert(Rc::as_ptr(&class)) {
                next.extend(self.parents_of(&class));
            }
        }
        above
    }

    /// Returns the declarations of a member in the lineage that no other declaration overrides.
    fn dominant<T>(self: &Rc<Self>, declared: impl Fn(&Rc<Self>) -> Option<T>) -> Vec<(Rc<Self>, T)> {
        let mut all: Vec<_> =
            self.lineage().filter_map(|class| declared(&class).map(|member| (class, member))).collect();
        if all.len() > 1 {
            let overridden = self.above(all.iter().map(|(class, _)| class));
            all.retain(|(class, _)| !overridden.contains(&Rc::as_ptr(class)));
        }
        all
    }

    /// Returns the method with the given name and the class that declares it.
    ///
    /// # Errors
    ///
    /// Returns [`Kind::AmbiguousMethod`] if several ancestors declare it and none of the declarations overrides the
    /// others.
    pub fn find_method(self: &Rc<Self>, name: &str) -> Result<Option<(Rc<Self>, Rc<Method>)>> {
        let mut found = self.dominant(|class| class.methods.get(name).cloned());
        if found.len() > 1 {
            return Err(fail(Kind::AmbiguousMethod, format!("Found more than one method \"{name}\"")));
        }
        Ok(found.pop())
    }

    /// Returns the property with the given name and the class that declares it.
    ///
    /// # Errors
    ///
    /// Returns [`Kind::AmbiguousProperty`] if several ancestors declare it and none of the declarations overrides the
    /// others.
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

    /// Returns all declarations of a property, the nearest first.
    pub fn declarations(self: &Rc<Self>, name: &str) -> Vec<(Rc<Self>, Rc<Property>)> {
        self.lineage()
            .filter_map(|class| class.properties.get(name).cloned().map(|property| (class, property)))
            .collect()
    }

    /// Returns the class as messages show it.
    pub fn describe(&self) -> String {
        format!("MuranoClass({}/{})", self.name, self.origin.version)
    }
}

/// Returns the members of a class by name.
pub(crate) fn members<E: Entity, T>(
    source: &SourceFile,
    members: &Members<E>,
    read: impl Fn(&SourceFile, &str, &E) -> Result<T>,
) -> Result<IndexMap<String, Rc<T>>> {
    let members = members.iter().filter_map(|(name, id)| Some((source.text(name), source.raw_as(id)?)));
    members.map(|(name, member)| Ok((name.to_owned(), Rc::new(read(source, name, member)?)))).collect()
}

impl<U: Default> TypeSpec<U> {
    fn new(
        source: &SourceFile,
        name: &str,
        usage: Option<Located<U>>,
        (contract, default): (&Code, &Code),
        meta: &Attachments,
    ) -> Result<Self> {
        let lacks_contract = || fail(Kind::DslSyntax, format!("{name} has no contract"));
        Ok(Self {
            name: name.to_owned(),
            usage: usage.map(|usage| usage.value).unwrap_or_default(),
            contract: contract.template().cloned().ok_or_else(lacks_contract)?,
            default: default.template().cloned(),
            meta: MetaSpec::all(source, meta)?,
        })
    }
}

impl Property {
    pub(crate) fn of(source: &SourceFile, name: &str, property: &language::Property) -> Result<Self> {
        let language::Property { contract, usage, default, meta } = property;
        Self::new(source, name, *usage, (contract, default), meta)
    }
}

impl Argument {
    fn of(source: &SourceFile, name: &str, argument: &language::Argument) -> Result<Self> {
        let language::Argument { contract, usage, default, meta } = argument;
        Self::new(source, name, *usage, (contract, default), meta)
    }
}

impl Method {
    pub(crate) fn of(source: &SourceFile, name: &str, method: &language::Method) -> Result<Self> {
        let usage = method.usage.map(|usage| usage.value).unwrap_or_default();
        let scope = match (usage, method.scope.map(|scope| scope.value)) {
            (MethodUsage::Action, _) | (_, Some(Scope::Public)) => "Public",
            (_, None | Some(Scope::Session)) => "Session",
            (_, Some(Scope::Other(word))) => source.text(word),
        };
        let arguments = method.arguments.iter().filter_map(|(name, id)| {
            let argument = source.raw_as(*id)?;
            Some(Argument::of(source, source.text(*name), argument).map(Rc::new))
        });
        Ok(Self {
            name: name.to_owned(),
            usage,
            scope: scope.to_owned(),
            arguments: arguments.collect::<Result<_>>()?,
            body: method.body.statements()?,
            meta: MetaSpec::all(source, &method.meta)?,
        })
    }
}

impl MetaSpec {
    /// Reads attached metadata.
    pub(crate) fn all(source: &SourceFile, attachments: &Attachments) -> Result<Vec<Self>> {
        let mut faults = Vec::new();
        let mut all = Vec::with_capacity(attachments.len());
        for attachment in attachments.iter() {
            let properties = attachment.properties.and_then(|properties| source.node(properties));
            let mut part = |node| Template::of(node, &mut faults);
            let properties = properties.into_iter().flat_map(Node::entries);
            let properties = properties.map(|entry| (part(entry.key), part(entry.value))).collect();
            all.push(Self { name: source.text(attachment.class.name).to_owned(), properties });
        }
        faults.into_iter().next().map_or(Ok(all), Err)
    }
}
