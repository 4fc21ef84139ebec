use Shown::{Both, Program, Test};

/// One bar.
#[derive(Debug)]
pub struct Bar {
    /// Its number, as in `B4`.
    pub id: &'static str,
    /// What is done.
    pub what: &'static str,
    /// What must come out.
    pub reach: &'static str,
    /// What shows it: all of these, each saying what it reached.
    pub shown: &'static [Shown],
}

/// What shows a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A test of this package: the name of its binary (`tests/tests/<binary>`), its full name.
    Test(&'static str, &'static str),
    /// The same on every server: `<name>::mysql` and its siblings.
    Both(&'static str, &'static str),
    /// A program of the repository, by its path. It gets `gate` or `release` as its argument and prints lines like those of
    /// [`reached`](super::reached).
    Program(&'static str),
}

/// One run: a test, or a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Binary and full name.
    Test(&'static str, String),
    /// Its path in the repository.
    Program(&'static str),
}

/// What `on_every_server!` calls its tests.
const SERVERS: [&str; 3] = ["mysql", "mariadb", "mariadb_10"];

impl Bar {
    /// The bar with this number, whatever its case.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        BARS.iter().find(|bar| bar.id.eq_ignore_ascii_case(id))
    }

    /// All runs that show it.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.shown.iter().flat_map(Shown::steps).collect()
    }
}

impl Shown {
    fn steps(&self) -> Vec<Step> {
        match *self {
            Test(binary, name) => vec![Step::Test(binary, name.to_owned())],
            Both(binary, name) => SERVERS
                .map(|server| Step::Test(binary, format!("{name}::{server}")))
                .to_vec(),
            Program(path) => vec![Step::Program(path)],
        }
    }
}

impl Step {
    /// What it is called, in messages and in what is kept.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Test(binary, name) => format!("{binary} {name}"),
            Self::Program(path) => (*path).to_owned(),
        }
    }

    /// The files of which one is there once somebody has built it.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        match self {
            Self::Test(binary, _) => vec![
                format!("tests/tests/{binary}/main.rs"),
                format!("tests/tests/{binary}.rs"),
            ],
            Self::Program(path) => vec![(*path).to_owned()],
        }
    }
}

/// All bars that are run by the command, in order.
pub static BARS: &[Bar] = &[
    Bar {
        id: "B1",
        what: "fuzz every decoder and the session",
        reach: "10^6 executions a target and more, 0 panics, 0 over memory or time",
        shown: &[Program(".ci/fuzz")],
    },
    Bar {
        id: "B2",
        what: "hostile server, in clear and by TLS",
        reach: "64 cases and more; each a typed error within 2 s, 0 panics, RSS +32 MiB at most, 0 files opened, 0 secret bytes",
        shown: &[Test("hostile", "every_case_is_an_error")],
    },
    Bar {
        id: "B3",
        what: "drop every future at every poll",
        reach: "20,000 drops and more, 0 wrong, 0 hang; 95 % of small queries keep their connection",
        shown: &[
            Both("service", "dropped::at_every_poll_in_clear"),
            Both("service", "dropped::at_every_poll_by_tls"),
            Both("service", "dropped::of_a_pool_at_every_poll"),
        ],
    },
    Bar {
        id: "B4",
        what: "cut at every byte, FIN and RST, both directions; stalled",
        reach: "always an error, 0 wrong or short `Ok`, 0 hang beyond its deadline",
        shown: &[
            Both("cuts", "every_byte::by_fin_and_rst"),
            Both("cuts", "every_byte::stalled"),
            Both("cuts", "every_byte::tls_without_its_end"),
        ],
    },
    Bar {
        id: "B5",
        what: "bits flipped, packets twice or swapped, in recorded sessions",
        reach: "10^5 of them, 0 panics, 0 hangs; what is not noticed is another value of that one packet",
        shown: &[Test("corrupted", "sessions")],
    },
    Bar {
        id: "B6",
        what: "pool: 1,000 tasks on 16 connections, aborts and KILLs",
        reach: "10^5 operations, 0 leaked, 0 dirty, nobody waits 10 times as long as half of them",
        shown: &[Both("service", "under_fire::a_pool")],
    },
    Bar {
        id: "B7",
        what: "session hygiene: 14 kinds of dirt",
        reach: "14 of 14 clean; a clean lease costs 0 packets",
        shown: &[Both("service", "hygiene::fourteen_kinds_of_dirt")],
    },
    Bar {
        id: "B8",
        what: "kill -9 of the server during transfers",
        reach: "20 kills in 10,000 transfers: the total kept, 0 commits lost or made up, at most 16 unknown a kill",
        shown: &[
            Test("crash", "transfers::on_mysql"),
            Test("crash", "transfers::on_mariadb"),
        ],
    },
    Bar {
        id: "B9",
        what: "cuts around COMMIT",
        reach: "3 x 1,000, all classified NotSent, Unknown, Unknown; 0 sent twice",
        shown: &[
            Test("service", "commit_cut::on_mysql"),
            Test("service", "commit_cut::on_mariadb"),
            Test("service", "commit_cut::on_mariadb_10"),
        ],
    },
    Bar {
        id: "B10",
        what: "deadlocks, lock waits and DDL in transactions",
        reach: "400, 100 and 50: 0 rows committed through a dead transaction, all ended",
        shown: &[
            Both("service", "deadlocks::forced"),
            Both("service", "deadlocks::that_run_again_all_come_through"),
            Both(
                "service",
                "deadlocks::lock_waits_leave_it_as_the_server_says",
            ),
            Both("service", "deadlocks::ddl_ends_it"),
        ],
    },
    Bar {
        id: "B11",
        what: "size edges to 64 MiB, both directions, text and binary",
        reach: "byte-exact, 0 `Ok` with rows missing",
        shown: &[Both("sizes", "edges::byte_exact")],
    },
    Bar {
        id: "B12",
        what: "memory: stream 2 GiB, send 64 MiB, a cell that is announced and too large",
        reach: "RSS +32 MiB at most while streaming, refused before it is allocated, a slow reader holds the server back",
        shown: &[
            Both("sizes", "memory::two_gib_streamed"),
            Both("sizes", "memory::much_is_sent"),
            Both("sizes", "memory::slow_reader"),
            Test("sizes", "memory::announced_cell"),
        ],
    },
    Bar {
        id: "B13",
        what: "smuggling: lengths at and beyond 2^32, 65,536 parameters",
        reach: "refused before 1 byte is written, the connection stays usable",
        shown: &[Both(
            "sizes",
            "smuggling::is_refused_before_a_byte_is_written",
        )],
    },
    Bar {
        id: "B14",
        what: "half-open in 12 phases",
        reach: "an error at its deadline, the pool recovers",
        shown: &[Both("cuts", "half_open::in_twelve_phases")],
    },
    Bar {
        id: "B18",
        what: "secrets canary",
        reach: "0 occurrences, raw, hex, base64 and url-coded",
        shown: &[Test("canary", "is_never_seen")],
    },
    Bar {
        id: "B19",
        what: "hostile addresses, cache files, names, comments and labels",
        reach: "60 and more of each, all refused or emitted as literals; 0 tokens of data in the expansion",
        shown: &[
            Test("hostile_metadata", "hostile_addresses_are_refused"),
            Test(
                "hostile_metadata",
                "hostile_cache_files_are_refused_or_literals",
            ),
            Test(
                "hostile_metadata",
                "no_token_comes_of_names_comments_and_labels",
            ),
            Test("hostile_metadata", "no_token_comes_of_what_servers_say"),
        ],
    },
    Bar {
        id: "B20",
        what: "build hygiene, by strace",
        reach: "offline 0 sockets and 0 files outside crate, cache, toolchain and target; live one connection, to the address",
        shown: &[Test(
            "hygiene",
            "compiling_a_crate_touches_nothing_but_its_own_and_one_server",
        )],
    },
    Bar {
        id: "B22",
        what: "auth matrix: methods x ways x greeting, switch, unknown",
        reach: "exactly the allowed cells succeed, 0 bytes made of the password in the others",
        shown: &[
            Test("auth_matrix", "table::mysql"),
            Test("auth_matrix", "table::mariadb_11"),
            Test("auth_matrix", "table::empty_passwords_and_two_methods"),
            Test("auth_matrix", "table::wrong_passwords"),
            Test("auth_matrix", "impostor::is_found_out_by_mariadb"),
            Test(
                "auth_matrix",
                "impostor::is_kept_out_where_a_verified_server_is_required",
            ),
            Test("auth_matrix", "change_user::through_all_methods_and_back"),
            Test("auth_matrix", "change_user::by_proof"),
        ],
    },
    Bar {
        id: "B24",
        what: "static: no unsafe, lints, cargo-deny, miri",
        reach: "all clean",
        shown: &[Program(".ci/static")],
    },
];
