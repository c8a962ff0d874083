//! Small real runs for tests: played, stored and read.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sixfold_tuner::job::Job;
use sixfold_tuner::store::folder::RunFolder;

use crate::workspace::logging::LogFile;
use crate::workspace::session::Session;

const ENGINE: &str = r#"format = 1

[game]
name = "dots_and_boxes"
rows = 3
cols = 3

[budget]
simulations = 20

[solver]
table_mib = 1

[stages.opening]             # until ply 6
from = { ply = 0 }
searcher = "uct"
exploration = 1.0            # C
bias = { capture = 0.0, gives = 0.0, other = 0.0 }   # G
depth_plies = 255

[stages.layout]
from = { ply = 6 }
searcher = "uct"
bias = "opening"             # the same

[stages.endgame]
from = { edges_left = 10 }
searcher = "alpha_beta"
"#;

const JOB: &str = r#"format = 1
seed = 7

[engine]
config = "engine.toml"

[budget]
simulations = 20

[[parameters]]
path = "stages.opening.bias.capture"
step = 0.2

[[parameters]]
path = "stages.opening.bias.gives"
step = 0.2

[verification]
nelo_low = -200.0
nelo_high = -100.0
alpha = 0.05
beta = 0.05
games_max = 200
batch_games = 20
measured_games = 20
"#;

/// Learners whose runs differ in kind: rounds of a tree, a fitted surface, no tree.
pub(crate) const LEARNERS: [&str; 3] = [
    "[learner]\nkind = \"pooled\"\nepisodes = 12\ngames_per_episode = 4\n\n[run]\nrounds = 4\n\
     trials_in_flight = 3\n",
    "[learner]\nkind = \"q-tree\"\n\n[run]\ngames = 200\ntrials_in_flight = 4\n",
    "[learner]\nkind = \"random\"\n\n[run]\ngames = 400\ntrials_in_flight = 4\n",
];

/// The learner of a short run of the Amazons.
pub(crate) const AMAZONS: &str = "[learner]\nkind = \"pooled\"\nepisodes = 4\n\
     games_per_episode = 2\n\n[run]\nrounds = 2\ntrials_in_flight = 2\n";

const AMAZONS_ENGINE: &str = r#"format = 1

[game]
name = "amazons"
files = 6
ranks = 6

[budget]
simulations = 20

[solver]
table_mib = 1

[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = 1.0
bias = { blocks = 0.0, other = 0.0 }
"#;

/// A finished run of a learner, in a folder that ends with it.
pub(crate) struct SampleRun {
    _place: tempfile::TempDir,
    pub(crate) runs: PathBuf,
    pub(crate) folder: RunFolder,
}

impl SampleRun {
    /// Plays it.
    pub(crate) fn of(learner: &str) -> SampleRun {
        let place = tempfile::tempdir().unwrap();
        let (engine, job) = if learner == AMAZONS {
            (
                AMAZONS_ENGINE,
                JOB.replace("capture", "blocks").replace("gives", "other"),
            )
        } else {
            (ENGINE, JOB.to_owned())
        };
        std::fs::write(place.path().join("engine.toml"), engine).unwrap();
        let file = place.path().join("job.toml");
        std::fs::write(&file, format!("{job}\n{learner}")).unwrap();
        let job = Job::load(&file).unwrap();
        let runs = place.path().join("runs");
        std::fs::create_dir(&runs).unwrap();
        let stop = AtomicBool::new(false);
        let log = LogFile::default();
        let mut session = Session::create(&job, &runs, "sample", None, &log, &stop).unwrap();
        let pace = Duration::from_millis(200);
        session.drive("sample".to_owned(), pace, &stop).unwrap();
        let folder = RunFolder::open(&runs, "sample").unwrap();
        SampleRun {
            _place: place,
            runs,
            folder,
        }
    }

    /// A copy of it whose journal is empty.
    pub(crate) fn beginning(&self) -> RunFolder {
        let copy = self.runs.join("copy");
        copy_files(self.folder.path(), &copy);
        let copy = RunFolder::open(&self.runs, "copy").unwrap();
        std::fs::write(copy.journal(), b"").unwrap();
        copy
    }
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
