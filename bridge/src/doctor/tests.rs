//! What is said of gateways, of a bridge that is not there, and in which form.

use super::*;
use crate::agents::Configuration;
use crate::store::Store;
use rex_shared::ids::GatewayId;
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::doctor::CheckState;
use std::net::TcpListener;
use std::path::Path;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

fn doctor(home: &Path, port: Option<u16>) -> Doctor {
    let environment = Environment::of([("PATH", "/nowhere"), ("SET_KEY", "a-canary")]);
    let program = Path::new("/nowhere/rex");
    let configuration = Configuration::default();
    let agents = Registry::standard(environment.clone(), program, home, &configuration);
    let runner = Runner::new(environment.clone());
    Doctor::new(home.to_owned(), port, environment, agents, runner)
}

fn find<'a>(diagnosis: &'a Diagnosis, name: &str) -> &'a Check {
    let found = diagnosis.checks().find(|check| check.name == name);
    found.unwrap_or_else(|| panic!("nothing is said of {name}"))
}

fn gateway(n: u8, name: &str, key_ref: &str) -> Gateway {
    Gateway {
        gateway_id: GatewayId::parse(&format!("01890a5d-ac96-774b-bcce-b302099a80{n:02}")).unwrap(),
        name: name.to_owned(),
        sdks: Vec::new(),
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        key_ref: Some(key_ref.to_owned()),
        models: Vec::new(),
    }
}

#[tokio::test]
async fn a_gateway_whose_key_is_missing_is_bad_and_no_key_is_ever_said() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("rex.db"), fresh::now()).unwrap();
    for gateway in [
        gateway(1, "One", "env:SET_KEY"),
        gateway(2, "Two", "env:UNSET_KEY"),
    ] {
        store.create_gateway(gateway, fresh::now()).await.unwrap();
    }
    let diagnosis = doctor(home.path(), None).look().await;
    assert_eq!(find(&diagnosis, "gateway One").state, CheckState::Good);
    assert_eq!(find(&diagnosis, "gateway Two").state, CheckState::Bad);
    assert_eq!(find(&diagnosis, "database").state, CheckState::Good);
    assert!(!text(&diagnosis).contains("a-canary"));
}

#[tokio::test]
async fn a_missing_agent_comes_with_how_to_get_it() {
    let home = tempfile::tempdir().unwrap();
    let diagnosis = doctor(home.path(), None).look().await;
    let claude = find(&diagnosis, "agent claude");
    assert_eq!(claude.state, CheckState::Notice);
    assert!(claude.hint.as_ref().unwrap().contains("npm install"));
    assert_eq!(find(&diagnosis, "sandbox").state, CheckState::NotTried);
}

/// G-S35: a program that lets everything in does not pass for the gate, and neither does nobody.
#[tokio::test]
async fn a_gate_that_lets_attacks_in_is_bad_and_so_is_none() {
    let home = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let open = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap();
            let asked = String::from_utf8_lossy(&head[..length]).into_owned();
            let status = if asked.starts_with("GET /api/health") {
                "401 No"
            } else {
                "200 OK"
            };
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    let diagnosis = doctor(home.path(), Some(port)).try_out(&[]).await;
    let gate = find(&diagnosis, "gate");
    assert_eq!(gate.state, CheckState::Bad);
    assert!(gate.says.contains("evil.example"), "{}", gate.says);
    open.abort();

    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let diagnosis = doctor(home.path(), Some(free)).try_out(&[]).await;
    assert_eq!(find(&diagnosis, "gate").state, CheckState::Bad);
    assert_eq!(find(&diagnosis, "port").state, CheckState::Bad);
}
