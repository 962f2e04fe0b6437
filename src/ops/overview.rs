//! The state of the host at an instant, for everything that shows it.
