//! Knowledge of Dots and Boxes.
