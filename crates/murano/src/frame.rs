//! The state of running code that its expressions can access.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use tosca_parse_yaql::{Actual, Context, Error, ErrorKind, Host, Result, Value, evaluate_arguments};

use crate::class::{Class, MethodUsage};
use crate::contract::{self, Scope};
use crate::error::{Kind, fail, value_error};
use crate::invoke::{Arguments, Callee};
use crate::mock::{self, MockedCall};
use crate::natives;
use crate::object::{Exception, Handle, Placeholder, StackTrace, TypeHandle, as_type, downcast, type_value};
use crate::property;
use crate::reflect;
use crate::runtime::Runtime;
use crate::version::Requirement;

/// Running code: its class and its object or type.
pub(crate) struct Frame {
    pub(crate) runtime: Rc<Runtime>,
    /// The class that declares the code.
    pub(crate) class: Rc<Class>,
    /// The object or type that it runs for.
    pub(crate) this: Value,
    /// The contract that is being checked.
    pub(crate) contract: Option<Scope>,
    /// The exceptions that are being handled, the innermost last.
    pub(crate) handled: RefCell<Vec<Error>>,
    /// The method, if the code belongs to a method.
    pub(crate) method: Option<Rc<str>>,
    /// The mocked call, if the code belongs to a mock.
    pub(crate) mocked: Option<MockedCall>,
}

impl Frame {
    /// Returns a context for code of a class. Variables must be set in a child of the context.
    pub(crate) fn enter(runtime: &Rc<Runtime>, class: &Rc<Class>, this: &Value, contract: Option<Scope>) -> Context {
        Self::new(runtime, class, this).context(contract)
    }

    /// Like [`enter`](Self::enter), for the code of a method.
    pub(crate) fn enter_method(runtime: &Rc<Runtime>, class: &Rc<Class>, this: &Value, method: &str) -> Context {
        Self { method: Some(method.into()), ..Self::new(runtime, class, this) }.context(None)
    }

    /// Like [`enter`](Self::enter), for the code of a mock.
    pub(crate) fn enter_mock(runtime: &Rc<Runtime>, class: &Rc<Class>, this: &Value, call: MockedCall) -> Context {
        Self { mocked: Some(call), ..Self::new(runtime, class, this) }.context(None)
    }

    fn new(runtime: &Rc<Runtime>, class: &Rc<Class>, this: &Value) -> Self {
        Self {
            runtime: runtime.clone(),
            class: class.clone(),
            this: this.clone(),
            contract: None,
            handled: RefCell::default(),
            method: None,
            mocked: None,
        }
    }

    fn context(self, contract: Option<Scope>) -> Context {
        let (this, frame) = (self.this.clone(), Self { contract, ..self });
        let mut base = frame.runtime.context(frame.class.origin.index);
        if frame.contract.is_some() {
            base = base.with_library(contract::LIBRARY.with(Rc::clone));
        }
        let context = base.with_host(Rc::new(frame));
        context.set_data(this.clone());
        context.set_named("this", this);
        context
    }

    /// Returns the frame that a context is part of.
    pub(crate) fn of(context: &Context) -> Result<&Self> {
        let frame = context.host().and_then(|host| host.as_any().downcast_ref());
        frame.ok_or_else(|| Error::new(ErrorKind::Runtime, "there is no class to which this code belongs"))
    }

    /// Returns the class that a value denotes: the value is a type, or a name in the namespaces of the class.
    pub(crate) fn resolve(&self, ty: &Value) -> Result<Rc<Class>> {
        if let Some(class) = as_type(ty) {
            return Ok(class.clone());
        }
        match ty {
            Value::String(name) => self.named(name),
            _ => Err(value_error(format!("{} is not a type", ty.shown_repr()))),
        }
    }

    pub(crate) fn named(&self, name: &str) -> Result<Rc<Class>> {
        let name = self.class.namespaces.resolve(name)?;
        self.runtime.find_class(self.class.origin.index, &name)
    }

    /// Returns the class as which the code can use an object: the required class itself or, among the ancestors of the
    /// object's class, a compatible version of it. `None` if the object is not of such a class.
    pub(crate) fn seen_as(
        &self,
        actual: &Rc<Class>,
        wanted: &Rc<Class>,
        versions: Option<&Requirement>,
    ) -> Option<Rc<Class>> {
        if versions.is_none() && actual.is_a(wanted) {
            return Some(actual.in_place_of(wanted));
        }
        let name = &wanted.origin.name;
        let package = self.runtime.package(self.class.origin.index);
        let required = versions.or_else(|| package.requires.get(name))?;
        let will_do = |class: &Rc<Class>| {
            class.name == wanted.name && class.origin.name == *name && required.allows(&class.origin.version)
        };
        actual.lineage().find(will_do)
    }

    fn call_object(&self, context: &Context, handle: &Handle, name: &str, actuals: &[Actual]) -> Result<Option<Value>> {
        let class = handle.class();
        let this = crate::object::object_value(&handle.object);
        if let Some(value) = mock::call(self, &this, class, name, || Arguments::evaluate(context, actuals))? {
            return Ok(Some(value));
        }
        match class.find_method(name)? {
            Some((declaring, method)) if !name.starts_with('.') => {
                if let Some(native) = natives::find(&self.runtime, &declaring, name) {
                    return native.call(self, &this, &Arguments::evaluate(context, actuals)?).map(Some);
                }
                let mut arguments = Arguments::evaluate(context, actuals)?;
                let this = match method.usage {
                    MethodUsage::Static => type_value(&handle.object.class),
                    MethodUsage::Extension => {
                        arguments.positional.insert(0, Some(this.clone()));
                        type_value(&declaring)
                    }
                    _ => this,
                };
                Callee { runtime: &self.runtime, class: &declaring, method: &method, this: &this }
                    .call(arguments)
                    .map(Some)
            }
            _ => match class.lineage().find_map(|class| natives::find(&self.runtime, &class, name)) {
                Some(native) => native.call(self, &this, &Arguments::evaluate(context, actuals)?).map(Some),
                None => Ok(None),
            },
        }
    }

    fn call_type(&self, context: &Context, class: &Rc<Class>, name: &str, actuals: &[Actual]) -> Result<Option<Value>> {
        let this = type_value(class);
        if let Some(value) = mock::call(self, &this, class, name, || Arguments::evaluate(context, actuals))? {
            return Ok(Some(value));
        }
        if let Some(native) = class.lineage().find_map(|class| natives::find(&self.runtime, &class, name)) {
            return native.call(self, &this, &Arguments::evaluate(context, actuals)?).map(Some);
        }
        match class.find_method(name)? {
            Some((declaring, method)) => match method.usage {
                MethodUsage::Static | MethodUsage::Extension => {
                    let arguments = Arguments::evaluate(context, actuals)?;
                    Callee { runtime: &self.runtime, class: &declaring, method: &method, this: &type_value(class) }
                        .call(arguments)
                        .map(Some)
                }
                _ => Err(not_static(&declaring, name, class)),
            },
            None => Ok(None),
        }
    }

    /// Calls the extension method that accepts the receiver, of this class or one that it imports.
    fn call_extension(
        &self,
        context: &Context,
        receiver: &Value,
        name: &str,
        actuals: &[Actual],
    ) -> Result<Option<Value>> {
        let own = std::iter::once(Ok(self.class.clone()));
        let imports = self.class.imports.iter().map(|name| self.runtime.find_class(self.class.origin.index, name));
        let mut exists = false;
        for class in own.chain(imports) {
            let class = class?;
            let Some((declaring, method)) = class.find_method(name)? else { continue };
            if method.usage != MethodUsage::Extension {
                continue;
            }
            exists = true;
            let Some(first) = method.arguments.first() else { continue };
            if contract::accepts(&self.runtime, &declaring, &first.contract, receiver) {
                let mut arguments = Arguments::evaluate(context, actuals)?;
                arguments.positional.insert(0, Some(receiver.clone()));
                return Callee {
                    runtime: &self.runtime,
                    class: &declaring,
                    method: &method,
                    this: &type_value(&declaring),
                }
                .call(arguments)
                .map(Some);
            }
        }
        if exists && !context.has_method(name) {
            let message = format!("the extension method `{name}` does not accept the type `{}`", receiver.type_name());
            return Err(Error::new(ErrorKind::NoMatchingMethod, message));
        }
        Ok(None)
    }
}

pub(crate) fn not_static(declaring: &Class, name: &str, receiver: &Class) -> Error {
    let method = format!("MuranoMethod({}::{name})", declaring.name);
    value_error(format!("Method {method} cannot be called on receiver {}", receiver.describe()))
}

impl Host for Frame {
    fn call(&self, context: &Context, receiver: &Value, name: &str, actuals: &[Actual]) -> Result<Option<Value>> {
        if self.contract.is_some() && contract::is_contract(name) {
            return Ok(None);
        }
        let found = if let Some(handle) = downcast::<Handle>(receiver) {
            self.call_object(context, handle, name, actuals)?
        } else if let Some(class) = as_type(receiver) {
            self.call_type(context, class, name, actuals)?
        } else if let Some(trace) = downcast::<StackTrace>(receiver).filter(|_| name == "toString") {
            let prefix = Arguments::evaluate(context, actuals)?.get(0, "prefix");
            Some(trace.text(prefix.as_str().unwrap_or_default()).into())
        } else {
            reflect::call(self, context, receiver, name, actuals)?
        };
        match found {
            Some(value) => Ok(Some(value)),
            None => self.call_extension(context, receiver, name, actuals),
        }
    }

    fn attribute(&self, context: &Context, receiver: &Value, name: &str) -> Result<Option<Value>> {
        if let Some(handle) = downcast::<Handle>(receiver) {
            return property::read(self, handle, name).map(Some);
        }
        if let Some(TypeHandle(class)) = downcast(receiver) {
            return property::read_static(&self.runtime, class, name).map(Some);
        }
        if let Some(exception) = downcast::<Exception>(receiver) {
            let value = exception.attribute(name);
            return value.map(Some).ok_or_else(|| fail(Kind::NoProperty, format!("Property \"{name}\" is not found")));
        }
        if let Some(trace) = downcast::<StackTrace>(receiver) {
            let value = trace.attribute(name);
            return value.map(Some).ok_or_else(|| fail(Kind::NoProperty, format!("Property \"{name}\" is not found")));
        }
        if downcast::<Placeholder>(receiver).is_some() {
            return Ok(Some(Value::Null));
        }
        reflect::attribute(self, context, receiver, name)
    }

    fn named_type(&self, _: &Context, prefix: Option<&str>, name: &str) -> Result<Option<Value>> {
        let name = format!("{}:{name}", prefix.unwrap_or_default());
        self.named(&name).map(|class| Some(type_value(&class)))
    }

    fn is_instance(&self, _: &Context, value: &Value, ty: &Value) -> Result<Option<bool>> {
        let class = self.resolve(ty)?;
        if downcast::<Exception>(value).is_some() {
            return Ok(Some(class.name == "io.murano.Exception" || class.name == "io.murano.Object"));
        }
        if downcast::<StackTrace>(value).is_some() {
            return Ok(Some(class.name == "io.murano.StackTrace" || class.name == "io.murano.Object"));
        }
        Ok(Some(
            crate::object::as_object(value).is_some_and(|object| self.seen_as(&object.class, &class, None).is_some()),
        ))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Arguments {
    pub(crate) fn evaluate(context: &Context, actuals: &[Actual]) -> Result<Self> {
        let evaluated = evaluate_arguments(context, actuals)?;
        Ok(Self { positional: evaluated.positional, named: evaluated.named })
    }
}
