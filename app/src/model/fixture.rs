//! Values for tests.

use rex_shared::ids::{
    BadId, BootId, EntryId, GatewayId, MessageId, Millis, PlaceId, Sdk, ThreadId,
};
use rex_shared::lane::Lane;
use rex_shared::wire::follow::Snapshot;
use rex_shared::wire::message::{Message, Mode, Part, Role, Usage};
use rex_shared::wire::place::PlaceState;
use rex_shared::wire::thread::{Draft, RowPlace, ThreadRow, ThreadStatus};

/// An id of any kind, made from a number.
pub(crate) fn id<Id>(number: u32, parse: impl Fn(&str) -> Result<Id, BadId>) -> Id {
    parse(&format!("01890a5d-ac96-774b-bcce-{number:012x}")).unwrap()
}

pub(crate) fn thread(number: u32) -> ThreadId {
    id(number, ThreadId::parse)
}

/// An open thread's row with its last activity.
pub(crate) fn row(number: u32, last_activity_at: i64) -> ThreadRow {
    ThreadRow {
        thread_id: thread(number),
        number,
        title: None,
        name: None,
        is_note: false,
        status: ThreadStatus::Open,
        lane: Lane::Open,
        last_activity_at: Millis(last_activity_at),
        message_count: 2,
        busy: false,
        asks_you: false,
        unread: false,
        last_run: None,
        places: Vec::new(),
        group_id: None,
        position: None,
    }
}

pub(crate) fn place_in(document: &str) -> RowPlace {
    RowPlace {
        place_id: id(1, PlaceId::parse),
        document: document.to_owned(),
        quote: "words".to_owned(),
        state: PlaceState::Exact,
    }
}

pub(crate) fn message(number: u32, role: Role, parts: Vec<Part>) -> Message {
    Message {
        message_id: id(number, MessageId::parse),
        role,
        run_id: None,
        mode: Mode::Ask,
        sdk: Sdk::parse("demo").unwrap(),
        gateway: GatewayId::default_gateway(),
        model: None,
        cost_usd: None,
        tokens: None,
        duration_ms: None,
        memory: None,
        forecast: None,
        receipt: None,
        refusal: None,
        interrupted: false,
        failure: None,
        places: Vec::new(),
        version: None,
        parts,
        created_at: Millis(0),
    }
}

pub(crate) fn text(number: u32, text: &str) -> Part {
    Part::Text {
        entry_id: id(number, EntryId::parse),
        text: text.to_owned(),
    }
}

pub(crate) fn snapshot(of: u32, generation: u64, messages: Vec<Message>) -> Snapshot {
    Snapshot {
        thread_id: thread(of),
        boot_id: id(0xb007, BootId::parse),
        live: false,
        busy: false,
        generation,
        messages,
        has_earlier: false,
        permission_mode: Mode::Ask,
        usage: Usage::default(),
        open_dialogs: Vec::new(),
        queued: Vec::new(),
        draft: Draft::default(),
        stage: None,
        started_at: None,
    }
}
