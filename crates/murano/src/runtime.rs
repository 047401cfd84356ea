//! Packages that are loaded together, their classes, and their objects.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use tosca_parse::entity::{Reference, References};
use tosca_parse_yaql::{Call, Context, Dialect, Library, Limits, Meter, Result, Value};

use crate::class::{Class, MetaSpec, Method, Property, members};
use crate::effect::Effect;
use crate::error::{Kind, exception_names, fail};
use crate::functions;
use crate::language;
use crate::meta;
use crate::mock::{self, Mock};
use crate::name::TypeName;
use crate::natives::Natives;
use crate::object::Object;
use crate::package::{Document, Package, PackageSource};
use crate::schema::below::Below;
use crate::trace;
use crate::version::Requirement;

/// The name of the core library, which every package requires.
pub(crate) const CORE: &str = "io.murano";
const ROOT: &str = "io.murano.Object";

/// Packages and the objects of a session.
pub struct Runtime {
    packages: Vec<Rc<Package>>,
    /// Whether there is a package in several versions.
    has_versions: bool,
    meter: Rc<Meter>,
    extra: Rc<Library>,
    pub(crate) natives: Vec<Rc<dyn Natives>>,
    pub(crate) config: Config,
    pub(crate) objects: RefCell<IndexMap<String, Rc<Object>>>,
    pub(crate) attributes: RefCell<IndexMap<(String, String, String), Value>>,
    pub(crate) class_config: HashMap<String, Value>,
    pub(crate) metas: meta::Cache,
    pub(crate) below: Below,
    next_id: Cell<u64>,
    /// The effects, if they are recorded.
    pub(crate) effects: Option<RefCell<Vec<Effect>>>,
    /// The number of addresses that instances received.
    pub(crate) addresses: Cell<u32>,
    /// Whether the functions for tests are available.
    is_test: bool,
    pub(crate) mocks: RefCell<Vec<Mock>>,
}

/// A class that is being loaded.
struct Pending {
    package: Rc<Package>,
    name: String,
    document: Rc<Document>,
    /// The names of classes that it needs and that have not been considered yet, the first one last.
    needed: Vec<String>,
}

type Config = Box<dyn Fn(&str, Option<&str>) -> Value>;

/// A builder for runtimes.
pub struct Builder {
    packages: Vec<PackageSource>,
    limits: Limits,
    extra: Library,
    natives: Vec<Rc<dyn Natives>>,
    config: Config,
    class_config: HashMap<String, Value>,
    records: bool,
    is_test: bool,
}

impl Default for Builder {
    fn default() -> Self {
        let time = Some(std::time::Duration::from_secs(10));
        let limits = Limits { depth: 150, time, ..Limits::murano() };
        let (packages, extra, class_config) = (Vec::new(), Library::new(), HashMap::default());
        Self {
            packages,
            limits,
            extra,
            natives: Vec::new(),
            config: Box::new(|_, _| Value::Null),
            class_config,
            records: false,
            is_test: false,
        }
    }
}

impl Builder {
    /// Adds a package.
    pub fn package(mut self, package: PackageSource) -> Self {
        self.packages.push(package);
        self
    }

    /// Sets the limits of evaluations.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the combined budget of all evaluations.
    pub fn budget(mut self, limits: tosca_parse::budget::Limits) -> Self {
        self.limits.budget = limits;
        self
    }

    /// Raises the limits in proportion to the bytes of a model.
    pub(crate) fn for_input(mut self, bytes: u64) -> Self {
        self.limits.budget = self.limits.budget.for_input(bytes);
        self
    }

    /// Adds a function of the host.
    ///
    /// # Panics
    ///
    /// Panics if the signature is malformed, like [`Library::add`].
    pub fn function(mut self, signature: &str, body: impl Fn(&mut Call<'_>) -> Result<Value> + 'static) -> Self {
        self.extra.add_closure(signature, body);
        self
    }

    /// Adds methods of the host. The first added ones take precedence.
    pub fn natives(mut self, natives: impl Natives + 'static) -> Self {
        self.natives.push(Rc::new(natives));
        self
    }

    /// Records the requests that methods would send to clouds and agents, see [`Runtime::effects`].
    pub fn record(mut self) -> Self {
        self.records = true;
        self
    }

    /// Adds the functions for tests: `inject`, `withOriginal` and `originalMethod`.
    pub fn test(mut self) -> Self {
        self.is_test = true;
        self
    }

    /// Sets the results of `config(group, key)` and `config(key)` in the core library.
    pub fn config(mut self, config: impl Fn(&str, Option<&str>) -> Value + 'static) -> Self {
        self.config = Box::new(config);
        self
    }

    /// Sets the values of a class's properties with the usage `Config`.
    pub fn class_config(mut self, class: &str, values: Value) -> Self {
        self.class_config.insert(class.to_owned(), values);
        self
    }

    /// Builds the runtime. If no package is the core library, the built-in one is used.
    ///
    /// # Errors
    ///
    /// Never fails for packages that could be read.
    pub fn build(mut self) -> Result<Rc<Runtime>> {
        match self.packages.iter_mut().find(|package| package.name() == CORE) {
            Some(core) => core.add_text(&crate::core::NATIVE_CLASSES, crate::core::NATIVES),
            None => self.packages.insert(0, crate::core::LIBRARY.clone()),
        }
        let mut names = HashSet::default();
        let has_versions = !self.packages.iter().all(|package| names.insert(package.name().to_owned()));
        let packages = self.packages.into_iter().enumerate();
        Ok(Rc::new(Runtime {
            packages: packages.map(|(index, source)| Rc::new(Package::new(index, source))).collect(),
            has_versions,
            meter: Rc::new(Meter::new(self.limits)),
            extra: Rc::new(self.extra),
            natives: self.natives,
            config: self.config,
            objects: RefCell::default(),
            attributes: RefCell::default(),
            class_config: self.class_config,
            metas: meta::Cache::default(),
            below: Below::default(),
            next_id: Cell::new(0),
            effects: self.records.then(RefCell::default),
            addresses: Cell::new(0),
            is_test: self.is_test,
            mocks: RefCell::default(),
        }))
    }
}

/// Objects refer to each other, so they would never be freed.
impl Drop for Runtime {
    fn drop(&mut self) {
        self.forget();
        for package in &self.packages {
            for class in package.loaded.borrow().values().flatten() {
                class.statics.borrow_mut().clear();
                class.found.borrow_mut().clear();
            }
        }
    }
}

impl Runtime {
    /// Returns a builder.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Returns the packages.
    pub fn packages(&self) -> &[Rc<Package>] {
        &self.packages
    }

    /// Returns the meter of all evaluations.
    pub fn meter(&self) -> &Rc<Meter> {
        &self.meter
    }

    /// Removes all objects with their attributes, mocks and effects. Classes stay loaded, with their static properties.
    pub fn forget(&self) {
        self.mocks.take();
        self.addresses.set(0);
        if let Some(effects) = &self.effects {
            effects.take();
        }
        for object in self.objects.take().values() {
            object.properties.borrow_mut().clear();
            object.private.borrow_mut().clear();
            object.subscribers.borrow_mut().clear();
        }
        self.attributes.take();
    }

    /// Forgets the values of static properties.
    pub(crate) fn reset_statics(&self) {
        for package in &self.packages {
            package.loaded.borrow().values().flatten().for_each(|class| class.statics.borrow_mut().clear());
        }
    }

    /// Returns the object with the given id.
    pub fn object(&self, id: &str) -> Option<Rc<Object>> {
        self.objects.borrow().get(id).cloned()
    }

    /// Returns the ids of all objects.
    pub fn object_ids(&self) -> Vec<String> {
        self.objects.borrow().keys().cloned().collect()
    }

    /// Returns a fresh id: 32 hexadecimal digits.
    pub(crate) fn new_id(&self) -> String {
        self.next_id.set(self.next_id.get() + 1);
        format!("{:032x}", self.next_id.get())
    }

    pub(crate) fn package(&self, index: usize) -> &Rc<Package> {
        &self.packages[index]
    }

    /// Returns a context with the functions that methods of a package can call.
    pub(crate) fn context(&self, package: usize) -> Context {
        let origin = &self.packages[package].origin;
        let make = || {
            let legacy = origin.is_legacy();
            let dialect = if legacy { Dialect::Legacy } else { Dialect::Standard };
            let mut context = Context::new(self.meter.clone(), dialect, tosca_parse_yaql::standard());
            context = context.with_library(tosca_parse_yaql::formatting());
            if legacy {
                context = context.with_library(tosca_parse_yaql::legacy());
            }
            context = context.with_library(functions::LIBRARY.with(Rc::clone));
            if legacy {
                context = context.with_library(functions::LEGACY.with(Rc::clone));
            }
            if self.is_test {
                context = context.with_library(mock::LIBRARY.with(Rc::clone));
            }
            context.with_library(self.extra.clone())
        };
        self.packages[package].context.get_or_init(make).clone()
    }

    /// Returns the class that the given name denotes in a package: a class of the package itself, or of a package that
    /// it requires.
    ///
    /// # Errors
    ///
    /// Returns [`Kind::NoClass`] if there is none, and other errors if its declaration is invalid.
    pub fn find_class(&self, package: usize, name: &str) -> Result<Rc<Class>> {
        let mut seen = Vec::new();
        for package in self.visible(package) {
            if let Some(class) = self.class_of(package, name)? {
                return Ok(class);
            }
            seen.push(format!("{}/{}", package.origin.name, package.origin.version));
        }
        seen.sort();
        Err(fail(Kind::NoClass, format!("Class \"{name}\" is not found in {}", seen.join(", "))))
    }

    /// Returns the package itself, the core library, and the required packages.
    fn visible(&self, package: usize) -> impl Iterator<Item = &Rc<Package>> {
        let own = &self.packages[package];
        let core = self.best(CORE, |_| true);
        let required = own.requires.iter().filter_map(|(name, spec)| self.best(name, |version| spec.allows(version)));
        let mut seen = Vec::new();
        std::iter::once(own).chain(core).chain(required).filter(move |package| {
            let new = !seen.contains(&package.origin.index);
            seen.push(package.origin.index);
            new
        })
    }

    fn best(&self, name: &str, allowed: impl Fn(&crate::version::Version) -> bool) -> Option<&Rc<Package>> {
        let fits = |package: &&Rc<Package>| package.origin.name == name && allowed(&package.origin.version);
        self.packages.iter().filter(fits).max_by(|left, right| left.origin.version.cmp(&right.origin.version))
    }

    /// Returns the class, from any package, that an object's type names.
    ///
    /// # Errors
    ///
    /// Returns [`Kind::NoPackage`] if it names an unknown package, or [`Kind::NoPackageForClass`] if no package has the
    /// class.
    pub fn find_type(&self, name: &TypeName) -> Result<Rc<Class>> {
        let requirement = match &name.version {
            Some(version) => Requirement::parse(version)?,
            None => Requirement::parse("*")?,
        };
        if let Some(package) = &name.package {
            let best = self.best(package, |version| requirement.allows(version));
            let best = best.ok_or_else(|| {
                let known = self.known_versions(name.version.as_deref(), |other| other.origin.name == *package);
                fail(Kind::NoPackage, format!("Package \"{package}\" is not found{known}"))
            })?;
            return self.find_class(best.origin.index, &name.name);
        }
        let fits = |package: &&Rc<Package>| requirement.allows(&package.origin.version);
        let mut packages: Vec<_> = self.packages.iter().filter(fits).collect();
        packages.sort_by(|left, right| right.origin.version.cmp(&left.origin.version));
        for package in packages {
            if let Some(class) = self.class_of(package, &name.name)? {
                return Ok(class);
            }
        }
        let known = self
            .known_versions(name.version.as_deref(), |package| package.class_names().any(|class| class == name.name));
        Err(fail(Kind::NoPackageForClass, format!("Package for class \"{}\" is not found{known}", name.name)))
    }

    /// Returns the end of a message about packages that are known only in versions that a requirement does not allow.
    fn known_versions(&self, required: Option<&str>, has: impl Fn(&Package) -> bool) -> String {
        let versions = self.packages.iter().filter(|package| has(package)).map(|package| &package.origin.version);
        let mut versions: Vec<_> = versions.collect();
        versions.sort();
        let versions: Vec<String> = versions.into_iter().map(ToString::to_string).collect();
        match required.filter(|_| !versions.is_empty()) {
            Some(required) => format!(" in version {required}; there is {}", versions.join(", ")),
            None => String::new(),
        }
    }

    /// Returns the class of a package, loaded on first use. `None` if there is none, or while it is being loaded.
    pub(crate) fn class_of(&self, package: &Rc<Package>, name: &str) -> Result<Option<Rc<Class>>> {
        if let Some(class) = package.loaded.borrow().get(name) {
            return class.clone().map(Some);
        }
        // The classes that a class needs are loaded first, however many there are.
        let mut path: Vec<Pending> = Self::pending(package, name)?.into_iter().collect();
        while let Some(last) = path.last_mut() {
            if let Some(needed) = last.needed.pop() {
                // If there is a problem, it is found again and reported when the class is loaded.
                let package = last.package.origin.index;
                path.extend(self.needed(package, &needed));
                continue;
            }
            let Some(Pending { package, name, document, .. }) = path.pop() else { break };
            let class = self.meter.nested(|| self.load_class(&package, &name, &document)).map(Rc::new);
            package.loading.borrow_mut().remove(&name);
            // With a larger budget, it might succeed.
            let is_lasting = class.as_ref().map_or_else(|error| !exception_names(error).is_empty(), |_| true);
            if is_lasting {
                package.loaded.borrow_mut().insert(name, class);
            } else if path.is_empty() {
                return class.map(Some);
            }
        }
        package.loaded.borrow().get(name).cloned().transpose()
    }

    /// Begins to load a class. Returns `None` if there is none, or if it is being loaded.
    fn pending(package: &Rc<Package>, name: &str) -> Result<Option<Pending>> {
        if package.loading.borrow().contains(name) {
            return Ok(None);
        }
        let Some(document) = package.document(name)? else { return Ok(None) };
        package.loading.borrow_mut().insert(name.to_owned());
        let declared = document.source.raw_as(document.class);
        let names = declared.into_iter().flat_map(|class| class.imports.iter().rev().chain(class.extends.iter().rev()));
        let needed = names.map(|name| document.source.text(name.name).to_owned()).collect();
        Ok(Some(Pending { package: package.clone(), name: name.to_owned(), document, needed }))
    }

    /// Begins to load the class that a name denotes in a package, if it is not loaded.
    fn needed(&self, package: usize, name: &str) -> Option<Pending> {
        for package in self.visible(package) {
            if package.loaded.borrow().contains_key(name) {
                return None;
            }
            if let Some(pending) = Self::pending(package, name).ok()? {
                return Some(pending);
            }
        }
        None
    }

    fn load_class(&self, package: &Rc<Package>, name: &str, document: &Document) -> Result<Class> {
        document.check()?;
        let Document { source, namespaces, class, .. } = document;
        let file = &source.unit().source;
        let declared = source.raw_as(*class).cloned().unwrap_or_default();
        let named = |names: &References<language::Class>| -> Result<Vec<Rc<Class>>> {
            let find = |name: &Reference<language::Class>| {
                self.find_class(package.origin.index, source.text(name.name)).map_err(|error| {
                    let place = source.reference_span(name.erased()).map_or(0..0, |span| span.start..span.end);
                    source.at(place, error)
                })
            };
            names.iter().map(find).collect()
        };
        let mut parents: Vec<Rc<Class>> = Vec::new();
        let root = (declared.extends.is_empty() && name != ROOT).then(|| self.find_class(package.origin.index, ROOT));
        for parent in named(&declared.extends)?.into_iter().chain(root.transpose()?) {
            if !declared.is_meta() && parent.declared.is_meta() {
                return Err(fail(Kind::InvalidInheritance, format!("Type {name} cannot have parent with Usage Meta")));
            }
            if !parents.iter().any(|other| Rc::ptr_eq(other, &parent)) {
                parents.push(parent);
            }
        }
        let imports = named(&declared.imports)?.iter().map(|class| class.name.clone()).collect();
        let unified = if self.has_versions { self.unified(package, &parents)? } else { Vec::new() };
        let in_file = |error| trace::in_file(file, error);
        let meta = MetaSpec::all(source, &declared.meta).map_err(in_file)?;
        let mut above = parents.iter().chain(unified.iter().map(|(_, other)| other));
        let has_meta = !meta.is_empty() || above.any(|class| class.has_meta);
        Ok(Class {
            name: name.to_owned(),
            unified,
            origin: package.origin.clone(),
            file: file.clone(),
            usage: declared.usage.map(|usage| usage.value).unwrap_or_default(),
            parents,
            properties: members(source, &declared.properties, Property::of).map_err(in_file)?,
            methods: members(source, &declared.methods, Method::of).map_err(in_file)?,
            imports,
            meta,
            has_meta,
            namespaces: namespaces.clone(),
            declared,
            ancestors: std::cell::OnceCell::new(),
            statics: RefCell::default(),
            computing: RefCell::default(),
            found: RefCell::default(),
            budget: self.meter.budget().clone(),
        })
    }
}
