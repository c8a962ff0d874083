//! Bots that misbehave, by seed and position: what a bot does wrong is a function of both, so that
//! every attempt of a pair, which has another opening, has another fate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sixfold_engine::agent::{Agent, Bot, Choice, Found, Signals};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::Work;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Dots, Edge};
use sixfold_engine::games::DotsAndBoxes;
use sixfold_engine::stream::Stream;
use sixfold_tuner::evaluator::match_play::{EngineBot, MakeBot};

/// Longer than any test.
const LONG: Duration = Duration::from_secs(3_600);

/// What a bot does when it is asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conduct {
    Well,
    Panics,
    Illegal,
    /// Thinks until it is told to stop.
    Dawdles,
    /// Never comes back.
    Hangs,
}

/// What goes wrong how often, in one of a million positions each, and from which seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misconduct {
    pub(crate) seed: u64,
    pub(crate) panics: u64,
    pub(crate) illegal: u64,
    pub(crate) dawdles: u64,
    pub(crate) hangs: u64,
}

impl Misconduct {
    pub(crate) const NONE: Misconduct = Misconduct {
        seed: 0,
        panics: 0,
        illegal: 0,
        dawdles: 0,
        hangs: 0,
    };

    pub(crate) fn at(&self, position: &Dots) -> Conduct {
        let mut hash = position.key() ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            hash = (hash ^ (hash >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        let mut lot = (hash >> 20) % 1_000_000;
        for (share, conduct) in [
            (self.panics, Conduct::Panics),
            (self.illegal, Conduct::Illegal),
            (self.dawdles, Conduct::Dawdles),
            (self.hangs, Conduct::Hangs),
        ] {
            if lot < share {
                return conduct;
            }
            lot -= share;
        }
        Conduct::Well
    }
}

/// The engine, but for its misconduct.
pub(crate) struct Misbehaving {
    agent: Agent<Dots, DotsKnowledge>,
    misconduct: Misconduct,
    /// Where it is only to be noted that something would have gone wrong.
    noted: Option<Arc<AtomicBool>>,
}

impl Bot<Dots> for Misbehaving {
    fn new_game(&mut self) {
        self.agent.new_game();
    }

    fn plays_exactly(&mut self, position: &Dots) -> bool {
        self.agent.plays_exactly(position)
    }

    fn choose_move(
        &mut self,
        position: &Dots,
        stream: &mut Stream,
        signals: &Signals,
    ) -> Choice<Edge> {
        let conduct = self.misconduct.at(position);
        if let Some(noted) = &self.noted {
            noted.fetch_or(conduct != Conduct::Well, Ordering::Relaxed);
            return self.agent.choose(position, stream);
        }
        match conduct {
            Conduct::Well => self.agent.choose_signalled(position, stream, signals),
            Conduct::Panics => std::panic::resume_unwind(Box::new("as it was told to")),
            Conduct::Illegal => Choice {
                stage: 0,
                work: Work::default(),
                // An edge of the opening.
                found: Found::Unfinished(Edge(position.drawn().trailing_zeros() as u8)),
            },
            Conduct::Dawdles => {
                while !signals.is_stopped() {
                    thread::sleep(Duration::from_millis(1));
                }
                self.agent.choose_signalled(position, stream, signals)
            }
            Conduct::Hangs => loop {
                thread::sleep(LONG);
            },
        }
    }
}

impl EngineBot<DotsAndBoxes> for Misbehaving {
    fn configure(&mut self, config: &EngineConfig) {
        self.agent.configure(config);
    }
}

/// Makes bots that misbehave.
pub(crate) fn misbehaving(misconduct: Misconduct) -> MakeBot<DotsAndBoxes> {
    Arc::new(move |config| {
        Box::new(Misbehaving {
            agent: Agent::new(config, DotsKnowledge),
            misconduct,
            noted: None,
        })
    })
}

/// Makes one bot that behaves and notes where it would not have.
pub(crate) fn noting(
    config: &EngineConfig,
    misconduct: Misconduct,
    noted: &Arc<AtomicBool>,
) -> Misbehaving {
    Misbehaving {
        agent: Agent::new(config, DotsKnowledge),
        misconduct,
        noted: Some(Arc::clone(noted)),
    }
}
