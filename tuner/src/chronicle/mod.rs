//! What happened in a run over time, as folds over its events: how its tests went, how the
//! learner's trees grew. The report and the program's views are drawn from the same.

mod growth;
mod llr;
mod thinned;

pub use growth::{Growth, GrowthLimits, Look, RoundTree, TreeEnd, way};
pub use llr::LlrTraces;
pub use thinned::Thinned;
