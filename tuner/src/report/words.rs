//! Numbers and names as people read them in the report.

use crate::space::Space;

/// Minus sign of typography, which a number for reading has; values to copy keep the hyphen.
const MINUS: &str = "\u{2212}";

/// A whole number in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// So many of something, with its plural's s.
pub(super) fn counted(number: u64, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {word}{plural}", grouped(number))
}

/// A number with its sign.
pub(super) fn signed(number: f64, digits: usize) -> String {
    // Adding zero turns -0 into 0.
    let text = format!("{:+.digits$}", number + 0.0);
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => format!("+{rest}"),
        Some(rest) => format!("{MINUS}{rest}"),
        None => text,
    }
}

/// A number without a plus.
pub(super) fn plain(number: f64, digits: usize) -> String {
    let text = signed(number, digits);
    text.strip_prefix('+').unwrap_or(&text).to_owned()
}

/// Elo with its 95 % interval.
pub(super) fn elo_with_interval(elo: f64, [low, high]: [f64; 2]) -> String {
    let [elo, low, high] = [elo, low, high].map(|number| signed(number, 1));
    format!("{elo} Elo [{low}, {high}]")
}

/// A number in three significant digits, for what was computed and is not to be copied.
pub(super) fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = libm::floor(libm::log10(number.abs()));
    let digits = (2.0 - magnitude).clamp(0.0, 9.0) as usize;
    let text = plain(number, digits);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A list with commas and an "and".
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// A short name for each parameter: the last parts of its path, as many as tell them apart.
pub(super) fn short_names(space: &Space) -> Vec<String> {
    let paths: Vec<Vec<&str>> = space
        .parameters
        .iter()
        .map(|it| it.path.split('.').collect())
        .collect();
    let tail = |path: &[&str], parts: usize| path[path.len().saturating_sub(parts)..].join(".");
    let name = |path: &Vec<&str>| {
        let alone = |&parts: &usize| {
            let same = |other: &&Vec<&str>| tail(other, parts) == tail(path, parts);
            paths.iter().filter(same).count() == 1
        };
        let parts = (1..path.len()).find(alone).unwrap_or(path.len());
        tail(path, parts)
    };
    paths.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Parameter, Scale};

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(2000, "game"), "2,000 games");
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-1.25, 1), "\u{2212}1.2");
        assert_eq!(plain(1.0, 0), "1");
        assert_eq!(short(0.05), "0.05");
        assert_eq!(short(1234.5), "1234");
        assert_eq!(short(-0.0123), "\u{2212}0.0123");
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn names_are_as_short_as_tells_them_apart() {
        let parameter = |path: &str| Parameter {
            path: path.to_owned(),
            scale: Scale::Linear,
            integer: false,
            step: 0.1,
            min: 0.0,
            max: 1.0,
            start: 0.5,
        };
        let paths = [
            "a.opening.bias.gives",
            "a.layout.bias.gives",
            "a.opening.depth",
            "x",
        ];
        let space = Space::new(paths.map(parameter).to_vec());
        let names = ["opening.bias.gives", "layout.bias.gives", "depth", "x"];
        assert_eq!(short_names(&space), names);
    }
}
