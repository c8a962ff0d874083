//! What stands in the journal of a tuning at several budgets, beside what every journal has.

use serde::{Deserialize, Serialize};

use super::StopReasonWire;
use crate::event::{Drift, Extrapolation, LegSummary};
use crate::space::Vector;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::store) struct LegWire {
    leg: u32,
    budget: u64,
    reason: StopReasonWire,
    rounds: u32,
    games: u64,
    values: Vec<f64>,
    // Null where the learner knows none, but never left out.
    #[serde(deserialize_with = "Option::deserialize")]
    deviations: Option<Vec<f64>>,
}

impl From<&LegSummary> for LegWire {
    fn from(leg: &LegSummary) -> Self {
        Self {
            leg: leg.leg,
            budget: leg.budget,
            reason: leg.reason.into(),
            rounds: leg.rounds,
            games: leg.games,
            values: leg.values.0.clone(),
            deviations: leg.deviations.clone(),
        }
    }
}

impl From<LegWire> for LegSummary {
    fn from(wire: LegWire) -> Self {
        Self {
            leg: wire.leg,
            budget: wire.budget,
            reason: wire.reason.into(),
            rounds: wire.rounds,
            games: wire.games,
            values: Vector(wire.values),
            deviations: wire.deviations,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::store) struct ExtrapolationWire {
    budget: u64,
    values: Vec<f64>,
    drifts: Vec<DriftWire>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DriftWire {
    slope: f64,
    slope_deviation: f64,
    is_measured: bool,
    coordinate: f64,
    deviation: f64,
    #[serde(deserialize_with = "Option::deserialize")]
    residual: Option<f64>,
}

impl From<&Extrapolation> for ExtrapolationWire {
    fn from(extrapolation: &Extrapolation) -> Self {
        let drift = |drift: &Drift| DriftWire {
            slope: drift.slope,
            slope_deviation: drift.slope_deviation,
            is_measured: drift.is_measured,
            coordinate: drift.coordinate,
            deviation: drift.deviation,
            residual: drift.residual,
        };
        Self {
            budget: extrapolation.budget,
            values: extrapolation.values.0.clone(),
            drifts: extrapolation.drifts.iter().map(drift).collect(),
        }
    }
}

impl From<ExtrapolationWire> for Extrapolation {
    fn from(wire: ExtrapolationWire) -> Self {
        let drift = |wire: DriftWire| Drift {
            slope: wire.slope,
            slope_deviation: wire.slope_deviation,
            is_measured: wire.is_measured,
            coordinate: wire.coordinate,
            deviation: wire.deviation,
            residual: wire.residual,
        };
        Self {
            budget: wire.budget,
            values: Vector(wire.values),
            drifts: wire.drifts.into_iter().map(drift).collect(),
        }
    }
}
