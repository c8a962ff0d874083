//! A plain prompt to play against the engine, and the engine against another configuration.

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::agent::{
    Agent, Found, Front, FrontMove, GameRecord, GameWatch, Patience, Referee, Source, play_game,
};
use crate::clock::{Amount, Per};
use crate::config::EngineConfig;
use crate::game::{Player, Position};
use crate::games::Playable;
use crate::stream::{Purpose, Stream, StreamKey};

/// What a search may take beyond its deadline to come to its end before it is given up.
const GRACE: Duration = Duration::from_secs(1);

/// The engine behind a front that cannot hang. A bot that has to begin in the middle of a game
/// gets what is left of the game's time.
fn front<G: Playable>(config: &EngineConfig, deadline: Duration) -> Front<G::Position> {
    let config = config.clone();
    let make = move |spent: Duration| {
        let mut config = config.clone();
        let budget = &mut config.budget;
        if let (Amount::Milliseconds(number), Per::Game) = (budget.amount, budget.per) {
            let left = number.saturating_sub(spent.as_millis() as u64);
            budget.amount = Amount::Milliseconds(left.max(1));
        }
        Box::new(Agent::new(&config, G::Knowledge::default())) as Box<_>
    };
    let patience = Patience {
        deadline,
        grace: GRACE,
    };
    Front::new(Box::new(make), patience)
}

/// Plays a person (who sits as `human`) against the engine, which has `deadline` for a move;
/// `input` are the person's lines.
///
/// # Errors
/// A failed read or write. The end of the input ends the game without an error.
pub fn prompt<G: Playable>(
    config: &EngineConfig,
    start: &G::Position,
    human: Player,
    seed: u64,
    deadline: Duration,
    (input, out): (&mut dyn BufRead, &mut dyn Write),
) -> std::io::Result<()> {
    let mut engine = front::<G>(config, deadline);
    let mut stream = StreamKey::new(seed, Purpose::Second).stream();
    let mut position = *start;
    writeln!(out, "You are {human}. {}", G::HELP)?;
    while position.outcome().is_none() {
        if position.to_move() == human {
            match ask_turn::<G>(&position, input, out)? {
                Some(turn) => turn.into_iter().for_each(|mv| position.play(mv)),
                None => return writeln!(out, "Left at {position}"),
            }
        } else {
            engine_turn::<G>(&mut engine, config, &mut position, &mut stream, out)?;
        }
    }
    writeln!(out, "{}", G::draw(&position))?;
    writeln!(out, "{}", G::result(position.margin()))
}

/// Asks until a legal turn is given; None at `quit` or the end of the input.
fn ask_turn<G: Playable>(
    position: &G::Position,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> std::io::Result<Option<Vec<G::Move>>> {
    writeln!(out, "{}", G::draw(position))?;
    loop {
        write!(out, "{}> ", position.to_move())?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim() {
            "" => {}
            "quit" => return Ok(None),
            "help" => writeln!(out, "{}", G::HELP)?,
            "board" => writeln!(out, "{}\n{position}", G::draw(position))?,
            "moves" => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let names: Vec<String> = moves
                    .iter()
                    .map(|&mv| position.format_turn(&[mv]))
                    .collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            text => match position.parse_turn(text) {
                Ok(turn) => return Ok(Some(turn)),
                Err(error) => writeln!(out, "Not a turn here: {error}. `help` shows how.")?,
            },
        }
    }
}

/// Lets the engine move until the turn passes, and says what it did.
fn engine_turn<G: Playable>(
    engine: &mut Front<G::Position>,
    config: &EngineConfig,
    position: &mut G::Position,
    stream: &mut Stream,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let side = position.to_move();
    let (mut turn, mut ways, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = *position;
    while position.outcome().is_none() && position.to_move() == side {
        let chosen = engine.choose(position, stream);
        turn.push(chosen.choice.mv());
        ways.push(how::<G>(&chosen, config));
        if !chosen.troubles.is_empty() {
            wrong.push(chosen.to_string());
        }
        position.play(chosen.choice.mv());
        if G::WHOLE_TURNS && position.to_move() == side {
            continue;
        }
        let notation = before.format_turn(&turn);
        writeln!(out, "{side} plays {notation} ({})", ways.join("; "))?;
        for trouble in wrong.drain(..) {
            writeln!(out, "  Something went wrong: {trouble}.")?;
        }
        turn.clear();
        ways.clear();
        before = *position;
    }
    Ok(())
}

fn how<G: Playable>(chosen: &FrontMove<G::Move>, config: &EngineConfig) -> String {
    let choice = &chosen.choice;
    let stage = || &config.stages[choice.stage].name;
    match (chosen.source, &choice.found) {
        (Source::BestSoFar | Source::FirstLegal, _) => "no search".to_owned(),
        (_, Found::Proven(_, value)) => format!("{}: proven {}", stage(), G::value(value.0)),
        (_, Found::Deepening(report)) => {
            let (depth, count) = (report.depth_plies, report.evaluations);
            format!("{}: depth {depth}, {count} evaluations", stage())
        }
        (_, _) => format!("{}: {} simulations", stage(), choice.simulations()),
    }
}

/// A game of two configurations.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<P: Position> {
    /// The game.
    pub record: GameRecord<P>,
    /// What went wrong with the moves on the way, a line each; empty as a rule.
    pub troubles: Vec<String>,
}

/// Plays one game of two configurations of the same game, with `deadline` for each move.
pub fn against<G: Playable>(
    first: &EngineConfig,
    second: &EngineConfig,
    start: &G::Position,
    seed: u64,
    deadline: Duration,
) -> Played<G::Position> {
    let mut fronts = [first, second].map(|config| front::<G>(config, deadline));
    let [first_front, second_front] = &mut fronts;
    let mut referee = Referee::new(first.table_mib, G::Knowledge::default());
    let streams =
        [Purpose::First, Purpose::Second].map(|purpose| StreamKey::new(seed, purpose).stream());
    let record = play_game(
        [first_front, second_front],
        streams,
        &mut referee,
        start,
        &GameWatch::default(),
    )
    .expect("a front answers with legal moves, and nothing stops it");
    let named = |(player, front): (Player, &Front<G::Position>)| -> Vec<String> {
        let line = |(ply, chosen): &(u16, FrontMove<G::Move>)| {
            format!("{player}, after {ply} {}: {chosen}", G::MOVES)
        };
        front.troubled().iter().map(line).collect()
    };
    let troubles = Player::ALL.into_iter().zip(&fronts).flat_map(named);
    Played {
        record,
        troubles: troubles.collect(),
    }
}

/// Writes a game for people: its start, a line a move or a turn, then the board and the result.
///
/// # Errors
/// A failed write.
pub fn write_game<G: Playable>(
    record: &GameRecord<G::Position>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut position = record.opening;
    writeln!(out, "{position}")?;
    let (mut turn, mut before) = (Vec::new(), position);
    for (index, played) in record.moves.iter().enumerate() {
        turn.push(played.mv);
        position.play(played.mv);
        // A proof may have ended the game within a turn.
        let is_last = index + 1 == record.moves.len();
        if G::WHOLE_TURNS && position.to_move() == played.player && !is_last {
            continue;
        }
        writeln!(out, "{} {}", played.player, before.format_turn(&turn))?;
        turn.clear();
        before = position;
    }
    writeln!(out, "{}", G::draw(&position))?;
    if record.adjudication_units.is_some() {
        writeln!(out, "Both play exactly from here on: the rest is proven.")?;
    }
    writeln!(out, "{}", G::result(record.margin))
}
