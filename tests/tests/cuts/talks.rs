//! What is said over a line that is going to be cut: logins by every method, and what people do with a connection.

use std::future::Future;
use std::sync::Mutex;
use std::time::Duration;

use ark_mysql::{Connection, Error, Outcome, Pool, Result, query};
use tests::{Account, Database, Server, Transport};
use tokio::time::timeout;

use crate::by_hand::{run, statement};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Named(): "SELECT id, name FROM named ORDER BY id" => Name { id: i32 = Int NotNull, name: String = Text NotNull });
statement!(Read ById(id): "SELECT id, name FROM named WHERE id = ?" => Found { id: i32 = Int NotNull, name: String = Text NotNull });
statement!(Write Log(id): "INSERT INTO log VALUES (?)" => Logged {});
statement!(Session SetVariable(): "SET @mine = 42" => Nothing {});
statement!(Read Variable(): "SELECT CAST(@mine AS SIGNED) AS v" => Mine { v: Option<i64> = BigInt Nullable });

const SCHEMA: &str = "CREATE TABLE named (id INT PRIMARY KEY, name VARCHAR(60) NOT NULL);
    INSERT INTO named VALUES (1, 'a'), (2, 'bb'), (3, REPEAT('c', 50)), (4, ''), (5, 'eeeee');
    CREATE TABLE log (id INT PRIMARY KEY)";
const PROCEDURE: &str =
    "CREATE PROCEDURE results() BEGIN SELECT 1; SELECT 2, 3; SELECT name FROM named; END";
/// How many may talk at once.
pub(crate) const AT_ONCE: usize = 40;

const TLS: &str = "TLS ";
const PASSWORD: &str = "Pa55word";

/// What is done once the login is through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    LogIn,
    /// PREPARE, EXECUTE, and rows taken in every way.
    Rows,
    /// Each statement with a deadline.
    Deadlines,
    Commit,
    Autocommit,
    Pipeline,
    /// Several results to one command.
    Results,
    /// A pool's connection that was left dirty.
    Reset,
}

/// One conversation, the same each time.
#[derive(Clone, Debug)]
pub(crate) struct Talk {
    pub(crate) name: String,
    /// Where the server itself is; another account for each of those who talk at once, where the server forgets passwords.
    urls: Vec<String>,
    pub(crate) act: Act,
    /// The server forgets the password before each time, so that the login is a long one.
    pub(crate) cold: bool,
}

/// Says goodbye when it is dropped.
#[derive(Debug)]
#[expect(dead_code, reason = "held, and dropped")]
pub(crate) enum Open {
    Connection(Connection),
    Pool(Pool),
}

/// How it ended before its end.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: Error,
    /// The next statement on the same connection was answered, rightly: only a deadline passed.
    pub(crate) answered: bool,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self {
            error,
            answered: false,
        }
    }
}

/// What is certain of the rows that were written.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) there: Vec<i32>,
    pub(crate) absent: Vec<i32>,
}

impl Talk {
    fn new(name: &str, act: Act, url: &str) -> Self {
        Self {
            name: name.to_owned(),
            urls: vec![url.to_owned()],
            act,
            cold: false,
        }
    }

    /// Only MySQL has a login that is short once a password is known.
    fn long_login(name: &str, database: &Database, transport: Transport) -> Option<Self> {
        let account = |_| database.account(PASSWORD).url_by(transport).to_owned();
        (database.kind() == Server::MySql).then(|| Self {
            name: name.to_owned(),
            urls: (0..AT_ONCE).map(account).collect(),
            act: Act::LogIn,
            cold: true,
        })
    }

    /// All of them in clear.
    pub(crate) fn in_clear(database: &Database) -> Vec<Self> {
        let mut talks = Vec::new();
        for plugin in methods(database) {
            let account = identified(database, plugin);
            talks.push(Self::new(
                plugin,
                Act::LogIn,
                account.url_by(Transport::Tcp),
            ));
        }
        talks.extend(Self::long_login(
            "long caching_sha2",
            database,
            Transport::Tcp,
        ));
        let url = database.url_by(Transport::Tcp);
        for act in [
            Act::Rows,
            Act::Deadlines,
            Act::Commit,
            Act::Autocommit,
            Act::Pipeline,
            Act::Results,
            Act::Reset,
        ] {
            talks.push(Self::new(&format!("{act:?}"), act, &url));
        }
        talks
    }

    /// By TLS: a login with a password, rows, a transaction.
    pub(crate) fn with_tls(database: &Database) -> Vec<Self> {
        let account = database.account(PASSWORD);
        let url = account.url_by(Transport::Tls);
        [Act::LogIn, Act::Rows, Act::Commit]
            .map(|act| Self::new(&format!("{TLS}{act:?}"), act, url))
            .into_iter()
            .chain(Self::long_login(
                &format!("{TLS}long caching_sha2"),
                database,
                Transport::Tls,
            ))
            .collect()
    }

    /// The address for one of those who talk at once.
    pub(crate) fn url(&self, who: usize) -> &str {
        &self.urls[who % self.urls.len()]
    }

    /// Has it, by way of the address given; each wait in it ends at `limit`. What it was had with is still open then.
    pub(crate) async fn run(
        &self,
        url: &str,
        id: i32,
        limit: Duration,
        ledger: &Mutex<Ledger>,
    ) -> Result<Open, Failed> {
        let and = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{and}connect-timeout={}ms", limit.as_millis());
        if self.act == Act::Reset {
            return Ok(Open::Pool(reset(&url, limit).await?));
        }
        let result = Connection::connect(url).await;
        if result.is_err() && matches!(self.act, Act::Commit | Act::Autocommit) {
            ledger.lock().unwrap().absent.push(id);
        }
        let mut conn = result?;
        match self.act(&mut conn, id, limit, ledger).await {
            Ok(()) => Ok(Open::Connection(conn)),
            Err(error) => {
                // Whoever comes next gets no answer that was meant for somebody else.
                match within(limit, run!(Echo, id).fetch_one(&mut conn)).await {
                    Ok(row) => {
                        assert_eq!(row.echo, Some(id.into()), "after {error}");
                        Err(Failed {
                            error,
                            answered: true,
                        })
                    }
                    Err(next) => {
                        assert_eq!(next.outcome(), Outcome::NotSent, "after {error}: {next}");
                        assert!(conn.is_closed(), "after {error}");
                        Err(error.into())
                    }
                }
            }
        }
    }

    /// Not the same bytes each time: a signature has a length of its own, and so has a time when it is written down.
    pub(crate) fn varies(&self) -> bool {
        self.name.starts_with(TLS) || self.act == Act::Deadlines
    }

    /// A pool that cannot reset a connection opens another one, and nobody's statement was lost.
    pub(crate) fn is_healed_by_its_pool(&self) -> bool {
        self.act == Act::Reset
    }

    async fn act(
        &self,
        conn: &mut Connection,
        id: i32,
        limit: Duration,
        ledger: &Mutex<Ledger>,
    ) -> Result<()> {
        match self.act {
            Act::LogIn => within(limit, conn.ping()).await,
            Act::Rows => rows(conn, limit).await,
            Act::Deadlines => {
                for value in 0..3 {
                    assert_eq!(
                        run!(Echo, value)
                            .deadline(limit)
                            .fetch_one(&mut *conn)
                            .await?
                            .echo,
                        Some(value)
                    );
                }
                assert_eq!(
                    names(run!(Named).text().deadline(limit).fetch_all(conn).await?),
                    NAMES
                );
                Ok(())
            }
            Act::Commit => commit(conn, id, limit, ledger).await,
            Act::Autocommit => {
                let result = within(limit, run!(Log, id).execute(conn)).await;
                note(ledger, id, &result);
                assert_eq!(result?.rows_affected(), 1);
                Ok(())
            }
            Act::Pipeline => {
                let (one, all, last) = within(
                    limit,
                    conn.pipeline((run!(Echo, 1).one(), run!(Named).all(), run!(Echo, 2).one())),
                )
                .await?;
                assert!(one.as_ref().map_or(true, |row| row.echo == Some(1)));
                assert!(all.as_ref().map_or(true, |all| names(all.clone()) == NAMES));
                assert_eq!(last?.echo, Some(2));
                one.and(all)?;
                Ok(())
            }
            Act::Results => {
                within(limit, conn.run_script("SELECT 1; SET @x = 4; SELECT 2, 3")).await?;
                within(limit, query("CALL results()").execute(conn))
                    .await
                    .map(drop)
            }
            Act::Reset => Ok(()),
        }
    }
}

/// The methods of login that a server has.
fn methods(database: &Database) -> &'static [&'static str] {
    match database.kind() {
        Server::MySql => &["caching_sha2_password", "sha256_password"],
        Server::MariaDb => &["mysql_native_password", "ed25519", "parsec"],
        Server::MariaDb10 => &["mysql_native_password", "ed25519"],
    }
}

pub(crate) fn identified(database: &Database, plugin: &str) -> Account {
    if let "ed25519" | "parsec" = plugin {
        database.run(&format!(
            "INSTALL PLUGIN IF NOT EXISTS {plugin} SONAME 'auth_{plugin}'"
        ));
    }
    let how = match database.kind() {
        Server::MySql => format!("WITH {plugin} BY '{PASSWORD}'"),
        Server::MariaDb | Server::MariaDb10 => format!("VIA {plugin} USING PASSWORD('{PASSWORD}')"),
    };
    database.account_identified(PASSWORD, &how)
}

/// The tables that the talks are about.
pub(crate) async fn fill(database: &Database) -> Result<()> {
    database.run(SCHEMA);
    query(PROCEDURE)
        .execute(&mut Connection::connect(database.url()).await?)
        .await
        .map(drop)
}

/// A timeout of the caller's own, as people write them.
pub(crate) async fn within<T>(
    limit: Duration,
    future: impl Future<Output = Result<T>>,
) -> Result<T> {
    timeout(limit, future)
        .await
        .unwrap_or_else(|late| Err(Error::other(late)))
}

const NAMES: [(i32, usize); 5] = [(1, 1), (2, 2), (3, 50), (4, 0), (5, 5)];

fn names(rows: Vec<Name>) -> Vec<(i32, usize)> {
    rows.into_iter()
        .map(|row| (row.id, row.name.len()))
        .collect()
}

async fn rows(conn: &mut Connection, limit: Duration) -> Result<()> {
    for _ in 0..2 {
        assert_eq!(
            names(within(limit, run!(Named).fetch_all(&mut *conn)).await?),
            NAMES
        );
    }
    let mut seen = Vec::new();
    let mut rows = run!(Named).fetch(&mut *conn);
    while let Some(row) = within(limit, rows.next()).await? {
        seen.push(row);
    }
    drop(rows);
    assert_eq!(names(seen), NAMES);
    let mut seen = Vec::new();
    let borrowed = run!(Named).text().for_each(&mut *conn, |row| {
        seen.push(row);
        Ok(())
    });
    within(limit, borrowed).await?;
    assert_eq!(names(seen), NAMES);
    for (id, expected) in [(3, Some(50)), (9, None)] {
        let found = within(limit, run!(ById, id).fetch_optional(&mut *conn)).await?;
        assert_eq!(found.map(|found| found.name.len()), expected);
    }
    Ok(())
}

async fn commit(
    conn: &mut Connection,
    id: i32,
    limit: Duration,
    ledger: &Mutex<Ledger>,
) -> Result<()> {
    let began = async {
        let mut tx = within(limit, conn.begin()).await?;
        within(limit, run!(Log, id).execute(&mut tx)).await?;
        Ok::<_, Error>(tx)
    };
    let began = began.await;
    if began.is_err() {
        ledger.lock().unwrap().absent.push(id);
    }
    let result = within(limit, began?.commit()).await;
    note(ledger, id, &result);
    result
}

fn note<T>(ledger: &Mutex<Ledger>, id: i32, result: &Result<T>) {
    let mut ledger = ledger.lock().unwrap();
    match result {
        Ok(_) => ledger.there.push(id),
        Err(error) => match error.outcome() {
            Outcome::NotSent | Outcome::Rejected => ledger.absent.push(id),
            // `Other` is our own timeout, which knows nothing.
            Outcome::Unknown | Outcome::Done | Outcome::Partial => {}
        },
    }
}

async fn reset(url: &str, limit: Duration) -> Result<Pool> {
    let pool = Pool::builder()
        .max_connections(1)
        .acquire_timeout(limit)
        .connect_lazy(url)?;
    within(limit, run!(SetVariable).execute(&pool)).await?;
    assert_eq!(
        within(limit, run!(Variable).fetch_one(&pool)).await?.v,
        None,
        "somebody's dirt"
    );
    assert_eq!(
        names(within(limit, run!(Named).fetch_all(&pool)).await?),
        NAMES
    );
    Ok(pool)
}
