//! Views of games against the records and against playing the games again by the replay's way.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sixfold_engine::agent::Opinion;
use sixfold_engine::game::Position;
use sixfold_engine::games::AnyRecord;
use sixfold_engine::protocol::record;
use sixfold_tuner::run::history::History;
use sixfold_tuner::run::place::Place;
use sixfold_tuner::store::journal::read_journal;

use super::*;
use crate::service::sample_run::{AMAZONS, LEARNERS, SampleRun};
use crate::workspace::again::{Players, counted_pairs};

const PATIENCE: Duration = Duration::from_secs(60);

fn annotated(reading: &Reading, name: &str) -> SampledGameView {
    let mut view = game(reading, name).unwrap().unwrap();
    let source = Annotated::of(reading, view.round);
    annotate(&mut view, &source, PATIENCE);
    view
}

/// The first game of the first trial of a round, as the history of the journal has it.
fn played_again(reading: &Reading, round: u32) -> (String, AnyRecord) {
    let (events, _) = read_journal(&reading.folder().journal()).unwrap();
    let course = reading.job().course(reading.job_text());
    let of_round = |place: &Place| matches!(place, Place::Tuning(id) if id.round == round);
    let mut history = History::new(course, &events).map(Result::unwrap);
    let played = history.find(|played| of_round(&played.place)).unwrap();
    let mut players = Players::of(reading.job()).unwrap();
    let pair = counted_pairs(&played).remove(0);
    let stop = AtomicBool::new(false);
    let games = players.play(played.opponent, &[pair], &stop).unwrap();
    let record = games.into_iter().next().unwrap().unwrap().remove(0);
    (played.place.to_string(), record)
}

#[test]
fn every_game_is_the_one_that_the_history_of_the_journal_plays_again() {
    for run in [SampleRun::of(LEARNERS[0]), SampleRun::of(AMAZONS)] {
        let reading = Reading::open(&run.folder).unwrap();
        let files = games(&reading, 0, 500).unwrap();
        assert_eq!(files.total, reading.folds().summary.rounds.len());
        for file in files.items.iter().take(3) {
            let view = annotated(&reading, &file.name);
            assert_eq!(view.not_annotated, None);
            let round = file.round.unwrap() as u32;
            let (place, record) = played_again(&reading, round);
            assert_eq!(view.place.as_deref(), Some(place.as_str()));
            let moves = record.summary().moves;
            let turns = moves.chunks(if view.game == "amazons" { 2 } else { 1 });
            assert_eq!(view.moves.len() - view.opening_moves, turns.len());
            for (shown, turn) in view.moves[view.opening_moves..].iter().zip(turns) {
                let work: u64 = turn.iter().map(|it| it.work_units).sum();
                assert_eq!(shown.work_units, Some(work));
                assert_eq!(shown.class, Some(turn[0].class));
                assert_eq!(shown.player, ["first", "second"][turn[0].player.index()]);
                let opinion = turn[0].opinion;
                assert_eq!(shown.visits, opinion.and_then(Opinion::visits));
                assert_eq!(shown.points, opinion.and_then(Opinion::points));
                let value = shown.value.unwrap_or(0.5);
                assert!((0.0..=1.0).contains(&value), "{value}");
                if view.game == "amazons" {
                    let text: String = turn.iter().map(|it| it.notation.as_str()).collect();
                    assert_eq!(shown.notation, text);
                }
            }
        }
    }
}

#[test]
fn boxes_and_scores_are_those_of_the_rules_and_losses_add_up() {
    let run = SampleRun::of(LEARNERS[0]);
    let reading = Reading::open(&run.folder).unwrap();
    for file in games(&reading, 0, 500).unwrap().items {
        let view = annotated(&reading, &file.name);
        let game = record::read(&file.name, &view.record, None).unwrap();
        let mut position = game.start;
        assert_eq!(view.moves.len(), game.moves.len());
        let mut completed = 0;
        for (shown, &edge) in view.moves.iter().zip(&game.moves) {
            let seat = position.to_move().index();
            assert_eq!(shown.player, ["first", "second"][seat]);
            position.play(edge);
            let points = sixfold_engine::game::Player::ALL.map(|it| position.taken(it));
            assert_eq!(shown.score, Some(points));
            completed += shown.boxes.len();
            assert_eq!(completed, usize::from(points[0] + points[1]));
        }
        // What both sides gave away from a solved position on explains its value and the end.
        assert!(view.moves.iter().any(|it| it.loss.is_some()));
        assert!(
            view.moves
                .iter()
                .all(|it| it.loss.is_none_or(|loss| loss >= 0.0))
        );
    }
}

#[test]
fn no_name_leads_out_of_the_folder_of_games() {
    let run = SampleRun::of(LEARNERS[0]);
    let reading = Reading::open(&run.folder).unwrap();
    let games = run.folder.games();
    std::fs::write(games.join("<img onerror=x>.json"), "{}").unwrap();
    for name in [
        "../job.toml",
        "..",
        "/etc/passwd",
        "round-00000.json/../../run.json",
        "%2e%2e/run.json",
        "<img onerror=x>.json",
        "",
    ] {
        assert_eq!(game(&reading, name), Ok(None), "{name}");
    }
    assert!(game(&reading, "round-00000.json").unwrap().is_some());
    // A link is no file of the run.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", games.join("round-99999.json")).unwrap();
        assert_eq!(game(&reading, "round-99999.json"), Ok(None));
    }
}

#[test]
fn a_game_whose_trial_is_not_known_is_shown_as_recorded_with_the_reason() {
    let run = SampleRun::of(LEARNERS[0]);
    let reading = Reading::open(&run.folder).unwrap();
    let mut other = game(&reading, "round-00000.json").unwrap().unwrap();
    annotate(&mut other, &Annotated::of(&reading, Some(9_999)), PATIENCE);
    let reason = other.not_annotated.unwrap();
    assert!(reason.contains("does not have the trial"), "{reason}");
    assert!(other.moves.iter().all(|it| it.work_units.is_none()));
}
