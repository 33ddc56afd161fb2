use super::*;
use proptest::prelude::*;

const GOOD: SessionFacts = SessionFacts {
    finished: true,
    same_base_url: true,
    same_folder: true,
    sdk_store: SdkStore::NotAsked,
    sdk_log: SdkLog::Present,
};

fn facts() -> Facts<'static> {
    Facts {
        agent: "Claude",
        gateway: Some("Anthropic"),
        mode: Mode::Ask,
        resumes: true,
        session: Some(GOOD),
        anything_said: true,
        weight: 13_600,
        place_lost: false,
        last_wait_ms: Some(900),
    }
}

fn reason(facts: &Facts<'_>) -> String {
    forecast(facts).reason
}

/// S23: a session whose record is there is gone on with.
#[test]
fn a_session_that_is_really_there_is_resumed() {
    let said = forecast(&facts());
    assert_eq!(said.memory, Memory::Resumed);
    assert_eq!(
        said.reason,
        "Claude on Anthropic remembers this comment. It will be told only what is new."
    );
    assert_eq!(said.tokens, 0);
    assert!(!said.certain, "the agent itself was not asked");
    for (log, certain) in [(SdkLog::Present, true), (SdkLog::Unseen, false)] {
        let session = SessionFacts {
            sdk_store: SdkStore::Has,
            sdk_log: log,
            ..GOOD
        };
        let said = forecast(&Facts {
            session: Some(session),
            ..facts()
        });
        assert_eq!((said.memory, said.certain), (Memory::Resumed, certain));
    }
}

/// S24: a record that is gone is no reason to start blank: the conversation is given again, and the person is told.
#[test]
fn a_record_that_is_gone_means_a_replay() {
    for session in [
        SessionFacts {
            sdk_log: SdkLog::Missing,
            ..GOOD
        },
        SessionFacts {
            sdk_store: SdkStore::None,
            ..GOOD
        },
    ] {
        let said = forecast(&Facts {
            session: Some(session),
            ..facts()
        });
        assert_eq!(said.memory, Memory::Replayed);
        assert_eq!(
            said.reason,
            "Claude's own record is gone. It will be given the conversation again (≈ 3,400 tokens)."
        );
        assert_eq!(said.tokens, 3_400);
        assert!(said.certain);
    }
}

#[test]
fn an_agent_and_gateway_that_have_not_seen_the_comment_are_seeded() {
    let said = forecast(&Facts {
        gateway: Some("LiteLLM"),
        session: None,
        ..facts()
    });
    assert_eq!(said.memory, Memory::Seeded);
    assert_eq!(
        said.reason,
        "LiteLLM has not seen this comment yet. It will be given the conversation so far (≈ 3,400 tokens)."
    );
}

#[test]
fn an_act_run_is_always_seeded() {
    let said = forecast(&Facts {
        mode: Mode::Act,
        ..facts()
    });
    assert_eq!(said.memory, Memory::Seeded);
    assert_eq!(
        said.reason,
        "Act is a fresh run on a private copy. It will be given the conversation so far (≈ 3,400 tokens)."
    );
}

#[test]
fn an_agent_that_never_resumes_says_so_on_every_send() {
    let said = forecast(&Facts {
        agent: "Deep Agents",
        resumes: false,
        session: None,
        ..facts()
    });
    assert_eq!(said.memory, Memory::Replayed);
    assert_eq!(
        said.reason,
        "Deep Agents keeps nothing between sends. It will be given the conversation so far."
    );
}

#[test]
fn a_session_of_another_address_folder_or_an_unfinished_turn_is_not_resumed() {
    for (session, why) in [
        (
            SessionFacts {
                same_base_url: false,
                ..GOOD
            },
            "The address of Anthropic has changed.",
        ),
        (
            SessionFacts {
                same_folder: false,
                ..GOOD
            },
            "The folder has moved since.",
        ),
        (
            SessionFacts {
                finished: false,
                ..GOOD
            },
            "Claude's last turn here did not finish.",
        ),
    ] {
        let facts = Facts {
            session: Some(session),
            ..facts()
        };
        assert_eq!(forecast(&facts).memory, Memory::Replayed);
        assert!(reason(&facts).starts_with(why), "{}", reason(&facts));
    }
}

#[test]
fn a_lost_place_is_said_beforehand() {
    assert_eq!(
        reason(&Facts {
            agent: "Codex",
            gateway: Some("OpenAI"),
            place_lost: true,
            ..facts()
        }),
        "Codex on OpenAI remembers this comment. The place is lost; it will be given the stored quote."
    );
}

#[test]
fn rough_tokens_are_rounded_as_a_person_would() {
    for (tokens, said) in [
        (0, "0"),
        (7, "7"),
        (99, "99"),
        (3_449, "3,400"),
        (12_345_678, "12,000,000"),
    ] {
        assert_eq!(spelled(tokens), said);
    }
}

proptest! {
    #[test]
    fn the_first_message_of_a_comment_is_new_whatever_else_is_true(
        act in any::<bool>(), resumes in any::<bool>(), session in any::<bool>(),
    ) {
        let said = forecast(&Facts {
            mode: if act { Mode::Act } else { Mode::Ask },
            resumes,
            session: session.then_some(GOOD),
            anything_said: false,
            weight: 0,
            ..facts()
        });
        prop_assert_eq!(said.memory, Memory::New);
        prop_assert_eq!(said.tokens, 0);
    }

    #[test]
    fn nothing_is_resumed_unless_every_fact_holds(
        finished in any::<bool>(), same_base_url in any::<bool>(), same_folder in any::<bool>(),
        here in any::<bool>(), act in any::<bool>(), resumes in any::<bool>(),
    ) {
        let sdk_log = if here { SdkLog::Present } else { SdkLog::Missing };
        let session = SessionFacts { finished, same_base_url, same_folder, sdk_log, ..GOOD };
        let mode = if act { Mode::Act } else { Mode::Ask };
        let said = forecast(&Facts { mode, resumes, session: Some(session), ..facts() });
        let all = finished && same_base_url && same_folder && here && !act && resumes;
        prop_assert_eq!(said.memory == Memory::Resumed, all);
    }
}
