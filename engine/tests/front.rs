//! A front that cannot hang: whatever the bot behind it does, a legal move comes back, and it is
//! said where it comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use sixfold_engine::agent::{
    Agent, Bot, Choice, Found, Front, GameWatch, Patience, Referee, Signals, Source, Trouble,
    play_game,
};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::Work;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// What a bot of this test does when it is asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conduct {
    /// Answers with the last legal move.
    Well,
    /// Never answers, and never says anything.
    Hangs,
    /// Never answers, but has published this place.
    HangsAfter(usize),
    /// Panics.
    Panics,
    /// Answers with an edge that is drawn already.
    Illegal,
    /// Goes on until it is told to stop, then answers with the last legal move.
    UntilStopped,
    /// Answers long after everything.
    TooLate,
}

/// Longer than any patience of these tests.
const LONG: Duration = Duration::from_secs(3_600);
const PATIENCE: Patience = Patience {
    deadline: Duration::from_millis(200),
    grace: Duration::from_millis(200),
};
/// For bots that answer: a busy machine must not make them late.
const AMPLE: Patience = Patience {
    deadline: Duration::from_secs(60),
    grace: Duration::from_secs(60),
};

struct TestBot(Conduct);

fn given(mv: Edge) -> Choice<Edge> {
    Choice {
        stage: 0,
        work: Work::default(),
        found: Found::Unfinished(mv),
    }
}

impl Bot<Dots> for TestBot {
    fn new_game(&mut self) {}

    fn plays_exactly(&mut self, _position: &Dots) -> bool {
        false
    }

    fn choose_move(&mut self, position: &Dots, _: &mut Stream, signals: &Signals) -> Choice<Edge> {
        let last = last_legal(position);
        match self.0 {
            Conduct::Well => {}
            Conduct::Hangs => thread::sleep(LONG),
            Conduct::HangsAfter(place) => {
                signals.publish_best(place);
                thread::sleep(LONG);
            }
            Conduct::Panics => std::panic::resume_unwind(Box::new("a bot that panics")),
            Conduct::Illegal => return given(Edge(0)),
            Conduct::UntilStopped => {
                while !signals.is_stopped() {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            Conduct::TooLate => {
                thread::sleep(6 * PATIENCE.deadline);
            }
        }
        given(last)
    }
}

fn legal(position: &Dots) -> Vec<Edge> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn last_legal(position: &Dots) -> Edge {
    *legal(position).last().expect("the game is not over")
}

/// 2x2 boxes with edge 0 drawn.
fn start() -> Dots {
    let mut position = Dots::new(Board::of(2, 2).expect("a board"));
    position.play(Edge(0));
    position
}

fn stream() -> Stream {
    StreamKey::new(1, Purpose::First).stream()
}

/// A front whose bots, one after the other, behave like this; the last one for ever.
fn front_of(conducts: &[Conduct], patience: Patience) -> (Front<Dots>, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let (count, conducts) = (Arc::clone(&made), conducts.to_vec());
    let make = move |_| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let conduct = conducts[number.min(conducts.len() - 1)];
        Box::new(TestBot(conduct)) as Box<dyn Bot<Dots> + Send>
    };
    (Front::new(Box::new(make), patience), made)
}

#[test]
fn a_bot_that_behaves_is_asked_once_and_kept() {
    let (mut front, made) = front_of(&[Conduct::Well], AMPLE);
    for _ in 0..3 {
        let chosen = front.choose(&start(), &mut stream());
        assert_eq!(chosen.choice.mv(), last_legal(&start()));
        assert_eq!((chosen.source, chosen.troubles.len()), (Source::Search, 0));
        assert_eq!(chosen.to_string(), "");
    }
    assert_eq!(made.load(Ordering::Relaxed), 1);
    assert!(front.troubled().is_empty());
}

#[test]
fn a_bot_that_never_answers_is_replaced_once_and_then_a_legal_move_is_played() {
    let (mut front, made) = front_of(&[Conduct::Hangs], PATIENCE);
    let chosen = front.choose(&start(), &mut stream());
    assert_eq!(chosen.choice.mv(), legal(&start())[0]);
    assert_eq!(chosen.source, Source::FirstLegal);
    assert_eq!(chosen.troubles, [Trouble::Silent, Trouble::Silent]);
    assert_eq!(made.load(Ordering::Relaxed), 2);
    assert!(chosen.to_string().contains("first legal"), "{chosen}");
}

#[test]
fn the_best_move_that_an_abandoned_search_published_is_played() {
    for conducts in [
        [Conduct::HangsAfter(4), Conduct::Hangs],
        [Conduct::HangsAfter(1), Conduct::HangsAfter(4)],
    ] {
        let (mut front, _) = front_of(&conducts, PATIENCE);
        let chosen = front.choose(&start(), &mut stream());
        assert_eq!(chosen.choice.mv(), legal(&start())[4], "{conducts:?}");
        assert_eq!(chosen.source, Source::BestSoFar);
    }
    let (mut front, _) = front_of(&[Conduct::HangsAfter(99)], PATIENCE);
    let chosen = front.choose(&start(), &mut stream());
    assert_eq!(
        chosen.source,
        Source::FirstLegal,
        "99 is no place of a move"
    );
}

#[test]
fn a_fresh_bot_that_behaves_answers_for_one_that_does_not() {
    let cases = [
        (Conduct::Hangs, PATIENCE, Trouble::Silent),
        (Conduct::TooLate, PATIENCE, Trouble::Silent),
        (Conduct::Panics, AMPLE, Trouble::Panicked),
        (
            Conduct::Illegal,
            AMPLE,
            Trouble::Illegal("Edge(0)".to_owned()),
        ),
    ];
    for (conduct, patience, trouble) in cases {
        let (mut front, made) = front_of(&[conduct, Conduct::Well], patience);
        let chosen = front.choose(&start(), &mut stream());
        assert_eq!(chosen.choice.mv(), last_legal(&start()), "{conduct:?}");
        assert_eq!(chosen.source, Source::Search);
        assert_eq!(chosen.troubles, [trouble]);
        assert_eq!(made.load(Ordering::Relaxed), 2);
        // The next move is the healthy bot's, and it is not told of what was before.
        let next = front.choose(&start(), &mut stream());
        assert!(next.troubles.is_empty() && front.troubled().len() == 1);
    }
}

#[test]
fn panics_and_illegal_moves_of_both_bots_end_with_a_legal_move() {
    for conduct in [Conduct::Panics, Conduct::Illegal] {
        let (mut front, _) = front_of(&[conduct], AMPLE);
        let chosen = front.choose(&start(), &mut stream());
        assert!(start().is_legal(chosen.choice.mv()));
        assert_eq!(chosen.source, Source::FirstLegal);
        assert_eq!(chosen.troubles.len(), 2);
    }
}

#[test]
fn a_search_that_ends_when_it_is_told_to_is_not_given_up() {
    let patience = Patience {
        grace: LONG,
        ..PATIENCE
    };
    let (mut front, made) = front_of(&[Conduct::UntilStopped], patience);
    let chosen = front.choose(&start(), &mut stream());
    assert_eq!(chosen.choice.mv(), last_legal(&start()));
    assert_eq!(chosen.source, Source::CutShort);
    assert_eq!(chosen.troubles, [Trouble::Late]);
    front.choose(&start(), &mut stream());
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[test]
fn a_game_with_a_bot_that_hangs_goes_to_its_end() {
    let brief = Patience {
        deadline: Duration::from_millis(5),
        grace: Duration::from_millis(5),
    };
    let (mut first, _) = front_of(&[Conduct::Hangs], brief);
    let (mut second, _) = front_of(&[Conduct::Well], AMPLE);
    let streams = [stream(), stream()];
    let mut referee = Referee::new(1, DotsKnowledge);
    let watch = GameWatch::default();
    let bots: [&mut dyn Bot<Dots>; 2] = [&mut first, &mut second];
    let record = play_game(bots, streams, &mut referee, &start(), &watch).expect("a whole game");
    let hung = record.moves.iter().filter(|mv| mv.player == Player::First);
    assert_eq!(first.troubled().len(), hung.count());
    assert!(second.troubled().is_empty());
}

fn engine(simulations: u64, stage: &str) -> EngineConfig {
    let text = format!(
        "format = 1\n[game]\nname = \"dots_and_boxes\"\nrows = 5\ncols = 5\n\
         [budget]\nsimulations = {simulations}\n[solver]\ntable_mib = 1\n\
         [stages.opening]\nfrom = {{ ply = 0 }}\n{stage}"
    );
    EngineConfig::parse("engine.toml".as_ref(), &text).expect("a configuration")
}

const SEARCHERS: [&str; 5] = [
    "searcher = \"uct\"",
    "searcher = \"uct\"\ntranspositions = \"shared\"",
    "searcher = \"leaf_ucb\"",
    "searcher = \"iterative_deepening\"",
    "searcher = \"principal_variation\"",
];

#[test]
fn every_searcher_publishes_its_best_move_and_stops_when_told() {
    let position = Dots::new(Board::of(5, 5).expect("a board"));
    for stage in SEARCHERS {
        let config = engine(1_000_000_000_000, stage);
        let signals = Arc::new(Signals::default());
        let heard = Arc::clone(&signals);
        let search = thread::spawn(move || {
            let mut agent = Agent::new(&config, DotsKnowledge);
            agent.choose_signalled(&position, &mut stream(), &heard)
        });
        let best = loop {
            if let Some(best) = signals.best() {
                break best;
            }
            thread::sleep(Duration::from_millis(1));
        };
        assert!(best < legal(&position).len(), "{stage}");
        signals.raise_stop();
        let choice = search.join().expect("the search comes to its end");
        assert!(position.is_legal(choice.mv()), "{stage}");
    }
}

#[test]
fn what_is_published_is_what_the_search_would_choose_then() {
    let position = Dots::new(Board::of(5, 5).expect("a board"));
    for stage in &SEARCHERS[..3] {
        // The last report is that after 3,072: at the end nobody waits for one.
        let config = engine(4_096, stage);
        let signals = Signals::default();
        let mut agent = Agent::new(&config, DotsKnowledge);
        let choice = agent.choose_signalled(&position, &mut stream(), &signals);
        let before = engine(3_072, stage);
        let mut agent = Agent::new(&before, DotsKnowledge);
        let earlier = agent.choose(&position, &mut stream());
        let best = signals.best().expect("a search of 4,096 simulations");
        assert_eq!(legal(&position)[best], earlier.mv(), "{stage}");
        assert_eq!(choice.simulations(), 4_096);
    }
}

#[test]
fn an_exact_search_stops_when_told() {
    let position = Dots::new(Board::of(5, 5).expect("a board"));
    let config = engine(10, "searcher = \"alpha_beta\"");
    let signals = Arc::new(Signals::default());
    let heard = Arc::clone(&signals);
    let search = thread::spawn(move || {
        let mut agent = Agent::new(&config, DotsKnowledge);
        agent.choose_signalled(&position, &mut stream(), &heard)
    });
    thread::sleep(Duration::from_millis(20));
    assert!(!search.is_finished(), "nobody solves the empty 5x5 board");
    signals.raise_stop();
    let choice = search.join().expect("the search comes to its end");
    assert!(choice.proven().is_none() && position.is_legal(choice.mv()));
}

#[test]
fn a_fresh_bot_is_told_what_the_game_has_taken() {
    let spent = Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = Arc::clone(&spent);
    let make = move |spent: Duration| {
        told.lock().expect("nobody panics with it").push(spent);
        Box::new(TestBot(Conduct::Hangs)) as Box<dyn Bot<Dots> + Send>
    };
    let mut front = Front::new(Box::new(make), PATIENCE);
    front.choose(&start(), &mut stream());
    front.choose(&start(), &mut stream());
    let spent = spent.lock().expect("nobody panics with it");
    assert_eq!((spent.len(), spent[0]), (4, Duration::ZERO));
    assert!(spent[2] >= 2 * (PATIENCE.deadline + PATIENCE.grace));
}
