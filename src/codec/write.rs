//! Writes values.

use rmp::encode;
use serde::Serialize;
use serde::ser::{self, Serializer};

use super::CodecError;

/// Writes values at the end of a vector.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
}

/// Adding bytes to a vector can't fail.
const ROOM: &str = "a vector takes any byte";

impl<'o> Writer<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out }
    }

    // Each of these is compiled once, not once for each type that is written.
    #[inline(never)]
    fn unsigned(&mut self, n: u64) {
        encode::write_uint(self.out, n).expect(ROOM);
    }

    #[inline(never)]
    fn signed(&mut self, n: i64) {
        encode::write_sint(self.out, n).expect(ROOM);
    }

    #[inline(never)]
    fn text(&mut self, text: &str) {
        encode::write_str(self.out, text).expect(ROOM);
    }

    #[inline(never)]
    fn array(&mut self, len: usize) -> Result<(), CodecError> {
        encode::write_array_len(self.out, length(len)?).expect(ROOM);
        Ok(())
    }

    #[inline(never)]
    fn map(&mut self, len: usize) -> Result<(), CodecError> {
        encode::write_map_len(self.out, length(len)?).expect(ROOM);
        Ok(())
    }

    /// Begins a variant with a value: a map with one pair, and the name as its key.
    #[inline(never)]
    fn variant(&mut self, name: &str) -> Result<(), CodecError> {
        self.map(1)?;
        self.text(name);
        Ok(())
    }
}

/// A length as the format stores it.
fn length(len: usize) -> Result<u32, CodecError> {
    u32::try_from(len).map_err(|_| ser::Error::custom("longer than 4294967295 items"))
}

/// A list or a map whose items follow.
pub(crate) struct Items<'a, 'o> {
    writer: &'a mut Writer<'o>,
    /// Set when the length is known only at the end.
    late: Option<Late>,
}

/// The place for a head whose length is still unknown.
struct Late {
    at: usize,
    len: usize,
    is_map: bool,
}

impl<'a, 'o> Items<'a, 'o> {
    fn known(writer: &'a mut Writer<'o>) -> Self {
        Self { writer, late: None }
    }

    fn unknown(writer: &'a mut Writer<'o>, is_map: bool) -> Self {
        let at = writer.out.len();
        Self { writer, late: Some(Late { at, len: 0, is_map }) }
    }

    fn count(&mut self) {
        if let Some(late) = &mut self.late {
            late.len += 1;
        }
    }

    fn finish(self) -> Result<(), CodecError> {
        let Some(late) = self.late else { return Ok(()) };
        let items = self.writer.out.split_off(late.at);
        match late.is_map {
            true => self.writer.map(late.len)?,
            false => self.writer.array(late.len)?,
        }
        self.writer.out.extend(items);
        Ok(())
    }
}

impl<'a, 'o> Serializer for &'a mut Writer<'o> {
    type Ok = ();
    type Error = CodecError;
    type SerializeSeq = Items<'a, 'o>;
    type SerializeTuple = Items<'a, 'o>;
    type SerializeTupleStruct = Items<'a, 'o>;
    type SerializeTupleVariant = Items<'a, 'o>;
    type SerializeMap = Items<'a, 'o>;
    type SerializeStruct = Items<'a, 'o>;
    type SerializeStructVariant = Items<'a, 'o>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, yes: bool) -> Result<(), CodecError> {
        encode::write_bool(self.out, yes).expect(ROOM);
        Ok(())
    }

    fn serialize_i8(self, n: i8) -> Result<(), CodecError> {
        self.serialize_i64(n.into())
    }

    fn serialize_i16(self, n: i16) -> Result<(), CodecError> {
        self.serialize_i64(n.into())
    }

    fn serialize_i32(self, n: i32) -> Result<(), CodecError> {
        self.serialize_i64(n.into())
    }

    fn serialize_i64(self, n: i64) -> Result<(), CodecError> {
        self.signed(n);
        Ok(())
    }

    fn serialize_u8(self, n: u8) -> Result<(), CodecError> {
        self.serialize_u64(n.into())
    }

    fn serialize_u16(self, n: u16) -> Result<(), CodecError> {
        self.serialize_u64(n.into())
    }

    fn serialize_u32(self, n: u32) -> Result<(), CodecError> {
        self.serialize_u64(n.into())
    }

    fn serialize_u64(self, n: u64) -> Result<(), CodecError> {
        self.unsigned(n);
        Ok(())
    }

    fn serialize_f32(self, n: f32) -> Result<(), CodecError> {
        encode::write_f32(self.out, n).expect(ROOM);
        Ok(())
    }

    fn serialize_f64(self, n: f64) -> Result<(), CodecError> {
        encode::write_f64(self.out, n).expect(ROOM);
        Ok(())
    }

    fn serialize_char(self, letter: char) -> Result<(), CodecError> {
        self.text(letter.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), CodecError> {
        self.text(text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), CodecError> {
        encode::write_bin(self.out, bytes).expect(ROOM);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), CodecError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CodecError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), CodecError> {
        encode::write_nil(self.out).expect(ROOM);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), CodecError> {
        self.array(0)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), CodecError> {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), CodecError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CodecError> {
        self.variant(variant)?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Items<'a, 'o>, CodecError> {
        let Some(len) = len else { return Ok(Items::unknown(self, false)) };
        self.array(len)?;
        Ok(Items::known(self))
    }

    fn serialize_tuple(self, len: usize) -> Result<Items<'a, 'o>, CodecError> {
        self.array(len)?;
        Ok(Items::known(self))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<Items<'a, 'o>, CodecError> {
        self.serialize_tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Items<'a, 'o>, CodecError> {
        self.variant(variant)?;
        self.serialize_tuple(len)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Items<'a, 'o>, CodecError> {
        let Some(len) = len else { return Ok(Items::unknown(self, true)) };
        self.map(len)?;
        Ok(Items::known(self))
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<Items<'a, 'o>, CodecError> {
        self.serialize_map(Some(len))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Items<'a, 'o>, CodecError> {
        self.variant(variant)?;
        self.serialize_map(Some(len))
    }
}

/// Serde's traits for lists.
macro_rules! list {
    ($($of:ident $item:ident),*) => {$(
        impl ser::$of for Items<'_, '_> {
            type Ok = ();
            type Error = CodecError;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CodecError> {
                self.count();
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), CodecError> {
                self.finish()
            }
        }
    )*};
}

list!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

/// Serde's traits for named fields.
macro_rules! named {
    ($($of:ident),*) => {$(
        impl ser::$of for Items<'_, '_> {
            type Ok = ();
            type Error = CodecError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), CodecError> {
                self.writer.text(name);
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), CodecError> {
                Ok(())
            }
        }
    )*};
}

named!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Items<'_, '_> {
    type Ok = ();
    type Error = CodecError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CodecError> {
        self.count();
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CodecError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), CodecError> {
        self.finish()
    }
}
