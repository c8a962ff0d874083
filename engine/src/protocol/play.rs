//! A plain prompt to play against the engine, and the engine against another configuration.

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::agent::{
    Agent, Front, FrontMove, GameRecord, GameWatch, Patience, Referee, Source, play_game,
};
use crate::clock::{Amount, Per};
use crate::config::EngineConfig;
use crate::eval::dots::DotsKnowledge;
use crate::game::dots::{Dots, Edge};
use crate::game::{Outcome, Player, Position};
use crate::stream::{Purpose, Stream, StreamKey};

/// What the prompt answers to `help`.
const HELP: &str = "\
Type a whole turn: edges by id or by place, up to the first that completes no box,
for example `h0,1` or `17 h2,3 v0,0`. Other commands:
  board   draw the board        moves   list the legal edges
  help    show this             quit    leave";

/// What a search may take beyond its deadline to come to its end before it is given up.
const GRACE: Duration = Duration::from_secs(1);
/// The engine behind a front that cannot hang. A bot that has to begin in the middle of a game
/// gets what is left of the game's time.
fn front(config: &EngineConfig, deadline: Duration) -> Front<Dots> {
    let config = config.clone();
    let make = move |spent: Duration| {
        let mut config = config.clone();
        let budget = &mut config.budget;
        if let (Amount::Milliseconds(number), Per::Game) = (budget.amount, budget.per) {
            let left = number.saturating_sub(spent.as_millis() as u64);
            budget.amount = Amount::Milliseconds(left.max(1));
        }
        Box::new(Agent::new(&config, DotsKnowledge)) as Box<_>
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
pub fn prompt(
    config: &EngineConfig,
    start: &Dots,
    human: Player,
    seed: u64,
    deadline: Duration,
    (input, out): (&mut dyn BufRead, &mut dyn Write),
) -> std::io::Result<()> {
    let mut engine = front(config, deadline);
    let mut stream = StreamKey::new(seed, Purpose::Second).stream();
    let mut position = *start;
    writeln!(out, "You are {human}. {HELP}")?;
    while position.outcome().is_none() {
        if position.to_move() == human {
            match ask_turn(&position, input, out)? {
                Some(turn) => turn.into_iter().for_each(|edge| position.play(edge)),
                None => return writeln!(out, "Left at {position}"),
            }
        } else {
            engine_turn(&mut engine, config, &mut position, &mut stream, out)?;
        }
    }
    writeln!(out, "{}", position.draw())?;
    writeln!(out, "{}", result_line(position.margin()))
}

/// Asks until a legal turn is given; None at `quit` or the end of the input.
fn ask_turn(
    position: &Dots,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> std::io::Result<Option<Vec<Edge>>> {
    writeln!(out, "{}", position.draw())?;
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
            "help" => writeln!(out, "{HELP}")?,
            "board" => writeln!(out, "{}\n{position}", position.draw())?,
            "moves" => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let names: Vec<String> = moves
                    .iter()
                    .map(|&edge| position.format_turn(&[edge]))
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
fn engine_turn(
    engine: &mut Front<Dots>,
    config: &EngineConfig,
    position: &mut Dots,
    stream: &mut Stream,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let side = position.to_move();
    while position.outcome().is_none() && position.to_move() == side {
        let chosen = engine.choose(position, stream);
        let mv = chosen.choice.mv();
        let notation = position.format_turn(&[mv]);
        writeln!(out, "{side} plays {notation} ({})", how(&chosen, config))?;
        if !chosen.troubles.is_empty() {
            writeln!(out, "  Something went wrong: {chosen}.")?;
        }
        position.play(mv);
    }
    Ok(())
}

fn how<M: Copy>(chosen: &FrontMove<M>, config: &EngineConfig) -> String {
    let choice = &chosen.choice;
    let stage = || &config.stages[choice.stage].name;
    match (chosen.source, choice.proven()) {
        (Source::BestSoFar | Source::FirstLegal, _) => "no search".to_owned(),
        (_, Some(value)) => format!("{}: proven {:+} over the boxes left", stage(), value.0),
        (_, None) => format!("{}: {} simulations", stage(), choice.simulations()),
    }
}

/// A game of two configurations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub record: GameRecord<Dots>,
    /// What went wrong with the moves on the way, a line each; empty as a rule.
    pub troubles: Vec<String>,
}

/// Plays one game of two configurations of the same game, with `deadline` for each move.
pub fn against(
    first: &EngineConfig,
    second: &EngineConfig,
    start: &Dots,
    seed: u64,
    deadline: Duration,
) -> Played {
    let mut fronts = [first, second].map(|config| front(config, deadline));
    let [first_front, second_front] = &mut fronts;
    let mut referee = Referee::new(first.table_mib, DotsKnowledge);
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
    let named = |(player, front): (Player, &Front<Dots>)| -> Vec<String> {
        let line = |(ply, chosen): &(u16, FrontMove<Edge>)| {
            format!("{player}, after {ply} edges: {chosen}")
        };
        front.troubled().iter().map(line).collect()
    };
    let troubles = Player::ALL.into_iter().zip(&fronts).flat_map(named);
    Played {
        record,
        troubles: troubles.collect(),
    }
}

/// Writes a game for people: a line a turn, then the result.
///
/// # Errors
/// A failed write.
pub fn write_game(record: &GameRecord<Dots>, out: &mut dyn Write) -> std::io::Result<()> {
    let mut position = record.opening;
    writeln!(out, "{position}")?;
    for played in &record.moves {
        writeln!(
            out,
            "{} {}",
            played.player,
            position.format_turn(&[played.mv])
        )?;
        position.play(played.mv);
    }
    writeln!(out, "{}", position.draw())?;
    if record.adjudication_units.is_some() {
        writeln!(out, "Both play exactly from here on: the rest is proven.")?;
    }
    writeln!(out, "{}", result_line(record.margin))
}

fn result_line(margin: i32) -> String {
    match Outcome::from_margin(margin) {
        Outcome::Win(player) => format!("{player} wins by {}.", margin.abs()),
        Outcome::Draw => "A draw.".to_owned(),
    }
}
