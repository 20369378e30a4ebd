//! The configuration file: its keys, read and written.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Serialize;
use toml_edit::{Document, DocumentMut, Item, RawString, value};

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
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DurabilityName {
    /// A commit outlasts a loss of power.
    #[default]
    Full,
    /// A loss of power may take the latest commits; being killed takes none.
    Normal,
}

impl DurabilityName {
    fn of_name(name: &str) -> Option<Self> {
        [Self::Full, Self::Normal].into_iter().find(|durability| durability.name() == name)
    }

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
#[derive(Clone, Default, Debug, Serialize)]
pub struct ConfigFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<PathBuf>,
    /// Search level of `grow`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Searches at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// MiB of transposition table for each search thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<usize>,
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
        ["book", "level", "threads", "table", "durability", "fleet", "fleet_credentials"];

    /// Reads a file; an absent one is empty.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = match read_text(path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        Self::parse(&text).map_err(|(at, what)| {
            let line = 1 + text.get(..at).unwrap_or_default().matches('\n').count();
            anyhow::anyhow!("configuration file {}, line {line}: {what}", path.display())
        })
    }

    /// Reads a text; an error comes with the byte at which it is.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let at = |span: Option<std::ops::Range<usize>>| span.map_or(0, |span| span.start);
        let document = Document::parse(text)
            .map_err(|error| (at(error.span()), one_line(error.message(), 200)))?;
        let mut file = Self::default();
        for (key, item) in document.iter() {
            let place = at(document.key(key).and_then(|key| key.span()));
            file.take(key, Some(item)).map_err(|what| (place, what))?;
        }
        Ok(file)
    }

    /// Takes a value for a key, or none.
    fn take(&mut self, key: &str, item: Option<&Item>) -> Result<(), String> {
        fn put<T>(setting: &mut Option<T>, value: Option<T>) -> bool {
            *setting = value;
            setting.is_some()
        }
        let text = item.and_then(Item::as_str);
        let number = |least: usize, most: usize| {
            let number = usize::try_from(item?.as_integer()?).ok()?;
            (least..=most).contains(&number).then_some(number)
        };
        let is_taken = match key {
            "book" => put(&mut self.book, text.map(PathBuf::from)),
            "fleet" => put(&mut self.fleet, text.map(str::to_owned)),
            "fleet_credentials" => put(&mut self.fleet_credentials, text.map(PathBuf::from)),
            "level" => {
                let highest = usize::from(Level::MAX.number());
                put(&mut self.level, number(0, highest).and_then(|level| u8::try_from(level).ok()))
            }
            "threads" => put(&mut self.threads, number(1, MOST_THREADS)),
            "table" => put(&mut self.table, number(1, MOST_TABLE_MEGABYTES)),
            "durability" => put(&mut self.durability, text.and_then(DurabilityName::of_name)),
            _ => return Err(no_setting(key)),
        };
        match item {
            Some(item) if !is_taken => {
                let alone = item.as_value().map(|value| value.clone().decorated("", ""));
                let text = alone.map_or_else(|| item.to_string(), |value| value.to_string());
                let found = one_line(text.trim(), MOST_TOLD);
                Err(format!("{key}: {found}: expected {}", expected(key)))
            }
            _ => Ok(()),
        }
    }

    pub fn set(&mut self, key: &str, text: Option<&str>) -> anyhow::Result<()> {
        if text.is_some_and(|text| text.trim().is_empty()) {
            let unset = Command::new("config unset").of_no_book().with([key]);
            bail!(Refusal::new(format!("{key}: expected a value"), [unset]));
        }
        // Else a password would be taken for a part of what may be shown.
        if key == "fleet" && text.is_some_and(|text| text.contains('@') && !text.contains("://")) {
            bail!("fleet: expected nats:// or tls:// before a user, password or token");
        }
        let item = text.map(|text| match (key, text.parse::<i64>()) {
            // Wherever it is asked from later, it is the same file.
            ("book" | "fleet_credentials", _) => {
                let path = std::path::absolute(text).unwrap_or_else(|_| PathBuf::from(text));
                value(&*path.to_string_lossy())
            }
            ("level" | "threads" | "table", Ok(number)) => value(number),
            _ => value(text),
        });
        self.take(key, item.as_ref()).map_err(anyhow::Error::msg)
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
}

/// The error where there is no such key.
fn no_setting(key: &str) -> String {
    match key {
        "table_megabytes" => "the setting 'table_megabytes' is called 'table' now".to_owned(),
        _ => {
            let keys = ConfigFile::KEYS.join(", ");
            format!("no setting '{}': expected one of {keys}", one_line(key, MOST_TOLD))
        }
    }
}

fn expected(key: &str) -> &'static str {
    match key {
        "level" => "a number from 0 to 60",
        "threads" => "a number from 1 to 1024",
        "table" => "a number from 1 to 1048576",
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
        let mut file = ConfigFile::parse(old).unwrap();
        file.set(key, value).unwrap();
        file.over(old).unwrap()
    }

    #[test]
    fn a_wrong_value_is_told_with_what_was_expected() {
        for (line, told) in [
            ("level = 61", "level: 61: expected a number from 0 to 60"),
            ("level = \"12\"", "level: \"12\": expected a number from 0 to 60"),
            ("threads = 0", "threads: 0: expected a number from 1 to 1024"),
            ("threads = -1", "threads: -1: expected a number from 1 to 1024"),
            ("table = 1.5", "table: 1.5: expected a number from 1 to 1048576"),
            ("durability = \"never\"", "durability: \"never\": expected \"full\" or \"normal\""),
            ("book = 3", "book: 3: expected a path in quotes"),
            ("fleet = [1]", "fleet: [1]: expected an address in quotes"),
        ] {
            let wrong = ConfigFile::parse(&format!("# mine\n{line} # so\n")).map(|_| ());
            assert_eq!(wrong, Err((7, told.to_owned())));
        }
        let (at, told) = ConfigFile::parse("level = 3\nlevle = 3\n").unwrap_err();
        assert!(at == 10 && told.starts_with("no setting 'levle'"), "{told}");
        assert_eq!(ConfigFile::parse("level = 3\nthreads =").unwrap_err().0, 19);
        let set = |key, text| ConfigFile::default().set(key, Some(text)).map_err(|e| e.to_string());
        assert_eq!(set("level", "99"), Err("level: 99: expected a number from 0 to 60".to_owned()));
        assert_eq!(
            set("level", "x"),
            Err("level: \"x\": expected a number from 0 to 60".to_owned())
        );
        assert_eq!(set("level", "12"), Ok(()));
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
