use crate::agents::Configuration;
use crate::agents::examples::{first, later};
use crate::agents::inquiry::{Answer, Heard, Question};
use crate::agents::registry::Registry;
use crate::processes::{Environment, Exit};
use rex_shared::ids::Sdk;
use serde_json::{Value, json};
use std::path::Path;

const ID: &str = "01a22e11-e06c-7377-ae22-d46038b63331";

/// What an agent makes of lines that a program says, and of its end.
fn answered(sdk: &str, question: Question, lines: &[Value], stderr: &str) -> (Vec<String>, Answer) {
    let environment = Environment::of([("HOME", "/home/me")]);
    let configuration = Configuration::default();
    let registry = Registry::standard(
        environment,
        Path::new("/bin/rex"),
        Path::new("/rex"),
        &configuration,
    );
    let agent = registry.get(&Sdk::parse(sdk).unwrap()).unwrap();
    let turn = match &question {
        Question::Session(id) => later(id),
        Question::Models => first(),
    };
    let mut inquiry = agent.inquiry(&turn, question).unwrap();
    let mut said = inquiry.open();
    for line in lines {
        match inquiry.heard(line) {
            Heard::Nothing => {}
            Heard::Say(more) => said.extend(more),
            Heard::Answer(answer) => return (said, answer),
        }
    }
    let exit = Exit {
        code: Some(1),
        stderr: stderr.to_owned(),
        ..Exit::default()
    };
    (said, inquiry.ended(&exit))
}

fn session(sdk: &str, id: &str, lines: &[Value], stderr: &str) -> Answer {
    answered(sdk, Question::Session(id.to_owned()), lines, stderr).1
}

fn models(sdk: &str, lines: &[Value]) -> Answer {
    answered(sdk, Question::Models, lines, "").1
}

fn is_not_there(answer: &Answer) -> bool {
    matches!(answer, Answer::HasNot(words) if !words.is_empty())
}

#[test]
fn claude_answers_a_request_for_its_settings_or_goes() {
    let settings = json!({"type": "control_response", "response": {"subtype": "success", "response": {"models": [
        {"value": "default"}, {"value": "opus"}, {"value": "opus[1m]"}, {"value": "sonnet"}, {"value": "opus"},
    ]}}});
    assert_eq!(
        session("claude", ID, std::slice::from_ref(&settings), ""),
        Answer::Has
    );
    let offered = ["opus", "sonnet"].map(str::to_owned).to_vec();
    assert_eq!(models("claude", &[settings]), Answer::Models(offered));
    let gone = json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "errors": [
        format!("No conversation found with session ID: {ID}"),
    ]});
    assert!(is_not_there(&session("claude", ID, &[gone], "")));
    let failed = json!({"type": "result", "errors": ["Not logged in"]});
    assert_eq!(
        session("claude", ID, &[failed], ""),
        Answer::Unclear("Not logged in".to_owned())
    );
}

#[test]
fn codex_takes_the_conversation_up_as_a_turn_would() {
    let hello = json!({"id": 1, "result": {"userAgent": "rex/0.171.0"}});
    let taken_up = json!({"id": 2, "result": {"thread": {"id": ID}}});
    let (said, answer) = answered(
        "codex",
        Question::Session(ID.to_owned()),
        &[hello.clone(), json!({"method": "warning"}), taken_up],
        "",
    );
    assert_eq!(answer, Answer::Has);
    assert!(
        said[2].contains("thread/resume") && said[2].contains(ID),
        "{said:?}"
    );
    let other = json!({"id": 2, "result": {"thread": {"id": "another"}}});
    assert!(is_not_there(&session(
        "codex",
        ID,
        &[hello.clone(), other],
        ""
    )));
    let gone =
        json!({"id": 2, "error": {"code": -32600, "message": "no rollout found for thread id"}});
    assert!(is_not_there(&session(
        "codex",
        ID,
        &[hello.clone(), gone],
        ""
    )));
    let listed = json!({"id": 2, "result": {"data": [{"model": "gpt-6.2-sol"}]}});
    assert_eq!(
        models("codex", &[hello, listed]),
        Answer::Models(vec!["gpt-6.2-sol".to_owned()])
    );
}

#[test]
fn opencode_is_asked_for_the_session_by_its_id() {
    let has = json!({"id": 1, "status": 200, "body": {"id": "ses_1"}});
    assert_eq!(session("opencode", "ses_1", &[has], ""), Answer::Has);
    let gone = json!({"id": 1, "status": 404, "body": {"name": "NotFoundError"}});
    assert!(is_not_there(&session("opencode", "ses_1", &[gone], "")));
    let broken = json!({"id": 1, "error": "connection refused"});
    assert!(matches!(
        session("opencode", "ses_1", &[broken], ""),
        Answer::Unclear(_)
    ));
    let providers = json!({"id": 1, "status": 200, "body": {"providers": [
        {"id": "own", "models": {"large": {}, "small": {}}}, {"models": {"lost": {}}},
    ]}});
    let offered = ["own/large", "own/small"].map(str::to_owned).to_vec();
    assert_eq!(models("opencode", &[providers]), Answer::Models(offered));
}

/// A record that pi cannot read it begins anew under the same name, without an error.
#[test]
fn pi_says_in_which_session_it_is() {
    let state = |id: &str, messages: u32| json!({"type": "response", "id": "asks", "success": true, "data": {"sessionId": id, "messageCount": messages}});
    assert_eq!(session("pi", ID, &[state(ID, 2)], ""), Answer::Has);
    assert!(is_not_there(&session("pi", ID, &[state(ID, 0)], "")));
    assert!(is_not_there(&session("pi", ID, &[state("another", 2)], "")));
    assert!(is_not_there(&session(
        "pi",
        ID,
        &[],
        "No session found matching 'x'\n"
    )));
    assert!(matches!(
        session("pi", ID, &[], "out of memory"),
        Answer::Unclear(_)
    ));
    let offered = json!({"type": "response", "id": "asks", "data": {"models": [{"provider": "own", "id": "large"}]}});
    assert_eq!(
        models("pi", &[offered]),
        Answer::Models(vec!["own/large".to_owned()])
    );
}

#[test]
fn an_agent_that_speaks_acp_takes_the_session_up_as_it_can() {
    let hello = |can: Value| json!({"id": 1, "result": {"agentCapabilities": can}});
    let up = json!({"id": 2, "result": {}});
    for (can, method) in [
        (json!({"loadSession": true}), "session/load"),
        (
            json!({"sessionCapabilities": {"resume": {}}}),
            "session/resume",
        ),
    ] {
        let question = Question::Session(ID.to_owned());
        let (said, answer) = answered("demo", question, &[hello(can), up.clone()], "");
        assert_eq!(answer, Answer::Has);
        assert!(said[1].contains(method), "{said:?}");
    }
    assert!(is_not_there(&session("demo", ID, &[hello(json!({}))], "")));
    let gone = json!({"id": 2, "error": {"code": -32002, "message": "Resource not found"}});
    let can = hello(json!({"loadSession": true}));
    assert!(is_not_there(&session("demo", ID, &[can, gone], "")));
    let made = json!({"id": 2, "result": {"sessionId": "s", "configOptions": [
        {"id": "mode", "options": [{"value": "ask"}]},
        {"id": "model", "category": "model", "options": [{"value": "large"}]},
    ]}});
    assert_eq!(
        models("demo", &[hello(json!({})), made]),
        Answer::Models(vec!["large".to_owned()])
    );
}

#[test]
fn whatever_a_program_says_the_answer_is_one_or_none() {
    for sdk in ["claude", "codex", "opencode", "pi", "demo"] {
        for line in [json!(null), json!([]), json!({"id": 1}), json!({"type": 3})] {
            let answer = session(sdk, ID, &[line], "the last words");
            assert!(
                !matches!(answer, Answer::Has | Answer::Models(_)),
                "{sdk}: {answer:?}"
            );
        }
    }
}
