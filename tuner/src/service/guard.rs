//! The guard: every request passes it before it is routed. It looks at whom the request is
//! addressed to (against DNS rebinding), where it comes from (against other sites), what its token
//! allows, and how many there are.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Service;
use super::api::problem::Problem;
use super::token::Right;

/// What a page of ours may load: itself and nothing else, and nobody may frame it.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Requests that one address may make at once, and a second after that.
const REQUESTS: Allowance = Allowance {
    at_once: 600.0,
    per_second: 200.0,
};
/// The same of those that change something.
const CHANGES: Allowance = Allowance {
    at_once: 60.0,
    per_second: 10.0,
};
/// The same of those with a wrong token or none.
const REFUSALS: Allowance = Allowance {
    at_once: 60.0,
    per_second: 5.0,
};
/// Addresses that are remembered; beyond that the fullest allowances are forgotten first.
const ADDRESSES_MAX: usize = 1024;

/// How often something may happen.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    at_once: f64,
    per_second: f64,
}

/// What is left of an allowance.
#[derive(Clone, Copy, Debug)]
struct Left {
    amount: f64,
    at: Instant,
}

/// What addresses have left of their allowances.
#[derive(Debug, Default)]
pub(super) struct Rates(Mutex<BTreeMap<(IpAddr, &'static str), Left>>);

impl Rates {
    /// Takes one of an allowance at the moment `now`; whether there was one left.
    fn take(&self, address: IpAddr, what: &'static str, rule: Allowance, now: Instant) -> bool {
        let mut all = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if all.len() >= ADDRESSES_MAX {
            all.retain(|_, left| left.amount < 1.0);
        }
        if all.len() >= ADDRESSES_MAX {
            all.clear();
        }
        let left = all.entry((address, what)).or_insert(Left {
            amount: rule.at_once,
            at: now,
        });
        let since = now.saturating_duration_since(left.at).as_secs_f64();
        left.amount = (left.amount + since * rule.per_second).min(rule.at_once);
        left.at = now;
        if left.amount < 1.0 {
            return false;
        }
        left.amount -= 1.0;
        true
    }
}

/// The name in `host[:port]`, in lower case, without the port; brackets of IPv6 stay.
fn name_of(authority: &str) -> Option<String> {
    let authority: axum::http::uri::Authority = authority.parse().ok()?;
    let is_plain = !authority.as_str().contains('@');
    (is_plain && !authority.host().is_empty()).then(|| authority.host().to_ascii_lowercase())
}

/// The name in an `Origin`, such as `http://localhost:8613`.
fn origin_name(origin: &str) -> Option<String> {
    let rest = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))?;
    name_of(rest)
}

/// Looks at whom a request is for and where it comes from.
fn check_place(headers: &HeaderMap, names: &[String]) -> Result<(), Problem> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let known = |name: Option<String>| name.is_some_and(|name| names.contains(&name));
    if !known(text(header::HOST).and_then(name_of)) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this service does not go by that name; names besides this machine's own are given \
             with --host",
        ));
    }
    if let Some(origin) = text(header::ORIGIN)
        && !known(origin_name(origin))
    {
        let detail = "requests of other sites are not answered";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    Ok(())
}

/// The value of a cookie.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).into_iter();
    let texts = all.filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// What a request is allowed. The cookie only lets look: a browser sends it by itself, also when
/// another site makes it do so.
fn right_of(service: &Service, headers: &HeaderMap) -> Option<Right> {
    let header = headers.get(header::AUTHORIZATION);
    if let Some(value) = header {
        let token = value.to_str().ok()?.strip_prefix("Bearer ")?;
        return service.tokens.right_of(token.trim());
    }
    let token = cookie(headers, &service.cookie_name())?;
    service.tokens.right_of(token).map(|_| Right::Read)
}

/// What is served to everybody: the page without any data, and whether the service is alive.
fn is_open(method: &Method, path: &str) -> bool {
    let looks = method == Method::GET || method == Method::HEAD;
    looks && (path == "/" || path == "/healthz" || path.starts_with("/assets/"))
}

fn unauthorized() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "a token is needed (Authorization: Bearer TOKEN): `tuner serve` prints it within an \
         address to open, and `tuner serve --show-url` prints that again",
    )
}

fn check(service: &Service, request: &Request, address: IpAddr) -> Result<(), Problem> {
    check_place(request.headers(), &service.names)?;
    let now = Instant::now();
    let too_many = |what: &str| {
        let detail = format!("too many {what} at once; try again in a second");
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, detail))
    };
    if !service.rates.take(address, "requests", REQUESTS, now) {
        return too_many("requests");
    }
    let method = request.method();
    if is_open(method, request.uri().path()) {
        return Ok(());
    }
    let right = right_of(service, request.headers());
    let looks = method == Method::GET || method == Method::HEAD;
    match right {
        None if !service.rates.take(address, "refusals", REFUSALS, now) => {
            return too_many("requests without a token");
        }
        None => return Err(unauthorized()),
        Some(_) if looks => return Ok(()),
        Some(_) => {}
    }
    if !request.headers().contains_key(header::AUTHORIZATION) {
        return Err(unauthorized());
    }
    // Whoever may look may let the browser look for it.
    if request.uri().path() == "/api/v1/session" {
        return Ok(());
    }
    if right != Some(Right::Write) {
        let detail = "this token only allows to look";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    if service.is_read_only {
        let detail = "this service only shows runs (--read-only)";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    if !service.rates.take(address, "changes", CHANGES, now) {
        return too_many("changes");
    }
    Ok(())
}

/// The guard.
pub(super) async fn guard(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = peer.map_or(IpAddr::from([0, 0, 0, 0]), |info| info.0.ip());
    let is_page = request.uri().path() == "/" || request.uri().path().starts_with("/assets/");
    let mut response = match check(&service, &request, address) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(CONTENT_POLICY));
    if !is_page {
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn names() -> Vec<String> {
        ["localhost", "127.0.0.1", "[::1]", "box.lan"]
            .map(str::to_owned)
            .to_vec()
    }

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = list.iter().map(|(name, value)| {
            let name = axum::http::HeaderName::from_static(name);
            (name, HeaderValue::from_str(value).unwrap())
        });
        pairs.collect()
    }

    #[test]
    fn only_names_of_the_service_are_answered_whatever_the_port() {
        for host in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:8613",
            "[::1]:80",
            "box.lan",
        ] {
            assert_eq!(check_place(&headers(&[("host", host)]), &names()), Ok(()));
        }
        let strangers = [
            "evil.example",
            "localhost.evil.example",
            "a@localhost",
            "",
            "127.0.0.1.nip.io",
            "localhost evil",
            "[::1",
            "8613",
        ];
        for host in strangers {
            assert!(
                check_place(&headers(&[("host", host)]), &names()).is_err(),
                "{host}"
            );
        }
        assert!(check_place(&headers(&[]), &names()).is_err());
    }

    #[test]
    fn other_sites_are_not_answered() {
        let from = |origin: &str| {
            check_place(
                &headers(&[("host", "localhost"), ("origin", origin)]),
                &names(),
            )
        };
        for origin in ["http://localhost:8613", "https://box.lan", "http://[::1]:1"] {
            assert_eq!(from(origin), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.example",
            "file://localhost",
            "localhost",
        ] {
            assert!(from(origin).is_err(), "{origin}");
        }
    }

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        let found = headers(&[(
            "cookie",
            "asixfold_1=no; sixfold_12=not; sixfold_1=yes; b=c",
        )]);
        assert_eq!(cookie(&found, "sixfold_1"), Some("yes"));
        assert_eq!(cookie(&found, "sixfold"), None);
        assert_eq!(cookie(&headers(&[]), "sixfold_1"), None);
    }

    #[test]
    fn an_allowance_is_used_up_and_comes_back_with_time() {
        let rates = Rates::default();
        let rule = Allowance {
            at_once: 2.0,
            per_second: 1.0,
        };
        let (one, two) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let begun = Instant::now();
        let take =
            |address, seconds| rates.take(address, "x", rule, begun + Duration::from_secs(seconds));
        assert!(take(one, 0) && take(one, 0) && !take(one, 0));
        assert!(take(two, 0), "another address has its own");
        assert!(take(one, 1) && !take(one, 1));
        assert!(
            take(one, 9) && take(one, 9) && !take(one, 9),
            "no more than at once"
        );
    }

    #[test]
    fn addresses_are_not_remembered_without_end() {
        let rates = Rates::default();
        for number in 0..5 * ADDRESSES_MAX as u32 {
            rates.take(
                IpAddr::from(number.to_be_bytes()),
                "x",
                CHANGES,
                Instant::now(),
            );
        }
        assert!(rates.0.lock().unwrap().len() <= ADDRESSES_MAX);
    }

    #[test]
    fn only_the_page_and_the_sign_of_life_are_open() {
        for (method, path, open) in [
            (Method::GET, "/", true),
            (Method::HEAD, "/assets/app.js", true),
            (Method::GET, "/healthz", true),
            (Method::POST, "/", false),
            (Method::GET, "/api/v1/runs", false),
            (Method::GET, "/assets", false),
            (Method::DELETE, "/assets/app.js", false),
        ] {
            assert_eq!(is_open(&method, path), open, "{method} {path}");
        }
    }
}
