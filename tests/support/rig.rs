//! A real Dovecot and a real Postfix on loopback, private to one test.
//!
//! [`Rig::start`] lays out configuration, queue and mailboxes in a temporary directory, starts
//! both servers on free high ports and returns when they answer. Nothing outside that directory
//! is written and no mail can leave the machine. Dropping the rig kills the servers and removes
//! the directory; if the test process is itself killed, the servers still end and only the
//! directory stays.
//!
//! Needs root (Postfix insists) and the programs of the Debian packages `dovecot-imapd`,
//! `dovecot-lmtpd`, `postfix` and `openssl`.
#![allow(dead_code, reason = "the rig offers more than the tests use by now")]

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, SystemTime};

use base::clock::{Clock, SystemClock};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tempfile::TempDir;

/// The domain of every mailbox of the rig.
pub const DOMAIN: &str = "fieldpost.test";

/// An address that Postfix always answers with 450 at RCPT, as a greylisting server does.
pub const GREYLISTED: &str = "greylisted@fieldpost.test";

/// An address that Postfix accepts and Dovecot then refuses, so that a bounce (5.1.1) comes back.
pub const VANISHED: &str = "vanished@fieldpost.test";

/// An address without a mailbox, which Postfix answers with 550 at RCPT, as it does any other.
pub const UNKNOWN: &str = "unknown@fieldpost.test";

/// Limit for a server to come up or to be gone; both take a fraction of a second.
const CHANGE_LIMIT: Duration = Duration::from_secs(20);

/// Time between two looks at a server that is coming up or going down.
const PAUSE: Duration = Duration::from_millis(3);

/// Limit for one reply of a server.
const REPLY_LIMIT: Duration = Duration::from_secs(30);

/// Ports below the range from which Linux takes the local ports of outgoing connections: a port
/// from that range could be lost to any client while a server is down for a restart.
const FIRST_PORT: u16 = 20_000;
const BLOCKS: u16 = 1_500;
const BLOCK_SIZE: u16 = 8;

/// Runs a server as a child in its own process group and kills the group on end of input.
///
/// The input is a pipe whose other end only the test holds, so that the servers die with the test
/// even when it is interrupted or killed and no destructor runs. The kill is addressed to "my own
/// group", which can never hit a process of somebody else who got a recycled number.
const SUPERVISOR: &str = r#"
{ "$@"; echo "exit status $?" >"$RIG_GONE"; } >>"$RIG_OUTPUT" 2>&1 &
read -r _
kill -KILL 0
"#;

const OPENSSL_CNF: &str = "\
[req]
distinguished_name = name
prompt = no
[name]
CN = set on the command line
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = CA:FALSE
keyUsage = digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, IP:127.0.0.1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
";

// No fsync, no pause after a wrong password and no growing penalty for the address it came from:
// the tests want speed, and all of them come from the same address.
const DOVECOT_CONF: &str = "\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = @DIR@/dovecot/run
state_dir = @DIR@/dovecot/state
log_path = @DIR@/log/dovecot
hostname = mail.fieldpost.test
postmaster_address = postmaster@fieldpost.test
ssl = required
ssl_cert = <@DIR@/tls/server.pem
ssl_key = <@DIR@/tls/server.key
first_valid_uid = 1
mail_uid = mail
mail_gid = mail
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 1000
recipient_delimiter = +
auth_mechanisms = plain login xoauth2
auth_username_format = %Ln
auth_failure_delay = 0
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = @DIR@/dovecot/oauth2.conf
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = @DIR@/dovecot/users
}
userdb {
  driver = passwd-file
  args = @DIR@/dovecot/users
  override_fields = home=@DIR@/mail/%n
}
service imap-login {
  inet_listener imap {
    port = @IMAP@
  }
  inet_listener imaps {
    port = @IMAPS@
    ssl = yes
  }
  service_count = 0
  process_min_avail = 1
}
service lmtp {
  unix_listener @DIR@/dovecot/lmtp {
    mode = 0666
  }
}
service auth {
  unix_listener @DIR@/dovecot/sasl {
    mode = 0666
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
";

// Tokens are checked with a key of the rig; nobody is asked.
const OAUTH2_CONF: &str = "\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=@DIR@/dovecot/keys/
username_attribute = sub
";

/// The key that signs tokens.
const TOKEN_KEY: &[u8] = b"the rig signs its tokens with this";

// Short retry times let mail that was deferred while Dovecot was down arrive soon after, and let
// SMTP AUTH, whose processes give up without Dovecot, come back as soon. (Below three seconds, a
// retry can meet the lock of the attempt before, which costs a minute.) The default transport
// keeps mail for other domains on the machine; no limit slows or cuts off the one client that a
// test is.
const MAIN_CF: &str = "\
compatibility_level = 3.6
queue_directory = @DIR@/postfix/queue
data_directory = @DIR@/postfix/data
maillog_file = @DIR@/log/postfix
maillog_file_prefixes = @DIR@/log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtpd_peername_lookup = no
myhostname = mail.fieldpost.test
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
notify_classes =
recipient_delimiter = +
virtual_mailbox_domains = fieldpost.test
virtual_mailbox_maps = inline:{ @USERS@ }
virtual_transport = lmtp:unix:@DIR@/dovecot/lmtp
default_transport = error:5.1.2 no mail leaves the test rig
queue_run_delay = 1s
minimal_backoff_time = 3s
maximal_backoff_time = 3s
transport_retry_time = 1s
service_throttle_time = 1s
in_flow_delay = 0
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
smtpd_hard_error_limit = 1000
smtpd_tls_chain_files = @DIR@/tls/server.key, @DIR@/tls/server.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = @DIR@/dovecot/sasl
smtpd_recipient_restrictions = check_recipient_access inline:{
  { @GREYLISTED@ = 450 4.2.0 Greylisted, try again later } }
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
";

// Without local_header_rewrite_clients, Postfix would complete the headers of mail from loopback
// (Message-ID, Date), which it does not do for a stranger's mail.
const MASTER_CF: &str = "\
127.0.0.1:@MX@ inet n - n - - smtpd
  -o local_header_rewrite_clients=
127.0.0.1:@SUBMISSION@ inet n - n - - smtpd
  -o syslog_name=postfix/submission
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
127.0.0.1:@SMTPS@ inet n - n - - smtpd
  -o syslog_name=postfix/smtps
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
";

/// The password of a user of the rig.
pub fn password(user: &str) -> String {
    format!("pw-{user}")
}

/// A token by which a user logs in, as an identity provider would sign it (RFC 7519).
pub fn token(user: &str) -> String {
    let now = SystemClock.now().as_second();
    let claims = format!(
        "{{\"sub\":\"{user}\",\"iss\":\"rig\",\"iat\":{},\"nbf\":{0},\"exp\":{}}}",
        now - 60,
        now + 3600
    );
    let part = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
    let signed = format!("{}.{}", part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"), part(&claims));
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(TOKEN_KEY).expect("any length");
    mac.update(signed.as_bytes());
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&mac.finalize().into_bytes()))
}

/// A running pair of mail servers; dropping it stops them and removes their files.
///
/// Users log in by name or by address, with the password of [`password`].
#[derive(Debug)]
pub struct Rig {
    /// IMAP over TLS; LOGIN and IDLE are offered.
    pub imaps_port: u16,
    /// IMAP with STARTTLS; otherwise as the imaps port.
    pub imap_port: u16,
    /// SMTP with STARTTLS and AUTH, both required; any sender may be given, and recipients outside
    /// [`DOMAIN`] are answered with 550.
    pub submission_port: u16,
    /// SMTP over TLS with AUTH required, otherwise as the submission port.
    pub smtps_port: u16,
    /// SMTP without TLS and AUTH, for mail to [`DOMAIN`] only, as the world would deliver it.
    pub mx_port: u16,
    /// The PEM certificate that signed the servers' own, valid for `localhost` and 127.0.0.1.
    pub ca_file: PathBuf,
    // Fields are dropped in this order: no file may vanish below a living server, and the port
    // block stays reserved until its servers are gone.
    dovecot: Mutex<Option<Server>>,
    postfix: Mutex<Option<Server>>,
    port_guard: TcpListener,
    dir: TempDir,
}

impl Rig {
    /// Starts both servers with a mailbox for each user and waits until every port answers.
    ///
    /// # Panics
    ///
    /// Panics, with the servers' logs, when they don't come up.
    pub fn start(users: &[&str]) -> Rig {
        Rig::start_with(users, "+", "+")
    }

    /// Servers with these beginnings of a detail in an address, first Postfix's, then Dovecot's;
    /// where it is empty, a server knows no plus-addresses.
    pub fn start_with(users: &[&str], postfix: &str, dovecot: &str) -> Rig {
        assert_eq!(
            fs::metadata("/proc/self").expect("/proc is mounted").uid(),
            0,
            "the mail servers of the rig must be started by root"
        );
        let dir = tempfile::Builder::new()
            .prefix("fieldpost-rig-")
            .tempdir_in("/tmp")
            .expect("a temporary directory can be made");
        let (port_guard, base) = reserve_ports();
        let rig = Rig {
            imaps_port: base + 1,
            submission_port: base + 2,
            smtps_port: base + 3,
            mx_port: base + 4,
            imap_port: base + 5,
            ca_file: dir.path().join("tls/ca.pem"),
            dovecot: Mutex::new(None),
            postfix: Mutex::new(None),
            port_guard,
            dir,
        };
        rig.make_directories();
        rig.make_certificates();
        rig.write_configuration(users, postfix, dovecot);
        rig.start_postfix();
        rig.start_imap();
        rig.await_postfix();
        rig
    }

    /// Sends a mail to the MX port, as a stranger's server would.
    ///
    /// Line ends become CRLF. An empty `from` is the null sender of a bounce. Mails sent in quick
    /// succession overtake each other on the way to the mailbox: where the order matters, wait for
    /// each to arrive.
    ///
    /// # Panics
    ///
    /// Panics when any step is not answered as it should, for the mail itself with 250.
    pub fn submit(&self, from: &str, to: &str, raw: &[u8]) {
        if let Err(reply) = self.try_submit(from, to, raw) {
            panic!("mail from <{from}> to <{to}> was not accepted: {reply}");
        }
    }

    /// Sends a mail as [`submit`](Rig::submit) does and returns the reply that refused it, if any.
    pub fn try_submit(&self, from: &str, to: &str, raw: &[u8]) -> Result<(), String> {
        let mut smtp = Smtp::connect(self.mx_port)?;
        smtp.expect("220")?;
        smtp.send(b"EHLO client.test\r\n", "250")?;
        smtp.send(format!("MAIL FROM:<{from}>\r\n").as_bytes(), "250")?;
        smtp.send(format!("RCPT TO:<{to}>\r\n").as_bytes(), "250")?;
        smtp.send(b"DATA\r\n", "354")?;
        smtp.send(&for_data(raw), "250")?;
        smtp.send(b"QUIT\r\n", "221")
    }

    /// The raw mails in a user's folder, oldest first; none if the folder does not exist.
    ///
    /// The order is that of arrival at the server, which a move to another folder does not change.
    /// Reads the Maildir itself, which neither marks a mail as seen nor wakes an IDLE client.
    pub fn mails(&self, user: &str, folder: &str) -> Vec<Vec<u8>> {
        let maildir = self.path("mail").join(user).join("Maildir");
        let folder = match folder {
            "INBOX" => maildir,
            name => maildir.join(format!(".{name}")),
        };
        // A mail may be renamed between listing and reading, when it is marked or moved.
        let attempts = (0..1000).find_map(|_| read_maildir(&folder).ok());
        attempts.unwrap_or_else(|| panic!("{} cannot be read", folder.display()))
    }

    /// Moves every mail of a folder back into the inbox, as a person with a mail program may.
    pub fn move_back(&self, user: &str, folder: &str) {
        let output = tool("doveadm")
            .arg("-c")
            .arg(self.path("dovecot/dovecot.conf"))
            .args(["move", "-u", user, "INBOX", "mailbox", folder, "ALL"])
            .output()
            .expect("doveadm can be run");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "doveadm move: {complaint}");
    }

    /// Puts a mail into a folder, as a provider's filter does.
    pub fn lay(&self, user: &str, folder: &str, raw: &[u8]) {
        let doveadm = |arguments: &[&str]| {
            let mut command = tool("doveadm");
            command.arg("-c").arg(self.path("dovecot/dovecot.conf")).args(arguments);
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("doveadm can be run");
            let mut input = child.stdin.take().expect("a pipe");
            // A command that reads nothing closes it.
            let _ = input.write_all(raw);
            drop(input);
            child.wait().expect("doveadm ends").success()
        };
        doveadm(&["mailbox", "create", "-u", user, folder]);
        assert!(doveadm(&["save", "-u", user, "-m", folder]), "doveadm saves a mail");
    }

    /// Moves every mail of a folder back into the inbox and forgets all its UIDs, as after the
    /// return of a backup; only while Dovecot is stopped.
    pub fn restore(&self, user: &str, folder: &str) {
        assert!(lock(&self.dovecot).is_none(), "Dovecot would write its lists again");
        let maildir = self.path("mail").join(user).join("Maildir");
        let lies = |state| list(&maildir.join(format!(".{folder}")).join(state)).expect("a folder");
        let mails = [lies("new"), lies("cur")].concat();
        assert!(!mails.is_empty(), "{folder} holds nothing to restore");
        for path in mails {
            let name = path.file_name().unwrap_or_default();
            fs::rename(&path, maildir.join("cur").join(name)).expect("a mail can be moved");
        }
        for path in list(&maildir).expect("the mailbox can be listed") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Not the counter of UIDVALIDITY: without it Dovecot takes the time, and within
            // seconds that gives the old number again.
            if name.starts_with("dovecot-uidlist") || name.starts_with("dovecot.index") {
                fs::remove_file(&path).expect("a list can be removed");
            }
        }
    }

    /// Whether Postfix has nothing left to deliver, not even a bounce or a deferred mail.
    pub fn queue_is_empty(&self) -> bool {
        let queue = self.path("postfix/queue");
        // Deferred mail goes back to incoming to be tried again: a second look at each finds a
        // mail that slipped past the first.
        let order = ["incoming", "active", "deferred"];
        (0..2).all(|_| order.iter().all(|name| !holds_files(&queue.join(name))))
    }

    /// Whether Postfix still has to deliver a mail that names this text, such as a recipient.
    pub fn queue_names(&self, text: &str) -> bool {
        let queue = self.path("postfix/queue");
        let order = ["incoming", "active", "deferred"];
        (0..2).any(|_| order.iter().any(|name| names(&queue.join(name), text.as_bytes())))
    }

    /// Kills Dovecot at once: IMAP connections end without a farewell, the port refuses new ones.
    ///
    /// Local delivery and SMTP AUTH depend on Dovecot and pause as well; Postfix keeps accepting
    /// mail and delivers it within seconds of [`start_imap`](Rig::start_imap).
    pub fn stop_imap(&self) {
        *lock(&self.dovecot) = None;
    }

    /// Starts Dovecot again on the same ports and waits until it answers; does nothing if it runs.
    ///
    /// # Panics
    ///
    /// Panics, with the servers' logs, when it doesn't come up.
    pub fn start_imap(&self) {
        let mut dovecot = lock(&self.dovecot);
        if dovecot.is_some() {
            return;
        }
        // A killed Dovecot leaves its number behind, and would not start if by then another
        // process had got it; and it leaves locks, on which SELECT would wait for two minutes.
        let _ = fs::remove_file(self.path("dovecot/run/master.pid"));
        remove_locks(&self.path("mail"));
        let conf = self.path("dovecot/dovecot.conf");
        let arguments = [OsStr::new("-F"), OsStr::new("-c"), conf.as_os_str()];
        let server = self.spawn("dovecot", OsStr::new("dovecot"), &arguments);
        *dovecot = Some(server);
        drop(dovecot);
        self.await_port("dovecot", || self.tls_banner(self.imaps_port, "* OK"));
    }

    /// Ends the IMAP connections of a user, with a `* BYE`; says whether there were any.
    pub fn kick(&self, user: &str) -> bool {
        let output = tool("doveadm")
            .arg("-c")
            .arg(self.path("dovecot/dovecot.conf"))
            .args(["kick", user])
            .output()
            .expect("doveadm can be run");
        output.status.success()
    }

    /// Everything that both servers have logged so far.
    pub fn logs(&self) -> String {
        let shown = |path: &PathBuf| {
            let log = fs::read(path).unwrap_or_default();
            format!("--- {}\n{}", path.display(), String::from_utf8_lossy(&log))
        };
        let logs = list(&self.path("log")).unwrap_or_default();
        logs.iter().map(shown).collect::<Vec<_>>().join("\n")
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    /// Makes every directory that the servers expect, owned and closed as they insist.
    fn make_directories(&self) {
        let mail = account("/etc/passwd", "mail");
        let postfix = account("/etc/passwd", "postfix");
        let postdrop = account("/etc/group", "postdrop");
        let make = |name: &str, mode: u32, owner: u32, group: u32| {
            let path = self.path(name);
            fs::create_dir_all(&path).expect("a directory can be made");
            chown(&path, Some(owner), Some(group)).expect("root can change owners");
            // Set afterwards, because the umask cuts the mode of a new directory.
            set_mode(&path, mode);
        };
        for name in ["", "tls", "log", "dovecot", "dovecot/run", "dovecot/state"] {
            make(name, 0o755, 0, 0);
        }
        make("mail", 0o700, mail, mail);
        for name in ["postfix", "postfix/queue", "postfix/queue/pid"] {
            make(name, 0o755, 0, 0);
        }
        make("postfix/data", 0o700, postfix, 0);
        let kept = "incoming active deferred hold corrupt saved bounce defer trace flush private";
        for name in kept.split(' ') {
            make(&format!("postfix/queue/{name}"), 0o700, postfix, 0);
        }
        make("postfix/queue/public", 0o710, postfix, postdrop);
        make("postfix/queue/maildrop", 0o730, postfix, postdrop);
    }

    /// Makes a certificate authority and has it sign the certificate of both servers.
    fn make_certificates(&self) {
        self.write("tls/openssl.cnf", OPENSSL_CNF);
        let common = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
            -config openssl.cnf";
        let ca = "-subj /CN=Fieldpost-test-rig-CA -extensions ca -keyout ca.key -out ca.pem";
        let server = "-subj /CN=localhost -extensions server -CA ca.pem -CAkey ca.key \
            -keyout server.key -out server.pem";
        for special in [ca, server] {
            let output = tool("openssl")
                .current_dir(self.path("tls"))
                .args(common.split_whitespace())
                .args(special.split_whitespace())
                .output()
                .expect("openssl can be run");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "openssl failed: {complaint}");
        }
    }

    fn write_configuration(&self, users: &[&str], postfix: &str, dovecot: &str) {
        // The names become part of two configuration languages and of paths.
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        for user in users {
            let begins_well = user.starts_with(|c: char| c.is_ascii_lowercase());
            let good = begins_well && user.chars().all(plain);
            assert!(good, "{user:?} is no plain user name");
        }
        let passwords =
            users.iter().map(|user| format!("{user}:{{PLAIN}}{}::::::\n", password(user)));
        let mailboxes = users
            .iter()
            .map(|user| format!("{user}@{DOMAIN}=x, "))
            .chain([format!("{VANISHED}=x")]);
        let mailboxes: String = mailboxes.collect();
        self.write("dovecot/users", &passwords.collect::<String>());
        let with = |conf: &str, delimiter: &str| {
            assert_eq!(conf.matches("recipient_delimiter = +\n").count(), 1);
            conf.replace("recipient_delimiter = +", &format!("recipient_delimiter = {delimiter}"))
        };
        self.write("dovecot/dovecot.conf", &with(DOVECOT_CONF, dovecot));
        self.write("dovecot/oauth2.conf", OAUTH2_CONF);
        let keys = self.path("dovecot/keys/default/HS256");
        fs::create_dir_all(&keys).expect("a folder for the key");
        self.write("dovecot/keys/default/HS256/default", &BASE64.encode(TOKEN_KEY));
        self.write("postfix/main.cf", &with(MAIN_CF, postfix).replace("@USERS@", &mailboxes));
        self.write("postfix/master.cf", MASTER_CF);
    }

    /// Writes a file that the servers' own users may read, with the placeholders filled in.
    fn write(&self, name: &str, template: &str) {
        let text = template
            .replace("@DIR@", &self.dir.path().to_string_lossy())
            .replace("@IMAPS@", &self.imaps_port.to_string())
            .replace("@IMAP@", &self.imap_port.to_string())
            .replace("@SUBMISSION@", &self.submission_port.to_string())
            .replace("@SMTPS@", &self.smtps_port.to_string())
            .replace("@MX@", &self.mx_port.to_string())
            .replace("@GREYLISTED@", GREYLISTED);
        let path = self.path(name);
        fs::write(&path, text).expect("a configuration file can be written");
        // Postfix takes a young file for one still being written and waits two seconds.
        let file = fs::File::options().write(true).open(&path);
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_hours(24);
        file.and_then(|file| file.set_modified(long_ago))
            .expect("a configuration file can be dated");
        set_mode(&path, 0o644);
    }

    /// Starts the Postfix master itself: the `postfix` command spends longer on checking the
    /// directories than the server takes to start.
    fn start_postfix(&self) {
        let conf = self.path("postfix");
        let output = tool("postconf")
            .arg("-c")
            .arg(&conf)
            .args(["-h", "daemon_directory"])
            .output()
            .expect("postconf can be run");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "postconf failed: {complaint}");
        let directory = String::from_utf8_lossy(&output.stdout);
        let master = Path::new(directory.trim()).join("master");
        // With -d the master stays in the process group in which it is supervised.
        let arguments = [OsStr::new("-d"), OsStr::new("-c"), conf.as_os_str()];
        *lock(&self.postfix) = Some(self.spawn("postfix", master.as_os_str(), &arguments));
    }

    fn spawn(&self, name: &str, program: &OsStr, arguments: &[&OsStr]) -> Server {
        let gone = self.path(&format!("{name}.gone"));
        let output = self.path(&format!("log/{name}.output"));
        Server::spawn(program, arguments, &gone, &output)
    }

    fn await_postfix(&self) {
        for port in [self.mx_port, self.submission_port] {
            self.await_port("postfix", || {
                let banner = Smtp::connect(port).and_then(|mut smtp| smtp.expect("220"));
                banner.is_ok()
            });
        }
        self.await_port("postfix", || self.tls_banner(self.smtps_port, "220"));
    }

    /// Waits until `answers` holds; panics with the logs if it never does or the server is gone.
    fn await_port(&self, name: &str, answers: impl Fn() -> bool) {
        let gone = self.path(&format!("{name}.gone"));
        let settled = within(CHANGE_LIMIT, || gone.exists() || answers());
        if let Ok(status) = fs::read_to_string(&gone) {
            panic!("{name} ended: {status}\n{}", self.logs());
        }
        assert!(settled, "{name} does not answer\n{}", self.logs());
    }

    /// Whether a port greets as expected over TLS, with a certificate that `ca_file` vouches for.
    fn tls_banner(&self, port: u16, expected: &str) -> bool {
        // s_client hangs on a server that accepts and says nothing: only the clock ends that.
        let mut client = tool("timeout")
            .args("10 openssl s_client -quiet -verify_return_error".split(' '))
            .args("-verify_hostname localhost -CAfile".split(' '))
            .arg(&self.ca_file)
            .arg("-connect")
            .arg(format!("127.0.0.1:{port}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("openssl can be run");
        // Both protocols end the connection on their own word and only complain of the other's.
        if let Some(mut input) = client.stdin.take() {
            let _ = input.write_all(b"a LOGOUT\r\nQUIT\r\n");
        }
        let output = client.wait_with_output().expect("openssl can be awaited");
        output.stdout.starts_with(expected.as_bytes())
    }
}

/// A server and all its processes, killed on drop.
#[derive(Debug)]
struct Server {
    supervisor: Child,
    /// Closing this ends the server.
    lifeline: Option<ChildStdin>,
}

impl Server {
    fn spawn(program: &OsStr, arguments: &[&OsStr], gone: &Path, output: &Path) -> Server {
        let _ = fs::remove_file(gone);
        let mut supervisor = tool("sh")
            .args(["-c", SUPERVISOR, "supervisor"])
            .arg(program)
            .args(arguments)
            .env("RIG_GONE", gone)
            .env("RIG_OUTPUT", output)
            // Its own group, so that the kill stays within it and Ctrl-C at the test outside.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh can be run");
        let lifeline = supervisor.stdin.take();
        Server { supervisor, lifeline }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.lifeline.take());
        // The supervisor is not reaped before its group is empty: until then the number of the
        // group cannot be given to anybody else.
        let group = self.supervisor.id();
        if within(CHANGE_LIMIT, || !group_lives(group)) {
            let _ = self.supervisor.wait();
        } else {
            // No panic: the test may be panicking already.
            eprintln!("process group {group} of the rig survived its kill");
        }
    }
}

/// Looks every few milliseconds until there is something or the limit is over.
pub fn poll<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let began = SystemClock.now();
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        let taken = SystemClock.now().duration_since(began);
        if Duration::try_from(taken).is_ok_and(|taken| taken > limit) {
            return None;
        }
        pause(PAUSE);
    }
}

/// Whether a condition comes to hold before a time limit.
fn within(limit: Duration, holds: impl Fn() -> bool) -> bool {
    poll(limit, || holds().then_some(())).is_some()
}

/// Waits on a channel that nobody writes to.
pub fn pause(time: Duration) {
    let (_keep, never) = mpsc::channel::<()>();
    let _ = never.recv_timeout(time);
}

/// Whether any process of a group is alive; those that only wait to be reaped don't count.
fn group_lives(group: u32) -> bool {
    let group = group.to_string();
    list(Path::new("/proc"))
        .unwrap_or_default()
        .iter()
        .filter_map(|process| fs::read_to_string(process.join("stat")).ok())
        .any(|stat| {
            // The name before the last parenthesis is free text; then: state, parent, group.
            let after_name = stat.rsplit(')').next().unwrap_or_default();
            let mut fields = after_name.split_whitespace();
            let state = fields.next();
            fields.nth(1) == Some(&group) && !matches!(state, Some("Z" | "X"))
        })
}

/// Reserves a block of ports and returns its guard and its first port, which the guard holds.
///
/// The guard keeps other rigs, also of other processes, off the block. A port that is merely found
/// free and closed again could be somebody else's by the time that a server wants it.
fn reserve_ports() -> (TcpListener, u16) {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Processes begin at different places, only to avoid useless attempts.
    let first = std::process::id() % u32::from(BLOCKS);
    let first = u16::try_from(first).expect("the remainder is small");
    for _ in 0..BLOCKS {
        let step = NEXT.fetch_add(1, Ordering::Relaxed) % BLOCKS;
        let base = FIRST_PORT + (first + step) % BLOCKS * BLOCK_SIZE;
        let free = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        if let Ok(guard) = free(base)
            && (1..BLOCK_SIZE).all(|offset| free(base + offset).is_ok())
        {
            return (guard, base);
        }
    }
    panic!("no free block of ports");
}

/// One plain SMTP connection.
struct Smtp {
    stream: BufReader<TcpStream>,
}

impl Smtp {
    fn connect(port: u16) -> Result<Smtp, String> {
        let connect = || {
            let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
            stream.set_read_timeout(Some(REPLY_LIMIT))?;
            stream.set_write_timeout(Some(REPLY_LIMIT))?;
            stream.set_nodelay(true)?;
            Ok(stream)
        };
        let stream = connect().map_err(|error: io::Error| error.to_string())?;
        Ok(Smtp { stream: BufReader::new(stream) })
    }

    fn send(&mut self, bytes: &[u8], code: &str) -> Result<(), String> {
        let written = self.stream.get_mut().write_all(bytes);
        written.map_err(|error| error.to_string())?;
        self.expect(code)
    }

    /// Reads one reply, of any number of lines, and compares its code.
    fn expect(&mut self, code: &str) -> Result<(), String> {
        let mut reply = String::new();
        loop {
            let start = reply.len();
            match self.stream.read_line(&mut reply) {
                Ok(0) => return Err(format!("{reply}connection closed")),
                Ok(_) if reply.as_bytes().get(start + 3) == Some(&b'-') => {}
                Ok(_) if reply[start..].starts_with(code) => return Ok(()),
                Ok(_) => return Err(reply),
                Err(error) => return Err(format!("{reply}{error}")),
            }
        }
    }
}

/// A mail as DATA wants it: CRLF line ends, leading dots doubled, the final dot.
fn for_data(raw: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(raw.len() + raw.len() / 32 + 5);
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b".") {
            data.push(b'.');
        }
        data.extend_from_slice(line);
        data.extend_from_slice(b"\r\n");
    }
    data.extend_from_slice(b".\r\n");
    data
}

/// Reads all mails of one Maildir folder, in the order of their arrival.
fn read_maildir(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    // "new" before "cur": a mail that moves on meanwhile is seen twice rather than not at all.
    let mut paths = list(&folder.join("new"))?;
    paths.extend(list(&folder.join("cur"))?);
    paths.sort_by_key(|path| arrival(path));
    paths.iter().map(fs::read).collect()
}

/// The sorting key of a mail, from its file name `SECONDS.MMICROSECONDSP...`.
fn arrival(path: &Path) -> (u64, u64, PathBuf) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut parts = name.split(['.', 'M', 'P']);
    let seconds = parts.next().and_then(|part| part.parse().ok());
    let micros = parts.nth(1).and_then(|part| part.parse().ok());
    (seconds.unwrap_or_default(), micros.unwrap_or_default(), path.to_path_buf())
}

/// The paths in a directory, sorted; none if it does not exist.
fn list(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether there is any file below a directory; Postfix spreads some queues over subdirectories.
fn holds_files(directory: &Path) -> bool {
    list(directory).unwrap_or_default().iter().any(|path| !path.is_dir() || holds_files(path))
}

/// Whether any file below a directory contains a text.
fn names(directory: &Path, text: &[u8]) -> bool {
    list(directory).unwrap_or_default().iter().any(|path| match path.is_dir() {
        true => names(path, text),
        // One that is gone by now has been delivered or has moved on, where it is found.
        false => fs::read(path).is_ok_and(|held| held.windows(text.len()).any(|w| w == text)),
    })
}

/// Removes every lock file below a directory.
fn remove_locks(directory: &Path) {
    for path in list(directory).unwrap_or_default() {
        if path.is_dir() {
            remove_locks(&path);
        } else if path.extension() == Some(OsStr::new("lock")) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The number of a user or group, looked up as text to do without a foreign function.
fn account(file: &str, name: &str) -> u32 {
    let text = fs::read_to_string(file).expect("the account file can be read");
    text.lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields[0] == name)
        .and_then(|fields| fields.get(2)?.parse().ok())
        .unwrap_or_else(|| panic!("{file} has no {name}: is Postfix installed?"))
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("root can change modes");
}

/// A command, taken from where servers are installed, whatever the caller's `PATH`.
fn tool(name: &str) -> Command {
    let places = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];
    let found = places.iter().map(|place| Path::new(place).join(name)).find(|path| path.exists());
    Command::new(found.unwrap_or_else(|| PathBuf::from(name)))
}

/// Locks also after a panic elsewhere: what is kept here stays valid at every step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
