//! Every conversation of `tests/recorded` and the hand-made ones: whole, in pieces, cut, with an error at every step, with bytes changed.

mod support;

use std::fs;
use std::path::Path;

use support::player::Player;
use support::{Line, Script, frame};

fn scripts() -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    for folder in ["recorded", "handmade"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            scripts.push(Script::parse(
                path.file_stem().unwrap().to_str().unwrap(),
                &fs::read_to_string(&path).unwrap(),
            ));
        }
    }
    assert!(
        scripts.len() >= 50,
        "the scripts are there: {}",
        scripts.len()
    );
    scripts
}

fn expected(script: &Script) -> Vec<&str> {
    script
        .lines
        .iter()
        .filter_map(|line| {
            if let Line::Expect(event) = line {
                Some(&**event)
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn whole() {
    scripts()
        .iter()
        .for_each(|script| Player::play(script, usize::MAX, 0));
}

#[test]
fn one_byte_at_a_time() {
    scripts()
        .iter()
        .for_each(|script| Player::play(script, 1, 0));
}

#[test]
fn cut_in_two_at_every_byte() {
    for script in scripts() {
        (1..script.server_bytes()).for_each(|cut| Player::play(&script, usize::MAX, cut));
    }
}

#[test]
fn ended_at_every_byte() {
    for script in scripts() {
        let expected = expected(&script);
        for end in 0..script.server_bytes() {
            let mut left = end;
            let events = Player::play_changed(&script, |sequence, payload| {
                let packet = frame(sequence, payload);
                let n = left.min(packet.len());
                left -= n;
                if n == 0 {
                    None
                } else {
                    Some(packet[..n].to_vec())
                }
            });
            assert!(
                expected
                    .iter()
                    .zip(&events)
                    .all(|(expected, event)| expected == event),
                "{}: {events:?}",
                script.name
            );
            assert!(
                events.len() <= expected.len(),
                "{}: {events:?}",
                script.name
            );
        }
    }
}

#[test]
fn an_error_at_every_step() {
    let error = b"\xff\x25\x05#70100Query execution was interrupted";
    for script in scripts() {
        for step in 0..script.server_packets() {
            let mut number = 0;
            let events = Player::play_changed(&script, |sequence, payload| {
                number += 1;
                match number {
                    n if n <= step => Some(frame(sequence, payload)),
                    n if n == step + 1 => Some(frame(sequence, error)),
                    _ => None,
                }
            });
            let last = events.last().map(String::as_str).unwrap_or_default();
            let reported =
                last.contains("Query execution was interrupted") || last.starts_with("error: ");
            assert!(reported, "{}, step {step}: {events:?}", script.name);
        }
    }
}

#[test]
fn wrong_sequence_numbers_are_noticed() {
    for script in scripts() {
        for step in 0..script.server_packets() {
            let mut number = 0;
            let events = Player::play_changed(&script, |sequence, payload| {
                number += 1;
                let wrong = if number == step + 1 {
                    sequence.wrapping_add(3)
                } else {
                    sequence
                };
                Some(frame(wrong, payload))
            });
            let last = events.last().map(String::as_str).unwrap_or_default();
            assert!(
                last.starts_with("error: "),
                "{}, step {step}: {events:?}",
                script.name
            );
        }
    }
}

/// Nothing is asserted but that nothing panics and nothing hangs.
#[test]
fn changed_bytes_never_panic() {
    for script in scripts() {
        for at in 0..script.server_bytes() {
            for change in [0x01, 0x80, 0xff] {
                let mut seen = 0;
                Player::play_changed(&script, |sequence, payload| {
                    let mut packet = frame(sequence, payload);
                    if let Some(byte) =
                        usize::checked_sub(at, seen).and_then(|index| packet.get_mut(index))
                    {
                        *byte ^= change;
                    }
                    seen += packet.len();
                    Some(packet)
                });
            }
        }
    }
}

/// Packets with honest headers, too short or too long by some bytes.
#[test]
fn packets_of_other_lengths_never_panic() {
    for script in scripts() {
        for step in 0..script.server_packets() {
            let mut longest = 0;
            for length in 0.. {
                let mut number = 0;
                Player::play_changed(&script, |sequence, payload| {
                    number += 1;
                    let mut payload = payload.to_vec();
                    if number == step + 1 {
                        longest = payload.len() + 3;
                        payload.resize(length, 0xfd);
                    }
                    Some(frame(sequence, &payload))
                });
                if length >= longest {
                    break;
                }
            }
        }
    }
}
