//! What a game master does with the host, on the real store.

mod init;
