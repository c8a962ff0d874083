//! Export into engine configurations of every layout: byte for byte nothing changes but the tokens
//! of changed values and the block of evidence, and the engine's own reader finds in the result
//! exactly the values that were exported. The comparison knows nothing of the exporter: the
//! generator prints the expected text from its own pieces.

mod generator;

use std::fs;
use std::path::Path;

use generator::{Generated, Piece, configuration};
use rand::RngExt;
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::export::{EVIDENCE_END, EVIDENCE_START, NewValue, apply, export_to_file};
use sixfold_tuner::space::quantised;

/// Configurations that are generated; the seed of one that fails is in the message.
const SEEDS: u64 = 1500;
/// Configurations that are written to a disk as well, which is slower.
const FILES: u64 = 24;

/// A change with its number.
type Change = (String, NewValue, f64);

/// The text; where a changed number has the value already it keeps its spelling.
fn printed(pieces: &[Piece], changes: &[Change], before: &EngineConfig) -> String {
    let number = |path: &str, token: &str| match changes.iter().find(|change| change.0 == path) {
        Some((_, _, value)) if before.parameter(path).unwrap().value == *value => token.to_owned(),
        Some((_, NewValue::Integer(value), _)) => value.to_string(),
        Some((_, NewValue::Float(value), _)) => format!("{value:?}"),
        Some((_, NewValue::Word(word), _)) => format!("\"{word}\""),
        None => token.to_owned(),
    };
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Number { path, token } => number(path, token),
    };
    pieces.iter().map(piece).collect()
}

/// New values for some of the numbers of a configuration, each in its parameter's range.
fn changes(generated: &mut Generated, config: &EngineConfig) -> Vec<Change> {
    let mut list = Vec::new();
    let pieces = generated.pieces.clone();
    for piece in &pieces {
        let Piece::Number { path, .. } = piece else {
            continue;
        };
        let spec = config.parameter(path).unwrap().spec;
        let generator = &mut generated.generator;
        let value = match generator.random_range(0..4) {
            0 => continue,
            1 => config.parameter(path).unwrap().value,
            _ if spec.integer => f64::from(generator.random_range(1..40_u8)),
            _ => quantised(generator.random_range(spec.min..spec.max)),
        };
        let new = match spec.integer {
            true => NewValue::Integer(value as i64),
            false => NewValue::Float(value),
        };
        list.push((path.clone(), new, value));
    }
    list
}

/// What the exporter is asked for.
fn asked(changes: &[Change]) -> Vec<(String, NewValue)> {
    let change = |(path, new, _): &Change| (path.clone(), *new);
    changes.iter().map(change).collect()
}

/// The configuration's own idea of these values.
fn with_values(config: &EngineConfig, changes: &[Change]) -> EngineConfig {
    let mut config = config.clone();
    let values: Vec<(&str, f64)> = changes.iter().map(|(path, _, v)| (&**path, *v)).collect();
    config.set(&values).unwrap();
    config
}

/// The text without its block, found by lines that are the markers; and the lines of the block.
fn without_block(text: &str) -> (String, Vec<&str>) {
    let (mut rest, mut block, mut is_inside) = (String::new(), Vec::new(), false);
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    rest.push_str(&text[..text.len() - body.len()]);
    for line in body.split_inclusive('\n') {
        let plain = line.trim_end_matches(['\r', '\n']);
        if plain == EVIDENCE_START {
            assert!(block.is_empty(), "one block only: {text}");
            is_inside = true;
        } else if is_inside && plain == EVIDENCE_END {
            is_inside = false;
        } else if is_inside {
            block.push(plain);
        } else {
            rest.push_str(line);
        }
    }
    (rest, block)
}

fn text_of(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Number { token, .. } => (*token).to_owned(),
    };
    pieces.iter().map(piece).collect()
}

fn parsed(text: &str, seed: u64) -> EngineConfig {
    EngineConfig::parse(Path::new("engine.toml"), text)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"))
}

#[test]
fn a_text_of_any_layout_changes_in_its_values_and_block_alone_and_loads_as_exported() {
    for seed in 0..SEEDS {
        let mut generated = configuration(seed);
        let old = text_of(&generated.pieces);
        let before = parsed(&old, seed);
        let wanted = changes(&mut generated, &before);
        let expected = printed(&generated.pieces, &wanted, &before);

        let first = ["Run one.".to_owned(), String::new(), "b: é".to_owned()];
        let text = apply(&old, &asked(&wanted), &first).unwrap();
        let (rest, block) = without_block(&text);
        assert_eq!(rest, expected, "seed {seed}");
        assert_eq!(block, ["# Run one.", "#", "# b: é"], "seed {seed}");
        assert_eq!(
            parsed(&text, seed),
            with_values(&before, &wanted),
            "seed {seed}"
        );

        // A second export replaces the block and the values, and nothing else: it comes to what
        // the text without any block comes to.
        let again = changes(&mut generated, &before);
        let text = apply(&text, &asked(&again), &["Run two.".to_owned()]).unwrap();
        let (rest, block) = without_block(&text);
        assert_eq!(block, ["# Run two."], "seed {seed}");
        let plain = apply(&expected, &asked(&again), &[]).unwrap();
        assert_eq!(rest, plain, "seed {seed}");
        let both = with_values(&with_values(&before, &wanted), &again);
        assert_eq!(parsed(&text, seed), both, "seed {seed}");
    }
}

#[test]
fn a_file_becomes_what_its_text_becomes_with_mode_and_link_as_they_were() {
    for seed in 0..FILES {
        let folder = tempfile::tempdir().unwrap();
        let mut generated = configuration(seed);
        let old = text_of(&generated.pieces);
        let before = parsed(&old, seed);
        let wanted = changes(&mut generated, &before);
        let file = folder.path().join("engine.toml");
        fs::write(&file, &old).unwrap();
        let given = prepared(&file, seed);
        let lines = ["Run one.".to_owned()];
        let exported = export_to_file(&given, &asked(&wanted), &lines).unwrap();
        let expected = apply(&old, &asked(&wanted), &lines).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), expected, "seed {seed}");
        assert_eq!(fs::read_to_string(exported.backup.unwrap()).unwrap(), old);
        let loaded = EngineConfig::load(&given).unwrap();
        assert_eq!(loaded, with_values(&before, &wanted), "seed {seed}");
        check_mode(&given, &file, seed);
    }
}

#[cfg(unix)]
const MODES: [u32; 4] = [0o600, 0o640, 0o644, 0o755];

/// Gives the file one of the modes; the path to export to, a link every second time.
#[cfg(unix)]
fn prepared(file: &Path, seed: u64) -> std::path::PathBuf {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = MODES[seed as usize % MODES.len()];
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    if seed.is_multiple_of(2) {
        return file.to_owned();
    }
    let link = file.with_file_name("link.toml");
    symlink("engine.toml", &link).unwrap();
    link
}

#[cfg(unix)]
fn check_mode(given: &Path, file: &Path, seed: u64) {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(
        mode & 0o7777,
        MODES[seed as usize % MODES.len()],
        "seed {seed}"
    );
    let is_link = fs::symlink_metadata(given).unwrap().is_symlink();
    assert_eq!(is_link, !seed.is_multiple_of(2), "seed {seed}");
}

#[cfg(not(unix))]
fn prepared(file: &Path, _: u64) -> std::path::PathBuf {
    file.to_owned()
}

#[cfg(not(unix))]
fn check_mode(_: &Path, _: &Path, _: u64) {}
