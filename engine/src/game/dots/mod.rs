//! Dots and Boxes: rules.
