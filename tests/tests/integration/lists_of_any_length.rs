//! Lists in `IN (?)`: of no elements, of many and of too many, several in one statement, of rows, by every way to run a statement.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use ark_mysql::{
    Connection, ErrorKind, Outcome, Pool, Result, Type, query, query_as, query_scalar,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Strategy as _, any};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use tests::{Database, on_every_server};

use crate::support::{fails, one, open};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Type)]
struct OrderId(u64);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[ark_mysql(rename_all = "snake_case")]
enum State {
    Open,
    InReview,
    Done,
}

/// Rows with every user from 0 to 9, and without one.
async fn orders(conn: &mut Connection) -> Result<Vec<(u64, Option<u32>)>> {
    query!("DELETE FROM orders").execute(&mut *conn).await?;
    let rows: Vec<(u64, Option<u32>)> = (1..=33u32)
        .map(|id| (id.into(), Some(id % 11).filter(|user| *user != 10)))
        .collect();
    let inserts = rows.iter().map(|(id, user)| {
        query!(
            "INSERT INTO orders (id, user_id, amount, at) VALUES (?, ?, 0, '2024-01-01')",
            *id,
            *user
        )
    });
    for insert in conn.execute_many(inserts).await? {
        insert?;
    }
    Ok(rows)
}

/// What the filter of Rust leaves of the rows.
fn kept(rows: &[(u64, Option<u32>)], keep: impl Fn(u64, Option<u32>) -> bool) -> Vec<u64> {
    let kept = rows.iter().filter(|(id, user)| keep(*id, *user));
    kept.map(|(id, _)| *id).collect()
}

/// What SQL means by `user IN (list)`.
fn is_in(user: Option<u32>, list: &[u32]) -> bool {
    user.is_some_and(|user| list.contains(&user))
}

/// What SQL means by `user NOT IN (list)`: of nothing everything is no part, NULL too.
fn is_not_in(user: Option<u32>, list: &[u32]) -> bool {
    list.is_empty() || user.is_some_and(|user| !list.contains(&user))
}

async fn prepared(conn: &mut Connection) -> Result<i64> {
    let sql = "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'";
    let row = query(sql).fetch_one(conn).await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

on_every_server! {
    async fn lists_say_what_a_filter_says(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = orders(&mut conn).await?;
        let seed = std::env::var("PROPTEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(rand_seed);
        let mut runner = TestRunner::new(Config { cases: 60, rng_seed: RngSeed::Fixed(seed), ..Config::default() });
        let lists = (vec(0..12u32, 0..=40), vec(option::of(0..40u64), 0..=5), any::<bool>());
        let lists = lists.prop_map(|(users, ids, text)| (users, ids.into_iter().flatten().collect::<Vec<_>>(), text));
        let conn = tokio::sync::Mutex::new(conn);
        runner.run(&lists, |(users, ids, text)| {
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(async {
                let mut conn = conn.lock().await;
                let (all, limit) = (rows.as_slice(), 30u64);
                let found = query_scalar!("SELECT id FROM orders WHERE user_id IN (?) AND id <= ? ORDER BY id", ..users, limit);
                let found = if text { found.text().fetch_all(&mut *conn).await? } else { found.fetch_all(&mut *conn).await? };
                assert_eq!(found, kept(all, |id, user| is_in(user, &users) && id <= limit));
                let found = query_scalar!("SELECT id FROM orders WHERE id <= ? AND user_id NOT IN (?) ORDER BY id", limit, ..users);
                let found = if text { found.text().fetch_all(&mut *conn).await? } else { found.fetch_all(&mut *conn).await? };
                assert_eq!(found, kept(all, |id, user| is_not_in(user, &users) && id <= limit));
                let found = query_scalar!("SELECT id FROM orders WHERE NOT (user_id IN (?)) OR id IN (?) ORDER BY id", ..users, ..ids).fetch_all(&mut *conn).await?;
                assert_eq!(found, kept(all, |id, user| is_not_in(user, &users) || ids.contains(&id)));
                Ok::<_, ark_mysql::Error>(())
            })).unwrap();
            Ok(())
        }).unwrap_or_else(|error| panic!("PROPTEST_SEED={seed}: {error}"));
        Ok(())
    }

    async fn lists_of_all_lengths_share_few_statements(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = orders(&mut conn).await?;
        let before = prepared(&mut conn).await?;
        for length in (0..=40u64).chain(0..=40) {
            let ids: Vec<u64> = (1..=length).collect();
            let found = query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?)", ..ids).fetch_one(&mut conn).await?;
            assert_eq!(found, i64::try_from(kept(&rows, |id, _| id <= length).len()).unwrap(), "{length}");
        }
        // 0, 1, 2, 4, 8, 16, 32, 64
        assert_eq!(prepared(&mut conn).await? - before, 8);
        Ok(())
    }

    /// Case 99: an empty list is no NULL, wherever its answer goes.
    async fn nothing_is_in_an_empty_list(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let none: [u32; 0] = [];
        let no_rows: [(u64, u32); 0] = [];
        let row = query!("SELECT id IN (?) AS `some`, user_id NOT IN (?) AS `other`, NULL IN (?) AS `null_in`, (id, user_id) IN ((?, ?)) AS `rows` \
            FROM orders WHERE user_id IS NULL", ..none, ..none, ..none, ..no_rows);
        let row = row.fetch_one(&mut conn).await?;
        assert_eq!((row.some, row.other, row.null_in, row.rows), (Some(0), Some(1), Some(0), Some(0)));
        // Where it is not certain what stands in front of IN, too.
        let row = query!("SELECT NOT id IN (?) AS `other`, amount + 1 IN (?) AS `some`, amount + NULL NOT IN (?) AS `null_in` FROM orders LIMIT 1", ..none, ..none, ..none);
        let row = row.fetch_one(&mut conn).await?;
        assert_eq!((row.other, row.some, row.null_in), (Some(1), Some(0), Some(1)));
        // So what is in no list may be NULL, and what is in one is not.
        let other = query_scalar!("SELECT user_id FROM orders WHERE user_id NOT IN (?) ORDER BY id", ..none).fetch_all(&mut conn).await?;
        assert_eq!(other, [Some(1), Some(1), None]);
        let some = query_scalar!("SELECT user_id FROM orders WHERE user_id IN (?) ORDER BY id", ..[1u32, 2]).fetch_all(&mut conn).await?;
        assert_eq!(some, [1u32, 1]);
        // Servers see that before they read a row.
        let plan = one_line(&mut conn, "EXPLAIN SELECT id FROM orders WHERE (1 = 0) AND amount = 7").await?;
        assert!(plan.contains("Impossible WHERE"), "{plan}");
        let found = query_scalar!("SELECT COUNT(*) FROM orders WHERE user_id IN (?)", ..none).text().fetch_one(&mut conn).await?;
        assert_eq!(found, 0);
        Ok(())
    }

    async fn too_many_elements_are_told_before_anything_is_sent(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = orders(&mut conn).await?;
        let ids: Vec<u64> = (1..=70_000).collect();
        let all = i64::try_from(rows.len()).unwrap();
        let many = query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = ?", ..ids, 0).fetch_one(&mut conn).await;
        let told = fails(many, ErrorKind::Encode, Outcome::NotSent).to_string();
        assert!(told.contains("70001 placeholders; servers take 65535") && told.contains("chunks"), "{told}");
        for length in [32_768, 32_769, 40_000, 65_534] {
            let found = query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = ?", ..ids[..length], 0).fetch_one(&mut conn).await?;
            assert_eq!(found, all, "{length}");
        }
        let one_more = query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = ?", ..ids[..65_535], 0).fetch_one(&mut conn).await;
        fails(one_more, ErrorKind::Encode, Outcome::NotSent);
        let text = query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = ?", ..ids, 0).text().fetch_one(&mut conn).await?;
        assert_eq!(text, all);
        let rows: Vec<(u64, u32)> = ids.iter().map(|id| (*id, 1)).take(32_768).collect();
        let many = query_scalar!("SELECT COUNT(*) FROM orders WHERE (id, user_id) IN ((?, ?))", ..rows).fetch_one(&mut conn).await;
        assert!(fails(many, ErrorKind::Encode, Outcome::NotSent).to_string().contains("65536 placeholders"));
        Ok(())
    }

    async fn everything_that_can_be_walked_is_a_list(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        orders(&mut conn).await?;
        let vec = vec![3u64, 1, 2];
        let (slice, array) = (&vec[..], [1u8, 2, 3]);
        let (shared, boxed): (Arc<[u64]>, Box<[u64]>) = (vec.as_slice().into(), vec.as_slice().into());
        let (set, tree) = (vec.iter().copied().collect::<HashSet<_>>(), vec.iter().copied().collect::<BTreeSet<_>>());
        let ids = vec.iter().map(|id| OrderId(*id));
        let options = [Some(1u64), None, Some(2), Some(3)];
        macro_rules! three {
            ($($list:expr),+ $(,)?) => {
                $(assert_eq!(query_scalar!("SELECT id AS `id: OrderId` FROM orders WHERE id IN (?) ORDER BY id", ..$list).fetch_all(&mut conn).await?,
                    [OrderId(1), OrderId(2), OrderId(3)], stringify!($list));)+
            };
        }
        three!(vec, &vec, slice, &slice, array, shared, boxed, set, &tree, ids, options, 1..=3u64, [1, 2, 3], vec.iter().filter(|id| **id < 4),
            vec.chunks(1).map(|part| part[0]), vec.clone(), std::borrow::Cow::from(&vec));
        let bound = query_scalar!("SELECT id FROM orders WHERE id IN (?)", ..vec.iter().map(|id| id + 30));
        assert_eq!(bound.fetch_all(&mut conn).await?.len(), 3);
        let bound = query_scalar!("SELECT id FROM orders WHERE id IN (?)", ..slice);
        assert_eq!(bound.fetch_all(&mut conn).await?.len(), 3);
        assert_eq!(vec.len(), 3, "it was borrowed");
        Ok(())
    }

    async fn rows_and_names(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let all = orders(&mut conn).await?;
        let pairs: Vec<(u64, u32)> = vec![(1, 1), (2, 3), (12, 1), (13, 2), (99, 0)];
        let found = query_scalar!("SELECT id FROM orders WHERE (id, user_id) IN ((?, ?)) AND amount = ? ORDER BY id", ..pairs, 0);
        assert_eq!(found.fetch_all(&mut conn).await?, [1, 12, 13]);
        let found = query_scalar!("SELECT id FROM orders WHERE (id, user_id) IN ((:pairs, :pairs)) AND amount = :amount ORDER BY id", pairs = ..pairs, amount = 0);
        assert_eq!(found.text().fetch_all(&mut conn).await?, [1, 12, 13]);
        let found = query_scalar!("SELECT COUNT(*) FROM orders WHERE (id, user_id) NOT IN ((?, ?))", ..pairs.iter().take(0)).fetch_one(&mut conn).await?;
        assert_eq!(found, i64::try_from(all.len()).unwrap());
        let (users, amount) = ([1u32, 2], 0);
        let found = query_scalar!("SELECT id FROM orders WHERE user_id IN (:users) AND amount = :amount AND id NOT IN (:without) ORDER BY id", ..users, without = ..[1, 2]);
        assert_eq!(found.fetch_all(&mut conn).await?, kept(&all, |id, user| is_in(user, &users) && id > 2));
        // One name in two places is one list.
        let found = query_scalar!("SELECT id FROM orders WHERE user_id IN (:users) OR id IN (:users) ORDER BY id", ..users);
        assert_eq!(found.fetch_all(&mut conn).await?, kept(&all, |id, user| is_in(user, &users) || id == 1 || id == 2));
        _ = amount;
        Ok(())
    }

    async fn by_every_way_to_run_a_statement(database: Database) -> Result<()> {
        #[derive(Debug, PartialEq)]
        struct Order { id: u64, user_id: Option<u32> }
        let mut conn = open(&database).await?;
        orders(&mut conn).await?;
        let pool = Pool::connect(database.url()).await?;
        let ids = [1u64, 2, 3];
        let found = query_as!(Order, "SELECT id, user_id FROM orders WHERE id IN (?) ORDER BY id", ..ids).fetch_all(&pool).await?;
        assert_eq!(found.iter().map(|order| order.id).collect::<Vec<_>>(), ids);
        let found = query!("SELECT id FROM orders WHERE id IN (?)", ..ids[..1]).deadline(Duration::from_secs(60)).fetch_optional(&pool).await?;
        assert_eq!(found.map(|row| row.id), Some(1));
        let mut rows = query!("SELECT id FROM orders WHERE id IN (?) ORDER BY id", ..ids).deadline(Duration::from_secs(60)).fetch(&pool);
        let mut streamed = Vec::new();
        while let Some(row) = rows.next().await? {
            streamed.push(row.id);
        }
        assert_eq!(streamed, ids);
        let mut tx = conn.begin().await?;
        let done = query!("UPDATE orders SET amount = ? WHERE id IN (?)", 7, ..ids).execute(&mut tx).await?;
        assert_eq!(done.rows_affected(), 3);
        tx.commit().await?;
        let too_many = vec![1u64; 70_000];
        let (three, refused, none, two) = conn.pipeline((
            query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = 7", ..ids).one(),
            query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = 7", ..too_many).one(),
            query_scalar!("SELECT COUNT(*) FROM orders WHERE id IN (?) AND amount = 7", ..ids[..0]).one(),
            query!("DELETE FROM orders WHERE id IN (?)", ..ids[..2]).run(),
        )).await?;
        assert_eq!((three?, none?, two?.rows_affected()), (3, 0, 2));
        fails(refused, ErrorKind::Encode, Outcome::NotSent);
        let parts = [vec![3u64], vec![], vec![4, 5, 6], vec![7, 8], too_many, vec![9, 10, 11]];
        let sent = conn.execute_many(parts.iter().map(|part| query!("DELETE FROM orders WHERE id IN (?)", ..part))).await?;
        let deleted: Vec<Option<u64>> = sent.into_iter().map(|done| done.ok().map(|done| done.rows_affected())).collect();
        assert_eq!(deleted, [Some(1), Some(0), Some(3), Some(2), None, Some(3)]);
        assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM orders").await?, 22);
        Ok(())
    }

    async fn elements_are_of_the_column_s_type(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query!("INSERT INTO tickets (id, state, word, short_word, long_word, rights, priority) VALUES (1, 'open', 'a', '', '', '', 1), (2, 'done', 'b', '', '', '', 1)")
            .execute(&mut conn).await?;
        let found = query_scalar!("SELECT id FROM tickets WHERE state IN (?) ORDER BY id", ..[State::Open, State::InReview, State::Done]).fetch_all(&mut conn).await?;
        assert_eq!(found, [1, 2]);
        let found = query_scalar!("SELECT id FROM tickets WHERE state NOT IN (?) AND word IN (?)", ..[State::Done], ..["a", "c"]).fetch_all(&mut conn).await?;
        assert_eq!(found, [1]);
        let words: Vec<String> = vec!["b".to_owned(), "it's".to_owned()];
        let found = query_scalar!("SELECT id FROM tickets WHERE word IN (?)", ..words).text().fetch_all(&mut conn).await?;
        assert_eq!(found, [2]);
        Ok(())
    }

    /// After a reset of the session the statements are prepared again, lists and all.
    async fn lists_survive_a_reset(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        orders(&mut conn).await?;
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        for _ in 0..4 {
            query!("SET @x = 1").execute(&pool).await?;
            for length in [0, 1, 3, 4] {
                let ids: Vec<u64> = (1..=length).collect();
                let found = query_scalar!("SELECT id FROM orders WHERE id IN (?) ORDER BY id", ..ids).fetch_all(&pool).await?;
                assert_eq!(found, ids);
            }
        }
        Ok(())
    }
}

fn rand_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(0)
}

/// All columns of the first row, one after the other.
async fn one_line(conn: &mut Connection, sql: &str) -> Result<String> {
    let row = query(sql).fetch_one(conn).await?;
    let column = |at| {
        row.get::<Option<String>>(at)
            .ok()
            .flatten()
            .unwrap_or_default()
    };
    Ok((0..row.len()).map(column).collect::<Vec<_>>().join(" | "))
}
