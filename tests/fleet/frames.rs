//! The text protocol of NATS, as far as messages go: where one ends, and what it is about.

/// What came over a connection, cut into whole frames: a line, with the payload where one follows.
#[derive(Default)]
pub struct Frames {
    bytes: Vec<u8>,
}

impl Frames {
    /// Takes what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame.
    pub fn next(&mut self) -> Option<Frame> {
        let line = self.bytes.windows(2).position(|end| end == b"\r\n")? + 2;
        let text = String::from_utf8_lossy(&self.bytes[..line]).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let carries = matches!(words.first(), Some(&("PUB" | "HPUB" | "MSG" | "HMSG")));
        let payload = words.last().filter(|_| carries).map(|size| size.parse::<usize>().unwrap());
        let whole = line + payload.map_or(0, |size| size + 2);
        if self.bytes.len() < whole {
            return None;
        }
        let bytes: Vec<u8> = self.bytes.drain(..whole).collect();
        let body = payload.map_or(line..line, |size| line..line + size);
        Some(Frame { words: words.into_iter().map(str::to_owned).collect(), body, bytes })
    }
}

/// One frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    words: Vec<String>,
    body: std::ops::Range<usize>,
    /// All of it.
    pub bytes: Vec<u8>,
}

impl Frame {
    /// `PUB`, `MSG`, `INFO`, …
    pub fn verb(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// What a message is about.
    pub fn subject(&self) -> Option<&str> {
        let carries = matches!(self.verb(), "PUB" | "HPUB" | "MSG" | "HMSG");
        self.words.get(1).filter(|_| carries).map(String::as_str)
    }

    /// Where an answer to a message that was delivered goes.
    pub fn reply(&self) -> Option<&str> {
        match (self.verb(), self.words.len()) {
            ("MSG", 5) | ("HMSG", 6) => Some(&self.words[3]),
            _ => None,
        }
    }

    /// What a message says; its headers come first where there are some.
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body.clone()]
    }

    /// The same to be changed.
    pub fn body_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.body.clone()]
    }
}

#[test]
fn frames_are_cut_where_they_end() {
    let mut frames = Frames::default();
    let text = b"INFO {}\r\nMSG a.b 7 $JS.ACK.x 4\r\n\r\n\r\n\r\nPUB c 0\r\n\r\nPING\r\n";
    let mut found = Vec::new();
    for byte in text {
        frames.push(&[*byte]);
        found.extend(std::iter::from_fn(|| frames.next()));
    }
    let verbs: Vec<&str> = found.iter().map(Frame::verb).collect();
    assert_eq!(verbs, ["INFO", "MSG", "PUB", "PING"]);
    assert_eq!((found[1].subject(), found[1].reply()), (Some("a.b"), Some("$JS.ACK.x")));
    assert_eq!(found[1].body(), b"\r\n\r\n");
    assert_eq!((found[2].subject(), found[2].body()), (Some("c"), &b""[..]));
    assert_eq!(found[3].subject(), None);
    let all: Vec<u8> = found.into_iter().flat_map(|frame| frame.bytes).collect();
    assert_eq!(all, text);
}
