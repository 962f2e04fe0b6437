//! Values as bytes: MessagePack with named fields, so that a later version still reads what an
//! earlier one wrote.
//!
//! The bytes are those of `rmp_serde::to_vec_named`: states of games are hashed, and games that
//! began with it go on. Its own reader and writer are generic down to the last byte, so that each
//! type of a state has a copy of all of it: they were a quarter of the CPU time of a build. Here
//! only what serde asks for is generic, and reading and writing a byte is not.
//!
//! A value may be nested [`DEPTH_MAX`] deep. Integers have at most 64 bits.

mod read;
mod toml;
mod write;

use std::fmt::Display;

use serde::{Deserialize, Serialize};

pub use toml::from_toml;

/// How deep lists and maps may stand within one another; what is deeper is not read.
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

/// A value as bytes.
///
/// # Errors
/// When the value has an integer of 128 bits, or refuses to be written itself.
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    value.serialize(&mut write::Writer::new(&mut out))?;
    Ok(out)
}

/// A value from its bytes. Fields that the type does not know are passed over.
///
/// # Errors
/// When the bytes end too soon, go on behind the value, or are those of another type.
pub fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, CodecError> {
    let mut reader = read::Reader::new(bytes);
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests;
