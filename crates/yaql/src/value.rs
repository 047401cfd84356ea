//! Values of expressions.

use std::any::Any;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::rc::Rc;
use std::sync::atomic::{self, AtomicU64};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use indexmap::{IndexMap, IndexSet};
use num_traits::FromPrimitive;
use tosca_parse_budget::Budget;

use crate::context::Context;
use crate::error::Result;
use crate::integer::Integer;
use crate::iterate::Items;
use crate::lambda::Lambda;
use crate::pattern::Pattern;
use crate::syntax::Constant;
use crate::timestamp::{Span, Timestamp};

/// A dictionary, in the order in which its keys were added.
pub type Dict = IndexMap<Value, Value, RandomState>;
/// A set, in the order in which its elements were added.
pub type Set = IndexSet<Value, RandomState>;

/// A value. Values are immutable, and copies share their content.
///
/// Values belong to one evaluation and stay in its thread, while expressions can be shared.
#[derive(Clone)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A whole number of any size.
    Integer(Integer),
    /// A number with a point.
    Float(f64),
    /// Text.
    String(Arc<str>),
    /// A list.
    List(Rc<NestedCollection<Vec<Value>>>),
    /// A dictionary.
    Dict(Rc<NestedCollection<Dict>>),
    /// A set.
    Set(Rc<NestedCollection<Set>>),
    /// The keys, values or items of a dictionary.
    View(View, Rc<NestedCollection<Dict>>),
    /// Lazy items that can be taken once.
    Iterator(Items),
    /// A regular expression.
    Pattern(Rc<Pattern>),
    /// A point in time.
    Timestamp(Timestamp),
    /// A length of time.
    Span(Span),
    /// Variables and functions, for `->`.
    Context(Context),
    /// An expression, with the variables that were visible where it was written.
    Lambda(Rc<Lambda>),
    /// A value of the host.
    Object(Rc<dyn Object>),
}

/// A collection with the cost of visiting all its content. A collection that is small in memory may be too large to
/// visit, if it contains the same collections in many places.
pub struct NestedCollection<T> {
    content: T,
    extent: Extent,
    charge: OnceCell<Charge>,
}

/// The bytes of a value, which its budget gets back when the value is dropped.
pub(crate) struct Charge {
    budget: Rc<Budget>,
    bytes: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

impl<T: PartialEq> PartialEq for NestedCollection<T> {
    fn eq(&self, other: &Self) -> bool {
        self.extent.depth == other.extent.depth && self.content == other.content
    }
}

impl<T: Eq> Eq for NestedCollection<T> {}

impl<T> NestedCollection<T> {
    fn new(content: T, extent: Extent) -> Rc<Self> {
        Rc::new(Self { content, extent, charge: OnceCell::new() })
    }

    /// Returns the collection itself.
    pub fn content(&self) -> &T {
        &self.content
    }
}

impl NestedCollection<Vec<Value>> {
    pub(crate) fn list(items: Vec<Value>) -> Rc<Self> {
        let extent = items.iter().fold(Extent::default(), Extent::with);
        Self::new(items, extent)
    }
}

impl<T> std::ops::Deref for NestedCollection<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T: Default> Default for NestedCollection<T> {
    fn default() -> Self {
        Self { content: T::default(), extent: Extent::default(), charge: OnceCell::new() }
    }
}

/// The cost of visiting a collection.
#[derive(Clone, Copy)]
struct Extent {
    /// The depth of collections in it, including itself.
    depth: u32,
    /// The size of all content in bytes. Shared content counts each time.
    weight: u64,
    /// Whether all items have been computed.
    is_final: bool,
}

/// The size of a value without its content, in bytes.
const NODE: u64 = 16;

impl Default for Extent {
    fn default() -> Self {
        Self { depth: 1, weight: NODE, is_final: true }
    }
}

impl Extent {
    fn with(self, value: &Value) -> Self {
        Self {
            depth: self.depth.max(value.depth() + 1),
            weight: self.weight.saturating_add(value.weight()),
            is_final: self.is_final && value.is_final(),
        }
    }
}

/// The part of a dictionary in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The keys.
    Keys,
    /// The values.
    Values,
    /// Lists of key and value.
    Items,
}

/// A value of the host, which is compared by identity.
pub trait Object: Any {
    /// Returns the object as shown in messages and as text.
    fn describe(&self) -> String;

    /// Returns the name of its type for messages.
    fn type_name(&self) -> &'static str {
        "object"
    }

    /// Returns the identity: objects with the same number are the same.
    fn identity(&self) -> usize {
        std::ptr::from_ref(self).cast::<u8>() as usize
    }

    /// Returns `self` for downcasts by the host.
    fn as_any(&self) -> &dyn Any;
}

impl Value {
    /// Creates a string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(text.into())
    }

    /// Creates an integer.
    pub fn integer(number: impl Into<Integer>) -> Self {
        Self::Integer(number.into())
    }

    /// Creates a list.
    pub fn list(items: Vec<Self>) -> Self {
        Self::List(NestedCollection::list(items))
    }

    /// Creates a dictionary.
    pub fn dict(entries: impl IntoIterator<Item = (Self, Self)>) -> Self {
        Self::from(entries.into_iter().collect::<Dict>())
    }

    /// Creates a set.
    pub fn set(elements: impl IntoIterator<Item = Self>) -> Self {
        let elements: Set = elements.into_iter().collect();
        let extent = elements.iter().fold(Extent::default(), Extent::with);
        Self::Set(NestedCollection::new(elements, extent))
    }

    /// Returns the depth of values in it.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::List(items) => items.extent.depth,
            Self::Dict(entries) | Self::View(_, entries) => entries.extent.depth,
            Self::Set(elements) => elements.extent.depth,
            Self::Iterator(items) => items.depth(),
            Self::Context(context) => context.depth(),
            Self::Lambda(lambda) => lambda.context().depth(),
            _ => 0,
        }
    }

    /// Returns the size in bytes, as if none of its content were shared.
    pub fn weight(&self) -> u64 {
        match self {
            Self::List(items) => items.extent.weight,
            Self::Dict(entries) | Self::View(_, entries) => entries.extent.weight,
            Self::Set(elements) => elements.extent.weight,
            Self::String(text) => NODE + text.len() as u64,
            Self::Integer(number) => NODE + number.weight(),
            _ => NODE,
        }
    }

    /// The size of a value without its content, in bytes.
    pub(crate) const SIZE: u64 = size_of::<Self>() as u64;

    /// Returns the size in bytes of this value that has not been charged yet, excluding its parts; 0 for shared
    /// content.
    pub(crate) fn new_bytes(&self) -> u64 {
        /// The bytes of a collection besides those of its items.
        const COLLECTION: u64 = 96;
        /// The bytes of a value that keeps contexts and other values alive.
        const LAZY: u64 = 256;
        const TEXT: u64 = 16;
        let bytes = match self {
            Self::List(items) => COLLECTION + items.len() as u64 * Self::SIZE,
            Self::Dict(entries) | Self::View(_, entries) => COLLECTION + entries.len() as u64 * (2 * Self::SIZE + 24),
            Self::Set(elements) => COLLECTION + elements.len() as u64 * (Self::SIZE + 24),
            Self::String(text) if Arc::strong_count(text) == 1 => TEXT + text.len() as u64,
            Self::Integer(number) => number.new_bytes(),
            Self::Iterator(items) => items.bytes(),
            Self::Context(context) => context.bytes(),
            Self::Lambda(_) => LAZY,
            _ => 0,
        };
        if self.charged().is_some_and(|charge| charge.get().is_some()) { 0 } else { bytes }
    }

    /// Returns the record of the charge for a value.
    fn charged(&self) -> Option<&OnceCell<Charge>> {
        Some(match self {
            Self::List(items) => &items.charge,
            Self::Dict(entries) | Self::View(_, entries) => &entries.charge,
            Self::Set(elements) => &elements.charge,
            Self::Iterator(items) => items.charge(),
            Self::Context(context) => context.charge(),
            _ => return None,
        })
    }

    /// Records that the bytes of the value itself have been charged.
    pub(crate) fn charge(&self, budget: &Rc<Budget>, bytes: u64) {
        if let Some(charge) = self.charged() {
            // The record is empty, because charged values have no new bytes.
            let _ = charge.set(Charge { budget: budget.clone(), bytes });
        }
    }

    /// Returns whether the value is a collection whose [parts](Self::each_part) are known.
    pub(crate) fn has_parts(&self) -> bool {
        matches!(self, Self::List(_) | Self::Dict(_) | Self::View(..) | Self::Set(_))
    }

    /// Visits the parts of a collection.
    pub(crate) fn each_part(&self, mut visit: impl FnMut(&Self) -> Result<()>) -> Result<()> {
        match self {
            Self::List(items) => items.iter().try_for_each(visit),
            Self::Dict(entries) | Self::View(_, entries) => {
                entries.iter().try_for_each(|(key, value)| visit(key).and_then(|()| visit(value)))
            }
            Self::Set(elements) => elements.iter().try_for_each(visit),
            _ => Ok(()),
        }
    }

    /// Returns whether the value contains neither iterators nor views.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Self::Iterator(_) | Self::View(..) => false,
            Self::List(items) => items.extent.is_final,
            Self::Dict(entries) => entries.extent.is_final,
            _ => true,
        }
    }

    /// Returns whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the content, if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the items, if the value is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries, if the value is a dictionary.
    pub fn as_dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the number, if the value is an integer that fits into 64 bits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => number.to_i64(),
            _ => None,
        }
    }

    /// Returns the entry of the dictionary with a string as key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_dict()?.get(&Text(key))
    }

    /// Returns whether the value is true as a condition. Null, false, zero and empty values are false.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Boolean(truth) => *truth,
            Self::Integer(number) => !number.is_zero(),
            Self::Float(number) => *number != 0.0,
            Self::String(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Dict(entries) | Self::View(_, entries) => !entries.is_empty(),
            Self::Set(elements) => !elements.is_empty(),
            Self::Span(span) => span.microseconds != 0,
            Self::Iterator(_)
            | Self::Pattern(_)
            | Self::Timestamp(_)
            | Self::Context(_)
            | Self::Lambda(_)
            | Self::Object(_) => true,
        }
    }

    /// Returns the name of the type in a sentence.
    pub(crate) fn described(&self) -> String {
        let name = self.type_name();
        match self {
            Self::Null => name.to_owned(),
            _ if name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {name}"),
            _ => format!("a {name}"),
        }
    }

    /// Returns the name of its type for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Integer(_) => "integer",
            Self::Float(_) => "float",
            Self::String(_) => "string",
            Self::List(_) => "list",
            Self::Dict(_) => "dictionary",
            Self::Set(_) => "set",
            Self::View(..) => "view of a dictionary",
            Self::Iterator(_) => "iterator",
            Self::Pattern(_) => "regular expression",
            Self::Timestamp(_) => "datetime",
            Self::Span(_) => "timespan",
            Self::Context(_) => "context",
            Self::Lambda(_) => "lambda",
            Self::Object(object) => object.type_name(),
        }
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Float(number) if number.is_nan())
    }

    /// Returns the value as a float, if it is a number and not a boolean.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(number.to_f64()),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns a whole number or a boolean as a number.
    fn as_number(&self) -> Option<Number> {
        match self {
            Self::Boolean(truth) => Some(Number::Whole(i64::from(*truth).into())),
            Self::Integer(number) => Some(Number::Whole(number.clone())),
            Self::Float(number) => Some(Number::Float(*number)),
            _ => None,
        }
    }

    /// Returns the order of two numbers; `None` for other values and for NaN.
    pub(crate) fn compare_numbers(&self, other: &Self) -> Option<Ordering> {
        if let (Self::Integer(left), Self::Integer(right)) = (self, other) {
            return Some(left.cmp(right));
        }
        match (self.as_number()?, other.as_number()?) {
            (Number::Whole(left), Number::Whole(right)) => Some(left.cmp(&right)),
            (Number::Whole(left), Number::Float(right)) => left.compare_float(right),
            (Number::Float(left), Number::Whole(right)) => right.compare_float(left).map(Ordering::reverse),
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(&right),
        }
    }
}

enum Number {
    Whole(Integer),
    Float(f64),
}

/// A string key for lookups, so that no value needs to be created for the key.
struct Text<'t>(&'t str);

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl indexmap::Equivalent<Value> for Text<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        key.as_str() == Some(self.0)
    }
}

/// As in Python: numbers and booleans by their numeric value, the rest by type and content.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::String(left), Self::String(right)) => left == right,
            (Self::List(left), Self::List(right)) => Rc::ptr_eq(left, right) || left == right,
            (Self::Dict(left), Self::Dict(right)) => Rc::ptr_eq(left, right) || left == right,
            (Self::Set(left), Self::Set(right)) => left == right,
            (Self::View(left, of), Self::View(right, other)) => left == right && of == other,
            (Self::Iterator(left), Self::Iterator(right)) => left.is(right),
            (Self::Pattern(left), Self::Pattern(right)) => left.text() == right.text(),
            (Self::Timestamp(left), Self::Timestamp(right)) => left == right,
            (Self::Span(left), Self::Span(right)) => left == right,
            (Self::Context(left), Self::Context(right)) => left.is(right),
            (Self::Lambda(left), Self::Lambda(right)) => Rc::ptr_eq(left, right),
            (Self::Object(left), Self::Object(right)) => left.identity() == right.identity(),
            _ => self.compare_numbers(other) == Some(Ordering::Equal),
        }
    }
}

/// NaN does not equal itself. As a key, it is never found.
impl Eq for Value {}

/// Values that can't be equal have different hashes, NaN too: otherwise, each NaN would be compared with all others.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => 0_u8.hash(state),
            Self::Boolean(truth) => Integer::from(i64::from(*truth)).hash(state),
            Self::Integer(number) => number.hash(state),
            Self::Float(number) if number.is_nan() => {
                static HASHED: AtomicU64 = AtomicU64::new(0);
                HASHED.fetch_add(1, atomic::Ordering::Relaxed).hash(state);
            }
            Self::Float(number) => hash_float(*number, state),
            Self::String(text) => text.hash(state),
            // With NaN, a list or a dictionary equals only itself.
            Self::List(items) if items.content.iter().any(Self::is_nan) => Rc::as_ptr(items).hash(state),
            Self::Dict(entries) if entries.iter().any(|(key, value)| key.is_nan() || value.is_nan()) => {
                Rc::as_ptr(entries).hash(state);
            }
            Self::List(items) => items.content.hash(state),
            Self::Dict(entries) | Self::View(_, entries) => hash_unordered(entries.iter(), state),
            Self::Set(elements) => hash_unordered(elements.iter(), state),
            Self::Timestamp(timestamp) => timestamp.instant().hash(state),
            Self::Span(span) => span.microseconds.hash(state),
            Self::Object(object) => object.identity().hash(state),
            Self::Pattern(pattern) => pattern.text().hash(state),
            Self::Iterator(items) => items.identity().hash(state),
            Self::Context(context) => context.identity().hash(state),
            Self::Lambda(lambda) => Rc::as_ptr(lambda).hash(state),
        }
    }
}

/// Hashes parts regardless of their order, which may differ in equal collections.
fn hash_unordered<T: Hash, H: Hasher>(parts: impl Iterator<Item = T>, state: &mut H) {
    static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    parts.map(|part| HASHER.hash_one(part)).fold(0, u64::wrapping_add).hash(state);
}

/// Hashes a float. Equal numbers have equal hashes, whatever their type.
fn hash_float<H: Hasher>(number: f64, state: &mut H) {
    match num_bigint::BigInt::from_f64(number) {
        Some(whole) if number.fract() == 0.0 => Integer::from(whole).hash(state),
        _ => number.to_bits().hash(state),
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.repr())
    }
}

impl From<&Constant> for Value {
    fn from(constant: &Constant) -> Self {
        match constant {
            Constant::Null => Self::Null,
            Constant::Boolean(truth) => Self::Boolean(*truth),
            Constant::Integer(number) => Self::Integer(number.clone()),
            Constant::Float(number) => Self::Float(*number),
            Constant::String(text) => Self::String(text.clone()),
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<Dict> for Value {
    fn from(entries: Dict) -> Self {
        let extent = entries.iter().fold(Extent::default(), |extent, (key, value)| extent.with(key).with(value));
        Self::Dict(NestedCollection::new(entries, extent))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::string(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_not_compared_with_all_others() {
        let hasher = RandomState::default();
        let nan = || Value::Float(f64::NAN);
        let list = || Value::list(vec![nan()]);
        assert_ne!(hasher.hash_one(nan()), hasher.hash_one(nan()));
        let (list, other) = (list(), list());
        assert_ne!(hasher.hash_one(&list), hasher.hash_one(&other));
        assert_eq!(hasher.hash_one(&list), hasher.hash_one(list.clone()));
        assert_eq!(list, list.clone());
        let dict = Value::dict([(nan(), nan())]);
        assert_eq!(hasher.hash_one(&dict), hasher.hash_one(dict.clone()));
    }
}
