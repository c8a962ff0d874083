//! What is asked without a token, from elsewhere, or too often.

use serde_json::Value;

use crate::support::{Place, Served, job};

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/// Every path of the description, with names filled in.
fn paths(served: &Served<'_>, run: &str) -> Vec<String> {
    let description = served.get("/api/v1/openapi.json").is(200).json();
    let paths = description["paths"].as_object().unwrap();
    let filled = paths.keys().map(|path| {
        path.replace("{id}", run)
            .replace("{action}", "pause")
            .replace("{round}", "0")
            .replace("{name}", "engine")
    });
    filled.collect()
}

fn cookie_of(served: &Served<'_>) -> String {
    let session = served.post("/api/v1/session", "").is(204);
    let cookie = session.header("set-cookie").unwrap().to_owned();
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert!(!cookie.contains(&served.token), "the cookie only lets look");
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn every_method_of_every_route_wants_a_token_and_every_changing_one_the_header() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(1, 20), "?start=paused");
    let cookie = cookie_of(&served);
    let mut count = 0;
    for path in paths(&served, &run) {
        for method in METHODS {
            let none = served.raw(method, &path, &[], None);
            assert!(
                matches!(none.status, 401 | 429),
                "{method} {path}: {none:?}"
            );
            if matches!(method, "GET" | "HEAD") {
                continue;
            }
            let by_cookie = served.raw(method, &path, &[("cookie", &cookie)], None);
            assert!(
                matches!(by_cookie.status, 401 | 429),
                "{method} {path}: {by_cookie:?}"
            );
            let read = cookie.split_once('=').unwrap().1;
            let reader = format!("Bearer {read}");
            let by_reader = served.raw(method, &path, &[("authorization", &reader)], None);
            // Whoever may look may have the cookie that lets look.
            if path != "/api/v1/session" {
                assert_eq!(by_reader.status, 403, "{method} {path}: {by_reader:?}");
            }
            count += 1;
        }
        // So many refusals at once are too many; a moment later they are not.
        std::thread::sleep(std::time::Duration::from_millis(1500));
    }
    assert!(count > 50, "{count}");
    assert_eq!(
        served.row(&run)["state"],
        "paused",
        "nothing of it did anything"
    );
}

#[test]
fn the_cookie_lets_look_and_no_more() {
    let place = Place::new();
    let served = Served::start(&place);
    let cookie = cookie_of(&served);
    let look = served.raw("GET", "/api/v1/runs", &[("cookie", &cookie)], None);
    assert_eq!(look.status, 200);
    let wrong = cookie.replace('=', "=0");
    let look = served.raw("GET", "/api/v1/runs", &[("cookie", &wrong)], None);
    assert_eq!(look.status, 401);
    assert!(
        look.text.contains("--show-url"),
        "it says how to get a token"
    );
}

#[test]
fn other_names_and_other_sites_are_refused_before_anything_else() {
    let place = Place::new();
    let served = Served::start(&place);
    let bearer = format!("Bearer {}", served.token);
    let with = |name: &str, value: &str| {
        let headers = [("authorization", bearer.as_str()), (name, value)];
        served.raw("GET", "/api/v1/runs", &headers, None).status
    };
    assert_eq!(with("host", "localhost"), 200);
    assert_eq!(with("host", "evil.example"), 421);
    assert_eq!(with("origin", "http://127.0.0.1:1"), 200);
    assert_eq!(with("origin", "http://evil.example"), 403);
    assert_eq!(with("origin", "null"), 403);
    for path in ["/", "/healthz", "/assets/none", "/nowhere"] {
        let answer = served.raw("GET", path, &[("host", "evil.example")], None);
        assert_eq!(answer.status, 421, "{path}");
    }
}

#[test]
fn the_page_allows_no_script_but_its_own_and_no_frame() {
    let place = Place::new();
    let served = Served::start(&place);
    let page = served.raw("GET", "/", &[], None);
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    for part in [
        "default-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    for word in ["<script>", " onload=", " style=", "javascript:"] {
        assert!(!page.text.contains(word), "{word}");
    }
}

#[test]
fn names_of_runs_lead_nowhere_else() {
    let place = Place::new();
    let served = Served::start(&place);
    std::fs::create_dir_all(place.path("outside")).unwrap();
    std::fs::write(place.path("outside/run.json"), "{}").unwrap();
    for name in [
        "..%2Foutside",
        "..",
        "%2e%2e%2foutside",
        ".service",
        "%00",
        "A",
        "a%2Fb",
        "-a",
    ] {
        for path in [
            format!("/api/v1/runs/{name}/pause"),
            format!("/api/v1/runs/{name}/resume"),
        ] {
            let answer = served.post(&path, "");
            assert!(
                matches!(answer.status, 400 | 404 | 405),
                "{path}: {answer:?}"
            );
        }
    }
}

#[test]
fn bodies_are_bounded_and_what_is_wrong_has_one_form() {
    let place = Place::new();
    let served = Served::start(&place);
    let large = "#".repeat((1 << 20) + 1);
    let answers = [
        (served.post("/api/v1/runs", &large), 413),
        (served.post("/api/v1/runs", "nonsense"), 422),
        (served.post("/api/v1/runs?unknown=1", ""), 400),
        (served.post("/api/v1/runs/none/explode", ""), 400),
        (served.get("/api/v1/runs?limit=0"), 400),
        (served.get("/api/v1/runs?after=-2"), 400),
        (served.get("/nowhere"), 404),
        (served.post("/api/v1/service", ""), 405),
    ];
    for (answer, status) in answers {
        let answer = answer.is(status);
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json")
        );
        let problem: Value = answer.json();
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().is_some_and(|it| !it.is_empty()));
    }
}

#[test]
fn too_many_changes_at_once_are_refused_for_a_moment() {
    let place = Place::new();
    let served = Served::start(&place);
    let codes: Vec<u16> = (0..200)
        .map(|_| served.post("/api/v1/check", "").status)
        .collect();
    assert!(codes.contains(&422) && codes.contains(&429), "{codes:?}");
    std::thread::sleep(std::time::Duration::from_millis(500));
    served.post("/api/v1/check", "").is(422);
}

#[test]
fn a_service_that_only_shows_takes_nothing_in() {
    let place = Place::new();
    let served = Served::start_with(&place, &["--read-only"]);
    let refused = served.post("/api/v1/runs", &job(1, 20)).is(403);
    assert!(refused.text.contains("--read-only"));
    served.get("/api/v1/runs").is(200);
}
