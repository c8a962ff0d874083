//! The stage tables of a configuration: reading, sharing, order.

use super::reader::{ConfigError, Section};
use crate::eval::amazons::Mapping;
use crate::eval::{EvaluationForm, MoveList, RolloutPolicy};
use crate::game::GameKind;
use crate::params::{
    FROM_EDGES_LEFT, FROM_FILLED, FROM_PLY, FROM_PROGRESS_BELOW, PLAN_ROWS, ParamSpec, PlanRow,
    SCHEDULE_KEYS, SHARE, default_plan, schedule_mut,
};
use crate::search::uct::{FinalMove, Transpositions};
use crate::stage::{Plan, Schedule, Searcher, Shape, Stage, Start};

const MOVE_LISTS: [(&str, MoveList); 2] =
    [("all", MoveList::All), ("sufficient", MoveList::Sufficient)];
const ROLLOUTS: [(&str, RolloutPolicy); 2] = [
    ("uniform", RolloutPolicy::Uniform),
    ("safe", RolloutPolicy::Safe),
];
const FINAL_MOVES: [(&str, FinalMove); 3] = [
    ("visits", FinalMove::Visits),
    ("mean", FinalMove::Mean),
    ("highest_ucb", FinalMove::HighestUcb),
];
const TRANSPOSITIONS: [(&str, Transpositions); 2] = [
    ("separate", Transpositions::Separate),
    ("shared", Transpositions::Shared),
];
const SHAPES: [(&str, Shape); 2] = [("linear", Shape::Linear), ("geometric", Shape::Geometric)];
/// Keys of a stage whose values are words.
pub const CHOICE_KEYS: [&str; 5] = [
    "move_list",
    "rollout",
    "final_move",
    "transpositions",
    "evaluation_form",
];
/// Choice keys that there are in one game alone.
const KEYS_OF_ONE_GAME: [(&str, GameKind); 3] = [
    ("move_list", GameKind::DotsAndBoxes),
    ("rollout", GameKind::DotsAndBoxes),
    ("evaluation_form", GameKind::Amazons),
];
/// Keys of the constants that iterative deepening has.
const DEEPENING_KEYS: [&str; 4] = ["depth_plies", "evaluation", "evaluation_form", "move_list"];
/// The key of a constant that principal variation search has besides, and UCT does not have.
const WIDTH: &str = "width";
/// Keys of the constants of UCT that a bandit over all leaves does not have.
const NOT_OF_LEAVES: [&str; 3] = ["early_stop", "transpositions", "widening"];

/// The searchers by their words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Uct,
    LeafUcb,
    IterativeDeepening,
    PrincipalVariation,
    AlphaBeta,
}

const SEARCHERS: [(&str, Kind); 5] = [
    ("uct", Kind::Uct),
    ("leaf_ucb", Kind::LeafUcb),
    ("iterative_deepening", Kind::IterativeDeepening),
    ("principal_variation", Kind::PrincipalVariation),
    ("alpha_beta", Kind::AlphaBeta),
];

impl Kind {
    /// The word in configurations.
    fn word(self) -> &'static str {
        let mut words = SEARCHERS.iter();
        let (word, _) = words.find(|(_, kind)| *kind == self).expect("a searcher");
        word
    }

    /// Whether a constant under this key means anything to the searcher.
    fn has(self, key: &str) -> bool {
        match self {
            Kind::Uct => key != WIDTH,
            Kind::LeafUcb => key != WIDTH && !NOT_OF_LEAVES.contains(&key),
            Kind::IterativeDeepening => DEEPENING_KEYS.contains(&key),
            Kind::PrincipalVariation => key == WIDTH || DEEPENING_KEYS.contains(&key),
            Kind::AlphaBeta => false,
        }
    }
}

/// Whether a stage of this game can have a constant under a key.
fn is_of(key: &str, game: GameKind) -> bool {
    if CHOICE_KEYS.contains(&key) {
        let mut other_games = KEYS_OF_ONE_GAME.iter();
        return !other_games.any(|(known, own)| *known == key && *own != game);
    }
    let mut rows = PLAN_ROWS.iter().filter(|row| row.spec.key() == key);
    rows.any(|row| row.is_of(game))
}

/// The [`CHOICE_KEYS`] of a game.
pub fn choice_keys(game: GameKind) -> impl Iterator<Item = &'static str> {
    CHOICE_KEYS.into_iter().filter(move |key| is_of(key, game))
}

/// The words of one of the [`CHOICE_KEYS`].
pub fn choice_words(key: &str) -> Vec<&'static str> {
    fn of<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
        choices.iter().map(|(word, _)| *word).collect()
    }
    match key {
        "move_list" => of(&MOVE_LISTS),
        "rollout" => of(&ROLLOUTS),
        "final_move" => of(&FINAL_MOVES),
        "transpositions" => of(&TRANSPOSITIONS),
        _ => of(&Mapping::WORDS),
    }
}

impl Searcher {
    fn kind(&self) -> Kind {
        match self {
            Searcher::Uct(_) => Kind::Uct,
            Searcher::LeafUcb(_) => Kind::LeafUcb,
            Searcher::IterativeDeepening(_) => Kind::IterativeDeepening,
            Searcher::PrincipalVariation(_) => Kind::PrincipalVariation,
            Searcher::AlphaBeta => Kind::AlphaBeta,
        }
    }

    /// Its word in configurations.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// Whether a constant under this key means anything to it.
    pub fn has(&self, key: &str) -> bool {
        self.kind().has(key)
    }
}

impl Stage {
    /// The rows whose values this stage has of its own.
    pub fn rows(&self) -> impl Iterator<Item = (&'static PlanRow, f64)> {
        let plan = self.searcher.plan();
        let rows = plan.into_iter().flat_map(|plan| {
            let rows = PLAN_ROWS.iter().filter(|row| (row.is_in)(plan));
            rows.map(|row| (row, (row.get)(plan)))
        });
        rows.filter(|(row, _)| self.searcher.has(row.spec.key()) && !self.shares(row.spec.key()))
    }

    /// Whether the constant under `key` is another stage's.
    pub(super) fn shares(&self, key: &str) -> bool {
        self.same_as.iter().any(|(shared, _)| shared == key)
    }

    /// How a choice key stands: the word in force.
    pub fn choice(&self, key: &str) -> Option<&'static str> {
        fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> Option<&'static str> {
            words
                .iter()
                .find(|(_, candidate)| candidate == value)
                .map(|(word, _)| *word)
        }
        if !self.searcher.has(key) {
            return None;
        }
        let plan = self.searcher.plan()?;
        let constants = &plan.constants;
        match key {
            _ if !is_of(key, plan.game) => None,
            "move_list" => word(&MOVE_LISTS, &constants.move_list),
            "rollout" => word(&ROLLOUTS, &constants.rollout),
            "final_move" => word(&FINAL_MOVES, &constants.final_move),
            "transpositions" => word(&TRANSPOSITIONS, &constants.transpositions),
            "evaluation_form" => {
                let EvaluationForm(place) = constants.evaluation.form;
                Some(Mapping::WORDS[usize::from(place)].0)
            }
            _ => None,
        }
    }

    /// The choices that this stage makes of its own: key, words in their order, and the place of
    /// the one in force among them.
    pub(super) fn own_choices(&self) -> Vec<(&'static str, Vec<&'static str>, usize)> {
        let keys = CHOICE_KEYS.into_iter().filter(|key| !self.shares(key));
        let choice = |key| {
            let (word, words) = (self.choice(key)?, choice_words(key));
            let place = words.iter().position(|known| *known == word)?;
            Some((key, words, place))
        };
        keys.filter_map(choice).collect()
    }

    /// Takes the word at this place. Precondition: key and place are of [`Self::own_choices`].
    pub(super) fn choose(&mut self, key: &str, place: usize) {
        let Some(plan) = self.searcher.plan_mut() else {
            return;
        };
        let constants = &mut plan.constants;
        match key {
            "move_list" => constants.move_list = MOVE_LISTS[place].1,
            "rollout" => constants.rollout = ROLLOUTS[place].1,
            "final_move" => constants.final_move = FINAL_MOVES[place].1,
            "transpositions" => constants.transpositions = TRANSPOSITIONS[place].1,
            _ => constants.evaluation.form = EvaluationForm(place as u8),
        }
    }
}

/// Reads the table of a game's stages; resolved and in order.
pub(super) fn read(section: &Section<'_>, game: GameKind) -> Result<Vec<Stage>, ConfigError> {
    let names = section.keys();
    if names.is_empty() {
        return Err(section.error("", "has no stage; expected at least one table"));
    }
    let mut stages = Vec::with_capacity(names.len());
    for name in &names {
        check_name(section, name)?;
        let table = section.required_section(name)?;
        stages.push(read_stage(name, &table, &names, game)?);
    }
    check_sharing(section, &stages)?;
    share(&mut stages);
    if stages[0].start != Start::Ply(0) {
        return Err(section.error(&names[0], "is the first stage; expected from = { ply = 0 }"));
    }
    if let Some((name, problem)) = widened_graph(&stages) {
        return Err(section.error(name, problem));
    }
    if let Some(late) = out_of_order(&stages) {
        let problem = "starts before the stage above it; stages are ordered by their start \
                       (plies and shares rising, what is left falling)";
        return Err(section.error(&late, problem));
    }
    Ok(stages)
}

/// A stage that asks for what UCT on a graph does not have, and what is wrong with it.
pub(super) fn widened_graph(stages: &[Stage]) -> Option<(&str, &'static str)> {
    let is_one = |stage: &&Stage| {
        let plan = stage.searcher.plan();
        plan.is_some_and(|Plan { constants, .. }| {
            constants.transpositions == Transpositions::Shared && constants.widening.first > 0
        })
    };
    let problem = "has transpositions = \"shared\" and widening.first above 0, which exclude each \
                   other; expected transpositions = \"separate\" or widening.first = 0";
    let stage = stages.iter().find(is_one)?;
    Some((&stage.name, problem))
}

fn check_name(section: &Section<'_>, name: &str) -> Result<(), ConfigError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if !name.bytes().all(plain) || name.is_empty() || name.len() > 32 {
        return Err(section.error(name, "is no stage name; expected 1 to 32 of a-z, 0-9 and _"));
    }
    let words = MOVE_LISTS.iter().map(|(word, _)| *word);
    let words = words.chain(ROLLOUTS.iter().map(|(word, _)| *word));
    let words = words.chain(FINAL_MOVES.iter().map(|(word, _)| *word));
    let words = words.chain(TRANSPOSITIONS.iter().map(|(word, _)| *word));
    let mut words = words.chain(Mapping::WORDS.iter().map(|(word, _)| *word));
    match words.any(|word| word == name) {
        true => Err(section.error(name, "is a word of its own here and cannot name a stage")),
        false => Ok(()),
    }
}

fn read_stage(
    name: &str,
    section: &Section<'_>,
    names: &[String],
    game: GameKind,
) -> Result<Stage, ConfigError> {
    let start = read_start(&section.required_section("from")?, game)?;
    let kind = section.choice("searcher", &SEARCHERS)?.ok_or_else(|| {
        let words = SEARCHERS.map(|(word, _)| format!("\"{word}\"")).join(", ");
        section.error("searcher", format!("is missing; expected one of {words}"))
    })?;
    let mut same_as = Vec::new();
    let plan = |same_as: &mut _| read_plan(section, game, |key| kind.has(key), names, same_as);
    let searcher = match kind {
        Kind::AlphaBeta => Searcher::AlphaBeta,
        Kind::Uct => Searcher::Uct(plan(&mut same_as)?),
        Kind::LeafUcb => Searcher::LeafUcb(plan(&mut same_as)?),
        Kind::IterativeDeepening => Searcher::IterativeDeepening(plan(&mut same_as)?),
        Kind::PrincipalVariation => Searcher::PrincipalVariation(plan(&mut same_as)?),
    };
    let share = section.number(SHARE.name, SHARE.min..=SHARE.max)?;
    let takes_savings = section.flag("takes_savings")?;
    section.check_no_strangers()?;
    Ok(Stage {
        name: name.to_owned(),
        start,
        searcher,
        same_as,
        share: share.unwrap_or(SHARE.default),
        takes_savings: takes_savings.unwrap_or(false),
    })
}

fn read_start(section: &Section<'_>, game: GameKind) -> Result<Start, ConfigError> {
    let read = |spec: &ParamSpec, key| section.integer(key, spec.min as u64..=spec.max as u64);
    let by_game = match game {
        GameKind::DotsAndBoxes => {
            read(&FROM_EDGES_LEFT, "edges_left")?.map(|edges| Start::EdgesLeft(edges as u16))
        }
        GameKind::Amazons => section
            .number(
                "progress_below",
                FROM_PROGRESS_BELOW.min..=FROM_PROGRESS_BELOW.max,
            )?
            .map(Start::ProgressBelow),
    };
    let solvable = match section.flag("solvable")? {
        Some(false) => return Err(section.error("solvable", "is false; expected true or nothing")),
        solvable => solvable.map(|_| Start::Solvable),
    };
    let starts = [
        read(&FROM_PLY, "ply")?.map(|ply| Start::Ply(ply as u16)),
        by_game,
        section
            .number("filled", FROM_FILLED.min..=FROM_FILLED.max)?
            .map(Start::Filled),
        solvable,
    ];
    section.check_no_strangers()?;
    let measure = match game {
        GameKind::DotsAndBoxes => "edges_left",
        GameKind::Amazons => "progress_below",
    };
    match starts.into_iter().flatten().collect::<Vec<_>>()[..] {
        [start] => Ok(start),
        [] => {
            let problem = format!("is missing; expected ply, {measure}, filled or solvable");
            Err(section.error("ply", problem))
        }
        _ => {
            let problem = format!(
                "holds several starts; ply, {measure}, filled and solvable exclude each other"
            );
            Err(section.error("", problem))
        }
    }
}

/// Reads the constants of a stage, those under keys that its searcher `has` only.
fn read_plan(
    section: &Section<'_>,
    game: GameKind,
    has: impl Fn(&str) -> bool,
    names: &[String],
    same_as: &mut Vec<(String, String)>,
) -> Result<Plan, ConfigError> {
    let has = |key: &str| has(key) && is_of(key, game);
    let mut plan = default_plan(game);
    let mut row_keys: Vec<&str> = PLAN_ROWS.iter().map(|row| row.spec.key()).collect();
    row_keys.dedup();
    for key in row_keys.into_iter().filter(|key| has(key)) {
        if section.is_text(key) {
            same_as.push((key.to_owned(), read_stage_name(section, key, names)?));
        } else if SCHEDULE_KEYS.contains(&key) && section.is_section(key) {
            read_schedule(section, key, &mut plan)?;
        } else {
            read_rows(section, key, &mut plan)?;
        }
    }
    for key in CHOICE_KEYS.into_iter().filter(|key| has(key)) {
        let names_a_stage = section
            .text(key)?
            .is_some_and(|word| names.iter().any(|n| n == word));
        if names_a_stage {
            same_as.push((key.to_owned(), read_stage_name(section, key, names)?));
            continue;
        }
        let constants = &mut plan.constants;
        match key {
            "move_list" => read_choice(section, key, &MOVE_LISTS, &mut constants.move_list)?,
            "rollout" => read_choice(section, key, &ROLLOUTS, &mut constants.rollout)?,
            "final_move" => read_choice(section, key, &FINAL_MOVES, &mut constants.final_move)?,
            "transpositions" => {
                let place = &mut constants.transpositions;
                read_choice(section, key, &TRANSPOSITIONS, place)?;
            }
            _ => {
                if let Some(mapping) = section.choice(key, &Mapping::WORDS)? {
                    let place = Mapping::WORDS
                        .iter()
                        .position(|(_, known)| *known == mapping);
                    let place = place.expect("a word of the list");
                    constants.evaluation.form = EvaluationForm(place as u8);
                }
            }
        }
    }
    Ok(plan)
}

/// Reads a table of `from`, `to` and `shape`.
fn read_schedule(section: &Section<'_>, key: &str, plan: &mut Plan) -> Result<(), ConfigError> {
    let table = section.required_section(key)?;
    let shape = table
        .choice("shape", &SHAPES)?
        .ok_or_else(|| table.error("shape", "is missing; expected \"linear\" or \"geometric\""))?;
    *schedule_mut(plan, key) = Schedule {
        shape,
        ..Schedule::constant(0.0)
    };
    for row in PLAN_ROWS.iter().filter(|row| row.spec.key() == key) {
        let Some((_, name)) = row.spec.name.split_once('.') else {
            continue;
        };
        if !read_row(&table, name, row, plan)? {
            let (min, max) = (row.spec.min, row.spec.max);
            return Err(table.error(name, format!("is missing; expected {min} to {max}")));
        }
    }
    table.check_no_strangers()
}

fn read_choice<T: Copy>(
    section: &Section<'_>,
    key: &str,
    choices: &[(&str, T)],
    place: &mut T,
) -> Result<(), ConfigError> {
    if let Some(value) = section.choice(key, choices)? {
        *place = value;
    }
    Ok(())
}

fn read_stage_name(
    section: &Section<'_>,
    key: &str,
    names: &[String],
) -> Result<String, ConfigError> {
    let word = section.required_text(key)?;
    if names.iter().any(|name| name == word) {
        return Ok(word.to_owned());
    }
    let problem = format!(
        "is \"{word}\", which is no stage; the stages are {}",
        names.join(", ")
    );
    Err(section.error(key, problem))
}

/// Reads the rows under one key: a number, or a table of numbers.
fn read_rows(section: &Section<'_>, key: &str, plan: &mut Plan) -> Result<(), ConfigError> {
    let rows = PLAN_ROWS.iter().filter(|row| row.spec.key() == key);
    let rows: Vec<&PlanRow> = rows.filter(|row| (row.is_in)(plan)).collect();
    match rows[..] {
        [row] if row.spec.name == key => read_row(section, key, row, plan).map(drop),
        _ => {
            let Some(table) = section.section(key)? else {
                return Ok(());
            };
            for row in rows {
                let (_, name) = row
                    .spec
                    .name
                    .split_once('.')
                    .expect("a grouped row has a point");
                read_row(&table, name, row, plan)?;
            }
            table.check_no_strangers()
        }
    }
}

/// Reads the value of a row, if there is one; tells whether there was.
fn read_row(
    table: &Section<'_>,
    key: &str,
    row: &PlanRow,
    plan: &mut Plan,
) -> Result<bool, ConfigError> {
    let spec = &row.spec;
    let value = if spec.integer {
        table
            .integer(key, spec.min as u64..=spec.max as u64)?
            .map(|whole| whole as f64)
    } else {
        table.number(key, spec.min..=spec.max)?
    };
    if let Some(value) = value {
        (row.set)(plan, value);
    }
    Ok(value.is_some())
}

/// "Same as" must name another UCT stage that has a value of its own.
fn check_sharing(section: &Section<'_>, stages: &[Stage]) -> Result<(), ConfigError> {
    for stage in stages {
        for (key, owner) in &stage.same_as {
            let owner = stages.iter().find(|candidate| candidate.name == *owner);
            let owner = owner.expect("names of stages were checked while reading");
            let problem = if owner.name == stage.name {
                format!("`{key}` names its own stage; expected another stage or a value")
            } else if owner.shares(key) {
                format!(
                    "`{key}` names {}, which itself names another stage",
                    owner.name
                )
            } else if !owner.searcher.has(key) {
                format!("`{key}` names {}, which has no such constant", owner.name)
            } else {
                continue;
            };
            return Err(section.error(&stage.name, format!("cannot be resolved: {problem}")));
        }
    }
    Ok(())
}

/// Copies shared constants from their owners.
pub(super) fn share(stages: &mut [Stage]) {
    for index in 0..stages.len() {
        for (key, owner) in stages[index].same_as.clone() {
            let owner = stages.iter().find(|stage| stage.name == owner);
            let Some(source) = owner.and_then(|stage| stage.searcher.plan().copied()) else {
                continue;
            };
            if let Some(target) = stages[index].searcher.plan_mut() {
                copy_constant(&key, &source, target);
            }
        }
    }
}

fn copy_constant(key: &str, source: &Plan, target: &mut Plan) {
    let (from, to) = (&source.constants, &mut target.constants);
    match key {
        "move_list" => to.move_list = from.move_list,
        "rollout" => to.rollout = from.rollout,
        "final_move" => to.final_move = from.final_move,
        "transpositions" => to.transpositions = from.transpositions,
        "evaluation_form" => to.evaluation.form = from.evaluation.form,
        _ if SCHEDULE_KEYS.contains(&key) => {
            *schedule_mut(target, key) = *schedule_mut(&mut source.clone(), key);
        }
        _ => {
            let rows = PLAN_ROWS.iter().filter(|row| row.is_of(source.game));
            for row in rows.filter(|row| row.spec.key() == key) {
                (row.set)(target, (row.get)(source));
            }
        }
    }
}

/// The first stage that does not start after those before it.
pub(super) fn out_of_order(stages: &[Stage]) -> Option<String> {
    let (mut ply, mut edges, mut filled, mut solvable) = (None, None, None, false);
    let mut distance = None;
    for stage in stages {
        let rises = match stage.start {
            Start::Ply(from) => ply.replace(from).is_none_or(|before| from > before),
            Start::EdgesLeft(limit) => edges.replace(limit).is_none_or(|before| limit < before),
            Start::Filled(share) => filled.replace(share).is_none_or(|before| share > before),
            Start::ProgressBelow(limit) => distance.replace(limit).is_none_or(|it| limit < it),
            Start::Solvable => !std::mem::replace(&mut solvable, true),
        };
        if !rises {
            return Some(stage.name.clone());
        }
    }
    None
}
