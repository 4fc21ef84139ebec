#![deny(warnings)]

use ark_mysql::{Connection, Error, Executor, Pool, Transaction, insert_many};
use std::time::Duration;

struct User {
    name: String,
    age: Option<i16>,
}

fn is_send<T: Send>(value: T) -> T {
    value
}

async fn all(conn: &mut Connection, pool: &Pool, tx: &mut Transaction<'_>, users: &[User]) -> Result<u64, Error> {
    let rows = users.iter().map(|user| (&user.name, user.age));
    let inserting = insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", rows).execute(&mut *conn);
    let done = is_send(inserting).await?;
    let owned: Vec<(String, i16)> = Vec::new();
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", &owned).execute(pool).await?;
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", owned,)
        .not_atomic()
        .deadline(Duration::from_secs(1))
        .execute(&mut *tx)
        .await?;
    let kept = insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", vec![("Ann", 1_i16); 3]);
    kept.execute(tx).await?;
    Ok(done.rows_affected())
}

async fn generic(on: impl Executor, ids: impl IntoIterator<Item = i16>) -> Result<(), Error> {
    let rows = ids.into_iter().map(|age| (age,));
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES ('x', ?, NOW(), '', '{}')", rows).execute(on).await?;
    Ok(())
}

fn main() {
    let _ = (all, generic as fn(&'static Pool, Vec<i16>) -> _);
}
