//! Real mail programs answer a printout: mutt, s-nail, nmh and Thunderbird, each with its own way
//! to quote, to encode and to address a reply.
//!
//! The printout is in the player's inbox on Dovecot, the program makes its reply from it, and
//! Postfix takes the reply on the submission port, with TLS and the player's password. Only the
//! typing is scripted. Whatever the quote looks like, exactly the typed orders must be on file.
//!
//! Needs the Debian packages `mutt`, `s-nail`, `nmh`, `libsasl2-modules` and `thunderbird`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{addresses, card, servers};
use support::process::{Host, LIMIT, Setup};
use support::rig::{DOMAIN, Rig, password, poll};

/// The player who has all these programs; the one of seat 1.
const USER: &str = "p1";

/// Where a player types in relation to the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Above,
    Below,
}

#[test]
fn mutt_answers_above_the_quote() {
    let rig = servers();
    let mut host = host(&rig);
    Desk::new(&rig).mutt();

    assert_on_file(&host, &["M 1 3", "C 1 1"]);
    host.kill();
}

#[test]
fn s_nail_answers_above_the_quote() {
    let rig = servers();
    let mut host = host(&rig);
    // The escape quotes the mail where it stands.
    Desk::new(&rig).s_nail(&format!("reply $\n{}\n\n~Q\n~.\nquit\n", card(1)));

    assert_on_file(&host, &["M 1 3", "C 1 1"]);
    host.kill();
}

#[test]
fn s_nail_answers_below_the_quote() {
    let rig = servers();
    let mut host = host(&rig);
    Desk::new(&rig).s_nail(&format!("set quote\nreply $\n{}\n~.\nquit\n", card(1)));

    assert_on_file(&host, &["M 1 3", "C 1 1"]);
    host.kill();
}

#[test]
fn nmh_answers_above_the_quote() {
    let rig = servers();
    let mut host = host(&rig);
    Desk::new(&rig).nmh();

    assert_on_file(&host, &["M 1 3", "C 1 1"]);
    // It writes to Reply-To and From; the second of the two mails changes nothing.
    host.await_that("filed repeat", || rig.mails("robot", "Ignored").len() == 1);
    assert_eq!(host.letters(USER).len(), 2, "one printout, one echo");
    host.kill();
}

#[test]
fn thunderbird_answers_in_text_above_the_quote() {
    thunderbird_answers(false, Place::Above);
}

#[test]
fn thunderbird_answers_in_text_below_the_quote() {
    thunderbird_answers(false, Place::Below);
}

#[test]
fn thunderbird_answers_in_html_above_the_quote() {
    thunderbird_answers(true, Place::Above);
}

#[test]
fn thunderbird_answers_in_html_below_the_quote() {
    thunderbird_answers(true, Place::Below);
}

fn thunderbird_answers(html: bool, place: Place) {
    let rig = servers();
    let mut host = host(&rig);
    // On a busy machine it may lose its list of mails or stall between two words of SMTP; nothing
    // has gone out then, and a player would try again.
    let mut end = Value::Null;
    let _ = (0..3).any(|_| {
        end = Desk::new(&rig).thunderbird(html, place);
        end == "sent"
    });
    assert_eq!(end, "sent");

    assert_on_file(&host, &["M 1 3", "C 1 1"]);
    host.kill();
}

/// A serving robot whose first printout is in the player's inbox.
fn host(rig: &Rig) -> Host<'_> {
    let mut host = Host::new(rig, &Setup::of(rig));
    host.start_game(&addresses(2));
    host.serve();
    host.await_letter(USER, "p", 1);
    host
}

/// Waits for the robot's answer and compares the orders that it says are on file.
fn assert_on_file(host: &Host<'_>, orders: &[&str]) {
    let echo = host.await_some("answer", || host.letters(USER).into_iter().nth(1));
    let (_, list) = echo.body.split_once("\nAll orders on file\n").unwrap_or_else(|| {
        panic!("nothing was filed: {}", echo.body);
    });
    let lines = list.lines().skip(1).take_while(|line| !line.is_empty());
    let found: Vec<&str> = lines.filter_map(order).collect();
    assert_eq!(found, orders, "{}", echo.body);
}

/// The order in a line of an echo such as `|   1  M 1 3            ok`; lines without a number go
/// on with the remark before.
fn order(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix('|')?.trim_start().split_once("  ")?;
    number.parse::<u32>().ok()?;
    rest.split("  ").next()
}

/// A player's home directory, and the programs that find their settings there.
struct Desk<'a> {
    rig: &'a Rig,
    home: TempDir,
}

impl<'a> Desk<'a> {
    fn new(rig: &'a Rig) -> Self {
        let home = tempfile::Builder::new().prefix("fieldpost-desk-").tempdir();
        Self { rig, home: home.expect("a temporary folder") }
    }

    /// Opens the last mail, replies in an editor that types at the top, sends, quits.
    fn mutt(&self) {
        self.write("orders", &format!("{}\n\n", card(1)));
        self.write("type", "cat orders \"$1\" >typed && cat typed >\"$1\"\n");
        self.write(
            "muttrc",
            "set folder=imaps://@USER@@localhost:@IMAPS@/ spoolfile=+INBOX imap_pass=@PASSWORD@\n\
             set smtp_url=smtp://@USER@@localhost:@SUBMISSION@ smtp_pass=@PASSWORD@\n\
             set ssl_force_tls ssl_ca_certificates_file=@CA@\n\
             set from=@USER@@@DOMAIN@ realname='A Player' editor='sh type'\n\
             set include=yes reply_to=yes fast_reply copy=no sleep_time=0\n\
             push '<last-entry><reply><send-message><quit>'\n",
        );
        // It needs a terminal.
        let mutt = format!("{} -n -F muttrc", installed("mutt").display());
        self.run("script", &["-qec", &mutt, "/dev/null"], "");
    }

    /// Opens the inbox and reads these lines as from a keyboard.
    fn s_nail(&self, typed: &str) {
        let settings = self.filled(
            "set v15-compat reply-to-honour=yes indentprefix='> '\n\
             set tls-ca-file=@CA@ tls-ca-no-defaults tls-verify=strict\n\
             set mta=smtp://@USER@:@PASSWORD@@localhost:@SUBMISSION@ smtp-use-starttls\n\
             set from='A Player <@USER@@@DOMAIN@>'\n\
             File imaps://@USER@:@PASSWORD@@localhost:@IMAPS@/INBOX\n",
        );
        self.run("s-nail", &["-n", "-#"], &format!("{settings}{typed}"));
    }

    /// Takes the mail in, drafts a reply with the mail's source quoted, sends it.
    ///
    /// It does not speak IMAP: it finds the mails in a Maildir, into which other programs fetch
    /// them.
    fn nmh(&self) {
        self.write(
            ".mh_profile",
            "Path: @HOME@/Mail\nLocal-Mailbox: A Player <@USER@@@DOMAIN@>\n\
             credentials: file:@HOME@/credentials\n",
        );
        self.write("credentials", "machine localhost login @USER@ password @PASSWORD@\n");
        let kept = fs::Permissions::from_mode(0o600);
        fs::set_permissions(self.path("credentials"), kept).expect("an own file");
        for folder in ["Mail", "Maildir/new", "Maildir/cur", "Maildir/tmp"] {
            fs::create_dir_all(self.path(folder)).expect("a directory can be made");
        }
        for (number, raw) in (1..).zip(self.rig.mails(USER, "INBOX")) {
            fs::write(self.path(&format!("Maildir/new/{number}")), raw).expect("written");
        }
        self.run("inc", &["-file", "Maildir", "-notruncate"], "");
        self.run("repl", &["-filter", "mhl.reply", "-nowhatnowproc", "last"], "");

        let draft = fs::read_to_string(self.path("Mail/draft")).expect("a draft");
        let (head, quote) = draft.split_once("\n--------\n").expect("a head and a body");
        self.write("Mail/draft", &format!("{head}\n--------\n{}\n\n{quote}", card(1)));

        let port = self.rig.submission_port.to_string();
        let server = ["-draft", "-mts", "smtp", "-server", "localhost", "-port", &port, "-tls"];
        let login = ["-sasl", "-saslmech", "plain", "-user", USER];
        self.run("send", &[&server[..], &login].concat(), "");
    }

    /// Opens a reply to the first mail, types where the cursor stands, presses Send; says `sent` or
    /// what went wrong.
    fn thunderbird(&self, html: bool, place: Place) -> Value {
        let settings = [
            ("mail.accountmanager.accounts", json!("account1")),
            ("mail.account.account1.server", json!("server1")),
            ("mail.account.account1.identities", json!("id1")),
            ("mail.server.server1.type", json!("imap")),
            ("mail.server.server1.hostname", json!("localhost")),
            ("mail.server.server1.port", json!(self.rig.imaps_port)),
            ("mail.server.server1.socketType", json!(3)),
            ("mail.server.server1.userName", json!(USER)),
            ("mail.server.server1.login_at_startup", json!(false)),
            ("mail.server.server1.check_new_mail", json!(false)),
            ("mail.biff.show_alert", json!(false)),
            ("mail.smtpservers", json!("smtp1")),
            ("mail.smtpserver.smtp1.hostname", json!("localhost")),
            ("mail.smtpserver.smtp1.port", json!(self.rig.submission_port)),
            ("mail.smtpserver.smtp1.try_ssl", json!(2)),
            ("mail.smtpserver.smtp1.authMethod", json!(3)),
            ("mail.smtpserver.smtp1.username", json!(USER)),
            ("mail.identity.id1.smtpServer", json!("smtp1")),
            ("mail.identity.id1.useremail", json!(format!("{USER}@{DOMAIN}"))),
            ("mail.identity.id1.fullName", json!("A Player")),
            ("mail.identity.id1.fcc", json!(false)),
            ("mail.identity.id1.compose_html", json!(html)),
            ("mail.identity.id1.reply_on_top", json!(i32::from(place == Place::Above))),
            // In the format in which it is written, never reduced to plain text.
            ("mail.default_send_format", json!(if html { 2 } else { 1 })),
            // No questions to the player, and no network access.
            ("mail.provider.suppress_dialog_on_startup", json!(true)),
            ("mail.inappnotifications.enabled", json!(false)),
            ("mail.instrumentation.postUrl", json!("")),
            ("mailnews.start_page.enabled", json!(false)),
            ("app.donation.eoy.url", json!("")),
            ("app.normandy.enabled", json!(false)),
            ("app.update.enabled", json!(false)),
            ("datareporting.policy.dataSubmissionEnabled", json!(false)),
            ("extensions.update.enabled", json!(false)),
            ("network.captive-portal-service.enabled", json!(false)),
            ("network.connectivity-service.enabled", json!(false)),
            ("services.settings.server", json!("http://127.0.0.1:9/")),
            // Any free port.
            ("marionette.port", json!(0)),
        ];
        let setting = |(name, value): (&str, Value)| format!("user_pref(\"{name}\", {value});\n");
        self.write("user.js", &settings.map(setting).concat());

        let authority = fs::read_to_string(&self.rig.ca_file).expect("the authority can be read");
        let authority: String = authority.lines().filter(|line| !line.starts_with('-')).collect();
        let card = card(1);
        let typed: Vec<&str> = card.lines().collect();
        let mut remote = Thunderbird::start(self);
        remote.order("WebDriver:NewSession", &json!({}));
        remote.order("Marionette:SetContext", &json!({"value": "chrome"}));
        remote.order("WebDriver:SetTimeouts", &json!({"script": 40_000}));
        let arguments = json!([authority, USER, password(USER), typed]);
        let script = json!({"script": REPLY, "args": arguments, "sandbox": "system"});
        remote.order("WebDriver:ExecuteAsyncScript", &script)["value"].take()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A text with the values of this run filled in.
    fn filled(&self, template: &str) -> String {
        template
            .replace("@HOME@", &self.home.path().to_string_lossy())
            .replace("@CA@", &self.rig.ca_file.to_string_lossy())
            .replace("@IMAPS@", &self.rig.imaps_port.to_string())
            .replace("@SUBMISSION@", &self.rig.submission_port.to_string())
            .replace("@DOMAIN@", DOMAIN)
            .replace("@USER@", USER)
            .replace("@PASSWORD@", &password(USER))
    }

    /// Writes a file of the player, filled in.
    fn write(&self, name: &str, template: &str) {
        fs::write(self.path(name), self.filled(template)).expect("written");
    }

    /// Starts a program at home; it dies with the test.
    fn spawn(&self, program: &str, arguments: &[&str]) -> Child {
        let said = File::options().create(true).append(true).open(self.path("said"));
        let said = said.expect("the output can be kept");
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(installed(program)).args(arguments);
        command.current_dir(self.home.path()).env("HOME", self.home.path());
        command.env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.env("SSL_CERT_FILE", &self.rig.ca_file);
        command.stdin(Stdio::piped()).stderr(said.try_clone().expect("a file can be shared"));
        command.stdout(said).spawn().expect("setpriv can be run")
    }

    /// Runs a program to its end, with these lines as its input.
    fn run(&self, program: &str, arguments: &[&str], typed: &str) {
        let mut child = self.spawn(program, arguments);
        if let Some(mut input) = child.stdin.take() {
            // Some programs do not read it.
            let _ = input.write_all(typed.as_bytes());
        }
        let status = poll(LIMIT, || child.try_wait().expect("a child can be asked for"));
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        assert!(status.is_some_and(|s| s.success()), "{program}: {status:?}\n{}", self.localized());
    }

    /// All output of the programs.
    fn localized(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.path("said")).unwrap_or_default()).into_owned()
    }
}

/// Where a program is.
fn installed(program: &str) -> PathBuf {
    let places = ["/usr/lib/thunderbird", "/usr/bin/mh", "/usr/bin"];
    let found =
        places.iter().map(|place| Path::new(place).join(program)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{program} is not installed; tests/run installs it"))
}

/// Types a reply in Thunderbird, from within it. The keys go through its editor, so that it decides
/// what Enter does.
const REPLY: &str = r#"
const [authority, user, password, typed, done] = arguments;
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");

async function until(what, look) {
  for (let n = 0; n < 500; n++) {
    const found = look();
    if (found) return found;
    await new Promise(next => setTimeout(next, 20));
  }
  throw new Error("no " + what);
}

async function settle() {
  const known = Cc["@mozilla.org/security/x509certdb;1"].getService(Ci.nsIX509CertDB);
  known.addCertFromBase64(authority, "CT,,");
  for (const place of ["imap://localhost", "smtp://localhost"]) {
    const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
    login.init(place, null, place, user, password, "", "");
    await Services.logins.addLoginAsync(login);
  }
}

async function fetch(account) {
  const root = account.incomingServer.rootFolder;
  const inbox = await until("inbox", () => root.getFolderWithFlags(Ci.nsMsgFolderFlags.Inbox));
  // The first fetch makes the list of mails anew, which is not to happen under our hands.
  for (let n = 0; n < 2 || (n < 20 && inbox.getTotalMessages(false) == 0); n++) {
    await new Promise(end => {
      inbox.getNewMessages(null, { OnStartRunningUrl() {}, OnStopRunningUrl: end });
      setTimeout(end, 3000);
    });
  }
  return inbox;
}

async function reply(account, inbox) {
  const mail = await until("mail", () => [...inbox.messages][0]);
  MailServices.compose.OpenComposeWindow(
    null, mail, inbox.getUriForMsg(mail), Ci.nsIMsgCompType.ReplyToSender,
    Ci.nsIMsgCompFormat.Default, account.defaultIdentity, null, null);
  const composer = await until("composer", () => {
    const window = Services.wm.getMostRecentWindow("msgcompose");
    return window?.composeEditorReady && window;
  });
  const page = composer.document.getElementById("messageEditor");
  await until("quote", () => page.contentDocument.body.textContent.includes("end of card"));
  page.focus();
  const keys = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
  keys.beginInputTransactionForTests(page.contentWindow);
  for (const line of typed) {
    for (const key of [...line, "Enter"]) {
      const event = new page.contentWindow.KeyboardEvent("", { key });
      keys.keydown(event);
      keys.keyup(event);
    }
  }
  const send = composer.document.getElementById("cmd_sendNow");
  await until("way to send", () => !send.hasAttribute("disabled"));
  composer.SendMessage();
  await until("sent mail", () => composer.closed);
}

async function all() {
  await settle();
  const account = MailServices.accounts.accounts[0];
  await reply(account, await fetch(account));
}
all().then(() => done("sent"), error => done(error + " at " + error.stack));
"#;

/// One at a time: each keeps two cores busy, and with too little CPU it runs into its own timeouts.
static TURN: Mutex<()> = Mutex::new(());

/// A Thunderbird without a window, and its remote control; dropping it ends both.
struct Thunderbird {
    // Dropped after the process has ended.
    _turn: MutexGuard<'static, ()>,
    child: Child,
    remote: Option<BufReader<TcpStream>>,
}

impl Thunderbird {
    fn start(desk: &Desk<'_>) -> Self {
        let arguments = ["--headless", "--no-remote", "--profile", ".", "--marionette"];
        let arguments = [&arguments[..], &["--remote-allow-system-access"]].concat();
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let child = desk.spawn("thunderbird", &arguments);
        let mut thunderbird = Self { _turn: turn, child, remote: None };
        let port = poll(LIMIT, || {
            fs::read_to_string(desk.path("MarionetteActivePort")).ok()?.trim().parse::<u16>().ok()
        });
        let port = port.unwrap_or_else(|| {
            panic!(
                "Thunderbird is deaf
{}",
                desk.localized()
            )
        });
        let remote = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        remote.set_read_timeout(Some(LIMIT)).expect("a stream has a timeout");
        thunderbird.remote = Some(BufReader::new(remote));
        // Its greeting.
        thunderbird.read();
        thunderbird
    }

    /// Sends a command and returns its result.
    fn order(&mut self, name: &str, parameters: &Value) -> Value {
        let order = json!([0, 1, name, parameters]).to_string();
        let remote = self.remote.as_mut().expect("it is connected");
        write!(remote.get_mut(), "{}:{order}", order.len()).expect("it listens");
        let mut answer = self.read();
        assert!(answer[2].is_null(), "{name}: {}", answer[2]);
        answer[3].take()
    }

    /// Reads one message: its length, a colon, JSON.
    fn read(&mut self) -> Value {
        let remote = self.remote.as_mut().expect("it is connected");
        let mut length = Vec::new();
        let mut read = || {
            remote.read_until(b':', &mut length)?;
            let length = String::from_utf8_lossy(&length);
            let length = length.trim_end_matches(':').parse().map_err(io::Error::other)?;
            let mut message = vec![0; length];
            remote.read_exact(&mut message)?;
            Ok(serde_json::from_slice(&message)?)
        };
        read().unwrap_or_else(|error: io::Error| panic!("Thunderbird falls silent: {error}"))
    }
}

impl Drop for Thunderbird {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
