//! B8: kill -9 of the server, again and again, while 16 tasks move money.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ark_mysql::{Pool, Result};
use tests::Server;
use tests::bars::{reached, times};
use tokio::time::sleep;

use crate::bank::{ACCOUNTS, BALANCE, Books, Fate, Transfer, open};
use crate::mortal::Mortal;

const TASKS: usize = 16;

#[derive(Default)]
struct Shared {
    next: AtomicI64,
    made: AtomicUsize,
    /// What was said of each transfer.
    fates: Mutex<Vec<(i64, Fate)>>,
}

impl Shared {
    /// Those that were made, or may have been.
    fn made(&self) -> usize {
        self.made.load(Ordering::SeqCst)
    }
}

/// Makes transfers until there are enough; what was denied is given up, and another one tried a little later.
async fn task(pool: Pool, shared: Arc<Shared>, transfers: usize) {
    while shared.made() < transfers {
        let id = shared.next.fetch_add(1, Ordering::SeqCst);
        let source = (id * 7) % ACCOUNTS;
        let transfer = Transfer {
            id,
            source,
            target: (source + 1 + (id * 13) % (ACCOUNTS - 1)) % ACCOUNTS,
            amount: 1 + id % 50,
        };
        let fate = transfer.make(&pool).await;
        shared.fates.lock().unwrap().push((id, fate));
        match fate {
            Fate::NotCommitted => sleep(Duration::from_millis(30)).await,
            Fate::Committed | Fate::Unknown => {
                shared.made.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
}

async fn under_kills(kind: Server) -> Result<()> {
    let (kills, transfers) = (times(2, 20), times(1_000, 10_000));
    let began = Instant::now();
    let mut server = Mortal::start(kind).await;
    let url = server.url("test");
    open(&url).await?;
    let pool = Pool::builder()
        .max_connections(TASKS)
        .acquire_timeout(Duration::from_secs(60))
        .connect(&*url)
        .await?;
    let shared = Arc::<Shared>::default();
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| tokio::spawn(task(pool.clone(), Arc::clone(&shared), transfers)))
        .collect();
    for kill in 1..=kills {
        while shared.made() < kill * transfers / (kills + 1) {
            sleep(Duration::from_millis(1)).await;
        }
        server.kill().await;
        server.rise().await;
    }
    for task in tasks {
        task.await.unwrap();
    }
    let books = Books::of(&url).await?;
    let fates = shared.fates.lock().unwrap().clone();
    let of = |fate| {
        fates
            .iter()
            .filter(move |(_, other)| *other == fate)
            .map(|(id, _)| *id)
    };
    let missing: Vec<i64> = of(Fate::Committed)
        .filter(|id| !books.entered.contains(id))
        .collect();
    let made_up: Vec<i64> = of(Fate::NotCommitted)
        .filter(|id| books.entered.contains(id))
        .collect();
    let committed = of(Fate::Committed).count();
    let (unknown, of_them) = (
        of(Fate::Unknown).count(),
        of(Fate::Unknown)
            .filter(|id| books.entered.contains(id))
            .count(),
    );
    assert_eq!(
        (missing, made_up),
        (vec![], vec![]),
        "committed and not there, denied and there"
    );
    assert_eq!(
        (books.total, books.wrong),
        (ACCOUNTS * BALANCE, 0),
        "the money is still there, where the ledger says"
    );
    assert!(unknown <= TASKS * kills, "{unknown} unknown");
    assert!(
        committed + unknown >= transfers,
        "{committed} of {transfers}"
    );
    let metrics = pool.metrics();
    assert_eq!((metrics.lent, metrics.waiting), (0, 0), "{metrics:?}");
    reached(
        "B8",
        format_args!(
            "{kind}: {kills} kills in {transfers} transfers by {TASKS} tasks in {:.1?}: the total kept, {committed} committed and 0 of them missing, {} denied and 0 of them there, {unknown} unknown ({of_them} of them there)",
            began.elapsed(),
            fates.len() - committed - unknown
        ),
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_mysql() -> Result<()> {
    tests::in_time(under_kills(Server::MySql)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_mariadb() -> Result<()> {
    tests::in_time(under_kills(Server::MariaDb)).await
}
