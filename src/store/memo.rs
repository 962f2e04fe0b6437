//! Rows that were read from one state of the store, kept as long as somebody looks at that state:
//! each row is read once for all mails that are judged by it.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Result;

/// The rows by their key; nothing is kept where the store may change between two reads.
#[derive(Default)]
pub(super) struct Memo(RefCell<Option<BTreeMap<String, Box<dyn Any + Send>>>>);

impl Memo {
    /// Begins to keep rows.
    pub(super) fn begin(&self) {
        *self.0.borrow_mut() = Some(BTreeMap::new());
    }

    /// Forgets everything.
    pub(super) fn end(&self) {
        *self.0.borrow_mut() = None;
    }

    /// Whether rows are kept now.
    pub(super) fn keeps(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// The value that is kept for this key, or else the value that `read` gives now.
    pub(super) fn get<T: Clone + Send + 'static>(
        &self,
        key: impl FnOnce() -> String,
        read: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if self.0.borrow().is_none() {
            return read();
        }
        let key = key();
        let known = self
            .0
            .borrow()
            .as_ref()
            .and_then(|all| all.get(&key).and_then(|kept| kept.downcast_ref::<T>()).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let found = read()?;
        if let Some(all) = self.0.borrow_mut().as_mut() {
            all.insert(key, Box::new(found.clone()));
        }
        Ok(found)
    }
}
