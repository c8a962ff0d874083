//! Engine configurations as people might write them: every layout that TOML allows for the same
//! few values, with comments wherever one may stand.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A piece of a text: words, or a number by the path of its parameter.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Words(String),
    Number { path: String, token: &'static str },
}

/// A configuration in pieces.
pub(crate) struct Generated {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) generator: ChaCha8Rng,
}

const FLOATS: [&str; 13] = [
    "0.2",
    "0.20",
    "2e-1",
    "+0.5",
    "1",
    "0x1",
    "0o2",
    "0b1",
    "1_0e-1",
    "1.5E+0",
    "1_0.0e-1",
    "+1",
    "0.000_1e4",
];
const SIGNED: [&str; 6] = ["-0.05", "-1", "-0.0", "0", "-1e-1", "-1.5"];
const WHOLE: [&str; 6] = ["10", "0x10", "1_0", "+7", "0b101", "2_5_5"];
const STARTS: [&str; 5] = ["6", "0x6", "0b111", "1_0", "+8"];
/// What people write behind a value or on a line of its own; some of it looks like values.
const COMMENTS: [&str; 8] = [
    "#",
    "# C",
    "# capture = 9.9, gives = 8.8",
    "#\t[stages.opening] # exploration = 7",
    "# --- sixfold: end ---",
    "# \"'''{ é ✓ 日本",
    "# --- sixfold: tuned values --- (not the block)",
    "#0.2",
];

/// The configuration of a seed.
pub(crate) fn configuration(seed: u64) -> Generated {
    let mut writer = Writer {
        generator: ChaCha8Rng::seed_from_u64(seed),
        pieces: Vec::new(),
        tail: Vec::new(),
    };
    writer.head();
    if writer.one_in(4) {
        writer.inline_stages();
    } else {
        writer.stages();
    }
    let tail = std::mem::take(&mut writer.tail);
    writer.pieces.extend(tail);
    writer.lay_out();
    let Writer {
        pieces, generator, ..
    } = writer;
    Generated { pieces, generator }
}

struct Writer {
    generator: ChaCha8Rng,
    pieces: Vec<Piece>,
    /// Tables that stand at the end of the file, far from those they belong to.
    tail: Vec<Piece>,
}

impl Writer {
    fn one_in(&mut self, count: u32) -> bool {
        self.generator.random_range(0..count) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.generator.random_range(0..list.len())].clone()
    }

    fn words(&mut self, words: &str) {
        self.pieces.push(Piece::Words(words.to_owned()));
    }

    fn number(&mut self, path: &str, tokens: &[&'static str]) {
        let (path, token) = (path.to_owned(), self.pick(tokens));
        self.pieces.push(Piece::Number { path, token });
    }

    fn signed(&mut self, path: &str) {
        let tokens: Vec<&'static str> = FLOATS.iter().chain(&SIGNED).copied().collect();
        self.number(path, &tokens);
    }

    /// The end of a line, with or without a comment, and lines that say nothing behind it.
    fn end(&mut self) {
        if self.one_in(2) {
            let (space, comment) = (self.pick(&["", " ", "\t ", "   "]), self.pick(&COMMENTS));
            self.words(&format!("{space}{comment}"));
        } else if self.one_in(4) {
            self.words(" \t");
        }
        self.words("\n");
        while self.one_in(3) {
            let comment = self.pick(&COMMENTS);
            let line = self.pick(&["", "  ", "\t"]);
            let comment = if self.one_in(2) { comment } else { "" };
            self.words(&format!("{line}{comment}\n"));
        }
    }

    /// A key in one of its spellings, and its sign of equality.
    fn key(&mut self, key: &str) {
        let indent = self.pick(&["", "", "  ", "\t"]);
        let key = match self.generator.random_range(0..4) {
            0 => format!("\"{key}\""),
            1 => format!("'{key}'"),
            _ => key.to_owned(),
        };
        let equals = self.pick(&[" = ", "=", "\t=\t", " =  "]);
        self.words(&format!("{indent}{key}{equals}"));
    }

    fn line(&mut self, key: &str, value: &str) {
        self.key(key);
        self.words(value);
        self.end();
    }

    fn head(&mut self) {
        if self.one_in(2) {
            self.end();
        }
        self.line("format", "1");
        let game = "{ name = \"dots_and_boxes\", rows = 3, cols = 0x3 }";
        self.line("game", game);
        // Tables out of order: the budget may come last.
        let simulations = self.pick(&["20", "0x14", "2_0"]);
        if self.one_in(2) {
            self.words(&format!("budget.simulations = {simulations}"));
            self.end();
        } else {
            let text = format!("\n[budget]\nsimulations = {simulations} # each\n");
            self.tail.push(Piece::Words(text));
        }
        self.words("solver . 'table_mib' = 1");
        self.end();
    }

    fn header(&mut self, path: &[&str]) {
        let quoted: Vec<String> = path
            .iter()
            .map(|part| match self.generator.random_range(0..4) {
                0 => format!("\"{part}\""),
                1 => format!(" '{part}' "),
                _ => (*part).to_owned(),
            })
            .collect();
        let indent = self.pick(&["", "  ", "\t"]);
        let header = format!("{indent}[{}]", quoted.join("."));
        self.words(&header);
        self.end();
    }

    fn stages(&mut self) {
        self.header(&["stages", "opening"]);
        self.line("from", "{ ply = 0 }");
        self.line("searcher", "'uct'");
        self.key("exploration");
        self.number("stages.opening.exploration", &FLOATS);
        self.end();
        self.key("depth_plies");
        self.number("stages.opening.depth_plies", &WHOLE);
        self.end();
        self.bias("opening");
        self.header(&["stages", "layout"]);
        self.words("from = {ply=");
        self.number("stages.layout.from.ply", &STARTS);
        self.words("}");
        self.end();
        self.line("searcher", "\"uct\"");
        self.line("depth_plies", "\"opening\"");
        if self.one_in(2) {
            self.line("bias", "'opening'");
        } else {
            self.bias("layout");
        }
        self.header(&["stages", "endgame"]);
        self.line("from", "{ edges_left = 1_0 }");
        self.line("searcher", "\"alpha_beta\"");
    }

    /// The bias as an inline table over one line or several, by dotted keys, or as a table.
    fn bias(&mut self, stage: &str) {
        let path = |name: &str| format!("stages.{stage}.bias.{name}");
        match self.generator.random_range(0..4) {
            0 => {
                self.words("bias = ");
                self.inline_bias(stage);
                self.end();
            }
            1 => {
                for name in ["gives", "capture"] {
                    self.words(&format!(" bias . {name} = "));
                    self.signed(&path(name));
                    self.end();
                }
            }
            kind => {
                let before = self.pieces.len();
                self.header(&["stages", stage, "bias"]);
                for name in ["other", "capture", "gives"] {
                    self.key(name);
                    self.signed(&path(name));
                    self.end();
                }
                if kind == 2 {
                    let table = self.pieces.split_off(before);
                    self.tail.extend(table);
                }
            }
        }
    }

    fn inline_bias(&mut self, stage: &str) {
        let path = |name: &str| format!("stages.{stage}.bias.{name}");
        if self.one_in(2) {
            self.words("{ capture = ");
            self.signed(&path("capture"));
            self.words(",gives=");
            self.signed(&path("gives"));
            self.words(" }");
            return;
        }
        self.words("{");
        self.end();
        for name in ["capture", "gives"] {
            self.key(name);
            self.signed(&path(name));
            let before_comma = self.pick(&["", " ", "\t"]);
            self.words(&format!("{before_comma},"));
            self.end();
        }
        self.words("}");
    }

    /// All stages in one inline table each.
    fn inline_stages(&mut self) {
        self.header(&["stages"]);
        self.key("opening");
        self.words("{ from.ply = 0, searcher = \"uct\", exploration = ");
        self.number("stages.opening.exploration", &FLOATS);
        self.words(", bias = ");
        self.inline_bias("opening");
        self.words("}");
        self.end();
        self.words("layout.searcher = 'uct'\nlayout.from.ply = ");
        self.number("stages.layout.from.ply", &STARTS);
        self.words("\nlayout.bias = 'opening'\n");
        self.words("endgame = { from = { solvable = true }, searcher = 'alpha_beta' }");
        self.end();
    }

    /// Line ends, a mark at the beginning, and perhaps no end of the last line.
    fn lay_out(&mut self) {
        let ends = self.generator.random_range(0..3);
        for index in 0..self.pieces.len() {
            if let Piece::Words(words) = self.pieces[index].clone() {
                let parts: Vec<&str> = words.split('\n').collect();
                let mut text = parts[0].to_owned();
                for part in &parts[1..] {
                    let carriage = ends == 1 || (ends == 2 && self.one_in(2));
                    text += if carriage { "\r\n" } else { "\n" };
                    text += part;
                }
                self.pieces[index] = Piece::Words(text);
            }
        }
        if self.one_in(3)
            && let Some(Piece::Words(last)) = self.pieces.last_mut()
        {
            last.truncate(last.trim_end_matches(['\r', '\n']).len());
        }
        if self.one_in(4) {
            self.pieces.insert(0, Piece::Words("\u{feff}".to_owned()));
        }
    }
}
