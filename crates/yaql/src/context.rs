//! Contexts of evaluations: variables, functions, and the host.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::dispatch::{Actual, Functions};
use crate::error::Result;
use crate::function::Library;
use crate::meter::{Dialect, Meter, grow};
use crate::syntax::{Expr, Name};
use crate::value::{Charge, Value};

/// A layer of variables, and perhaps functions, on top of others. Clones refer to the same context.
#[derive(Clone)]
pub struct Context(Rc<Layer>);

struct Layer {
    parent: Option<Context>,
    meter: Rc<Meter>,
    dialect: Dialect,
    functions: Rc<Functions>,
    host: Option<Rc<dyn Host>>,
    variables: RefCell<Vec<(Name, Value)>>,
    /// The depth of the layers and iterators that this layer keeps alive.
    depth: Cell<u32>,
    charge: OnceCell<Charge>,
}

/// The number of variables or layers that are searched per step.
const SEARCHED_PER_STEP: u64 = 16;

impl Drop for Layer {
    fn drop(&mut self) {
        let (parent, variables) = (self.parent.take(), self.variables.take());
        grow(|| drop((parent, variables)));
    }
}

/// Evaluates everything that has no meaning in YAQL itself. Every method may leave the decision to the library.
pub trait Host {
    /// Calls a method of a receiver. Returns `None` if it has no such method; then functions of libraries are tried.
    fn call(&self, _: &Context, _receiver: &Value, _name: &str, _: &[Actual]) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Reads an attribute of a value that is not a dictionary.
    fn attribute(&self, _: &Context, _receiver: &Value, _name: &str) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Returns the meaning of `prefix:name` and `:name`.
    fn named_type(&self, _: &Context, _prefix: Option<&str>, _name: &str) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Returns whether `value is type` holds.
    fn is_instance(&self, _: &Context, _value: &Value, _type: &Value) -> Result<Option<bool>> {
        Ok(None)
    }

    /// Returns `self` for downcasts by functions of the host.
    fn as_any(&self) -> &dyn Any;
}

impl Context {
    /// Creates a context with functions and without variables.
    pub fn new(meter: Rc<Meter>, dialect: Dialect, library: Rc<Library>) -> Self {
        let functions = Rc::new(Functions::new(library, None));
        let (variables, depth, charge) = (RefCell::default(), Cell::new(1), OnceCell::new());
        Self(Rc::new(Layer { parent: None, meter, dialect, functions, host: None, variables, depth, charge }))
    }

    /// Returns a new layer on top of this one. Its variables are not visible in this layer.
    pub fn child(&self) -> Self {
        self.child_with(self.0.functions.clone(), self.0.host.clone())
    }

    fn child_with(&self, functions: Rc<Functions>, host: Option<Rc<dyn Host>>) -> Self {
        let (parent, meter, dialect) = (Some(self.clone()), self.0.meter.clone(), self.0.dialect);
        let (variables, depth, charge) = (RefCell::default(), Cell::new(self.depth() + 1), OnceCell::new());
        Self(Rc::new(Layer { parent, meter, dialect, functions, host, variables, depth, charge }))
    }

    /// Returns a layer with further functions, which take precedence over those of the layers below.
    pub fn with_library(&self, library: Rc<Library>) -> Self {
        let functions = Rc::new(Functions::new(library, Some(self.0.functions.clone())));
        self.child_with(functions, self.0.host.clone())
    }

    /// Returns a layer with the given host.
    pub fn with_host(&self, host: Rc<dyn Host>) -> Self {
        self.child_with(self.0.functions.clone(), Some(host))
    }

    /// Returns the value of a variable; null if there is none.
    pub fn get(&self, name: &Name) -> Value {
        self.find(name).unwrap_or(Value::Null)
    }

    /// Returns the value of a variable, if there is one.
    pub fn find(&self, name: &Name) -> Option<Value> {
        let mut context = Some(self);
        let mut looked_at = 0;
        while let Some(layer) = context {
            looked_at += 1;
            if looked_at % SEARCHED_PER_STEP == 0 {
                self.meter().note(1);
            }
            if let Some((_, value)) = layer.0.variables.borrow().iter().find(|(other, _)| other == name) {
                return Some(value.clone());
            }
            context = layer.0.parent.as_ref();
        }
        None
    }

    /// Sets a variable of this layer.
    pub fn set(&self, name: Name, value: Value) {
        self.0.depth.set(self.depth().max(value.depth() + 1));
        let mut variables = self.0.variables.borrow_mut();
        self.meter().note(variables.len() as u64 / SEARCHED_PER_STEP);
        match variables.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => *old = value,
            None => variables.push((name, value)),
        }
    }

    /// Sets `$`.
    pub fn set_data(&self, value: Value) {
        self.set(Name::Position(1), value);
    }

    /// Sets a variable that has a name.
    pub fn set_named(&self, name: impl Into<Arc<str>>, value: Value) {
        self.set(Name::Named(name.into()), value);
    }

    /// Returns the variables of this layer alone.
    pub fn variables(&self) -> Vec<(Name, Value)> {
        self.0.variables.borrow().clone()
    }

    /// Returns the host of this layer or of those below.
    pub fn host(&self) -> Option<&Rc<dyn Host>> {
        self.0.host.as_ref()
    }

    /// Returns the counter of steps, with the limits.
    pub fn meter(&self) -> &Rc<Meter> {
        &self.0.meter
    }

    /// Returns whether functions and operators have the meaning of YAQL 0.2.
    pub fn is_legacy(&self) -> bool {
        self.0.dialect == Dialect::Legacy
    }

    /// Returns whether any library has methods of that name, regardless of the receiver.
    pub fn has_method(&self, name: &str) -> bool {
        self.0.functions.has_method(name)
    }

    pub(crate) fn functions(&self) -> &Rc<Functions> {
        &self.0.functions
    }

    pub(crate) fn depth(&self) -> u32 {
        self.0.depth.get()
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the size of this layer in bytes, without the values of its variables.
    pub(crate) fn bytes(&self) -> u64 {
        const LAYER: u64 = 256;
        const VARIABLE: u64 = 64;
        const LIBRARY: u64 = 1024;
        let inherits = self.0.parent.as_ref().is_some_and(|parent| Rc::ptr_eq(&parent.0.functions, &self.0.functions));
        let library = if inherits { 0 } else { LIBRARY };
        LAYER + library + self.0.variables.borrow().len() as u64 * VARIABLE
    }

    pub(crate) fn charge(&self) -> &OnceCell<Charge> {
        &self.0.charge
    }

    pub(crate) fn identity(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Evaluates an expression and converts the iterators in the result to lists.
    ///
    /// # Errors
    ///
    /// Returns any evaluation error, with its position in the expression.
    pub fn evaluate(&self, expression: &Expr) -> Result<Value> {
        self.evaluate_lazily(expression)?.finalize(self)
    }

    /// Evaluates an expression. The result may contain iterators, whose items are yet to be computed.
    ///
    /// # Errors
    ///
    /// Returns any evaluation error, with its position in the expression.
    pub fn evaluate_lazily(&self, expression: &Expr) -> Result<Value> {
        crate::evaluate::evaluate(self, expression)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.0.variables.borrow()).finish()
    }
}
