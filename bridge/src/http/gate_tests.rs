//! The walk over the whole route table: no route, no missing address and no method is outside the gate.

use super::headers::CONTENT_POLICY;
use super::router::{Access, Route, table};
use super::testing::{Answer, HOSTILE_HOSTS, HOSTILE_ORIGINS, HOSTILE_SITES, PORT, Page};
use axum::http::Method;

const HOST: (&str, &str) = ("host", "127.0.0.1:7390");
const JSON: (&str, &str) = ("content-type", "application/json");
const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// A request of the walk: a row of the table, an address that is none, or a method that is not taken.
struct Case {
    method: Method,
    uri: String,
    access: Access,
}

impl Case {
    fn of(route: &Route) -> Self {
        let mut uri = String::new();
        for part in route.path.split('/').skip(1) {
            uri.push('/');
            uri.push_str(if part.starts_with('{') { ID } else { part });
        }
        Self {
            method: route.method.clone(),
            uri,
            access: route.access,
        }
    }

    fn none(method: Method, uri: &str) -> Self {
        Self {
            method,
            uri: uri.to_owned(),
            access: Access::Secret,
        }
    }

    fn changes(&self) -> bool {
        self.method != Method::GET && self.method != Method::HEAD
    }
}

fn walk() -> Vec<Case> {
    let mut cases: Vec<_> = table().iter().map(Case::of).collect();
    cases.push(Case::none(Method::GET, "/api/nothing"));
    cases.push(Case::none(Method::GET, "/nothing/at/all"));
    cases.push(Case::none(Method::GET, "/favicon.ico"));
    cases.push(Case::none(Method::GET, "/assets/../api/health"));
    cases.push(Case::none(Method::GET, "/api/sign-in"));
    cases.push(Case::none(Method::GET, "/api/sign-in/"));
    cases.push(Case::none(Method::POST, "/API/sign-in"));
    cases.push(Case::none(Method::POST, "/"));
    cases.push(Case::none(Method::PUT, "/api/health"));
    cases.push(Case::none(Method::OPTIONS, "/api/health"));
    cases.push(Case::none(Method::TRACE, "/api/health"));
    cases.push(Case::none(
        Method::from_bytes(b"PROPFIND").unwrap(),
        "/api/health",
    ));
    cases
}

async fn send(page: &Page, case: &Case, headers: &[(&str, &str)]) -> Answer {
    let mut all = headers.to_vec();
    if case.changes() && !headers.iter().any(|(name, _)| *name == "content-type") {
        all.push(JSON);
    }
    let answer = page.send(case.method.as_str(), &case.uri, &all, "{}").await;
    is_protected(case, &answer);
    answer
}

/// What every answer carries, and what none does.
fn is_protected(case: &Case, answer: &Answer) {
    let what = format!("{} {}", case.method, case.uri);
    let header = |name: &str| {
        let mut values = answer.headers.get_all(name).iter();
        let value = values
            .next()
            .map(|value| value.to_str().unwrap().to_owned());
        assert!(values.next().is_none(), "{what}: {name} twice");
        value.unwrap_or_default()
    };
    assert_eq!(header("content-security-policy"), CONTENT_POLICY, "{what}");
    assert_eq!(header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(
        header("cross-origin-resource-policy"),
        "same-origin",
        "{what}"
    );
    assert_eq!(
        header("cross-origin-opener-policy"),
        "same-origin",
        "{what}"
    );
    assert_eq!(header("referrer-policy"), "no-referrer", "{what}");
    if case.uri.starts_with("/api/") {
        assert_eq!(header("cache-control"), "no-store", "{what}");
    }
    for name in answer.headers.keys() {
        let name = name.as_str();
        assert!(!name.starts_with("access-control-"), "{what}: {name}");
        assert!(
            !["server", "set-cookie", "x-powered-by"].contains(&name),
            "{what}: {name}"
        );
    }
}

fn refused(answer: &Answer, status: u16, case: &Case, why: &str) {
    assert_eq!(
        answer.status, status,
        "{} {} with {why}: {}",
        case.method, case.uri, answer.body
    );
    assert!(
        answer.body.len() < 300,
        "{} bytes tell too much",
        answer.body.len()
    );
}

#[test]
fn what_needs_no_secret_is_the_shell_and_the_sign_in() {
    let open: Vec<_> = table()
        .iter()
        .filter(|route| route.access == Access::Open && !super::shell::has(route.path))
        .map(|route| (route.method.clone(), route.path))
        .collect();
    assert_eq!(open, [(Method::POST, "/api/sign-in")]);
    for route in table() {
        let parameters = route.path.contains('{');
        assert!(
            route.access == Access::Secret || !parameters,
            "{}",
            route.path
        );
        assert_eq!(
            route.access == Access::Local,
            route.path.starts_with("/api/local/"),
            "{}",
            route.path
        );
    }
}

#[test]
fn the_content_policy_is_the_one_agreed_on() {
    assert_eq!(
        CONTENT_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         object-src 'none'; require-trusted-types-for 'script'; trusted-types default"
    );
}

#[tokio::test]
async fn a_hostile_host_reaches_nothing() {
    let page = Page::new().await;
    let bearer = format!("Bearer {}", page.secret);
    for case in walk() {
        for host in HOSTILE_HOSTS {
            let answer = send(&page, &case, &[("host", host), ("authorization", &bearer)]).await;
            refused(&answer, 403, &case, host);
        }
        let none = send(&page, &case, &[("authorization", &bearer)]).await;
        refused(&none, 403, &case, "no host");
        let twice = send(&page, &case, &[HOST, HOST, ("authorization", &bearer)]).await;
        refused(&twice, 403, &case, "two hosts");
    }
}

#[tokio::test]
async fn another_origin_or_site_reaches_nothing() {
    let page = Page::new().await;
    let bearer = format!("Bearer {}", page.secret);
    let auth = ("authorization", bearer.as_str());
    for case in walk() {
        for origin in HOSTILE_ORIGINS {
            let answer = send(&page, &case, &[HOST, auth, ("origin", origin)]).await;
            refused(&answer, 403, &case, origin);
        }
        for site in HOSTILE_SITES {
            for mode in ["no-cors", "cors", "navigate", "websocket"] {
                let headers = [
                    HOST,
                    auth,
                    ("sec-fetch-site", site),
                    ("sec-fetch-mode", mode),
                ];
                refused(&send(&page, &case, &headers).await, 403, &case, site);
            }
        }
    }
}

#[tokio::test]
async fn without_the_right_secret_every_address_looks_the_same() {
    let page = Page::new().await;
    let first = send(&page, &Case::none(Method::GET, "/api/health"), &[HOST])
        .await
        .body;
    let capital = format!("BEARER {}", page.secret);
    let bare = page.secret.clone();
    let longer = format!("Bearer {}0", page.secret);
    let shorter = format!("Bearer {}", &page.secret[1..]);
    let good = format!("Bearer {}", page.secret);
    let control = format!("Bearer {}", page.control);
    for case in walk().iter().filter(|case| case.access != Access::Open) {
        let mut tries: Vec<Vec<(&str, &str)>> = vec![
            vec![],
            vec![("authorization", "")],
            vec![("authorization", "Bearer ")],
            vec![("authorization", "Bearer undefined")],
            vec![("authorization", "Basic cmV4OnJleA==")],
            vec![("authorization", &capital)],
            vec![("authorization", &bare)],
            vec![("authorization", &longer)],
            vec![("authorization", &shorter)],
            vec![("cookie", &bare)],
            vec![("authorization", &good), ("authorization", &good)],
        ];
        tries.push(match case.access {
            Access::Local => vec![("authorization", &good)],
            _ => vec![("authorization", &control)],
        });
        for mut headers in tries {
            let why = format!("{headers:?}");
            headers.push(HOST);
            let answer = send(&page, case, &headers).await;
            refused(&answer, 401, case, &why);
            assert_eq!(answer.body, first);
        }
        let in_query = Case {
            uri: format!("{}?secret={}", case.uri, page.secret),
            method: case.method.clone(),
            ..*case
        };
        refused(
            &send(&page, &in_query, &[HOST]).await,
            401,
            case,
            "the secret in the query",
        );
    }
}

#[tokio::test]
async fn only_json_changes_anything() {
    let page = Page::new().await;
    for case in walk().iter().filter(|case| case.changes()) {
        let secret = if case.access == Access::Local {
            &page.control
        } else {
            &page.secret
        };
        let bearer = format!("Bearer {secret}");
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonp",
            "text/json",
            "application/json, text/plain",
            "",
        ] {
            let headers = [HOST, ("authorization", &bearer), ("content-type", kind)];
            refused(&send(&page, case, &headers).await, 415, case, kind);
        }
        let untyped = page
            .send(
                case.method.as_str(),
                &case.uri,
                &[HOST, ("authorization", &bearer)],
                "{}",
            )
            .await;
        refused(&untyped, 415, case, "a body of no kind");
    }
}

#[tokio::test]
async fn who_passes_the_gate_is_told_what_is_not_there() {
    let page = Page::new().await;
    let missing = page.get("/api/nothing").await;
    assert_eq!(
        (missing.status.as_u16(), &missing.json()["type"]),
        (404, &"unknown-route".into())
    );
    let method = page.call("PUT", "/api/health", None).await;
    assert_eq!(
        (method.status.as_u16(), &method.json()["type"]),
        (405, &"method-not-allowed".into())
    );
    let preflight = page.call("OPTIONS", "/api/health", None).await;
    assert_eq!(preflight.status, 405);
}

#[tokio::test]
async fn a_link_clicked_in_a_chat_opens_the_page() {
    let page = Page::new().await;
    let click = [
        HOST,
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ];
    let answer = page
        .send("GET", "/?doc=pricing.md&thread=x", &click, "")
        .await;
    assert_eq!(answer.status, 200);
    assert!(
        answer.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
    assert_eq!(
        page.send("GET", "/api/workspace", &click, "").await.status,
        403
    );
    assert_eq!(page.bridge.port, PORT);
}

#[tokio::test]
async fn a_panic_costs_one_call() {
    async fn panics() -> &'static str {
        panic!("with a document's text in it")
    }
    let page = Page::with(PORT, vec![Route::get("/api/panics", panics)]).await;
    let answer = page.get("/api/panics").await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.json()["type"], "internal");
    assert!(!answer.body.contains("document's text"));
    is_protected(&Case::none(Method::GET, "/api/panics"), &answer);
    assert_eq!(page.get("/api/health").await.status, 200);
}
