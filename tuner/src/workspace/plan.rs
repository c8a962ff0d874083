//! What a job comes to, before anything is played.

use std::io::{self, Write};

use serde::Serialize;
use sixfold_engine::clock::Per;
use sixfold_tuner::job::Job;
use sixfold_tuner::space::Scale;
use utoipa::ToSchema;

use super::words::game_words;

/// The plan of a job, for programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct PlanView {
    /// Its game with the board.
    #[schema(example = "dots and boxes 5x5")]
    game: String,
    /// Name of the engine that is tuned.
    engine: String,
    /// Name of the reference engine, if there is one.
    reference: Option<String>,
    /// What a move may use.
    #[schema(example = "400 simulations a move")]
    budget: String,
    /// Kind of the learner.
    learner: &'static str,
    /// A line for each parameter and each rule between them.
    space: Vec<String>,
    /// Rounds at most; null where only the games are limited.
    rounds_max: Option<u32>,
    /// Games of the tuning at most.
    tuning_games_max: u64,
    /// Games of a verification at least and at most.
    verification_games: [u64; 2],
    /// What may not be meant.
    warnings: Vec<String>,
}

impl PlanView {
    pub(crate) fn of(job: &Job) -> Self {
        Self {
            game: game_words(job.engine.config.game),
            engine: job.engine.name.clone(),
            reference: job.reference.as_ref().map(|it| it.source.name.clone()),
            budget: budget_words(job),
            learner: job.learner.kind(),
            space: space_lines(job),
            rounds_max: job.stop.rounds,
            tuning_games_max: job.tuning_games_max(),
            verification_games: verification_games(job),
            warnings: warnings(job),
        }
    }
}

/// What a move may use, in all games of a run.
pub(crate) fn budget_words(job: &Job) -> String {
    match job.legs_in_words() {
        Some(legs) => format!("{legs}, for matches at {}", job.budget),
        None => job.budget.to_string(),
    }
}

/// Games of a verification at least and at most.
pub(crate) fn verification_games(job: &Job) -> [u64; 2] {
    let plan = &job.verification;
    let fixed = u64::from(plan.measured_games) + 2 * u64::from(plan.reference_games);
    let most = u64::from(plan.games_max);
    [fixed + (2 * plan.looks().first()).min(most), fixed + most]
}

/// What may not be meant.
pub(crate) fn warnings(job: &Job) -> Vec<String> {
    let for_games = ["share", "early_stop.simulations", "early_stop.margin"];
    let of_game = |path: &str| for_games.iter().any(|name| path.ends_with(name));
    let mut warnings: Vec<String> = job
        .space
        .parameters
        .iter()
        .filter(|parameter| job.budget.per == Per::Move && of_game(&parameter.path))
        .map(|parameter| {
            format!(
                "{} does nothing with a budget for each move; see per = \"game\"",
                parameter.path
            )
        })
        .collect();
    let pairs = job.learner.rounds_for_all(&job.space);
    let stop = job.legs.first().map_or(job.stop, |leg| leg.stop);
    if let Some(rounds) = stop.rounds.filter(|rounds| *rounds < pairs) {
        warnings.push(format!(
            "rounds edit the parameters in pairs, in turn; {rounds} rounds do not reach all \
             {pairs} pairs"
        ));
    }
    warnings
}

/// The parameters and the rules between them, a line each.
fn space_lines(job: &Job) -> Vec<String> {
    let parameters = job.space.parameters.iter().map(|parameter| {
        let path = &parameter.path;
        if let Scale::Choice([first, second]) = parameter.scale {
            let start = parameter.text(parameter.start);
            return format!("parameter    {path} from {start}, a choice of {first} and {second}");
        }
        let by = if parameter.scale == Scale::Log {
            "x"
        } else {
            ""
        };
        let kind = if parameter.integer {
            ", whole numbers"
        } else {
            ""
        };
        format!(
            "parameter    {path} from {}, step {by}{}, {} to {}{kind}",
            parameter.start, parameter.step, parameter.min, parameter.max
        )
    });
    let rules = job.space.rules.iter();
    let rules = rules.map(|rule| format!("rule         {}", rule.words(&job.space)));
    parameters.chain(rules).collect()
}

/// What the job asks for, for people.
pub(crate) fn write_job(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nengine       {}", job.engine.name)?;
    if let Some(reference) = &job.reference {
        writeln!(out, "reference    {}", reference.source.name)?;
    }
    writeln!(out, "budget       {}", budget_words(job))?;
    writeln!(
        out,
        "failures     a move may take {} s; more than {} % of dropped pairs stop the run",
        job.matches.move_deadline_s, job.matches.dropped_pairs_max_percent
    )?;
    for line in space_lines(job) {
        writeln!(out, "{line}")?;
    }
    for warning in warnings(job) {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}
