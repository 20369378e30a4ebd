//! The files of the page. Their names carry a hash, so that browsers keep them for good.

use std::collections::HashMap;
use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::etag;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("page/", $name)))),*]
    };
}

/// All files of the page by their names.
const FILES: &[(&str, &str)] = &files![
    "api.js",
    "app.css",
    "app.js",
    "board.js",
    "discover.js",
    "dom.js",
    "edit.js",
    "favicon.svg",
    "find.js",
    "game.js",
    "games.js",
    "graph.js",
    "growth.js",
    "index.html",
    "keys.js",
    "line.js",
    "live.js",
    "moves.js",
    "panels.css",
    "panels.js",
    "read.js",
    "rows.js",
    "state.js",
    "training.js",
    "tree.js",
];

/// The page itself.
const PAGE: &str = "index.html";

/// What else than the address an answer depends on.
const VARIES: HeaderValue = HeaderValue::from_static("accept-encoding");

/// A file as it is sent.
struct Asset {
    kind: &'static str,
    plain: Bytes,
    packed: Bytes,
}

/// The files of the page, ready to be sent.
pub struct Assets {
    page: Option<Asset>,
    /// Of all files together: modules name each other in circles, so that one hash serves all. Plain and packed are
    /// other bytes, so they have other tags.
    tag: String,
    packed_tag: String,
    named: HashMap<String, Asset>,
}

impl Assets {
    /// Names and packs them.
    pub fn new() -> Self {
        let mut hash = crc32fast::Hasher::new();
        FILES.iter().for_each(|(name, text)| {
            hash.update(name.as_bytes());
            hash.update(text.as_bytes());
        });
        let hash = format!("{:08x}", hash.finalize());
        let (mut page, mut named) = (None, HashMap::new());
        for (name, text) in FILES {
            let asset = Asset::of(name, linked(text, &hash));
            if *name == PAGE {
                page = Some(asset);
            } else {
                named.insert(hashed(name, &hash), asset);
            }
        }
        let packed_tag = etag::tag(&format!("{hash}-gzip"), PAGE);
        Self { page, tag: etag::tag(&hash, PAGE), packed_tag, named }
    }

    pub fn page(&self, headers: &HeaderMap) -> Response {
        let Some(page) = &self.page else { return StatusCode::NOT_FOUND.into_response() };
        let tag = if page.goes_packed(headers) { &self.packed_tag } else { &self.tag };
        let mut response = match etag::is_known(headers, tag) || etag::is_any_known(headers) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => page.response(headers),
        };
        let headers = response.headers_mut();
        // As the whole answer says it.
        headers.insert(header::VARY, VARIES);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.extend(HeaderValue::from_str(tag).map(|tag| (header::ETAG, tag)));
        response
    }

    /// A file by its name with the hash; none of any other name.
    pub fn file(&self, name: &str, headers: &HeaderMap) -> Option<Response> {
        let mut response = self.named.get(name)?.response(headers);
        let for_good = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, for_good);
        Some(response)
    }
}

impl Asset {
    fn of(name: &str, text: String) -> Self {
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        // Nothing fails in memory; without a packed form the plain one is sent.
        let packed = packer.write_all(text.as_bytes()).and_then(|()| packer.finish());
        Self { kind, plain: text.into(), packed: packed.unwrap_or_default().into() }
    }

    /// Whether it is sent packed to a client that asks so.
    fn goes_packed(&self, headers: &HeaderMap) -> bool {
        let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|list| list.to_str().ok());
        let takes_gzip = accepted.is_some_and(|list| {
            list.split(',').any(|coding| {
                let mut parts = coding.split(';').map(str::trim);
                parts.next() == Some("gzip") && parts.next() != Some("q=0")
            })
        });
        takes_gzip && !self.packed.is_empty()
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let is_packed = self.goes_packed(headers);
        let bytes = if is_packed { &self.packed } else { &self.plain };
        let mut response = Body::from(bytes.clone()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::VARY, VARIES);
        if is_packed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// `app.js` as `app-0a1b2c3d.js`.
fn hashed(name: &str, hash: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}-{hash}.{ending}"),
        None => format!("{name}-{hash}"),
    }
}

/// A text in which other files of the page are named with the hash: `assets/NAME` and `"./NAME"`.
fn linked(text: &str, hash: &str) -> String {
    let mut text = text.to_owned();
    for (name, _) in FILES.iter().filter(|(name, _)| *name != PAGE) {
        let hashed = hashed(name, hash);
        for quote in ['"', '\''] {
            text = text
                .replace(&format!("{quote}./{name}{quote}"), &format!("{quote}./{hashed}{quote}"));
            for before in ["assets/", "/assets/", "./assets/"] {
                let given = format!("{quote}{before}{name}{quote}");
                text = text.replace(&given, &format!("{quote}{before}{hashed}{quote}"));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/faces/web/page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let mut listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        listed.sort_unstable();
        assert_eq!(there, listed);
    }

    #[test]
    fn no_file_names_another_without_its_hash() {
        let assets = Assets::new();
        for (name, _) in FILES.iter().filter(|(name, _)| *name != PAGE) {
            for asset in assets.named.values().chain(&assets.page) {
                let text = std::str::from_utf8(&asset.plain).unwrap();
                for bare in [format!("/{name}\""), format!("/{name}'"), format!("/{name}`")] {
                    assert!(!text.contains(&bare), "{bare}");
                }
            }
        }
    }

    #[test]
    fn the_page_fits_its_policy() {
        let assets = Assets::new();
        let page = std::str::from_utf8(&assets.page.as_ref().unwrap().plain).unwrap();
        for forbidden in [" style=", " onclick=", "<style", "javascript:", "http://", "https://"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        assert!(!page.contains("<script>"), "no script in the page");
    }
}
