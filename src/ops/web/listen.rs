//! A listener that slow or idle clients can't exhaust: it limits how many connections there are and
//! how long each may last.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at a time; more wait to be accepted.
const CONNECTIONS_MAX: usize = 200;
/// A connection on which nothing moves for so long is ended.
const IDLE_MAX: Duration = Duration::from_secs(30);
/// A connection is ended after so long, whatever moves on it: who sends a letter a second
/// is no reader.
const LIFE_MAX: Duration = Duration::from_secs(300);
/// How long requests that are under way are waited for at the end.
pub const LAST: Duration = Duration::from_secs(5);

/// The listener.
pub struct Limited {
    inner: TcpListener,
    room: Arc<Semaphore>,
}

impl Limited {
    /// Of a listener that is bound and does not block.
    ///
    /// # Errors
    /// As the runtime gives them.
    pub fn new(bound: std::net::TcpListener) -> io::Result<Self> {
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        Ok(Self { inner: TcpListener::from_std(bound)?, room })
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // The semaphore is never closed; without a permit there would only be no limit.
        let permit = Arc::clone(&self.room).acquire_owned().await.ok();
        let (stream, from) = Listener::accept(&mut self.inner).await;
        let (idle, life) = (Box::pin(sleep(IDLE_MAX)), Box::pin(sleep(LIFE_MAX)));
        (Connection { stream, idle, life, _permit: permit }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// One connection.
pub struct Connection {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    life: Pin<Box<Sleep>>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Connection {
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
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.watched(cx, moved)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
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
