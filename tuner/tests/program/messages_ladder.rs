//! What the program says of jobs at several budgets that it refuses.

use crate::messages::transcript::Transcript;
use crate::messages::{add, check, note};
use crate::support::{Place, edited};

#[test]
fn jobs_at_several_budgets() {
    let mut transcript = Transcript::new("tuner: jobs at several budgets");
    let ladder = crate::ladder::ladder();
    let place = Place::with_job(&ladder);
    let mut case = |from: &str, to: &str| {
        place.write("job.toml", edited(&ladder, from, to));
        add(
            &mut transcript,
            &place,
            &note(from, to),
            &["check", "job.toml"],
        );
    };
    case("[10, 40]", "[]");
    case("[10, 40]", "[40]");
    case("[10, 40]", "[40, 10]");
    case("[10, 40]", "[10, 14]");
    case("[10, 40]", "[10, 20, 40, 80]");
    case("[10, 40]", "[10, 40.5]");
    case("[10, 40]", "[0, 40]");
    case("[10, 40]", "10");
    case("[match_budget]\nsimulations = 80", "");
    case("[match_budget]\nsimulations", "[match_budget]\nwork_units");
    case("simulations = 80", "simulations = 9");
    case("simulations = 80", "simulations = 80\nper = \"game\"");
    case("simulations = 80", "simulations = [80]");
    case("[80, 60]", "[80]");
    case("[80, 60]", "[80, 2]");
    case("[80, 60]", "7");
    case("measured_games = 200", "measured_games = 198");
    check(&transcript, "ladder");
}
