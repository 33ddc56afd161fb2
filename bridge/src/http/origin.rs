//! Where a request comes from: `Host`, `Origin` and `Sec-Fetch-Site`, compared whole, never by prefix or pattern.
//!
//! A page that rebinds its name to 127.0.0.1 is stopped by `Host`; a page of another origin, another local port
//! included, by `Origin` or `Sec-Fetch-Site`. The secret stands behind this, not instead of it.

use axum::http::{HeaderMap, HeaderName, Method, Uri, header};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Why a request is turned away. Never more than this is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Foreign;

/// Lets a request pass that was addressed to this bridge by one of its three names and comes from its own page or
/// from no page at all. One exception: a navigation to the shell, for a link that is clicked in a chat arrives as
/// cross-site; the shell holds no data and cannot be framed.
pub(super) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    port: u16,
) -> Result<(), Foreign> {
    let host = only(headers, &header::HOST)?.ok_or(Foreign)?;
    let names = [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
    ];
    if !names.iter().any(|name| name == host) {
        return Err(Foreign);
    }
    // A request line with a whole address in it is for proxies; its name must be the same one.
    if uri
        .authority()
        .is_some_and(|authority| authority.as_str() != host)
    {
        return Err(Foreign);
    }
    if only(headers, &header::ORIGIN)?
        .is_some_and(|origin| origin.strip_prefix("http://") != Some(host))
    {
        return Err(Foreign);
    }
    match only(headers, &FETCH_SITE)? {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_shell_navigation(method, uri, headers)? => Ok(()),
        Some(_) => Err(Foreign),
    }
}

fn is_shell_navigation(method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<bool, Foreign> {
    Ok(method == Method::GET
        && uri.path() == "/"
        && only(headers, &FETCH_MODE)? == Some("navigate")
        && only(headers, &FETCH_DEST)? == Some("document"))
}

/// The header's one value; sent twice, or with bytes that are no plain text, it is refused.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Foreign> {
    let mut values = headers.get_all(name).iter();
    let value = values
        .next()
        .map(|value| value.to_str().map_err(|_| Foreign))
        .transpose()?;
    if values.next().is_some() {
        return Err(Foreign);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::testing::{HOSTILE_HOSTS, HOSTILE_ORIGINS, HOSTILE_SITES, PORT};
    use axum::http::HeaderValue;

    fn ask(method: &str, uri: &str, headers: &[(&str, &str)]) -> Result<(), Foreign> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        check(
            &Method::from_bytes(method.as_bytes()).unwrap(),
            &uri.parse().unwrap(),
            &map,
            PORT,
        )
    }

    #[test]
    fn the_three_names_of_the_bridge_pass() {
        for host in ["127.0.0.1:7390", "localhost:7390", "[::1]:7390"] {
            assert_eq!(
                ask("GET", "/api/health", &[("host", host)]),
                Ok(()),
                "{host}"
            );
            let origin = format!("http://{host}");
            for site in ["same-origin", "none"] {
                let headers = [
                    ("host", host),
                    ("origin", &*origin),
                    ("sec-fetch-site", site),
                ];
                assert_eq!(
                    ask("POST", "/api/ask-all", &headers),
                    Ok(()),
                    "{host} {site}"
                );
            }
        }
    }

    #[test]
    fn any_other_host_is_foreign() {
        assert!(HOSTILE_HOSTS.len() >= 27);
        for host in HOSTILE_HOSTS {
            assert_eq!(ask("GET", "/", &[("host", host)]), Err(Foreign), "{host:?}");
        }
        assert_eq!(ask("GET", "/", &[]), Err(Foreign));
        let twice = [("host", "127.0.0.1:7390"), ("host", "127.0.0.1:7390")];
        assert_eq!(ask("GET", "/", &twice), Err(Foreign));
        let absolute = [("host", "127.0.0.1:7390")];
        assert_eq!(ask("GET", "http://evil.com/", &absolute), Err(Foreign));
    }

    #[test]
    fn another_origin_is_foreign_even_on_this_machine() {
        for origin in HOSTILE_ORIGINS {
            let headers = [("host", "127.0.0.1:7390"), ("origin", origin)];
            assert_eq!(
                ask("POST", "/api/ask-all", &headers),
                Err(Foreign),
                "{origin:?}"
            );
        }
    }

    #[test]
    fn another_site_is_foreign_whatever_the_mode() {
        for site in HOSTILE_SITES {
            for mode in ["no-cors", "cors", "navigate", "websocket"] {
                let headers = [
                    ("host", "127.0.0.1:7390"),
                    ("sec-fetch-site", site),
                    ("sec-fetch-mode", mode),
                ];
                assert_eq!(
                    ask("GET", "/api/health", &headers),
                    Err(Foreign),
                    "{site} {mode}"
                );
            }
        }
    }

    #[test]
    fn a_link_clicked_elsewhere_opens_the_shell_and_only_the_shell() {
        let click = [
            ("host", "127.0.0.1:7390"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert_eq!(ask("GET", "/?ws=1&doc=pricing.md", &click), Ok(()));
        assert_eq!(ask("GET", "/api/health", &click), Err(Foreign));
        assert_eq!(ask("GET", "/assets/app.wasm", &click), Err(Foreign));
        assert_eq!(ask("POST", "/", &click), Err(Foreign));
        let mut frame = click;
        frame[3].1 = "iframe";
        assert_eq!(ask("GET", "/", &frame), Err(Foreign));
        let mut elsewhere = click.to_vec();
        elsewhere.push(("origin", "http://evil.com"));
        assert_eq!(ask("GET", "/", &elsewhere), Err(Foreign));
    }
}
