//! What comes unasked, and pipelines.

use ark_mysql::ErrorKind::{ConnectionClosed, ConnectionLost, Other, Protocol};

use crate::case::{Act, At, Case, Doing, packets, raw};
use crate::packets::{Column, END, ID, NAME, OK, binary, error, frame, head};

const COLUMNS: &[Column] = &[ID, NAME];

fn result() -> Vec<Vec<u8>> {
    [
        head(COLUMNS),
        vec![binary(&[&[1, 0, 0, 0], b"\x03one"]), END.to_vec()],
    ]
    .concat()
}

/// A whole reply, numbered as the answer to the command that comes next.
fn ready_made() -> Vec<u8> {
    result()
        .iter()
        .zip(1..)
        .flat_map(|(packet, number)| frame(number, packet))
        .collect()
}

pub(crate) fn cases() -> Vec<Case> {
    let idle = |name: &str, acts, fails| Case::new(format!("idle: {name}"), At::Idle, acts, fails);
    let pipeline = |name: &str, acts, fails| {
        Case::new(format!("pipeline: {name}"), At::Execute, acts, fails).doing(Doing::Pipeline)
    };
    let both = [packets(result()), vec![Act::Read], packets(result())].concat();
    let unasked = vec![
        idle(
            "an error",
            raw(frame(0, &error(4031, "The client was disconnected"))),
            &[ConnectionClosed],
        ),
        idle(
            "an error with the next number",
            raw(frame(1, &error(1105, "x"))),
            &[ConnectionClosed],
        ),
        idle("OK", raw(frame(0, &OK)), &[ConnectionClosed]),
        idle(
            "OK with the next number",
            raw(frame(1, &OK)),
            &[ConnectionClosed],
        ),
        idle(
            "the reply to what was not asked yet",
            raw(ready_made()),
            &[ConnectionClosed],
        ),
        idle("one byte", raw([7]), &[ConnectionClosed]),
        idle(
            "hung up",
            vec![Act::Close],
            &[ConnectionClosed, ConnectionLost],
        ),
    ];
    let again = unasked.iter().cloned().map(|case| Case {
        name: format!("{}, without a deadline", case.name),
        ..case.doing(Doing::Again)
    });
    let again: Vec<_> = again.collect();
    let pipelines = vec![
        pipeline(
            "one reply too few",
            [packets(result()), vec![Act::Read]].concat(),
            &[Other],
        )
        .waits(),
        pipeline(
            "one reply too few, and hung up",
            [packets(result()), vec![Act::Read, Act::Close]].concat(),
            &[ConnectionLost],
        ),
        pipeline(
            "one reply too many",
            [both.clone(), raw(ready_made())].concat(),
            &[ConnectionClosed, Protocol],
        ),
        pipeline(
            "an OK too many",
            [both, raw(frame(1, &OK))].concat(),
            &[ConnectionClosed, Protocol],
        ),
    ];
    [unasked, again, pipelines].concat()
}
