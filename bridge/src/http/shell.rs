//! The static shell: the page's own files, embedded when the binary was built.

use super::router::{Access, Route};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// One file of the bundle, three times.
struct Embedded {
    path: &'static str,
    content_type: &'static str,
    /// Its name holds its hash, so that a browser may keep it for ever.
    immutable: bool,
    raw: &'static [u8],
    brotli: &'static [u8],
    gzip: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

const INDEX: &str = "/index.html";

/// What a bridge without a bundle serves.
const NO_BUNDLE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>REX</title>\
     <h1>REX was built without its page</h1><p>Run <code>cargo rex</code>, which builds the page and the bridge together.</p>\n";

/// Whether `path` is one of the page's files. The index has one address only, `/`.
pub(super) fn has(path: &str) -> bool {
    path == "/" || (path != INDEX && find(path).is_some())
}

/// The build that this bridge's page belongs to.
pub fn build() -> String {
    let index = find("/").map_or(NO_BUNDLE.as_bytes(), |file| file.raw);
    let hash = blake3::hash(index).to_hex();
    format!("{}+{}", env!("CARGO_PKG_VERSION"), &hash[..12])
}

pub(super) fn routes() -> Vec<Route> {
    std::iter::once("/")
        .chain(
            FILES
                .iter()
                .map(|file| file.path)
                .filter(|path| *path != INDEX),
        )
        .map(|path| Route::get(path, serve).access(Access::Open))
        .collect()
}

async fn serve(request: Request) -> Response {
    match find(request.uri().path()) {
        Some(file) => send(file, request.headers()),
        None => (
            [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CACHE_CONTROL, "no-cache"),
            ],
            NO_BUNDLE,
        )
            .into_response(),
    }
}

fn send(file: &'static Embedded, headers: &HeaderMap) -> Response {
    let (encoding, bytes) = if takes(headers, "br") {
        (Some("br"), file.brotli)
    } else if takes(headers, "gzip") {
        (Some("gzip"), file.gzip)
    } else {
        (None, file.raw)
    };
    let cache = if file.immutable {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = (
        StatusCode::OK,
        [
            (header::CONTENT_TYPE, file.content_type),
            (header::CACHE_CONTROL, cache),
            (header::VARY, "accept-encoding"),
        ],
        bytes,
    )
        .into_response();
    if let Some(encoding) = encoding {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Whether the browser takes this encoding. A weight of zero is a no.
fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            parts
                .next()
                .is_some_and(|name| name.eq_ignore_ascii_case(encoding))
                && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
}

fn find(path: &str) -> Option<&'static Embedded> {
    let path = if path == "/" { INDEX } else { path };
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    static SCRIPT: Embedded = Embedded {
        path: "/assets/app-1a2b.js",
        content_type: "text/javascript",
        immutable: true,
        raw: b"raw",
        brotli: b"brotli",
        gzip: b"gzip",
    };

    async fn sent(file: &'static Embedded, accept: &str) -> (HeaderMap, String) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());
        let (head, body) = send(file, &headers).into_parts();
        let body = axum::body::to_bytes(body, 100).await.unwrap();
        (head.headers, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_file_comes_in_the_best_form_that_the_browser_takes() {
        for (accept, form, encoding) in [
            ("gzip, deflate, br, zstd", "brotli", Some("br")),
            ("gzip, deflate", "gzip", Some("gzip")),
            ("br;q=0, gzip;q=0.5", "gzip", Some("gzip")),
            ("identity", "raw", None),
            ("", "raw", None),
        ] {
            let (headers, body) = sent(&SCRIPT, accept).await;
            assert_eq!(body, form, "{accept}");
            let said = headers
                .get(header::CONTENT_ENCODING)
                .map(|value| value.to_str().unwrap());
            assert_eq!(said, encoding, "{accept}");
            assert_eq!(headers[header::VARY], "accept-encoding");
        }
    }

    #[tokio::test]
    async fn a_file_with_its_hash_in_its_name_is_kept_for_ever_and_the_index_never() {
        let (headers, _) = sent(&SCRIPT, "br").await;
        assert_eq!(
            headers[header::CACHE_CONTROL],
            "public, max-age=31536000, immutable"
        );
        static PAGE: Embedded = Embedded {
            path: INDEX,
            immutable: false,
            ..SCRIPT
        };
        let (headers, _) = sent(&PAGE, "br").await;
        assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
    }

    #[test]
    fn only_the_page_itself_is_the_shell() {
        assert!(has("/"));
        for path in ["", "/api/health", "/index.html", "//", "/../"] {
            assert!(!has(path), "{path}");
        }
        assert!(build().starts_with(env!("CARGO_PKG_VERSION")));
    }
}
