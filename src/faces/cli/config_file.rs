//! The configuration file: its keys, read and written.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Deserializer, Serialize};
use toml_edit::{DocumentMut, Item, RawString};

use super::hint::Refusal;
use crate::app::Durability;
use crate::app::export::write_file;
use crate::faces::render::Command;
use crate::othello::one_line::one_line;
use crate::othello::search::Level;
use crate::othello::whole_file::read_text;

/// The longest file that is read.
const MOST_BYTES: u64 = 1 << 20;

/// The most threads, as --threads takes them.
const MOST_THREADS: usize = 1024;
/// The most memory of a table, as --table takes it.
const MOST_TABLE_MEGABYTES: usize = 1 << 20;

/// Characters of what makes no sense that are shown.
const MOST_TOLD: usize = 60;

/// How soon commits reach the disk, as the configuration file says it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DurabilityName {
    /// A commit outlasts a loss of power.
    #[default]
    Full,
    /// A loss of power may take the latest commits; being killed takes none.
    Normal,
}

impl DurabilityName {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Normal => "normal",
        }
    }
}

impl From<DurabilityName> for Durability {
    fn from(name: DurabilityName) -> Self {
        match name {
            DurabilityName::Full => Self::Full,
            DurabilityName::Normal => Self::Normal,
        }
    }
}

/// The configuration file as it is written. Unknown keys are refused, so that a misspelt one is
/// noticed.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<PathBuf>,
    /// Search level of `grow`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "sound_level")]
    pub level: Option<u8>,
    /// Searches at once.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "sound_threads")]
    pub threads: Option<usize>,
    /// MiB of transposition table for each search thread.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "sound_table")]
    pub table_megabytes: Option<usize>,
    /// How soon commits reach the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub durability: Option<DurabilityName>,
    /// The fleet's server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet_credentials: Option<PathBuf>,
}

impl ConfigFile {
    /// The names of its keys.
    pub const KEYS: [&'static str; 7] =
        ["book", "level", "threads", "table_megabytes", "durability", "fleet", "fleet_credentials"];

    /// Reads a file; an absent one is empty.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = match read_text(path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        toml_edit::de::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let number = before.matches('\n').count();
            let line = text.lines().nth(number).unwrap_or_default();
            let what = fault_of(line, &error.message().trim().replace('\n', " "));
            anyhow::anyhow!("configuration file {}, line {}: {what}", path.display(), number + 1)
        })
    }

    pub fn set(&mut self, key: &str, value: Option<&str>) -> anyhow::Result<()> {
        fn number<T: std::str::FromStr>(
            key: &str,
            value: Option<&str>,
        ) -> anyhow::Result<Option<T>> {
            value
                .map(|text| {
                    text.parse().ok().with_context(|| {
                        format!("{key}: '{}' is no number", one_line(text, MOST_TOLD))
                    })
                })
                .transpose()
        }
        if value.is_some_and(|value| value.trim().is_empty()) {
            let unset = Command::new("config unset").of_no_book().with([key]);
            bail!(Refusal::new(format!("{key}: expected a value"), [unset]));
        }
        match key {
            "book" => {
                // Wherever it is asked from later, it is the same file.
                self.book = value
                    .map(|path| std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path)));
            }
            "fleet" => {
                // Else a password would be taken for a part of what may be shown.
                if value.is_some_and(|value| value.contains('@') && !value.contains("://")) {
                    bail!("fleet: expected nats:// or tls:// before a user, password or token");
                }
                self.fleet = value.map(str::to_owned);
            }
            "fleet_credentials" => {
                self.fleet_credentials = value
                    .map(|path| std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path)));
            }
            "level" => self.level = number(key, value)?,
            "threads" => self.threads = number(key, value)?,
            "table_megabytes" => self.table_megabytes = number(key, value)?,
            "durability" => {
                self.durability = match value {
                    None => None,
                    Some("full") => Some(DurabilityName::Full),
                    Some("normal") => Some(DurabilityName::Normal),
                    Some(other) => bail!(
                        "durability '{}': expected full or normal",
                        one_line(other, MOST_TOLD)
                    ),
                };
            }
            _ => bail!(no_setting(key)),
        }
        self.check()
    }

    /// Writes the file, with its folder if that is missing. Text for people, as comments, stays.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let old = match read_text(path, MOST_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            old => old.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let text = self.over(&old)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let holds_password = self.fleet.as_ref().is_some_and(|address| address.contains('@'));
        let kept = if holds_password { keep_private(path) } else { Ok(()) };
        kept.and_then(|()| write_file(path, text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// The text of a file with these settings instead of its own.
    fn over(&self, old: &str) -> anyhow::Result<String> {
        let mut document: DocumentMut = old.parse()?;
        let new: DocumentMut = toml_edit::ser::to_document(self)?;
        for key in Self::KEYS {
            match (new.get(key).and_then(Item::as_value), document.get_mut(key)) {
                (Some(value), Some(Item::Value(known))) => {
                    let around = known.decor().clone();
                    *known = value.clone();
                    *known.decor_mut() = around;
                }
                (Some(value), _) => {
                    document.insert(key, Item::Value(value.clone()));
                }
                (None, Some(_)) => remove(&mut document, key),
                (None, None) => {}
            }
        }
        Ok(document.to_string())
    }

    fn check(&self) -> anyhow::Result<()> {
        check_level(self.level)
            .and_then(|()| check_threads(self.threads))
            .and_then(|()| check_table(self.table_megabytes))
            .map_err(anyhow::Error::msg)
    }
}

/// What is wrong with a line of the file: a value of another kind is named with its key and what is
/// expected.
fn fault_of(line: &str, what: &str) -> String {
    let (found, _) = what.rsplit_once(", expected ").unwrap_or((what, ""));
    let found = ["invalid type: ", "invalid value: ", "unknown variant "]
        .iter()
        .find_map(|begins| found.strip_prefix(begins));
    let key = line.split_once('=').map(|(key, _)| key.trim().trim_matches(['"', '\'']));
    match (key.filter(|key| ConfigFile::KEYS.contains(key)), found) {
        (Some(key), Some(found)) => {
            format!("{key}: {}: expected {}", one_line(found, MOST_TOLD), expected(key))
        }
        _ => what.to_owned(),
    }
}

/// The error where there is no such key.
fn no_setting(key: &str) -> String {
    let keys = ConfigFile::KEYS.join(", ");
    format!("no setting '{}': expected one of {keys}", one_line(key, MOST_TOLD))
}

/// A key as an argument: a wrong one is reported before its value is missed.
pub fn key_argument(key: &str) -> Result<String, String> {
    if ConfigFile::KEYS.contains(&key) { Ok(key.to_owned()) } else { Err(no_setting(key)) }
}

fn expected(key: &str) -> &'static str {
    match key {
        "level" => "a number from 0 to 60",
        "threads" => "a number from 1 to 1024",
        "table_megabytes" => "a number from 1 to 1048576",
        "durability" => "\"full\" or \"normal\"",
        "fleet" => "an address in quotes",
        _ => "a path in quotes",
    }
}

/// Removes a setting, but not the lines of comment above it.
fn remove(document: &mut DocumentMut, key: &str) {
    let next = document.iter().map(|(name, _)| name).skip_while(|name| *name != key).nth(1);
    let next = next.map(str::to_owned);
    let Some((removed, _)) = document.remove_entry(key) else { return };
    let comments = removed.leaf_decor().prefix().and_then(RawString::as_str).unwrap_or_default();
    match next.and_then(|next| document.key_mut(&next)) {
        Some(mut next) => {
            let decor = next.leaf_decor_mut();
            let own = decor.prefix().and_then(RawString::as_str).unwrap_or_default();
            let both = format!("{comments}{own}");
            decor.set_prefix(both);
        }
        None => {
            let behind = document.trailing().as_str().unwrap_or_default();
            let both = format!("{comments}{behind}");
            document.set_trailing(both);
        }
    }
}

fn check_level(level: Option<u8>) -> Result<(), String> {
    match level.filter(|&level| Level::new(level).is_none()) {
        Some(level) => Err(format!("level {level}: expected 0 to 60")),
        None => Ok(()),
    }
}

fn check_threads(threads: Option<usize>) -> Result<(), String> {
    in_range("threads", threads, MOST_THREADS)
}

fn check_table(megabytes: Option<usize>) -> Result<(), String> {
    in_range("table_megabytes", megabytes, MOST_TABLE_MEGABYTES)
}

fn in_range(key: &str, number: Option<usize>, most: usize) -> Result<(), String> {
    match number.filter(|number| !(1..=most).contains(number)) {
        Some(number) => Err(format!("{key} {number}: expected 1 to {most}")),
        None => Ok(()),
    }
}

/// A value that is checked while the reader knows its line.
fn sound<'de, D: Deserializer<'de>, T: Deserialize<'de> + Copy>(
    value: D,
    check: impl Fn(Option<T>) -> Result<(), String>,
) -> Result<Option<T>, D::Error> {
    let value = Option::deserialize(value)?;
    check(value).map(|()| value).map_err(serde::de::Error::custom)
}

fn sound_level<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u8>, D::Error> {
    sound(value, check_level)
}

fn sound_threads<'de, D: Deserializer<'de>>(value: D) -> Result<Option<usize>, D::Error> {
    sound(value, check_threads)
}

fn sound_table<'de, D: Deserializer<'de>>(value: D) -> Result<Option<usize>, D::Error> {
    sound(value, check_table)
}

/// Has a file, there or not, be its owner's alone to read, whatever is written into it.
fn keep_private(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a text.
    fn changed(old: &str, key: &str, value: Option<&str>) -> String {
        let mut file: ConfigFile = toml_edit::de::from_str(old).unwrap();
        file.set(key, value).unwrap();
        file.over(old).unwrap()
    }

    #[test]
    fn comments_outlast_changes() {
        let old = "# mine\n\n# for the night\nlevel = 12 # slow\n# all\nthreads=4\n# end\n";
        let new = "# mine\n\n# for the night\nlevel = 16 # slow\n# all\nthreads=4\n# end\n";
        assert_eq!(changed(old, "level", Some("16")), new);
        let new = "# mine\n\n# for the night\n# all\nthreads=4\n# end\n";
        assert_eq!(changed(old, "level", None), new);
        let new = "# mine\n\n# for the night\nlevel = 12 # slow\n# all\n# end\n";
        assert_eq!(changed(old, "threads", None), new);
        let new = changed(old, "durability", Some("normal"));
        assert!(new.contains("# all\nthreads=4\ndurability = \"normal\"\n"), "{new}");
        assert!(new.ends_with("# end\n") && new.starts_with("# mine\n"), "{new}");
        assert_eq!(changed(old, "level", Some("12")), old);
        assert_eq!(changed("", "level", Some("12")), "level = 12\n");
        assert_eq!(changed("# mine\n", "level", None), "# mine\n");
    }
}
