//! What a learner finds with a budget of games, simulated before a night is spent on it.
//!
//! The surface is a smooth round hill whose top lies 0.3 of the ranges away from the start, and
//! games are won by the logistic law: a real engine can be harder, with walls and parameters of
//! very unequal weight, so a forecast is a plan for a friendly night.

use rayon::prelude::*;

use super::drive::{Contender, DriveError, Setting, drive};
use super::sample::quantile;
use super::{GameLaw, Surface};

/// What is simulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ForecastSetting {
    /// Tuned parameters, at least 2.
    pub parameters: usize,
    /// Games that the learner may use.
    pub games: u32,
    /// Trials in flight, at least 1.
    pub in_flight: usize,
    /// Runs, at least 1, with seeds from 0 on.
    pub runs: u32,
}

/// What a learner found of a head room, run by run.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// Elo between the start and the top.
    pub head_room: f64,
    /// Elo of each result over the start, ascending: below 0 where a run has lost.
    pub gains: Vec<f64>,
}

impl Forecast {
    /// Mean gain of the runs, in Elo.
    pub fn mean(&self) -> f64 {
        self.gains.iter().sum::<f64>() / self.gains.len() as f64
    }

    /// Standard error of the mean, in Elo; 0 of a single run.
    pub fn error(&self) -> f64 {
        let (mean, runs) = (self.mean(), self.gains.len() as f64);
        let squares = self.gains.iter().map(|gain| (gain - mean) * (gain - mean));
        (squares.sum::<f64>() / (runs - 1.0).max(1.0) / runs).sqrt()
    }

    /// Gain of the middle run, in Elo.
    pub fn median(&self) -> f64 {
        quantile(&self.gains, 0.5)
    }

    /// What nine of ten runs gain at least, in Elo.
    pub fn nine_of_ten(&self) -> f64 {
        quantile(&self.gains, 0.1)
    }
}

/// Simulates runs on the threads of the pool; the same forecast on any number of them.
///
/// # Errors
/// See [`DriveError`].
pub fn forecast(
    contender: &Contender,
    setting: &ForecastSetting,
    head_room: f64,
) -> Result<Forecast, DriveError> {
    let law = GameLaw::with_draws(0.0).expect("no draws are a share of draws");
    let gains: Result<Vec<f64>, DriveError> = (0..u64::from(setting.runs))
        .into_par_iter()
        .map(|seed| {
            let surface = Surface::quad(setting.parameters, head_room, seed);
            let run = Setting {
                seed,
                budget: setting.games,
                in_flight: setting.in_flight,
                law,
            };
            let outcome = drive(contender, &surface, &run)?;
            Ok(surface.start_regret() - outcome.regret)
        })
        .collect();
    let mut gains = gains?;
    gains.sort_by(f64::total_cmp);
    Ok(Forecast { head_room, gains })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimiser::pooled::{Pooled, PooledSettings};

    fn pooled() -> Contender {
        let settings = PooledSettings::default();
        Contender {
            name: "pooled".to_owned(),
            games_per_trial: settings.tree.games_per_episode,
            build: Box::new(move |seed, space, _| {
                Box::new(Pooled::new(space.clone(), settings.clone(), seed).unwrap())
            }),
        }
    }

    fn setting(games: u32) -> ForecastSetting {
        ForecastSetting {
            parameters: 2,
            games,
            in_flight: 8,
            runs: 8,
        }
    }

    #[test]
    fn nothing_is_gained_without_games_and_never_more_than_there_is() {
        let none = forecast(&pooled(), &setting(0), 100.0).unwrap();
        assert_eq!(none.gains, [0.0; 8]);
        let many = forecast(&pooled(), &setting(8_000), 100.0).unwrap();
        assert!(many.gains.is_sorted() && many.gains[7] <= 100.0 + 1e-9);
        assert!(many.mean() > 30.0 && many.median() > 30.0, "{many:?}");
        assert!(many.nine_of_ten() <= many.median());
    }

    #[test]
    fn a_forecast_does_not_depend_on_threads() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| forecast(&pooled(), &setting(500), 50.0).unwrap())
        };
        assert_eq!(on(1), on(2));
    }

    #[test]
    fn means_and_their_errors_are_those_of_the_runs() {
        let forecast = Forecast {
            head_room: 50.0,
            gains: vec![-10.0, 10.0, 30.0, 50.0],
        };
        assert_eq!(forecast.mean(), 20.0);
        assert_eq!(forecast.median(), 20.0);
        assert!((forecast.nine_of_ten() + 4.0).abs() < 1e-12);
        // Squares 900, 100, 100, 900 over 3, over 4.
        assert!((forecast.error() - (2000.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }
}
