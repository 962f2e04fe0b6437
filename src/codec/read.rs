//! Reads values.

use rmp::Marker;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::{CodecError, DEPTH_MAX};

/// Reads values, one after the other.
pub(crate) struct Reader<'de> {
    rest: &'de [u8],
    /// How many more levels of lists and maps may follow here.
    depth: u32,
}

/// A value, or the head of one whose items follow.
enum Head<'de> {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(&'de str),
    Bytes(&'de [u8]),
    Array(u32),
    Map(u32),
}

impl Head<'_> {
    /// The error when this is found and something else is wanted.
    #[inline(never)]
    fn instead_of(&self, wanted: &dyn Expected) -> CodecError {
        let found = match *self {
            Self::Nil => Unexpected::Unit,
            Self::Bool(yes) => Unexpected::Bool(yes),
            Self::Unsigned(n) => Unexpected::Unsigned(n),
            Self::Signed(n) => Unexpected::Signed(n),
            Self::Float(n) => Unexpected::Float(n),
            Self::Text(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::Array(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
        };
        Error::invalid_type(found, wanted)
    }
}

impl<'de> Reader<'de> {
    pub(crate) fn new(bytes: &'de [u8]) -> Self {
        Self { rest: bytes, depth: DEPTH_MAX }
    }

    /// Octets that are still to be read.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Checks that nothing follows.
    pub(crate) fn end(self) -> Result<(), CodecError> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(Error::custom(format_args!("{more} bytes behind the value"))),
        }
    }

    fn take(&mut self, len: usize) -> Result<&'de [u8], CodecError> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(Error::custom("it ends too soon"));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], CodecError> {
        // `take` has given exactly this many.
        Ok(self.take(N)?.try_into().expect("a number's bytes"))
    }

    fn len8(&mut self) -> Result<u32, CodecError> {
        self.number().map(u8::from_be_bytes).map(u32::from)
    }

    fn len16(&mut self) -> Result<u32, CodecError> {
        self.number().map(u16::from_be_bytes).map(u32::from)
    }

    fn len32(&mut self) -> Result<u32, CodecError> {
        self.number().map(u32::from_be_bytes)
    }

    fn text(&mut self, len: u32) -> Result<Head<'de>, CodecError> {
        let bytes = self.take(len as usize)?;
        std::str::from_utf8(bytes).map(Head::Text).map_err(Error::custom)
    }

    fn bytes(&mut self, len: u32) -> Result<Head<'de>, CodecError> {
        self.take(len as usize).map(Head::Bytes)
    }

    // The only place that knows the format; it is compiled once, not once for each type.
    #[inline(never)]
    fn head(&mut self) -> Result<Head<'de>, CodecError> {
        let [first] = self.number()?;
        Ok(match Marker::from_u8(first) {
            Marker::Null => Head::Nil,
            Marker::False => Head::Bool(false),
            Marker::True => Head::Bool(true),
            Marker::FixPos(n) => Head::Unsigned(n.into()),
            Marker::U8 => Head::Unsigned(u8::from_be_bytes(self.number()?).into()),
            Marker::U16 => Head::Unsigned(u16::from_be_bytes(self.number()?).into()),
            Marker::U32 => Head::Unsigned(u32::from_be_bytes(self.number()?).into()),
            Marker::U64 => Head::Unsigned(u64::from_be_bytes(self.number()?)),
            Marker::FixNeg(n) => Head::Signed(n.into()),
            Marker::I8 => Head::Signed(i8::from_be_bytes(self.number()?).into()),
            Marker::I16 => Head::Signed(i16::from_be_bytes(self.number()?).into()),
            Marker::I32 => Head::Signed(i32::from_be_bytes(self.number()?).into()),
            Marker::I64 => Head::Signed(i64::from_be_bytes(self.number()?)),
            Marker::F32 => Head::Float(f32::from_be_bytes(self.number()?).into()),
            Marker::F64 => Head::Float(f64::from_be_bytes(self.number()?)),
            Marker::FixStr(len) => self.text(len.into())?,
            Marker::Str8 => self.len8().and_then(|len| self.text(len))?,
            Marker::Str16 => self.len16().and_then(|len| self.text(len))?,
            Marker::Str32 => self.len32().and_then(|len| self.text(len))?,
            Marker::Bin8 => self.len8().and_then(|len| self.bytes(len))?,
            Marker::Bin16 => self.len16().and_then(|len| self.bytes(len))?,
            Marker::Bin32 => self.len32().and_then(|len| self.bytes(len))?,
            Marker::FixArray(len) => Head::Array(len.into()),
            Marker::Array16 => Head::Array(self.len16()?),
            Marker::Array32 => Head::Array(self.len32()?),
            Marker::FixMap(len) => Head::Map(len.into()),
            Marker::Map16 => Head::Map(self.len16()?),
            Marker::Map32 => Head::Map(self.len32()?),
            _ => return Err(Error::custom(format_args!("no value begins with {first:#04x}"))),
        })
    }

    /// Whether a nil comes next; if so, it is consumed.
    fn nil(&mut self) -> bool {
        let nil = self.rest.first() == Some(&Marker::Null.to_u8());
        if nil {
            self.rest = &self.rest[1..];
        }
        nil
    }

    /// Reads up to the name of the next variant. True: the variant has a value, and is a map with
    /// one pair.
    fn variant(&mut self) -> Result<bool, CodecError> {
        let before = self.rest;
        match self.head()? {
            Head::Text(_) => {
                self.rest = before;
                Ok(false)
            }
            Head::Map(1) => Ok(true),
            other => Err(other.instead_of(&"a variant")),
        }
    }

    /// Skips a value and everything in it.
    fn skip(&mut self) -> Result<(), CodecError> {
        let mut left = 1u64;
        while left > 0 {
            left -= 1;
            left += match self.head()? {
                Head::Array(len) => len.into(),
                Head::Map(len) => 2 * u64::from(len),
                _ => 0,
            };
        }
        Ok(())
    }

    fn down(&mut self) -> Result<(), CodecError> {
        let deeper = self.depth.checked_sub(1);
        self.depth = deeper.ok_or_else(|| CodecError::custom("nested too deep"))?;
        Ok(())
    }

    fn list<V: Visitor<'de>>(&mut self, len: u32, visitor: V) -> Result<V::Value, CodecError> {
        self.down()?;
        let mut items = Items { reader: self, left: len };
        let value = visitor.visit_seq(&mut items)?;
        items.end()?;
        self.depth += 1;
        Ok(value)
    }

    fn map<V: Visitor<'de>>(&mut self, len: u32, visitor: V) -> Result<V::Value, CodecError> {
        self.down()?;
        let mut items = Items { reader: self, left: len };
        let value = visitor.visit_map(&mut items)?;
        items.end()?;
        self.depth += 1;
        Ok(value)
    }
}

/// The items of a list, or the pairs of a map.
struct Items<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: u32,
}

impl Items<'_, '_> {
    fn next(&mut self) -> bool {
        let more = self.left > 0;
        self.left = self.left.saturating_sub(1);
        more
    }

    fn hint(&self) -> usize {
        // Each item takes at least a byte, whatever the head claims.
        self.reader.rest.len().min(self.left as usize)
    }

    fn end(&self) -> Result<(), CodecError> {
        match self.left {
            0 => Ok(()),
            left => Err(Error::custom(format_args!("{left} items more than there should be"))),
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = CodecError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, CodecError> {
        match self.next() {
            true => seed.deserialize(&mut *self.reader).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = CodecError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, CodecError> {
        match self.next() {
            true => seed.deserialize(&mut *self.reader).map(Some),
            false => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, CodecError> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

/// A variant by its name, with or without a value.
struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
    has_value: bool,
}

impl Variant<'_, '_> {
    fn with_value(&self) -> Result<(), CodecError> {
        match self.has_value {
            true => Ok(()),
            false => Err(Error::invalid_type(Unexpected::UnitVariant, &"a variant with a value")),
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = CodecError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), CodecError> {
        let name = seed.deserialize(&mut *self.reader)?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = CodecError;

    fn unit_variant(self) -> Result<(), CodecError> {
        match self.has_value && !self.reader.nil() {
            true => Err(Error::invalid_type(Unexpected::NewtypeVariant, &"a variant alone")),
            false => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, CodecError> {
        self.with_value()?;
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.with_value()?;
        self.reader.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.with_value()?;
        self.reader.deserialize_struct("", fields, visitor)
    }
}

/// Methods for kinds of values that are read in the same way.
macro_rules! alike {
    ($($method:ident => $read:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
            self.$read(visitor)
        }
    )*};
}

impl<'de> Reader<'de> {
    fn integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Unsigned(n) => visitor.visit_u64(n),
            Head::Signed(n) => visitor.visit_i64(n),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn float<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Float(n) => visitor.visit_f64(n),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn word<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Text(text) => visitor.visit_borrowed_str(text),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn octets<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Head::Array(len) => self.list(len, visitor),
            other => Err(other.instead_of(&visitor)),
        }
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = CodecError;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Nil => visitor.visit_unit(),
            Head::Bool(yes) => visitor.visit_bool(yes),
            Head::Unsigned(n) => visitor.visit_u64(n),
            Head::Signed(n) => visitor.visit_i64(n),
            Head::Float(n) => visitor.visit_f64(n),
            Head::Text(text) => visitor.visit_borrowed_str(text),
            Head::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Head::Array(len) => self.list(len, visitor),
            Head::Map(len) => self.map(len, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Bool(yes) => visitor.visit_bool(yes),
            other => Err(other.instead_of(&visitor)),
        }
    }

    alike!(
        deserialize_i8 => integer,
        deserialize_i16 => integer,
        deserialize_i32 => integer,
        deserialize_i64 => integer,
        deserialize_u8 => integer,
        deserialize_u16 => integer,
        deserialize_u32 => integer,
        deserialize_u64 => integer,
        deserialize_f32 => float,
        deserialize_f64 => float,
        deserialize_char => word,
        deserialize_str => word,
        deserialize_string => word,
        deserialize_identifier => word,
        deserialize_bytes => octets,
        deserialize_byte_buf => octets
    );

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.nil() {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Nil | Head::Array(0) => visitor.visit_unit(),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Array(len) => self.list(len, visitor),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        match self.head()? {
            Head::Map(len) => self.map(len, visitor),
            other => Err(other.instead_of(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        let has_value = self.variant()?;
        self.down()?;
        let value = visitor.visit_enum(Variant { reader: self, has_value })?;
        self.depth += 1;
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        self.skip()?;
        visitor.visit_unit()
    }
}
