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

/// How many spaces each list or map is indented by.
const INDENT: usize = 2;

/// What stands between two members of a map.
pub(super) const BETWEEN: &[u8] = b",\n";

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
    /// Whether there is something among them that is no [plain text](is_plain).
    is_mixed: bool,
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
    pub(super) fn keep<T: Serialize>(&mut self, value: &'k T, depth: usize, beginnings: &mut Beginnings) -> Result<()> {
        let Self { text, places, is_mixed, room, .. } = self;
        if text.len() < *room {
            let copied = Copied::Kept(places, *room);
            let mut json = Json { out: text, depth, is_mixed: *is_mixed, copied, beginnings };
            value.serialize(&mut json)?;
            *is_mixed = json.is_mixed;
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

/// Writes the members of a map that stand at a depth, as [`serde_json::to_writer_pretty`] does, with texts that have been
/// kept, each with a comma and a line break behind it. Says whether there is something in them that is no
/// [plain text](is_plain).
pub(super) fn write<'n, T: Serialize>(
    (texts, beginnings): (&[&Texts<'_>], &mut Beginnings),
    out: &mut Vec<u8>,
    depth: usize,
    members: impl Iterator<Item = (&'n str, T)>,
) -> Result<bool> {
    let is_mixed = texts.iter().any(|texts| texts.is_mixed);
    let mut json = Json { out, depth, is_mixed, copied: Copied::Known(texts), beginnings };
    for (name, value) in members {
        json.out.resize(json.out.len() + INDENT * depth, b' ');
        json.text(name)?;
        json.out.extend_from_slice(b": ");
        value.serialize(&mut json)?;
        json.out.extend_from_slice(BETWEEN);
    }
    Ok(json.is_mixed)
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
    /// Whether a text has been written that is not [plain](is_plain).
    is_mixed: bool,
    copied: Copied<'p, 'k>,
    beginnings: &'o mut Beginnings,
}

impl Json<'_, '_, '_> {
    fn text(&mut self, text: &str) -> Result<()> {
        if is_plain(text.as_bytes()) {
            self.plain(text);
            return Ok(());
        }
        self.is_mixed = true;
        serde_json::to_writer(&mut *self.out, text)
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

    /// Ends a line, after a comma unless what comes is the first of its list or map, and indents the next one.
    fn next(&mut self, is_first: bool) {
        // More than most lines begin with: as many bytes each time are copied faster than as many as are needed.
        const BREAK: &[u8; 48] = b"\n                                               ";
        const COMMA: &[u8; 48] = b",\n                                              ";
        let (begin, length) = if is_first { (BREAK, 1) } else { (COMMA, 2) };
        let end = self.out.len() + length + INDENT * self.depth;
        self.out.extend_from_slice(begin);
        self.out.resize(end, b' ');
    }
}

/// How many bytes the beginning of a member has at most, if it is kept.
const LONGEST: usize = 64;

/// How many places there are for beginnings, several times as many as there are: two with the same place take turns.
const PLACES: usize = 1024;

/// How members of structs begin: with a comma, a line break, spaces, and a name. There are few names, and of each member
/// this is the same for all nodes.
pub(super) struct Beginnings {
    list: Vec<Beginning>,
    /// For each place, the number of the beginning that has it in the list; too high a number if none has.
    places: [u16; PLACES],
}

/// How a member begins.
struct Beginning {
    member: Member,
    length: usize,
    /// That many bytes, and others behind them.
    text: [u8; LONGEST],
}

/// A member of a struct, as far as its beginning depends on it.
#[derive(PartialEq, Eq)]
struct Member {
    /// Where the name lies in memory, and how long it is.
    name: (usize, usize),
    depth: usize,
    is_first: bool,
}

impl Default for Beginnings {
    fn default() -> Self {
        Self { list: Vec::new(), places: [u16::MAX; PLACES] }
    }
}

impl Beginnings {
    fn place(member: &Member) -> usize {
        const SHIFT: u32 = u64::BITS - PLACES.ilog2();
        let number = member.name.0.wrapping_add(member.depth << 1 | usize::from(member.is_first)) as u64;
        (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> SHIFT) as usize
    }

    fn get(&self, member: &Member) -> Option<&Beginning> {
        self.list.get(usize::from(self.places[Self::place(member)])).filter(|known| known.member == *member)
    }

    fn keep(&mut self, member: Member, text: &[u8]) {
        let place = Self::place(&member);
        let mut known = Beginning { member, length: text.len(), text: [0; LONGEST] };
        let Some(room) = known.text.get_mut(..text.len()) else { return };
        room.copy_from_slice(text);
        let number = &mut self.places[place];
        match self.list.get_mut(usize::from(*number)) {
            Some(other) => *other = known,
            None => {
                // There are no more than places.
                *number = self.list.len() as u16;
                self.list.push(known);
            }
        }
    }
}

/// Whether a text has nothing in it but printable ASCII characters of which none has to be escaped. Nearly all are so: eight
/// bytes are looked at at a time.
fn is_plain(text: &[u8]) -> bool {
    const fn eight(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    const HIGHEST: u64 = eight(0x80);
    let is_plain = |bytes: &[u8; 8]| {
        let bytes = u64::from_ne_bytes(*bytes);
        // Of the lowest byte that is not plain, one of these has the highest bit; if all are plain, none has one.
        let control = bytes.wrapping_sub(eight(b' '));
        let quote = (bytes ^ eight(b'"')).wrapping_sub(eight(1));
        let backslash = (bytes ^ eight(b'\\')).wrapping_sub(eight(1));
        let delete = bytes.wrapping_add(eight(1));
        (control | quote | backslash | delete | bytes) & HIGHEST == 0
    };
    match text.last_chunk() {
        // Of these, some may be among the eights before.
        Some(last) => is_plain(last) && text.as_chunks().0.iter().all(is_plain),
        None => text.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')),
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

    /// Begins a member of a struct.
    #[inline]
    fn field(&mut self, name: &'static str) {
        let json = &mut *self.json;
        let member = Member { name: (name.as_ptr().addr(), name.len()), depth: json.depth, is_first: self.is_empty };
        if let Some(known) = json.beginnings.get(&member) {
            // As many bytes each time are copied faster than as many as are needed.
            let end = json.out.len() + known.length;
            json.out.extend_from_slice(&known.text);
            json.out.truncate(end);
            self.is_empty = false;
        } else {
            self.field_unknown(name, member);
        }
    }

    #[cold]
    fn field_unknown(&mut self, name: &'static str, member: Member) {
        let start = self.json.out.len();
        self.next();
        self.json.plain(name);
        self.json.out.extend_from_slice(b": ");
        self.json.beginnings.keep(member, &self.json.out[start..]);
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
    use super::{Beginnings, LONGEST, Member, PLACES, is_plain};

    #[test]
    fn a_beginning_is_that_of_its_member_or_none() {
        let member = |number| Member { name: (number % 9, 1), depth: number / 9, is_first: number % 2 == 0 };
        let mut beginnings = Beginnings::default();
        let mut kept = 0;
        for number in 0..2 * PLACES {
            assert!(beginnings.get(&member(number)).is_none());
            beginnings.keep(member(number), number.to_string().as_bytes());
            for known in number.saturating_sub(9)..=number {
                let Some(found) = beginnings.get(&member(known)) else { continue };
                assert_eq!(&found.text[..found.length], known.to_string().as_bytes());
                kept += 1;
            }
            assert!(beginnings.get(&member(number)).is_some());
        }
        assert!(kept > 5 * PLACES && beginnings.list.len() <= PLACES);
        let mut beginnings = Beginnings::default();
        beginnings.keep(member(1), &[b' '; LONGEST + 1]);
        beginnings.keep(member(2), &[b' '; LONGEST]);
        assert!(beginnings.get(&member(1)).is_none() && beginnings.get(&member(2)).is_some());
    }

    #[test]
    fn what_is_not_plain_is_found_wherever_it_stands() {
        for length in 0..40 {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text: Vec<u8> = (0..length).map(|at| b" ~#!}[]"[at % 7]).collect();
                    text[place] = byte;
                    let is_printable = (b' '..=b'~').contains(&byte);
                    assert_eq!(is_plain(&text), is_printable && byte != b'"' && byte != b'\\', "{text:?}");
                }
            }
        }
    }
}
