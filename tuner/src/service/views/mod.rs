//! What is shown of a run, each view a form of what was read.

pub(crate) mod row;
