//! The fields of an object, each of one type. What has another is told by its name.

use serde_json::{Map, Value};

use crate::games::defect::Why;
use crate::games::draft::fact;

/// An object.
pub(super) struct Fields<'a> {
    /// The names of the objects that it stands in, each with a dot.
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The fields of a whole text.
    pub(super) fn of(value: &'a Value) -> Result<Self, Why> {
        let map = value.as_object().ok_or_else(|| Why::content(&value.to_string(), "an object"))?;
        Ok(Self { path: String::new(), map })
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

    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, Why> {
        self.read(name, "a text", Value::as_str)
    }

    /// A text as facts are kept.
    pub(super) fn fact(&self, name: &str) -> Result<Option<String>, Why> {
        Ok(self.text(name)?.and_then(fact))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Why> {
        self.read(name, "a number", Value::as_f64)
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

    /// The names of all fields that say something.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.map.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name.as_str())
    }
}
