//! How the program is started and what it is told.

use super::*;

fn found(options: &[&str]) -> Found {
    Found {
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        ..examples::found("/usr/bin/claude", "2.1.332")
    }
}

#[test]
fn in_ask_the_program_has_no_writing_tool_and_none_of_its_own_settings() {
    let launch = claude().launch(&found(&[]), &fresh()).unwrap();
    let arguments = launch.arguments.join(" ");
    assert!(arguments.contains("--tools=Read,Grep,Glob"), "{arguments}");
    assert!(
        arguments.contains("--strict-mcp-config --setting-sources  "),
        "{arguments}"
    );
    assert!(
        arguments.contains(&format!("--session-id={ID}")),
        "{arguments}"
    );
    assert!(
        !arguments.contains("snapshot"),
        "an option this version does not list: {arguments}"
    );
    assert_eq!(launch.folder, Path::new("/a/workspace"));

    let newer = claude()
        .launch(&found(&["--system-prompt-snapshot"]), &resumed())
        .unwrap();
    let arguments = newer.arguments.join(" ");
    assert!(arguments.contains(&format!("--resume={ID}")), "{arguments}");
    assert!(
        arguments.contains("--system-prompt-snapshot=off"),
        "{arguments}"
    );
    assert!(
        !arguments.contains("--session-id"),
        "the two exclude each other: {arguments}"
    );
}

/// G-S24: no text of others is ever an option.
#[test]
fn what_is_not_what_it_should_be_starts_nothing() {
    let ids = [
        "--continue",
        "../../x",
        "11111111-1111-4111-8111-11111111111Z",
    ];
    starts_nothing_else(|turn| claude().launch(&found(&[]), turn), &ids);
    for id in ids {
        assert_eq!(claude().record(id), None, "{id}");
    }
}

#[test]
fn a_gateway_gets_its_own_key_and_never_the_sign_in_of_the_person() {
    let names = |turn: &Turn| {
        let launch = claude().launch(&found(&[]), turn).unwrap();
        launch
            .environment
            .into_iter()
            .filter(|(name, _)| name.starts_with("ANTHROPIC"))
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&fresh()), [""; 0]);
    let mut at_gateway = fresh();
    at_gateway.gateway.base_url = Some("http://127.0.0.1:9".to_owned());
    assert_eq!(
        names(&at_gateway),
        [
            "ANTHROPIC_API_KEY=none",
            "ANTHROPIC_BASE_URL=http://127.0.0.1:9"
        ]
    );
    at_gateway.key = Some(Secret::new("k".to_owned()));
    at_gateway.gateway.key_ref = Some("env:MY_KEY".to_owned());
    assert_eq!(names(&at_gateway)[0], "ANTHROPIC_API_KEY=k");
    at_gateway.gateway.key_ref = Some("env:MY_AUTH_TOKEN".to_owned());
    assert_eq!(names(&at_gateway)[0], "ANTHROPIC_AUTH_TOKEN=k");
}

/// S53: the override of the config folder is where records are looked for, and what the program gets.
#[test]
fn the_override_of_the_config_folder_counts_in_every_look_up() {
    let sdk = Sdk::parse("claude").unwrap();
    let with = Environment::of([("HOME", "/home/a"), ("CLAUDE_CONFIG_DIR", "/elsewhere")]);
    let claude = Claude::new(sdk.clone(), &with);
    assert_eq!(
        claude.record(ID).unwrap().config_folder,
        Path::new("/elsewhere")
    );
    let launch = claude.launch(&found(&[]), &fresh()).unwrap();
    assert_eq!(
        launch.environment.get("CLAUDE_CONFIG_DIR"),
        Some(&"/elsewhere".into())
    );

    for empty in [
        vec![("HOME", "/home/a")],
        vec![("HOME", "/home/a"), ("CLAUDE_CONFIG_DIR", "")],
    ] {
        let claude = Claude::new(sdk.clone(), &Environment::of(empty));
        assert_eq!(
            claude.record(ID).unwrap().config_folder,
            Path::new("/home/a/.claude")
        );
        let launch = claude.launch(&found(&[]), &fresh()).unwrap();
        assert_eq!(launch.environment.get("CLAUDE_CONFIG_DIR"), None);
    }
}

#[test]
fn the_prompt_is_said_on_stdin_and_is_never_a_command_of_the_program() {
    let said = |prompt: &str, images| -> Value {
        let turn = Turn {
            prompt: prompt.to_owned(),
            images,
            ..fresh()
        };
        let step = claude().dialogue(&turn).open();
        serde_json::from_str(&step.say[0]).unwrap()
    };
    assert_eq!(
        said("/compact", Vec::new())["message"]["content"][0]["text"],
        " /compact"
    );
    let image = PromptImage {
        media_type: "image/png".to_owned(),
        data_base64: "AA==".to_owned(),
    };
    let line = said("look", vec![image]);
    assert_eq!(
        line["message"]["content"][0]["source"]["media_type"],
        "image/png"
    );
    assert_eq!(line["message"]["content"][1]["text"], "look");
}
