//! Elo over time: what the fitted surface predicts of the values in force, and what was measured.

use maud::{Markup, html};

use super::{Context, figure, key, without_outlook};
use crate::outlook::Outlook;
use crate::report::plot::{Axis, Frame, POINTS_MAX, coordinate, outline, spread, steps};
use crate::report::words::{plain, short, signed};
use crate::stats::{EloEstimate, Z_95};

/// Room to the right of the plot for what was measured.
const RIGHT: f64 = 92.0;

/// Elo over the start that is predicted of the values in force after so many games.
struct Prediction {
    games: f64,
    elo: f64,
    /// Half the width of the 95 % interval.
    half_width: f64,
}

pub(super) fn body(context: &Context<'_>) -> Markup {
    let Some(outlook) = &context.outlook else {
        return without_outlook(context);
    };
    let predictions = predictions(context, outlook);
    let last = predictions.last().expect("there is one of the start");
    let measured = context.story.summary.last_attempt();
    let measured = measured.and_then(|it| it.measured.pentanomial.elo().estimate());
    let mut entries = vec![("s1", "predicted, with its 95 % band".to_owned())];
    if measured.is_some() {
        entries.push((
            "s2",
            "measured on fresh games, with its 95 % interval".to_owned(),
        ));
    }
    html! {
        p class="soft" {
            "The line is a " b { "prediction" } ": what one surface, fitted to all games of the "
            "tuning, says in hindsight of the values that were in force. Those games made the "
            "values win, so the line is not their strength. "
            @if measured.is_some() { "The strength is what fresh games measured." }
            @else { "Only a verification measures that." }
        }
        div class="plots" {
            (figure(&html! { "Elo over the start" }, &plot(context, &predictions, measured)))
            dl {
                dt { "Predicted for the result" }
                dd { (signed(last.elo, 1)) " Elo, give or take " (plain(last.half_width, 1)) }
                dt { "Measured" }
                dd {
                    @match measured {
                        Some(it) => {
                            b { (signed(it.elo, 1)) " Elo" } ", give or take "
                            (plain(it.half_width_95(), 1))
                        },
                        None => "not yet",
                    }
                }
                (left(context, outlook))
            }
        }
        (key(&entries))
    }
}

/// Where the surface is highest and what is left to gain, among what was tried.
fn left(context: &Context<'_>, outlook: &Outlook) -> Markup {
    let top = outlook.optimum(&context.result);
    let vector = outlook.coordinates.to_vector(&top);
    let gain = outlook.remaining_gain;
    html! {
        dt { "Highest point of the surface among what was tried" }
        dd {
            @for (index, value) in vector.0.iter().enumerate() {
                @if index > 0 { ", " }
                @let word = context.parameters()[index].word(*value);
                (context.names[index]) " " (word.map_or_else(|| short(*value), str::to_owned))
            }
        }
        dt { "Still to be gained among what was tried" }
        dd {
            @if outlook.fits {
                (plain(gain.expected, 1)) " Elo expected, at most " (plain(gain.at_most_95, 1))
                " (95 %)"
            } @else { "not known: the surface does not fit" }
        }
    }
}

fn predictions(context: &Context<'_>, outlook: &Outlook) -> Vec<Prediction> {
    let rounds = &context.story.rounds;
    let start = (0, &context.start);
    let ends = spread(rounds.len(), POINTS_MAX).into_iter();
    let ends = ends.map(|at| (rounds[at].games, &rounds[at].summary.incumbent));
    let now = (context.story.summary.games, &context.result);
    std::iter::once(start)
        .chain(ends)
        .chain([now])
        .map(|(games, vector)| {
            let difference = outlook.difference(vector, &context.start);
            Prediction {
                games: games as f64,
                elo: difference.elo,
                half_width: Z_95 * difference.deviation,
            }
        })
        .collect()
}

fn plot(
    context: &Context<'_>,
    predictions: &[Prediction],
    measured: Option<EloEstimate>,
) -> Markup {
    let ends = |it: &Prediction| [it.elo - it.half_width, it.elo + it.half_width];
    let values = predictions.iter().flat_map(ends);
    let measured_ends = measured.into_iter().flat_map(|it| it.elo_95);
    let y = Axis::around(values.chain(measured_ends).chain([0.0]));
    let frame = Frame::new(Axis::count(context.story.summary.games), y).with_room_right(RIGHT);
    let line = |of: &dyn Fn(&Prediction) -> f64| {
        let points: Vec<[f64; 2]> = predictions.iter().map(|it| [it.games, of(it)]).collect();
        steps(&points)
            .into_iter()
            .map(|point| frame.at(point))
            .collect::<Vec<_>>()
    };
    let upper = line(&|it| ends(it)[1]);
    let lower = line(&|it| ends(it)[0]);
    let band = outline(upper.into_iter().chain(lower.into_iter().rev()));
    let [left, _, right, _] = frame.area().map(coordinate);
    let zero = coordinate(frame.at_y(0.0));
    let marks = html! {
        path d=(format!("{band}Z")) class="band" {}
        path d=(format!("M{left} {zero}H{right}")) class="thin sg dash" {}
        path d=(outline(line(&|it| it.elo))) class="line s1" {}
        @if let Some(estimate) = measured { (interval(&frame, estimate)) }
    };
    frame.plot(
        "Elo over the start over the games",
        ["games of tuning", "Elo over start"],
        &marks,
    )
}

/// The measured strength beside the plot.
fn interval(frame: &Frame, estimate: EloEstimate) -> Markup {
    let x = frame.area()[2] + 20.0;
    let [low, high] = estimate.elo_95.map(|elo| coordinate(frame.at_y(elo)));
    let middle = frame.at_y(estimate.elo);
    let [left, right] = [x - 5.0, x + 5.0].map(coordinate);
    let at = coordinate(x);
    html! {
        path d=(format!("M{at} {low}V{high}M{left} {low}H{right}M{left} {high}H{right}"))
            class="line s2" {}
        circle cx=(at) cy=(coordinate(middle)) r="4.5" class="f2" {}
        text x=(coordinate(x + 10.0)) y=(coordinate(middle + 4.0)) class="t2" {
            (signed(estimate.elo, 0)) " Elo"
        }
    }
}
