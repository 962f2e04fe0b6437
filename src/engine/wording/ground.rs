//! Where places lie on a map, as a game tells the reader of sentences.

use std::sync::Arc;

/// The places around a place, as orders write them.
type Ring = dyn Fn(&str) -> Vec<String> + Send + Sync;
/// What lies beside a place in a direction such as `NE`.
type Step = dyn Fn(&str, &str) -> Option<String> + Send + Sync;
/// How far one place lies from another, columns east and rows south.
type Bearing = dyn Fn(&str, &str) -> Option<(u32, i32, i32)> + Send + Sync;

/// Where places lie, as orders write them. Nothing is told where a game sets nothing.
#[derive(Clone, Default)]
pub struct Ground {
    around: Option<Arc<Ring>>,
    beside: Option<Arc<Step>>,
    bearing: Option<Arc<Bearing>>,
}

impl std::fmt::Debug for Ground {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ground")
    }
}

impl Ground {
    /// What lies beside a place of a map, in a direction such as `NE`.
    pub fn beside(&mut self, step: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) {
        self.beside = Some(Arc::new(step));
    }

    /// What lies around a place.
    pub fn around(&mut self, ring: impl Fn(&str) -> Vec<String> + Send + Sync + 'static) {
        self.around = Some(Arc::new(ring));
    }

    /// How far the second place lies from the first: the distance, columns east and rows south, of
    /// which both are 0 where the map has no directions.
    pub fn sight(
        &mut self,
        bearing: impl Fn(&str, &str) -> Option<(u32, i32, i32)> + Send + Sync + 'static,
    ) {
        self.bearing = Some(Arc::new(bearing));
    }

    /// The places around a place.
    pub(super) fn places_around(&self, place: &str) -> Vec<String> {
        self.around.as_ref().map_or_else(Vec::new, |around| around(place))
    }

    /// The place beside another.
    pub(super) fn next_to(&self, place: &str, way: &str) -> Option<String> {
        self.beside.as_ref().and_then(|beside| beside(place, way))
    }

    /// The distance, columns east and rows south of a place from another.
    pub(super) fn bearing(&self, from: &str, to: &str) -> Option<(u32, i32, i32)> {
        self.bearing.as_ref().and_then(|bearing| bearing(from, to))
    }

    /// Whether bearings are told.
    pub(super) fn has_sight(&self) -> bool {
        self.bearing.is_some()
    }
}
