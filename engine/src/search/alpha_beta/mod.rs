//! Exact alpha-beta.
