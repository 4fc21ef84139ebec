//! What could go wrong on a bad line: bits flipped, packets that come twice or in another order, in recorded sessions. Without TLS nothing protects the bytes
//! themselves, so a flip may make another value of a value. It must not do more: never a panic, never a loop, never replies that are taken for one another.

#[path = "../../ark-mysql-proto/tests/support/mod.rs"]
mod support;

#[path = "integration/support/random.rs"]
mod random;

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use random::Random;
use support::player::Player;
use support::{Line, Script, frame};
use tests::bars::{reached, scale, times};

/// What is done to a conversation.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// One bit of one packet, header included.
    Flip { packet: usize, bit: usize },
    /// A packet comes twice.
    Twice { packet: usize },
    /// A packet comes before the one that it should follow.
    Swapped { packet: usize },
}

/// What came of it.
enum Effect {
    /// An error, or replies that are still waited for: the deadline's work.
    Noticed,
    /// Everything came; so many events are others than they were.
    Passed { others: usize },
}

struct Conversation {
    script: Script,
    packets: Vec<Vec<u8>>,
    /// Packets of the login.
    login: usize,
    /// What it gives when it is left alone.
    events: Vec<String>,
    /// Whether it ends with nothing to wait for, and not with an error.
    is_done: bool,
}

fn conversations() -> Vec<Conversation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ark-mysql-proto/tests/recorded");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let conversation = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let script = Script::parse(name, &fs::read_to_string(path).unwrap());
        let player =
            Player::played_changed(&script, |number, payload| Some(frame(number, payload)));
        let ready = script
            .lines
            .iter()
            .position(|line| *line == Line::Expect("Ready".to_owned()));
        let is_packet = |line: &&Line| matches!(line, Line::Server(..));
        let login = &script.lines[..ready.unwrap_or(script.lines.len())];
        Conversation {
            login: login.iter().filter(is_packet).count(),
            packets: script.lines.iter().filter_map(packet).collect(),
            is_done: player.is_done(),
            events: player.events.into(),
            script,
        }
    };
    // What ends with a login that was refused looks at nothing behind it.
    let conversations = files.iter().map(conversation);
    conversations
        .filter(|conversation| conversation.is_done)
        .collect()
}

fn packet(line: &Line) -> Option<Vec<u8>> {
    match line {
        Line::Server(number, payload) => Some(frame(*number, payload)),
        Line::Client(..) | Line::Do(_) | Line::Expect(_) => None,
    }
}

impl Conversation {
    fn damage(&self, random: &mut Random) -> Damage {
        let packet = random.below(self.packets.len());
        match random.below(10) {
            0 => Damage::Twice { packet },
            1 if packet + 1 < self.packets.len() => Damage::Swapped { packet },
            _ => Damage::Flip {
                packet,
                bit: random.below(self.packets[packet].len() * 8),
            },
        }
    }

    fn play(&self, damage: Damage) -> Effect {
        let mut at = 0;
        let player = Player::played_changed(&self.script, |_, _| {
            at += 1;
            Some(self.sent(at - 1, damage))
        });
        if !player.is_done() || player.events.len() != self.events.len() {
            return Effect::Noticed;
        }
        // Who asked reads the definitions, before any row.
        let unreadable =
            |event: &String| event.starts_with("ColumnDefinitions") && event.contains(" (");
        if player.events.iter().any(unreadable) {
            return Effect::Noticed;
        }
        let others = player
            .events
            .iter()
            .zip(&self.events)
            .filter(|(one, other)| one != other);
        Effect::Passed {
            others: others.count(),
        }
    }

    /// What comes in place of a packet.
    fn sent(&self, at: usize, damage: Damage) -> Vec<u8> {
        let mut bytes = self.packets[at].clone();
        match damage {
            Damage::Flip { packet, bit } if packet == at => bytes[bit / 8] ^= 1 << (bit % 8),
            Damage::Twice { packet } if packet == at => bytes.extend_from_within(..),
            Damage::Swapped { packet } if packet == at => bytes.clone_from(&self.packets[at + 1]),
            Damage::Swapped { packet } if packet + 1 == at => {
                bytes.clone_from(&self.packets[at - 1]);
            }
            Damage::Flip { .. } | Damage::Twice { .. } | Damage::Swapped { .. } => {}
        }
        bytes
    }

    /// No packet that was flipped, doubled or moved goes unnoticed where a number or a length could have told.
    ///
    /// A changed packet may give another event; it must not touch the other ones. In the login it may change what is agreed on, and all that follows.
    fn check(&self, damage: Damage, effect: &Effect) {
        let Effect::Passed { others } = *effect else {
            return;
        };
        let name = &self.script.name;
        match damage {
            Damage::Flip { packet, .. } => assert!(
                others <= 1 || packet < self.login,
                "{name}, {damage:?}: {others} events are others"
            ),
            Damage::Twice { .. } => panic!("{name}, {damage:?}: nobody noticed"),
            // Numbers begin anew with each reply: replies of one packet can change places, where the line lets the later one be first.
            Damage::Swapped { packet } => assert!(
                self.packets[packet][3] == self.packets[packet + 1][3] && others <= 2,
                "{name}, {damage:?}: nobody noticed"
            ),
        }
    }
}

/// Flips that were noticed, flips that passed; packets twice or swapped that were noticed, whole replies that changed places.
fn corrupt(rounds: usize) -> [usize; 4] {
    let mut random = Random::new();
    let conversations = conversations();
    assert!(conversations.len() >= 18, "the recordings are there");
    let mut counted = [0; 4];
    for _ in 0..rounds {
        let conversation = &conversations[random.below(conversations.len())];
        let damage = conversation.damage(&mut random);
        let effect = conversation.play(damage);
        conversation.check(damage, &effect);
        let kind = match (damage, effect) {
            (Damage::Flip { .. }, Effect::Noticed) => 0,
            (Damage::Flip { .. }, Effect::Passed { .. }) => 1,
            (Damage::Twice { .. } | Damage::Swapped { .. }, Effect::Noticed) => 2,
            (Damage::Twice { .. } | Damage::Swapped { .. }, Effect::Passed { .. }) => 3,
        };
        counted[kind] += 1;
    }
    counted
}

#[test]
fn sessions() {
    let rounds = times(10_000, 100_000);
    let (done, waiting) = mpsc::channel();
    let work = thread::spawn(move || {
        let counted = corrupt(rounds);
        done.send(()).unwrap();
        counted
    });
    // Whoever panics hangs up; whoever hangs does neither.
    if waiting.recv_timeout(scale().patience()) == Err(mpsc::RecvTimeoutError::Timeout) {
        panic!("it hangs");
    }
    let [noticed, passed, moved, replies] = work.join().unwrap();
    reached(
        "B5",
        format_args!(
            "{rounds} corruptions, 0 panics, 0 hangs: {noticed} flips noticed, {passed} another value of one packet; {moved} packets twice or swapped noticed, {replies} whole replies in each other's place"
        ),
    );
}
