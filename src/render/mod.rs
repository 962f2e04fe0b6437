//! Documents to what players read.

pub mod text;
