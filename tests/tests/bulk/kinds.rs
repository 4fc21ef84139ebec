//! The statements that can be repeated, and the values of their rows.

use ark_mysql::{Result, insert_many, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{all, connected, numbers, rows};

on_every_server! {
    async fn replace_ignore_and_on_duplicate_key(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows(700)).execute(&mut conn).await?;
        let done = insert_many!("INSERT IGNORE INTO numbers (n, pad) VALUES (?, ?)", rows(1000)).execute(&mut conn).await?;
        assert_eq!(done.rows_affected(), 300);
        let new = (0..1000_u32).map(|n| (n, "new"));
        let done = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?) ON DUPLICATE KEY UPDATE pad = VALUES(pad)", new)
            .execute(&mut conn)
            .await?;
        assert_eq!(done.rows_affected(), 2000, "two for each row that was changed");
        assert_eq!(numbers(&mut conn).await?, all(1000));
        let changed = query_scalar!("SELECT COUNT(*) FROM numbers WHERE pad = 'new'").fetch_one(&mut conn).await?;
        assert_eq!(changed, 1000);
        Ok(())
    }

    async fn one_value_beside_constants(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let names = ["a", "b", "c"].map(|name| (name,));
        insert_many!("INSERT INTO users (name, age) VALUES (UPPER(?), 3 + 4)", names).execute(&mut conn).await?;
        let found = query_scalar!("SELECT name FROM users WHERE age = 7 ORDER BY id").fetch_all(&mut conn).await?;
        assert_eq!(found, ["A", "B", "C"]);
        Ok(())
    }

    async fn rows_by_reference(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let owned: Vec<(u32, String)> = rows(20).collect();
        insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", &owned).execute(&mut conn).await?;
        let again = owned.iter().filter(|(n, _)| *n > 10);
        insert_many!("REPLACE INTO numbers (n, pad) VALUES (?, ?)", again).execute(&mut conn).await?;
        assert_eq!(numbers(&mut conn).await?, all(20));
        Ok(())
    }

    async fn nulls_come_and_go_in_every_column(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        // More columns than a tuple of the driver has, in each row other ones NULL.
        let rows = (0..1500_i32).map(|id| {
            let with = |column: i32| id % column != 0;
            (
                id,
                with(2).then_some(-8_i8),
                with(3).then_some(250_u8),
                with(4).then_some(true),
                with(5).then_some(-3000_i16),
                with(6).then_some(60_000_u16),
                with(7).then_some(id),
                with(8).then_some(4_000_000_000_u32),
                with(9).then_some(i64::MIN),
                with(10).then_some(u64::MAX),
                with(11).then_some(0.5_f32),
                with(12).then_some(f64::from(id)),
                with(13).then_some("ä"),
                with(14).then_some(String::from("line")),
                with(15).then_some(vec![0_u8, 255, 0]),
                with(16).then_some(chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap()),
                with(17).then_some("bb"),
                with(18).then_some("x,yy"),
            )
        });
        let sql = insert_many!(
            "INSERT INTO every_type (id, tiny, utiny, boolean, small, usmall, whole, uwhole, big, ubig, single, twice, fixed, line, page_bytes, day, label, labels)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows
        );
        assert_eq!(sql.execute(&mut conn).await?.rows_affected(), 1500);
        let wrong = ark_mysql::query(
            "SELECT COUNT(*) AS wrong FROM every_type WHERE NOT (
                tiny <=> IF(id % 2, -8, NULL) AND utiny <=> IF(id % 3, 250, NULL) AND boolean <=> IF(id % 4, 1, NULL)
                AND small <=> IF(id % 5, -3000, NULL) AND usmall <=> IF(id % 6, 60000, NULL) AND whole <=> IF(id % 7, id, NULL)
                AND uwhole <=> IF(id % 8, 4000000000, NULL) AND big <=> IF(id % 9, -9223372036854775808, NULL)
                AND ubig <=> IF(id % 10, 18446744073709551615, NULL) AND single <=> IF(id % 11, 0.5, NULL) AND twice <=> IF(id % 12, id, NULL)
                AND fixed <=> IF(id % 13, 'ä', NULL) AND line <=> IF(id % 14, 'line', NULL) AND page_bytes <=> IF(id % 15, X'00ff00', NULL)
                AND day <=> IF(id % 16, '2024-02-29', NULL) AND label <=> IF(id % 17, 'bb', NULL) AND labels <=> IF(id % 18, 'x,yy', NULL))",
        );
        let wrong: i64 = wrong.fetch_one(&mut conn).await?.get("wrong")?;
        assert_eq!(wrong, 0);
        Ok(())
    }
}
