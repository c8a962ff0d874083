//! How many games a reward needs for the same certainty as another reward of the same games.

use sixfold_engine::stream::Stream;

/// Resamples behind an interval.
const RESAMPLES: usize = 2_000;

/// A reward of A in every pair of games, less that of equal engines: 0 is an even pair.
pub(crate) type Rewards = Vec<f64>;

/// A number with its 95 % bootstrap interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Mean of the observations in standard deviations of one of them; not a number where all of them
/// are zero.
pub(crate) fn effect(rewards: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = rewards.clone().count() as f64;
    let mean = rewards.clone().sum::<f64>() / count;
    let squares = rewards.map(|it| (it - mean) * (it - mean)).sum::<f64>();
    mean / (squares / (count - 1.0)).sqrt()
}

/// The certainty that one observation buys: the effect squared, without what chance adds to it.
fn certainty(rewards: impl Iterator<Item = f64> + Clone) -> f64 {
    let (effect, count) = (effect(rewards.clone()), rewards.count() as f64);
    effect * effect - 1.0 / count
}

/// Games that `reward` needs for each game that `plain` needs: below 1, it saves games. Where a
/// resample shows no effect by `reward` at all, it needs infinitely many.
pub(crate) fn games_needed(plain: &Rewards, reward: &Rewards, stream: &mut Stream) -> Estimate {
    let ratio = |of: &[usize]| {
        let known = |rewards: &Rewards| certainty(of.iter().map(|&pair| rewards[pair]));
        match known(reward) {
            certainty if certainty > 0.0 => known(plain).max(0.0) / certainty,
            _ => f64::INFINITY,
        }
    };
    let all: Vec<usize> = (0..plain.len()).collect();
    let mut resample = || -> Vec<usize> {
        let draw = |_: &usize| stream.below(plain.len() as u32) as usize;
        all.iter().map(draw).collect()
    };
    let mut ratios: Vec<f64> = (0..RESAMPLES).map(|_| ratio(&resample())).collect();
    ratios.sort_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    Estimate {
        value: ratio(&all),
        low: ratios[tail],
        high: ratios[RESAMPLES - 1 - tail],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixfold_engine::stream::{Purpose, StreamKey};

    fn stream(seed: u64) -> Stream {
        StreamKey::new(seed, Purpose::Bench).stream()
    }

    /// Coins that show heads with 0.6, and the same with one of ten turned over: heads with 0.58.
    /// Half a point for heads, half a point less for tails.
    fn coins(count: usize, stream: &mut Stream) -> [Rewards; 2] {
        let mut toss = |probability: f64| stream.unit() < probability;
        let tosses: Vec<[bool; 2]> = (0..count)
            .map(|_| {
                let heads = toss(0.6);
                [heads, heads != toss(0.1)]
            })
            .collect();
        [0, 1].map(|which| {
            let worth = |it: &[bool; 2]| if it[which] { 0.5 } else { -0.5 };
            tosses.iter().map(worth).collect()
        })
    }

    /// What one toss of a coin that shows heads with this probability tells, exactly.
    fn certainty_of_toss(probability: f64) -> f64 {
        let mean = probability - 0.5;
        mean * mean / (probability * (1.0 - probability))
    }

    #[test]
    fn the_effect_is_the_mean_in_deviations() {
        // Mean 1, variance 4 / 3, by hand.
        let rewards = [0.0, 2.0, 0.0, 2.0];
        assert!((effect(rewards.into_iter()) - 0.75_f64.sqrt()).abs() < 1e-12);
        assert!((certainty(rewards.into_iter()) - (0.75 - 0.25)).abs() < 1e-12);
    }

    #[test]
    fn a_scale_of_the_reward_is_no_information() {
        let rewards = vec![1.0, -1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        let same = games_needed(&rewards, &rewards, &mut stream(1));
        assert_eq!(same.value, 1.0);
        let twice = rewards.iter().map(|it| 2.0 * it).collect();
        let scaled = games_needed(&rewards, &twice, &mut stream(1));
        assert!((scaled.value - 1.0).abs() < 1e-12);
    }

    #[test]
    fn noise_turns_into_the_games_that_it_costs() {
        let [exact, noisy] = coins(200_000, &mut stream(2)).map(|it| certainty(it.into_iter()));
        let expected = certainty_of_toss(0.58) / certainty_of_toss(0.6);
        assert!((noisy / exact - expected).abs() < 0.03, "{noisy}, {exact}");
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let truth = certainty_of_toss(0.58) / certainty_of_toss(0.6);
        let held = (0..100).filter(|&seed| {
            let mut stream = stream(100 + seed);
            let [exact, noisy] = coins(1_500, &mut stream);
            let found = games_needed(&noisy, &exact, &mut stream);
            (found.low..=found.high).contains(&truth)
        });
        let held = held.count();
        assert!((88..=100).contains(&held), "{held}");
    }
}
