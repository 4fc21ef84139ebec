//! Column definitions, and the plan that rows of other definitions than those that were checked are read by.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use ark_mysql::value::{ColumnSpec, Layout, compare};
use ark_mysql_proto::params::write_bytes;
use ark_mysql_proto::{ColumnDefinition, Kind, RowReader, Wire, definitions};

use crate::client::frames;
use crate::rows::{Value, binary, read_all};

/// The packet that says what was read.
fn write(definition: &ColumnDefinition<'_>, extended: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let names = [
        definition.schema,
        definition.table,
        definition.org_table,
        definition.name,
        definition.org_name,
    ];
    write_bytes(&mut out, b"def");
    names
        .iter()
        .for_each(|name| write_bytes(&mut out, name.as_bytes()));
    if extended {
        let mut pairs = Vec::new();
        for (key, value) in [
            (0, definition.extended_type),
            (1, definition.extended_format),
        ] {
            if let Some(value) = value {
                pairs.push(key);
                write_bytes(&mut pairs, value.as_bytes());
            }
        }
        write_bytes(&mut out, &pairs);
    }
    out.push(12);
    out.extend_from_slice(&definition.charset.to_le_bytes());
    out.extend_from_slice(&definition.length.to_le_bytes());
    out.push(definition.column_type.0);
    out.extend_from_slice(&definition.flags.0.to_le_bytes());
    out.extend_from_slice(&[definition.decimals, 0, 0]);
    out
}

/// A definition that can be read is the same after it was written; among others it is found where it stands; no part of it is taken for a whole.
pub fn column_definition(data: &[u8]) {
    let Some((options, payload)) = data.split_first() else {
        return;
    };
    let extended = options % 2 == 1;
    let read = ColumnDefinition::parse(payload, extended);
    let packets = frames(*options, [payload, payload]);
    let both: Vec<_> = definitions(&packets, extended).collect();
    let Ok(definition) = read else {
        assert_eq!(both, [read], "nothing is read behind a mistake");
        return;
    };
    assert_eq!(both, [Ok(definition), Ok(definition)]);
    let written = write(&definition, extended);
    assert_eq!(ColumnDefinition::parse(&written, extended), Ok(definition));
    assert_eq!(
        ColumnDefinition::parse(&written, extended).map(|again| Kind::of(&again)),
        Ok(Kind::of(&definition))
    );
    let cut = usize::from(*options) % written.len();
    assert!(ColumnDefinition::parse(&written[..cut], extended).is_err());
}

/// One column of each kind, all of one name.
static SPECS: LazyLock<Vec<ColumnSpec>> = LazyLock::new(|| {
    Kind::ALL
        .iter()
        .map(|&kind| ColumnSpec {
            name: "a",
            kind,
            nullable: true,
            named: false,
        })
        .collect()
});

/// Type codes of which servers make columns.
const CODES: [u8; 24] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 242, 245, 246, 247, 249, 252, 253, 254, 255, 200,
];

/// A definition of a column `a`.
fn definition(input: &mut Unstructured<'_>) -> Vec<u8> {
    let mut out = b"\x03def\0\0\0\x01a\0\x0c".to_vec();
    let choice: u8 = input.arbitrary().unwrap_or(0);
    let charset: u16 = if choice & 1 == 0 { 63 } else { 45 };
    let length: u32 = if choice & 2 == 0 { 1 } else { 20 };
    let flags: u16 = if choice & 4 == 0 { 0 } else { 32 };
    out.extend_from_slice(&charset.to_le_bytes());
    out.extend_from_slice(&length.to_le_bytes());
    out.push(CODES[usize::from(choice / 8) % CODES.len()]);
    out.extend_from_slice(&flags.to_le_bytes());
    out.extend_from_slice(&[0, 0, 0]);
    out
}

/// Rows come by other definitions than were checked. If the plan takes a row, what it makes of it can be read as what was checked, NULLs stay NULLs, integers
/// stay the numbers that they were; what fits exactly is not touched at all.
pub fn layout(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let count = usize::from(input.arbitrary::<u8>().unwrap_or(0) % 5);
    let first = usize::from(input.arbitrary::<u8>().unwrap_or(0)) % SPECS.len();
    let Some(expected) = SPECS.get(first..first + count) else {
        return;
    };
    let packets: Vec<_> = (0..count).map(|_| definition(&mut input)).collect();
    let found: Vec<_> = packets
        .iter()
        .map(|packet| ColumnDefinition::parse(packet, false))
        .collect();
    let layout = compare(expected, found.iter().cloned()).expect("well-formed definitions");
    let wires: Vec<Wire> = expected.iter().map(|spec| spec.kind.wire()).collect();
    let kinds: Vec<_> = found
        .iter()
        .flatten()
        .map(|found| Kind::of(found).ok())
        .collect();
    let same = kinds
        .iter()
        .zip(expected)
        .all(|(found, spec)| *found == Some(spec.kind));
    let plan = match layout {
        Layout::Exact => return,
        Layout::Changed(differences) => {
            assert!(!differences.is_empty() && !same);
            return;
        }
        Layout::Adapt(plan) => plan,
    };
    assert!(!same);
    let mut out = vec![0xaa; 3];
    let row = input.take_rest();
    if plan.rewrite(row, &mut out).is_err() {
        return;
    }
    let was: Vec<Wire> = kinds.iter().flatten().map(|kind| kind.wire()).collect();
    let Ok(before) = read_all(
        &mut RowReader::new(row, count).expect("it was rewritten"),
        &was,
    ) else {
        // Dates and text are copied unseen, and seen by the decoder.
        return;
    };
    let after = read_all(&mut RowReader::new(&out, count).expect("a row"), &wires)
        .expect("a row of the expected kinds");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(*before == Value::Null, *after == Value::Null);
        if let (Value::Integer(before), Value::Integer(after)) = (before, after) {
            assert_eq!(before, after);
        }
    }
    assert!(binary(&wires, &after).is_none_or(|again| again.len() <= out.len()));
}
