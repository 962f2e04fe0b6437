//! A card on its way to the file: in time, proven, within the limits, judged.

use jiff::SignedDuration;

use super::Intake;
use super::replies::forms;
use super::{Case, Claim, Proof};
use crate::card::{Command, Mode, subject_tag};
use crate::context::Result;
use crate::mailer::Letter;
use base::schedule;
use base::secrets::same;
use engine::{CardText, JudgedLine, Judgement, Mark, Seal, Turn, press};
use mail::body::MARKER;
use mail::mime::{self, ParsedMail};
use mail::{normal, quoting};
use render::text::{SAFE, para};
use store::{Effect, Judged, OpenedSeal, Status, StoredMail, Verdict};

use crate::mailer::capital;
use crate::steps;

/// Unproven cards within an hour about which a player is asked.
const HELD_AN_HOUR: u32 = 5;
/// Turns ahead for which a card may be sent.
const ADVANCE_MAX: Turn = 3;
/// Lines of an unproven card that the question shows.
const HELD_LINES_SHOWN: usize = 60;

impl Intake<'_> {
    /// `YES` to a held card: it counts as if its proof had come with it.
    pub(super) fn confirmed(&self, case: Case, claim: Claim) -> Result<Judged> {
        let secrets: Vec<String> =
            self.details(case.parsed).into_iter().filter_map(|d| d.get(3).cloned()).collect();
        let held = self.store.held_of(&claim.game.code, claim.seat.seat)?;
        let fits = |id: &&i64| {
            let right = self.store.key().confirm(&claim.game.code, claim.seat.seat, **id);
            secrets.is_empty() || secrets.iter().any(|s| same(&s.to_lowercase(), &right))
        };
        if secrets.is_empty() && held.len() > 1 {
            let text = "Several cards wait for a confirmation. Answer the mail that shows the \
                        right one with YES."
                .to_owned();
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "several-held",
                "which card?",
                text,
            );
        }
        let raw = match held.iter().find(fits) {
            Some(id) => self.store.raw(*id)?.map(|raw| (*id, raw)),
            None => None,
        };
        let Some((id, raw)) = raw else {
            let text = "No card of yours waits for a confirmation.".to_owned();
            return self.tell(
                &case,
                &claim,
                Verdict::Rejected,
                "nothing-held",
                "nothing to confirm",
                text,
            );
        };
        let Ok(parsed) = mime::parse(&raw) else {
            return Ok(self.judged(&case, Verdict::Quarantined, "unreadable", "the held mail"));
        };
        self.confirm_held(case, &claim, id, &parsed)
    }

    /// Does what a held mail asks for, as if its proof had come with it.
    pub(crate) fn confirm_held(
        &self,
        case: Case,
        claim: &Claim,
        id: i64,
        parsed: &ParsedMail,
    ) -> Result<Judged> {
        let about = self.about_seat(&claim.game, claim.seat.seat);
        let text = about.new_text(&parsed.lines);
        // The held card was received when it came, not when it was confirmed.
        let received_at = self.store.received_at(id)?.unwrap_or(case.stored.received_at);
        let stored = StoredMail { received_at, ..case.stored.clone() };
        let tag = subject_tag(&parsed.subject).map(|t| t.1);
        let request = about.read(&about.written(&text));
        // Without a word of its own the card was meant for the turn that was open then.
        let then = self.store.mail(id)?.and_then(|m| m.turn);
        let named = request.heading.turn.is_some();
        let turn = request.heading.turn.or(tag).or(then);
        let mut case = Case { stored: &stored, request, text, confirms: Some(id), ..case };
        self.join_attachment(&mut case, &about)?;
        let claim = Claim {
            game: claim.game.clone(),
            seat: claim.seat.clone(),
            turn,
            named,
            proof: Proof::Proven,
        };
        let mut judged = self.act(case, &claim)?;
        if judged.verdict == Verdict::Accepted {
            judged.effects.push(Effect::Confirmed(id));
        }
        Ok(judged)
    }

    pub(super) fn nothing_found(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let mut text = match case.text.orders_below {
            true => "No new orders were found above the marker line or the quoted mail. What \
                     stands below looks like orders, but old and new can't be told apart \
                     there, so nothing was filed. Write your orders at the top."
                .to_owned(),
            false => {
                "No orders and no command were found in your mail; nothing was changed.".to_owned()
            }
        };
        let unread = !case.parsed.left_out.is_empty();
        for part in &case.parsed.left_out {
            text += &format!(" It had {part}.");
        }
        if quoting::is_away(&case.parsed.subject) {
            let why = "a vacation reply without any sign but its subject";
            return Ok(self.judged(case, Verdict::Ignored, "away", why));
        }
        // Somebody who only says thanks is told once a week how orders are written.
        let week = case.now - SignedDuration::from_hours(24 * 7);
        if !unread
            && !case.text.orders_below
            && self.store.told_since(&case.from, "no-orders", week)? > 0
        {
            let why = "no orders and no command; told so within the week";
            return Ok(self.judged(case, Verdict::Ignored, "no-orders", why));
        }
        text += &format!(" {}", forms());
        self.tell(case, claim, Verdict::Rejected, "no-orders", "no orders found", text)
    }

    /// The step that a card is for: the one that it names; the one that it answers, if its
    /// seat was awaited then; else the open one. What others did meanwhile makes no card old.
    fn step_of(&self, claim: &Claim) -> Result<Turn> {
        let (game, seat) = (&claim.game, claim.seat.seat);
        let Some(turn) = claim.turn else { return Ok(game.turn) };
        if claim.named || turn >= game.turn {
            return Ok(turn);
        }
        let step = self.store.step(&game.code, turn)?;
        Ok(if step.is_none_or(|s| s.awaits(seat)) { turn } else { game.turn })
    }

    /// Refuses a card for another step than the open one, or after the deadline.
    pub(super) fn timely(&self, case: &Case, claim: &Claim) -> Result<Option<Judged>> {
        let game = &claim.game;
        let turn = self.step_of(claim)?;
        let label = &game.step.label;
        // Where one after the other moves, three rounds are more steps than three.
        let rounds = match game.step.awaited.len() {
            0 | 1 => u32::from(game.setup.seats),
            _ => 1,
        };
        let ahead_max = ADVANCE_MAX * rounds;
        let late = steps::ends(game).is_some_and(|end| case.stored.received_at > end);
        let (reason, subject, text) = match () {
            () if game.status == Status::Over => {
                ("game-over", "the game is over", "The game is over; orders have no effect.".into())
            }
            () if turn < game.turn => (
                "passed-turn",
                "not applied: the turn has passed",
                format!(
                    "These orders are for turn {turn}, which has run. They were not applied. \
                     {} is open; your orders on file for it are below. Send a new card in \
                     answer to this mail.",
                    capital(label)
                ),
            ),
            () if turn > game.turn + ahead_max => (
                "future-turn",
                "not applied: the turn is too far ahead",
                format!(
                    "These orders are for turn {turn}; {label} is open, and cards are taken up to \
                     turn {}.",
                    game.turn + ahead_max
                ),
            ),
            () if late && turn == game.turn => (
                "late",
                "not applied: too late",
                format!(
                    "These orders came {}, after the deadline of {label}. They were not \
                     applied. The printout that follows opens turn {}; answer it.",
                    schedule::local(case.stored.received_at, &claim.seat.zone),
                    game.turn + 1
                ),
            ),
            () => return Ok(None),
        };
        let mut judged = self.judged(case, Verdict::Rejected, reason, &text);
        (judged.seat, judged.turn) = (Some((game.code.clone(), claim.seat.seat)), Some(turn));
        let mails = match game.status {
            Status::Over => {
                self.mails_to_player(case, claim, subject, format!("{MARKER}\n\n{}", para(&text)))
            }
            _ => {
                let judgement = self.on_file(claim)?;
                let body = self.echo(case, claim, &text, "Orders on file", &judgement, (&[], &[]));
                self.mails_to_player(case, claim, subject, body)
            }
        };
        self.reply(case, &mut judged, mails)?;
        Ok(Some(judged))
    }

    /// §1 item 7: the registered address is asked, and nothing else happens.
    pub(super) fn hold_card(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let (reason, what) = match claim.proof {
            Proof::OtherAddress => ("other-address", "from an address that is not registered"),
            Proof::NotVouched => ("not-vouched", "that its mail server does not vouch for"),
            _ => ("unproven", "without the secret of your seat"),
        };
        let hour = case.now - SignedDuration::from_hours(1);
        if self.store.held_since(&game.code, seat.seat, hour)? >= HELD_AN_HOUR {
            // Somebody else's flood is no reason to flood the player.
            let why = "an unproven card, over the hourly number of questions to the player";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
        let secret = self.store.key().confirm(&game.code, seat.seat, case.stored.id);
        let mut body = format!("{MARKER}\n\n");
        body += &para(&format!(
            "A card for your seat came {what}. It is held and has no effect. If it is yours, \
             answer this mail with the one word YES; if not, do nothing."
        ));
        body.push('\n');
        for command in case.request.commands.iter().filter(|c| c.changes()) {
            // Its words are shown as far as they are no secret.
            let shown = match command {
                Command::Password(_) => "PASSWORD …".to_owned(),
                other => format!("{other:?}"),
            };
            let shown: String = shown.chars().filter(|c| !c.is_control()).take(120).collect();
            body += &format!("{SAFE}command: {shown}\n");
        }
        for (line, text) in case.request.card.lines.iter().take(HELD_LINES_SHOWN) {
            let text: String = text.chars().filter(|c| !c.is_control()).take(120).collect();
            body += &format!("{SAFE}{line:>3}  {text}\n");
        }
        body.push('\n');
        body += &para(&self.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now));
        let letter = Letter {
            kind: "confirm",
            to: &seat.address,
            turn: game.turn,
            subject: "is this card yours?".to_owned(),
            text: body,
            attachments: Vec::new(),
            answers: None,
            cause: case.stored.id.to_string(),
            reply: Some(format!("confirm.{}.{}.{secret}", game.code, seat.seat)),
        };
        let mail = self.mailer().seat_mail(seat, letter, case.now);
        let mut judged = self.judged(case, Verdict::Held, reason, what);
        (judged.seat, judged.turn) = (Some((game.code.clone(), seat.seat)), Some(game.turn));
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    pub(super) fn over_limits(&self, case: &mut Case, claim: &Claim) -> Result<Option<Judged>> {
        let limits = self.cx.limits.clone();
        let lines = case.request.card.lines.len();
        let hour = case.now - SignedDuration::from_hours(1);
        let cards = self.store.cards_since(&claim.game.code, claim.seat.seat, hour)?;
        let (reason, text) = match () {
            () if lines > limits.card_lines_max => (
                "too-many-lines",
                format!(
                    "Your card has {lines} lines; a card has at most {}. Nothing was filed. Send \
                     the orders in two mails, the second with ADD as its first line.",
                    limits.card_lines_max
                ),
            ),
            () if cards >= limits.cards_per_hour => (
                "too-many-cards",
                format!(
                    "This is more than {} cards within an hour. Nothing was filed; wait a while.",
                    limits.cards_per_hour
                ),
            ),
            () => return Ok(None),
        };
        self.tell(case, claim, Verdict::Rejected, reason, "nothing filed", text).map(Some)
    }

    /// Files, appends, withdraws or only checks a card, and echoes it.
    pub(super) fn file(&self, case: &Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let turn = self.step_of(claim)?.max(game.turn);
        let ahead = turn - game.turn;
        let before = self.store.orders(&game.code, seat.seat, turn)?;
        let (sent, unread) = self.sound(claim, &case.request.card)?;
        let mode = case.request.mode;
        let card = match mode {
            Mode::Add => {
                before.as_ref().map(|b| b.card.clone()).unwrap_or_default().followed_by(&sent)
            }
            Mode::Cancel => CardText::default(),
            Mode::File | Mode::Check => sent,
        };
        if card.lines.len() > self.cx.limits.card_lines_max {
            let text = format!(
                "With these lines your orders on file would be {}; a card has at most {}. \
                 Nothing was added.",
                card.lines.len(),
                self.cx.limits.card_lines_max
            );
            let subject = "nothing added";
            return self.tell(case, claim, Verdict::Rejected, "too-many-lines", subject, text);
        }
        let empty = card.lines.is_empty() && mode != Mode::Cancel;
        if empty && !unread.is_empty() {
            // A card of which nothing can be read replaces none.
            let lines: Vec<String> =
                unread.iter().take(10).map(|l| format!("line {}: {}", l.line, l.note)).collect();
            let text = format!(
                "None of your lines can be read, so nothing was changed: {}.",
                lines.join("; ")
            );
            return self.tell(
                case,
                claim,
                Verdict::Rejected,
                "unreadable-card",
                "nothing filed",
                text,
            );
        }
        let newer = before.as_ref().filter(|b| b.received_at > case.stored.received_at);
        if newer.is_some() && mode != Mode::Check {
            // Delivery is not always in order; what was sent last counts.
            let text = "A card of yours that was received later is on file already, so this older \
                        one changes nothing."
                .to_owned();
            let subject = "not applied: a newer card is on file";
            return self.tell(case, claim, Verdict::Rejected, "older-card", subject, text);
        }
        let mut judgement = self.judge_card(claim, &card, ahead)?;
        let counts = |l: &JudgedLine| matches!(l.mark, Mark::Ok | Mark::Warning);
        let about = self.about_seat(game, seat.seat);
        let prose = |l: &(u32, String)| !about.starts_order(&l.1);
        if mode != Mode::Cancel
            && !judgement.lines.iter().any(counts)
            && case.request.card.lines.iter().all(prose)
            && !case.request.card.lines.is_empty()
        {
            // A letter to the robot, or to nobody; it replaces no card.
            return self.nothing_found(case, claim);
        }
        let orders = judgement.lines.iter().any(counts);
        judgement.lines.extend(unread);
        judgement.lines.sort_by_key(|l| l.line);
        if !orders && !card.lines.is_empty() && matches!(mode, Mode::File | Mode::Add) {
            return self.no_order(case, claim, &judgement, notes, before.is_some());
        }
        let (reason, subject, outcome, title) = outcome(mode, case.stored.id);
        let mut outcome = match (case.confirms, &before) {
            (Some(_), _) => format!("{outcome} It was held before and is confirmed now."),
            (None, Some(old)) if reason == "filed" && !old.card.lines.is_empty() => {
                format!("{outcome} It replaces the card that was on file.")
            }
            _ => outcome,
        };
        if turn > game.turn {
            outcome += &format!(
                " This card is for turn {turn}; {} is open. It is judged by your position of \
                 today, and again when its turn opens.",
                game.step.label
            );
        } else if game.deadline.is_some_and(|d| case.stored.received_at > d) {
            outcome += " It came after the deadline, in the time of grace, and counts.";
        } else if judgement.ready && mode != Mode::Check {
            outcome += " It says that you are done: nobody waits for you any longer.";
        }
        let checked = mode == Mode::Check;
        let seals = match checked {
            true => Vec::new(),
            false => self.sealed(claim, turn, &judgement)?,
        };
        let sealed: Vec<String> =
            seals.iter().map(|s| format!("Seal {}: SHA-256 {}", s.key, s.digest())).collect();
        let body = self.echo(case, claim, &outcome, title, &judgement, (&sealed, notes));
        let mails = self.mails_to_player(case, claim, subject, body);
        let mut judged = self.judged(case, Verdict::Accepted, reason, &outcome);
        judged.seat = Some((game.code.clone(), seat.seat));
        judged.turn = Some(turn);
        if !checked {
            let (game, seat) = (game.code.clone(), seat.seat);
            let seals =
                seals.into_iter().map(|s| (Seal { key: s.key, text: s.text }, s.nonce)).collect();
            judged.effects.push(Effect::Orders {
                game,
                seat,
                turn,
                card,
                mail: case.stored.id,
                received_at: case.stored.received_at,
                done: judgement.ready,
                seals,
            });
        }
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The seals of a card. One that is on file for the step already, with the same text, keeps
    /// its nonce: what was committed to does not change by being sent again.
    fn sealed(&self, claim: &Claim, turn: Turn, judgement: &Judgement) -> Result<Vec<OpenedSeal>> {
        let (code, seat) = (&claim.game.code, claim.seat.seat);
        let seal = |seal: &Seal| {
            let filed = self.store.filed_seal(code, turn, seat, &seal.key)?;
            if let Some(filed) = filed.filter(|f| f.text == seal.text) {
                return Ok(filed);
            }
            let nonce = format!("{:016x}{:016x}", self.cx.word(), self.cx.word());
            Ok(OpenedSeal { seat, key: seal.key.clone(), nonce, text: seal.text.clone() })
        };
        judgement.seals.iter().map(seal).collect()
    }

    /// A card of which no line is an order that can be carried out: it is answered line by
    /// line, and what is on file stays.
    fn no_order(
        &self,
        case: &Case,
        claim: &Claim,
        judgement: &Judgement,
        notes: &[String],
        on_file: bool,
    ) -> Result<Judged> {
        let outcome = match on_file {
            true => {
                "None of your lines is an order that can be carried out, so your orders on \
                     file stay as they were."
            }
            false => {
                "None of your lines is an order that can be carried out, so nothing was filed."
            }
        };
        let body = self.echo(case, claim, outcome, "Your lines", judgement, (&[], notes));
        let mails = self.mails_to_player(case, claim, "no order was understood", body);
        let mut judged = self.judged(case, Verdict::Rejected, "unreadable-card", outcome);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The lines of a card that may be read as orders, and those that may not, each
    /// with why: characters that got lost or look like others, lines that a mail
    /// program broke in two, messages in a game that has none.
    fn sound(&self, claim: &Claim, card: &CardText) -> Result<(CardText, Vec<JudgedLine>)> {
        let mut unread = Vec::new();
        let error = |line: u32, text: &str, note: String| JudgedLine {
            line,
            text: text.to_owned(),
            mark: Mark::Error,
            note,
        };
        let (blocks, _) = press::split(card);
        let letter = |line: u32| {
            blocks.iter().any(|b| line > b.line && b.end.map_or(u32::MAX, |end| end) > line)
        };
        let mut sound = CardText::default();
        for (line, text) in &card.lines {
            let most = self.cx.limits.line_chars_max;
            match normal::doubt(text).filter(|_| !letter(*line)) {
                Some(doubt) => unread.push(error(*line, text, doubt.to_string())),
                None if text.chars().count() > most => {
                    let note = format!("this line has more than {most} characters");
                    unread.push(error(*line, text, note));
                }
                None => sound.lines.push((*line, normal::undirected(text))),
            }
        }
        let open = self.games().open(&claim.game)?;
        let press = || open.press();
        if !blocks.is_empty() && !self.games().shielded(&claim.game.code, press)? {
            for block in &blocks {
                let last = block.end.unwrap_or(u32::MAX);
                sound.lines.retain(|(n, _)| !(block.line..=last).contains(n));
                let note = "this game has no free messages by the robot; they are an order of it, \
                            or go by the addresses that your printout shows";
                unread.push(error(block.line, "PRESS", note.to_owned()));
            }
        }
        for (first, second) in broken(&sound) {
            let judged = self.judge_card(claim, &sound, 0)?;
            let bad = |n: u32| judged.lines.iter().any(|l| l.line == n && l.mark == Mark::Error);
            if !bad(second) {
                continue;
            }
            for n in [first, second] {
                let text = sound.lines.iter().find(|l| l.0 == n).map(|l| l.1.clone());
                let note = format!(
                    "your mail program seems to have broken one line into lines {first} and \
                     {second}; write it as two orders, or let the program send format=flowed"
                );
                unread.push(error(n, &text.unwrap_or_default(), note));
            }
            sound.lines.retain(|l| l.0 != first && l.0 != second);
        }
        Ok((sound, unread))
    }

    pub(super) fn judge_card(
        &self,
        claim: &Claim,
        card: &CardText,
        ahead: Turn,
    ) -> Result<Judgement> {
        let open = self.games().open(&claim.game)?;
        let seat = claim.seat.seat;
        self.games().shielded(&claim.game.code, || open.judge(seat, card, ahead))
    }

    /// The judgement of what is on file now.
    pub(super) fn on_file(&self, claim: &Claim) -> Result<Judgement> {
        let (game, seat) = (&claim.game, &claim.seat);
        let filed = self.store.orders(&game.code, seat.seat, game.turn)?;
        self.judge_card(claim, &filed.map(|f| f.card).unwrap_or_default(), 0)
    }
}

/// Columns at which mail programs break lines.
const BROKEN_AT: std::ops::RangeInclusive<usize> = 66..=80;

/// Pairs of lines that may have been one: the first is as long as a program allows,
/// and the second's first word would not have fitted.
fn broken(card: &CardText) -> Vec<(u32, u32)> {
    let pairs = card.lines.windows(2).filter_map(|w| {
        let ((first, long), (second, next)) = (&w[0], &w[1]);
        let word = next.split_whitespace().next().map_or(0, |w| w.chars().count());
        let length = long.chars().count();
        let full = BROKEN_AT.contains(&length) && length + 1 + word > *BROKEN_AT.start() + 6;
        (full && *second == first + 1).then_some((*first, *second))
    });
    pairs.collect()
}

/// What was done with a card: reason, subject, sentence, title of the echo.
fn outcome(mode: Mode, receipt: i64) -> (&'static str, &'static str, String, &'static str) {
    match mode {
        Mode::Check => (
            "checked",
            "checked, not filed",
            "This card was checked and not filed. Your orders on file are as before.".to_owned(),
            "The card as it would stand",
        ),
        Mode::Add => (
            "added",
            "orders added",
            format!("Your lines were added to the orders on file. Receipt {receipt}."),
            "All orders on file",
        ),
        Mode::Cancel => (
            "cancelled",
            "orders withdrawn",
            format!("Your orders were withdrawn; none are on file. Receipt {receipt}."),
            "Orders on file",
        ),
        Mode::File => (
            "filed",
            "orders on file",
            format!("Your orders are on file. Receipt {receipt}."),
            "All orders on file",
        ),
    }
}
