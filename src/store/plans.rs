//! Every statement that reads goes by an index: what the intake costs does not grow with what is
//! stored. A plan of SQLite says so; PostgreSQL has the same indices.

use rusqlite::types::Null;

use crate::migrate::SCHEMAS;

/// Statements of a source that read tables that grow, as far as they stand there whole.
fn reads(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let texts = code.split('"').filter(|s| s.starts_with("SELECT") || s.starts_with("UPDATE"));
    let grows = |s: &&str| {
        ["mail", "outbox"]
            .iter()
            .any(|t| s.contains(&format!("FROM {t}")) || s.starts_with(&format!("UPDATE {t}")))
    };
    // Words that stand for a fixed word of the store.
    texts.filter(grows).map(|s| s.replace(['{', '}'], "").replace('$', "?")).collect()
}

#[test]
fn the_intake_reads_no_table_from_end_to_end() {
    let conn = rusqlite::Connection::open_in_memory().expect("memory");
    SCHEMAS.iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
    let mut looked = 0;
    let sources = [
        include_str!("mails.rs"),
        include_str!("people.rs"),
        include_str!("outbox.rs"),
        include_str!("step.rs"),
        include_str!("acts.rs"),
    ];
    for sql in sources.iter().flat_map(|s| reads(s)) {
        // What the game master, retention and erasure ask for may take its time.
        let asked = ["ORDER BY id DESC LIMIT ?1", "created_at < ?1", "received_at < ?1", "erased"];
        let whole = ["count(*) FILTER", "checked_from = ", "kind = ?1", "value"];
        if asked.iter().chain(&whole).any(|w| sql.contains(w)) {
            continue;
        }
        let Ok(mut query) = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")) else { continue };
        let nothing = vec![Null; query.parameter_count()];
        let rows = query.query_map(rusqlite::params_from_iter(nothing), |r| r.get::<_, String>(3));
        let steps: Vec<String> = rows.expect("a plan").map(|s| s.expect("a step")).collect();
        let scans = |s: &&String| {
            ["SCAN mail", "SCAN outbox"].iter().any(|t| s.starts_with(t)) && !s.contains("INDEX")
        };
        assert_eq!(steps.iter().find(scans), None, "{sql}: {steps:?}");
        looked += 1;
    }
    assert!(looked > 40, "statements have another form now: {looked}");
}
