//! A dashboard and public pages over the store of a host in a folder, and a simple HTTP client.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use base::clock::{Clock, FixedEntropy};
use fieldpost::config::Web;
use fieldpost::ops::web::{self, Server};
use jiff::SignedDuration;
use mail::compose::Sender;
use registry::ENGINES;
use robot::Robot;
use robot::limits::Limits;
use store::Store;
use tokio::sync::oneshot;

use support::host::*;

/// A host whose pages are served.
pub struct Stage {
    pub host: Host,
    pub at: SocketAddr,
    pub public: SocketAddr,
    /// Address of the dashboard with its token.
    pub address: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A server that has ended by itself no longer listens.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.expect("a thread").expect("the server ends in peace");
        }
    }
}

impl Stage {
    /// Serves a host.
    pub fn of(host: Host) -> Self {
        let mut server = Server::default();
        let each = web::EachAddress::of(&Web::default());
        let any: SocketAddr = "127.0.0.1:0".parse().expect("an address");
        let about = web::Host {
            inboxes: vec![("main".to_owned(), SignedDuration::from_secs(122))],
            data: host.dir.path().to_owned(),
            disk_free_mb_min: 1,
            started: host.clock.now(),
        };
        let at = server.dashboard(any, robot_of(&host), about.clone()).expect("a port");
        let public = server.public(any, robot_of(&host), about, each).expect("a port");
        let address = web::address_of(&host.robot, at);
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = web::runtime().expect("a runtime");
            let until = async {
                let _ = stopped.await;
            };
            runtime.block_on(server.run(until)).expect("it serves");
            runtime.shutdown_timeout(Duration::from_secs(5));
        });
        Self { host, at, public, address, stop: Some(stop), thread: Some(thread) }
    }

    /// A game of four players, started, with an inbox that was just read.
    pub fn new() -> Self {
        let mut host = Host::new();
        host.was_read();
        Self::of(host)
    }

    /// The cookie that the token gives.
    pub fn cookie(&self) -> String {
        let path = self.address.split_once(&self.at.to_string()).expect("an address").1;
        let answer = self.get_as(path, &[]);
        assert_eq!(answer.status, 303);
        let cookie = answer.headers.get("set-cookie").expect("a cookie");
        cookie.split(';').next().expect("a value").to_owned()
    }

    /// A page as the game master gets it.
    pub fn get(&self, path: &str) -> Answer {
        self.get_as(path, &[("Cookie", &self.cookie())])
    }

    /// A page requested with only these headers.
    pub fn get_as(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        request(self.at, "GET", path, headers, "")
    }

    /// A form as the game master's browser sends it.
    pub fn post(&self, path: &str, form: &str) -> Answer {
        let origin = format!("http://{}", self.at);
        let cookie = self.cookie();
        let headers = [("Cookie", cookie.as_str()), ("Origin", &origin)];
        request(self.at, "POST", path, &headers, form)
    }

    /// A public page.
    pub fn public(&self, path: &str) -> Answer {
        request(self.public, "GET", path, &[], "")
    }

    /// Requests an act; returns the answer and the form that confirms it.
    pub fn asked(&self, form: &str) -> (Answer, String) {
        let page = self.post("/confirm", form);
        let filled = confirmed(&page.body);
        (page, filled)
    }
}

/// The hidden fields of the form that confirms.
pub fn confirmed(page: &str) -> String {
    let form = page.split("action=\"/do\"").nth(1).unwrap_or_default();
    let form = form.split("</form>").next().unwrap_or_default();
    let field = |part: &str| {
        let value = |name: &str| part.split(&format!("{name}=\"")).nth(1)?.split('"').next();
        let coded: String = value("value")?
            .bytes()
            .map(|b| match b.is_ascii_alphanumeric() {
                true => char::from(b).to_string(),
                false => format!("%{b:02X}"),
            })
            .collect();
        Some(format!("{}={coded}", value("name")?))
    };
    form.split("<input").skip(1).filter_map(field).collect::<Vec<_>>().join("&")
}

/// A second robot over the store of a host, with the same clock.
pub fn robot_of(host: &Host) -> Robot {
    let entropy = Arc::new(FixedEntropy::new(99));
    let store = Store::open(host.dir.path(), entropy.as_ref()).expect("the store");
    let identity = Sender { name: "Fieldpost".into(), address: ROBOT.into(), from: None };
    let gm = "gm@fieldpost.example".to_owned();
    Robot::new(store, identity, gm, Limits::default(), &ENGINES, host.clock.clone(), entropy)
}

/// What a server answered.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// One request on its own connection.
pub fn request(
    at: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|h| h.0 == "Host") {
        text += &format!("Host: {at}\r\n");
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if method == "POST" {
        text += &format!(
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
            body.len()
        );
    }
    exchange(at, &format!("{text}\r\n{body}"))
}

/// Bytes sent as they are, and what comes back until the connection ends.
pub fn exchange(at: SocketAddr, bytes: &str) -> Answer {
    let mut stream = TcpStream::connect(at).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut all = Vec::new();
    // A server that has answered may end the connection at once.
    let _ = stream.read_to_end(&mut all);
    let all = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|l| l.split(' ').nth(1)).and_then(|s| s.parse().ok());
    let pair = |l: &str| {
        let (name, value) = l.split_once(':')?;
        Some((name.to_lowercase(), value.trim().to_owned()))
    };
    Answer {
        status: status.unwrap_or(0),
        headers: lines.filter_map(pair).collect(),
        body: body.to_owned(),
    }
}
