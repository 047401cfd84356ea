//! Descriptions of classes and their members that methods can inspect.

use std::any::Any;
use std::rc::Rc;

use tosca_parse::entity::Enumerated as _;
use tosca_parse_yaql::{Actual, Context, Object as YaqlObject, Result, Value};

use crate::class::{Argument, Class, Method, MethodUsage, Property};
use crate::error::{Kind, fail, value_error};
use crate::frame::Frame;
use crate::invoke::{Arguments, Callee};
use crate::language::Targets;
use crate::meta;
use crate::natives;
use crate::object::{Handle, as_object, as_type, downcast, object_value, type_value};
use crate::package::Origin;
use crate::property;

/// A description.
pub(crate) enum Reflection {
    Type(Rc<Class>),
    /// A method, the class that declares it, and the class through which it was found.
    Method(Rc<Method>, Rc<Class>, Rc<Class>),
    Property(Rc<Property>, Rc<Class>, Rc<Class>),
    Argument(Rc<Argument>, Rc<Method>, Rc<Class>),
    Package(Rc<Origin>),
    Version(Rc<Origin>),
    /// A logger, which does nothing.
    Logger,
}

/// The methods of loggers: one for each level, and one that also writes the stack of an exception.
pub(crate) const LOGGER: [&str; 7] = ["critical", "debug", "error", "exception", "info", "trace", "warning"];

impl YaqlObject for Reflection {
    fn describe(&self) -> String {
        if let Self::Version(origin) = self {
            return origin.version.to_string();
        }
        let name = match self {
            Self::Type(class) => &class.name,
            Self::Method(method, ..) => &method.name,
            Self::Property(property, ..) => &property.name,
            Self::Argument(argument, ..) => &argument.name,
            Self::Package(origin) => &origin.name,
            Self::Version(_) | Self::Logger => "",
        };
        format!("<reflection {name}>")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Reflection {
    pub(crate) fn value(self) -> Value {
        Value::Object(Rc::new(self))
    }
}

/// Returns the description of the class of an object or of a type.
pub(crate) fn typeinfo(frame: &Frame, value: &Value) -> Result<Value> {
    let class = match (as_object(value), as_type(value)) {
        (Some(object), _) => object.class.clone(),
        (None, Some(class)) => class.clone(),
        _ => frame.resolve(value)?,
    };
    Ok(Reflection::Type(class).value())
}

fn members<T>(class: &Rc<Class>, of: impl Fn(&Class) -> Vec<(String, Rc<T>)>) -> Vec<(Rc<T>, Rc<Class>)> {
    let mut seen: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for declaring in class.lineage() {
        for (name, member) in of(&declaring) {
            if !seen.contains(&name) {
                seen.push(name);
                all.push((member, declaring.clone()));
            }
        }
    }
    all
}

fn method_value(class: &Rc<Class>) -> Value {
    let all =
        members(class, |class| class.methods.iter().map(|(name, method)| (name.clone(), method.clone())).collect());
    let natives = class.lineage().flat_map(|declaring| natives::methods(&declaring));
    let all = all.into_iter().chain(natives);
    let value = |(method, declaring)| Reflection::Method(method, declaring, class.clone()).value();
    Value::list(all.map(value).collect())
}

fn property_value(class: &Rc<Class>) -> Value {
    let all =
        members(class, |class| class.properties.iter().map(|(name, member)| (name.clone(), member.clone())).collect());
    let value = |(property, declaring)| Reflection::Property(property, declaring, class.clone()).value();
    Value::list(all.into_iter().map(value).collect())
}

/// Returns an attribute of a description.
pub(crate) fn attribute(frame: &Frame, _: &Context, receiver: &Value, name: &str) -> Result<Option<Value>> {
    let Some(reflection) = downcast::<Reflection>(receiver) else { return Ok(None) };
    let runtime = &frame.runtime;
    let value = match (reflection, name) {
        (Reflection::Type(class), "name") => class.name.as_str().into(),
        (Reflection::Type(class), "usage") => class.usage.name().into(),
        (Reflection::Type(class), "version") => Reflection::Version(class.origin.clone()).value(),
        (Reflection::Version(origin), "major") => Value::integer(origin.version.number(0)),
        (Reflection::Version(origin), "minor") => Value::integer(origin.version.number(1)),
        (Reflection::Version(origin), "patch") => Value::integer(origin.version.number(2)),
        (Reflection::Type(class), "package") => Reflection::Package(class.origin.clone()).value(),
        (Reflection::Type(class), "type") => type_value(class),
        (Reflection::Type(class), "methods") => method_value(class),
        (Reflection::Type(class), "properties") => property_value(class),
        (Reflection::Type(class), "ancestors") => {
            Value::list(class.ancestors().iter().map(|class| Reflection::Type(class.clone()).value()).collect())
        }
        (Reflection::Type(class), "meta") => meta::list(&meta::of_type(runtime, class)?),
        (Reflection::Type(class), "cardinality" | "targets" | "inherited") if !class.declared.is_meta() => Value::Null,
        (Reflection::Type(class), "cardinality") => if class.declared.is_many() { "Many" } else { "One" }.into(),
        (Reflection::Type(class), "inherited") => class.declared.is_handed_on().into(),
        (Reflection::Type(class), "targets") => {
            let targets = Targets::NAMES.into_iter().filter(|target| class.declared.targets().has(target));
            Value::list(targets.map(Value::from).collect())
        }
        (Reflection::Method(method, ..), "name") => method.name.as_str().into(),
        (Reflection::Method(method, ..), "usage") => method.usage.as_str().into(),
        (Reflection::Method(method, ..), "scope") => method.scope.as_str().into(),
        (Reflection::Method(_, declaring, _) | Reflection::Property(_, declaring, _), "declaringType") => {
            Reflection::Type(declaring.clone()).value()
        }
        (Reflection::Method(method, declaring, _), "arguments") => {
            let value = |argument: &Rc<Argument>| {
                Reflection::Argument(argument.clone(), method.clone(), declaring.clone()).value()
            };
            Value::list(method.arguments.iter().map(value).collect())
        }
        (Reflection::Method(method, _, class), "meta") => meta::list(&meta::of_method(runtime, class, &method.name)?),
        (Reflection::Property(property, ..), "name") => property.name.as_str().into(),
        (Reflection::Property(property, ..), "usage") => property.usage.as_str().into(),
        (Reflection::Property(property, ..), "hasDefault") => property.default.is_some().into(),
        (Reflection::Property(property, _, class), "meta") => {
            meta::list(&meta::of_property(runtime, class, &property.name)?)
        }
        (Reflection::Argument(argument, ..), "name") => argument.name.as_str().into(),
        (Reflection::Argument(argument, ..), "usage") => argument.usage.name().into(),
        (Reflection::Argument(argument, ..), "hasDefault") => argument.default.is_some().into(),
        (Reflection::Argument(_, method, class), "declaringMethod") => {
            Reflection::Method(method.clone(), class.clone(), class.clone()).value()
        }
        (Reflection::Argument(argument, _, class), "meta") => {
            meta::list(&meta::of_argument(runtime, class, &argument.meta)?)
        }
        (Reflection::Package(origin), "name") => origin.name.as_str().into(),
        (Reflection::Package(origin), "version") => Reflection::Version(origin.clone()).value(),
        (Reflection::Package(origin), "types") => {
            let mut types = Vec::new();
            let package = runtime.package(origin.index);
            for name in package.class_names() {
                types.extend(runtime.class_of(package, name)?.map(|class| Reflection::Type(class).value()));
            }
            Value::list(types)
        }
        (Reflection::Package(origin), "meta") => {
            let package = runtime.package(origin.index);
            let declarations = vec![(frame.class.clone(), package.meta.as_slice())];
            meta::list(&meta::merged(runtime, &frame.class, &declarations, "Package")?)
        }
        _ => return Err(fail(Kind::NoProperty, format!("Property \"{name}\" is not found"))),
    };
    Ok(Some(value))
}

/// Calls a method of a description; `None` if there is none.
pub(crate) fn call(
    frame: &Frame,
    context: &Context,
    receiver: &Value,
    name: &str,
    actuals: &[Actual],
) -> Result<Option<Value>> {
    let Some(reflection) = downcast::<Reflection>(receiver) else { return Ok(None) };
    match (reflection, name) {
        (Reflection::Method(method, declaring, _), "invoke") => {
            let mut arguments = Arguments::evaluate(context, actuals)?;
            let target = take(&mut arguments);
            let this = match (as_object(&target), method.usage) {
                (Some(object), MethodUsage::Static) => type_value(&object.class),
                (Some(object), _) => object_value(object),
                (None, _) => target,
            };
            Callee { runtime: &frame.runtime, class: declaring, method, this: &this }.call(arguments).map(Some)
        }
        (Reflection::Property(property, _, class), "getValue") => {
            let target = take(&mut Arguments::evaluate(context, actuals)?);
            if target.is_null() {
                return property::read_static(&frame.runtime, class, &property.name).map(Some);
            }
            context.host().map_or(Ok(None), |host| host.attribute(context, &target, &property.name))
        }
        (Reflection::Property(property, ..), "setValue") => {
            let mut arguments = Arguments::evaluate(context, actuals)?;
            let (target, value) = (take(&mut arguments), take(&mut arguments));
            match (downcast::<Handle>(&target), as_type(&target)) {
                (Some(handle), _) => property::write(frame, handle, &property.name, value)?,
                (None, Some(class)) => property::write_static(&frame.runtime, class, &property.name, value)?,
                _ => return Err(value_error(format!("{} has no properties", target.shown_repr()))),
            }
            Ok(Some(Value::Null))
        }
        (Reflection::Logger, _) if LOGGER.contains(&name) => {
            Arguments::evaluate(context, actuals)?;
            Ok(Some(Value::Null))
        }
        _ => Ok(None),
    }
}

/// Returns the first argument by position.
fn take(arguments: &mut Arguments) -> Value {
    if arguments.positional.is_empty() { None } else { arguments.positional.remove(0) }.unwrap_or(Value::Null)
}
