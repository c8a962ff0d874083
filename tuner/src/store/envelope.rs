//! The envelope around everything that must be known to be whole: `{"crc":"xxxxxxxx","KEY":BODY}`
//! on one line, the CRC-32 in lower-case hexadecimal over the exact bytes of BODY. Its layout is
//! fixed to the byte, so a change of any bit of a line is noticed, also outside BODY.

const OPENING: &[u8] = b"{\"crc\":\"";

/// How every envelope begins. It cannot occur inside one: quotes inside JSON strings are escaped.
pub(super) const MARK: &[u8] = OPENING;

/// `body` in its envelope, line end included.
pub(super) fn seal(key: &str, body: &str) -> String {
    let crc = crc32fast::hash(body.as_bytes());
    format!("{{\"crc\":\"{crc:08x}\",\"{key}\":{body}}}\n")
}

/// The body of a line (without its line end), or what is wrong with the line.
pub(super) fn unseal<'a>(key: &str, line: &'a [u8]) -> Result<&'a str, &'static str> {
    const NO_ENVELOPE: &str = "it does not have the form of a checksummed line";
    let rest = line.strip_prefix(OPENING).ok_or(NO_ENVELOPE)?;
    let (stated, rest) = rest.split_at_checked(8).ok_or(NO_ENVELOPE)?;
    let body = rest
        .strip_prefix(format!("\",\"{key}\":").as_bytes())
        .and_then(|rest| rest.strip_suffix(b"}"))
        .ok_or(NO_ENVELOPE)?;
    let actual = format!("{:08x}", crc32fast::hash(body));
    if stated != actual.as_bytes() {
        return Err("its checksum does not match its content");
    }
    std::str::from_utf8(body).map_err(|_| "its content is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_standard_one() {
        assert_eq!(
            seal("event", "123456789"),
            "{\"crc\":\"cbf43926\",\"event\":123456789}\n"
        );
    }

    #[test]
    fn no_flipped_bit_passes() {
        let sealed = seal("event", "{\"a\":[1.5,\"caf\u{e9}\"]}");
        let line = sealed.trim_end().as_bytes();
        assert_eq!(unseal("event", line), Ok("{\"a\":[1.5,\"caf\u{e9}\"]}"));
        for bit in 0..line.len() * 8 {
            let mut flipped = line.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal("event", &flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn no_shortened_line_passes() {
        let sealed = seal("event", "{}");
        for length in 0..sealed.len() - 1 {
            assert!(unseal("event", &sealed.as_bytes()[..length]).is_err());
        }
    }
}
