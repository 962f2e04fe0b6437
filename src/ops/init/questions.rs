//! The questions: each is answered by its flag, by the terminal, or by an error.

use std::path::{Path, PathBuf};

use dialoguer::{Input, Password};

use super::{Answers, Args, Failure, Login, Place, checks};

/// Where answers come from.
pub struct Questions<'a> {
    /// The answers that the command line gives.
    pub args: &'a Args,
    /// Where the config will be.
    pub config: &'a Path,
    /// Whether a person is at the terminal.
    pub asks: bool,
}

/// A question and its flag.
struct Question<'a> {
    flag: &'static str,
    text: &'static str,
    given: &'a Option<String>,
    /// The answer that the terminal offers.
    usual: String,
}

impl Questions<'_> {
    /// All answers, each checked when it was given.
    ///
    /// # Errors
    /// A sentence that names the flag, or the terminal's failure.
    pub fn ask_all(&self) -> Result<Answers, Failure> {
        let args = self.args;
        let address =
            self.ask("--address", "The robot's address", &args.address, "", checks::robot)?;
        let domain = address.rsplit_once('@').map_or("localhost", |(_, d)| d).to_owned();
        let gm = |text: &str| checks::game_master(text, &address);
        let gm = self.ask("--gm", "Your address, as the game master", &args.gm, "", gm)?;
        let usual = "/var/lib/fieldpost";
        let data =
            self.ask("--data", "Folder for games and mails", &args.data, usual, checks::folder)?;
        let inbox = self.inbox(&domain)?;
        let outlet = self.outlet(&domain)?;
        let login = self.login(&address, &inbox, &outlet)?;
        let ca_file = self.ca_file([&inbox, &outlet])?;
        let dashboard = match self.asks {
            true => {
                let text = "Dashboard in your browser, such as 127.0.0.1:8025, or none";
                self.ask("--dashboard", text, &args.dashboard, "none", checks::dashboard)?
            }
            false => self.given("--dashboard", &args.dashboard, checks::dashboard)?.flatten(),
        };
        Ok(Answers { address, gm, data, inbox, outlet, login, ca_file, dashboard })
    }

    /// The authority of the servers' certificates, where one is not the system's.
    fn ca_file(&self, places: [&Place; 2]) -> Result<Option<PathBuf>, Failure> {
        let is_server = |place: &&Place| matches!(place, Place::Server { .. });
        if !self.asks || !places.iter().any(is_server) {
            return self.given("--ca-file", &self.args.ca_file, checks::ca_file);
        }
        let text = "File with the authority of its certificates (PEM), or none for the system's";
        let check = |text: &str| match text {
            "none" => Ok(None),
            path => checks::ca_file(path).map(Some),
        };
        self.ask("--ca-file", text, &self.args.ca_file, "none", check)
    }

    fn inbox(&self, domain: &str) -> Result<Place, Failure> {
        let args = self.args;
        if let Some(path) = self.given("--maildir", &args.maildir, checks::folder)? {
            return Ok(Place::Folder(path));
        }
        let text = "Its mailbox: an IMAP server, or the path of a Maildir";
        let usual = format!("imap.{domain}");
        let place = match &args.imap {
            Some(_) => self.ask("--imap", text, &args.imap, &usual, checks::server)?,
            None => self.ask("--imap (or --maildir)", text, &None, &usual, checks::place)?,
        };
        self.encrypted(place, "--imap-tls", &args.imap_tls, "implicit")
    }

    fn outlet(&self, domain: &str) -> Result<Place, Failure> {
        let args = self.args;
        if let Some(path) = self.given("--outbox-dir", &args.outbox_dir, checks::folder)? {
            return Ok(Place::Folder(path));
        }
        let text = "What sends its mail: an SMTP server, or the path of a folder";
        let usual = format!("smtp.{domain}");
        let place = match &args.smtp {
            Some(_) => self.ask("--smtp", text, &args.smtp, &usual, checks::server)?,
            None => self.ask("--smtp (or --outbox-dir)", text, &None, &usual, checks::place)?,
        };
        self.encrypted(place, "--smtp-tls", &args.smtp_tls, "starttls")
    }

    /// The encryption of a server, where its port does not determine it.
    fn encrypted(
        &self,
        place: Place,
        flag: &'static str,
        given: &Option<String>,
        usual: &str,
    ) -> Result<Place, Failure> {
        let Place::Server { host, port, tls } = place else { return Ok(place) };
        let text = "Encryption: implicit, starttls, or none on this machine only";
        let tls = match (given, tls) {
            (None, None) if self.asks && port.is_some() => {
                Some(self.ask(flag, text, given, usual, checks::tls)?)
            }
            (None, known) => known,
            (Some(_), _) => self.given(flag, given, checks::tls)?,
        };
        Ok(Place::Server { host, port, tls })
    }

    /// The login, where there is a server; a server that only sends may need none.
    fn login(
        &self,
        address: &str,
        inbox: &Place,
        outlet: &Place,
    ) -> Result<Option<Login>, Failure> {
        let is_server = |place: &Place| matches!(place, Place::Server { .. });
        if !is_server(inbox) && !is_server(outlet) {
            return Ok(None);
        }
        let args = self.args;
        if !is_server(inbox) && !self.asks && args.user.is_none() {
            return Ok(None);
        }
        let text = "The name that it logs in with";
        let user = self.ask("--user", text, &args.user, address, checks::user)?;
        let (password_file, typed) = self.password()?;
        Ok(Some(Login { user, password_file, typed }))
    }

    /// The file of the password; one that is typed gets a file next to the config.
    fn password(&self) -> Result<(PathBuf, Option<String>), Failure> {
        let given = &self.args.password_file;
        let own = std::path::absolute(self.config.with_extension("password"))?;
        // A file that is there may hold the password of a robot that runs.
        let may_write = self.args.force || !own.exists();
        if self.asks && given.is_none() && may_write {
            let prompt = "Its password (not shown; Enter alone to name a file that holds it)";
            let typed =
                Password::new().with_prompt(prompt).allow_empty_password(true).interact()?;
            if !typed.is_empty() {
                return Ok((own, Some(typed)));
            }
        }
        let usual = own.display().to_string();
        let text = "File with its password";
        let file = self.ask("--password-file", text, given, &usual, checks::password_file)?;
        Ok((file, None))
    }

    /// The answer of a flag, without a question.
    fn given<T>(
        &self,
        flag: &str,
        given: &Option<String>,
        check: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let checked = given.as_deref().map(check).transpose();
        checked.map_err(|why| format!("{flag}: {why}").into())
    }

    /// The answer of a flag, or of the terminal, which asks until the answer is good.
    fn ask<T>(
        &self,
        flag: &'static str,
        text: &'static str,
        given: &Option<String>,
        usual: &str,
        check: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Failure> {
        if let Some(answer) = self.given(flag, given, &check)? {
            return Ok(answer);
        }
        let question = Question { flag, text, given, usual: usual.to_owned() };
        if !self.asks {
            return Err(question.missing());
        }
        question.put(&check)
    }
}

impl Question<'_> {
    fn missing(&self) -> Failure {
        debug_assert!(self.given.is_none(), "a flag was given");
        let what = self.text.to_lowercase();
        format!("{} is missing: {what}. \"fieldpost init\" in a terminal asks for it.", self.flag)
            .into()
    }

    fn put<T>(&self, check: &impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
        let good = |text: &String| check(text).map(|_| ());
        let mut input = Input::<String>::new().with_prompt(self.text).validate_with(good);
        if !self.usual.is_empty() {
            input = input.default(self.usual.clone());
        }
        Ok(check(&input.interact_text()?)?)
    }
}
