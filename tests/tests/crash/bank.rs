//! Accounts, transfers between them, and a ledger that says which were made.

use std::collections::BTreeSet;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Pool, Result, Transaction, query};

use crate::by_hand::{run, statement};

statement!(Write Move(amount, id): "UPDATE accounts SET balance = balance + ? WHERE id = ?" => Moved {});
statement!(Write Enter(id, source, target, amount): "INSERT INTO ledger VALUES (?, ?, ?, ?)" => Entered {});

pub(crate) const ACCOUNTS: i64 = 100;
pub(crate) const BALANCE: i64 = 1000;

/// One that is to be made; its number is its primary key in the ledger, so that it can be made once only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) id: i64,
    pub(crate) source: i64,
    pub(crate) target: i64,
    pub(crate) amount: i64,
}

/// What the driver says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Committed,
    NotCommitted,
    Unknown,
}

impl Transfer {
    async fn enter(self, tx: &mut Transaction<'_>) -> Result<()> {
        // In the order of the accounts, so that transfers wait for each other and do not block each other.
        let mut moves = [(-self.amount, self.source), (self.amount, self.target)];
        moves.sort_by_key(|(_, account)| *account);
        for (amount, account) in moves {
            let done = run!(Move, amount, account).execute(&mut *tx).await?;
            assert_eq!(
                done.rows_affected(),
                1,
                "{self:?} {amount} {account} {done:?}"
            );
        }
        let Self {
            id,
            source,
            target,
            amount,
        } = self;
        run!(Enter, id, source, target, amount).execute(tx).await?;
        Ok(())
    }

    /// Step by step.
    async fn by_hand(self, pool: &Pool) -> Result<()> {
        let mut tx = pool.begin().await?;
        self.enter(&mut tx).await?;
        tx.commit().await
    }

    /// By the form that runs again where that is right.
    async fn retried(self, pool: &Pool) -> Result<()> {
        pool.transaction(async move |tx| self.enter(tx).await).await
    }

    pub(crate) async fn make(self, pool: &Pool) -> Fate {
        let made = match self.id % 2 {
            0 => self.by_hand(pool).await,
            _ => self.retried(pool).await,
        };
        match made {
            Ok(()) => Fate::Committed,
            Err(error) => self.fate(&error),
        }
    }

    /// The one error that leaves it open says so by its kind; after all others it was not made.
    fn fate(self, error: &Error) -> Fate {
        let server = error.server().map(|server| server.code);
        assert_ne!(
            server,
            Some(1062),
            "transfer {} was made twice: {error}",
            self.id
        );
        match error.kind() {
            ErrorKind::CommitOutcomeUnknown => {
                assert_eq!(error.outcome(), Outcome::Unknown, "{error}");
                assert!(error.unknown_commit().is_some(), "{error}");
                Fate::Unknown
            }
            ErrorKind::Connect
            | ErrorKind::ConnectionLost
            | ErrorKind::ConnectionClosed
            | ErrorKind::PoolTimeout
            | ErrorKind::Timeout
            | ErrorKind::TransactionEnded
            | ErrorKind::Server => Fate::NotCommitted,
            _ => panic!("transfer {}: {error}", self.id),
        }
    }
}

pub(crate) async fn open(url: &str) -> Result<()> {
    let mut conn = Connection::connect(url).await?;
    let rows: Vec<String> = (0..ACCOUNTS)
        .map(|id| format!("({id}, {BALANCE})"))
        .collect();
    let rows = rows.join(", ");
    conn.run_script(&format!(
        "CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL) ENGINE = InnoDB;
         CREATE TABLE ledger (id BIGINT PRIMARY KEY, source BIGINT NOT NULL, target BIGINT NOT NULL, amount BIGINT NOT NULL) ENGINE = InnoDB;
         INSERT INTO accounts VALUES {rows}"
    ))
    .await
}

/// What the server has in the end.
pub(crate) struct Books {
    pub(crate) entered: BTreeSet<i64>,
    pub(crate) total: i64,
    /// Accounts whose balance is not what the ledger makes of it.
    pub(crate) wrong: i64,
}

impl Books {
    pub(crate) async fn of(url: &str) -> Result<Self> {
        let mut conn = Connection::connect(url).await?;
        let rows = query("SELECT id FROM ledger").fetch_all(&mut conn).await?;
        let entered = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
        let total = query("SELECT CAST(SUM(balance) AS SIGNED) FROM accounts")
            .fetch_one(&mut conn)
            .await?
            .get(0)?;
        let wrong = format!(
            "SELECT COUNT(*) FROM accounts WHERE balance <> {BALANCE}
             + COALESCE((SELECT SUM(amount) FROM ledger WHERE target = accounts.id), 0)
             - COALESCE((SELECT SUM(amount) FROM ledger WHERE source = accounts.id), 0)"
        );
        let wrong = query(wrong).fetch_one(&mut conn).await?.get(0)?;
        Ok(Self {
            entered,
            total,
            wrong,
        })
    }
}
