//! What could be different in edition 2021: the life of temporaries, captures, reserved words.

use ark_mysql::{query, query_scalar, Connection, Pool, Result};
use tests::Database;
use tests_edition_2021::{add, by_id, by_name, count, letters};

tests::on_every_server! {
    async fn chained_and_after_a_let(database: Database) -> Result<()> {
        database.load_schema();
        let mut conn = Connection::connect(database.url()).await?;
        let chained = query!("SELECT id, name, age FROM users WHERE id = ?", 1).fetch_one(&mut conn).await?;
        assert_eq!((chained.id, chained.name.as_str(), chained.age), (1, "Ann", Some(30)));
        let later = query!("SELECT id, name FROM users WHERE name = ?", String::from("Bo") + "b");
        assert_eq!(later.fetch_one(&mut conn).await?.id, 2);
        // A temporary in the tail of a block, dropped late in this edition.
        let name = { query_scalar!("SELECT name FROM users WHERE id = ?", 3).fetch_one(&mut conn).await? };
        assert_eq!(name, "Cyd");
        if let Some(row) = query!("SELECT id FROM users WHERE id = 2").fetch_optional(&mut conn).await? {
            assert_eq!(row.id, 2);
            conn.ping().await?;
        }
        let row = query!("SELECT id AS gen, id AS `async` FROM users WHERE id = 1").fetch_one(&mut conn).await?;
        assert_eq!((row.gen, row.r#async), (1, 1));
        Ok(())
    }

    async fn generic_functions_and_spawned_tasks(database: Database) -> Result<()> {
        database.load_schema();
        let pool = Pool::connect(database.url()).await?;
        let spawned = tokio::spawn({
            let pool = pool.clone();
            async move {
                let mut conn = pool.acquire().await?;
                let user = by_id(1, &mut conn).await?;
                assert_eq!(by_name(&user.name, &pool).await?, vec![user]);
                assert_eq!(letters(&mut conn).await?, 9);
                let mut tx = pool.begin().await?;
                assert_eq!(add("Dan".to_owned(), &mut tx).await?, 4);
                assert_eq!(count(&mut tx).await?, 4);
                tx.rollback().await?;
                count(&pool).await
            }
        });
        assert_eq!(spawned.await.unwrap()?, 3);
        Ok(())
    }
}
