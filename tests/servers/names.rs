//! A name server with a few TXT records (RFC 1035), for as long as the test's process lives.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

/// Answers that a name has such a text, or that there is no such name.
pub fn name_server(records: &[(&str, &str)]) -> SocketAddr {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let at = socket.local_addr().expect("it has an address");
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    let records: Vec<(String, String)> = records.iter().map(owned).collect();
    std::thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((length, client)) = socket.recv_from(&mut buffer) {
            let answer = answer(&buffer[..length], &records);
            let _ = socket.send_to(&answer, client);
        }
    });
    at
}

/// A question comes with a header of 12 bytes, the name in labels, type and class.
fn answer(question: &[u8], records: &[(String, String)]) -> Vec<u8> {
    let mut labels = Vec::new();
    let mut at = 12;
    while question[at] != 0 {
        let length = usize::from(question[at]);
        let label = &question[at + 1..at + 1 + length];
        labels.push(String::from_utf8_lossy(label).to_lowercase());
        at += 1 + length;
    }
    let asked = &question[12..at + 5];
    let name = labels.join(".");
    let text = records.iter().find(|(n, _)| *n == name).map(|(_, t)| t.as_bytes());
    let (code, answers) = if text.is_some() { (0, 1) } else { (3, 0) };
    let mut out = question[..2].to_vec();
    // An answer, recursive; one question, so many answers.
    out.extend([0x81, 0x80 | code, 0, 1, 0, answers, 0, 0, 0, 0]);
    out.extend(asked);
    if let Some(text) = text {
        let length = u8::try_from(text.len()).expect("a short text");
        // The name of the question, TXT, IN, for a minute.
        out.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, length + 1, length]);
        out.extend(text);
    }
    out
}
