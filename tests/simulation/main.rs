//! The whole robot in a made-up world with faults; one seed is one run.
