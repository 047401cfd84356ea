//! Nodes as JSON.
//!
//! Nodes of a type differ in what is assigned to them, and have all else of their type: definitions of properties, their
//! schemas, interfaces. As JSON, that is nearly everything. So it is written once, and then copied, which a serializer for
//! any purpose can't do.
//!
//! A model says which of its parts others may have as well ([`PART`]). What a part is here is told by where it lies in
//! memory, which holds for as long as it is there: so [`Texts`] borrow what they are made of.

use std::marker::PhantomData;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::ser::{Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Result};

use crate::normal::model::PART;

/// Where a part lies in memory, and how deep it stands in the text, which says how it is indented.
type Place = (usize, usize);

/// Where the text of a part is among those that are kept.
type Places = FxHashMap<Place, Range<usize>>;

/// The texts of parts, for as long as these are there.
#[derive(Default)]
pub(super) struct Texts<'k> {
    /// One behind the other. Parts have parts, whose texts are within theirs.
    text: Vec<u8>,
    places: Places,
    /// How many bytes there is room for.
    room: usize,
    parts: PhantomData<&'k ()>,
}

impl<'k> Texts<'k> {
    /// Room for so many bytes.
    pub(super) fn of_at_most(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// Keeps the texts of the parts of a value that stands at a depth, as far as there is room for them.
    pub(super) fn keep<T: Serialize>(&mut self, value: &'k T, depth: usize) -> Result<()> {
        let Self { text, places, room, .. } = self;
        if text.len() < *room {
            value.serialize(&mut Json { out: text, depth, copied: Copied::Kept(places, *room) })?;
            text.truncate(*room);
        }
        Ok(())
    }

    fn get(&self, place: &Place) -> Option<&[u8]> {
        self.text.get(self.places.get(place)?.clone())
    }

    /// How many texts there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes they have.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// Writes a value that stands at a depth, as [`serde_json::to_writer_pretty`] does, with texts that have been kept.
pub(super) fn write<T: Serialize>(texts: &[&Texts<'_>], out: &mut Vec<u8>, value: &T, depth: usize) -> Result<()> {
    value.serialize(&mut Json { out, depth, copied: Copied::Known(texts) })
}

/// What becomes of parts.
enum Copied<'p, 'k> {
    /// Their texts are kept where they are written, if they end within so many bytes.
    Kept(&'p mut Places, usize),
    /// Texts that have been kept are copied, of several lists the first that has them.
    Known(&'p [&'p Texts<'k>]),
}

/// A text in the making.
struct Json<'o, 'p, 'k> {
    out: &'o mut Vec<u8>,
    /// How many lists and maps are open.
    depth: usize,
    copied: Copied<'p, 'k>,
}

impl Json<'_, '_, '_> {
    fn text(&mut self, text: &str) -> Result<()> {
        if has_special(text.as_bytes()) {
            return serde_json::to_writer(&mut *self.out, text);
        }
        self.plain(text);
        Ok(())
    }

    /// A text in which nothing has to be escaped.
    fn plain(&mut self, text: &str) {
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
    }

    fn part<T: Serialize + ?Sized>(&mut self, part: &T) -> Result<()> {
        let place = (std::ptr::from_ref(part).cast::<()>().addr(), self.depth);
        match &self.copied {
            Copied::Kept(places, _) => {
                if let Some(known) = places.get(&place) {
                    self.out.extend_from_within(known.clone());
                    return Ok(());
                }
            }
            Copied::Known(texts) => {
                if let Some(text) = texts.iter().find_map(|texts| texts.get(&place)) {
                    self.out.extend_from_slice(text);
                    return Ok(());
                }
            }
        }
        let start = self.out.len();
        part.serialize(&mut *self)?;
        match &mut self.copied {
            Copied::Kept(places, room) if self.out.len() <= *room => {
                places.insert(place, start..self.out.len());
            }
            Copied::Kept(..) | Copied::Known(_) => {}
        }
        Ok(())
    }

    /// Ends a line, after a comma unless what comes is the first of its list or map.
    fn next(&mut self, is_first: bool) {
        // More than most lines begin with: as many bytes each time are copied faster than as many as are needed.
        const BREAK: &[u8; 48] = b"\n                                               ";
        const COMMA: &[u8; 48] = b",\n                                              ";
        const INDENT: usize = 2;
        let (begin, length) = if is_first { (BREAK, 1) } else { (COMMA, 2) };
        let end = self.out.len() + length + INDENT * self.depth;
        self.out.extend_from_slice(begin);
        self.out.resize(end, b' ');
    }
}

/// Whether a text has something that has to be escaped. Nearly none has, so eight bytes are looked at at a time.
fn has_special(text: &[u8]) -> bool {
    const fn eight(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    /// The highest bit of the lowest byte that is less than `bound`, which is no more than 128, and of no byte if none is.
    const fn below(eight_bytes: u64, bound: u8) -> u64 {
        eight_bytes.wrapping_sub(eight(bound)) & !eight_bytes & eight(0x80)
    }
    let is_special = |bytes: &[u8; 8]| {
        let bytes = u64::from_ne_bytes(*bytes);
        below(bytes, b' ') | below(bytes ^ eight(b'"'), 1) | below(bytes ^ eight(b'\\'), 1) != 0
    };
    match text.last_chunk() {
        // Of these, some may be among the eights before.
        Some(last) => is_special(last) || text.as_chunks().0.iter().any(is_special),
        None => text.iter().any(|byte| matches!(byte, ..b' ' | b'"' | b'\\')),
    }
}

/// A list or map in the making.
struct Open<'j, 'o, 'p, 'k> {
    json: &'j mut Json<'o, 'p, 'k>,
    is_empty: bool,
    end: u8,
}

impl<'j, 'o, 'p, 'k> Open<'j, 'o, 'p, 'k> {
    fn begin(json: &'j mut Json<'o, 'p, 'k>, [begin, end]: [u8; 2]) -> Self {
        json.out.push(begin);
        json.depth += 1;
        Self { json, is_empty: true, end }
    }

    fn next(&mut self) {
        self.json.next(self.is_empty);
        self.is_empty = false;
    }

    /// Begins a member of a map.
    fn field(&mut self, key: &'static str) {
        self.next();
        self.json.out.push(b'"');
        self.json.out.extend_from_slice(key.as_bytes());
        self.json.out.extend_from_slice(b"\": ");
    }

    fn close(self) {
        self.json.depth -= 1;
        if !self.is_empty {
            self.json.next(true);
        }
        self.json.out.push(self.end);
    }
}

impl SerializeSeq for Open<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.next();
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Result<()> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Open<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.next();
        key.serialize(&mut *self.json)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.json.out.extend_from_slice(b": ");
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Result<()> {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for Open<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key);
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Result<()> {
        self.close();
        Ok(())
    }
}

/// Nodes have no values of such types.
fn foreign<T>() -> Result<T> {
    Err(Error::custom("a node has something in it that is written in no way"))
}

/// Numbers, which are written as everywhere.
macro_rules! numbers {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Result<()> {
            serde_json::to_writer(&mut *self.out, &value)
        })*
    };
}

impl<'j, 'o, 'p, 'k> Serializer for &'j mut Json<'o, 'p, 'k> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Open<'j, 'o, 'p, 'k>;
    type SerializeMap = Open<'j, 'o, 'p, 'k>;
    type SerializeStruct = Open<'j, 'o, 'p, 'k>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.text(text)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit(self) -> Result<()> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.plain(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == PART { self.part(value) } else { value.serialize(self) }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        Ok(Open::begin(self, *b"[]"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        Ok(Open::begin(self, *b"{}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        Ok(Open::begin(self, *b"{}"))
    }

    fn serialize_char(self, _: char) -> Result<()> {
        foreign()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        foreign()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        foreign()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        foreign()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        foreign()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        foreign()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        foreign()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        foreign()
    }
}

#[cfg(test)]
mod tests {
    use super::has_special;

    #[test]
    fn what_has_to_be_escaped_is_found_wherever_it_stands() {
        for length in 0..40 {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text: Vec<u8> =
                        (0..length).map(|at| [b' ', b'~', b'#', b'!', 0x80, 0xff, b'['][at % 7]).collect();
                    text[place] = byte;
                    assert_eq!(has_special(&text), byte < b' ' || byte == b'"' || byte == b'\\', "{text:?}");
                }
            }
        }
    }
}
