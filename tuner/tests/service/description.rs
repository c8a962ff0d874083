//! The description of the API in `docs/openapi.json` is the one that the program gives.

use crate::support::{Place, Served};

#[test]
fn the_description_is_the_stored_one() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");
    let given = Place::new().said(&["serve", "--openapi"]);
    if std::env::var_os("SIXFOLD_BLESS").is_some() {
        std::fs::write(file, &given).unwrap();
    }
    let stored = std::fs::read_to_string(file).unwrap();
    assert!(
        given == stored,
        "SIXFOLD_BLESS=1 stores the new description"
    );
}

#[test]
fn every_route_of_the_description_answers_and_says_its_problems() {
    let place = Place::new();
    let served = Served::start(&place);
    let description = served.get("/api/v1/openapi.json").is(200).json();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() > 8);
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("401"), "{method} {path}");
            let is_ok = |code: &&String| code.starts_with('2');
            assert!(responses.keys().any(|code| is_ok(&code)), "{method} {path}");
            let filled = path.replace("{id}", "none").replace("{name}", "none");
            let filled = filled.replace("{round}", "0").replace("{action}", "pause");
            let answer = match method.as_str() {
                "get" if path.ends_with("events") && !path.contains("{id}") => continue,
                "get" => served.get(&filled),
                _ => served.post(&filled, ""),
            };
            let code = answer.status.to_string();
            assert!(
                responses.contains_key(&code),
                "{method} {filled}: {answer:?}"
            );
            assert_ne!(code, "405");
        }
    }
}
