//! The table of steps that people read is the one that the program goes by.

use crate::text;

/// The rows of the table in the code: the text of its own test, which asks every step.
fn rows_of_code(code: &str) -> Vec<Vec<String>> {
    let (_, rest) = code.split_once("const TABLE: &str = \"").expect("a table");
    let (table, _) = rest.split_once("\";").expect("its end");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    table.trim().lines().map(words).collect()
}

/// The rows of the table in a text that begins with `state` and `begin`, without the rule below its
/// head.
fn rows_of_page(page: &str) -> Vec<Vec<String>> {
    let from = page.find("| state | begin |").expect("a table of steps");
    let lines = page[from..].lines().take_while(|line| !line.is_empty());
    let cells = |line: &str| -> Vec<String> {
        let inside = line.trim_matches('|').split('|');
        inside.map(|cell| cell.trim().to_owned()).collect()
    };
    let is_row = |row: &Vec<String>| row[0] != "---";
    lines.map(cells).filter(is_row).collect()
}

#[test]
fn the_page_of_the_service_has_the_programs_table_of_steps() {
    let code = rows_of_code(&text("tuner/src/queue/state.rs"));
    assert!(code.len() > 6, "{code:?}");
    assert_eq!(rows_of_page(&text("docs/service.md")), code);
}

#[test]
fn tables_are_read_by_their_cells() {
    let code = "const TABLE: &str = \"\n  state begin\n  a     -\n\";";
    let page = "| x |\n\n| state | begin |\n| --- | --- |\n| a | - |\n\n| b |\n";
    assert_eq!(rows_of_code(code), [["state", "begin"], ["a", "-"]]);
    assert_eq!(rows_of_page(page), [["state", "begin"], ["a", "-"]]);
}
