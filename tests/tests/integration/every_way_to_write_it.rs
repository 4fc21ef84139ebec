//! The ways in which people write statements and what they do with them: chained, after a `let`, generic, spawned, in files, with names.
//! Edition 2021 has the same tests in a package of its own.

use ark_mysql::value::Encode;
use ark_mysql::{
    Connection, ErrorKind, Executor, Outcome, Pool, Result, kind, query, query_as, query_file,
    query_file_as, query_file_scalar, query_scalar,
};
use tests::{Database, on_every_server};

use crate::support::{fails, open};

#[derive(Debug, PartialEq)]
struct User {
    id: u32,
    name: String,
    age: Option<i32>,
}

#[derive(Debug, PartialEq)]
struct UserRef<'a> {
    id: u32,
    name: &'a str,
}

fn ann() -> User {
    User {
        id: 1,
        name: "Ann".to_owned(),
        age: Some(30),
    }
}

async fn name_of(id: u32, on: impl Executor) -> Result<String> {
    query_scalar!("SELECT name FROM users WHERE id = ?", id)
        .fetch_one(on)
        .await
}

async fn ids_of<'a, T, E>(name: &'a T, on: E) -> Result<Vec<u32>>
where
    T: Encode<kind::Text> + Sync + ?Sized,
    &'a T: Encode<kind::Text>,
    E: Executor,
{
    query_scalar!("SELECT id FROM users WHERE name = ? ORDER BY id", name)
        .fetch_all(on)
        .await
}

on_every_server! {
    async fn chained_and_after_a_let(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let chained = query!("SELECT id, name, age FROM users WHERE id = ?", 1).fetch_one(&mut conn).await?;
        assert_eq!((chained.id, chained.name.as_str(), chained.age), (1, "Ann", Some(30)));
        let id = 1u32;
        let bound = query!("SELECT id, name, age FROM users WHERE id = ?", id);
        let later = bound.fetch_one(&mut conn).await?;
        assert_eq!((later.id, &later.name, later.age), (chained.id, &chained.name, chained.age));
        let temporary = query!("SELECT id FROM users WHERE name = ?", String::from("Cy") + "d");
        assert_eq!(temporary.fetch_one(&mut conn).await?.id, 3);
        let name = format!("{}d", "Cy");
        let text = query!("SELECT id FROM users WHERE name = ?", name).text();
        assert_eq!(text.fetch_one(&mut conn).await?.id, 3);
        Ok(())
    }

    async fn rows_can_be_shown_cloned_and_compared(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = query!("SELECT id, name, age FROM users ORDER BY id").fetch_all(&mut conn).await?;
        assert_eq!(rows.clone(), rows);
        assert!(format!("{:?}", rows[0]).contains("Ann"));
        Ok(())
    }

    async fn arguments_are_borrowed(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let (name, age) = (String::from("Dan"), Some(7));
        query!("INSERT INTO users (name, age) VALUES (?, ?)", name, age).execute(&mut conn).await?;
        let found = query!("SELECT id FROM users WHERE name = ? AND age <=> ?", name, age).fetch_one(&mut conn).await?;
        assert_eq!((found.id, name.as_str(), age), (4, "Dan", Some(7)), "name was not moved");
        let user = ann();
        let again = query_as!(User, "SELECT id, name, age FROM users WHERE name = ?", user.name).fetch_one(&mut conn).await?;
        assert_eq!(again, user);
        Ok(())
    }

    async fn two_call_sites_fill_the_same_struct(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let one = query_as!(User, "SELECT id, name, age FROM users WHERE id = ?", 1u32).fetch_one(&mut conn).await?;
        // Another order of columns, another statement, one more query! with the same text, and the same struct.
        let two = query_as!(User, "SELECT age, name, id FROM users WHERE name = ?", "Ann").fetch_one(&mut conn).await?;
        let three = query_as!(User, "SELECT id, name, age FROM users WHERE id = ?", 1u32).text().fetch_one(&mut conn).await?;
        assert_eq!([one, two, three], [ann(), ann(), ann()]);
        Ok(())
    }

    async fn scalars(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let count: i64 = query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?;
        assert_eq!(count, 3);
        let age: Option<i32> = query_scalar!("SELECT age FROM users WHERE id = 2").fetch_one(&mut conn).await?;
        assert_eq!(age, None);
        let none: Option<Option<i32>> = query_scalar!("SELECT age FROM users WHERE id = 99").fetch_optional(&mut conn).await?;
        assert_eq!(none, None);
        let names = query_as!(String, "SELECT name FROM users ORDER BY id DESC").fetch_all(&mut conn).await?;
        assert_eq!(names, ["Cyd", "Bob", "Ann"]);
        let wide = query_as!(i64, "SELECT id FROM users ORDER BY id").fetch_all(&mut conn).await?;
        assert_eq!(wide, [1, 2, 3]);
        Ok(())
    }

    async fn borrowed_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut seen = Vec::new();
        let walk = query_as!(UserRef<'_>, "SELECT id, name FROM users ORDER BY id").for_each(&mut conn, |user| {
            seen.push((user.id, user.name.len(), user.name.to_owned()));
            Ok(())
        });
        walk.await?;
        assert_eq!(seen, [(1, 3, "Ann".to_owned()), (2, 3, "Bob".to_owned()), (3, 3, "Cyd".to_owned())]);
        let mut letters = 0;
        query_as!(&str, "SELECT name FROM users").text().for_each(&mut conn, |name| { letters += name.len(); Ok(()) }).await?;
        assert_eq!(letters, 9);
        // An error of the caller's ends the walk, not the connection.
        let walk = query_as!(UserRef<'_>, "SELECT id, name FROM users ORDER BY id").for_each(&mut conn, |user| match user.id {
            2 => Err(ark_mysql::Error::other("enough")),
            _ => Ok(()),
        });
        let error = fails(walk.await, ErrorKind::Other, Outcome::Done);
        assert!(error.to_string().contains("enough"), "{error}");
        assert_eq!(name_of(2, &mut conn).await?, "Bob");
        Ok(())
    }

    async fn names_for_parameters(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = 2u32;
        let user = ann();
        let both = query!("SELECT id, name FROM users WHERE id = :id OR name = :who ORDER BY id", id, who = user.name).fetch_all(&mut conn).await?;
        assert_eq!(both.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2]);
        let twice = query!("SELECT CAST(:id AS SIGNED) AS `a?`, id FROM users WHERE id = :id", id).fetch_one(&mut conn).await?;
        assert_eq!((twice.a, twice.id), (Some(2), 2));
        let from_scope = query_scalar!("SELECT name FROM users WHERE id = :id AND name <> ':id'").fetch_one(&mut conn).await?;
        assert_eq!(from_scope, "Bob");
        Ok(())
    }

    async fn statements_in_files(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = query_file!("queries/users_older_than.sql", 20).fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 3]);
        let users = query_file_as!(User, "queries/users_older_than.sql", 29).fetch_all(&mut conn).await?;
        assert_eq!(users[0], ann());
        let first = 2;
        assert_eq!(query_file_scalar!("queries/count_users.sql", first).fetch_one(&mut conn).await?, 2);
        assert_eq!(query_scalar!(include_str!("../../queries/count_users.sql"), first).text().fetch_one(&mut conn).await?, 2);
        Ok(())
    }

    async fn other_forms_of_literals(database: Database) -> Result<()> {
        macro_rules! find {
            ($sql:literal, $($value:expr),*) => { query_scalar!($sql, $($value),*) };
        }
        let mut conn = open(&database).await?;
        assert_eq!(query_scalar!(r#"SELECT id FROM users WHERE name = "Bob""#).fetch_one(&mut conn).await?, 2);
        assert_eq!(query_scalar!(concat!("SELECT id ", "FROM users WHERE id = ", 3)).fetch_one(&mut conn).await?, 3);
        assert_eq!(query_scalar!("SELECT id \
            FROM users WHERE name = 'Ann'").fetch_one(&mut conn).await?, 1);
        assert_eq!(find!("SELECT id FROM users WHERE name = ?", "Cyd").fetch_one(&mut conn).await?, 3);
        let all = vec![query_scalar!("SELECT id FROM users WHERE name = 'Bob'").fetch_one(&mut conn).await?];
        assert_eq!(format!("{all:?} {}", query_scalar!("SELECT name FROM users WHERE id = 1").fetch_one(&mut conn).await?), "[2] Ann");
        Ok(())
    }

    async fn names_that_rust_keeps_for_itself(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let row = query!("SELECT id AS type, name AS `match` FROM users WHERE id = 1").fetch_one(&mut conn).await?;
        assert_eq!((row.r#type, row.r#match.as_str()), (1, "Ann"));
        // Names of our own and of the user's do not get in each other's way.
        let (row, value, reader, index, statement, params) = (1, 2, 3, 4, 5, 6);
        struct Row;
        struct Statement;
        let count = query!("SELECT id AS `row`, name AS statement FROM users WHERE id IN (?, ?, ?, ?, ?, ?)", row, value, reader, index, statement, params);
        assert_eq!(count.fetch_all(&mut conn).await?.len(), 3);
        let _ = (Row, Statement);
        Ok(())
    }

    async fn generic_functions(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let pool = Pool::connect(database.url()).await?;
        assert_eq!(name_of(1, &mut conn).await?, "Ann");
        assert_eq!(name_of(2, &pool).await?, "Bob");
        assert_eq!(name_of(3, &mut *pool.acquire().await?).await?, "Cyd");
        let mut tx = pool.begin().await?;
        assert_eq!(name_of(3, &mut tx).await?, "Cyd");
        let mut savepoint = tx.savepoint().await?;
        assert_eq!(name_of(1, &mut savepoint).await?, "Ann");
        drop(savepoint);
        tx.commit().await?;
        assert_eq!(ids_of("Bob", &mut conn).await?, [2]);
        assert_eq!(ids_of(&String::from("Ann"), &pool).await?, [1]);
        assert_eq!(ids_of(&Some("Cyd"), &mut conn).await?, [3]);
        assert_eq!(ids_of(&None::<String>, &mut conn).await?, [0; 0]);
        Ok(())
    }

    async fn spawned_on_many_threads(database: Database) -> Result<()> {
        database.load_schema();
        let pool = Pool::builder().max_connections(3).connect(database.url()).await?;
        let tasks: Vec<_> = (0..30i32).map(|number| {
            let pool = pool.clone();
            tokio::spawn(async move {
                let id = u32::try_from(number % 3 + 1).unwrap();
                let mut conn = pool.acquire().await?;
                let mut tx = conn.begin().await?;
                let name = name_of(id, &mut tx).await?;
                let mut rows = query_as!(User, "SELECT id, name, age FROM users WHERE id = ?", id).fetch(&mut tx);
                let user = rows.next().await?.unwrap();
                drop(rows);
                assert_eq!((user.id, user.name), (id, name));
                query_as!(&str, "SELECT name FROM users").for_each(&mut tx, |_| Ok(())).await?;
                tx.commit().await?;
                drop(conn);
                query!("UPDATE users SET age = ? WHERE id = ?", number % 3 + 1, id).execute(&pool).await
            })
        }).collect();
        for task in tasks {
            task.await.unwrap()?;
        }
        assert_eq!(query_scalar!("SELECT age FROM users ORDER BY id").fetch_all(&pool).await?, [Some(1), Some(2), Some(3)]);
        Ok(())
    }

    async fn more_parameters_than_a_tuple_has(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let row = query!(
            "SELECT CAST(CONCAT_WS(',', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS CHAR(200)) AS `all?`",
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, "a", "b", None::<i32>, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, "end"
        );
        let expected = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,a,b,20,21,22,23,24,25,26,27,28,29,30,31,32,33,end";
        assert_eq!(row.fetch_one(&mut conn).await?.all.as_deref(), Some(expected));
        Ok(())
    }
}

/// Futures can be moved between threads and connections: what people put into `tokio::spawn`.
#[test]
fn futures_are_send() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    async fn all(conn: &mut Connection) -> Result<()> {
        is_send(query!("SELECT id, name FROM users").fetch_all(&mut *conn)).await?;
        is_send(query!("SELECT id, name FROM users").fetch_optional(&mut *conn)).await?;
        is_send(
            query_as!(UserRef<'_>, "SELECT id, name FROM users").for_each(&mut *conn, |_| Ok(())),
        )
        .await?;
        is_send(is_send(query!("SELECT id, name FROM users").fetch(&mut *conn)).next()).await?;
        is_send(is_send(conn.begin()).await?.commit()).await
    }
    for kind in tests::Server::ALL {
        let database = Database::new(kind);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let task = async move {
            let mut conn = open(&database).await.unwrap();
            all(&mut conn).await.unwrap();
        };
        runtime.block_on(tests::in_time(async move {
            tokio::spawn(is_send(task)).await.unwrap()
        }));
    }
}
