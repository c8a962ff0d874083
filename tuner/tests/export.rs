//! Export, seen from outside: what a person wrote stays to the byte, what is asked for is there.

use std::fs;

use proptest::prelude::*;
use sixfold_tuner::export::{
    EVIDENCE_END, EVIDENCE_START, ExportError, NewValue, apply, export_to_file,
};

const CONFIGURATION: &str = "\
# Dots and Boxes, by hand.

exploration = 0.20   # trailing
threads=4
clock.reserve.depth = 3 # dotted

[stages.layout]
bias = { capture = 0.2, gives = -0.05 } # inline
note = \"\"\"
# --- sixfold: tuned values ---
capture = 0.2
\"\"\"

    [stages.layout.'odd name']  # indented
    value\t=\t1_000.5
[stages]
settled.exploration = 1
refers = \"layout\"
";

fn floats(changes: &[(&str, f64)]) -> Vec<(String, NewValue)> {
    let change = |(path, value): &(&str, f64)| (path.to_string(), NewValue::Float(*value));
    changes.iter().map(change).collect()
}

/// The change makes exactly this replacement in [`CONFIGURATION`].
fn check(path: &str, new: NewValue, old_text: &str, new_text: &str) {
    let result = apply(CONFIGURATION, &[(path.to_owned(), new)], &[]).unwrap();
    assert_eq!(CONFIGURATION.matches(old_text).count(), 1);
    assert_eq!(result, CONFIGURATION.replace(old_text, new_text));
}

#[test]
fn a_word_takes_the_place_of_a_word_and_of_nothing_else() {
    let word = |path: &str| vec![(path.to_owned(), NewValue::Word("safe"))];
    let text = "[a]\nrollout = 'uniform' # how\ndepth = 3\n";
    let result = apply(text, &word("a.rollout"), &[]).unwrap();
    assert_eq!(result, "[a]\nrollout = \"safe\" # how\ndepth = 3\n");
    // A word that is there keeps its spelling.
    let spelt = "a = 'safe'\n";
    assert_eq!(apply(spelt, &word("a"), &[]).unwrap(), spelt);
    let refused = |path: &str, new: NewValue| {
        let error = apply(text, &[(path.to_owned(), new)], &[]).unwrap_err();
        assert!(matches!(error, ExportError::NotANumber { .. }), "{error}");
    };
    refused("a.depth", NewValue::Word("safe"));
    refused("a.rollout", NewValue::Integer(3));
}

#[test]
fn only_the_token_changes_wherever_the_value_stands() {
    use NewValue::{Float, Integer};
    check("exploration", Float(0.3), "0.20   # t", "0.3   # t");
    check("exploration", Float(2.0), "0.20   # t", "2.0   # t");
    check("exploration", Float(0.2), "0.20   # t", "0.20   # t");
    check("threads", Integer(12), "threads=4", "threads=12");
    check(
        "clock.reserve.depth",
        Integer(5),
        "depth = 3 #",
        "depth = 5 #",
    );
    check(
        "stages.layout.bias.capture",
        Float(0.3),
        "{ capture = 0.2,",
        "{ capture = 0.3,",
    );
    check(
        "stages.layout.bias.gives",
        Float(-0.15),
        "-0.05 }",
        "-0.15 }",
    );
    check(
        "stages.layout.'odd name'.value",
        Float(7.5),
        "1_000.5",
        "7.5",
    );
    check(
        "stages.layout.\"odd name\".value",
        Float(1000.5),
        "1_000.5",
        "1_000.5",
    );
    check(
        "stages.settled.exploration",
        Float(1.0),
        "exploration = 1\n",
        "exploration = 1\n",
    );
    check(
        "stages.settled.exploration",
        Float(1.5),
        "exploration = 1\n",
        "exploration = 1.5\n",
    );
}

#[test]
fn what_cannot_be_set_is_said() {
    let text = |changes: &[(&str, f64)]| {
        let error = apply(CONFIGURATION, &floats(changes), &[]).unwrap_err();
        error.to_string()
    };
    let missing = text(&[("stages.layout.bias.chain", 0.1)]);
    assert!(missing.contains("stages.layout.bias.chain"), "{missing}");
    assert!(text(&[("nothing.at.all", 0.1)]).contains("nothing at `nothing`"));
    assert!(text(&[("stages.refers", 0.1)]).contains("the text \"layout\""));
    assert!(text(&[("stages.refers.capture", 0.1)]).contains("the text \"layout\""));
    assert!(text(&[("stages.layout", 0.1)]).contains("table"));
    assert!(text(&[("exploration", 0.1), ("exploration", 0.2)]).contains("twice"));
    assert!(text(&[("exploration", f64::NAN)]).contains("NaN"));
    assert!(text(&[("a..b", 0.1)]).contains("a..b"));
    assert!(text(&[("", 0.1)]).contains("not the path"));
    let syntax = apply("a = ", &[], &[]).unwrap_err();
    assert!(matches!(syntax, ExportError::Syntax(_)), "{syntax}");
}

fn evidence(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn evidence_stands_at_the_top_and_is_replaced() {
    let first = apply(CONFIGURATION, &[], &evidence(&["run dots", "", "games 8"])).unwrap();
    let block = format!("{EVIDENCE_START}\n# run dots\n#\n# games 8\n{EVIDENCE_END}\n");
    assert_eq!(first, format!("{block}{CONFIGURATION}"));
    let second = apply(&first, &[], &evidence(&["run dots-2"])).unwrap();
    let block = format!("{EVIDENCE_START}\n# run dots-2\n{EVIDENCE_END}\n");
    assert_eq!(second, format!("{block}{CONFIGURATION}"));
    assert_eq!(apply(&second, &[], &[]).unwrap(), CONFIGURATION);
}

#[test]
fn evidence_that_was_moved_is_replaced_where_it_is() {
    let moved = format!("a = 1\n{EVIDENCE_START}\n# old\n{EVIDENCE_END}");
    let result = apply(&moved, &[], &evidence(&["new"])).unwrap();
    assert_eq!(result, moved.replace("# old", "# new"));
}

#[test]
fn evidence_is_one_block_of_comments_whatever_it_says() {
    let hostile = evidence(&["a\r\nb = 1\n", "\u{1b}[2J\0\u{7f}", "--- sixfold: end ---"]);
    let first = apply("a = 1\n", &[], &hostile).unwrap();
    assert_eq!(apply(&first, &[], &hostile).unwrap(), first);
    assert_eq!(apply(&first, &[], &[]).unwrap(), "a = 1\n");
}

#[test]
fn evidence_without_its_end_is_refused_with_its_line() {
    for rest in ["", "b = 2\n", "b = 2\n# --- sixfold: end ---\n"] {
        let text = format!("a = 1\n{EVIDENCE_START}\n# old\n{rest}");
        let error = apply(&text, &[], &evidence(&["new"])).unwrap_err();
        assert!(
            matches!(error, ExportError::UnclosedEvidence { line: 2 }),
            "{error}"
        );
    }
}

/// A piece of a generated text: words, or a number with its path.
#[derive(Clone, Debug)]
enum Piece {
    Words(String),
    Number(String, &'static str),
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0.2",
        "-0.05",
        "1",
        "1_000",
        "2.0",
        "0.20",
        "1e-3",
        "+3.5",
        "-7",
        "6.02E+3",
        "0x1F",
        "inf",
        "0b101",
        "0o17",
        "+0.0",
        "1_0.0_1e-0_1",
        "nan",
    ])
}

/// One line or more at `table` (a prefix of paths), with keys made unique by `number`.
fn entry(table: &str, number: usize, kind: u8, tokens: [&'static str; 2]) -> Vec<Piece> {
    let words = |text: &str| Piece::Words(text.to_owned());
    let value = |key: String, token| Piece::Number(format!("{table}{key}"), token);
    let [one, two] = tokens;
    let key = format!("k{number}");
    match kind {
        0 => vec![words(&format!("{key} = ")), value(key, one), words("\n")],
        1 => vec![
            words(&format!("  {key}\t=")),
            value(key, one),
            words(" # 0.2, é\n"),
        ],
        2 => vec![
            words(&format!("{key}.a . 'b c' = ")),
            value(format!("{key}.a.'b c'"), one),
            words("   #x\n"),
        ],
        3 => vec![
            words(&format!("{key} = {{ a = ")),
            value(format!("{key}.a"), one),
            words(" ,b.c= "),
            value(format!("{key}.b.c"), two),
            words("} # {}\n"),
        ],
        4 => vec![words(&format!("# {key} = 0.2\n\n\t# [table]\n"))],
        5 => vec![words(&format!("{key} = [0.2, # one\n 1, ] # end\n"))],
        6 => vec![words(&format!("{key} = \"0.2 # é\" # \"\n"))],
        7 => vec![
            words(&format!("'{key} . #' = {{ # = 0.2\n\t\"a\\\"b\"=")),
            value(format!("'{key} . #'.\"a\\\"b\""), one),
            words(" # , }\n  ,\n#\n b . c = "),
            value(format!("'{key} . #'.b.c"), two),
            words("\t,# x\n} # {\n"),
        ],
        _ => vec![words(&format!(
            "{key} = '''\n[t]\nk = 0.2 # no\n''' # yes\n"
        ))],
    }
}

/// A whole text in pieces: keys of the root, then some tables.
fn document() -> impl Strategy<Value = Vec<Piece>> {
    let entries = || prop::collection::vec((0_u8..9, [token(), token()]), 0..5);
    let headers = prop::collection::vec((0_u8..6, entries()), 0..5);
    let ends = prop::collection::vec(any::<bool>(), 1..9);
    let marks = any::<[bool; 2]>();
    (entries(), headers, ends, marks).prop_map(|(root, tables, ends, marks)| {
        let mut pieces = Vec::new();
        let mut number = 0;
        let mut add = |table: &str, entries: Vec<(u8, [&'static str; 2])>| {
            let mut all = Vec::new();
            for (kind, tokens) in entries {
                number += 1;
                all.extend(entry(table, number, kind, tokens));
            }
            all
        };
        pieces.extend(add("", root));
        for (index, (kind, entries)) in tables.into_iter().enumerate() {
            let (header, table) = match kind {
                0 => (format!("[t{index}]\n"), format!("t{index}.")),
                1 => (
                    format!("\n  [ t{index} . s ] # t\n"),
                    format!("t{index}.s."),
                ),
                2 => (
                    format!("[t{index}.\"x y\"]\n"),
                    format!("t{index}.\"x y\"."),
                ),
                // The table above it may come behind it.
                3 => (
                    format!("[y{index}.s]\nn = 1\n[y{index}]\n"),
                    format!("y{index}."),
                ),
                4 => (format!("[[a.'r ']] # {index}\n"), String::new()),
                _ => (format!("[z.t{index}]#\n"), format!("z.t{index}.")),
            };
            pieces.push(Piece::Words(header));
            let added = add(&table, entries);
            // What stands in an array of tables has no path to be set by.
            let is_array = table.is_empty();
            pieces.extend(added.into_iter().map(|piece| match piece {
                Piece::Number(_, token) if is_array => Piece::Words(token.to_owned()),
                piece => piece,
            }));
        }
        laid_out(pieces, &ends, marks)
    })
}

/// Each line with the end that the list, begun again when it is over, has for it: CRLF or LF.
fn laid_out(mut pieces: Vec<Piece>, ends: &[bool], [bom, unended]: [bool; 2]) -> Vec<Piece> {
    if unended && let Some(Piece::Words(last)) = pieces.last_mut() {
        last.truncate(last.trim_end_matches('\n').len());
    }
    let mut ends = ends.iter().cycle();
    for piece in &mut pieces {
        if let Piece::Words(words) = piece {
            let mut parts = words.split('\n');
            let mut text = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                text += if ends.next() == Some(&true) {
                    "\r\n"
                } else {
                    "\n"
                };
                text += part;
            }
            *words = text;
        }
    }
    if bom {
        pieces.insert(0, Piece::Words("\u{feff}".to_owned()));
    }
    pieces
}

/// The text, with the token that `new` gives for a path and its token.
fn printed(pieces: &[Piece], new: impl Fn(&str, &'static str) -> String) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Number(path, token) => new(path, token),
    };
    pieces.iter().map(piece).collect()
}

/// What a token of the generator is, as a number.
fn number(token: &str) -> f64 {
    match token {
        "0x1F" => 31.0,
        "0b101" => 5.0,
        "0o17" => 15.0,
        plain => plain.replace('_', "").parse().unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_but_the_changed_tokens_and_the_block_changes(
        pieces in document(),
        values in prop::collection::vec(prop::option::of(-5000_i32..5000), 50),
        lines in prop::collection::vec("\\PC{0,20}", 0..3),
    ) {
        let old = printed(&pieces, |_, token| token.to_owned());
        let numbers: Vec<_> = pieces.iter().filter_map(|piece| match piece {
            Piece::Number(path, _) => Some(path.clone()),
            Piece::Words(_) => None,
        }).collect();
        let changes: Vec<_> = numbers.into_iter().zip(&values)
            .filter_map(|(path, value)| Some((path, NewValue::Float(f64::from((*value)?) / 1e3))))
            .collect();
        let expected = printed(&pieces, |path, token| {
            match changes.iter().find(|(changed, _)| changed == path) {
                Some((_, NewValue::Float(new))) if *new != number(token) => format!("{new:?}"),
                _ => token.to_owned(),
            }
        });
        let plain = apply(&old, &changes, &[]).unwrap();
        prop_assert_eq!(&plain, &expected);

        let with_block = apply(&old, &changes, &lines).unwrap();
        prop_assert_eq!(apply(&with_block, &[], &[]).unwrap(), plain);
        prop_assert_eq!(apply(&with_block, &changes, &lines).unwrap(), with_block);
    }
}

#[test]
fn a_file_is_replaced_with_a_numbered_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.toml");
    fs::write(&path, CONFIGURATION).unwrap();
    let export = |value| export_to_file(&path, &floats(&[("exploration", value)]), &[]).unwrap();
    assert_eq!(
        export(0.2).backup,
        None,
        "nothing to change, nothing to copy"
    );
    let names = ["engine.toml.bak", "engine.toml.bak-2", "engine.toml.bak-3"];
    for (value, name) in [0.3, 0.4, 0.5].into_iter().zip(names) {
        let before = fs::read(&path).unwrap();
        let exported = export(value);
        assert_eq!(exported.file, path);
        assert_eq!(exported.backup, Some(folder.path().join(name)));
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), before);
        let expected = CONFIGURATION.replace("0.20   #", &format!("{value:?}   #"));
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn a_refused_export_leaves_the_folder_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.toml");
    fs::write(&path, CONFIGURATION).unwrap();
    export_to_file(&path, &floats(&[("none", 1.0)]), &[]).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), CONFIGURATION);
    fs::write(&path, [0xff, 0xfe, b'a']).unwrap();
    let error = export_to_file(&path, &[], &[]).unwrap_err();
    assert!(matches!(error, ExportError::NotText { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let missing = folder.path().join("none.toml");
    let error = export_to_file(&missing, &[], &[]).unwrap_err().to_string();
    assert!(error.contains("none.toml"), "{error}");
}

#[test]
fn a_read_only_file_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.toml");
    fs::write(&path, CONFIGURATION).unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = export_to_file(&path, &floats(&[("exploration", 0.3)]), &[]).unwrap_err();
    assert!(matches!(error, ExportError::ReadOnly { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), CONFIGURATION);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // Nothing to change is nothing to refuse.
    export_to_file(&path, &floats(&[("exploration", 0.2)]), &[]).unwrap();
}

#[cfg(unix)]
#[test]
fn mode_and_symbolic_link_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (
        folder.path().join("real.toml"),
        folder.path().join("link.toml"),
    );
    fs::write(&real, CONFIGURATION).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.toml", &link).unwrap();
    let exported = export_to_file(&link, &floats(&[("exploration", 0.3)]), &[]).unwrap();
    assert_eq!(exported.file, real);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    for path in [real, exported.backup.unwrap()] {
        assert_eq!(
            fs::metadata(path).unwrap().permissions().mode() & 0o7777,
            0o640
        );
    }
}
