//! A plain prompt to play against the engine, and the engine against another configuration.

use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;

use crate::agent::{Agent, GameRecord, Referee, play_game};
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

type DotsAgent = Agent<Dots, DotsKnowledge>;

/// Plays a person (who sits as `human`) against the engine; `input` are the person's lines.
///
/// # Errors
/// A failed read or write. The end of the input ends the game without an error.
pub fn prompt(
    config: &EngineConfig,
    start: &Dots,
    human: Player,
    seed: u64,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut agent = DotsAgent::new(config, DotsKnowledge);
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
            engine_turn(&mut agent, &mut position, &mut stream, out)?;
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
    agent: &mut DotsAgent,
    position: &mut Dots,
    stream: &mut Stream,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let side = position.to_move();
    while position.outcome().is_none() && position.to_move() == side {
        let choice = agent.choose(position, stream);
        let how = match choice.proven() {
            Some(value) => format!("proven {:+} over the boxes left", value.0),
            None => format!("{} simulations", choice.simulations()),
        };
        let stage = agent.stage_name(choice.stage);
        writeln!(
            out,
            "{side} plays {} ({stage}: {how})",
            position.format_turn(&[choice.mv()])
        )?;
        position.play(choice.mv());
    }
    Ok(())
}

/// Plays one game of two configurations of the same game.
pub fn against(
    first: &EngineConfig,
    second: &EngineConfig,
    start: &Dots,
    seed: u64,
) -> GameRecord<Dots> {
    let mut agents = [first, second].map(|config| DotsAgent::new(config, DotsKnowledge));
    let [first_agent, second_agent] = &mut agents;
    let mut referee = Referee::new(first.table_mib, DotsKnowledge);
    let streams =
        [Purpose::First, Purpose::Second].map(|purpose| StreamKey::new(seed, purpose).stream());
    let never = AtomicBool::new(false);
    play_game(
        [first_agent, second_agent],
        streams,
        &mut referee,
        start,
        &never,
    )
    .expect("the agents of this program choose legal moves and nothing stops them")
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
