//! What is said of choices and rules that cannot be used.

use super::{add, check, note};
use crate::choices;
use crate::messages::transcript::Transcript;
use crate::support::{Place, edited};

#[test]
fn choices_and_rules() {
    let mut transcript = Transcript::new("tuner: choices and rules between parameters");
    let place = Place::new();
    place.write("engine.toml", choices::engine());
    let mut case = |from: &str, to: &str| {
        place.write("job.toml", edited(&choices::job(), from, to));
        let before = note(from, to);
        add(&mut transcript, &place, &before, &["check", "job.toml"]);
    };
    let words = "words = [\"uniform\", \"safe\"]";
    case(words, "words = [\"uniform\", \"sage\"]");
    case(words, "words = [\"safe\"]");
    case(words, "words = [\"safe\", \"safe\"]");
    case(words, "words = \"safe\"");
    case(words, "words = [1, 2]");
    case(words, "start = \"careful\"");
    case(words, "start = 1");
    case(words, "min = 0");
    let path = "path = \"stages.opening.rollout\"\nwords = [\"uniform\", \"safe\"]";
    let of_three = "path = \"stages.opening.final_move\"";
    case(path, of_three);
    let all = "\nwords = [\"visits\", \"mean\", \"highest_ucb\"]";
    case(path, &format!("{of_three}{all}"));
    let others = "\nwords = [\"mean\", \"highest_ucb\"]";
    case(path, &format!("{of_three}{others}"));
    case(path, "path = \"stages.opening.move_list\"");
    let ordered = "less_or_equal = [\"stages.opening.bias.gives\", ";
    case(ordered, "less_or_equals = [");
    case(ordered, "less_or_equal = [\"stages.opening.bias.other\", ");
    case(ordered, "less_or_equal = [\"stages.opening.rollout\", ");
    case(
        ordered,
        "less_or_equal = [\"stages.opening.bias.capture\", ",
    );
    case(ordered, "less_or_equal = [");
    case(
        ordered,
        "apart = -1\nless_or_equal = [\"stages.opening.bias.gives\", ",
    );
    case(
        ordered,
        "apart = 0.5\nless_or_equal = [\"stages.opening.bias.gives\", ",
    );
    case("at_most = 0.5", "at_most = -0.6");
    case("at_most = 0.5", "at_most = -0.2");
    case("at_least = -0.5\nat_most = 0.5", "");
    case("at_most = 0.5", "at_most = 0.5\napart = 1");
    case("sum = [", "less_or_equal = []\nsum = [");
    check(&transcript, "choices");
}
