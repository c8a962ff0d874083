//! One learner on one surface for a budget of games.

use std::time::{Duration, Instant};

use super::games::TrialKey;
use super::{GameLaw, Surface};
use crate::optimiser::{Ask, Optimiser, Proposal};
use crate::space::Space;
use crate::stream::{Purpose, StreamKey};
use crate::trial::TrialResult;

/// Lane of the streams that give learners their seeds.
const LEARNER_LANE: u8 = 3;
/// Seeds of learners lie below this, as those of runs do.
const SEED_END: u64 = 1 << 53;
/// Rounds in a row without a game after which a learner has no more to ask for.
const IDLE_ROUNDS_MOST: u32 = 1_000;

/// Makes a learner from its seed, the space and the games of the run.
type Build = Box<dyn Fn(u64, &Space, u64) -> Box<dyn Optimiser> + Send + Sync>;

/// A learner that takes part.
pub struct Contender {
    /// What people call it.
    pub name: String,
    /// Games of each of its trials.
    pub games_per_trial: u32,
    /// Makes it: seed below 2^53, space, games of the run.
    pub build: Build,
}

/// What a run on a surface is played under.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// Seed below 2^53: of the games and of the learner.
    pub seed: u64,
    /// Games that the learner may use; no trial is begun that could exceed them.
    pub budget: u32,
    /// Trials in flight, at least 1: the learner sees no result of a batch before all are asked
    /// for.
    pub in_flight: usize,
    /// Who wins.
    pub law: GameLaw,
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Elo between the optimum and the incumbent at the end.
    pub regret: f64,
    /// Games played.
    pub games: u64,
    /// The incumbent after every round.
    pub trace: Vec<TracePoint>,
    /// Time that the learner took, without the games.
    pub learner_time: Duration,
}

/// How far a run was.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TracePoint {
    /// Games played so far.
    pub games: u64,
    /// Elo between the optimum and the incumbent.
    pub regret: f64,
}

/// A learner that asks for nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{learner} on {surface}, seed {seed}: it finished {IDLE_ROUNDS_MOST} rounds in a row without \
     a game, after {games} games"
)]
pub struct DriveError {
    /// The learner's name.
    pub learner: String,
    /// The surface's name.
    pub surface: String,
    /// Seed of the run.
    pub seed: u64,
    /// Games played until then.
    pub games: u64,
}

/// Lets the learner play until its budget is used up or it has nothing more to gain, as a run of a
/// job would: the last round is closed with what it has learnt.
///
/// # Errors
/// A learner that finishes round after round without a game.
pub fn drive(
    contender: &Contender,
    surface: &Surface,
    setting: &Setting,
) -> Result<Outcome, DriveError> {
    let mut run = Run::begin(contender, surface, setting);
    let mut idle = 0;
    while idle < IDLE_ROUNDS_MOST {
        let affordable = run.affordable_trials();
        if affordable == 0 {
            if run.trials_of_round > 0 {
                run.finish_round();
            }
            return Ok(run.outcome());
        }
        let limit = affordable.min(setting.in_flight.max(1));
        match run.timed(|learner| learner.ask(limit)) {
            Ask::Play(proposals) => {
                idle = 0;
                run.play(&proposals);
            }
            Ask::RoundFinished(_) => {
                idle += 1;
                run.note_round();
            }
            Ask::Exhausted => return Ok(run.outcome()),
        }
    }
    Err(DriveError {
        learner: contender.name.clone(),
        surface: surface.name().into(),
        seed: setting.seed,
        games: run.games,
    })
}

/// A run in progress.
struct Run<'a> {
    contender: &'a Contender,
    surface: &'a Surface,
    setting: &'a Setting,
    learner: Box<dyn Optimiser>,
    key: TrialKey,
    games: u64,
    trials_of_round: u32,
    trace: Vec<TracePoint>,
    learner_time: Duration,
}

impl<'a> Run<'a> {
    fn begin(contender: &'a Contender, surface: &'a Surface, setting: &'a Setting) -> Self {
        let key = TrialKey {
            seed: setting.seed,
            surface: number_of(surface),
            budget: setting.budget,
            trial: 0,
        };
        let begun = Instant::now();
        let budget = u64::from(setting.budget);
        let learner = (contender.build)(learner_seed(&key), surface.space(), budget);
        Self {
            contender,
            surface,
            setting,
            learner,
            key,
            games: 0,
            trials_of_round: 0,
            trace: Vec::new(),
            learner_time: begun.elapsed(),
        }
    }

    fn affordable_trials(&self) -> usize {
        let left = u64::from(self.setting.budget) - self.games;
        let trials = left / u64::from(self.contender.games_per_trial);
        usize::try_from(trials).unwrap_or(usize::MAX)
    }

    fn timed<T>(&mut self, act: impl FnOnce(&mut dyn Optimiser) -> T) -> T {
        let begun = Instant::now();
        let value = act(self.learner.as_mut());
        self.learner_time += begun.elapsed();
        value
    }

    fn play(&mut self, proposals: &[Proposal]) {
        let mut results = Vec::with_capacity(proposals.len());
        for proposal in proposals {
            results.push(self.result(proposal));
            self.key.trial += 1;
            self.trials_of_round += 1;
            self.games += u64::from(proposal.games);
        }
        self.timed(|learner| results.iter().for_each(|result| learner.tell(result)));
    }

    fn result(&self, proposal: &Proposal) -> TrialResult {
        let difference = self.surface.elo(&proposal.a) - self.surface.elo(&proposal.b);
        let chances = self.setting.law.win_and_draw(difference);
        self.key.play(chances, proposal.colours, proposal.games)
    }

    fn finish_round(&mut self) {
        self.timed(|learner| learner.finish_round());
        self.note_round();
    }

    fn note_round(&mut self) {
        self.trials_of_round = 0;
        self.trace.push(TracePoint {
            games: self.games,
            regret: self.surface.regret(self.learner.incumbent()),
        });
    }

    fn outcome(self) -> Outcome {
        Outcome {
            regret: self.surface.regret(self.learner.incumbent()),
            games: self.games,
            trace: self.trace,
            learner_time: self.learner_time,
        }
    }
}

/// The number that stands for a surface in the keys of streams; it depends on the name alone.
pub(super) fn number_of(surface: &Surface) -> u32 {
    crc32fast::hash(surface.name().as_bytes())
}

/// The learner's own seed: as independent from surface to surface as the games are.
fn learner_seed(key: &TrialKey) -> u64 {
    let mut stream = StreamKey {
        lane: LEARNER_LANE,
        round: key.surface,
        pair: key.budget,
        ..StreamKey::new(key.seed, Purpose::Benchmark)
    }
    .stream();
    stream.bits() % SEED_END
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
