//! Every function that some server has, with arguments of every kind: what is told to be NOT NULL never is NULL. Nobody has to think of
//! the case first, which is how the lines of `functions.sql` came to be.

use std::collections::BTreeSet;

use ark_mysql_check::sql::Sql;
use tests::Server;
use tests::soundness::{self, Breach, Shape, Shapes};

use super::SCHEMA;

/// What stands before the parenthesis; each is known to some server.
const NAMES: &str = include_str!("names.txt");

const GEOMETRY: &[&str] = &[
    "ALTER TABLE v ADD o GEOMETRY, ADD w POINT",
    "UPDATE v SET w = POINT(1, 2), o = ST_GeomFromText(ELT(1 + id % 7, 'POINT(1 2)', 'GEOMETRYCOLLECTION EMPTY', 'LINESTRING(0 0, 1 1, 2 2)',
         'POLYGON((0 0, 1 0, 1 1, 0 0))', 'MULTIPOINT(0 0, 1 1)', 'GEOMETRYCOLLECTION(POINT(1 1))', 'MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)))'))",
    "UPDATE v SET w = POINT(1.7e308, -1.7e308) WHERE id = 3",
    "UPDATE v SET o = ST_GeomFromText('LINESTRING(0 0, 1 1)', 4326) WHERE id = 8",
    "ALTER TABLE v MODIFY o GEOMETRY NOT NULL, MODIFY w POINT NOT NULL",
];

/// Types that not every server has.
const OF_MYSQL: &[&str] = &[
    "ALTER TABLE v ADD vc VECTOR(2)",
    "UPDATE v SET vc = STRING_TO_VECTOR('[1,2]')",
    "ALTER TABLE v MODIFY vc VECTOR(2) NOT NULL",
];
const OF_MARIADB: &[&str] = &[
    "ALTER TABLE v ADD uu UUID NOT NULL, ADD i6 INET6 NOT NULL, ADD i4 INET4 NOT NULL",
    // A shape that nobody gave is the empty string.
    "INSERT INTO v (id, j) VALUES (11, '1')",
];
const OF_MARIADB_11: &[&str] = &[
    "ALTER TABLE v ADD vc VECTOR(2)",
    "UPDATE v SET vc = VEC_FromText('[1,2]')",
    "ALTER TABLE v MODIFY vc VECTOR(2) NOT NULL",
];

/// Single arguments.
const ALONE: &[&str] = &[
    "i",
    "b",
    "u",
    "n",
    "f",
    "g",
    "s",
    "x",
    "y",
    "d",
    "t",
    "p",
    "h",
    "j",
    "z",
    "q",
    "e",
    "k",
    "o",
    "w",
    "vc",
    "uu",
    "i6",
    "i4",
    "1",
    "0",
    "-1",
    "''",
    "'[1]'",
    "NOW()", // and bytes that MariaDB calls text:
    "IF(i, UNHEX('80'), s)",
    "CASE WHEN i THEN X'FF' ELSE s END",
    "IF(i, y, s)",
];

/// Those of which every two meet in every two places. How many they are is a prime number: see [`together`].
const MET: [&str; 11] = ["i", "f", "s", "y", "j", "t", "o", "w", "1", "'a'", "'$.a'"];

/// How many arguments are tried.
const MOST: usize = 4;

#[test]
fn every_function_of_mysql_keeps_what_is_promised() {
    keeps_what_is_promised(Server::ALL[0], &[OF_MYSQL]);
}

#[test]
fn every_function_of_mariadb_keeps_what_is_promised() {
    keeps_what_is_promised(Server::ALL[1], &[OF_MARIADB, OF_MARIADB_11]);
}

#[test]
fn every_function_of_mariadb_10_keeps_what_is_promised() {
    keeps_what_is_promised(Server::ALL[2], &[OF_MARIADB]);
}

/// In the mode that lets everything pass: there flags say NOT NULL most often.
fn keeps_what_is_promised(server: Server, types: &[&[&str]]) {
    let script = [SCHEMA, GEOMETRY, &types.concat()].concat();
    let mut shapes = Shapes::new(server, &script);
    let mut tried = Tried::default();
    for name in NAMES.split_whitespace() {
        (0..=MOST).for_each(|count| tried.name(&mut shapes, name, count));
    }
    let enough = tried.calls > 20_000 && tried.never_null > 10_000;
    assert!(
        enough,
        "{server}: {} calls are known, {} of them never NULL",
        tried.calls, tried.never_null
    );
    assert!(tried.broken.is_empty(), "{server}: {:#?}", tried.broken);
}

#[derive(Default)]
struct Tried {
    calls: usize,
    never_null: usize,
    broken: Vec<String>,
}

impl Tried {
    fn name(&mut self, shapes: &mut Shapes, name: &str, count: usize) {
        let alike = |kind: &'static str| vec![kind; count];
        let takes_any = MET.into_iter().map(alike).any(|arguments| {
            let call = format!("{name}({})", arguments.join(", "));
            tell(shapes, &call, "").is_some()
        });
        // Most names are not those of functions of so many arguments.
        for arguments in together(count).into_iter().filter(|_| takes_any) {
            self.call(shapes, &format!("{name}({})", arguments.join(", ")));
        }
    }

    fn call(&mut self, shapes: &mut Shapes, call: &str) {
        let Some(shape) = tell(shapes, call, "") else {
            return;
        };
        self.calls += 1;
        self.judge(call, &shape);
        if shape.columns[1].nullable {
            return;
        }
        self.never_null += 1;
        // A row that is refused hides those behind it.
        for id in shape.rows + 2..=ROWS {
            if let Some(shape) = tell(shapes, call, &format!("WHERE id = {id}")) {
                self.judge(call, &shape);
            }
        }
    }

    fn judge(&mut self, call: &str, shape: &Shape) {
        let is_broken = |breach: &&Breach| match breach {
            Breach::Null { .. } => true,
            // Servers call text what they make of any bytes; whoever reads it is told.
            Breach::Kind { what } => !what.contains("is not valid UTF-8"),
        };
        let broken = shape.breaches.iter().find(is_broken);
        self.broken
            .extend(broken.map(|breach| format!("{call}: {breach:?}")));
    }
}

/// How many rows the schema has at most, numbered from 1.
const ROWS: usize = 11;

fn tell(shapes: &mut Shapes, call: &str, filter: &str) -> Option<Shape> {
    let sql = format!("SELECT id, {call} AS x FROM v {filter} ORDER BY id");
    Sql::parse(&sql).ok()?;
    shapes.tell(&sql, &soundness::described)
}

/// So many arguments together, such that every two kinds meet in every two places: lines of different slopes through a plane
/// of so many points as a prime number has.
fn together(count: usize) -> Vec<Vec<&'static str>> {
    match count {
        0 => vec![Vec::new()],
        1 => ALONE.iter().map(|kind| vec![*kind]).collect(),
        _ => {
            let points = MET.len();
            let line = |start: usize, step: usize| {
                let place = |place: usize| MET[(start + place * step) % points];
                (0..count).map(place).collect()
            };
            (0..points)
                .flat_map(|start| (0..points).map(move |step| line(start, step)))
                .collect()
        }
    }
}

#[test]
fn every_two_kinds_meet_in_every_two_places() {
    for count in 2..=MOST {
        let all = together(count);
        for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let met: BTreeSet<_> = all.iter().map(|each| (each[one], each[other])).collect();
            assert_eq!(met.len(), MET.len() * MET.len());
        }
    }
}
