//! The public listener: exactly the pages that "fieldpost publish" writes, without a
//! cookie, a form or a query.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::listen::House;
use super::{Shared, WebError, gate};
use crate::ops::publish::{self, Page};

/// How many slow pages are kept, at most.
const KEPT: usize = 200;
/// How many addresses are counted before those that asked for nothing lately are forgotten.
const ADDRESSES_KEPT: usize = 10_000;

/// How many pages each address has asked for.
type Limiter = Arc<DefaultKeyedRateLimiter<House>>;

/// Pages that are slow to make, by path and by what they were made from.
#[derive(Default)]
struct PageCache(Mutex<Vec<(String, String, Arc<Page>)>>);

#[derive(Clone)]
struct PublicState {
    shared: Arc<Shared>,
    cache: Arc<PageCache>,
}

/// The routes of the public listener.
pub fn routes(shared: Arc<Shared>, pages: NonZeroU32) -> Router {
    let state = PublicState { shared, cache: Arc::default() };
    let limiter: Limiter = Arc::new(RateLimiter::keyed(Quota::per_minute(pages)));
    Router::new()
        .fallback(get(page))
        .layer(from_fn_with_state(limiter, in_turn))
        .layer(DefaultBodyLimit::max(0))
        .layer(from_fn(gate::timed))
        .layer(from_fn(gate::with_security_headers))
        .with_state(state)
}

/// Refuses a client that asks for too many pages.
async fn in_turn(
    State(limiter): State<Limiter>,
    ConnectInfo(from): ConnectInfo<House>,
    request: Request,
    next: Next,
) -> Response {
    if limiter.len() > ADDRESSES_KEPT {
        limiter.retain_recent();
    }
    match limiter.check_key(&from) {
        Ok(()) => next.run(request).await,
        Err(_) => gate::plain(StatusCode::TOO_MANY_REQUESTS, "Come again in a minute.\n"),
    }
}

async fn page(State(state): State<PublicState>, uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html".to_owned(),
        path => path.to_owned(),
    };
    let cache = Arc::clone(&state.cache);
    let found = state.shared.ask(move |robot, _| {
        let stamp = publish::stamp(robot, &path)?;
        if let Some(page) = stamp.as_ref().and_then(|s| cache.find(&path, s)) {
            return Ok(Some(page));
        }
        let page = publish::page(robot, &path)?.map(Arc::new);
        if let (Some(page), Some(stamp)) = (&page, stamp) {
            cache.put(path, stamp, page);
        }
        Ok(page)
    });
    match found.await {
        Ok(Some(page)) => answer(&page),
        Ok(None) => gate::plain(StatusCode::NOT_FOUND, "There is no such page.\n"),
        Err(WebError::Busy) => {
            gate::plain(StatusCode::SERVICE_UNAVAILABLE, "Come again in a moment.\n")
        }
        Err(e) => {
            // Only the game master learns what failed.
            tracing::error!(error = %e, "a public page failed");
            gate::plain(StatusCode::INTERNAL_SERVER_ERROR, "This page failed.\n")
        }
    }
}

fn answer(page: &Page) -> Response {
    let media = match page.media.starts_with("image/") {
        true => page.media.to_owned(),
        false => format!("{}; charset=utf-8", page.media),
    };
    let headers =
        [(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, "public, max-age=60".to_owned())];
    (headers, page.bytes.clone()).into_response()
}

impl PageCache {
    fn find(&self, path: &str, stamp: &str) -> Option<Arc<Page>> {
        let list = self.0.lock().unwrap_or_else(|e| e.into_inner());
        list.iter().find(|p| p.0 == path && p.1 == stamp).map(|p| Arc::clone(&p.2))
    }

    fn put(&self, path: String, stamp: String, page: &Arc<Page>) {
        let mut list = self.0.lock().unwrap_or_else(|e| e.into_inner());
        list.retain(|p| p.0 != path);
        list.push((path, stamp, Arc::clone(page)));
        if list.len() > KEPT {
            list.remove(0);
        }
    }
}
