//! What was read of one state of the store, kept as long as that state is looked at: each row is
//! read once for all mails that are judged by it.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Result;

/// Rows by what was asked for; nothing is kept where the store may change between two looks.
#[derive(Default)]
pub(super) struct Memo(RefCell<Option<BTreeMap<String, Box<dyn Any + Send>>>>);

impl Memo {
    /// Begins to keep what is read.
    pub(super) fn begin(&self) {
        *self.0.borrow_mut() = Some(BTreeMap::new());
    }

    /// Forgets everything.
    pub(super) fn end(&self) {
        *self.0.borrow_mut() = None;
    }

    /// Whether what is read is kept now.
    pub(super) fn keeps(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// What was read before under this key, else what is read now.
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
