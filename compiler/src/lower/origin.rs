//! Origins and paths of targets: written in the one way in which they can be compared, and never in clear.

/// What is wrong with an origin, and what to write; `None` if it is `https://host` or `https://host:port`.
///
/// Two targets are told apart by their text: a host in capitals or a trailing slash would be the same receiver under
/// another name. On this machine (`localhost`, `127.0.0.1`, `[::1]`) nothing travels, so `http` may stand.
pub(crate) fn fault(origin: &str) -> Option<(&'static str, &'static str)> {
    let Some((scheme, rest)) = origin.split_once("://") else {
        return Some(("has no scheme", "write `https://host`"));
    };
    if rest.chars().any(|c| c.is_ascii_uppercase()) || scheme.chars().any(|c| c.is_ascii_uppercase()) {
        return Some(("is not in lower case", "write the host in lower case, as it is compared"));
    }
    if rest.contains(['/', '?', '#']) {
        return Some(("goes on behind the host", "write what follows in `path`"));
    }
    if rest.contains('@') {
        return Some(("names a user", "drop it: credentials are the carrier's"));
    }
    let (host, port) = split_port(rest);
    if !is_host(host) {
        return Some(("has no host that can be looked up", "write `https://host`"));
    }
    let here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    if !(scheme == "https" || scheme == "http" && here) {
        return Some(("is not `https`", "write `https://host`: what is sent in clear has more receivers than one"));
    }
    match port.map(str::parse::<u16>) {
        None => None,
        Some(Ok(80)) if !here => Some(("has the port of the web in clear", "drop the port")),
        Some(Ok(p)) if p > 0 && port.is_some_and(|t| !t.starts_with(['0', '+'])) => None,
        Some(_) => Some(("has no port from 1 to 65535", "write `https://host:port`, or drop the port")),
    }
}

/// What is wrong with a path; `None` if it begins at the root and goes down.
pub(crate) fn path_fault(path: &str) -> Option<(&'static str, &'static str)> {
    if !path.starts_with('/') {
        return Some(("does not begin at the root", "begin it with `/`"));
    }
    if path.contains('\\') || path.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Some(("holds what no path holds", "write a path of `/` and segments"));
    }
    let before_query = path.split(['?', '#']).next().unwrap_or(path).to_ascii_lowercase();
    let decoded = before_query.replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
    if decoded.split('/').any(|s| s == "." || s == "..") {
        return Some(("climbs", "write the path that is meant, without `.` and `..`"));
    }
    None
}

fn split_port(rest: &str) -> (&str, Option<&str>) {
    // An address in brackets has colons of its own.
    match rest.rsplit_once(':') {
        Some((host, port)) if !rest.ends_with(']') => (host, Some(port)),
        _ => (rest, None),
    }
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let label = |l: &str| {
        !l.is_empty()
            && l.len() <= 63
            && l.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
            && !l.starts_with('-')
            && !l.ends_with('-')
    };
    host.len() <= 253 && host.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::{fault, path_fault};

    #[test]
    fn an_origin_is_https_and_a_host_in_lower_case() {
        for right in [
            "https://a.example",
            "https://a.example:443",
            "https://a.example:8443",
            "https://10.0.0.1:8000",
            "https://[2001:db8::1]:8443",
            "https://[::1]",
            "https://model_1.internal",
            "http://localhost:11434",
            "http://127.0.0.1:80",
            "http://[::1]:4000",
        ] {
            assert_eq!(fault(right), None, "{right}");
        }
        for wrong in [
            "",
            "a.example",
            "http://a.example",
            "ftp://a.example",
            "http://localhost.a.example",
            "HTTPS://a.example",
            "https://A.example",
            "https://a.example:80",
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:",
            "https://a.example:+8443",
            "https://a.example/",
            "https://a.example/v1",
            "https://a.example?x",
            "https://u:p@a.example",
            "https://",
            "https://a..example",
            "https://-a.example",
            "https://a example",
            "https://[::g]",
            "https://[::1",
        ] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn a_path_begins_at_the_root_and_goes_down() {
        for right in ["/", "/v1/chat", "/v1/chat?version=2024-10-21", "/v1/..hidden", "/models/a.b:generate"] {
            assert_eq!(path_fault(right), None, "{right}");
        }
        for wrong in ["", "v1", "/v1/../admin", "/./v1", "/v1/..", "/v1/%2E%2e/x", "/v1%2f..%2fx", "/v1\\x", "/v 1"] {
            assert!(path_fault(wrong).is_some(), "{wrong}");
        }
    }
}
