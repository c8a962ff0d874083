//! Damage as accidents and hostile hands do it, from a seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Numbers that readers may not expect, spelt in several ways.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "-0.0",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999",
    "1e308",
    "1e999",
    "nan",
];
/// What opens something, to be nested deep.
const OPENINGS: [&str; 6] = ["[", "{", "{\"a\":", "a.", "[[", "(\"r(a1,h)\","];
/// Longest text that a mutation comes to, in bytes.
const BYTES_MAX: usize = 1 << 16;

/// The bytes after one to four mutations; `others` is what is spliced in.
pub(crate) fn mutated(bytes: &[u8], others: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut result = bytes.to_vec();
    for _ in 0..generator.random_range(1..5) {
        result = once(result, others, &mut generator);
        result.truncate(BYTES_MAX);
    }
    result
}

fn once(mut bytes: Vec<u8>, others: &[Vec<u8>], generator: &mut ChaCha8Rng) -> Vec<u8> {
    let (from, to) = chunk(&bytes, generator);
    match generator.random_range(0..9) {
        0 if !bytes.is_empty() => {
            let at = generator.random_range(0..bytes.len());
            bytes[at] ^= 1 << generator.random_range(0..8);
        }
        1 => bytes.truncate(from),
        2 => drop(bytes.drain(from..to)),
        3 => {
            let repeated = bytes[from..to].repeat(generator.random_range(1..40));
            bytes.splice(to..to, repeated);
        }
        4 => {
            let other = &others[generator.random_range(0..others.len())];
            let (first, last) = chunk(other, generator);
            bytes.splice(from..to, other[first..last].iter().copied());
        }
        5 | 6 => replace_number(&mut bytes, from, generator),
        7 => {
            let opening = OPENINGS[generator.random_range(0..OPENINGS.len())];
            let nest = opening.repeat(generator.random_range(1..4000));
            bytes.splice(from..from, nest.into_bytes());
        }
        _ => bytes
            .splice(from..from, [generator.random::<u8>()])
            .for_each(drop),
    }
    bytes
}

/// Two places in the bytes, in order; often at ends of lines.
fn chunk(bytes: &[u8], generator: &mut ChaCha8Rng) -> (usize, usize) {
    let mut place = || {
        let at = generator.random_range(0..=bytes.len());
        let line = bytes[at..].iter().position(|&byte| byte == b'\n');
        match line {
            Some(rest) if generator.random() => at + rest + 1,
            _ => at,
        }
    };
    let (one, two) = (place(), place());
    (one.min(two), one.max(two))
}

/// Puts another number in the place of the first one behind `from`.
fn replace_number(bytes: &mut Vec<u8>, from: usize, generator: &mut ChaCha8Rng) {
    let Some(first) = bytes[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + first;
    let digits = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let end = start + digits.count();
    let number = NUMBERS[generator.random_range(0..NUMBERS.len())];
    bytes.splice(start..end, number.bytes());
}
