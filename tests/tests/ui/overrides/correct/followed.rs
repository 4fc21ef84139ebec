//! The types of `ark-mysql.toml` in every place that columns go to, in both directions.

use ark_mysql::types::Decimal;
use ark_mysql::{Connection, Result, Type, insert_many, query, query_as, query_scalar};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Type)]
struct UserId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
struct OrderId(u64);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
struct Age(i16);

#[derive(Clone, Debug, PartialEq, Type)]
struct Money(Decimal);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[ark_mysql(rename_all = "snake_case")]
enum State {
    Open,
    Sent,
}

struct User {
    id: UserId,
    age: Option<Age>,
}

struct Bare {
    id: u32,
    total: Option<Decimal>,
}

async fn read(conn: &mut Connection) -> Result<(UserId, Option<OrderId>, Option<Age>)> {
    let row = query!("SELECT u.id, o.id AS `order`, age FROM users u LEFT JOIN orders o ON o.user_id = u.id").fetch_one(&mut *conn).await?;
    let _: (UserId, Option<OrderId>, Option<Age>) = (row.id, row.order, row.age);
    let row = query!("SELECT total, paid, placed, state FROM orders").fetch_one(&mut *conn).await?;
    let _: (Money, i8, ark_mysql::types::DateTime, State) = (row.total, row.paid, row.placed, row.state);
    let row = query!("WITH x (n) AS (SELECT id FROM users) SELECT n, (SELECT SUM(total) FROM orders) AS sum FROM x").fetch_one(&mut *conn).await?;
    let _: (UserId, Option<Money>) = (row.n, row.sum);
    let row = query!("SELECT id FROM users UNION SELECT id FROM users").fetch_one(&mut *conn).await?;
    let _: UserId = row.id;
    let row = query!("SELECT number, word FROM named").fetch_one(&mut *conn).await?;
    let _: (UserId, String) = (row.number, row.word);
    let id: UserId = query_scalar!("SELECT id FROM (SELECT id FROM users) x").fetch_one(&mut *conn).await?;
    let user = query_as!(User, "SELECT id, age FROM users").fetch_one(&mut *conn).await?;
    let bare = query_as!(Bare, "SELECT id AS `id: _`, (SELECT total FROM orders LIMIT 1) AS total FROM users").fetch_one(&mut *conn).await?;
    let _: (u32, Option<Decimal>) = (bare.id, bare.total);
    let row = query!("SELECT id AS `id: _`, age AS `age!: i32` FROM users").fetch_one(&mut *conn).await?;
    let _: (u32, i32) = (row.id, row.age);
    let _ = id;
    Ok((user.id, None, user.age))
}

async fn send(conn: &mut Connection, id: UserId, order: OrderId) -> Result<()> {
    query!("SELECT name FROM users WHERE id = ? OR id IN (?) OR ? = id", id, ..[id], &id).fetch_all(&mut *conn).await?;
    query!("SELECT name FROM users WHERE id = ? OR id <=> ?", Arc::new(id), None::<UserId>).fetch_all(&mut *conn).await?;
    query!("SELECT delta FROM orders WHERE (user_id, id) IN ((?, ?))", ..vec![(id, order)]).fetch_all(&mut *conn).await?;
    query!("SELECT name FROM users WHERE age = ? AND id > CAST(? AS UNSIGNED)", Age(7), 5).fetch_all(&mut *conn).await?;
    query!("UPDATE users SET age = :age WHERE id = :id", age = Some(Age(1)), id).execute(&mut *conn).await?;
    query!("UPDATE orders SET state = ?, total = ?, paid = ? WHERE user_id = ?", State::Sent, 5, true, id).execute(&mut *conn).await?;
    query!("DELETE FROM named WHERE number = ? AND word = ?", id, "x").execute(&mut *conn).await?;
    insert_many!("INSERT INTO visits (user_id, count) VALUES (?, ?)", [(id, 1)]).execute(&mut *conn).await?;
    let _ = State::Open;
    Ok(())
}

fn main() {
    let _ = (read, send);
}
