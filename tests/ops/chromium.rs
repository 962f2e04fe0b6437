//! A real browser, headless, driven over its debugging protocol.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    asked: u64,
    events: VecDeque<Value>,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Starts a browser with an empty profile.
    pub fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        let mut child = Command::new("chromium")
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--disable-extensions", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("chromium is installed; tests/run does that");
        let mut told = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        let at = loop {
            line.clear();
            assert!(told.read_line(&mut line).expect("readable") > 0, "chromium ended");
            if let Some(at) = line.trim().strip_prefix("DevTools listening on ") {
                break at.to_owned();
            }
        };
        // Its further output must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        let host = at.trim_start_matches("ws://").split('/').next().expect("a host");
        let stream = TcpStream::connect(host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        let (socket, _) = tungstenite::client(&at, stream).expect("a web socket");
        let mut browser = Self {
            child,
            socket,
            session: String::new(),
            asked: 0,
            events: VecDeque::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// One command and its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut command = json!({"id": self.asked, "method": method, "params": params});
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(command.to_string())).expect("sent");
        loop {
            let mut message = self.read();
            if message["id"] == self.asked {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push_back(message);
        }
    }

    fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the browser answers") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// Waits for the next event of a name; those before it stay.
    fn wait_for(&mut self, name: &str) {
        let mut seen = 0;
        loop {
            while let Some(event) = self.events.get(seen) {
                if event["method"] == name {
                    self.events.remove(seen);
                    return;
                }
                seen += 1;
            }
            let event = self.read();
            self.events.push_back(event);
        }
    }

    /// Acts in a way that loads another page, and waits until it is there.
    pub fn load_by(&mut self, act: impl FnOnce(&mut Self)) {
        self.events.retain(|e| e["method"] != "Page.loadEventFired");
        act(self);
        self.wait_for("Page.loadEventFired");
    }

    /// Goes to an address.
    pub fn go(&mut self, address: &str) {
        let gone = |browser: &mut Self| {
            let went = browser.call("Page.navigate", json!({"url": address}));
            assert!(went.get("errorText").is_none(), "{address}: {went}");
        };
        self.load_by(gone);
    }

    /// The value of an expression; a promise is awaited.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut got = self.call("Runtime.evaluate", params);
        assert!(got.get("exceptionDetails").is_none(), "{expression}: {got}");
        got["result"]["value"].take()
    }

    /// The value of an expression as text.
    pub fn text(&mut self, expression: &str) -> String {
        self.value(&format!("String({expression})")).as_str().expect("text").to_owned()
    }

    /// Waits in the page until a condition holds.
    pub fn until(&mut self, condition: &str) {
        self.value(&format!(
            "new Promise(function (done) {{ var timer = setInterval(function () {{
               if ({condition}) {{ clearInterval(timer); done(true); }} }}, 20); }})"
        ));
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "ArrowLeft" => (37, ""),
            other => panic!("no key {other}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "code": key, "text": text,
                "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Presses Tab until the focused element, `it`, fits an expression; each step must be visible.
    pub fn tab_to(&mut self, condition: &str) {
        for _ in 0..80 {
            self.press("Tab");
            let seen = self.text(
                "document.activeElement === document.body || (getComputedStyle(document\
                 .activeElement).outlineStyle !== 'none' && document.activeElement\
                 .getClientRects().length > 0)",
            );
            assert_eq!(seen, "true", "the focus is not seen");
            let there =
                format!("(function (it) {{ return {condition}; }})(document.activeElement)");
            if self.value(&there) == true {
                return;
            }
        }
        panic!("the keyboard does not lead to {condition}");
    }

    /// A screen of a size, by day or by night.
    pub fn screen(&mut self, (wide, high): (u32, u32), dark: bool) {
        let size = json!({"width": wide, "height": high, "deviceScaleFactor": 1,
            "mobile": wide < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let value = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// Writes a picture of the whole page and gives its path.
    pub fn picture(&mut self, name: &str) -> PathBuf {
        let params = json!({"format": "png", "captureBeyondViewport": true});
        let got = self.call("Page.captureScreenshot", params);
        let coded = got["data"].as_str().expect("a picture").as_bytes();
        let bytes = data_encoding::BASE64.decode(coded).expect("base64");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages");
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// All complaints of the console since the last call.
    pub fn complaints(&mut self) -> Vec<String> {
        // After this answer all earlier complaints have arrived.
        self.value("1");
        let is_bad = |e: &Value| match e["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => true,
            "Runtime.consoleAPICalled" => {
                ["error", "warning", "assert"].contains(&e["params"]["type"].as_str().unwrap_or(""))
            }
            "Log.entryAdded" => {
                let level = e["params"]["entry"]["level"].as_str().unwrap_or("");
                ["error", "warning"].contains(&level)
            }
            _ => false,
        };
        let bad = self.events.iter().filter(|e| is_bad(e)).map(Value::to_string).collect();
        self.events.retain(|e| !is_bad(e));
        bad
    }

    /// Every address that the pages asked for.
    pub fn asked_for(&mut self) -> Vec<String> {
        self.value("1");
        let sent = self.events.iter().filter(|e| e["method"] == "Network.requestWillBeSent");
        let url = |e: &Value| e["params"]["request"]["url"].as_str().unwrap_or("").to_owned();
        sent.map(url).collect()
    }
}
