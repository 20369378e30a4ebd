//! Which requests are answered: a page elsewhere must not read a server of this machine, neither by
//! its own requests nor by giving its own name this machine's address (DNS rebinding).

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use thiserror::Error;

use super::error::WebError;
use crate::openbook::Hint;

/// Where a page comes from: scheme, host and port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    text: String,
    host: String,
}

/// A text that is no origin.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "'{0}' is not an origin: expected a scheme and a host, such as https://example.org or http://localhost:3000"
)]
pub struct OriginError(String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let error = || OriginError(crate::othello::one_line::one_line(text, 60));
        let uri: Uri = text.parse().map_err(|_| error())?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let (Some(scheme), Some(authority)) = (scheme, uri.authority()) else {
            return Err(error());
        };
        let is_bare = matches!(uri.path(), "" | "/") && uri.query().is_none();
        if !is_bare || authority.as_str().contains('@') {
            return Err(error());
        }
        Ok(Self { text: text_of(scheme, authority), host: authority.host().to_ascii_lowercase() })
    }
}

/// An origin as browsers write it: in small letters, and without the port that its scheme has anyhow.
fn text_of(scheme: &str, authority: &Authority) -> String {
    let text = authority.as_str();
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let text = text.strip_suffix(usual).unwrap_or(text);
    format!("{scheme}://{text}").to_ascii_lowercase()
}

/// Which requests are answered.
#[derive(Debug)]
pub struct Gate {
    listens_at: IpAddr,
    /// Pages elsewhere that may read all answers.
    allowed: Vec<Origin>,
}

/// What a request says of where it comes from.
#[derive(Debug)]
pub struct Admitted {
    /// The page elsewhere that may read the answer.
    pub foreign: Option<HeaderValue>,
}

impl Gate {
    /// For a server at an address, and pages elsewhere that may read its answers.
    pub fn new(address: SocketAddr, allowed: Vec<Origin>) -> Self {
        Self { listens_at: address.ip(), allowed }
    }

    /// Whether only programs of this machine, and the pages given out here, read answers.
    pub const fn is_private(&self) -> bool {
        self.listens_at.is_loopback() && self.allowed.is_empty()
    }

    /// Whether any page elsewhere may read answers: then they vary with the origin.
    pub const fn has_guests(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Lets a request in, or says why not.
    pub fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<Admitted, WebError> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(WebError::bad("expected one Host header"));
        };
        let host: Authority = host
            .to_str()
            .ok()
            .and_then(|host| host.parse().ok())
            .ok_or_else(|| WebError::bad("unreadable Host header"))?;
        let in_uri = uri.authority().is_none_or(|authority| self.is_own_host(authority.host()));
        if !in_uri || !self.is_own_host(host.host()) {
            let text = "this server answers to its address and to localhost only";
            return Err(WebError::new(StatusCode::FORBIDDEN, text).with(Hint::AllowOrigin));
        }
        let elsewhere = "pages of other origins may not ask this server";
        let forbidden = || WebError::new(StatusCode::FORBIDDEN, elsewhere).with(Hint::AllowOrigin);
        if let Some(origin) = headers.get(header::ORIGIN) {
            let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
            if text == text_of("http", &host) {
                return Ok(Admitted { foreign: None });
            }
            return match self.allowed.iter().any(|allowed| allowed.text == text) {
                true => Ok(Admitted { foreign: Some(origin.clone()) }),
                false => Err(forbidden()),
            };
        }
        // Pictures and frames of other pages name no origin, but browsers say whose they are.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        match site {
            None | Some(b"same-origin" | b"none") => Ok(Admitted { foreign: None }),
            Some(_) if !uri.path().starts_with("/api/") => Ok(Admitted { foreign: None }),
            Some(_) => Err(forbidden()),
        }
    }

    /// Whether a name or address of a request is this server's: names that others could point here are
    /// not.
    fn is_own_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match address {
            Ok(address) => !self.listens_at.is_loopback() || address.is_loopback(),
            Err(_) => {
                host == "localhost" || self.allowed.iter().any(|allowed| allowed.host == host)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(gate: &Gate, uri: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: axum::http::HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        gate.admit(&uri.parse().unwrap(), &map)
            .err()
            .map(|error| axum::response::IntoResponse::into_response(error).status().as_u16())
    }

    #[test]
    fn origins_are_read_strictly() {
        let read = |text: &str| text.parse::<Origin>().map(|origin| origin.text);
        assert_eq!(read("https://Example.org/").as_deref(), Ok("https://example.org"));
        assert_eq!(read("http://localhost:3000").as_deref(), Ok("http://localhost:3000"));
        // A browser never says the port that a scheme has anyhow.
        for (text, origin) in [
            ("https://example.org:443", "https://example.org"),
            ("http://example.org:80/", "http://example.org"),
            ("HTTP://[::1]:80", "http://[::1]"),
            ("https://example.org:80", "https://example.org:80"),
            ("http://example.org:8080", "http://example.org:8080"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(origin), "{text}");
        }
        for none in
            ["", "*", "null", "example.org", "ftp://a.b", "http://a/b", "http://u@a", "http://"]
        {
            assert!(read(none).is_err(), "{none}");
        }
    }

    #[test]
    fn only_own_names_and_pages_are_let_in() {
        let address = |text: &str| text.parse().unwrap();
        let gate =
            Gate::new(address("127.0.0.1:8642"), vec!["https://club.example".parse().unwrap()]);
        for host in ["127.0.0.1:8642", "localhost:8642", "LOCALHOST", "[::1]:9", "club.example"] {
            assert_eq!(admits(&gate, "/api/stats", &[("host", host)]), None, "{host}");
        }
        for host in ["evil.example", "10.0.0.1:8642", "localhost.evil.example", "127.0.0.1.nip.io"]
        {
            assert_eq!(admits(&gate, "/", &[("host", host)]), Some(403), "{host}");
        }
        assert_eq!(admits(&gate, "http://evil.example/", &[("host", "localhost")]), Some(403));
        assert_eq!(admits(&gate, "/", &[]), Some(400));
        assert_eq!(admits(&gate, "/", &[("host", "localhost"), ("host", "localhost")]), Some(400));
        let with =
            |more: (&str, &str)| admits(&gate, "/api/stats", &[("host", "localhost:8642"), more]);
        assert_eq!(with(("origin", "http://localhost:8642")), None);
        assert_eq!(with(("origin", "https://club.example")), None);
        for origin in
            ["http://localhost:3000", "https://localhost:8642", "https://evil.example", "null"]
        {
            assert_eq!(with(("origin", origin)), Some(403), "{origin}");
        }
        assert_eq!(with(("sec-fetch-site", "cross-site")), Some(403));
        assert_eq!(with(("sec-fetch-site", "same-origin")), None);
        let link = [("host", "localhost:8642"), ("sec-fetch-site", "cross-site")];
        assert_eq!(admits(&gate, "/?line=f5", &link), None, "a link to the page");
        let open = Gate::new(address("0.0.0.0:80"), Vec::new());
        let own = [("host", "192.168.1.7:80"), ("origin", "http://192.168.1.7")];
        assert_eq!(admits(&open, "/api/stats", &own), None);
        assert_eq!(admits(&open, "/", &[("host", "192.168.1.7")]), None);
        assert_eq!(admits(&open, "/", &[("host", "evil.example")]), Some(403));
    }
}
