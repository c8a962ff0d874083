//! Knowledge of the toy game.
