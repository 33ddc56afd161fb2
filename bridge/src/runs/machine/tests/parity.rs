//! Whatever an agent does, in whatever order.

use super::*;
use proptest::prelude::*;

fn events() -> impl Strategy<Value = Event> {
    let key = prop_oneof![Just("a".to_owned()), Just("b".to_owned())];
    let words = "[a-c🦀ß]{0,6}";
    prop_oneof![
        4 => (key.clone(), words).prop_map(|(key, delta)| Event::Text { key, delta }),
        2 => (key.clone(), words).prop_map(|(key, text)| Event::TextWhole { key, text }),
        2 => (key.clone(), words).prop_map(|(key, delta)| Event::Thinking { key, delta }),
        1 => (key.clone(), words).prop_map(|(key, text)| Event::ThinkingWhole { key, text }),
        2 => (key.clone(), 0..3).prop_map(|(call_id, n)| Event::ToolStarted {
            call_id, name: "Read".to_owned(), input: json!(n),
        }),
        2 => (key.clone(), words, any::<bool>())
            .prop_map(|(call_id, text, is_error)| Event::ToolDone { call_id, text, is_error }),
        1 => Just(Event::Other { original_type: "part:audio".to_owned(), payload: json!(1) }),
        1 => Just(Event::Diagnostic("noise".to_owned())),
        1 => Just(Event::AskWithdrawn { ask_id: "p".to_owned() }),
        1 => Just(Event::Retrying { attempt: 1, reason: "busy".to_owned() }),
        1 => Just(Event::SessionLost { reason: "gone".to_owned() }),
        1 => prop_oneof![
            Just(Event::Finished), Just(Event::Interrupted), Just(Event::Failed("no".to_owned())),
        ],
    ]
}

fn inputs() -> impl Strategy<Value = Input> {
    prop_oneof![
        12 => events().prop_map(event),
        1 => Just(permission("p")),
        1 => Just(Input::Stop),
        1 => Just(Input::Started { resumes: None }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// S13 S108: after any sequence of events the screen shows exactly what the rows assemble to, part by part.
    #[test]
    fn what_was_shown_is_what_was_written(inputs in prop::collection::vec(inputs(), 1..60)) {
        let (mut machine, mut world) = going();
        for input in inputs {
            world.take(machine.on(input));
        }
        world.take(machine.on(Input::Shutdown));
        prop_assert_eq!(world.ends.len(), 1, "exactly one end");
        prop_assert!(world.dialogs.iter().all(|dialog| dialog.state != DialogState::Open));
        if !world.rows.is_empty() {
            prop_assert_eq!(world.read_back(world.ends[0].state), world.screen);
        }
    }

    /// Whatever comes after the end changes nothing.
    #[test]
    fn a_late_event_is_ignored(end in 0..3, late in prop::collection::vec(inputs(), 0..20)) {
        let (mut machine, _) = going();
        machine.on(match end {
            0 => event(Event::Finished),
            1 => event(Event::Failed("no".to_owned())),
            _ => Input::Shutdown,
        });
        for input in late {
            prop_assert_eq!(machine.on(input), []);
        }
    }
}
