//! The fields of an object, each of one type. One of another type is reported by its name.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::files::games::draft::{Draft, fact, possible_rating, rating};
use crate::files::games::refused::Why;

pub(super) struct Fields<'a> {
    /// The names of the objects around it, each with a dot.
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The fields of a whole text.
    pub(super) fn of(value: &'a Value) -> Result<Self, Why> {
        let map = value.as_object().ok_or_else(|| Why::content(&value.to_string(), "an object"))?;
        Ok(Self { path: String::new(), map })
    }

    /// The fields of an object that is within a field of this name.
    pub(super) fn inside(name: &str, value: &'a Value) -> Option<Self> {
        value.as_object().map(|map| Self { path: format!("{name}."), map })
    }

    /// A field that says something.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// What is to be said of a field that holds something else.
    pub(super) fn wrong(&self, name: &str, expected: &'static str) -> Why {
        let value = self.map.get(name).unwrap_or(&Value::Null);
        Why::content(&format!("{}{name}: {value}", self.path), expected)
    }

    /// A field as a function reads it.
    pub(super) fn read<T>(
        &self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Why> {
        let Some(value) = self.get(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| self.wrong(name, expected))
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<Cow<'a, str>>, Why> {
        self.read(name, "a text", as_text)
    }

    /// A text as facts are kept.
    pub(super) fn fact(&self, name: &str) -> Result<Option<String>, Why> {
        Ok(self.text(name)?.as_deref().and_then(fact))
    }

    /// A rating, which may be in a text; none where that says nothing.
    pub(super) fn rating(&self, name: &str) -> Result<Option<f64>, Why> {
        let rating = self.read(name, "a number", |value| match value.as_str() {
            Some(text) if fact(text).is_none() => Some(None),
            Some(text) => rating(text).map(Some),
            // A number that is no rating says nothing.
            None => value.as_f64().map(possible_rating),
        })?;
        Ok(rating.flatten())
    }

    /// A number of discs or of squares.
    pub(super) fn small(&self, name: &str) -> Result<Option<u8>, Why> {
        self.read(name, "a whole number 0..=255", |value| u8::try_from(value.as_u64()?).ok())
    }

    /// An object in a field.
    pub(super) fn within(&self, name: &str) -> Result<Option<Self>, Why> {
        let path = format!("{}{name}.", self.path);
        let map = self.read(name, "an object", Value::as_object)?;
        Ok(map.map(|map| Self { path, map }))
    }

    /// The names of all fields.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.map.keys().map(String::as_str)
    }

    /// Keeps all fields by their names; gives the names of those that hold more than a text.
    pub(super) fn others(&self, draft: &mut Draft) -> Vec<String> {
        let mut left_out = Vec::new();
        for (name, value) in self.map {
            match parts(name, value) {
                Some(all) => all.iter().for_each(|(name, text)| draft.game.set_extra(name, text)),
                None if value.is_null() => {}
                None => left_out.push(format!("{}{name}", self.path)),
            }
        }
        left_out
    }
}

/// Bytes of the parts of a value that are kept.
const MOST_BYTES: usize = 2000;

/// A value in parts as texts with names: an array of texts as one, an object's fields each by itself. None where parts
/// have parts, or there are too many.
pub(super) fn parts(name: &str, value: &Value) -> Option<Vec<(String, String)>> {
    let joined = |items: &[Value]| {
        let texts = items.iter().map(as_text).collect::<Option<Vec<_>>>()?;
        Some(texts.join(", "))
    };
    let parts = match value {
        Value::Array(items) => vec![(name.to_owned(), joined(items)?)],
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            let each = fields.map(|(field, value)| {
                let text = match value {
                    Value::Array(items) => joined(items),
                    value => as_text(value).map(Into::into),
                };
                Some((format!("{name}_{field}"), text?))
            });
            each.collect::<Option<Vec<_>>>()?
        }
        value => vec![(name.to_owned(), as_text(value)?.into())],
    };
    let bytes: usize = parts.iter().map(|(name, text)| name.len() + text.len()).sum();
    Some(parts).filter(|_| bytes <= MOST_BYTES)
}

/// A text, or what programs write without quotes where they mean one.
pub(super) fn as_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Bool(_) => Some(Cow::Owned(value.to_string())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
