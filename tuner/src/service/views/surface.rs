//! A slice of the fitted surface through the values in force, along any two parameters.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::outlook::Outlook;
use utoipa::ToSchema;

use super::{AxisView, number};
use crate::service::reading::Reading;
use crate::workspace::show::json_value;

/// Points of the grid along a parameter; a choice has two.
const GRID: usize = 41;
/// Most vectors that are shown: those with the most games.
const PLAYED_MAX: usize = 500;

/// A surface, or why there is none.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SurfaceAnswer {
    pub(crate) surface: Option<SurfaceView>,
    /// Why there is none; null where there is one.
    pub(crate) reason: Option<String>,
}

/// A slice. Coordinates on the axes are values; of a choice the numbers of its words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SurfaceView {
    pub(crate) x: AxisView,
    pub(crate) y: AxisView,
    /// Values of the grid along each axis, evenly spread on its scale.
    pub(crate) xs: Vec<f64>,
    pub(crate) ys: Vec<f64>,
    /// Points along each axis.
    pub(crate) grid: [usize; 2],
    /// For each x for each y: Elo over the start, as the games predict it.
    pub(crate) elo: Vec<Vec<f64>>,
    /// Standard deviations of the difference from the values in force, in Elo.
    pub(crate) deviation: Vec<Vec<f64>>,
    /// What was played, by games.
    pub(crate) played: Vec<PlayedView>,
    pub(crate) start: [f64; 2],
    pub(crate) now: [f64; 2],
    /// Where all other parameters are held.
    pub(crate) others: BTreeMap<String, Value>,
    /// Whether the surface fits the games; else nothing here can be believed.
    pub(crate) fits: bool,
}

/// Games of all vectors with these two values.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayedView {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) games: u64,
}

/// The two parameters of a slice: the named ones, or the first two of the job.
///
/// # Errors
/// A path that is not tuned, or one for both axes; the text says what can be named.
pub(crate) fn axes(reading: &Reading, named: [Option<&str>; 2]) -> Result<[usize; 2], String> {
    let paths: Vec<&str> = reading
        .job()
        .space
        .parameters
        .iter()
        .map(|it| it.path.as_str())
        .collect();
    let place = |name: Option<&str>| match name {
        None => Ok(None),
        Some(name) => match paths.iter().position(|path| *path == name) {
            Some(place) => Ok(Some(place)),
            None => Err(format!(
                "{name:?} is not tuned in this run; tuned are {}",
                paths.join(", ")
            )),
        },
    };
    let [x, y] = [place(named[0])?, place(named[1])?];
    let other = |taken: Option<usize>| usize::from(taken == Some(0));
    let x = x.unwrap_or_else(|| other(y));
    let y = y.unwrap_or_else(|| other(Some(x)));
    if x == y {
        return Err(format!(
            "x and y are both {:?}; name two parameters",
            paths[x]
        ));
    }
    Ok([x, y])
}

/// The slice along two parameters, by their places in the job.
pub(crate) fn surface(reading: &mut Reading, pair: [usize; 2], now: Instant) -> SurfaceAnswer {
    let outlook = reading.outlook(now);
    match outlook.as_ref() {
        Some(outlook) => SurfaceAnswer {
            surface: Some(slice(reading, outlook, pair)),
            reason: None,
        },
        None => SurfaceAnswer {
            surface: None,
            reason: Some(no_outlook(reading).to_owned()),
        },
    }
}

/// Why the games say nothing of the values.
pub(crate) fn no_outlook(reading: &Reading) -> &'static str {
    if reading.folds().summary.games == 0 {
        "no game of the tuning has been stored yet"
    } else {
        "one vector was First in all games, so that what they say of it cannot be told from what \
         being First is worth"
    }
}

fn slice(reading: &Reading, outlook: &Outlook, pair: [usize; 2]) -> SurfaceView {
    let parameters = &reading.job().space.parameters;
    let incumbent = reading.incumbent();
    let start = reading.job().space.start();
    let [unit, from] = [&incumbent, &start].map(|it| outlook.coordinates.to_unit(it));
    let shares = |index: usize| -> Vec<f64> {
        let points = if parameters[index].is_choice() {
            2
        } else {
            GRID
        };
        (0..points)
            .map(|at| at as f64 / (points - 1) as f64)
            .collect()
    };
    let [along_x, along_y] = pair.map(shares);
    let at = |x: f64, y: f64| {
        let mut point = unit.clone();
        (point[pair[0]], point[pair[1]]) = (x, y);
        let elo = outlook.fit.difference(&point, &from).elo;
        (elo, outlook.fit.difference(&point, &unit).deviation)
    };
    let column = |x: &f64| along_y.iter().map(|y| at(*x, *y)).unzip();
    let (elo, deviation) = along_x.iter().map(column).unzip();
    let value = |axis: usize, share: &f64| {
        let index = pair[axis];
        number(&parameters[index], outlook.coordinates.value(index, *share))
    };
    let place = |vector: &sixfold_tuner::space::Vector| {
        pair.map(|index| number(&parameters[index], vector.0[index]))
    };
    let others = parameters.iter().zip(&incumbent.0).enumerate();
    SurfaceView {
        x: AxisView::of(&parameters[pair[0]]),
        y: AxisView::of(&parameters[pair[1]]),
        xs: along_x.iter().map(|share| value(0, share)).collect(),
        ys: along_y.iter().map(|share| value(1, share)).collect(),
        grid: [along_x.len(), along_y.len()],
        elo,
        deviation,
        played: played(reading, place),
        start: place(&start),
        now: place(&incumbent),
        others: others
            .filter(|(index, _)| !pair.contains(index))
            .map(|(_, (parameter, value))| (parameter.path.clone(), json_value(parameter, *value)))
            .collect(),
        fits: outlook.fits,
    }
}

/// Games by where they stand, the most first.
fn played(
    reading: &Reading,
    place: impl Fn(&sixfold_tuner::space::Vector) -> [f64; 2],
) -> Vec<PlayedView> {
    let mut games: BTreeMap<[u64; 2], u64> = BTreeMap::new();
    for met in reading.folds().summary.played.pairs() {
        for vector in [&met.a, &met.b] {
            *games.entry(place(vector).map(f64::to_bits)).or_insert(0) += met.wdl.games();
        }
    }
    let mut played: Vec<PlayedView> = games
        .into_iter()
        .map(|(bits, games)| {
            let [x, y] = bits.map(f64::from_bits);
            PlayedView { x, y, games }
        })
        .collect();
    // The sort is stable: equals keep their order.
    played.sort_by_key(|it| std::cmp::Reverse(it.games));
    played.truncate(PLAYED_MAX);
    played
}
