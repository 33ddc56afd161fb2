//! The bridge: the only process with the database and the only one that starts agents.
//!
//! A call comes in through [`http`]: the gate, then the route table, then a short handler. What it means is decided by
//! [`runs`] (conversations with agents), [`documents`] (files, read and found again), [`proposals`] (what agents want
//! changed) and [`access`] (who may ask).
//! [`store`] keeps it, [`follow`] tells the tabs. [`agents`] knows programs, [`processes`] starts them. [`bridge`] puts
//! all of that together; [`cli`] is what a person starts. The vocabulary is `rex_shared`'s.
//!
//! Deliberately absent: a second writer, cookies, HTML made from documents, a cache of conversations beside their rows,
//! and code that branches on an agent's name.
//!
//! What always holds, and the tests that fail when it does not:
//!
//! 1. The database is the record; an agent's session only makes resuming faster. With every file of an agent deleted
//!    the conversation is the same and goes on.
//!    Pinned by `a_record_that_is_gone_means_the_rows_are_told_again` and
//!    `what_was_appended_is_there_after_the_process_is_gone`.
//! 2. Looking builds nothing: no GET and no follow changes a row (the cache of places apart) or a file, or makes a
//!    thread live.
//!    Pinned by `looking_changes_no_row_and_no_file` and `looking_makes_nothing_live_and_held_is_not_busy`.
//! 3. Row first, frame second: what a browser was shown is in the database.
//!    Pinned by `all_that_was_shown_survives_and_the_run_is_interrupted` and
//!    `a_new_connection_begins_with_a_snapshot_that_equals_what_was_streamed`.
//! 4. Only the store knows SQL, only `http` knows axum, only `processes` starts programs, only the page's `browser`
//!    names what the browser brings.
//!    Pinned by `sql_outside_the_store_is_found_and_inside_it_is_not`.
//! 5. Adapters do no IO: lines and answers in, events and lines out.
//!    Pinned by `bad_lines_do_not_end_a_turn_wherever_they_are_cut`.
//! 6. Nothing stores which version a comment is about: where it resolves is what it is about.
//!    Pinned by `no_column_says_which_version_a_comment_is_about`.
//! 7. An anchor is never re-attached to other words in silence; when unsure, the place is gone.
//!    Pinned by `a_deleted_twin_is_gone_and_its_twin_is_left_alone` and
//!    `text_moved_to_another_file_is_offered_there`.
//! 8. In `ask` nothing that a run starts can write outside its temp folder and its agent's records; where the operating
//!    system cannot see to that, it is said before the run starts.
//!    Pinned by `in_bubblewrap_no_attack_changes_anything` and
//!    `without_a_sandbox_it_is_said_before_the_run_and_the_alarm_shows_after`.
//! 9. A person's file changes by an act of theirs only: in `ask` an agent has no writing tools; in `act` it works in a
//!    private copy, and what it changed there is written when the person accepts it, against what it was made from.
//!    Pinned by `in_ask_the_program_has_no_writing_tool_and_none_of_its_own_settings`,
//!    `an_act_run_changes_its_copy_only_and_proposes_it` and
//!    `where_both_changed_the_same_lines_nothing_is_written_and_both_sides_are_told`.
//! 10. REX leaves no file in a workspace, and nothing of it can be committed by accident.
//!     Pinned by `it_says_in_one_line_where_it_is_and_leaves_the_folder_alone` and
//!     `a_home_inside_the_folder_is_refused_before_anything_is_made`.
//! 11. No document text, prompt, key or secret is in the log.
//!     Pinned by `no_secret_and_no_text_is_in_the_log`.

#![warn(missing_docs)]

pub mod access;
pub mod agents;
pub mod bridge;
pub mod cli;
pub mod control;
pub mod demo;
pub mod doctor;
pub mod documents;
pub mod export;
pub mod follow;
pub mod fresh;
pub mod home;
pub mod http;
pub mod port;
pub mod processes;
pub mod proposals;
pub mod runs;
pub mod sample;
pub mod store;
pub mod workspaces;
