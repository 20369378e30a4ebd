//! What every answer says to the browser.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::origin::Admitted;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Adds what every answer says; `has_guests` where answers vary with the page that asks.
pub fn add_headers(headers: &mut HeaderMap, admitted: Option<&Admitted>, has_guests: bool) {
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    let guest = admitted.and_then(|admitted| admitted.foreign.as_ref());
    let policy = if guest.is_some() { "cross-origin" } else { "same-origin" };
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static(policy));
    if has_guests {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(guest) = guest {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, guest.clone());
        let exposed = HeaderValue::from_static("etag, retry-after");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// Answers the question of a browser whether a page elsewhere may ask.
pub fn add_preflight(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, DELETE"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, if-none-match"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
