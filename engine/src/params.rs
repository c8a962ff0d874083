//! The table of tunable parameters: one row each, from which come the reading and checking of
//! configurations, `engine params`, and the space that a tuner searches.
//!
//! A row's name is relative to its stage: row `bias.capture` of stage `layout` has the path
//! `stages.layout.bias.capture`.

use crate::eval::amazons::{Formula, knowledge as amazons};
use crate::eval::dots::{CAPTURE, GIVES, LONG_CHAIN, OTHER};
use crate::eval::{
    Correction, EVALUATION_TERMS, Evaluation, EvaluationForm, MoveClass, MoveList, RolloutPolicy,
};
use crate::game::GameKind;
use crate::search::uct::{EarlyStop, FinalMove, Transpositions, UctConstants, Widening};
use crate::stage::{Plan, Schedule, Shape};

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

/// A row whose value is one of the constants of a stage.
#[derive(Clone, Copy)]
pub struct PlanRow {
    /// What is known of the parameter.
    pub spec: ParamSpec,
    /// Reads the value.
    pub get: fn(&Plan) -> f64,
    /// Writes a value that [`ParamSpec::check`] accepts.
    pub set: fn(&mut Plan, f64),
    /// Whether a plan has this row: a constant or the ends of a schedule, never both.
    pub is_in: fn(&Plan) -> bool,
    /// The game that the row is of; None if all games have it.
    pub game: Option<GameKind>,
}

impl PlanRow {
    /// Whether a plan of this game can have the row.
    pub fn is_of(&self, game: GameKind) -> bool {
        self.game.is_none_or(|own| own == game)
    }
}

/// Keys whose constant can change over the plies of a stage.
pub const SCHEDULE_KEYS: [&str; 2] = ["exploration", "depth_plies"];

/// The schedule under one of the [`SCHEDULE_KEYS`].
pub fn schedule_mut<'a>(plan: &'a mut Plan, key: &str) -> &'a mut Schedule {
    match key {
        "exploration" => &mut plan.exploration,
        _ => &mut plan.depth_plies,
    }
}

macro_rules! spec {
    ($name:literal, $integer:literal, $scale:ident, $default:expr, $min:expr, $max:expr,
     $step:expr, $unit:literal, $meaning:literal) => {
        ParamSpec {
            name: $name,
            integer: $integer,
            scale: Scale::$scale,
            default: $default,
            min: $min,
            max: $max,
            step: $step,
            unit: $unit,
            meaning: $meaning,
        }
    };
}

macro_rules! row {
    ($($field:ident).+ $([$class:expr])?: $($spec:tt)*) => {
        PlanRow {
            spec: spec!($($spec)*),
            get: |plan| f64::from(plan.constants.$($field).+ $([$class])?),
            set: |plan, value| plan.constants.$($field).+ $([$class])? = value as _,
            is_in: |_| true,
            game: None,
        }
    };
}

/// A row of one game alone.
macro_rules! row_of {
    ($game:ident, $($row:tt)*) => {
        PlanRow {
            is_in: |plan| plan.game == GameKind::$game,
            game: Some(GameKind::$game),
            ..row!($($row)*)
        }
    };
}

macro_rules! constant_row {
    ($schedule:ident: $($spec:tt)*) => {
        PlanRow {
            spec: spec!($($spec)*),
            get: |plan| plan.$schedule.from,
            set: |plan, value| plan.$schedule = Schedule::constant(value),
            is_in: |plan| plan.$schedule.shape == Shape::Constant,
            game: None,
        }
    };
}

macro_rules! end_row {
    ($schedule:ident.$end:ident: $($spec:tt)*) => {
        PlanRow {
            spec: spec!($($spec)*),
            get: |plan| plan.$schedule.$end,
            set: |plan, value| plan.$schedule.$end = value,
            is_in: |plan| plan.$schedule.shape != Shape::Constant,
            game: None,
        }
    };
}

/// The constants of a stage.
pub const PLAN_ROWS: &[PlanRow] = &[
    constant_row!(exploration: "exploration", false, Log, 1.0, 0.001, 10.0, 1.5, "value",
        "C: weight of the exploration term C * sqrt(2 ln N / T)"),
    end_row!(exploration.from: "exploration.from", false, Log, 1.0, 0.001, 10.0, 1.5, "value",
        "C at the first ply of the stage"),
    end_row!(exploration.to: "exploration.to", false, Log, 1.0, 0.001, 10.0, 1.5, "value",
        "C at the last ply of the stage"),
    row_of!(DotsAndBoxes, bias[CAPTURE.index()]:
        "bias.capture", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a move that completes a box, but for those of a long chain"),
    row_of!(DotsAndBoxes, bias[GIVES.index()]:
        "bias.gives", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a move after which the opponent can complete a box"),
    row_of!(DotsAndBoxes, bias[OTHER.index()]:
        "bias.other", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of every other move"),
    row_of!(DotsAndBoxes, bias[LONG_CHAIN.index()]:
        "bias.long_chain", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a capture where the last boxes of a string could be offered instead"),
    row_of!(Amazons, bias[amazons::BLOCKS.index()]:
        "bias.blocks", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of a half-move that ends beside an amazon of the opponent's"),
    row_of!(Amazons, bias[amazons::OTHER.index()]:
        "bias.other", false, Linear, 0.0, -2.0, 2.0, 0.05, "value",
        "G of every other half-move"),
    constant_row!(depth_plies: "depth_plies", true, Linear, 255.0, 1.0, 255.0, 2.0, "plies",
        "h: how deep below the root the tree may grow; 255 limits nothing"),
    end_row!(depth_plies.from: "depth_plies.from", true, Linear, 255.0, 1.0, 255.0, 2.0, "plies",
        "h at the first ply of the stage"),
    end_row!(depth_plies.to: "depth_plies.to", true, Linear, 255.0, 1.0, 255.0, 2.0, "plies",
        "h at the last ply of the stage"),
    row!(margin_weight: "margin_weight", false, Linear, 0.0, 0.0, 1.0, 0.1, "share",
        "share of the margin in the value of a finished game; the rest is win or loss"),
    row!(expand_after_visits: "expand_after_visits", true, Linear, 1.0, 1.0, 100.0, 1.0,
        "visits", "visits after which a leaf of the tree gets children"),
    row!(first_visit_value: "first_visit_value", false, Linear, 100.0, 0.0, 100.0, 0.1, "value",
        "what a child counts with before its first visit; 100: such children come first"),
    row!(evaluation_weight: "evaluation_weight", false, Linear, 0.0, 0.0, 1.0, 0.1, "share",
        "share of the static evaluation in a leaf's value; 1: nothing is played out"),
    row_of!(DotsAndBoxes, evaluation.weights[0]:
        "evaluation.chains", false, Linear, 0.4, -5.0, 5.0, 0.1,
        "boxes a box", "weight of the formula's value once the safe edges are drawn in order"),
    row_of!(DotsAndBoxes, evaluation.weights[1]:
        "evaluation.long_chain_parity", false, Linear, 0.0, -25.0, 25.0,
        0.2, "boxes", "worth of being in control by the long-chain rule"),
    row_of!(DotsAndBoxes, evaluation.weights[2]:
        "evaluation.safe_parity", false, Linear, 0.0, -25.0, 25.0, 0.2,
        "boxes", "worth of an odd number of safe edges"),
    row_of!(DotsAndBoxes, evaluation.weights[3]:
        "evaluation.tempo", false, Linear, 0.0, -25.0, 25.0, 0.2,
        "boxes", "worth of being to move while there are safe edges"),
    row_of!(DotsAndBoxes, evaluation.scale:
        "evaluation.scale", false, Log, 4.0, 0.1, 100.0, 1.5, "boxes",
        "boxes ahead that make a value of 0.73"),
    row_of!(Amazons, evaluation.weights[0]: "evaluation.x", false, Linear,
        Formula::PAPER_START.x, Formula::XY_MIN, Formula::XY_MAX, 0.5, "squares",
        "X: contested squares (w) at which territory by queen moves has half its weight"),
    row_of!(Amazons, evaluation.weights[1]: "evaluation.y", false, Linear,
        Formula::PAPER_START.y, Formula::XY_MIN, Formula::XY_MAX, 0.5, "squares",
        "Y: contested squares (w) at which territory by king's steps has half its weight"),
    row_of!(Amazons, evaluation.weights[2]: "evaluation.kappa", false, Linear,
        Formula::PAPER_START.kappa, 0.0, Formula::KAPPA_MAX, 0.05, "squares",
        "what a square as near to both counts for the side to move"),
    row_of!(Amazons, evaluation.weights[3]: "evaluation.defects", false, Linear,
        Formula::PAPER_START.defects, 0.0, Formula::DEFECTS_MAX, 1.0, "weight",
        "weight of S: what held squares that are cut off count less; 0 leaves it out"),
    row_of!(Amazons, evaluation.scale:
        "evaluation.scale", false, Log, 8.0, 0.1, 100.0, 1.5, "squares",
        "squares ahead that make a value of 0.73"),
    row_of!(Amazons, evaluation.correction.rollouts:
        "evaluation.rollouts", true, Linear, 0.0, 0.0, 10_000.0, 2.0, "games",
        "random games from every position that is evaluated; 0: none"),
    row_of!(Amazons, evaluation.correction.points:
        "evaluation.rollout_points", false, Linear, 5.0, 0.0, 1000.0, 1.0, "squares",
        "what winning all of these random games adds to the value"),
    row!(evaluation.noise: "evaluation.noise", false, Linear, 0.0, 0.0, 100.0, 1.0, "points",
        "standard deviation of an error added to every evaluation, for experiments"),
    row!(width: "width", true, Linear, 0.0, 0.0, 1000.0, 4.0, "moves",
        "moves searched where two plies or more are left, the best by static value; 0: all"),
    row!(widening.first: "widening.first", true, Linear, 0.0, 0.0, 1000.0, 2.0, "moves",
        "children that a node of one visit may have, the best by static value; 0: all at once"),
    row!(widening.exponent: "widening.exponent", false, Linear, 0.4, 0.0, 1.0, 0.05, "power",
        "how that number grows: widening.first * visits^widening.exponent"),
    row!(early_stop.simulations: "early_stop.simulations", true, Linear, 0.0, 0.0, 1e9, 100.0,
        "simulations",
        "simulations before a search may stop early; 0: never; with a budget for the game"),
    row!(early_stop.margin: "early_stop.margin", false, Linear, 0.0, 0.0, 10.0, 0.05, "value",
        "what the best mean must exceed every other UCB by to stop early"),
];

/// Constants of a game with every row at its default: plain UCT over all moves with uniform
/// rollouts.
pub fn default_plan(game: GameKind) -> Plan {
    let constants = UctConstants {
        exploration: 0.0,
        bias: [0.0; MoveClass::COUNT],
        depth_plies: 0,
        move_list: MoveList::All,
        rollout: RolloutPolicy::Uniform,
        final_move: FinalMove::Visits,
        expand_after_visits: 0,
        margin_weight: 0.0,
        first_visit_value: 0.0,
        evaluation_weight: 0.0,
        width: 0,
        widening: Widening {
            first: 0,
            exponent: 0.0,
        },
        evaluation: Evaluation {
            form: EvaluationForm(0),
            weights: [0.0; EVALUATION_TERMS],
            scale: 1.0,
            noise: 0.0,
            correction: Correction::default(),
        },
        early_stop: EarlyStop {
            simulations: 0,
            margin: 0.0,
        },
        transpositions: Transpositions::Separate,
    };
    let mut plan = Plan {
        game,
        constants,
        exploration: Schedule::constant(0.0),
        depth_plies: Schedule::constant(0.0),
    };
    for row in PLAN_ROWS {
        if (row.is_in)(&plan) {
            (row.set)(&mut plan, row.spec.default);
        }
    }
    plan
}

/// The constants of [`default_plan`] at any ply.
pub fn uct_defaults(game: GameKind) -> UctConstants {
    default_plan(game).at(0.0)
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

/// Where a stage that starts by what has been played starts.
pub const FROM_FILLED: ParamSpec = ParamSpec {
    name: "from.filled",
    integer: false,
    scale: Scale::Linear,
    default: 0.5,
    min: 0.0,
    max: 1.0,
    step: 0.02,
    unit: "share",
    meaning: "the stage acts once this share of the moves has been played",
};

/// Where a stage that starts by the game's distance to its end starts.
pub const FROM_PROGRESS_BELOW: ParamSpec = ParamSpec {
    name: "from.progress_below",
    integer: false,
    scale: Scale::Linear,
    default: 10.0,
    min: 0.0,
    max: 255.0,
    step: 2.0,
    unit: "squares",
    meaning: "the stage acts once w, the squares that are still contested, is below this",
};

/// What a move of a stage may use of a budget for the whole game.
pub const SHARE: ParamSpec = ParamSpec {
    name: "share",
    integer: false,
    scale: Scale::Log,
    default: 1.0,
    min: 0.001,
    max: 1000.0,
    step: 1.5,
    unit: "share",
    meaning: "what a move may use of a budget for the game, relative to other stages' moves",
};

/// Every row that a stage of a game may have, in the order of the documentation.
pub fn all_specs(game: GameKind) -> Vec<ParamSpec> {
    let by_game = match game {
        GameKind::DotsAndBoxes => FROM_EDGES_LEFT,
        GameKind::Amazons => FROM_PROGRESS_BELOW,
    };
    let of_stage = [FROM_PLY, by_game, FROM_FILLED, SHARE];
    let rows = PLAN_ROWS.iter().filter(|row| row.is_of(game));
    of_stage
        .into_iter()
        .chain(rows.map(|row| row.spec))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range() {
        let games = GameKind::WORDS.into_iter();
        for spec in games.flat_map(|(_, game)| all_specs(game)) {
            assert_eq!(spec.check(spec.default), Ok(()), "{}", spec.name);
            assert!(spec.step > 0.0, "{}", spec.name);
            assert!(spec.scale == Scale::Linear || (spec.min > 0.0 && spec.step > 1.0));
        }
    }

    #[test]
    fn a_row_reads_back_what_it_wrote_and_touches_no_other_row() {
        let scheduled = Schedule {
            from: 2.0,
            to: 1.0,
            shape: Shape::Linear,
        };
        let plans = GameKind::WORDS.map(|(_, game)| default_plan(game));
        let with_schedules = plans.map(|plan| Plan {
            exploration: scheduled,
            depth_plies: scheduled,
            ..plan
        });
        for start in plans.into_iter().chain(with_schedules) {
            let rows = || PLAN_ROWS.iter().filter(|row| (row.is_in)(&start));
            for row in rows() {
                let mut plan = start;
                let value = if (row.get)(&start) == row.spec.min {
                    row.spec.max
                } else {
                    row.spec.min
                };
                (row.set)(&mut plan, value);
                for other in rows() {
                    let is_it = other.spec.name == row.spec.name;
                    let expected = if is_it { value } else { (other.get)(&start) };
                    let names = (row.spec.name, other.spec.name);
                    assert_eq!((other.get)(&plan), expected, "{names:?}");
                }
            }
        }
    }

    #[test]
    fn a_plan_has_a_constant_or_the_ends_of_a_schedule() {
        let mut plan = default_plan(GameKind::DotsAndBoxes);
        for key in SCHEDULE_KEYS {
            let names = |plan: &Plan| -> Vec<&str> {
                let rows = PLAN_ROWS.iter().filter(|row| row.spec.key() == key);
                let rows = rows.filter(|row| (row.is_in)(plan));
                rows.map(|row| row.spec.name).collect()
            };
            assert_eq!(names(&plan), [key]);
            schedule_mut(&mut plan, key).shape = Shape::Geometric;
            assert_eq!(names(&plan), [format!("{key}.from"), format!("{key}.to")]);
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
            PLAN_ROWS[0]
                .spec
                .check(f64::NAN)
                .unwrap_err()
                .contains("from 0.001 to 10")
        );
    }
}
