//! Mocks: replacements of methods in tests.

use std::rc::Rc;

use tosca_parse_yaql::{Call, Context, Lambda, Library, Result, Value};

use crate::class::{Class, MethodUsage};
use crate::error::{Kind, fail, value_error};
use crate::frame::Frame;
use crate::invoke::{Arguments, Callee};
use crate::natives;
use crate::object::{Handle, Object, as_object, as_type, downcast, object_value, type_value};
use crate::runtime::Runtime;

/// A replacement for a method of a class or of an object.
pub(crate) struct Mock {
    target: Target,
    method: String,
    body: Body,
}

enum Target {
    Class(Rc<Class>),
    Object(Rc<Object>),
}

#[derive(Clone)]
enum Body {
    /// A method of an object, usually of the test.
    Method(Value, String),
    /// An expression, for the object whose code has injected it.
    Expression(Lambda),
}

/// A call to a replaced method.
#[derive(Clone)]
pub(crate) struct MockedCall {
    receiver: Value,
    class: Rc<Class>,
    method: String,
    arguments: Arguments,
}

thread_local! {
    /// The functions for tests.
    pub(crate) static LIBRARY: Rc<Library> = Rc::new(assemble());
}

fn assemble() -> Library {
    let mut library = Library::new();
    library
        .add("inject(target: any, methodName: String, expression: Lambda)", |call| {
            let body = Body::Expression(call.demanded_lambda(2)?);
            inject(call, body)
        })
        .add("inject(target: any, methodName: String, mockObject: any, mockName: String)", |call| {
            let body = Body::Method(call.value(2), call.text(3).as_ref().to_owned());
            inject(call, body)
        })
        .add("withOriginal(*variables: MappingRule)", |call| {
            let mocked = mocked(call)?;
            let original = mocked.variables(&Frame::of(call.context)?.runtime)?;
            let context = call.context.child();
            for (name, value) in call.rest_mappings() {
                let name = name.expression().as_text().cloned();
                let name = name.ok_or_else(|| value_error("the names of variables must be words"))?;
                context.set_named(name, original.evaluate(value.expression())?);
            }
            Ok(Value::Context(context))
        })
        .add("originalMethod(*args: any, **kwargs: any)", |call| {
            let mut mocked = mocked(call)?;
            let positional = call.rest_values();
            if !positional.is_empty() || !call.named.is_empty() {
                mocked.arguments = Arguments::new(positional, std::mem::take(&mut call.named));
            }
            mocked.original(Frame::of(call.context)?)
        });
    library
}

fn inject(call: &Call<'_>, body: Body) -> Result<Value> {
    let frame = Frame::of(call.context)?;
    let target = match as_object(&call.value(0)) {
        Some(object) => Target::Object(object.clone()),
        None => Target::Class(frame.resolve(&call.value(0))?),
    };
    let mock = Mock { target, method: call.text(1).as_ref().to_owned(), body };
    let mut mocks = frame.runtime.mocks.borrow_mut();
    mocks.retain(|other| !mock.replaces(other));
    mocks.push(mock);
    Ok(Value::Null)
}

fn mocked(call: &Call<'_>) -> Result<MockedCall> {
    let mocked = Frame::of(call.context)?.mocked.clone();
    mocked.ok_or_else(|| value_error("there is no original method: this is not the body of a mock"))
}

impl Mock {
    fn replaces(&self, other: &Self) -> bool {
        let same = match (&self.target, &other.target) {
            (Target::Class(one), Target::Class(other)) => Rc::ptr_eq(one, other),
            (Target::Object(one), Target::Object(other)) => Rc::ptr_eq(one, other),
            _ => false,
        };
        same && self.method == other.method
    }
}

/// Returns the mock of a method for an object or type: a mock of the object itself, or else of the nearest class,
/// unless a nearer class declares the method.
fn find(runtime: &Rc<Runtime>, receiver: &Value, class: &Rc<Class>, method: &str) -> Option<Body> {
    let mocks = runtime.mocks.borrow();
    let mut named = mocks.iter().filter(|mock| mock.method == method).peekable();
    named.peek()?;
    let named: Vec<&Mock> = named.collect();
    let object = as_object(receiver);
    let of_object = |mock: &&&Mock| matches!((&mock.target, object), (Target::Object(target), Some(object)) if Rc::ptr_eq(target, object));
    if let Some(mock) = named.iter().find(of_object) {
        return Some(mock.body.clone());
    }
    for class in class.lineage() {
        let of_class = |mock: &&&Mock| matches!(&mock.target, Target::Class(target) if Rc::ptr_eq(target, &class));
        if let Some(mock) = named.iter().find(of_class) {
            return Some(mock.body.clone());
        }
        if class.methods.contains_key(method) || natives::find(runtime, &class, method).is_some() {
            return None;
        }
    }
    None
}

/// Calls the mock of a method; `None` if it has none.
pub(crate) fn call(
    frame: &Frame,
    receiver: &Value,
    class: &Rc<Class>,
    method: &str,
    arguments: impl FnOnce() -> Result<Arguments>,
) -> Result<Option<Value>> {
    let runtime = &frame.runtime;
    if runtime.mocks.borrow().is_empty() {
        return Ok(None);
    }
    let Some(body) = find(runtime, receiver, class, method) else { return Ok(None) };
    let (receiver, class, method) = (receiver.clone(), class.clone(), method.to_owned());
    let mocked = MockedCall { receiver, class, method, arguments: arguments()? };
    runtime.meter().nested(|| body.call(runtime, mocked)).map(Some)
}

impl Body {
    fn call(&self, runtime: &Rc<Runtime>, mocked: MockedCall) -> Result<Value> {
        match self {
            Self::Method(object, name) => {
                let class = match (downcast::<Handle>(object), as_type(object)) {
                    (Some(handle), _) => handle.class().clone(),
                    (None, Some(class)) => class.clone(),
                    _ => return Err(value_error("a mock is a method of an object")),
                };
                let found = class.find_method(name)?;
                let missing = || fail(Kind::NoMethod, format!("Method \"{name}\" is not found"));
                let (declaring, method) = found.ok_or_else(missing)?;
                let arguments = mocked.arguments.clone();
                let this = if method.usage == MethodUsage::Static { type_value(&class) } else { object.clone() };
                let context = Frame::enter_mock(runtime, &declaring, &this, mocked);
                Callee { runtime, class: &declaring, method: &method, this: &this }.call_in(&context, arguments)
            }
            Self::Expression(lambda) => {
                let (class, this) = {
                    let frame = Frame::of(lambda.context())?;
                    (frame.class.clone(), frame.this.clone())
                };
                Frame::enter_mock(runtime, &class, &this, mocked).evaluate(lambda.expression())
            }
        }
    }
}

impl MockedCall {
    /// Returns the variables that the method itself would see.
    fn variables(&self, runtime: &Rc<Runtime>) -> Result<Context> {
        let context = Frame::enter(runtime, &self.class, &self.receiver, None);
        if let Some((declaring, method)) = self.class.find_method(&self.method)? {
            let callee = Callee { runtime, class: &declaring, method: &method, this: &self.receiver };
            for (name, value) in callee.bind(self.arguments.clone(), &context)? {
                context.set_named(name, value);
            }
        }
        Ok(context)
    }

    /// Calls the method itself.
    fn original(&self, frame: &Frame) -> Result<Value> {
        let runtime = &frame.runtime;
        let native = self.class.lineage().find_map(|class| natives::find(runtime, &class, &self.method));
        if let Some(native) = native {
            return native.call(frame, &self.receiver, &self.arguments);
        }
        let missing = || fail(Kind::NoMethod, format!("Method \"{}\" is not found", self.method));
        let (declaring, method) = self.class.find_method(&self.method)?.ok_or_else(missing)?;
        let this = match (method.usage, as_object(&self.receiver)) {
            (MethodUsage::Static, Some(object)) => type_value(&object.class),
            (_, Some(object)) => object_value(object),
            _ => self.receiver.clone(),
        };
        Callee { runtime, class: &declaring, method: &method, this: &this }.call(self.arguments.clone())
    }
}
