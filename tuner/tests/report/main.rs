//! Reports of runs whose games follow from their numbers alone: what stands in the page, at every
//! moment of a run, and what must never stand in it.

mod figures;
mod page;
mod q_values;
mod runs;
mod source_figures;
