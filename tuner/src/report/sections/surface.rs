//! The fitted surface: a map of two parameters with the games on it, and a slice along each.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{Context, figure, without_outlook};
use crate::outlook::Outlook;
use crate::report::plot::{Axis, Frame, Height, Map, coordinate, outline};
use crate::report::words::{counted, grouped, plain, signed};
use crate::space::{Scale, Vector};
use crate::stats::Z_95;

/// Height of a map: about a square.
const MAP_HEIGHT: f64 = 430.0;
/// A point whose strength against the result has a larger standard deviation, in Elo, is not drawn.
const DEVIATION_MAX: f64 = 60.0;
/// Contour lines that a map has about.
const CONTOURS: f64 = 7.0;
/// Elo below the highest point down to which maps and slices show differences, at most.
const DEPTH_MAX: f64 = 600.0;
/// Most vectors that are drawn as dots: those with the most games.
const DOTS_MAX: usize = 500;
/// How far along its line the number of a contour stands; neighbours' do not cover each other.
const LABELS: [f64; 3] = [0.5, 0.25, 0.75];
/// Room around what played on a map, in its width, and at least in the whole range's.
const ROOM: f64 = 0.15;
const ROOM_MIN: f64 = 0.02;
/// Games from which on a dot has the largest size, unless another vector has more.
const LARGEST_DOT_GAMES: u64 = 100;
/// Points of a slice.
const SLICE_POINTS: usize = 60;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let Some(outlook) = &context.outlook else {
        return without_outlook(context);
    };
    let pair = most_sensitive(context, outlook);
    html! {
        p class="soft" {
            "A smooth surface fitted to all "
            (counted(context.story.summary.games, "game")) " of the tuning by logistic regression. "
            "It shows what the games say, not what is true: where few were played, it is wide open."
            @if !outlook.fits { " Here the games contradict it: see the verdict." }
        }
        div class="plots" {
            (map(context, outlook, pair))
            @for index in 0..context.names.len() { (slice(context, outlook, index)) }
        }
    }
}

/// A point of a slice: the parameter's value, Elo over the result, and its standard deviation.
type SlicePoint = (f64, f64, f64);

fn slice_points(context: &Context<'_>, outlook: &Outlook, index: usize) -> Vec<SlicePoint> {
    let result = outlook.coordinates.to_unit(&context.result);
    let point = |step: usize| {
        let mut unit = result.clone();
        unit[index] = step as f64 / SLICE_POINTS as f64;
        let difference = outlook.fit.difference(&unit, &result);
        (unit[index], difference.elo, difference.deviation)
    };
    // There is nothing between two words.
    let is_choice = context.parameters()[index].is_choice();
    let every = if is_choice { SLICE_POINTS } else { 1 };
    (0..=SLICE_POINTS).step_by(every).map(point).collect()
}

/// The two parameters along which the strength changes most around the result, in the job's order.
fn most_sensitive(context: &Context<'_>, outlook: &Outlook) -> [usize; 2] {
    let result = outlook.coordinates.to_unit(&context.result);
    let change = |index: usize| {
        let near = |it: &&SlicePoint| (it.0 - result[index]).abs() <= 0.25;
        let points = slice_points(context, outlook, index);
        let near = points.iter().filter(near).map(|it| it.1);
        let ends = near.fold([f64::MAX, f64::MIN], |[low, high], elo| {
            [low.min(elo), high.max(elo)]
        });
        ends[1] - ends[0]
    };
    let mut by_change: Vec<(f64, usize)> = (0..context.names.len())
        .map(|it| (change(it), it))
        .collect();
    by_change.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut pair = [by_change[0].1, by_change[1].1];
    pair.sort_unstable();
    pair
}

fn slice(context: &Context<'_>, outlook: &Outlook, index: usize) -> Markup {
    let parameter = &context.parameters()[index];
    let known: Vec<SlicePoint> = slice_points(context, outlook, index)
        .into_iter()
        .filter(|(_, _, deviation)| *deviation <= DEVIATION_MAX)
        .collect();
    // Far below the top nothing is decided: the depth is cut, so that the top can be seen.
    let top = known.iter().map(|it| it.1).fold(0.0, f64::max);
    let shown: Vec<SlicePoint> = known
        .into_iter()
        .filter(|(_, elo, _)| *elo >= top - DEPTH_MAX)
        .collect();
    let ends = |(_, elo, deviation): &SlicePoint| [elo - Z_95 * deviation, elo + Z_95 * deviation];
    let y = Axis::around(shown.iter().flat_map(ends).chain([0.0]));
    let frame = Frame::new(Axis::parameter(parameter), y);
    let at = |unit: f64, elo: f64| [frame.at_share([unit, 0.0])[0], frame.at_y(elo)];
    let upper = shown.iter().map(|it| at(it.0, ends(it)[1]));
    let lower = shown.iter().rev().map(|it| at(it.0, ends(it)[0]));
    let [left, top, right, bottom] = frame.area().map(coordinate);
    let start = coordinate(frame.at_x(context.start.0[index]));
    let [x, zero] = frame.at([context.result.0[index], 0.0]).map(coordinate);
    let marks = html! {
        @if !shown.is_empty() {
            path d=(format!("{}Z", outline(upper.chain(lower)))) class="band" {}
        }
        path d=(format!("M{left} {zero}H{right}")) class="thin sg" {}
        path d=(format!("M{start} {top}V{bottom}")) class="thin sg dash" {}
        path d=(outline(shown.iter().map(|it| at(it.0, it.1)))) class="line s1" {}
        circle cx=(x) cy=(zero) r="4.5" class="f2" {}
    };
    let name = &context.names[index];
    let caption = html! {
        "Along " (name) " "
        span class="soft" {
            @if let Scale::Choice([first, second]) = parameter.scale {
                "0 is " (first) ", 1 is " (second) ", nothing is between; "
            }
            "all else as in the result"
        }
    };
    let label = format!("Elo over the result along {}", parameter.path);
    figure(
        &caption,
        &frame.plot(&label, [name, "Elo over the result"], &marks),
    )
}

/// The part of the unit square that a map shows: where games were played, with some room around.
fn window(outlook: &Outlook, pair: [usize; 2]) -> [[f64; 2]; 2] {
    pair.map(|index| {
        let [low, high] = [0, 1].map(|end| outlook.played[end][index]);
        let room = f64::max(ROOM * (high - low), ROOM_MIN);
        [f64::max(low - room, 0.0), f64::min(high + room, 1.0)]
    })
}

fn map(context: &Context<'_>, outlook: &Outlook, pair: [usize; 2]) -> Markup {
    let result = outlook.coordinates.to_unit(&context.result);
    let start = outlook.coordinates.to_unit(&context.start);
    let window = window(outlook, pair);
    let place = |point: [f64; 2]| {
        let mut unit = result.clone();
        for ((index, [low, high]), share) in pair.into_iter().zip(window).zip(point) {
            unit[index] = low + share * (high - low);
        }
        unit
    };
    let heights = Map::of(|point| {
        let unit = place(point);
        Height {
            value: outlook.fit.difference(&unit, &start).elo,
            is_known: outlook.fit.difference(&unit, &result).deviation <= DEVIATION_MAX,
        }
    });
    let part = |axis: usize| Axis::part_of(&context.parameters()[pair[axis]], window[axis]);
    let [x, y] = [part(0), part(1)];
    let frame = Frame::new(x, y).with_height(MAP_HEIGHT);
    let names = pair.map(|index| context.names[index].as_str());
    let drawn = heights.range().map(|[low, high]| {
        let low = low.max(high - DEPTH_MAX);
        contoured(&heights, &frame, [low, high])
    });
    let [caption_x, caption_y] = names;
    let caption = html! {
        (caption_x) " and " (caption_y) " "
        @if context.names.len() > 2 {
            span class="soft" { "the two that matter most, all else as in the result" }
        }
    };
    let marks = html! {
        @if let Some(drawn) = drawn { (drawn) }
        (dots(context, &frame, pair))
        (ends(context, outlook, &frame, pair))
    };
    let label = format!("Map of the surface over {caption_x} and {caption_y}");
    html! {
        figure class="tall" {
            figcaption { (caption) }
            (frame.plot(&label, names, &marks))
            p class="soft small" {
                "Lines: Elo over the start, as predicted; the darker, the stronger. Small dots: "
                "vectors that played, larger with more games. Ring: the start. Orange dot: the "
                "result. Cross: the highest point among what was tried. Blank: too few games to "
                "say (standard error above " (DEVIATION_MAX) " Elo)."
            }
        }
    }
}

/// The fill, the contour lines and their numbers.
fn contoured(heights: &Map, frame: &Frame, [low, high]: [f64; 2]) -> Markup {
    let high = if high > low { high } else { low + 1.0 };
    let levels = levels(low, high);
    html! {
        (heights.fill(frame, [low, high]))
        @for (index, level) in levels.into_iter().enumerate() {
            @let outline = heights.contour(frame, level);
            @if let Some(at) = point_of(&outline, LABELS[index % LABELS.len()]) {
                path d=(outline) class="contour" {}
                text x=(at[0]) y=(at[1]) class="mid level halo" { (number(level)) }
            }
        }
    }
}

fn number(level: f64) -> String {
    if level == 0.0 {
        "0".to_owned()
    } else {
        signed(level, 0)
    }
}

/// Round numbers between the ends.
fn levels(low: f64, high: f64) -> Vec<f64> {
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    let fits = |step: &&f64| (high - low) / **step <= CONTOURS + 1.0;
    let step = *steps.iter().find(fits).unwrap_or(&500.0);
    let first = libm::ceil(low / step) as i64;
    let last = libm::floor(high / step) as i64;
    (first..=last).map(|index| index as f64 * step).collect()
}

/// A point of an outline, so far along its pieces (a share in [0, 1)), for its number.
fn point_of(outline: &str, along: f64) -> Option<[&str; 2]> {
    let pieces: Vec<&str> = outline.split('M').skip(1).collect();
    let piece = pieces.get((along * pieces.len() as f64) as usize)?;
    let (x, y) = piece.split('L').next()?.split_once(' ')?;
    Some([x, y])
}

/// The vectors that played, by their games.
fn dots(context: &Context<'_>, frame: &Frame, pair: [usize; 2]) -> Markup {
    let mut games: BTreeMap<[u64; 2], (&Vector, u64)> = BTreeMap::new();
    for met in context.story.summary.played.pairs() {
        for vector in [&met.a, &met.b] {
            // What differs outside of the map's two parameters stands in the same place.
            let key = pair.map(|index| vector.0[index].to_bits());
            games.entry(key).or_insert((vector, 0)).1 += met.wdl.games();
        }
    }
    let mut vectors: Vec<(&Vector, u64)> = games.into_values().collect();
    // The sort is stable: equals keep the order of the map.
    vectors.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let most = vectors
        .first()
        .map_or(0, |(_, games)| *games)
        .max(LARGEST_DOT_GAMES);
    html! {
        g class="played" {
            @for (vector, games) in vectors.into_iter().take(DOTS_MAX) {
                @let [x, y] = frame.at(pair.map(|index| vector.0[index])).map(coordinate);
                @let radius = 1.5 + 4.0 * (games as f64 / most as f64).sqrt();
                circle cx=(x) cy=(y) r=(coordinate(radius)) {
                    title { (grouped(games)) " games" }
                }
            }
        }
    }
}

/// The start, the result and the highest point.
fn ends(context: &Context<'_>, outlook: &Outlook, frame: &Frame, pair: [usize; 2]) -> Markup {
    let at = |vector: &Vector| frame.at(pair.map(|index| vector.0[index]));
    let [start, result] = [&context.start, &context.result].map(|it| at(it).map(coordinate));
    let top = outlook.optimum(&context.result);
    let values = outlook.coordinates.to_vector(&top);
    let [x, y] = at(&values);
    let [left, right, above, below] = [x - 6.0, x + 6.0, y - 6.0, y + 6.0].map(coordinate);
    let cross = format!("M{left} {above}L{right} {below}M{left} {below}L{right} {above}");
    let more = outlook
        .fit
        .difference(&top, &outlook.coordinates.to_unit(&context.result));
    html! {
        circle cx=(start[0]) cy=(start[1]) r="6" class="ring" { title { "start" } }
        circle cx=(result[0]) cy=(result[1]) r="6" class="result" { title { "result" } }
        path d=(cross) class="cross" {
            title { "highest point: " (plain(more.elo, 1)) " Elo above the result" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_round_and_few() {
        assert_eq!(
            levels(-3.0, 4.2),
            [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0]
        );
        assert_eq!(
            levels(-250.0, 42.0),
            [-250.0, -200.0, -150.0, -100.0, -50.0, 0.0]
        );
        assert!(levels(-1e6, 0.0).len() < 3000);
    }

    #[test]
    fn the_place_of_a_number_is_on_its_line() {
        assert_eq!(point_of("", 0.5), None);
        assert_eq!(point_of("M1 2L3 4", 0.75), Some(["1", "2"]));
        assert_eq!(point_of("M1 2L3 4M5 6L7 8", 0.5), Some(["5", "6"]));
    }
}
