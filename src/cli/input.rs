//! What several commands read: values of flags, and data files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::ops::Failure;

/// Splits `name=value`, as options of an engine and terms of a game are written.
///
/// # Errors
/// A sentence when there is no equals sign.
pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write it as name=value".to_owned()),
    }
}

/// Reads the data files (`*.toml`) of a folder, by name; without a folder there are none.
///
/// # Errors
/// When the folder or a file can't be read.
pub fn data_files(folder: Option<&Path>) -> Result<BTreeMap<String, String>, Failure> {
    let mut files = BTreeMap::new();
    let Some(folder) = folder else { return Ok(files) };
    for entry in std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|e| e == "toml") {
            files.insert(name, std::fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}
