//! What the program says to jobs whose learners have a schedule.

use super::transcript::Transcript;
use super::{add, check};
use crate::support::{JOB, Place, edited};

#[test]
fn learners_with_a_schedule() {
    let mut transcript = Transcript::new("tuner: learners with a schedule");
    let place = Place::new();
    let pooled = "kind = \"pooled\"\nepisodes = 12\ngames_per_episode = 4";
    let job = edited(JOB, "rounds = 3", "games = 400");
    let mut case = |learner: &str, run: &str| {
        let job = edited(&job, pooled, learner);
        place.write("job.toml", edited(&job, "games = 400", run));
        let before = [learner, run].join("; ").replace('\n', "; ");
        add(&mut transcript, &place, &before, &["check", "job.toml"]);
    };
    case("kind = \"q-tree\"", "rounds = 3");
    case("kind = \"q-tree\"", "games = 1");
    for wrong in [
        "epsilon = 1.5",
        "alpha = 0",
        "gamma = -0.1",
        "kappa = -1",
        "kappa = nan",
        "loss_elo = 500",
        "directions = \"triples\"",
        "episodes = 50",
    ] {
        case(&format!("kind = \"q-tree\"\n{wrong}"), "games = 400");
    }
    case("kind = \"surface-argmax\"\nkappa = 10", "games = 400");
    case("kind = \"surface-argmax\"\nloss_elo = 0", "games = 400");
    case("kind = \"paper\"", "games = 400\nstop_gain_elo = 5");
    case("kind = \"spsa\"", "rounds = 3");
    case("kind = \"spsa\"", "games = 1");
    case("kind = \"spsa\"\nc = 0.7", "games = 400");
    case("kind = \"spsa\"\nr = 0", "games = 400");
    case("kind = \"spsa\"\ngains = \"best\"", "games = 400");
    case("kind = \"spsa\"\nepsilon = 0.3", "games = 400");
    case("kind = \"rspsa\"\niterations = 5", "games = 400");
    case("kind = \"rspsa\"\nstep = 0.5", "games = 400");
    case("kind = \"rspsa\"\nc = 0", "games = 400");
    case("kind = \"rspsa\"", "games = 98");
    case("kind = \"random\"\nvectors = 1", "games = 400");
    case("kind = \"random\"", "games = 309");
    case("kind = \"random\"", "rounds = 3");
    check(&transcript, "learners");
}
