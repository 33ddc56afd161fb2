//! The real agent programs behind a real `rex`, against the scripted model server.
//!
//! Each case is what a person does: send, send again, stop, come back after the agent's own record is gone. What the
//! forecast said before each send is compared with what the run then was. Not part of an ordinary test run:
//! `cargo verify --agents all` installs the programs, says where they are, and runs this. No key, no sign-in and no
//! network beyond loopback is involved.

#![expect(clippy::unwrap_used, reason = "a test")]

mod cases;
mod full;
mod program;
mod world;

/// What every program has to stand.
macro_rules! agent {
    ($name:ident) => {
        mod $name {
            use crate::{cases, full, program};

            #[test]
            fn a_stop_ends_the_request_too_so_that_it_costs_no_more() {
                cases::is_stopped(&program::$name());
            }

            #[test]
            fn a_refusal_is_shown_as_one_with_its_kind() {
                cases::is_refused(&program::$name());
            }

            #[test]
            fn an_overloaded_provider_is_asked_again_and_then_told() {
                cases::is_overloaded(&program::$name());
            }

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn thoughts_tokens_and_cost_are_told_as_far_as_it_tells_them() {
                full::thinks_and_tells_what_it_used(&program::$name());
            }

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn a_read_outside_is_asked_and_a_no_is_a_no() {
                full::asks_before_it_reads_outside(&program::$name());
            }

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn a_folder_that_is_away_is_said_and_waited_for() {
                full::waits_for_its_folder(&program::$name());
            }

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn a_kill_in_mid_turn_is_said_and_the_next_send_goes_on() {
                full::goes_on_after_a_kill(&program::$name());
            }

            /// S91: a question cannot change a file, whatever the model wants.
            #[test]
            fn it_reads_and_cannot_write() {
                cases::reads_and_cannot_write(&program::$name());
            }
        }
    };
}

/// What those have to stand besides that go on with a session of an earlier process.
macro_rules! remembers {
    ($module:ident, $name:ident) => {
        mod $module {
            use crate::{cases, full, program};

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn a_record_that_is_garbage_is_no_record() {
                full::is_told_again_when_its_record_is_spoilt(&program::$name());
            }

            /// S53 S54: the folder in force is the one that is looked into, and a record in another one counts for nothing.
            #[test]
            #[ignore = "cargo verify --agents full"]
            fn in_another_config_folder_it_is_told_again() {
                full::is_told_again_when_its_config_folder_moved(&program::$name());
            }

            /// S48 S49 S52: the program itself says whether it has the session, and asking changes nothing.
            #[test]
            #[ignore = "cargo verify --agents full"]
            fn it_says_whether_it_has_the_session() {
                full::says_whether_it_has_the_session(&program::$name());
            }

            #[test]
            #[ignore = "cargo verify --agents full"]
            fn it_names_its_models_without_a_turn() {
                full::names_its_models(&program::$name());
            }

            /// S23 S45 S46: every later send goes on with the session of the first, also after a restart of the bridge.
            #[test]
            fn every_later_send_goes_on_with_the_session_of_the_first() {
                cases::goes_on(&program::$name());
            }

            /// S24 S27 S30: without the agent's own record the conversation is told again from rows, and said to be.
            #[test]
            fn without_its_record_it_is_told_again() {
                cases::loses_its_record(&program::$name());
            }

            /// S33: a session is not gone on with at another address.
            #[test]
            fn at_another_address_it_is_told_again() {
                cases::moves(&program::$name());
            }

            /// S34 S35 S37: a second gateway is told the conversation once and then goes on by itself.
            #[test]
            fn a_second_gateway_is_told_once() {
                cases::is_asked_through_another_gateway(&program::$name());
            }
        }
    };
}

agent!(claude);
agent!(codex);
agent!(deepagents);
agent!(opencode);
agent!(pi);

remembers!(claude_remembers, claude);
remembers!(codex_remembers, codex);
remembers!(opencode_remembers, opencode);
remembers!(pi_remembers, pi);

/// S41 S42: Deep Agents declares that it does not resume, each send tells it all again, and it leaves nothing behind.
#[test]
fn deep_agents_are_told_all_each_time_and_leave_nothing() {
    cases::is_told_each_time(&program::deepagents());
}
