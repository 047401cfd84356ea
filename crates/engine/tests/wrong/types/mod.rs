//! The field types. The macro sees only their names.

#![allow(dead_code)]

use std::marker::PhantomData;

pub struct Section(pub u8);
pub struct Text;
pub struct Value;
pub struct Values;
pub struct Reference<T>(PhantomData<T>);
pub struct References<T>(PhantomData<T>);
pub struct Child<T>(PhantomData<T>);
pub struct Members<T>(PhantomData<T>);
pub struct Sequence<T>(PhantomData<T>);
