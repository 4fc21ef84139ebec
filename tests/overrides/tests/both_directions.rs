//! The types of `ark-mysql.toml` when it runs: what is written comes back, by every way that leads to a column, on every server.

use ark_mysql::types::Date;
use ark_mysql::{Connection, Result, insert_many, query, query_as, query_scalar};
use tests::Database;
use tests_overrides::{Age, Money, OrderId, State, UserId, Weight};

#[derive(Debug, PartialEq)]
struct User {
    id: UserId,
    name: String,
    age: Option<Age>,
}

/// What the file does not speak of, or an alias speaks against.
#[derive(Debug, PartialEq)]
struct Bare {
    id: u32,
    at: chrono::NaiveDate,
}

async fn open(database: &Database) -> Result<Connection> {
    database.load_schema();
    Connection::connect(database.url()).await
}

tests::on_every_server! {
    async fn columns_keep_their_types_by_every_way(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let row = query!("SELECT u.id, name, age FROM users AS u WHERE u.id = ?", UserId(1)).fetch_one(&mut conn).await?;
        assert_eq!((row.id, row.name.as_str(), row.age), (UserId(1), "Ann", Some(Age(30))));
        let rows = query!("SELECT o.id, user_id, u.id AS who, at FROM orders o LEFT JOIN users u ON u.id = o.user_id ORDER BY o.id").fetch_all(&mut conn).await?;
        assert_eq!((rows[0].id, rows[0].user_id, rows[0].who), (OrderId(1), Some(UserId(1)), Some(UserId(1))));
        assert_eq!((rows[2].id, rows[2].user_id, rows[2].who), (OrderId(3), None, None));
        let _: Date = rows[0].at;
        let derived = query_scalar!("SELECT x.n FROM (SELECT id AS n, name FROM users) AS x WHERE x.name = 'Bob'").fetch_one(&mut conn).await?;
        assert_eq!(derived, UserId(2));
        let grouped = query_scalar!("SELECT x.id FROM (SELECT id, COUNT(*) AS n FROM users GROUP BY id) AS x ORDER BY x.id DESC LIMIT 1").fetch_one(&mut conn).await?;
        assert_eq!(grouped, UserId(3));
        let cte = query!("WITH a (x) AS (SELECT id FROM users), b AS (SELECT x AS y FROM a) SELECT y FROM b WHERE y = ?", UserId(3)).fetch_one(&mut conn).await?;
        assert_eq!(cte.y, UserId(3));
        let both = query_scalar!("SELECT id FROM users WHERE id < 2 UNION SELECT id FROM users WHERE id > 2 ORDER BY 1").fetch_all(&mut conn).await?;
        assert_eq!(both, [UserId(1), UserId(3)]);
        let mixed: Vec<Option<i64>> = query_scalar!("SELECT id AS n FROM users UNION ALL SELECT NULL ORDER BY 1").fetch_all(&mut conn).await?.into_iter().map(|n| n.map(|n| n as i64)).collect();
        assert_eq!(mixed, [None, Some(1), Some(2), Some(3)]);
        let view = query!("SELECT number, total FROM totals WHERE number = ? AND total > ?", UserId(1), 0).fetch_one(&mut conn).await?;
        assert_eq!((view.number, view.total), (UserId(1), Money("12".parse().unwrap())));
        let view = query_scalar!("SELECT number FROM named WHERE word = ? AND number = ?", "Cyd", UserId(3)).fetch_one(&mut conn).await?;
        assert_eq!(view, UserId(3));
        Ok(())
    }

    // MySQL makes a DOUBLE of a FLOAT in expressions, and of nothing else.
    async fn a_float_stays_one_on_its_way(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let (light, heavy) = (Some(Weight(0.1)), Some(Weight(16_777_217.0)));
        query!("INSERT INTO every_type (id, single) VALUES (1, ?), (2, ?), (3, NULL), (4, ?)", light, heavy, light).execute(&mut conn).await?;
        for _ in 0..2 {
            let derived = query_scalar!("SELECT DISTINCT x.f FROM (SELECT id, single AS f FROM every_type WHERE single = ? OR id > 1 LIMIT 9) AS x ORDER BY x.f", Weight(0.1)).fetch_all(&mut conn).await?;
            assert_eq!(derived, [None, light, heavy]);
            let grouped = query_scalar!("SELECT x.f FROM (SELECT single AS f, COUNT(*) AS n FROM every_type GROUP BY single) AS x ORDER BY x.n DESC, x.f DESC").fetch_all(&mut conn).await?;
            assert_eq!(grouped, [light, heavy, None]);
            let both = query_scalar!("WITH w AS (SELECT single FROM every_type WHERE id < 3) SELECT single FROM w UNION SELECT single FROM every_type ORDER BY 1").fetch_all(&mut conn).await?;
            assert_eq!(both, [None, light, heavy]);
            let row = query!("SELECT x.f, MAX(x.f) AS most, SUM(x.f) OVER () AS sum FROM (SELECT single AS f FROM every_type) AS x GROUP BY x.f ORDER BY x.f DESC LIMIT 1").fetch_one(&mut conn).await?;
            assert_eq!((row.f, row.most), (heavy, Some(16_777_216.0_f64)));
            assert!(row.sum.is_some_and(|sum: f64| sum > 16_777_216.0));
        }
        Ok(())
    }

    async fn structs_and_aliases_say_it_otherwise(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let user = query_as!(User, "SELECT id, name, age FROM users WHERE id = 2").fetch_one(&mut conn).await?;
        assert_eq!(user, User { id: UserId(2), name: "Bob".to_owned(), age: None });
        let bare = query_as!(Bare, "SELECT id AS `id: _`, (SELECT MAX(at) FROM orders) AS `at!` FROM users WHERE id = 1").fetch_one(&mut conn).await?;
        assert_eq!(bare, Bare { id: 1, at: chrono::NaiveDate::from_ymd_opt(2024, 3, 1).unwrap() });
        let row = query!("SELECT id AS `id: u64`, age AS `age!: _` FROM users WHERE id = 1").fetch_one(&mut conn).await?;
        assert_eq!((row.id, row.age), (1_u64, 30_i32));
        let total = query_scalar!("SELECT SUM(amount) FROM orders").fetch_one(&mut conn).await?;
        assert_eq!(total, Some(Money("21".parse().unwrap())));
        let row = query!("SELECT boolean, exact FROM every_type").fetch_optional(&mut conn).await?;
        let both: Option<(Option<i8>, Option<Money>)> = row.map(|row| (row.boolean, row.exact));
        assert_eq!(both, None, "nobody put a row there");
        Ok(())
    }

    async fn arguments_go_where_their_columns_are(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let (id, order) = (UserId(7), OrderId(70));
        query!("INSERT INTO users (id, name, age) VALUES (?, ?, ?)", id, "Dan", Some(Age(9))).execute(&mut conn).await?;
        query!("INSERT INTO orders (id, user_id, amount, at) VALUES (:order, :id, 5, '2024-05-06')", order, id = Some(&id)).execute(&mut conn).await?;
        query!("UPDATE users SET age = ? WHERE id <=> ?", None::<Age>, Some(Box::new(id))).execute(&mut conn).await?;
        insert_many!("INSERT INTO users (id, name) VALUES (?, ?)", [(UserId(8), "Eve"), (UserId(9), "Fay")]).execute(&mut conn).await?;
        let names = query_scalar!("SELECT name FROM users WHERE id IN (?) ORDER BY id", ..[id, UserId(9)]).fetch_all(&mut conn).await?;
        assert_eq!(names, ["Dan", "Fay"]);
        let found = query!("SELECT amount FROM orders WHERE (id, user_id) IN ((?, ?))", ..vec![(order, id), (OrderId(1), id)]).fetch_all(&mut conn).await?;
        assert_eq!(found.len(), 1);
        let none = query!("SELECT amount FROM orders WHERE (id, amount) IN ((?, ?))", ..Vec::<(OrderId, i32)>::new()).fetch_all(&mut conn).await?;
        assert!(none.is_empty());
        query!("INSERT INTO tickets (id, state, word, short_word, long_word, rights, priority) VALUES (1, ?, '', '', '', '', 1)", State::InReview).execute(&mut conn).await?;
        let state = query_scalar!("SELECT state FROM tickets WHERE state <> ? AND state IN (?)", State::Done, ..[State::Open, State::InReview]).fetch_one(&mut conn).await?;
        assert_eq!(state, State::InReview);
        Ok(())
    }
}
