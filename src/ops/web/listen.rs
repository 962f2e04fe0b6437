//! A listener that slow or idle clients can't exhaust: it limits how many connections there are, in
//! all and from one address, how long a request may take to come, and how long a connection may
//! last.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at a time; more wait to be accepted.
pub const CONNECTIONS_MAX: usize = 200;
/// A connection on which nothing moves for this long is ended.
const IDLE_MAX: Duration = Duration::from_secs(30);
/// The header of a request must be complete within this time, or its connection ends.
const HEADER_MAX: Duration = Duration::from_secs(10);
/// A connection is ended after this time, whatever moves on it: a client that sends one byte a
/// second is not a real visitor.
const LIFE_MAX: Duration = Duration::from_secs(300);
/// How long a listener that stops waits for requests that are under way.
pub const LAST: Duration = Duration::from_secs(5);

/// The listener.
pub struct Limited {
    inner: TcpListener,
    room: Arc<Semaphore>,
    /// Connections that an address may have at a time.
    each: usize,
    /// How many each address has.
    open: Arc<Mutex<BTreeMap<House, usize>>>,
}

impl Limited {
    /// Limits a listener that is bound and does not block; an address may have `each` connections.
    ///
    /// # Errors
    /// As the runtime gives them.
    pub fn new(bound: std::net::TcpListener, each: usize) -> io::Result<Self> {
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        Ok(Self { inner: TcpListener::from_std(bound)?, room, each, open: Arc::default() })
    }
}

/// The house that an address belongs to: in IPv6, each network of 64 bits is one house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(IpAddr);

impl House {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(v6) => Self(IpAddr::V6((u128::from(v6) >> 64 << 64).into())),
            v4 => Self(v4),
        }
    }
}

impl Connected<IncomingStream<'_, Limited>> for House {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Self {
        Self::of(stream.remote_addr().ip())
    }
}

impl Listener for Limited {
    type Io = Connection<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        // The semaphore is never closed; without a permit there would only be no limit.
        let permit = Arc::clone(&self.room).acquire_owned().await.ok();
        loop {
            let (stream, from) = Listener::accept(&mut self.inner).await;
            // A client with too many connections is disconnected.
            if let Some(place) = Place::take(&self.open, House::of(from.ip()), self.each) {
                return (Connection::new(stream, Some((permit, place))), from);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// One of the connections of an address.
struct Place {
    of: House,
    open: Arc<Mutex<BTreeMap<House, usize>>>,
}

impl Place {
    /// `None` when the address has `each` already.
    fn take(open: &Arc<Mutex<BTreeMap<House, usize>>>, of: House, each: usize) -> Option<Self> {
        let mut counts = open.lock().unwrap_or_else(|e| e.into_inner());
        let count = counts.entry(of).or_default();
        (*count < each).then(|| {
            *count += 1;
            Self { of, open: Arc::clone(open) }
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.open.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(count) = counts.get_mut(&self.of) {
            *count -= 1;
        }
        counts.retain(|_, count| *count > 0);
    }
}

/// How much of the header of a request has come.
enum Header {
    /// Nothing has come since the last answer.
    Awaited,
    /// It is coming, and must be complete when the timer ends. The number counts the ends of lines
    /// that came last; `None` as long as nothing else has come.
    Comes(Pin<Box<Sleep>>, Option<u8>),
    /// It is complete, and the answer has not begun.
    Whole,
}

/// One connection.
pub struct Connection<S> {
    stream: S,
    idle: Pin<Box<Sleep>>,
    life: Pin<Box<Sleep>>,
    header: Header,
    _room: Option<(Option<OwnedSemaphorePermit>, Place)>,
}

impl<S> Connection<S> {
    fn new(stream: S, room: Option<(Option<OwnedSemaphorePermit>, Place)>) -> Self {
        let (idle, life) = (Box::pin(sleep(IDLE_MAX)), Box::pin(sleep(LIFE_MAX)));
        let header = Header::Comes(Box::pin(sleep(HEADER_MAX)), None);
        Self { stream, idle, life, header, _room: room }
    }

    /// Notes that something moved; else ends the connection when its time is over.
    fn watched<T>(&mut self, cx: &mut Context, moved: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let over = Err(io::ErrorKind::TimedOut.into());
        if self.life.as_mut().poll(cx).is_ready() {
            return Poll::Ready(over);
        }
        if moved.is_ready() {
            self.idle.as_mut().reset(Instant::now() + IDLE_MAX);
            return moved;
        }
        ready!(self.idle.as_mut().poll(cx));
        Poll::Ready(over)
    }

    /// Follows the header of a request; gives whether its time is over.
    fn is_late(&mut self, cx: &mut Context, came: &[u8]) -> bool {
        if matches!(self.header, Header::Awaited) && !came.is_empty() {
            self.header = Header::Comes(Box::pin(sleep(HEADER_MAX)), None);
        }
        let Header::Comes(until, ends) = &mut self.header else { return false };
        for byte in came {
            match byte {
                // Empty lines before a request are not a part of it (RFC 9112 §2.2).
                b'\n' => *ends = ends.map(|n| n + 1),
                b'\r' => {}
                _ => *ends = Some(0),
            }
            if *ends == Some(2) {
                self.header = Header::Whole;
                return false;
            }
        }
        until.as_mut().poll(cx).is_ready()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let moved = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if self.is_late(cx, &buffer.filled()[before..]) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.watched(cx, moved)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.header = Header::Awaited;
        let moved = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watched(cx, moved)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// A whole request.
    const ASKED: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /// Runs on a clock that stands still while anything moves, and gives the seconds that went by.
    fn seconds(test: impl Future<Output = ()>) -> u64 {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let begun = Instant::now();
            test.await;
            begun.elapsed().as_secs()
        })
    }

    #[test]
    fn a_header_that_comes_a_letter_at_a_time_ends_its_connection() {
        // On a new connection, and after an answer on one that goes on.
        for answered in [false, true] {
            let took = seconds(async {
                let (mut client, server) = duplex(1000);
                let mut server = Connection::new(server, None);
                let mut got = [0; 100];
                if answered {
                    client.write_all(ASKED).await.expect("it reads");
                    server.read_exact(&mut got[..ASKED.len()]).await.expect("a request");
                    server.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("it writes");
                }
                let slow = async move {
                    client.write_all(b"\r\n\r\n").await.expect("it reads");
                    while client.write_all(b"x").await.is_ok() {
                        sleep(Duration::from_secs(1)).await;
                    }
                };
                let read = async {
                    while server.read(&mut got).await.is_ok() {}
                    drop(server);
                };
                tokio::join!(slow, read);
            });
            assert!((10..13).contains(&took), "{took} s, answered: {answered}");
        }
    }

    #[test]
    fn a_page_may_be_made_longer_than_its_header_may_come() {
        let took = seconds(async {
            let (mut client, server) = duplex(1000);
            let mut server = Connection::new(server, None);
            client.write_all(ASKED).await.expect("it reads");
            let mut got = [0; 100];
            server.read_exact(&mut got[..ASKED.len()]).await.expect("a request");
            // Nothing more comes while the page is drawn.
            let more = tokio::time::timeout(Duration::from_secs(25), server.read(&mut got)).await;
            assert!(more.is_err(), "{more:?}");
        });
        assert_eq!(took, 25);
    }

    #[test]
    fn an_address_has_only_so_many_connections_and_gets_a_place_back() {
        let open = Arc::default();
        let at = |text: &str| House::of(text.parse().expect("an address"));
        let (one, other) = (at("192.0.2.1"), at("192.0.2.2"));
        let mut places: Vec<Place> = (0..3).filter_map(|_| Place::take(&open, one, 2)).collect();
        assert_eq!(places.len(), 2);
        assert!(Place::take(&open, other, 2).is_some(), "another one has its own");
        places.pop();
        assert!(Place::take(&open, one, 2).is_some(), "a place is free again");
        drop(places);
        assert!(open.lock().expect("nobody panicked").is_empty(), "nothing is kept");
        // All addresses of an IPv6 network count as one, and an IPv4 address is the same in any
        // notation.
        assert_eq!(at("2001:db8:1:2::5"), at("2001:db8:1:2:ffff::"));
        assert_ne!(at("2001:db8:1:2::5"), at("2001:db8:1:3::5"));
        assert_eq!(at("::ffff:192.0.2.1"), one);
    }
}
