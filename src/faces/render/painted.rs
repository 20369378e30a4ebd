//! Text with emphasis, as parts: a face shows the emphasis or leaves it out.

/// The kinds of emphasis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Best,
    /// Something that gives a little away.
    Poor,
    /// Something that gives much away.
    Bad,
    /// The last move on a board.
    Last,
}

impl Paint {
    /// How a loss is shown, in discs.
    pub fn of_loss(loss: f64) -> Option<Self> {
        match loss {
            loss if loss <= 0.0 => Some(Self::Best),
            loss if loss >= 4.0 => Some(Self::Bad),
            loss if loss >= 2.0 => Some(Self::Poor),
            _ => None,
        }
    }
}

/// A text of which parts stand out.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Painted {
    parts: Vec<(Option<Paint>, String)>,
}

impl Painted {
    pub fn new(paint: Option<Paint>, text: impl Into<String>) -> Self {
        Self { parts: vec![(paint, text.into())] }
    }

    /// With another part behind it.
    pub fn then(mut self, paint: Option<Paint>, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.parts.last_mut() {
            Some((last, before)) if *last == paint => before.push_str(&text),
            _ => self.parts.push((paint, text)),
        }
        self
    }

    pub fn parts(&self) -> impl Iterator<Item = (Option<Paint>, &str)> {
        self.parts.iter().map(|(paint, text)| (*paint, text.as_str()))
    }

    /// The text alone.
    pub fn plain(&self) -> String {
        self.parts().map(|(_, text)| text).collect()
    }
}

impl<T: Into<String>> From<T> for Painted {
    fn from(text: T) -> Self {
        Self::new(None, text)
    }
}
