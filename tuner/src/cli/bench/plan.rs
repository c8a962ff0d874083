//! What a bench plays: its arguments, read and checked.

use std::ops::Range;

use anyhow::anyhow;
use sixfold_tuner::bench::{Campaign, Contender, GameLaw, Surface};
use sixfold_tuner::job::SEED_END;

use super::BenchArguments;
use super::learners;
use crate::workspace::exit::{Failure, bad_input};

/// What is played when nothing else is asked for: in two minutes on two cores.
pub(super) const SURFACES: &str = "QUAD-100,LOG2,CORR";
pub(super) const LEARNERS: &str = "q-tree";
pub(super) const BASELINE: &str = "spsa";
pub(super) const BUDGETS: &str = "1000,5000,20000";
pub(super) const SEEDS: &str = "0..60";
pub(super) const IN_FLIGHT: u16 = 8;
/// Games of a run.
const BUDGET_RANGE: std::ops::RangeInclusive<u32> = 10..=10_000_000;
/// Most seeds of a bench.
const SEEDS_MOST: u64 = 100_000;

/// A campaign, and how to show it.
pub(super) struct Plan {
    pub(super) campaign: Campaign,
    /// Index of the baseline among the learners.
    pub(super) baseline: usize,
    /// Share of draws between equals.
    pub(super) draws: f64,
}

pub(super) fn read(arguments: &BenchArguments) -> Result<Plan, Failure> {
    let budgets = budgets(&arguments.budgets).map_err(wrong)?;
    let (contenders, baseline) = contenders(arguments, &budgets)?;
    let draws = arguments.draws.trim().parse::<f64>();
    let draws = draws.map_err(|_| {
        let text = &arguments.draws;
        wrong(format!(
            "--draws is \"{text}\"; expected a number in [0, 0.9]"
        ))
    })?;
    let law = GameLaw::with_draws(draws).map_err(|error| wrong(format!("--draws: {error}")))?;
    let campaign = Campaign {
        surfaces: surfaces(&arguments.surfaces).map_err(wrong)?,
        contenders,
        budgets,
        seeds: seeds(&arguments.seeds).map_err(wrong)?,
        in_flight: usize::from(arguments.in_flight),
        law,
    };
    Ok(Plan {
        campaign,
        baseline,
        draws,
    })
}

fn wrong(problem: String) -> Failure {
    bad_input(anyhow!(problem))
}

/// The parts of a list, each once.
fn parts<'a>(option: &str, list: &'a str) -> Result<Vec<&'a str>, String> {
    let parts: Vec<&str> = list.split(',').map(str::trim).collect();
    once(option, &parts)?;
    Ok(parts)
}

fn once(option: &str, parts: &[impl AsRef<str>]) -> Result<(), String> {
    for (index, part) in parts.iter().enumerate() {
        let part = part.as_ref();
        if parts[..index].iter().any(|other| other.as_ref() == part) {
            return Err(format!("{option}: \"{part}\" stands there twice"));
        }
    }
    Ok(())
}

fn surfaces(list: &str) -> Result<Vec<String>, String> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match list {
        "two" => return Ok(owned(&Surface::TWO)),
        "eight" => return Ok(owned(&Surface::EIGHT)),
        "all" => return Ok(Surface::names().map(str::to_owned).collect()),
        _ => {}
    }
    let names = parts("--surfaces", list)?;
    match names
        .iter()
        .find(|name| !Surface::names().any(|known| known == **name))
    {
        None => Ok(owned(&names)),
        Some(name) => {
            let known: Vec<&str> = Surface::names().collect();
            let known = known.join(", ");
            Err(format!(
                "--surfaces: \"{name}\" is no surface; expected two, eight, all, or a list of \
                 {known}"
            ))
        }
    }
}

fn budgets(list: &str) -> Result<Vec<u32>, String> {
    let (least, most) = (BUDGET_RANGE.start(), BUDGET_RANGE.end());
    let budget = |part: &str| {
        let number = part
            .parse()
            .ok()
            .filter(|games| BUDGET_RANGE.contains(games));
        number.ok_or_else(|| {
            format!(
                "--budgets: \"{part}\" is no budget; expected whole numbers of games from {least} \
                 to {most}, separated by commas"
            )
        })
    };
    parts("--budgets", list)?.into_iter().map(budget).collect()
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let ends = text
        .split_once("..")
        .and_then(|(first, end)| Some((first.trim().parse().ok()?, end.trim().parse().ok()?)));
    ends.map(|(first, end): (u64, u64)| first..end)
        .filter(|seeds| seeds.start < seeds.end && seeds.end <= SEED_END)
        .filter(|seeds| seeds.end - seeds.start <= SEEDS_MOST)
        .ok_or_else(|| {
            format!(
                "--seeds is \"{text}\"; expected FIRST..END, whole numbers with FIRST below END, \
                 END at most 2^53, at most {SEEDS_MOST} seeds"
            )
        })
}

/// The learners, and which of them is the baseline.
fn contenders(
    arguments: &BenchArguments,
    budgets: &[u32],
) -> Result<(Vec<Contender>, usize), Failure> {
    let mut texts = learners::split(&arguments.learners);
    once("--learners", &texts).map_err(wrong)?;
    let options = vec!["--learners"; texts.len()];
    let baseline = learners::split(&arguments.baseline);
    let [baseline] = baseline.as_slice() else {
        let text = &arguments.baseline;
        return Err(wrong(format!(
            "--baseline is \"{text}\"; expected one learner"
        )));
    };
    let place = texts.iter().position(|text| text == baseline);
    let place = place.unwrap_or_else(|| {
        texts.push(baseline.clone());
        texts.len() - 1
    });
    let options = options.into_iter().chain(["--baseline"]);
    let mut contenders = Vec::with_capacity(texts.len());
    for (option, text) in options.zip(&texts) {
        let (contender, least) = learners::contender(option, text).map_err(bad_input)?;
        if let Some(budget) = budgets.iter().find(|&&budget| u64::from(budget) < least) {
            return Err(wrong(format!(
                "--budgets: {budget} games are too few for {text}, which needs {least}"
            )));
        }
        contenders.push(contender);
    }
    Ok((contenders, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// A command line that is nothing but the arguments of a bench.
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        bench: BenchArguments,
    }

    #[test]
    fn without_arguments_one_learner_meets_the_baseline_on_three_surfaces() {
        let line = Line::parse_from(["bench"]);
        let plan = read(&line.bench).expect("the defaults are valid");
        let names = plan.campaign.contenders.iter().map(|c| c.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), [LEARNERS, BASELINE]);
        assert_eq!(plan.baseline, 1);
        assert_eq!(plan.campaign.surfaces, ["QUAD-100", "LOG2", "CORR"]);
        assert_eq!(plan.campaign.budgets, [1_000, 5_000, 20_000]);
        assert_eq!(plan.campaign.seeds, 0..60);
    }

    #[test]
    fn groups_of_surfaces_are_those_of_the_library() {
        assert_eq!(surfaces("two").unwrap(), Surface::TWO);
        assert_eq!(surfaces("eight").unwrap(), Surface::EIGHT);
        assert_eq!(surfaces("all").unwrap().len(), Surface::names().count());
        assert_eq!(surfaces("CORR, LOG8").unwrap(), ["CORR", "LOG8"]);
        for text in ["", "corr", "two,CORR", "CORR,CORR"] {
            surfaces(text).expect_err(text);
        }
    }

    #[test]
    fn budgets_have_a_range() {
        assert_eq!(budgets("10, 10000000").unwrap(), [10, 10_000_000]);
        for text in ["", "9", "10000001", "1e3", "-5", "100,100", "1,000"] {
            let said = budgets(text).expect_err(text);
            assert!(said.starts_with("--budgets: "), "{said}");
        }
    }

    #[test]
    fn seeds_are_a_range_that_is_not_empty() {
        assert_eq!(seeds("3000..3200").unwrap(), 3_000..3_200);
        assert_eq!(seeds("0 .. 1").unwrap(), 0..1);
        for text in [
            "",
            "5",
            "5..5",
            "6..5",
            "0..100001",
            "-1..5",
            "0..9007199254740993",
        ] {
            let said = seeds(text).expect_err(text);
            assert!(said.contains("expected FIRST..END"), "{said}");
        }
    }
}
