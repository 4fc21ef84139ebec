//! B14: the other side is there as far as TCP can tell, and says nothing any more: an error at the deadline, wherever that happens,
//! and a pool that is as good as new afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ark_mysql::{Error, ErrorKind, Pool, Result, query};
use tests::bars::reached;
use tests::{Database, Server, Transport, on_every_server};
use tokio::task::JoinSet;
use tokio::time::timeout;

mod before;

use self::before::{dialing, looking_up};
use crate::by_hand::{run, statement};
use crate::lateness::Lateness;
use crate::line::{How, Line, Plan, Side};
use crate::talks::{fill, identified, within};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Many(): "SELECT a.id AS id, REPEAT('x', 1000) AS data FROM named a, named b, named c, named d, named e, named f" => Few { id: i32 = Int NotNull, data: Option<String> = Text Nullable });
statement!(Read Named(): "SELECT id FROM named ORDER BY id" => Name { id: i32 = Int NotNull });
statement!(Session SetVariable(): "SET @mine = 42" => Nothing {});

const DEADLINE: Duration = Duration::from_millis(400);
/// How long after its deadline an error may come.
const LATE: Duration = Duration::from_millis(100);
/// How often the runtime has to come round for it: for the deadline, for the end of the time behind it, and for the task that waits.
const TURNS: u32 = 3;

/// What came of a phase: the error, and how long after the silence began.
struct Ended {
    error: Error,
    after: Duration,
}

/// While logging in: so many bytes of the server come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Login {
    Hello,
    /// The answer to our ClientHello, and the rest of it.
    Tls,
    MidTls,
    /// The answer to our login, and to the second part of it.
    Auth,
    SecondAuth,
}

impl Login {
    const ALL: [Self; 5] = [
        Self::Hello,
        Self::Tls,
        Self::MidTls,
        Self::Auth,
        Self::SecondAuth,
    ];

    /// By how much the server had said at each turn of the client.
    fn after(self, turns: &[u64]) -> u64 {
        match self {
            Self::Hello => 0,
            Self::Tls | Self::Auth => turns[0],
            Self::MidTls => turns[0] + 90,
            Self::SecondAuth => turns[1],
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::Hello => "greeting",
            Self::Tls | Self::MidTls => "TLS",
            Self::Auth | Self::SecondAuth => "load",
        }
    }

    fn transport(self) -> Transport {
        match self {
            Self::Tls | Self::MidTls => Transport::Tls,
            Self::Hello | Self::Auth | Self::SecondAuth => Transport::Tcp,
        }
    }
}

/// With a connection of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Prepare,
    Execute,
    Rows,
    Begin,
    Commit,
    Rollback,
    Ping,
    Reset,
}

impl Use {
    const ALL: [Self; 8] = [
        Self::Prepare,
        Self::Execute,
        Self::Rows,
        Self::Begin,
        Self::Commit,
        Self::Rollback,
        Self::Ping,
        Self::Reset,
    ];

    /// `Other` is the caller's own timeout.
    fn kinds(self) -> &'static [ErrorKind] {
        match self {
            Self::Prepare | Self::Execute | Self::Rows => &[ErrorKind::Timeout],
            Self::Begin | Self::Commit => &[ErrorKind::Other],
            Self::Rollback | Self::Ping => &[ErrorKind::ConnectionLost, ErrorKind::Timeout],
            Self::Reset => &[ErrorKind::PoolTimeout],
        }
    }

    /// What each waits for at most.
    fn deadline(self) -> Duration {
        match self {
            // They have no limit but the one that everything of the driver's own has.
            Self::Rollback | Self::Ping => Duration::from_secs(5),
            Self::Rows | Self::Reset => DEADLINE * 2,
            _ => DEADLINE,
        }
    }
}

/// A pool of two behind a line of its own.
struct Behind {
    line: Line,
    pool: Pool,
}

impl Behind {
    async fn new(url: &str, server: u16) -> Result<Self> {
        let line = Line::to(server).await;
        let url = line.url(url, server);
        Ok(Self {
            pool: pool(&url)?,
            line,
        })
    }

    /// Both connections are there again, and answer.
    async fn recovers(&self) -> Result<()> {
        recovers(&self.pool).await
    }
}

fn pool(url: &str) -> Result<Pool> {
    let and = if url.contains('?') { '&' } else { '?' };
    let url = format!("{url}{and}connect-timeout={}ms", DEADLINE.as_millis());
    Pool::builder()
        .max_connections(2)
        .acquire_timeout(DEADLINE * 2)
        .connect_lazy(url)
}

/// Both connections answer again. One that fell silent while nobody used it is found out by the first statement with a deadline.
async fn recovers(pool: &Pool) -> Result<()> {
    let began = Instant::now();
    while let Err(error) = both_answer(pool).await {
        assert!(began.elapsed() < DEADLINE * 50, "{error}");
    }
    assert_eq!(run!(Named).fetch_all(pool).await?.len(), 5);
    let metrics = pool.metrics();
    assert_eq!(
        (metrics.lent, metrics.waiting, metrics.idle),
        (0, 0, 2),
        "{metrics:?}"
    );
    assert_eq!(pool.size(), 2);
    Ok(())
}

async fn both_answer(pool: &Pool) -> Result<()> {
    let (mut one, mut two) = (pool.acquire().await?, pool.acquire().await?);
    for value in 0..3 {
        for conn in [&mut one, &mut two] {
            let row = run!(Echo, value).deadline(DEADLINE).fetch_one(conn).await?;
            assert_eq!(row.echo, Some(value));
        }
    }
    Ok(())
}

/// The error, and how long it took.
async fn ended<T>(what: &str, running: impl Future<Output = Result<T>>) -> Ended {
    let began = Instant::now();
    match timeout(Duration::from_secs(60), running).await {
        Ok(Err(error)) => Ended {
            error,
            after: began.elapsed(),
        },
        Ok(Ok(_)) => panic!("{what}: no error"),
        Err(_) => panic!("{what}: it hangs"),
    }
}

async fn logging_in(database: &Database, phase: Login) -> Result<Ended> {
    let plugin = match database.kind() {
        Server::MySql => "sha256_password", // asks for a key before the password
        Server::MariaDb | Server::MariaDb10 => "ed25519", // asks for a switch
    };
    let account = identified(database, plugin);
    let behind = Behind::new(account.url_by(phase.transport()), database.server().port()).await?;
    recovers(&behind.pool).await?;
    let turns = behind.line.take_wire().expect("it connected").turns();
    let fresh = Behind::new(account.url_by(phase.transport()), database.server().port()).await?;
    fresh.line.plan(Some(Plan {
        side: Side::Server,
        after: phase.after(&turns),
        how: How::Silence,
    }));
    let ended = ended(&format!("{phase:?}"), fresh.pool.acquire()).await;
    fresh.recovers().await?;
    Ok(ended)
}

async fn in_use(database: &Database, phase: Use) -> Result<Ended> {
    let what = format!("{phase:?}");
    let url = database.url_by(Transport::Tcp);
    let behind = Behind::new(&url, database.server().port()).await?;
    behind.recovers().await?;
    let mut conn = behind.pool.acquire().await?;
    let silence = || behind.line.strike(Side::Server, How::Silence);
    let ended = match phase {
        Use::Prepare => {
            silence();
            ended(&what, run!(Many).deadline(DEADLINE).fetch_all(&mut conn)).await
        }
        Use::Execute => {
            silence();
            ended(&what, run!(Echo, 1).deadline(DEADLINE).fetch_one(&mut conn)).await
        }
        Use::Rows => {
            let mut rows = run!(Many).deadline(DEADLINE * 2).fetch(&mut conn);
            rows.next().await?;
            silence();
            ended(&what, async {
                while rows.next().await?.is_some() {}
                Ok(())
            })
            .await
        }
        Use::Begin => {
            silence();
            ended(&what, within(DEADLINE, conn.begin())).await
        }
        Use::Commit => {
            let mut tx = conn.begin().await?;
            query("INSERT INTO log VALUES (7)").execute(&mut tx).await?;
            silence();
            ended(&what, within(DEADLINE, tx.commit())).await
        }
        Use::Rollback => {
            let tx = conn.begin().await?;
            silence();
            ended(&what, tx.rollback()).await
        }
        Use::Ping => {
            silence();
            ended(&what, conn.ping()).await
        }
        Use::Reset => {
            run!(SetVariable).execute(&mut conn).await?;
            let other = behind.pool.acquire().await?; // so that there is no clean one
            silence();
            drop(conn);
            let ended = ended(&what, behind.pool.acquire()).await;
            drop(other);
            behind.recovers().await?;
            return Ok(ended);
        }
    };
    drop(conn);
    behind.recovers().await?;
    Ok(ended)
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Dns,
    Syn,
    Login(Login),
    Use(Use),
}

impl Phase {
    fn all() -> impl Iterator<Item = Self> {
        let logins = Login::ALL.map(Self::Login);
        let uses = Use::ALL.map(Self::Use);
        [Self::Dns, Self::Syn].into_iter().chain(logins).chain(uses)
    }

    /// Its error, held to its deadline: how long after it.
    async fn in_time(self, database: &Database) -> Result<Duration> {
        let machine = Lateness::measured();
        let timeout: &[ErrorKind] = &[ErrorKind::Timeout];
        let (ended, deadline, kinds, says) = match self {
            Self::Dns => (
                looking_up(database).await?,
                DEADLINE,
                timeout,
                "name server",
            ),
            Self::Syn => (
                dialing(database).await?,
                DEADLINE,
                timeout,
                "while opening the socket",
            ),
            Self::Login(phase) => (
                logging_in(database, phase).await?,
                DEADLINE,
                timeout,
                phase.says(),
            ),
            Self::Use(phase) => (
                in_use(database, phase).await?,
                phase.deadline(),
                phase.kinds(),
                "",
            ),
        };
        let Ended { error, after } = ended;
        assert!(kinds.contains(&error.kind()), "{self:?}: {error}");
        assert!(error.to_string().contains(says), "{self:?}: {error}");
        // What was not answered has 50 ms more; then the socket is closed. Each of these turns may be as late as this machine is.
        let allowed = deadline + LATE + machine.worst() * TURNS;
        assert!(
            after <= allowed && after * 10 > deadline * 9,
            "{self:?}: {after:?} of {deadline:?}, where timers were up to {:?} late: {error}",
            machine.worst()
        );
        Ok(after.saturating_sub(deadline))
    }
}

on_every_server! {
    async fn in_twelve_phases(database: Database) -> Result<()> {
        fill(&database).await?;
        let (kind, database) = (database.kind(), Arc::new(database));
        let mut running = JoinSet::new();
        for phase in Phase::all() {
            let database = Arc::clone(&database);
            running.spawn(async move { phase.in_time(&database).await });
        }
        let machine = Lateness::measured();
        let (mut phases, mut latest) = (0, Duration::ZERO);
        while let Some(done) = running.join_next().await {
            (phases, latest) = (phases + 1, latest.max(done.unwrap()?));
        }
        reached("B14", format_args!("{kind}: {phases} phases, each an error, the latest {latest:.1?} after its deadline, where timers were up to {:.1?} late; each pool is whole again", machine.worst()));
        Ok(())
    }
}
