//! What a power cut would find cannot be made here, but the order of the calls that it depends on
//! can be read: content before name, journal before checkpoint, folder after name.

use crate::calls::calls;
use crate::place::{JOB, Place, Said};
use crate::tools::{has_strace, say};

/// The path of the file that a call is about, from the trace's `N</path>`.
fn subject(line: &str) -> &str {
    let start = line.find('<').map_or(0, |at| at + 1);
    let end = line[start..].find('>').map_or(0, |at| start + at);
    &line[start..end]
}

#[test]
fn content_is_synced_before_its_name_the_journal_before_a_checkpoint_the_folder_after_a_name() {
    if !has_strace() {
        return;
    }
    let place = Place::with_job(JOB);
    let command = [
        "run",
        "job.toml",
        "--name",
        "job",
        "--checkpoint-seconds",
        "0",
    ];
    let said = Said::of(place.traced(&[], &command).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    let calls = calls(&place);
    // Journal writes that no sync has covered yet, and the file written last with its state.
    let (mut unsynced, mut checkpoints, mut renames) = (0, 0, 0);
    for (index, call) in calls.iter().enumerate() {
        match call.name.as_str() {
            "write" if call.line.contains("journal.jsonl>") => unsynced += 1,
            "fsync" if subject(&call.line).ends_with("journal.jsonl") => unsynced = 0,
            "renameat" => {
                renames += 1;
                let temporary = call.line.split('"').nth(1).unwrap();
                let synced = &calls[index - 1];
                assert_eq!(synced.name, "fsync", "{call:?}");
                assert_eq!(subject(&synced.line), temporary, "{call:?}");
                let folder = &calls[index + 1];
                assert_eq!(folder.name, "fsync", "{call:?}");
                let parent = temporary.rsplit_once('/').unwrap().0;
                assert_eq!(subject(&folder.line), parent, "{call:?}");
                if call.line.contains("checkpoint.json") {
                    checkpoints += 1;
                    assert_eq!(unsynced, 0, "{call:?}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(unsynced, 0, "the end of a run is synced");
    assert!(checkpoints >= 5 && renames > checkpoints);
    say(format_args!(
        "{renames} replaced files and {checkpoints} checkpoints in the right order"
    ));
}
