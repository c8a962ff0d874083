//! The README and its Chinese twin kept together: the same commands and figures in both, and no
//! link into the void; and what the page of the service repeats of the code.

mod markdown;
mod steps;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use markdown::{Block, blocks, code_spans, links};

const ENGLISH: &str = "README.md";
const CHINESE: &str = "README.zh-CN.md";
/// What a command begins with where it stands within a sentence or a table.
const PROGRAMS: [&str; 4] = ["tuner ", "engine ", "cargo ", "tests/run"];

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .parent()
        .expect("tests/ lies in the workspace")
        .to_owned()
}

fn text(name: &str) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A line of a shell without its comment.
fn without_comment(line: &str) -> &str {
    let comment = line
        .char_indices()
        .find(|&(at, sign)| sign == '#' && (at == 0 || line[..at].ends_with(' ')));
    line[..comment.map_or(line.len(), |(at, _)| at)].trim_end()
}

/// The blocks of commands of a text, without comments.
fn command_blocks(text: &str) -> Vec<Vec<String>> {
    let of_shell = |block: Block| {
        let lines = block.lines.iter();
        let lines = lines.map(|line| without_comment(line).to_owned());
        (block.kind == "sh").then(|| lines.collect())
    };
    blocks(text).into_iter().filter_map(of_shell).collect()
}

/// The commands that sentences and tables name.
fn named_commands(text: &str) -> BTreeSet<String> {
    let is_command = |span: &String| PROGRAMS.iter().any(|program| span.starts_with(program));
    code_spans(text).into_iter().filter(is_command).collect()
}

/// The links to files, with the names of their targets taken from the folder of the workspace.
fn local_links(text: &str) -> Vec<String> {
    let is_elsewhere = |target: &str| target.contains("://") || target.starts_with('#');
    let all = links(text).into_iter();
    let local = all.filter(|target| !is_elsewhere(target));
    local
        .map(|target| target.split('#').next().unwrap_or("").to_owned())
        .collect()
}

/// What stands in brackets and begins with a number: the intervals of measured figures.
fn intervals(text: &str) -> Vec<&str> {
    let starts_with_number = |it: &&str| {
        let digits = it.trim_start_matches(['+', '-']);
        digits.starts_with(|sign: char| sign.is_ascii_digit())
    };
    let parts = text.split('[').skip(1);
    let inside = parts.filter_map(|part| part.split_once(']').map(|(inside, _)| inside));
    inside.filter(starts_with_number).collect()
}

#[test]
fn every_block_of_commands_is_the_same_in_both_languages_but_for_comments() {
    let english = command_blocks(&text(ENGLISH));
    assert!(english.len() >= 2, "the blocks were found");
    assert_eq!(command_blocks(&text(CHINESE)), english);
}

#[test]
fn both_languages_name_the_same_commands() {
    let (english, chinese) = (
        named_commands(&text(ENGLISH)),
        named_commands(&text(CHINESE)),
    );
    assert!(english.len() > 20, "the commands were found");
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> Vec<String> {
        a.difference(b).cloned().collect()
    };
    assert_eq!(only(&english, &chinese), [""; 0], "only in {ENGLISH}");
    assert_eq!(only(&chinese, &english), [""; 0], "only in {CHINESE}");
}

#[test]
fn every_local_link_leads_to_a_file_and_each_language_to_the_other() {
    for (name, other) in [(ENGLISH, CHINESE), (CHINESE, ENGLISH)] {
        let links = local_links(&text(name));
        let missing: Vec<&String> = links
            .iter()
            .filter(|target| !root().join(target).is_file())
            .collect();
        assert!(missing.is_empty(), "{name} links to {missing:?}");
        assert_eq!(links.first().map(String::as_str), Some(other), "{name}");
    }
}

#[test]
fn both_languages_lead_to_the_same_files() {
    let files = |name: &str| -> BTreeSet<String> {
        let links = local_links(&text(name)).into_iter();
        links.filter(|it| it != ENGLISH && it != CHINESE).collect()
    };
    assert_eq!(files(ENGLISH), files(CHINESE));
}

#[test]
fn both_languages_give_the_same_intervals_in_the_same_order() {
    let (english, chinese) = (text(ENGLISH), text(CHINESE));
    assert!(intervals(&english).len() > 50, "the intervals were found");
    assert_eq!(intervals(&chinese), intervals(&english));
}

#[test]
fn only_comments_of_commands_are_passed_over() {
    assert_eq!(without_comment("tests/run     # all tests"), "tests/run");
    assert_eq!(without_comment("# alone"), "");
    assert_eq!(without_comment("curl a#b"), "curl a#b");
    let blocks = "```sh\na # b\n```\n```text\nc\n```\n```sh\nd\ne\n```\n";
    assert_eq!(command_blocks(blocks), [vec!["a"], vec!["d", "e"]]);
}

#[test]
fn commands_and_links_are_found_wherever_they_stand() {
    let text = "| `tuner a` | `b` |\n(`engine bench\n--weights`), [c](d.md#e) [f](https://g)\n\
                ```sh\n`tuner no` [h](i)\n```\n[j](k)`cargo l`";
    let found: Vec<String> = named_commands(text).into_iter().collect();
    assert_eq!(found, ["cargo l", "engine bench --weights", "tuner a"]);
    assert_eq!(local_links(text), ["d.md", "k"]);
    let text = "+1 [-2, +3]; [a](b) [0.5, 1] [x, 1] \"1\"[";
    assert_eq!(intervals(text), ["-2, +3", "0.5, 1"]);
}
