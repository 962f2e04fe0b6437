//! Who may see the dashboard, and what a browser may do with its pages.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Shared, WebError};
use base::secrets::{HostKey, same};

/// The longest that a page may take.
const PAGE_MAX: Duration = Duration::from_secs(30);
/// Name of the cookie.
const COOKIE: &str = "fieldpost";
/// Paths that programs ask for without a token.
const OPEN: [&str; 2] = ["/healthz", "/metrics"];

/// Nothing but our own style, script and pictures; no frame, no form to elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The secret in the address of the dashboard.
pub fn token(key: &HostKey) -> String {
    key.dashboard(&["token"])
}

fn cookie(key: &HostKey) -> String {
    key.dashboard(&["cookie"])
}

/// Adds the headers of every answer, including refusals.
pub async fn with_security_headers(request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // With a stricter policy browsers would not say which page a form is from.
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Public pages say how long they are good for.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

/// Ends a page that takes too long.
pub async fn timed(request: Request, next: Next) -> Response {
    match tokio::time::timeout(PAGE_MAX, next.run(request)).await {
        Ok(answer) => answer,
        Err(_) => plain(StatusCode::SERVICE_UNAVAILABLE, "This page took too long.\n"),
    }
}

/// Lets the game master in: from this machine, first with the token, then with its cookie.
pub async fn only_the_game_master(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    if !names_this_machine(request.headers()) {
        let told = "This is the dashboard of one machine; ask for it as 127.0.0.1 or localhost.\n";
        return plain(StatusCode::FORBIDDEN, told);
    }
    if OPEN.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let key = &shared.key;
    if let Some(said) = token_in(request.uri()) {
        return match same(&said, &token(key)) && request.method() == Method::GET {
            true => admitted(request.uri(), key),
            false => unknown(),
        };
    }
    if !cookies(request.headers()).any(|said| same(said, &cookie(key))) {
        return unknown();
    }
    if request.method() == Method::POST && !from_our_pages(request.headers()) {
        return plain(StatusCode::FORBIDDEN, "This form is not of this dashboard.\n");
    }
    next.run(request).await
}

fn unknown() -> Response {
    let told = "This is for the game master: \"fieldpost dashboard\" on this machine prints the \
                address that opens it.\n";
    plain(StatusCode::UNAUTHORIZED, told)
}

/// The cookie for the token, and the same page without it.
fn admitted(uri: &Uri, key: &HostKey) -> Response {
    let value = format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", cookie(key));
    // A browser would take a path with two slashes in front for another machine.
    let path = format!("/{}", uri.path().trim_start_matches(['/', '\\']));
    let headers = [(header::SET_COOKIE, value), (header::LOCATION, path)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn token_in(uri: &Uri) -> Option<String> {
    let query = uri.query()?;
    query.split('&').find_map(|p| p.strip_prefix("token=")).map(str::to_owned)
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    })
}

/// Whether a request names this machine. A page elsewhere whose name was made to lead here (DNS
/// rebinding) sends that name.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    host.to_str().is_ok_and(|host| is_loopback(without_port(host)))
}

fn without_port(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether a request comes from our pages. Cookies do not tell ports apart, origins do.
fn from_our_pages(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|v: &HeaderValue| v.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else {
        // Programs such as curl send none; the form's own token is asked for anyway.
        return text(header::HeaderName::from_static("sec-fetch-site"))
            .is_none_or(|site| site == "same-origin");
    };
    let host = text(header::HOST).unwrap_or_default();
    origin.split_once("://").is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
}

/// An answer in plain text.
pub fn plain(status: StatusCode, text: &str) -> Response {
    let media = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (status, media, text.to_owned()).into_response()
}

/// A file of the program.
pub async fn file(media: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, format!("{media}; charset=utf-8"))], text).into_response()
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        use robot::RobotError;
        let status = match &self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Refused(_) | Self::Robot(RobotError::Refused(_)) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Stale(_) => StatusCode::CONFLICT,
            Self::Busy | Self::Store(_) | Self::Robot(RobotError::Store(_)) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Failed | Self::Robot(RobotError::Engine(..)) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let page = super::views::trouble(status, &self.to_string());
        (status, axum::response::Html(page.into_string())).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        let named = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a header"));
            names_this_machine(&headers)
        };
        for good in ["127.0.0.1", "127.0.0.1:8025", "localhost:1", "LOCALHOST", "[::1]:8025"] {
            assert!(named(good), "{good}");
        }
        let bad = ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "localhost.evil", "[::2]"];
        for bad in bad.into_iter().chain(["", ":8025", "0.0.0.0"]) {
            assert!(!named(bad), "{bad}");
        }
        assert!(!names_this_machine(&HeaderMap::new()));
    }
}
