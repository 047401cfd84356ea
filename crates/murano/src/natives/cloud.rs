//! Stacks, agents and reporters, which record requests.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tosca_parse_yaql::{Dict, Result, Value};

use super::OfCore;
use crate::effect::EffectKind;
use crate::error::value_error;
use crate::frame::Frame;
use crate::invoke::Arguments;
use crate::object::{Object, as_object};

/// Returns the native method of a class that would access external systems.
pub(super) fn find(class: &str, name: &str) -> Option<OfCore> {
    let (space, class) = class.strip_prefix("io.murano.")?.rsplit_once('.')?;
    Some(match (space, class, name) {
        ("system", "HeatStack", "current") => |_, this, _| Ok(slot(this, TEMPLATE)),
        ("system", "HeatStack", "parameters") => |_, this, _| Ok(slot(this, PARAMETERS)),
        ("system", "HeatStack", "output") => |_, _, _| Ok(empty()),
        ("system", "HeatStack", "reload") => |_, _, _| Ok(Value::Null),
        ("system", "HeatStack", "setTemplate") => {
            |_, this, arguments| set(this, TEMPLATE, arguments.get(0, "template"))
        }
        ("system", "HeatStack", "setParameters") => {
            |_, this, arguments| set(this, PARAMETERS, arguments.get(0, "parameters"))
        }
        ("system", "HeatStack", "updateTemplate") => update_template,
        ("system", "HeatStack", "_remove") => remove_resource,
        ("system", "HeatStack", "push") => push,
        ("system", "HeatStack", "delete") => delete,
        ("system", "Agent", "call") => |frame, this, arguments| plan(frame, this, arguments, "call"),
        ("system", "Agent", "send") => |frame, this, arguments| plan(frame, this, arguments, "send"),
        ("system", "Agent", "callRaw") => |frame, this, arguments| plan(frame, this, arguments, "callRaw"),
        ("system", "Agent", "sendRaw") => |frame, this, arguments| plan(frame, this, arguments, "sendRaw"),
        ("system", "Agent", "isReady") => |_, _, _| Ok(true.into()),
        ("system", "Agent", "waitReady") => |_, _, _| Ok(Value::Null),
        ("system", "Agent" | "AgentListener", "queueName") => |_, this, _| Ok(label(this).into()),
        ("system", "AgentListener", "start" | "stop") => |_, _, _| Ok(Value::Null),
        ("system", "StatusReporter", "report") => |frame, _, arguments| report(frame, arguments, "report"),
        ("system", "StatusReporter", "report_error") => |frame, _, arguments| report(frame, arguments, "report_error"),
        ("system", "InstanceNotifier", "trackApplication") => {
            |frame, _, arguments| notify(frame, arguments, "trackApplication")
        }
        ("system", "InstanceNotifier", "untrackApplication") => {
            |frame, _, arguments| notify(frame, arguments, "untrackApplication")
        }
        ("system", "InstanceNotifier", "trackCloudInstance") => {
            |frame, _, arguments| notify(frame, arguments, "trackCloudInstance")
        }
        ("system", "InstanceNotifier", "untrackCloudInstance") => {
            |frame, _, arguments| notify(frame, arguments, "untrackCloudInstance")
        }
        ("system", "MistralClient", "upload") => |frame, _, arguments| {
            let definition = arguments.get(0, "definition");
            frame.runtime.record(EffectKind::Workflow, "upload", String::new(), [("definition", definition)])?;
            Ok(Value::Null)
        },
        ("system", "MistralClient", "run") => |frame, _, arguments| {
            let inputs = arguments.get(2, "inputs");
            let name = arguments.get(0, "name").to_python();
            frame.runtime.record(EffectKind::Workflow, "run", name, [("inputs", inputs)])?;
            Ok(empty())
        },
        ("system", "MetadefBrowser", "canBeAppliedTo") => |_, _, _| Ok(true.into()),
        ("system", "MetadefBrowser", _) => |_, _, _| Ok(empty()),
        ("system", "NetworkExplorer", "getDefaultRouter") => |_, _, _| Ok("router".into()),
        ("system", "NetworkExplorer", "getAvailableCidr") => |_, _, _| Ok("10.0.0.0/24".into()),
        ("system", "NetworkExplorer", "getExternalNetworkIdForRouter" | "getExternalNetworkIdForNetwork") => {
            |_, _, _| Ok("external".into())
        }
        ("system", "NetworkExplorer", _) => |_, _, _| Ok(Value::list(Vec::new())),
        ("system", "Resources", "string") => |frame, _, arguments| {
            let is_binary = arguments.get(1, "binary").is_truthy();
            let bytes = resource(frame, arguments)?;
            let encode = |bytes: Vec<u8>| if is_binary { STANDARD.encode(bytes) } else { lossy(&bytes) };
            Ok(bytes.map_or(Value::Null, |bytes| encode(bytes).into()))
        },
        ("system", "Resources", "yaml" | "json") => |frame, _, arguments| {
            let Some(bytes) = resource(frame, arguments)? else { return Ok(Value::Null) };
            crate::template::data(&arguments.get(0, "name").to_python(), &lossy(&bytes))
        },
        ("resources", "Instance", "_nextAddress") => next_address,
        _ => return None,
    })
}

/// Like [`find`], for the only class of the root namespace.
pub(super) fn find_in_root(class: &str, name: &str) -> Option<OfCore> {
    ((class, name) == ("io.murano.SharedIp", "_nextAddress")).then_some(next_address as OfCore)
}

const TEMPLATE: &str = "template";
const PARAMETERS: &str = "parameters";
const PUSHED: &str = "pushed";
const STACK: &str = "io.murano.system.HeatStack";

fn empty() -> Value {
    Value::dict([])
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a value that a stack keeps under a name, hidden from code.
fn slot(this: &Value, name: &str) -> Value {
    let key = (STACK.to_owned(), name.to_owned());
    as_object(this).and_then(|stack| stack.private.borrow().get(&key).cloned()).unwrap_or_else(empty)
}

fn set(this: &Value, name: &str, value: Value) -> Result<Value> {
    let stack = as_object(this).ok_or_else(|| value_error("only objects are stacks"))?;
    stack.private.borrow_mut().insert((STACK.to_owned(), name.to_owned()), value);
    Ok(Value::Null)
}

fn update_template(frame: &Frame, this: &Value, arguments: &Arguments) -> Result<Value> {
    let (old, new) = (slot(this, TEMPLATE), arguments.get(0, "template"));
    frame.runtime.meter().spend(old.weight() + new.weight())?;
    set(this, TEMPLATE, merged(&old, &new))
}

/// Overlays a template with a newer one: maps are merged, and missing items are added to lists.
fn merged(old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Dict(old), Value::Dict(new)) => {
            let mut all: Dict = old.content().clone();
            for (key, value) in new.iter() {
                let value = all.get(key).map_or_else(|| value.clone(), |old| merged(old, value));
                all.insert(key.clone(), value);
            }
            Value::dict(all)
        }
        (Value::List(old), Value::List(new)) => {
            let added = new.iter().filter(|item| !old.contains(item));
            Value::list(old.iter().chain(added).cloned().collect())
        }
        _ => new.clone(),
    }
}

fn remove_resource(_: &Frame, this: &Value, arguments: &Arguments) -> Result<Value> {
    let template = slot(this, TEMPLATE);
    let mut all = template.as_dict().cloned().unwrap_or_default();
    if let Some(mut resources) = template.get("resources").and_then(Value::as_dict).cloned() {
        resources.shift_remove(&arguments.get(0, "name"));
        all.insert("resources".into(), Value::dict(resources));
    }
    set(this, TEMPLATE, Value::dict(all))
}

fn push(frame: &Frame, this: &Value, _: &Arguments) -> Result<Value> {
    let template = slot(this, TEMPLATE);
    frame.runtime.meter().spend(template.weight())?;
    if template != slot(this, PUSHED) {
        let parameters = slot(this, PARAMETERS);
        let parameters = parameters.is_truthy().then_some(("parameters", parameters));
        let region = property(this, "regionName").filter(|region| !region.is_null());
        let region = region.map(|region| ("region", region));
        let details = region.into_iter().chain([("template", template.clone())]).chain(parameters);
        frame.runtime.record(EffectKind::Stack, "push", label(this), details)?;
        set(this, PUSHED, template)?;
    }
    Ok(empty())
}

fn delete(frame: &Frame, this: &Value, _: &Arguments) -> Result<Value> {
    frame.runtime.record(EffectKind::Stack, "delete", label(this), [])?;
    set(this, PUSHED, empty())?;
    set(this, TEMPLATE, empty())
}

fn property(this: &Value, name: &str) -> Option<Value> {
    as_object(this)?.property(name)
}

/// Returns the name of an object for readers: its property `name`, that of its host, or its id.
fn label(this: &Value) -> String {
    let Some(object) = as_object(this) else { return this.to_python() };
    let named =
        |object: &Rc<Object>| object.property("name").filter(|name| !name.is_null()).map(|name| name.to_python());
    let host = object.property("host").and_then(|host| as_object(&host).cloned());
    let host = host.map(|host| named(&host).unwrap_or_else(|| host.id.clone()));
    host.or_else(|| named(object)).unwrap_or_else(|| object.id.clone())
}

fn plan(frame: &Frame, this: &Value, arguments: &Arguments, action: &str) -> Result<Value> {
    let name = if action.ends_with("Raw") { "plan" } else { "template" };
    let plan = arguments.get(0, name);
    frame.runtime.record(EffectKind::Agent, action, label(this), [("plan", plan)])?;
    Ok(Value::Null)
}

fn report(frame: &Frame, arguments: &Arguments, action: &str) -> Result<Value> {
    let (subject, message) = (arguments.get(0, "instance"), arguments.get(1, "message"));
    frame.runtime.record(EffectKind::Report, action, label(&subject), [("message", message)])?;
    Ok(Value::Null)
}

fn notify(frame: &Frame, arguments: &Arguments, action: &str) -> Result<Value> {
    let details = ["title", "unitCount"].into_iter().enumerate();
    let details = details.map(|(number, name)| (name, arguments.get(number + 1, name)));
    let details = details.filter(|(_, value)| !value.is_null());
    frame.runtime.record(EffectKind::Notification, action, label(&arguments.get(0, "instance")), details)?;
    Ok(Value::Null)
}

/// Returns an address like those that a cloud would assign, from the range that is reserved for documentation.
#[expect(clippy::unnecessary_wraps, reason = "native functions return results")]
fn next_address(frame: &Frame, _: &Value, arguments: &Arguments) -> Result<Value> {
    let network = if arguments.get(0, "isFloating").is_truthy() { "198.51.100" } else { "192.0.2" };
    let number = frame.runtime.addresses.get() + 1;
    frame.runtime.addresses.set(number);
    Ok(format!("{network}.{}", 1 + (number - 1) % 254).into())
}

/// Returns the bytes of a resource of the calling package; `None` if its resources are unavailable.
fn resource(frame: &Frame, arguments: &Arguments) -> Result<Option<Vec<u8>>> {
    let name = arguments.get(0, "name").to_python();
    let package = frame.runtime.package(frame.class.origin.index);
    let Some(resources) = &package.resources else { return Ok(None) };
    let bytes = resources.read(&name).map_err(|reason| {
        value_error(format!("can't read the resource `{name}` of package {}: {reason}", package.origin.name))
    })?;
    frame.runtime.meter().budget().bytes(bytes.len() as u64)?;
    Ok(Some(bytes))
}
