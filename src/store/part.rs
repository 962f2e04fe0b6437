//! Parts of the store: functions on one subject are reached by one name, such as `store.mails()`,
//! and by `tx.mails()` in a unit of work, which writes too.

/// A part of a [`Reader`](super::Reader): its type, and the method that gives it. With `Tx` instead
/// of `Reader` it is the part of a unit of work, which writes too: it has everything that the
/// reading part has, and `tx`, the unit.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident = Reader.$access:ident) => {
        $(#[$doc])*
        pub struct $name<'a>(pub(crate) &'a $crate::Reader);

        impl std::ops::Deref for $name<'_> {
            type Target = $crate::Reader;

            fn deref(&self) -> &$crate::Reader {
                self.0
            }
        }

        impl $crate::Reader {
            $(#[$doc])*
            pub fn $access(&self) -> $name<'_> {
                $name(self)
            }
        }
    };
    ($(#[$doc:meta])* $name:ident = Tx.$access:ident, $read:ident) => {
        $(#[$doc])*
        pub struct $name<'a> {
            read: $read<'a>,
            #[allow(dead_code, reason = "not every part reaches for another")]
            tx: &'a $crate::Tx<'a>,
        }

        impl<'a> std::ops::Deref for $name<'a> {
            type Target = $read<'a>;

            fn deref(&self) -> &$read<'a> {
                &self.read
            }
        }

        impl $crate::Tx<'_> {
            $(#[$doc])*
            pub fn $access(&self) -> $name<'_> {
                $name { read: $read(self), tx: self }
            }
        }
    };
}

pub(crate) use part;
