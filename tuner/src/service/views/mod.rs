//! What is shown of a run, each view a form of what was read.

pub(crate) mod card;
pub(crate) mod configuration;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod page;
pub(crate) mod q_values;
pub(crate) mod rounds;
pub(crate) mod row;
pub(crate) mod statistics;
pub(crate) mod surface;
pub(crate) mod trajectories;
pub(crate) mod trees;
pub(crate) mod warnings;

use serde::Serialize;
use sixfold_tuner::space::{Parameter, Scale};
use utoipa::ToSchema;

/// A parameter as an axis.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct AxisView {
    pub(crate) path: String,
    pub(crate) start: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// `linear` or `log`.
    pub(crate) scale: &'static str,
    /// The two words of a choice, whose numbers are 0 and 1; null where values are numbers.
    pub(crate) words: Option<Vec<&'static str>>,
}

impl AxisView {
    pub(crate) fn of(parameter: &Parameter) -> AxisView {
        AxisView {
            path: parameter.path.clone(),
            start: number(parameter, parameter.start),
            min: number(parameter, parameter.min),
            max: number(parameter, parameter.max),
            scale: match parameter.scale {
                Scale::Log => "log",
                Scale::Linear | Scale::Choice(_) => "linear",
            },
            words: match parameter.scale {
                Scale::Choice(words) => Some(words.to_vec()),
                Scale::Linear | Scale::Log => None,
            },
        }
    }
}

/// A value on an axis: the number of a word, or the value itself.
pub(crate) fn number(parameter: &Parameter, value: f64) -> f64 {
    if parameter.is_choice() {
        f64::from(u8::from(value > parameter.min))
    } else {
        value
    }
}

/// At most `limit` of `count` indices, evenly spread, the first and the last among them; `limit`
/// is at least 2.
pub(crate) fn spread(count: usize, limit: usize) -> Vec<usize> {
    let limit = limit.max(2);
    if count <= limit {
        return (0..count).collect();
    }
    let place = |index: usize| index * (count - 1) / (limit - 1);
    (0..limit).map(place).collect()
}
