//! Mail servers that go away and come back while the robot runs.

use crate::{addresses, card, servers};
use support::process::{Host, Setup};

#[test]
fn a_lost_imap_server_is_found_again() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let first = host.await_letter("p1", "p", 1);
    let second = host.await_letter("p2", "p", 1);
    host.answer("p1", &first, 1, &card(1));
    host.await_letter("p1", "e", 1);
    let connects = |host: &Host| host.log().matches("connected").count();
    let before = connects(&host);

    host.await_moves();
    rig.stop_imap();
    // Whether the robot idled or asked when the server went away, its connection is lost.
    host.await_that("word of the loss", || host.log().contains("tried again later"));
    rig.start_imap();
    host.answer("p2", &second, 1, &card(2));
    host.await_letter("p2", "e", 1);
    assert_eq!(connects(&host), before + 1, "the log tells of it: {}", host.log());

    // A server that says goodbye, as one that restarts does.
    assert!(rig.kick("robot"), "the robot was connected");
    host.await_that("a third connection", || connects(&host) > before + 1);
    host.answer("p1", &first, 2, &card(1));
    host.await_that("second echo", || {
        host.letters("p1").iter().filter(|l| l.is("e", 1)).count() == 2
    });
    // The move follows the verdict, and the echo does not wait for it.
    host.await_that("filed cards", || rig.mails("robot", "Accepted").len() == 3);
    host.kill();
}
