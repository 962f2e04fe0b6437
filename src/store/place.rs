//! Where a host's store is.

use std::path::PathBuf;

use base::clock::Entropy;

use super::{Result, Server, Store};

/// Where a host's store is.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// A file in this folder.
    Folder(PathBuf),
    /// A database, which several workers may share.
    Server(Box<Server>),
}

impl Place {
    /// Opens the store, making or migrating it as needed.
    ///
    /// # Errors
    /// [`super::StoreError::Open`] with the place and the cause.
    pub fn open(&self, entropy: &dyn Entropy) -> Result<Store> {
        match self {
            Self::Folder(folder) => Store::open(folder, entropy),
            Self::Server(server) => Store::connect(server, entropy),
        }
    }

    /// The database, if it is one.
    pub fn server(&self) -> Option<&Server> {
        match self {
            Self::Folder(_) => None,
            Self::Server(server) => Some(server),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Server(server) => f.write_str(server.shown()),
        }
    }
}
