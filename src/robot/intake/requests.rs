//! What a mail of a seat asks for: orders, settings, questions, all answered in one mail.

use super::Intake;
use crate::card::Mode;
use crate::context::Result;
use crate::mailer::step_name;
use crate::verdict::case::{Case, Claim, Command, Proof, Query, Setting};
use crate::verdict::filed::nothing_changed;
use crate::verdict::filing::Filing;
use crate::verdict::pending::Pending;
use crate::verdict::plain;
use crate::verdict::untold::passed_over;
use mail::quoting;
use render::text;
use store::{Effect, Judged, QueuedMail, Reason, Status, Verdict};
use tongue::{count, mark, say, word};

/// The combined result of the settings in a mail.
struct Changes {
    /// A sentence for each.
    notes: Vec<String>,
    effects: Vec<Effect>,
    mails: Vec<QueuedMail>,
    /// Why the settings were refused: set if one was refused and none was made.
    refused: Option<Reason>,
    /// Reason of the verdict, from the last of them.
    reason: Reason,
    /// Subject of the answer, from the last of them; [`word`] translates it.
    subject: &'static str,
}

impl Intake<'_> {
    /// Does what a mail of a seat asks for.
    pub(super) fn handle_request(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let filing = Filing::new(self.tools, claim);
        if let Some(judged) = self.unclear(case, claim, &filing)? {
            return Ok(judged);
        }
        let unproven = claim.proof != Proof::Proven;
        if unproven && case.stored.size > self.tools.cx.limits.unproven_bytes_max {
            // Only the first lines of so large a mail were read, for a command that changes
            // nothing.
            if case.request.needs_proof() || case.request.over > 0 {
                return Pending::new(self.tools).ask(case, claim);
            }
        } else if let Some(judged) = filing.refused_by_lines(case, claim)? {
            return Ok(judged);
        }
        if claim.old_secret && case.request.has_orders() && filing.is_passed(claim)? {
            // The answer says that the printout is old. Even with a proof, the orders would change
            // nothing.
            let told = filing.take(case, claim, &[])?;
            if !case.causes_too_much(&told) {
                return Ok(told);
            }
        }
        if (unproven || case.confirms.is_some())
            && case.request.commands.iter().any(|c| c.is_secret())
        {
            // A question would be in vain, and the mail would be kept until it is answered.
            let text = say!(
                "A YES sets no password, and your mail came without a proof that it is yours; \
                 nothing was done. Send PASSWORD in answer to the newest mail of your game."
            );
            let (verdict, reason) = (Verdict::Rejected, Reason::NotChanged);
            let subject = say!("nothing was changed");
            return self.answers().short_answer(case, claim, verdict, reason, &subject, text);
        }
        if case.request.needs_proof() && unproven {
            let commands = case.request.commands.iter().any(|c| c.needs_proof());
            if !commands && !filing.reading.is_worth_asking(case, claim)? {
                return filing.nothing_found(case, claim);
            }
            return Pending::new(self.tools).ask(case, claim);
        }
        let changes = self.change_settings(case, claim, &filing)?;
        let (before, claim) = (claim, &claim.after(&changes.effects));
        // If the mail chose a language, the whole answer is in it.
        let answered = || self.answered(case, claim, &filing, &changes);
        let Some(mut judged) = self.tools.cx.in_language(&claim.seat.language, answered)? else {
            // A refused mail changes nothing at all.
            return filing.take(case, before, &[nothing_changed()]);
        };
        if claim.proof != Proof::Proven && case.causes_too_much(&judged) {
            // Whoever wrote it in this player's name, the player gets no long mails because of it.
            return Pending::new(self.tools).ask(case, claim);
        }
        judged.effects.extend(changes.effects);
        self.answers().reply(case, &mut judged, changes.mails)?;
        Ok(judged)
    }

    /// The one answer to the orders, settings and questions of a mail; `claim` has the seat with
    /// its new settings. `None` when the orders are refused, and the settings with them.
    fn answered(
        &self,
        case: &Case,
        claim: &Claim,
        filing: &Filing,
        changes: &Changes,
    ) -> Result<Option<Judged>> {
        let asked: Vec<&dyn Query> =
            case.request.commands.iter().filter_map(Command::as_query).collect();
        let changed = !changes.notes.is_empty();
        if case.request.has_orders() {
            let taken = filing.take(case, claim, &changes.notes)?;
            let undone = taken.verdict != Verdict::Accepted && changed && changes.refused.is_none();
            return Ok(Some(taken).filter(|_| !undone));
        }
        if !asked.is_empty() && !changed {
            return self.answer_queries(case, claim, &asked).map(Some);
        }
        let (verdict, reason) = match changes.refused {
            Some(reason) => (Verdict::Rejected, reason),
            None => (Verdict::Accepted, changes.reason),
        };
        let (answers, left_out) = self.answers().beside(claim, &asked)?;
        let notes = [changes.notes.clone(), left_out].concat().join("\n\n");
        let text = format!("{notes}\n\n{}", text::sections(&answers)).trim().to_owned();
        let subject = word(changes.subject);
        self.answers().short_answer(case, claim, verdict, reason, &subject, text).map(Some)
    }

    /// Answers a mail of a seat whose meaning is not clear.
    fn unclear(&self, case: &Case, claim: &Claim, filing: &Filing) -> Result<Option<Judged>> {
        let request = &case.request;
        let (reason, subject, text) = if let Some(why) = twice(&request.commands) {
            (Reason::TooManyCommands, say!("too many commands"), why)
        } else if let Some(mode) = request.unclear {
            (Reason::UnknownCommand, say!("nothing was done"), unclear_mode(mode))
        } else if request.two_cards {
            let text = say!(
                "Your mail holds two cards, for two seats; nothing was filed. Send each in a mail \
                 of its own."
            );
            (Reason::TwoCards, say!("two cards"), text)
        } else if let Some((word, right)) = &request.meant {
            let text = format!(
                "{}\n\n{} {}",
                say!(
                    "{word:?} is no command in that form; did you mean {right}?",
                    right = tongue::word(right)
                ),
                say!("Nothing was done."),
                self.tools.command_words()
            );
            (Reason::UnknownCommand, say!("unknown command"), text)
        } else if let Some(why) = &request.wrong {
            (Reason::BadJson, say!("a card that can't be read"), why.clone())
        } else if request.is_empty() {
            return filing.nothing_found(case, claim).map(Some);
        } else if is_away(case, filing) {
            let why = "a vacation reply without any sign but its subject";
            return Ok(Some(case.judged(Verdict::Ignored, Reason::Away, why)));
        } else {
            return Ok(None);
        };
        self.answers()
            .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
            .map(Some)
    }

    /// Carries out every command of a mail that changes something other than orders; each gives its
    /// own note.
    fn change_settings(&self, case: &Case, claim: &Claim, filing: &Filing) -> Result<Changes> {
        let mut changes = Changes {
            notes: Vec::new(),
            effects: Vec::new(),
            mails: Vec::new(),
            refused: None,
            reason: Reason::Settings,
            subject: mark!("settings"),
        };
        let settings: Vec<&dyn Setting> =
            case.request.commands.iter().filter_map(Command::as_setting).collect();
        let mut held = self.holds_ready(case, claim, filing)?;
        let (mut refused, mut made) = (0, 0);
        let mut asking = None;
        for setting in &settings {
            let word = setting.word();
            if let Some(why) = left_out(*setting, case, claim, held) {
                changes.notes.push(why);
                continue;
            }
            let change = match setting.act(self.tools, case, claim)? {
                Ok(change) => change,
                Err(why) => {
                    // What was meant to be done before READY was not done.
                    refused += 1;
                    held += usize::from(claim.game.runs_early());
                    changes.notes.push(match settings.len() {
                        1 => why,
                        _ => say!("{word} was not carried out. {why}"),
                    });
                    continue;
                }
            };
            if change.effects.iter().any(|e| matches!(e, Effect::Ask(_))) {
                if let Some(first) = asking {
                    refused += 1;
                    changes.notes.push(say!(
                        "{word} was not carried out: it asks a question, as {first} does; send it \
                         alone."
                    ));
                    continue;
                }
                asking = Some(word);
            }
            made += 1;
            (changes.reason, changes.subject) = setting.reason();
            changes.notes.push(change.note);
            changes.effects.extend(change.effects);
            changes.mails.extend(change.mails);
        }
        if refused > 0 && made == 0 {
            (changes.refused, changes.subject) =
                (Some(Reason::NotChanged), mark!("nothing was changed"));
        }
        Ok(changes)
    }

    /// The number of lines of a mail's card that keep its READY from being taken, because the turn
    /// would run before its player reads about them.
    fn holds_ready(&self, case: &Case, claim: &Claim, filing: &Filing) -> Result<usize> {
        let game = &claim.game;
        let mut settings = case.request.commands.iter().filter_map(Command::as_setting);
        let says = settings.any(|s| s.reason().0 == Reason::Ready);
        if !says || !game.runs_early() {
            return Ok(0);
        }
        // A line that was not read may say that READY is not meant.
        let unread = case.request.unread_above();
        match case.request.has_orders() {
            true => Ok(unread + filing.reading.wrong_lines(case, claim)?),
            false => Ok(unread),
        }
    }

    /// Answers commands that change nothing, in one mail.
    fn answer_queries(&self, case: &Case, claim: &Claim, asked: &[&dyn Query]) -> Result<Judged> {
        let first = asked[0];
        let of_one_kind = asked.iter().all(|q| q.question().is_some());
        let told = || !passed_over(self.tools, case, claim, false).is_empty();
        if asked.len() > 1 && !of_one_kind || told() {
            let (mut answers, left_out) = self.answers().beside(claim, asked)?;
            if !answers.is_empty() && claim.proof == Proof::Proven {
                let asked = case.request.questions(&|_| false);
                answers.extend(plain::answer(self.tools, claim, &asked, true)?.unwrap_or_default());
            }
            if !answers.is_empty() {
                return self.answers().answered(case, claim, &answers, &left_out);
            }
            if asked.len() > 1 && claim.game.status != Status::Open {
                let (reason, subject) = (Reason::TooManyCommands, say!("too many commands"));
                let (verdict, text) = (Verdict::Rejected, left_out.join("\n\n"));
                return self.answers().short_answer(case, claim, verdict, reason, &subject, text);
            }
        }
        if claim.game.status == Status::Open && first.needs_start() {
            return self.answers().not_started(case, claim);
        }
        let mut judged = first.act(self.tools, case, claim)?;
        self.answers().note_unread_lines(case, claim, &mut judged)?;
        Ok(judged)
    }
}

/// Why a setting of a mail is left out; `held` lines of the mail keep its READY from being taken.
fn left_out(setting: &dyn Setting, case: &Case, claim: &Claim, held: usize) -> Option<String> {
    let (word, game) = (setting.word(), &claim.game);
    let to_come = claim.named && claim.turn.is_some_and(|turn| turn > game.turn);
    let readies = setting.reason().0 == Reason::Ready;
    match () {
        () if case.request.mode == Mode::Check && case.request.has_orders() => {
            Some(say!("{word} was left out: CHECK changes nothing."))
        }
        () if to_come && readies => Some(say!(
            "READY was left out: your card is for a turn to come, and READY would run {step}; \
             send it alone if you mean that.",
            step = step_name(&game.step.label)
        )),
        () if held > 0 && readies => Some(count!(
            held,
            "READY was not taken, for {held} line of your mail can't be carried out or is not \
             read: mend it, or say READY once more, alone.",
            "READY was not taken, for {held} lines of your mail can't be carried out or are \
             not read: mend them, or say READY once more, alone."
        )),
        () => None,
    }
}

/// Whether a mail is the vacation reply of a program: its subject says so, and nothing in
/// it is a command or an order.
fn is_away(case: &Case, filing: &Filing) -> bool {
    quoting::is_away(&case.parsed.subject)
        && case.request.commands.is_empty()
        && !case.request.mode_named
        && !case.request.card.lines.iter().any(|l| filing.reading.about.starts_order(&l.1))
}

/// The answer to a player whose CANCEL or ADD can't be understood.
fn unclear_mode(mode: Mode) -> String {
    match mode {
        Mode::Cancel => say!(
            "CANCEL withdraws all orders on file and takes no new ones, but your mail has orders \
             too; nothing was done. To replace your card, send the new one without CANCEL; to \
             withdraw it, send CANCEL as the only word of a mail."
        ),
        _ => say!(
            "ADD stands below your orders, so it can't be told which of them it is about; nothing \
             was done. Write ADD as the first line, and below it the orders that are to be added."
        ),
    }
}

/// Says which command that changes something is in a mail twice; `None` when there is none. Several
/// questions are answered together.
fn twice(commands: &[Command]) -> Option<String> {
    let again = |(n, c): (usize, &Command)| {
        let changes = c.as_query().is_none();
        (changes && commands[..n].iter().any(|before| before.word() == c.word())).then(|| c.word())
    };
    let command = commands.iter().enumerate().find_map(again)?;
    Some(say!("{command} stands in your mail twice. Nothing was done; send it once."))
}
