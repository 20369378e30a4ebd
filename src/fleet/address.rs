//! Where the queue is, and how it is entered. What is shown of it never holds a credential.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use async_nats::ServerAddr;
use thiserror::Error;

/// The address of a fleet's server, with credentials.
#[derive(Clone)]
pub(crate) struct Address {
    pub(super) server: ServerAddr,
    /// A file of credentials, as `nsc` makes it.
    pub credentials: Option<PathBuf>,
}

/// A text that is no address; it is not repeated, since it may hold a password.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "that is no address of a fleet: expected nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ \
     or TOKEN@ before the host if the server asks for it"
)]
pub(crate) struct AddressError;

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let server: ServerAddr = text.trim().parse().map_err(|_| AddressError)?;
        let is_known = matches!(server.scheme(), "nats" | "tls");
        // A path or a question would be left out without a word.
        let rest = text.trim().split_once("://").map_or(text.trim(), |(_, rest)| rest);
        // What is shown and kept of an address leaves out what is between these two.
        let can_be_told = !text.contains('@') || text.contains("://");
        let is_whole = !rest.trim_end_matches('/').contains(['/', '?', '#', ',', ' ']);
        if !is_known || !is_whole || !can_be_told || server.host().is_empty() {
            return Err(AddressError);
        }
        Ok(Self { server, credentials: None })
    }
}

impl Address {
    /// A user and a password, or a token alone, as the address holds them.
    pub(super) fn user(&self) -> Option<(String, Option<String>)> {
        let user = self.server.username().map(decoded)?;
        Some((user, self.server.password().map(decoded)))
    }

    /// The same server without credentials.
    pub(super) fn bare(&self) -> String {
        let host = match self.server.host() {
            host if host.contains(':') => format!("[{host}]"),
            host => host.to_owned(),
        };
        format!("{}://{host}:{}", self.server.scheme(), self.server.port())
    }
}

/// Server and port alone.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.bare())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// Undoes the escapes of an address: %40 is @.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let escaped = digits.filter(|_| first == b'%');
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_never_shows_its_credentials() {
        let address: Address = "nats://anna:p%40ss@[::1]:4333".parse().unwrap();
        assert_eq!(address.to_string(), "nats://[::1]:4333");
        assert_eq!(format!("{address:?}"), "Address(nats://[::1]:4333)");
        assert_eq!(address.user(), Some(("anna".into(), Some("p@ss".into()))));
        let address: Address = "tls://s3cret@host".parse().unwrap();
        assert_eq!(address.to_string(), "tls://host:4222");
        assert_eq!(address.user(), Some(("s3cret".into(), None)));
        let odd: Address = "nats://anna:%+5%4@host".parse().unwrap();
        assert_eq!(odd.user(), Some(("anna".into(), Some("%+5%4".into()))));
        let plain: Address = "localhost".parse().unwrap();
        assert_eq!((plain.to_string().as_str(), plain.user()), ("nats://localhost:4222", None));
    }

    #[test]
    fn what_is_no_address_is_not_repeated() {
        for text in [
            "",
            "http://u:secret@host",
            "u:secret@host",
            "secret@host:4222",
            "nats://h/secret",
            "nats://a,nats://b",
            "nats://",
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
