//! The table of tunable parameters: one row each, from which come the reading and checking of
//! configurations, `engine params`, and the space that a tuner searches.
//!
//! A row's name is relative to its stage: row `bias.capture` of stage `layout` has the path
//! `stages.layout.bias.capture`.

use crate::eval::dots::{CAPTURE, GIVES, OTHER};
use crate::eval::{MoveClass, MoveList, RolloutPolicy};
use crate::search::uct::{FinalMove, UctConstants};

/// Largest value of `depth_plies`; deeper than any game here lasts, so it limits nothing.
pub const DEPTH_PLIES_UNLIMITED: u16 = 255;

/// How an edit changes a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A step is added.
    Linear,
    /// A step multiplies.
    Log,
}

impl Scale {
    /// `linear` or `log`.
    pub const fn name(self) -> &'static str {
        match self {
            Scale::Linear => "linear",
            Scale::Log => "log",
        }
    }
}

/// What is known of a tunable parameter, whatever its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParamSpec {
    /// Name relative to the stage; the part before a point is the key in the stage's table.
    pub name: &'static str,
    /// Whether values are whole numbers.
    pub integer: bool,
    /// How an edit changes it.
    pub scale: Scale,
    /// Value where the configuration says nothing.
    pub default: f64,
    /// Smallest allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// One step of an edit: a difference (linear) or a factor (log).
    pub step: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// What it does, in a sentence.
    pub meaning: &'static str,
}

impl ParamSpec {
    /// The key in the stage's table: the name up to its point.
    pub fn key(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }

    /// `float` or `integer`.
    pub const fn kind(&self) -> &'static str {
        if self.integer { "integer" } else { "float" }
    }

    /// Says what is wrong with a value, if anything.
    ///
    /// # Errors
    /// A value that is not finite, out of range, or not whole where it must be; the text names
    /// value and range.
    pub fn check(&self, value: f64) -> Result<(), String> {
        let what = if self.integer {
            "a whole number"
        } else {
            "a number"
        };
        if (self.min..=self.max).contains(&value) && (!self.integer || value.fract() == 0.0) {
            return Ok(());
        }
        Err(format!(
            "is {value}; expected {what} from {} to {}",
            self.min, self.max
        ))
    }
}

/// A row whose value is one of the UCT constants of a stage.
#[derive(Clone, Copy)]
pub struct UctRow {
    /// What is known of the parameter.
    pub spec: ParamSpec,
    /// Reads the value.
    pub get: fn(&UctConstants) -> f64,
    /// Writes a value that [`ParamSpec::check`] accepts.
    pub set: fn(&mut UctConstants, f64),
}

macro_rules! uct_row {
    ($field:ident $([$class:expr])?: $name:literal, $integer:literal, $scale:ident,
     $default:expr, $min:expr, $max:expr, $step:expr, $unit:literal, $meaning:literal) => {
        UctRow {
            spec: ParamSpec {
                name: $name,
                integer: $integer,
                scale: Scale::$scale,
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                unit: $unit,
                meaning: $meaning,
            },
            get: |constants| f64::from(constants.$field $([$class.index()])?),
            set: |constants, value| constants.$field $([$class.index()])? = value as _,
        }
    };
}

/// The constants of a UCT stage.
pub const UCT_ROWS: &[UctRow] = &[
    uct_row!(exploration: "exploration", false, Log, 1.0, 0.001, 10.0, 1.5, "value",
        "C: weight of the exploration term C * sqrt(2 ln N / T)"),
    uct_row!(bias[CAPTURE]: "bias.capture", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a move that completes a box"),
    uct_row!(bias[GIVES]: "bias.gives", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a move after which the opponent can complete a box"),
    uct_row!(bias[OTHER]: "bias.other", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of every other move"),
    uct_row!(depth_plies: "depth_plies", true, Linear, 255.0, 1.0, 255.0, 2.0, "plies",
        "h: how deep below the root the tree may grow; 255 limits nothing"),
    uct_row!(margin_weight: "margin_weight", false, Linear, 0.0, 0.0, 1.0, 0.1, "share",
        "share of the margin in the value of a finished game; the rest is win or loss"),
    uct_row!(expand_after_visits: "expand_after_visits", true, Linear, 1.0, 1.0, 100.0, 1.0,
        "visits", "visits after which a leaf of the tree gets children"),
];

/// Constants with every row at its default: plain UCT over all moves with uniform rollouts.
pub fn uct_defaults() -> UctConstants {
    let mut constants = UctConstants {
        exploration: 0.0,
        bias: [0.0; MoveClass::COUNT],
        depth_plies: 0,
        move_list: MoveList::All,
        rollout: RolloutPolicy::Uniform,
        final_move: FinalMove::Visits,
        expand_after_visits: 0,
        margin_weight: 0.0,
    };
    for row in UCT_ROWS {
        (row.set)(&mut constants, row.spec.default);
    }
    constants
}

/// Where a stage that starts at a ply starts.
pub const FROM_PLY: ParamSpec = ParamSpec {
    name: "from.ply",
    integer: true,
    scale: Scale::Linear,
    default: 0.0,
    min: 0.0,
    max: 255.0,
    step: 1.0,
    unit: "plies",
    meaning: "the stage acts from this ply of the game on",
};

/// Where a stage that starts by what is left starts.
pub const FROM_EDGES_LEFT: ParamSpec = ParamSpec {
    name: "from.edges_left",
    integer: true,
    scale: Scale::Linear,
    default: 30.0,
    min: 0.0,
    max: 255.0,
    step: 1.0,
    unit: "edges",
    meaning: "the stage acts once at most this many edges are left",
};

/// Every row that a stage may have, in the order of the documentation.
pub fn all_specs() -> Vec<ParamSpec> {
    let starts = [FROM_PLY, FROM_EDGES_LEFT];
    starts
        .into_iter()
        .chain(UCT_ROWS.iter().map(|row| row.spec))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range() {
        for spec in all_specs() {
            assert_eq!(spec.check(spec.default), Ok(()), "{}", spec.name);
            assert!(spec.step > 0.0, "{}", spec.name);
            assert!(spec.scale == Scale::Linear || (spec.min > 0.0 && spec.step > 1.0));
        }
    }

    #[test]
    fn a_row_reads_back_what_it_wrote_and_touches_no_other_row() {
        for row in UCT_ROWS {
            let mut constants = uct_defaults();
            let before: Vec<f64> = UCT_ROWS.iter().map(|row| (row.get)(&constants)).collect();
            let value = if row.spec.default == row.spec.min {
                row.spec.max
            } else {
                row.spec.min
            };
            (row.set)(&mut constants, value);
            for (other, old) in UCT_ROWS.iter().zip(before) {
                let expected = if other.spec.name == row.spec.name {
                    value
                } else {
                    old
                };
                assert_eq!(
                    (other.get)(&constants),
                    expected,
                    "{} {}",
                    row.spec.name,
                    other.spec.name
                );
            }
        }
    }

    #[test]
    fn a_value_out_of_range_or_not_whole_is_refused_with_the_range() {
        assert!(
            FROM_PLY
                .check(1.5)
                .unwrap_err()
                .contains("a whole number from 0 to 255")
        );
        assert!(
            UCT_ROWS[0]
                .spec
                .check(f64::NAN)
                .unwrap_err()
                .contains("from 0.001 to 10")
        );
    }
}
