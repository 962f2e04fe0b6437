//! Values as bytes: MessagePack with named fields, so that a later version still reads the bytes of
//! an earlier one.
//!
//! The bytes are those of `rmp_serde::to_vec_named`, because states of games are hashed, and older
//! games go on. That crate's reader and writer are generic down to the last byte, so each type of a
//! state gets a copy of all of them: a quarter of the CPU time of a build. Here only the parts that
//! serde asks for are generic; reading and writing a byte is not.
//!
//! A value may be nested [`DEPTH_MAX`] deep. Integers have at most 64 bits.

mod read;
mod toml;
mod write;

use std::fmt::Display;

use serde::{Deserialize, Serialize};

pub use toml::from_toml;

/// The largest nesting of lists and maps; deeper values are not read.
pub const DEPTH_MAX: u32 = 200;

/// A value that can't be written, or bytes that can't be read as one.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CodecError(Box<str>);

impl serde::ser::Error for CodecError {
    fn custom<T: Display>(cause: T) -> Self {
        Self(cause.to_string().into())
    }
}

impl serde::de::Error for CodecError {
    fn custom<T: Display>(cause: T) -> Self {
        Self(cause.to_string().into())
    }
}

/// Writes a value as bytes.
///
/// # Errors
/// When the value has an integer of 128 bits, or its own serialisation fails.
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    value.serialize(&mut write::Writer::new(&mut out))?;
    Ok(out)
}

/// Reads a value from its bytes. Unknown fields are skipped.
///
/// # Errors
/// When the bytes end too soon, go on after the value, or are those of another type.
pub fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, CodecError> {
    let mut reader = read::Reader::new(bytes);
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests;
