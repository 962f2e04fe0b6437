//! Checks that every reading statement uses an index, so that the cost of the intake does not grow
//! with the store. SQLite's query plans show it; PostgreSQL has the same indices.

use rusqlite::types::Null;

use crate::migrate::SCHEMAS;

/// Tables that grow with the age of a host.
const GROW: [&str; 7] = ["mail", "outbox", "drawing", "turn", "orders", "shown", "reminded"];

/// The statements in a source file that are written as one whole text.
fn statements(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let begins = ["SELECT", "UPDATE", "DELETE", "WITH"];
    let texts = code.split('"').filter(|s| begins.iter().any(|b| s.starts_with(b)));
    // Placeholders for a fixed word of the store become the word itself.
    texts.map(|s| s.replace(['{', '}'], "").replace('$', "?")).collect()
}

#[test]
fn no_statement_of_the_daily_round_reads_a_table_from_end_to_end() {
    let conn = rusqlite::Connection::open_in_memory().expect("memory");
    SCHEMAS.iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
    let mut looked = 0;
    let sources = [
        include_str!("mails.rs"),
        include_str!("people.rs"),
        include_str!("outbox.rs"),
        include_str!("step.rs"),
        include_str!("acts.rs"),
        include_str!("journal.rs"),
        include_str!("games.rs"),
        include_str!("look.rs"),
        include_str!("effects.rs"),
        include_str!("workers.rs"),
    ];
    let mut found = Vec::new();
    for sql in sources.iter().flat_map(|s| statements(s)) {
        // The values of a list are filled in at run time.
        let sql = sql.replace("IN ()", "IN (?1, ?2)");
        // Requests of the game master, retention and erasure may take their time.
        let asked = ["ORDER BY id DESC LIMIT ?1", "created_at < ?1", "received_at < ?1", "erased"];
        let whole =
            ["count(*) FILTER", "checked_from = ", "kind = ?1", "value", "shown.game", "(words)"];
        if asked.iter().chain(&whole).any(|w| sql.contains(w)) {
            continue;
        }
        let Ok(mut query) = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")) else { continue };
        let nothing = vec![Null; query.parameter_count()];
        let rows = query.query_map(rusqlite::params_from_iter(nothing), |r| r.get::<_, String>(3));
        let steps: Vec<String> = rows.expect("a plan").map(|s| s.expect("a step")).collect();
        let scans = |s: &&String| {
            let table = s.strip_prefix("SCAN ").and_then(|s| s.split(' ').next());
            table.is_some_and(|t| GROW.contains(&t) || sql.contains(&format!("outbox {t} ")))
                && !s.contains("INDEX")
        };
        if let Some(step) = steps.iter().find(scans) {
            found.push(format!("{step}: {sql}"));
        }
        looked += 1;
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(looked > 100, "statements have another form now: {looked}");
}

#[test]
fn what_a_seat_filed_is_counted_without_what_comes_in_its_name() {
    let conn = rusqlite::Connection::open_in_memory().expect("memory");
    SCHEMAS.iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
    let plan = |of: &str| {
        let source = include_str!("mails.rs");
        let from = source.find(of).expect("the method");
        let sql = source[from..].split('"').find(|s| s.starts_with("SELECT")).expect("its text");
        let sql = sql.replace("{FILED}", "filed").replace("{ADDED}", "added");
        let sql = sql.replace("{CANCELLED}", "cancelled").replace("{CHECKED}", "checked");
        let sql = sql.replace("{PENDING}", "pending").replace('$', "?");
        let mut query = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("a statement");
        let nothing = vec![Null; query.parameter_count()];
        let rows = query.query_map(rusqlite::params_from_iter(nothing), |r| r.get::<_, String>(3));
        rows.expect("a plan").map(|s| s.expect("a step")).collect::<Vec<_>>().join("\n")
    };
    for (of, index) in [("fn cards_since", "mail_card"), ("fn pending_since", "mail_pending")] {
        assert!(plan(of).contains(&format!("COVERING INDEX {index}")), "{}", plan(of));
    }
}
