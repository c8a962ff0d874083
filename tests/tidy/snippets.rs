//! The rules themselves under test: each finds what breaks it, and nothing else.

use crate::source::Source;
use crate::{imports, rules};

/// How many violations the rules find in a documented file of this content.
fn count(path: &str, text: &str) -> usize {
    let source = Source::new(path, &format!("//! Doc.\n{text}"));
    rules::check(&source).len() + imports::check(&source).len()
}

fn broken(path: &str, text: &str) {
    assert_eq!(count(path, text), 1, "{path}: {text}");
}

fn kept(path: &str, text: &str) {
    assert_eq!(count(path, text), 0, "{path}: {text}");
}

const ANYWHERE: &str = "tuner/src/export/file.rs";

#[test]
fn a_module_without_documentation_is_found() {
    let source = Source::new(ANYWHERE, "use std::fs;\n");
    assert_eq!(rules::check(&source).len(), 1);
}

#[test]
fn unfinished_work_is_found_and_its_names_in_texts_are_not() {
    for word in ["todo!()", "unimplemented!()", "dbg!(1)"] {
        broken(ANYWHERE, &format!("fn f() {{ {word} }}\n"));
    }
    broken(ANYWHERE, "#[ignore = \"slow\"]\nfn f() {}\n");
    kept(
        ANYWHERE,
        "/// No todo!() here.\nfn f() -> &'static str { \"dbg!(1)\" }\n",
    );
    kept(
        ANYWHERE,
        "/* todo!() /* dbg!() */ todo!() */\nconst A: &str = r#\"todo!() \" \"#;\n",
    );
}

#[test]
fn printing_is_for_the_command_line_and_tests() {
    broken(ANYWHERE, "fn f() { println!(); }\n");
    broken(ANYWHERE, "fn f() { eprint!(); }\n");
    kept("tuner/src/cli/run.rs", "fn f() { println!(); }\n");
    kept(
        ANYWHERE,
        "#[cfg(test)]\nmod tests {\n    fn f() { println!(); }\n}\n",
    );
    broken(
        ANYWHERE,
        "#[cfg(test)]\nmod tests {\n    fn f() {}\n}\nfn g() { println!(); }\n",
    );
    broken(
        ANYWHERE,
        "#[cfg(test)]\n#[path = \"x\"]\nmod tests;\nfn g() { println!(); }\n",
    );
}

#[test]
fn platform_mathematics_is_found_where_results_are_computed() {
    let call = |call: &str| format!("fn f(x: f64) -> f64 {{ {call} }}\n");
    for found in [
        "x.ln()",
        "x.exp()",
        "x.powf(2.0)",
        "x.mul_add(x, x)",
        "f64::tanh(x)",
    ] {
        broken("tuner/src/stats/elo.rs", &call(found));
        broken("engine/src/search/uct/mod.rs", &call(found));
        kept(ANYWHERE, &call(found));
    }
    kept("tuner/src/space.rs", &call("libm::log(x).sqrt()"));
}

#[test]
fn hash_maps_are_found_where_results_are_computed() {
    broken("engine/src/eval/mod.rs", "use std::collections::HashMap;\n");
    broken(
        "tuner/src/optimiser/pool.rs",
        "use std::collections::HashSet;\n",
    );
    kept(
        "tuner/src/optimiser/pool.rs",
        "use std::collections::BTreeMap;\n",
    );
}

#[test]
fn long_lines_functions_and_files_are_found() {
    broken(ANYWHERE, &format!("// {}\n", "é".repeat(98)));
    kept(ANYWHERE, &format!("// {}\n", "é".repeat(97)));
    let function = |lines: usize| format!("fn f() {{\n{}}}\n", "    if a {}\n".repeat(lines));
    broken(ANYWHERE, &function(69));
    kept(ANYWHERE, &function(68));
    // A flat table decides nothing.
    kept(
        ANYWHERE,
        &format!(
            "fn f() -> A {{\n    a(&[\n{}    ])\n}}\n",
            "        1,\n".repeat(90)
        ),
    );
    broken(ANYWHERE, &"// A line.\n".repeat(599));
    kept(ANYWHERE, &"// A line.\n".repeat(598));
}

#[test]
fn rules_of_games_name_nothing_above_them() {
    broken(
        "engine/src/game/dots/mod.rs",
        "use crate::stream::Stream;\n",
    );
    broken(
        "engine/src/game/dots/mod.rs",
        "use super::super::eval::Work;\n",
    );
    broken(
        "engine/src/game/dots/mod.rs",
        "use crate::{game::Player, eval::Work};\n",
    );
    broken("engine/src/game/mod.rs", "use std::time::Instant;\n");
    kept(
        "engine/src/game/dots/board.rs",
        "use super::super::Player;\nuse crate::game::Player;\n",
    );
}

#[test]
fn a_search_knows_no_game_stage_configuration_or_time() {
    let place = "engine/src/search/uct/mod.rs";
    broken(place, "use crate::config;\n");
    broken(place, "use crate::stage;\n");
    broken(place, "use crate::protocol::play;\n");
    broken(place, "use crate::game::dots;\n");
    broken(place, "fn f(position: &Dots) {}\n");
    broken(place, "use std::time::Duration;\n");
    kept(
        place,
        "use crate::eval::{Knowledge, Work};\n// Dots and Boxes\n",
    );
    kept(
        place,
        "#[cfg(test)]\nmod tests {\n    use crate::game::toy::Toy;\n}\n",
    );
}

#[test]
fn stages_and_budgets_are_pure() {
    broken("engine/src/stage.rs", "use std::fs;\n");
    broken(
        "engine/src/clock.rs",
        "fn f() -> std::time::Instant { g() }\n",
    );
    broken("engine/src/stage.rs", "use crate::config::reader;\n");
    broken("engine/src/clock.rs", "use crate::agent::Agent;\n");
}

#[test]
fn an_agent_names_no_protocol_and_no_evaluation_an_agent() {
    broken("engine/src/agent/mod.rs", "use crate::protocol::play;\n");
    broken("engine/src/eval/mod.rs", "use crate::search::Value;\n");
}

#[test]
fn parts_of_the_tuner_do_not_name_each_other() {
    broken("tuner/src/optimiser/paper.rs", "use crate::store::Store;\n");
    broken(
        "tuner/src/evaluator/match_play.rs",
        "use crate::store::Store;\n",
    );
    broken(
        "tuner/src/store/disk.rs",
        "use crate::{\n    event::Event,\n    run::Ended,\n};\n",
    );
    broken("tuner/src/observer/log.rs", "use crate::optimiser::Ask;\n");
    broken("tuner/src/trial.rs", "use super::optimiser::Ask;\n");
    broken("tuner/src/run/mod.rs", "use crate::job::Job;\n");
    broken("tuner/src/run/mod.rs", "use crate::bench::Surface;\n");
    broken("tuner/src/bench/drive.rs", "use crate::job::Job;\n");
    kept(
        "tuner/src/bench/drive.rs",
        "use super::Surface;\nuse crate::optimiser::Ask;\n",
    );
    kept(
        "tuner/src/run/mod.rs",
        "use crate::store::Store;\nuse crate::optimiser::Ask;\n",
    );
}

#[test]
fn a_surface_knows_the_space_and_is_known_to_learners_alone() {
    broken("tuner/src/surface/fit.rs", "use crate::trial::Trial;\n");
    broken("tuner/src/store/wire.rs", "use crate::surface::Row;\n");
    kept("tuner/src/surface/fit.rs", "use crate::space::Space;\n");
    kept("tuner/src/optimiser/paper.rs", "use crate::surface::Row;\n");
    kept("tuner/src/run/mod.rs", "use crate::surface::Row;\n");
}

#[test]
fn a_report_reads_and_is_read_by_the_program_alone() {
    broken(
        "tuner/src/report/mod.rs",
        "use crate::evaluator::Evaluator;\n",
    );
    broken("tuner/src/report/mod.rs", "use sixfold_engine::config;\n");
    broken("tuner/src/run/mod.rs", "use crate::report::html;\n");
    broken("tuner/src/observer/log.rs", "use crate::report::html;\n");
    kept(
        "tuner/src/report/story.rs",
        "use crate::run::course::Course;\n",
    );
}

#[test]
fn only_matches_jobs_and_the_program_name_the_engine() {
    broken("tuner/src/run/mod.rs", "use sixfold_engine::config;\n");
    broken(
        "tuner/src/evaluator/scripted.rs",
        "use sixfold_engine::config;\n",
    );
    kept(
        "tuner/src/evaluator/match_play.rs",
        "use sixfold_engine::config;\n",
    );
    kept("tuner/src/job/mod.rs", "use sixfold_engine::config;\n");
}

#[test]
fn somebodys_folder_is_found_in_any_file() {
    let line = |start: &str| format!("see {start}ann/notes\n");
    for start in [
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("C:\\Us", "ers\\"),
    ] {
        let source = Source::plain("README.md", &line(start));
        assert_eq!(rules::personal_paths(&source).len(), 1, "{start}");
    }
    let source = Source::plain(
        "README.md",
        "the page a.example/home/ and the root/ folder\n",
    );
    assert_eq!(rules::personal_paths(&source).len(), 0);
}
