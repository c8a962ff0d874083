//! Q-values in the page, against those of a learner that is asked along the journal.

use roxmltree::{Document, Node};
use sixfold_tuner::event::Event;
use sixfold_tuner::optimiser::tree_view::TreeView;

use crate::runs::{MadeUp, SHORT, parsed, section, text_of};

/// The learner's trees just before the end of each round.
fn trees_of(run: &MadeUp) -> Vec<TreeView> {
    let mut course = run.course();
    let mut trees = Vec::new();
    for event in &run.events {
        if matches!(event, Event::RoundFinished(_)) {
            trees.push(course.tree().unwrap());
        }
        course.apply(event).unwrap();
    }
    trees
}

pub(crate) fn drawing_of<'a, 'i>(document: &'a Document<'i>, label: &str) -> Node<'a, 'i> {
    let mut found = document
        .descendants()
        .filter(|it| it.attribute("aria-label") == Some(label));
    found.next().unwrap_or_else(|| panic!("no drawing {label}"))
}

/// The lines of the drawing of this label, as points.
pub(crate) fn lines_of(document: &Document<'_>, label: &str) -> Vec<Vec<[f64; 2]>> {
    let drawing = drawing_of(document, label);
    let paths = drawing.descendants().filter(|it| {
        let class = it.attribute("class").unwrap_or_default();
        class.starts_with("thin")
    });
    let point = |words: &str| {
        let (x, y) = words.split_once(' ').unwrap();
        [x, y].map(|number| number.parse().unwrap())
    };
    paths
        .map(|path| {
            let outline = path.attribute("d").unwrap();
            let points = outline.split(['M', 'L']).filter(|it| !it.is_empty());
            points.map(point).collect()
        })
        .collect()
}

/// Every height is the same linear function of its value, to the tenth that is drawn, and falls.
pub(crate) fn check_heights(drawn: &[(f64, f64)]) {
    let by_q = |a: &&(f64, f64), b: &&(f64, f64)| a.0.total_cmp(&b.0);
    let low = drawn.iter().min_by(by_q).unwrap();
    let high = drawn.iter().max_by(by_q).unwrap();
    let slope = (high.1 - low.1) / (high.0 - low.0);
    assert!(slope < 0.0, "{low:?} {high:?}");
    for (q, y) in drawn {
        let expected = low.1 + slope * (q - low.0);
        assert!((y - expected).abs() < 0.25, "{q}: {y}, {expected}");
    }
}

/// The lines are those of the six first edits, a point for each tree.
fn check_first_edits(lines: &[Vec<[f64; 2]>], trees: &[TreeView]) {
    assert_eq!(lines.len(), 6);
    let mut drawn = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.len(), trees.len());
        let values = trees.iter().map(|tree| tree.nodes[index + 1].q);
        drawn.extend(values.zip(line.iter().map(|[_, y]| *y)));
    }
    check_heights(&drawn);
}

#[test]
fn the_rounds_have_the_first_edits_of_the_learner() {
    let run = MadeUp::to_the_end(&SHORT);
    let page = run.page();
    let document = parsed(&page);
    let lines = lines_of(&document, "Q-values of the first edits across the rounds");
    check_first_edits(&lines, &trees_of(&run));
}

#[test]
fn the_updates_of_a_round_are_those_of_the_learner() {
    let run = MadeUp::to_the_end(&SHORT);
    let page = run.page();
    let document = parsed(&page);
    let mut course = run.course();
    let mut trees = vec![course.tree().unwrap()];
    for event in &run.events {
        if matches!(event, Event::RoundFinished(_)) {
            let tree = course.tree().unwrap();
            assert_eq!(trees.last(), Some(&tree));
            let lines = lines_of(&document, &format!("First edits of round {}", tree.round));
            check_first_edits(&lines, &trees);
            trees.clear();
        }
        course.apply(event).unwrap();
        // Paths that are told together, and those that lead nowhere, are one step.
        let tree = course.tree().unwrap();
        if trees.last() != Some(&tree) {
            trees.push(tree);
        }
    }
}

#[test]
fn the_paths_that_are_followed_are_the_greedy_one_and_the_most_visited() {
    let run = MadeUp::to_the_end(&SHORT);
    let page = run.page();
    let document = parsed(&page);
    let mut course = run.course();
    for event in &run.events {
        if let Event::RoundFinished(summary) = event {
            let tree = course.tree().unwrap();
            let [first, second] = summary.greedy_path.unwrap().map(usize::from);
            let greedy = 6 * first + second;
            let mut others: Vec<usize> = (7..43).filter(|leaf| *leaf != greedy).collect();
            others.sort_by_key(|leaf| (43 - tree.nodes[*leaf].visits.min(43), *leaf));
            let lines = lines_of(&document, &format!("Paths of round {}", tree.round));
            let leaves = [greedy, others[0], others[1]];
            assert_eq!(lines.len(), leaves.len());
            let ends = leaves.iter().zip(&lines);
            let ends = ends.map(|(leaf, line)| (tree.nodes[*leaf].q, line.last().unwrap()[1]));
            check_heights(&ends.collect::<Vec<_>>());
        }
        course.apply(event).unwrap();
    }
}

/// Also those of the default learner, whose last planning of a round and whose landing come with
/// the end of the round: the path that was taken has the largest Q-values of what is drawn.
#[test]
fn the_path_of_every_round_is_greedy_in_its_tree() {
    let run = MadeUp::of_q_tree(400);
    let page = run.page();
    let document = parsed(&page);
    let mut course = run.course();
    let mut rounds = Vec::new();
    for event in &run.events {
        course.apply(event).unwrap();
        let Event::RoundFinished(summary) = event else {
            continue;
        };
        let tree = course.decided_tree().unwrap();
        let [first, second] = summary.greedy_path.unwrap().map(usize::from);
        let leaf = 6 * first + second;
        let largest = |numbers: std::ops::RangeInclusive<usize>| {
            let values = numbers.map(|number| tree.nodes[number].q);
            values.fold(f64::MIN, f64::max)
        };
        assert_eq!(tree.nodes[first].q, largest(1..=6));
        assert_eq!(tree.nodes[leaf].q, largest(6 * first + 1..=6 * first + 6));
        let drawing = drawing_of(&document, &format!("Tree of round {}", tree.round));
        let circles = drawing
            .descendants()
            .filter(|it| it.tag_name().name() == "circle");
        let marked: Vec<usize> = circles
            .enumerate()
            .filter(|(_, it)| it.attribute("class").is_some_and(|it| it.contains("way")))
            .map(|(number, _)| number)
            .collect();
        assert_eq!(marked, [first, leaf]);
        rounds.push(tree.nodes[0].visits);
    }
    let summaries: Vec<String> = section(&document, "trees")
        .descendants()
        .filter(|it| it.tag_name().name() == "summary")
        .map(text_of)
        .collect();
    assert!(rounds.len() >= 4);
    assert_eq!(summaries.len(), rounds.len());
    let landings: Vec<bool> = summaries.iter().map(|it| it.contains("landing")).collect();
    assert_eq!(landings.iter().position(|it| *it), Some(rounds.len() - 1));
}

#[test]
fn a_run_of_one_round_says_where_its_q_values_are() {
    let run = MadeUp::to_the_end(&SHORT);
    let end = |it: &Event| matches!(it, Event::RoundFinished(_));
    let first = run.events.iter().position(end).unwrap() + 1;
    let page = run.page_of(first);
    let document = parsed(&page);
    let said = text_of(section(&document, "q-values"));
    assert!(said.contains("stand with its tree"), "{said}");
    assert_eq!(lines_of(&document, "First edits of round 0").len(), 6);
    let nothing = run.page_of(1);
    let said = text_of(section(&parsed(&nothing), "trees"));
    assert!(said.contains("No round has begun yet"), "{said}");
}
