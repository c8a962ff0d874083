//! What is said of a queue and a service that cannot be used.

use super::{add, check};
use crate::messages::transcript::Transcript;
use crate::support::Place;

#[test]
fn services() {
    let mut transcript = Transcript::new("tuner: the queue and the service");
    let place = Place::new();
    let mut case = |before: &str, arguments: &[&str]| {
        add(&mut transcript, &place, before, arguments);
    };
    case("no runs yet", &["ls"]);
    case("no runs yet", &["pause", "job"]);
    case("no service", &["serve", "--show-url"]);
    place.tuner(&["run", "job.toml"]).ended(0);
    case("a completed run", &["pause", "job"]);
    case("a completed run", &["cancel", "job"]);
    place.write("runs/job/queue.json", "{\"format\":1}");
    case("a damaged ticket", &["pause", "job"]);
    place.write("runs/job/queue.json", "{\"format\":2}");
    case("a newer ticket", &["cancel", "job"]);
    std::fs::remove_file(place.path("runs/job/queue.json")).unwrap();
    case("a label", &["submit", "job.toml", "--label", ""]);
    case(
        "a name",
        &["serve", "--listen", "127.0.0.1:0", "--host", "http://a"],
    );
    case(
        "a folder",
        &["serve", "--listen", "127.0.0.1:0", "--configs", "none"],
    );
    case("an address", &["serve", "--listen", "nowhere"]);
    place.write("runs/.service/tokens.json", "{}");
    private(&place, 0o640);
    case("tokens for all", &["serve", "--listen", "127.0.0.1:0"]);
    private(&place, 0o600);
    case("damaged tokens", &["serve", "--listen", "127.0.0.1:0"]);
    let lock = place.path("runs/.service/lock");
    let held = sixfold_tuner::store::lock::RunLock::acquire(&lock).unwrap();
    case("a second service", &["serve", "--listen", "127.0.0.1:0"]);
    drop(held);
    check(&transcript, "service");
}

/// Gives the tokens this mode.
fn private(place: &Place, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(place.path("runs/.service/tokens.json"), permissions).unwrap();
}
