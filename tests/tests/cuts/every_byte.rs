//! B4: every conversation is cut before each of its bytes, of either side, by FIN and by RST; and falls silent at every fourth.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ark_mysql::{Connection, ErrorKind, Result, query};
use tests::bars::{reached, times};
use tests::{Database, on_every_server};
use tokio::sync::MutexGuard;
use tokio::time::timeout;

use crate::line::{How, Line, Plan, Side};
use crate::talks::{AT_ONCE, Failed, Ledger, Talk, fill};

/// Far longer than any answer takes, where nothing is silent.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a silent line is listened to.
const DEADLINE: Duration = Duration::from_millis(500);

/// Passwords are forgotten for all accounts of a server: who measures how long a login is must be alone.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// By so much a talk that varies may be shorter than another time.
const SLACK: u64 = 8;

/// A talk, and where it is cut.
#[derive(Clone, Copy)]
struct Job {
    talk: usize,
    plan: Plan,
}

/// What was seen, of all runs.
#[derive(Default)]
struct Seen {
    /// Errors by kind.
    errors: Mutex<BTreeMap<String, usize>>,
    /// Right answers in spite of a cut: the pool opened another connection, or nothing that was needed came after it.
    right: AtomicUsize,
    ledger: Mutex<Ledger>,
    /// How long after the cut the error came at most; 1 is the limit.
    latest: Mutex<f64>,
}

struct Round {
    _alone: MutexGuard<'static, ()>,
    database: Database,
    talks: Vec<Talk>,
    /// The least bytes of each side, without a cut.
    lengths: Vec<[u64; 2]>,
    /// How long each waits at most: where the server or an unoptimised client is slow, longer.
    limits: Vec<Duration>,
    seen: Seen,
}

impl Round {
    /// Measures how long the talks are.
    async fn new(database: Database, talks: Vec<Talk>, limit: Duration) -> Result<Self> {
        fill(&database).await?;
        let mut round = Self {
            _alone: ALONE.lock().await,
            database,
            talks,
            lengths: Vec::new(),
            limits: Vec::new(),
            seen: Seen::default(),
        };
        let line = Line::to(round.database.server().port()).await;
        let mut admin = Connection::connect(round.database.url()).await?;
        for (number, talk) in round.talks.iter().enumerate() {
            let mut least = [u64::MAX; 2];
            let mut slowest = Duration::ZERO;
            for time in 0..3 {
                let id = -1 - i32::try_from(number * 3 + time).unwrap();
                round.forget(talk, &mut admin).await?;
                let began = Instant::now();
                let open = talk
                    .run(
                        &line.url(talk.url(0), round.port()),
                        id,
                        PATIENCE,
                        &round.seen.ledger,
                    )
                    .await
                    .map_err(|failed| failed.error)?;
                let passed = line.take_wire().expect("it connected").passed();
                drop(open);
                slowest = slowest.max(began.elapsed());
                least = [least[0].min(passed[0]), least[1].min(passed[1])];
            }
            round.lengths.push(least);
            round
                .limits
                .push(limit.max(slowest * u32::try_from(AT_ONCE).unwrap()));
        }
        Ok(round)
    }

    fn port(&self) -> u16 {
        self.database.server().port()
    }

    async fn forget(&self, talk: &Talk, admin: &mut Connection) -> Result<()> {
        if talk.cold {
            query("FLUSH PRIVILEGES").execute(admin).await?;
        }
        Ok(())
    }

    /// A job for each `stride`-th byte; another first one for each talk, so that a small run does not see the same places all over.
    fn jobs(&self, ways: &[How], stride: usize) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (talk, lengths) in self.lengths.iter().enumerate() {
            for (side, length) in Side::BOTH.into_iter().zip(lengths) {
                for (number, how) in ways.iter().enumerate() {
                    let first = u64::try_from((talk * 5 + number * 3) % stride).unwrap();
                    let places = (first..*length).step_by(stride);
                    jobs.extend(places.map(|after| Job {
                        talk,
                        plan: Plan {
                            side,
                            after,
                            how: *how,
                        },
                    }));
                }
            }
        }
        jobs
    }

    async fn worker(
        self: Arc<Self>,
        who: usize,
        jobs: Arc<Vec<Job>>,
        next: Arc<AtomicUsize>,
    ) -> Result<()> {
        let line = Line::to(self.port()).await;
        let mut admin = Connection::connect(self.database.url()).await?;
        loop {
            let number = next.fetch_add(1, Ordering::SeqCst);
            let Some(job) = jobs.get(number) else {
                return Ok(());
            };
            // Where the machine is so busy that a deadline passes before the line is silent, it is tried again.
            let mut attempt = 0;
            while !self
                .attempt(&line, &mut admin, who, *job, number + attempt * 1_000_000)
                .await?
            {
                attempt += 1;
                assert!(attempt < 20, "the machine is too busy for this");
            }
        }
    }

    /// False: a deadline passed before the line was silent.
    async fn attempt(
        &self,
        line: &Line,
        admin: &mut Connection,
        who: usize,
        job: Job,
        id: usize,
    ) -> Result<bool> {
        let talk = &self.talks[job.talk];
        self.forget(talk, admin).await?;
        line.plan(Some(job.plan));
        let what = format!("{} {}: {:?}", self.database.kind(), talk.name, job.plan);
        let url = line.url(talk.url(who), self.port());
        let (id, limit) = (i32::try_from(id).unwrap(), self.limits[job.talk]);
        let result = timeout(PATIENCE * 3, talk.run(&url, id, limit, &self.seen.ledger))
            .await
            .unwrap_or_else(|_| panic!("{what}: it hangs"));
        let now = Instant::now();
        let wire = line.take_wire();
        match (wire.and_then(|wire| wire.struck()), result) {
            (Some(struck), result) => {
                if let Err(failed) = &result {
                    assert!(!failed.answered, "{what}: answered after the cut");
                }
                let result = result.map(drop).map_err(|failed| failed.error);
                let late = now.duration_since(struck).as_secs_f64() / limit.as_secs_f64();
                self.judge(talk, &what, result, late);
                Ok(true)
            }
            (None, Ok(_)) => {
                assert!(self.may_be_shorter(job), "{what}: nothing was cut");
                Ok(true)
            }
            (None, Err(Failed { error, .. })) => {
                assert_eq!(
                    job.plan.how,
                    How::Silence,
                    "{what}: nothing was cut, {error}"
                );
                Ok(false)
            }
        }
    }

    fn may_be_shorter(&self, job: Job) -> bool {
        let [client, server] = self.lengths[job.talk];
        let length = match job.plan.side {
            Side::Client => client,
            Side::Server => server,
        };
        self.talks[job.talk].varies() && job.plan.after + SLACK >= length
    }

    /// An error, unless a pool went on with another connection. (What is right is looked at by the talk itself.)
    fn judge(&self, talk: &Talk, what: &str, result: Result<()>, late: f64) {
        assert!(
            late < 4.0,
            "{what}: late by {late:.1} times its limit: {result:?}"
        );
        let mut latest = self.seen.latest.lock().unwrap();
        *latest = latest.max(late);
        let Err(error) = result else {
            assert!(talk.is_healed_by_its_pool(), "{what}: no error");
            self.seen.right.fetch_add(1, Ordering::SeqCst);
            return;
        };
        let honest = matches!(
            error.kind(),
            ErrorKind::Connect
                | ErrorKind::Tls
                | ErrorKind::ConnectionLost
                | ErrorKind::ConnectionClosed
                | ErrorKind::CommitOutcomeUnknown
                | ErrorKind::Timeout
                | ErrorKind::PoolTimeout
                | ErrorKind::Other
        );
        assert!(honest, "{what}: {error}");
        *self
            .seen
            .errors
            .lock()
            .unwrap()
            .entry(format!("{:?}", error.kind()))
            .or_default() += 1;
    }

    /// All jobs, so many at a time.
    async fn run(self, jobs: Vec<Job>, workers: usize) -> Result<String> {
        let began = Instant::now();
        let (round, jobs) = (Arc::new(self), Arc::new(jobs));
        let next = Arc::<AtomicUsize>::default();
        let workers: Vec<_> = (0..workers)
            .map(|who| {
                tokio::spawn(Arc::clone(&round).worker(who, Arc::clone(&jobs), Arc::clone(&next)))
            })
            .collect();
        for worker in workers {
            worker.await.unwrap()?;
        }
        round.check_ledger().await?;
        let seen = &round.seen;
        let mut line = format!(
            "{} conversations cut {} times: 0 wrong, 0 hang",
            round.talks.len(),
            jobs.len()
        );
        for (kind, count) in &*seen.errors.lock().unwrap() {
            write!(line, ", {count} {kind}").unwrap();
        }
        let ledger = seen.ledger.lock().unwrap();
        write!(
            line,
            ", {} healed by the pool; the latest at {:.2} of its limit; rows: {} certain and there, {} certain and absent; in {:.1?}",
            seen.right.load(Ordering::SeqCst),
            seen.latest.lock().unwrap(),
            ledger.there.len(),
            ledger.absent.len(),
            began.elapsed()
        )
        .unwrap();
        Ok(line)
    }

    /// What was said to be written is there, and what was said not to be is not.
    async fn check_ledger(&self) -> Result<()> {
        let mut admin = Connection::connect(self.database.url()).await?;
        let rows = query("SELECT id FROM log").fetch_all(&mut admin).await?;
        let there: Vec<i32> = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
        let ledger = self.seen.ledger.lock().unwrap();
        for id in &ledger.there {
            assert!(there.contains(id), "row {id} was written and is not there");
        }
        for id in &ledger.absent {
            assert!(!there.contains(id), "row {id} was not written and is there");
        }
        Ok(())
    }
}

on_every_server! {
    async fn by_fin_and_rst(database: Database) -> Result<()> {
        let talks = Talk::in_clear(&database);
        let round = Round::new(database, talks, PATIENCE).await?;
        let kind = round.database.kind();
        let jobs = round.jobs(&[How::Fin, How::Rst], times(41, 1));
        let figures = round.run(jobs, 4).await?;
        reached("B4", format_args!("{kind}: {figures}"));
        Ok(())
    }

    async fn tls_without_its_end(database: Database) -> Result<()> {
        let talks = Talk::with_tls(&database);
        let round = Round::new(database, talks, PATIENCE).await?;
        let kind = round.database.kind();
        let jobs = round.jobs(&[How::Fin, How::Rst], times(97, 1));
        let figures = round.run(jobs, 4).await?;
        reached("B4", format_args!("{kind} by TLS, never a close_notify: {figures}"));
        Ok(())
    }

    async fn stalled(database: Database) -> Result<()> {
        let mut talks = Talk::in_clear(&database);
        talks.extend(Talk::with_tls(&database));
        let round = Round::new(database, talks, DEADLINE).await?;
        let kind = round.database.kind();
        let jobs = round.jobs(&[How::Silence], times(164, 4));
        let figures = round.run(jobs, AT_ONCE).await?;
        reached("B4", format_args!("{kind} silent, each wait with a deadline of {DEADLINE:?}: {figures}"));
        Ok(())
    }
}
