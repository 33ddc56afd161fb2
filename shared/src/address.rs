//! The address of the page: `/?ws=<id>&doc=<path>&thread=<id>&message=<id>`.
//!
//! The address is the source of truth for what is open, so reading and writing it is one pure module. Parameters that
//! REX does not know are kept as they were written. A code or a secret never becomes part of an [`Address`].

use crate::ids::{BadId, MessageId, ThreadId, WorkspaceId};
use crate::percent::{decode, encode};

/// What the address says of one id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Addressed<Id> {
    /// Nothing.
    #[default]
    Absent,
    /// An id; whether anything has it is for the bridge to say.
    Is(Id),
    /// Something that is no id. It counts as absent and is said.
    Malformed(String),
}

impl<Id> Addressed<Id> {
    fn read(value: String, parse: impl Fn(&str) -> Result<Id, BadId>) -> Self {
        match parse(&value) {
            Ok(id) => Self::Is(id),
            Err(BadId) if value.is_empty() => Self::Absent,
            Err(BadId) => Self::Malformed(value),
        }
    }

    /// The id, if there is a well-formed one.
    pub fn id(&self) -> Option<&Id> {
        match self {
            Self::Is(id) => Some(id),
            Self::Absent | Self::Malformed(_) => None,
        }
    }
}

impl<Id> From<Option<Id>> for Addressed<Id> {
    fn from(id: Option<Id>) -> Self {
        id.map_or(Self::Absent, Self::Is)
    }
}

/// An address, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// The workspace; absent is the one the bridge was started on.
    pub ws: Addressed<WorkspaceId>,
    /// The document's workspace-relative path.
    pub doc: Option<String>,
    /// The open thread.
    pub thread: Addressed<ThreadId>,
    /// A message of it to bring into view.
    pub message: Addressed<MessageId>,
    /// Every other parameter, as it was written.
    others: Vec<String>,
}

impl Address {
    /// Reads a query, with or without the `/` and `?` before it. Of a repeated parameter the first counts.
    pub fn parse(query: &str) -> Self {
        let query = query.strip_prefix('/').unwrap_or(query);
        let mut address = Self::default();
        let mut seen = [false; 4];
        for pair in query.strip_prefix('?').unwrap_or(query).split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let known = ["ws", "doc", "thread", "message"]
                .iter()
                .position(|known| *known == name);
            if let Some(at) = known
                && std::mem::replace(&mut seen[at], true)
            {
                continue;
            }
            match known {
                Some(0) => address.ws = Addressed::read(decode(value), WorkspaceId::parse),
                Some(1) => address.doc = Some(decode(value)).filter(|path| !path.is_empty()),
                Some(2) => address.thread = Addressed::read(decode(value), ThreadId::parse),
                Some(_) => address.message = Addressed::read(decode(value), MessageId::parse),
                None if pair.is_empty() => {}
                None => address.others.push(pair.to_owned()),
            }
        }
        address
    }

    /// The same place with another thread open, or none. A message belongs to its thread and goes with it.
    #[must_use]
    pub fn with_thread(mut self, thread: Option<ThreadId>) -> Self {
        if self.thread.id() != thread.as_ref() {
            self.message = Addressed::Absent;
        }
        self.thread = thread.into();
        self
    }

    /// The same with another document.
    #[must_use]
    pub fn with_doc(mut self, doc: Option<String>) -> Self {
        self.doc = doc;
        self
    }

    /// The same in another workspace.
    #[must_use]
    pub fn with_ws(mut self, ws: WorkspaceId) -> Self {
        self.ws = Addressed::Is(ws);
        self
    }

    /// The path and query as they stand in the address bar. Malformed ids are left out.
    pub fn to_url(&self) -> String {
        self.written(&self.others)
    }

    /// What *Copy link* gives: workspace, document, thread and message, and nothing else of the address.
    pub fn link(&self, origin: &str) -> String {
        format!("{origin}{}", self.written(&[]))
    }

    fn written(&self, others: &[String]) -> String {
        let own = [
            ("ws", self.ws.id().map(WorkspaceId::as_str)),
            ("doc", self.doc.as_deref()),
            ("thread", self.thread.id().map(ThreadId::as_str)),
            ("message", self.message.id().map(MessageId::as_str)),
        ];
        let pairs: Vec<String> = own
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={}", encode(value))))
            .chain(others.iter().cloned())
            .collect();
        if pairs.is_empty() {
            "/".to_owned()
        } else {
            format!("/?{}", pairs.join("&"))
        }
    }
}

/// The one-time code of a sign-in link's fragment, `#code=…`.
pub fn sign_in_code(fragment: &str) -> Option<String> {
    fragment
        .strip_prefix('#')
        .unwrap_or(fragment)
        .split('&')
        .find_map(|pair| pair.strip_prefix("code="))
        .map(decode)
        .filter(|code| !code.is_empty())
}

/// A moment between two navigations. What was asked in one is dropped whole when its answer comes in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epoch(u64);

/// Counts navigations, so that the last click wins.
#[derive(Debug, Default)]
pub struct Navigation(u64);

impl Navigation {
    /// The person or the address went somewhere else.
    pub fn go(&mut self) -> Epoch {
        self.0 += 1;
        Epoch(self.0)
    }

    /// The present epoch, to be taken before asking.
    pub fn now(&self) -> Epoch {
        Epoch(self.0)
    }

    /// Whether an answer to a question of `asked` may still change the screen.
    pub fn still(&self, asked: Epoch) -> bool {
        self.0 == asked.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WS: &str = "01890a5d-ac96-774b-bcce-b302099a8050";
    const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
    const MESSAGE: &str = "01890a5d-ac96-774b-bcce-b302099a8058";

    fn thread(id: &str) -> ThreadId {
        ThreadId::parse(id).unwrap()
    }

    /// S137: a thread id resumes, none is fresh, a malformed one is fresh and said.
    #[test]
    fn a_thread_in_the_address_is_resumed_absent_or_malformed() {
        let resumed = Address::parse(&format!("?thread={THREAD}"));
        assert_eq!(resumed.thread, Addressed::Is(thread(THREAD)));
        assert_eq!(Address::parse("?doc=a.md").thread, Addressed::Absent);
        assert_eq!(Address::parse("?thread=").thread, Addressed::Absent);
        for bad in ["7", "01890A5D-AC96-774B-BCCE-B302099A8057", "../x"] {
            let malformed = Address::parse(&format!("?thread={bad}"));
            assert_eq!(malformed.thread, Addressed::Malformed(bad.to_owned()));
            assert_eq!(malformed.thread.id(), None, "{bad} is fresh");
            assert_eq!(malformed.to_url(), "/", "the repair takes {bad} out");
        }
    }

    /// S138: writing the thread into the address keeps every other parameter.
    #[test]
    fn writing_the_thread_keeps_every_other_parameter() {
        let query = format!("?utm=1&ws={WS}&x&doc=docs/a%20b.md&q=%20+&utm=2");
        let written = Address::parse(&query)
            .with_thread(Some(thread(THREAD)))
            .to_url();
        assert_eq!(
            written,
            format!("/?ws={WS}&doc=docs/a%20b.md&thread={THREAD}&utm=1&x&q=%20+&utm=2")
        );
        let taken_out = Address::parse(&written).with_thread(None);
        assert_eq!(
            taken_out.to_url(),
            format!("/?ws={WS}&doc=docs/a%20b.md&utm=1&x&q=%20+&utm=2")
        );
    }

    #[test]
    fn a_message_goes_with_its_thread() {
        let address = Address::parse(&format!("?thread={THREAD}&message={MESSAGE}"));
        let same = address.clone().with_thread(Some(thread(THREAD)));
        assert_eq!(same, address);
        let other = address.with_thread(Some(thread(MESSAGE)));
        assert_eq!(other.message, Addressed::Absent);
    }

    /// S140 S141: an answer to an older click, or from before any navigation since, is dropped.
    #[test]
    fn only_an_answer_of_the_present_epoch_counts() {
        let mut navigation = Navigation::default();
        let first_click = navigation.go();
        let second_click = navigation.go();
        assert!(!navigation.still(first_click), "the slower answer");
        assert!(navigation.still(second_click));
        let asked = navigation.now();
        navigation.go();
        assert!(!navigation.still(asked), "a navigation since");
    }

    /// S143: what is written is what is read, so that a reload and a pasted link end in the same screen.
    #[test]
    fn an_address_written_and_read_again_is_the_same() {
        for query in [
            String::new(),
            format!("?ws={WS}&doc=a%2Bb%26c/%C3%BC.md&thread={THREAD}&message={MESSAGE}"),
            format!("?thread={THREAD}&debug"),
        ] {
            let address = Address::parse(&query);
            let again = Address::parse(&address.to_url());
            assert_eq!(again, address);
        }
    }

    #[test]
    fn a_copied_link_holds_no_other_parameter() {
        let address = Address::parse(&format!("?ws={WS}&doc=a.md&thread={THREAD}&secret=x"));
        assert_eq!(
            address.link("http://127.0.0.1:7390"),
            format!("http://127.0.0.1:7390/?ws={WS}&doc=a.md&thread={THREAD}")
        );
    }

    #[test]
    fn a_code_is_read_from_the_fragment_only() {
        assert_eq!(
            sign_in_code("#code=7F3K-9QXM").as_deref(),
            Some("7F3K-9QXM")
        );
        assert_eq!(sign_in_code("#code="), None);
        assert_eq!(sign_in_code(""), None);
    }
}
