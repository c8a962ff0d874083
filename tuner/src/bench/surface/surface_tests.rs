//! Surfaces against the published numbers, and their optima against a search.

use super::*;

/// Regret at the start in Elo, as the field note has it, and how far it rounds.
const START_REGRETS: [(&str, f64, f64); 14] = [
    ("QUAD-100", 100.0, 1e-9),
    ("QUAD-20", 20.0, 1e-9),
    ("LOG2", 231.0, 0.5),
    ("ROSEN", 295.0, 0.5),
    ("CORR", 60.0, 0.5),
    ("POWER2", 25.0, 2.0),
    ("FLAT2", 49.0, 0.5),
    ("ANGLE2", 25.0, 2.0),
    ("STEP2", 440.0, 5.0),
    ("DOTS-A", 501.0, 1e-9),
    // 28.5 ln(1 / 0.12)^2 for C, and 95 for the missing bias.
    ("DOTS-B", 223.1, 0.1),
    ("LOG8", 8.0 * 115.0, 8.0),
    ("CQ8", 150.0, 1e-9),
    ("RAG8", 150.0, 1e-9),
];

fn named(name: &str, seed: u64) -> Surface {
    Surface::named(name, seed).expect("a known name")
}

#[test]
fn every_surface_starts_at_its_published_regret() {
    let names: Vec<&str> = START_REGRETS.iter().map(|row| row.0).collect();
    let mut known: Vec<&str> = Surface::names().collect();
    known.sort_unstable();
    let mut listed = names.clone();
    listed.sort_unstable();
    assert_eq!(listed, known);
    for (name, expected, tolerance) in START_REGRETS {
        for seed in [0, 1, 77] {
            let surface = named(name, seed);
            let regret = surface.start_regret();
            assert!((regret - expected).abs() <= tolerance, "{name}: {regret}");
            assert_eq!(surface.name(), name);
            surface.space().validate().expect("a space to search");
        }
    }
}

#[test]
fn names_are_exact() {
    assert!(Surface::named("QUAD", 0).is_none());
    assert!(Surface::named("quad-100", 0).is_none());
}

/// The vector at unit coordinates, on the scales of the parameters.
fn at(surface: &Surface, units: &[f64]) -> Vector {
    let parameters = surface.space().parameters.iter();
    let value = |(parameter, unit): (&Parameter, &f64)| match parameter.scale {
        Scale::Linear | Scale::Choice(_) => parameter.min + unit * (parameter.max - parameter.min),
        Scale::Log => parameter.min * (parameter.max / parameter.min).powf(*unit),
    };
    Vector(parameters.zip(units).map(value).collect())
}

/// The largest Elo that grids around the best point so far find, each a fifth of the one before.
fn searched(surface: &Surface) -> f64 {
    let (mut centre, mut half, mut best) = ([0.5, 0.5], 0.5, f64::MIN);
    while half > 1e-7 {
        let middle = centre;
        for column in -100..=100 {
            for row in -100..=100 {
                let point = [(column, middle[0]), (row, middle[1])]
                    .map(|(at, middle)| (middle + half * f64::from(at) / 100.0).clamp(0.0, 1.0));
                let elo = surface.elo(&at(surface, &point));
                if elo > best {
                    (best, centre) = (elo, point);
                }
            }
        }
        half /= 5.0;
    }
    best
}

#[test]
fn no_point_of_two_parameters_is_better_than_the_optimum_and_one_is_as_good() {
    for name in Surface::TWO.iter().chain(&Surface::JUMPS) {
        let surface = named(name, 3);
        let gap = surface.best() - searched(&surface);
        // A billionth of an Elo for what is rounded, a jump's top is met to the last grid.
        assert!((-1e-9..1e-3).contains(&gap), "{name}: {gap}");
    }
}

/// The top of a quadratic bowl, by Newton's step from the start: exact whatever the bowl.
fn top_of_bowl(surface: &Surface) -> Vector {
    let count = surface.space().parameters.len();
    let start = vec![0.5; count];
    let shifted = |shifts: &[(usize, f64)]| {
        let mut point = start.clone();
        for (index, shift) in shifts {
            point[*index] += shift;
        }
        surface.elo(&Vector(point))
    };
    // Differences of a quadratic function are its derivatives, whatever the width.
    let width = 0.25;
    let mut system: Vec<Vec<f64>> = Vec::new();
    for i in 0..count {
        let mut row: Vec<f64> = (0..count)
            .map(|j| {
                let [a, b, c, d] = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
                    .map(|(one, two)| shifted(&[(i, one * width), (j, two * width)]));
                (a - b - c + d) / (4.0 * width * width)
            })
            .collect();
        row.push(-(shifted(&[(i, width)]) - shifted(&[(i, -width)])) / (2.0 * width));
        system.push(row);
    }
    // Gauss and Jordan; bowls need no pivoting.
    for i in 0..count {
        let pivot = system[i].clone();
        for (row, line) in system.iter_mut().enumerate() {
            let factor = line[i] / pivot[i];
            if row != i {
                for (entry, theirs) in line.iter_mut().zip(&pivot) {
                    *entry -= factor * theirs;
                }
            }
        }
    }
    let moves = (0..count).map(|i| system[i][count] / system[i][i]);
    Vector(start.iter().zip(moves).map(|(a, b)| a + b).collect())
}

#[test]
fn the_tops_of_bowls_lie_in_the_cube_at_the_optimum() {
    for name in ["QUAD-100", "QUAD-20", "CQ8", "RAG8"] {
        for seed in 0..20 {
            let surface = named(name, seed);
            let top = top_of_bowl(&surface);
            assert!(
                surface.space().contains(&top),
                "{name}, seed {seed}: {top:?}"
            );
            let gap = surface.best() - surface.elo(&top);
            assert!(gap.abs() < 1e-6, "{name}, seed {seed}: {gap}");
        }
    }
}

/// Minus half of the matrix of second derivatives, times `vector`.
fn curve(surface: &Surface, vector: &[f64]) -> Vec<f64> {
    let elo = |offsets: &[f64]| {
        let point = offsets.iter().map(|offset| 0.5 + offset).collect();
        surface.elo(&Vector(point))
    };
    // The difference of a quadratic function's slopes, which differences of its values are.
    let width = 0.1;
    let slope = |base: &[f64], index: usize| {
        let side = |sign: f64| {
            let mut point = base.to_vec();
            point[index] += sign * width;
            elo(&point)
        };
        (side(1.0) - side(-1.0)) / (2.0 * width)
    };
    let origin = vec![0.0; vector.len()];
    (0..vector.len())
        .map(|index| -0.5 * (slope(vector, index) - slope(&origin, index)))
        .collect()
}

/// The largest eigenvalue of `matrix - shift`, by power iteration, plus `shift`.
fn extreme_curvature(surface: &Surface, shift: f64) -> f64 {
    let mut vector: Vec<f64> = (1..=8).map(|i| 1.0 / f64::from(i)).collect();
    let mut value = 0.0;
    for _ in 0..20_000 {
        let product = curve(surface, &vector);
        let moved = product.iter().zip(&vector).map(|(p, v)| p - shift * v);
        let moved: Vec<f64> = moved.collect();
        let length = moved.iter().map(|m| m * m).sum::<f64>().sqrt();
        value = moved.iter().zip(&vector).map(|(m, v)| m * v).sum::<f64>()
            / vector.iter().map(|v| v * v).sum::<f64>();
        vector = moved.iter().map(|m| m / length).collect();
    }
    value + shift
}

#[test]
fn curvatures_of_the_correlated_bowl_differ_by_a_factor_of_thirty() {
    let surface = named("CQ8", 4);
    let most = extreme_curvature(&surface, 0.0);
    let least = extreme_curvature(&surface, most);
    assert!((most / least - 30.0).abs() < 0.01, "{}", most / least);
}

#[test]
fn bowls_move_with_the_seed_and_nothing_else_does() {
    for name in Surface::names() {
        let elo = |seed| {
            let surface = named(name, seed);
            let place = vec![0.3; surface.space().parameters.len()];
            surface.elo(&at(&surface, &place))
        };
        let moves = ["QUAD-100", "QUAD-20", "CQ8", "RAG8"].contains(&name);
        assert_eq!(elo(1) != elo(2), moves, "{name}");
        assert_eq!(elo(1), elo(1));
    }
}

/// Values by hand, from the definitions: (name, unit coordinates, logits).
#[test]
fn the_test_problems_have_their_values() {
    let cases = [
        ("LOG2", [0.5, 0.5], 2.0 * (2.0 * 4.1f64.ln() - 3.0)),
        ("FLAT2", [0.2, 0.5], 0.2 + 0.2 / 3.376),
        ("POWER2", [1.0, 0.0], 0.2 - 1.0),
        ("ANGLE2", [0.4, 0.9], 1.0 + 1.0 + 2f64.sqrt() - 3f64.sqrt()),
        ("STEP2", [0.35, 0.95], 1.0 - 2.0),
        ("STEP2", [0.1, 0.36], -2.0 - 0.02 / 1.1),
        ("ROSEN", [0.5, 0.5], 1.0 - 0.1 * (1.0 + 16.0)),
        ("CORR", [0.25, 0.7], 0.1),
        (
            "CORR",
            [0.5, 0.5],
            0.2 * (-1.0 + 1.0 - 1.0 - 0.6561 + 0.729 - 0.81) + 0.1,
        ),
    ];
    for (name, place, logits) in cases {
        let elo = named(name, 0).elo(&Vector(place.to_vec()));
        let expected = logits * 400.0 / std::f64::consts::LN_10;
        assert!((elo - expected).abs() < 1e-9, "{name} at {place:?}: {elo}");
    }
}
