//! The names that a service answers to: this machine's own, and those given.

use std::net::IpAddr;

/// A name that is none.
#[derive(Debug, thiserror::Error)]
#[error(
    "--host {name}: expected a name or an address alone, without scheme, port or path, such as \
     tuner.example.org"
)]
pub(crate) struct NameError {
    name: String,
}

/// All names, in lower case, addresses of IPv6 in brackets.
///
/// # Errors
/// A given name that is none.
pub(super) fn all(given: &[String], listening: IpAddr) -> Result<Vec<String>, NameError> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "[::1]"]
        .map(str::to_owned)
        .to_vec();
    if !listening.is_unspecified() {
        names.push(in_authority(listening));
    }
    for name in given {
        let lower = name.to_ascii_lowercase();
        let wrong = || NameError { name: name.clone() };
        let bare = lower.trim_start_matches('[').trim_end_matches(']');
        let known = match bare.parse::<IpAddr>() {
            Ok(address) => in_authority(address),
            Err(_) if is_name(&lower) => lower,
            Err(_) => return Err(wrong()),
        };
        names.push(known);
    }
    names.sort();
    names.dedup();
    Ok(names)
}

fn in_authority(address: IpAddr) -> String {
    match address {
        IpAddr::V4(it) => it.to_string(),
        IpAddr::V6(it) => format!("[{it}]"),
    }
}

fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    !text.is_empty() && text.len() <= 253 && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[&str], listening: &str) -> Result<Vec<String>, NameError> {
        let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
        all(&given, listening.parse().unwrap())
    }

    #[test]
    fn a_service_goes_by_its_machines_names_and_those_given() {
        let own = ["127.0.0.1", "[::1]", "localhost"];
        assert_eq!(of(&[], "127.0.0.1").unwrap(), own);
        assert_eq!(of(&[], "0.0.0.0").unwrap(), own);
        let more = of(&["Box.LAN", "2001:db8::1", "[2001:DB8::1]"], "192.0.2.7").unwrap();
        let known = [
            "127.0.0.1",
            "192.0.2.7",
            "[2001:db8::1]",
            "[::1]",
            "box.lan",
            "localhost",
        ];
        assert_eq!(more, known);
    }

    #[test]
    fn what_is_no_name_alone_is_refused() {
        for name in ["", "http://a", "a:80", "a/b", "*", "a b", "ä"] {
            let error = of(&[name], "127.0.0.1").unwrap_err().to_string();
            assert!(error.contains("without scheme"), "{name}");
        }
    }
}
