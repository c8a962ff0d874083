//! The list of learners that take part.

use sixfold_engine::config::ConfigError;
use sixfold_tuner::bench::Contender;
use sixfold_tuner::job::LearnerSettings;

/// The learners of a list, by their texts. `a:x=1,y=2,b` is two: what has a `=` and no `:` before
/// it goes on the learner before it.
pub(super) fn split(list: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for part in list.split(',') {
        let goes_on = part.find('=').is_some_and(|at| !part[..at].contains(':'));
        match texts.last_mut() {
            Some(text) if goes_on => {
                text.push(',');
                text.push_str(part.trim());
            }
            _ => texts.push(part.trim().to_owned()),
        }
    }
    texts
}

/// Reads a learner that the option names, and the fewest games that it can do something with.
pub(super) fn contender(option: &str, text: &str) -> Result<(Contender, u64), ConfigError> {
    let settings = LearnerSettings::variant(option, text)?;
    let games_per_trial = settings.games_per_trial();
    let least = settings.schedule_games_min().unwrap_or_default();
    let least = least.max(u64::from(games_per_trial));
    let contender = Contender {
        name: text.to_owned(),
        games_per_trial,
        build: Box::new(move |seed, space, games| settings.build(seed, space, Some(games))),
    };
    Ok((contender, least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stay_with_their_learner() {
        let split = |list: &str| split(list).join(" | ");
        assert_eq!(split("q-tree,spsa"), "q-tree | spsa");
        assert_eq!(split("a:x=1,y=2, b ,c:z=w"), "a:x=1,y=2 | b | c:z=w");
        assert_eq!(split("a,"), "a | ");
        assert_eq!(split("x=1"), "x=1");
    }
}
