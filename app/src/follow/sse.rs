//! Server-sent events, read as they arrive: any cut of the bytes gives the same events.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// Its name; `message` when it has none.
    pub(super) name: String,
    /// Its data, lines joined by line feeds.
    pub(super) data: String,
}

/// Reads a stream of events. Ids and retry times are read over: nothing is resumed by cursor.
#[derive(Debug, Default)]
pub(super) struct Parser {
    /// Bytes of a line that has not ended.
    line: Vec<u8>,
    /// The last byte ended a line with a carriage return; a line feed right after it belongs to the same end.
    after_return: bool,
    /// A byte order mark may stand before the first line.
    past_first_line: bool,
    name: String,
    data: String,
    has_data: bool,
}

impl Parser {
    /// Takes bytes and gives the events that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            let skip = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if skip => {}
                b'\n' | b'\r' => {
                    let line = std::mem::take(&mut self.line);
                    events.extend(self.take_line(&String::from_utf8_lossy(&line)));
                }
                _ => self.line.push(byte),
            }
        }
        events
    }

    fn take_line(&mut self, line: &str) -> Option<Event> {
        let line = if std::mem::replace(&mut self.past_first_line, true) {
            line
        } else {
            line.strip_prefix('\u{feff}').unwrap_or(line)
        };
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then(|| Event {
            name: if name.is_empty() {
                "message".to_owned()
            } else {
                name
            },
            data,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}event: snapshot\r\ndata: {\"a\":\"🦖 é\"}\r\n\r\n: a comment\n\nevent:ping\ndata:{}\n\n\
        data: one\rdata:  two\rid: 7\r\revent: empty\n\nunknown\ndata\n\n";

    fn events() -> Vec<Event> {
        [
            ("snapshot", "{\"a\":\"🦖 é\"}"),
            ("ping", "{}"),
            ("message", "one\n two"),
            ("message", ""),
        ]
        .map(|(name, data)| Event {
            name: name.to_owned(),
            data: data.to_owned(),
        })
        .to_vec()
    }

    #[test]
    fn a_stream_cut_at_any_byte_gives_the_same_events() {
        let bytes = STREAM.as_bytes();
        for cut in 0..=bytes.len() {
            let mut parser = Parser::default();
            let mut read = parser.push(&bytes[..cut]);
            read.extend(parser.push(&bytes[cut..]));
            assert_eq!(read, events(), "cut at {cut}");
        }
    }

    #[test]
    fn a_stream_that_comes_byte_by_byte_gives_the_same_events() {
        let mut parser = Parser::default();
        let read: Vec<_> = STREAM
            .bytes()
            .flat_map(|byte| parser.push(&[byte]))
            .collect();
        assert_eq!(read, events());
    }

    #[test]
    fn an_event_that_has_not_ended_is_not_given() {
        let mut parser = Parser::default();
        assert_eq!(parser.push(b"event: ping\ndata: {}\n"), []);
        assert_eq!(parser.push(b"\n").len(), 1);
    }
}
