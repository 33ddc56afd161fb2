//! What the model makes of frames, histories and listings.

use super::fixture::{message, place_in, row, snapshot, text, thread};
use super::*;
use rex_shared::ids::{BootId, EntryId, MessageId};
use rex_shared::lane::Lane;
use rex_shared::wire::follow::{Delta, EntryFrame, Frame, MessageFrame, Rail, Stage, Status};
use rex_shared::wire::message::{History, Message, Mode, Part, Refusal, RefusalClass, Role};
use rex_shared::wire::thread::ThreadRow;

/// A page with thread 7 open. The owner must be kept: signals live in it.
fn page() -> (Owner, Model) {
    let owner = Owner::new();
    owner.set();
    let model = Model::new();
    model.open_thread.set(Some(thread(7)));
    (owner, model)
}

fn taken(of: u32, generation: u64, messages: Vec<Message>) -> Frame {
    Frame::Snapshot(Box::new(snapshot(of, generation, messages)))
}

fn header(generation: u64, message: Message) -> Frame {
    Frame::Message(Box::new(MessageFrame {
        thread_id: thread(7),
        generation,
        message,
    }))
}

fn entry(generation: u64, of: u32, index: u32, part: Part) -> Frame {
    Frame::Entry(Box::new(EntryFrame {
        thread_id: thread(7),
        generation,
        message_id: fixture::id(of, MessageId::parse),
        index,
        part,
    }))
}

fn delta(generation: u64, of: u32, at: u64, text: &str) -> Frame {
    Frame::Delta(Delta {
        thread_id: thread(7),
        generation,
        entry_id: fixture::id(of, EntryId::parse),
        at,
        text: text.to_owned(),
    })
}

fn status(generation: u64, busy: bool) -> Frame {
    Frame::Status(Status {
        thread_id: thread(7),
        generation,
        live: true,
        busy,
        stage: busy.then_some(Stage::Writing),
        started_at: None,
    })
}

fn history(messages: Vec<Message>) -> History {
    History {
        thread_id: thread(7),
        messages,
        permission_mode: Mode::Ask,
        interrupted: false,
        has_earlier: false,
    }
}

fn refused(number: u32) -> Message {
    Message {
        refusal: Some(Refusal {
            provider: "demo".to_owned(),
            model: None,
            class: RefusalClass::Overloaded,
            status: Some(529),
            reason: "busy".to_owned(),
        }),
        ..message(number, Role::Assistant, Vec::new())
    }
}

fn asked() -> Message {
    message(1, Role::User, vec![text(11, "Why?")])
}

/// The frames of one answered prompt, after a snapshot with the question.
fn an_answer() -> Vec<Frame> {
    vec![
        status(1, true),
        header(1, message(2, Role::Assistant, Vec::new())),
        entry(1, 2, 0, text(21, "")),
        delta(1, 21, 0, "Because "),
        delta(1, 21, 8, "it is 🦖"),
        entry(1, 2, 1, text(22, "")),
        delta(1, 22, 0, "so."),
        entry(1, 2, 1, text(22, "so.")),
        header(
            1,
            Message {
                duration_ms: Some(5),
                ..message(2, Role::Assistant, Vec::new())
            },
        ),
        status(1, false),
    ]
}

fn answered() -> Vec<Message> {
    vec![
        asked(),
        Message {
            duration_ms: Some(5),
            ..message(
                2,
                Role::Assistant,
                vec![text(21, "Because it is 🦖"), text(22, "so.")],
            )
        },
    ]
}

#[test]
fn the_frames_of_an_answer_end_in_the_stored_conversation() {
    let (_owner, model) = page();
    model.apply(taken(7, 0, vec![asked()]));
    for frame in an_answer() {
        assert_eq!(model.apply(frame), Applied::Taken);
    }
    assert_eq!(model.pane.plain(), answered());
    assert!(!model.pane.busy.get_untracked());
    assert_eq!(model.pane.generation.get_untracked(), 1);
}

#[test]
fn frames_that_repeat_or_come_late_end_in_the_same_state() {
    let count = an_answer().len();
    for repeated in 0..count {
        for position in repeated + 1..=count {
            let (_owner, model) = page();
            model.apply(taken(7, 0, vec![asked()]));
            let mut frames = an_answer();
            let last = frames.pop();
            frames.insert(position.min(frames.len()), an_answer().remove(repeated));
            frames.extend(last);
            for frame in frames {
                assert_ne!(model.apply(frame), Applied::Dropped);
            }
            let messages = model.pane.plain();
            assert_eq!(messages, answered(), "frame {repeated} again at {position}");
        }
    }
}

/// S120: what a frame does not fit is not guessed at: a new snapshot is wanted, and it replaces what is on screen.
#[test]
fn a_gap_wants_a_snapshot_and_the_snapshot_replaces_what_is_on_screen() {
    let (_owner, model) = page();
    model.apply(taken(7, 0, vec![asked()]));
    model.apply(header(1, message(2, Role::Assistant, Vec::new())));
    for early in [
        delta(1, 21, 0, "no entry yet"),
        entry(1, 2, 3, text(24, "no parts before")),
        entry(1, 9, 0, text(91, "no message yet")),
    ] {
        assert_eq!(model.apply(early), Applied::WantsSnapshot);
    }
    model.apply(entry(1, 2, 0, text(21, "abc")));
    assert_eq!(model.apply(delta(1, 21, 5, "f")), Applied::WantsSnapshot);
    model.apply(taken(7, 1, answered()));
    assert_eq!(model.pane.plain(), answered());
}

#[test]
fn a_frame_of_an_older_generation_or_another_thread_changes_nothing() {
    let (_owner, model) = page();
    model.apply(taken(7, 2, answered()));
    assert_eq!(model.apply(status(1, true)), Applied::Dropped);
    let foreign = taken(8, 9, Vec::new());
    assert_eq!(model.apply(foreign), Applied::Dropped);
    assert_eq!(model.pane.plain(), answered());
    assert!(!model.pane.busy.get_untracked());
}

#[test]
fn a_snapshot_after_a_restart_is_taken_though_its_generation_is_lower() {
    let (_owner, model) = page();
    model.apply(taken(7, 5, answered()));
    let mut restarted = snapshot(7, 0, vec![asked()]);
    restarted.boot_id = fixture::id(2, BootId::parse);
    model.apply(Frame::Snapshot(Box::new(restarted)));
    assert_eq!(model.pane.plain(), vec![asked()]);
    assert_eq!(model.apply(status(0, true)), Applied::Taken);
}

/// S111 S112: a thread is adopted under its stored id, and adopting it twice gives the same state.
#[test]
fn adopting_a_stored_thread_twice_gives_the_same_state() {
    let (_owner, model) = page();
    model.apply(taken(7, 3, answered()));
    let rows: Vec<_> = model.pane.messages.get_untracked();
    model.apply(taken(7, 3, answered()));
    assert_eq!(model.open_thread.get_untracked(), Some(thread(7)));
    assert_eq!(model.pane.plain(), answered());
    let again = model.pane.messages.get_untracked();
    for (before, after) in rows.iter().zip(&again) {
        assert_eq!(
            before.header, after.header,
            "the same signals stay on screen"
        );
        assert_eq!(before.parts, after.parts);
    }
}

/// S113: a thread that the bridge knows is never offered as a new one, whichever answer comes first.
#[test]
fn a_stored_thread_is_never_taken_for_a_new_one() {
    let (_owner, model) = page();
    model.pane.unknown.set(true);
    model.apply(taken(7, 0, answered()));
    assert!(!model.pane.unknown.get_untracked());
    model.apply(taken(7, 0, Vec::new()));
    assert!(
        !model.pane.unknown.get_untracked(),
        "an empty snapshot alone says nothing"
    );
}

/// S121: messages may come from history; of the snapshot's facts, history leaves the refusal mark alone.
#[test]
fn history_paints_messages_and_only_a_snapshot_marks_a_refusal() {
    let (_owner, model) = page();
    model.pane.take_history(history(vec![asked(), refused(2)]));
    assert_eq!(model.pane.plain(), [asked(), refused(2)]);
    assert_eq!(model.pane.refused.get_untracked(), None);
    model.apply(taken(7, 0, vec![asked(), refused(2)]));
    assert_eq!(model.pane.refused.get_untracked(), refused(2).refusal);
}

/// S142: on a slow boot, a history that comes after the snapshot changes nothing on screen.
#[test]
fn a_late_history_changes_nothing() {
    let (_owner, model) = page();
    model.apply(taken(7, 1, answered()));
    model.pane.take_history(history(vec![asked()]));
    assert_eq!(model.pane.plain(), answered());
}

#[test]
fn older_pages_stay_in_front_when_a_snapshot_joins_up_with_them() {
    let (_owner, model) = page();
    let mut newest = snapshot(7, 0, answered());
    newest.has_earlier = true;
    model.apply(Frame::Snapshot(Box::new(newest.clone())));
    let older = message(9, Role::User, vec![text(91, "Before")]);
    model.pane.take_earlier(history(vec![older.clone()]));
    model.apply(Frame::Snapshot(Box::new(newest)));
    assert_eq!(model.pane.plain(), [vec![older], answered()].concat());
    assert!(!model.pane.has_earlier.get_untracked());
}

/// S110: the id of address, row, frame and request is one and the same value.
#[test]
fn one_id_in_address_rail_and_stream() {
    let (_owner, model) = page();
    model.rail.replace(vec![row(7, 0)]);
    let address = model
        .address
        .get_untracked()
        .with_thread(model.open_thread.get_untracked());
    let url = address.to_url();
    let again = Address::parse(&url);
    let id = again.thread.id().cloned();
    assert_eq!(id, Some(thread(7)));
    assert!(untrack(|| model.rail.row(&thread(7))).is_some());
    assert_eq!(
        rex_shared::routes::follow(None, id.as_ref()),
        "/api/threads/01890a5d-ac96-774b-bcce-000000000007/follow"
    );
}

fn shown(model: Model, before: &[ThreadId], held: bool) -> Vec<u32> {
    untrack(|| {
        let ids = model.rail.shown(before, held);
        let number = |id| Some(model.rail.row(id)?.get().number);
        ids.iter().filter_map(number).collect()
    })
}

#[test]
fn rows_stand_by_newest_activity_and_never_move_under_the_pointer() {
    let (_owner, model) = page();
    model.rail.replace(vec![row(1, 10), row(2, 30), row(3, 20)]);
    assert_eq!(shown(model, &[], false), [2, 3, 1]);
    let before = model.rail.order.get_untracked();

    let told = |row: ThreadRow| Frame::Rail(Rail::Row { row: Box::new(row) });
    model.apply(told(row(1, 99)));
    model.apply(told(row(4, 100)));
    assert_eq!(shown(model, &before, true), [2, 3, 1, 4]);
    assert_eq!(shown(model, &before, false), [4, 1, 2, 3]);
    model.apply(Frame::Rail(Rail::Removed { removed: thread(3) }));
    assert_eq!(shown(model, &before, true), [2, 1, 4]);
}

#[test]
fn a_row_that_leaves_its_lane_stays_until_the_pointer_leaves() {
    let (_owner, model) = page();
    model.rail.replace(vec![row(1, 10), row(2, 30)]);
    model.rail.filter.set(Some(Lane::Open));
    let before = model.rail.order.get_untracked();
    let mut resolved = row(2, 30);
    resolved.lane = Lane::Resolved;
    model.apply(Frame::Rail(Rail::Row {
        row: Box::new(resolved),
    }));
    assert_eq!(shown(model, &before, true), [2, 1]);
    assert_eq!(shown(model, &before, false), [1]);
    assert_eq!(untrack(|| model.rail.counts()).resolved, 1);
}

#[test]
fn a_listing_does_not_undo_what_a_frame_told_meanwhile() {
    let (_owner, model) = page();
    model.rail.replace(vec![row(1, 10), row(2, 20)]);
    model.rail.listing();
    let mut busy = row(1, 50);
    busy.busy = true;
    model.apply(Frame::Rail(Rail::Row {
        row: Box::new(busy),
    }));
    model.apply(Frame::Rail(Rail::Removed { removed: thread(2) }));
    model.rail.replace(vec![row(1, 10), row(2, 20), row(3, 30)]);
    assert_eq!(shown(model, &[], false), [1, 3]);
    assert_eq!(untrack(|| model.rail.activity()).answering, 1);
}

#[test]
fn the_paper_is_told_only_of_changes_to_its_own_marks() {
    let (_owner, model) = page();
    model.document.open(Some("a.md".to_owned()));
    let told = |document: &str, unread: bool| {
        let mut row = row(1, 0);
        row.places = vec![place_in(document)];
        row.unread = unread;
        model.apply(Frame::Rail(Rail::Row { row: Box::new(row) }));
        model.document.places_changed.get_untracked()
    };
    assert_eq!(told("b.md", false), 0);
    assert_eq!(told("a.md", false), 1, "a place came");
    assert_eq!(told("a.md", true), 1, "it was only read");
    assert_eq!(told("b.md", true), 2, "a place left");
}
