use super::*;
use crate::description::RawColumn;

fn tables() -> Tables {
    let table = |name: &str, columns: &[(&str, Kind, bool)]| {
        let columns = columns.iter().map(|&(column, kind, not_null)| RawColumn {
            name: column.to_owned(),
            kind,
            not_null,
            auto_increment: column == "id",
            table: name.to_owned(),
            org_table: name.to_owned(),
            org_name: column.to_owned(),
            schema: String::new(),
            labels: Vec::new(),
        });
        let name = TableName {
            schema: None,
            name: name.to_owned(),
        };
        (name, columns.collect::<Vec<RawColumn>>())
    };
    let mut tables = Tables::from([
        table(
            "users",
            &[
                ("id", Kind::IntUnsigned, true),
                ("name", Kind::Text, true),
                ("age", Kind::TinyInt, false),
                ("born", Kind::Date, false),
                ("photo", Kind::Bytes, false),
                ("doc", Kind::Json, false),
            ],
        ),
        table(
            "orders",
            &[
                ("id", Kind::BigInt, true),
                ("user_id", Kind::IntUnsigned, false),
                ("price", Kind::Decimal, true),
            ],
        ),
        table(
            "named",
            &[
                ("number", Kind::IntUnsigned, true),
                ("word", Kind::Text, true),
            ],
        ),
        table(
            "totals",
            &[
                ("number", Kind::IntUnsigned, true),
                ("total", Kind::BigInt, true),
            ],
        ),
    ]);
    for name in ["users", "named"] {
        let of = |schema: Option<&str>| TableName {
            schema: schema.map(str::to_owned),
            name: name.to_owned(),
        };
        let columns = tables.get(&of(None)).cloned().unwrap();
        tables.insert(of(Some("shop")), columns);
    }
    tables
}

/// `named` gives columns of `users` other names, `totals` makes one of its own; what stands in them is described as tables are.
fn views() -> Vec<View> {
    let view = |name: &str, definition: &str| View {
        name: name.to_owned(),
        schema: "shop".to_owned(),
        is_current: true,
        definition: Some(definition.to_owned()),
    };
    vec![
        view(
            "named",
            "select `shop`.`users`.`id` AS `number`,`shop`.`users`.`name` AS `word` from `shop`.`users`",
        ),
        view(
            "totals",
            "select `n`.`number` AS `number`,count(0) AS `total` from `shop`.`named` `n` group by `n`.`number`",
        ),
    ]
}

/// Where the columns of a result come from.
fn from(sql: &str, names: &[&str]) -> String {
    let columns = names.iter().map(|name| RawColumn {
        name: (*name).to_owned(),
        kind: Kind::Int,
        not_null: true,
        auto_increment: false,
        table: String::new(),
        org_table: String::new(),
        org_name: String::new(),
        schema: String::new(),
        labels: Vec::new(),
    });
    let columns: Vec<RawColumn> = columns.collect();
    let found = origins(&Sql::parse(sql).unwrap(), &views(), &tables(), &columns);
    let told = found.iter().map(|origin| match origin {
        Some(origin) => format!("{}.{}", origin.table, origin.column),
        None => "_".to_owned(),
    });
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn columns_come_from_tables_by_any_way() {
    for (sql, names, expected) in [
        (
            "SELECT u.id AS x FROM users u LEFT JOIN orders o ON 1",
            &["x"][..],
            "users.id",
        ),
        (
            "SELECT x.n FROM (SELECT id AS n FROM users) x",
            &["n"],
            "users.id",
        ),
        (
            "SELECT * FROM (SELECT id, user_id FROM orders) x",
            &["id", "user_id"],
            "orders.id orders.user_id",
        ),
        (
            "WITH a (x) AS (SELECT id FROM users), b AS (SELECT x FROM a) SELECT x AS y FROM b",
            &["y"],
            "users.id",
        ),
        (
            "SELECT number, word FROM named",
            &["number", "word"],
            "users.id users.name",
        ),
        (
            "SELECT number, total FROM totals",
            &["number", "total"],
            "users.id totals.total",
        ),
        (
            "SELECT id FROM users UNION SELECT id FROM users WHERE id > 5",
            &["id"],
            "users.id",
        ),
        (
            "SELECT id FROM users UNION SELECT user_id FROM orders",
            &["id"],
            "_",
        ),
        (
            "SELECT number FROM named UNION ALL SELECT ID FROM users",
            &["number"],
            "users.id",
        ),
        (
            "SELECT -id AS n, id + 1 AS m, MAX(id) AS x FROM users",
            &["n", "m", "x"],
            "_ _ _",
        ),
        (
            "SELECT name COLLATE utf8mb4_bin AS n FROM users",
            &["n"],
            "users.name",
        ),
        ("SELECT (SELECT name FROM users) AS n", &["n"], "users.name"),
        (
            "WITH RECURSIVE x AS (SELECT id FROM users UNION ALL SELECT id + 1 FROM x) SELECT id FROM x",
            &["id"],
            "_",
        ),
        ("SELECT id FROM users", &["other"], ""),
        ("SELECT id FROM users", &["id", "name"], ""),
        ("SELECT id FROM missing", &["id"], "_"),
    ] {
        assert_eq!(from(sql, names), expected, "{sql}");
    }
}

#[test]
fn parameters_against_views_stand_against_their_tables() {
    all(&[
        (
            "SELECT 1 FROM named WHERE number = ? AND word = ?",
            "users.id users.name",
        ),
        (
            "SELECT 1 FROM totals WHERE number = ? AND total > ?",
            "users.id totals.total",
        ),
        (
            "UPDATE named SET word = ? WHERE number = ?",
            "=users.name! users.id",
        ),
        (
            "INSERT INTO named (number, word) VALUES (?, ?)",
            "=users.id! =users.name!",
        ),
        ("SELECT 1 FROM users WHERE -id = ?", "IntUnsigned"),
    ]);
}

#[test]
fn what_lies_below_views_is_wanted() {
    let wanted = |sql: &str| {
        let wanted = wanted_for_origins(&Sql::parse(sql).unwrap(), &views());
        let names: Vec<String> = wanted.iter().map(TableName::quoted).collect();
        names.join(" ")
    };
    assert_eq!(wanted("SELECT id FROM users"), "");
    assert_eq!(wanted("SELECT 1 FROM totals"), "`totals` `shop`.`users`");
    assert_eq!(
        wanted("UPDATE named SET word = 'x'"),
        "`named` `shop`.`users`"
    );
    assert_eq!(wanted("SELECT id FROM (SELECT id FROM users) x"), "`users`");
    assert_eq!(wanted("SELECT id FROM users UNION SELECT 1"), "`users`");
}

/// What each parameter stands against: `id` compared, `=id` stored, `=id!` in a column that takes no NULL, `_` unknown.
fn told(sql: &str) -> String {
    let sql = Sql::parse(sql).unwrap();
    let found = against(&sql, &views(), &tables(), sql.params().len());
    let told = found.iter().map(|param| {
        let Some(against) = &param.against else {
            return "_".to_owned();
        };
        let name = match (&against.table, &against.column) {
            (Some(table), Some(column)) => format!("{table}.{column}"),
            _ => format!("{:?}", against.kind),
        };
        match against.usage {
            Usage::Compared => name,
            Usage::Stored { nullable: true } => format!("={name}"),
            Usage::Stored { nullable: false } => format!("={name}!"),
            Usage::Limit => "limit".to_owned(),
        }
    });
    told.collect::<Vec<_>>().join(" ")
}

fn all(cases: &[(&str, &str)]) {
    for (sql, expected) in cases {
        assert_eq!(told(sql), *expected, "{sql}");
    }
}

#[test]
fn comparisons_in_both_directions() {
    for operator in ["=", "<", ">", "<=", ">=", "<>", "!=", "<=>"] {
        all(&[
            (
                &format!("SELECT 1 FROM users WHERE id {operator} ?"),
                "users.id",
            ),
            (
                &format!("SELECT 1 FROM users WHERE ? {operator} id"),
                "users.id",
            ),
        ]);
    }
    all(&[
        (
            "SELECT 1 FROM users WHERE id IN (?, 1, ?)",
            "users.id users.id",
        ),
        ("SELECT 1 FROM users WHERE id NOT IN (?)", "users.id"),
        (
            "SELECT 1 FROM users WHERE id BETWEEN ? AND ?",
            "users.id users.id",
        ),
        (
            "SELECT 1 FROM users WHERE ? NOT BETWEEN id AND age",
            "users.id",
        ),
        (
            "SELECT 1 FROM users WHERE (id, name) = (?, ?)",
            "users.id users.name",
        ),
        (
            "SELECT 1 FROM users WHERE (id, name) IN ((?, ?), (?, ?))",
            "users.id users.name users.id users.name",
        ),
        (
            "SELECT 1 FROM users WHERE name COLLATE utf8mb4_bin = ?",
            "users.name",
        ),
        ("SELECT 1 FROM users WHERE NOT (((id)) = (?))", "users.id"),
        (
            "SELECT CASE age WHEN ? THEN ? ELSE ? END FROM users",
            "users.age _ _",
        ),
        (
            "SELECT CASE WHEN age = ? THEN ? END FROM users",
            "users.age _",
        ),
        ("SELECT id = ? FROM users", "users.id"),
        ("SELECT 1 FROM users WHERE doc = ?", "_"),
        (
            "SELECT 1 FROM users WHERE ? IS NULL OR age = ?",
            "_ users.age",
        ),
        ("SELECT 1 FROM users WHERE nothing = ?", "_"),
    ]);
}

#[test]
fn patterns_are_text() {
    all(&[
        ("SELECT 1 FROM users WHERE name LIKE ?", "users.name"),
        (
            "SELECT 1 FROM users WHERE name NOT LIKE ? ESCAPE ?",
            "users.name users.name",
        ),
        ("SELECT 1 FROM users WHERE id LIKE ?", "Text"),
        ("SELECT 1 FROM users WHERE photo LIKE ?", "_"),
        ("SELECT 1 FROM users WHERE name REGEXP ?", "users.name"),
        ("SELECT 1 FROM users WHERE ? LIKE name", "users.name"),
        ("SELECT ? LIKE ?", "_ _"),
    ]);
}

#[test]
fn names_are_looked_up_where_they_come_from() {
    all(&[
        (
            "SELECT 1 FROM users u JOIN orders o ON o.user_id = u.id AND o.price > ? WHERE u.name = ? AND price < ?",
            "orders.price users.name orders.price",
        ),
        ("SELECT 1 FROM users, orders WHERE id = ?", "_"),
        ("SELECT 1 FROM users JOIN missing WHERE name = ?", "_"),
        (
            "SELECT 1 FROM users JOIN missing WHERE users.name = ?",
            "users.name",
        ),
        (
            "SELECT 1 FROM (SELECT id AS n, 1 AS one FROM users WHERE age = ?) x WHERE n = ? AND one = ?",
            "users.age users.id _",
        ),
        (
            "SELECT 1 FROM (SELECT * FROM users) x (a, b, c, d, e, f) WHERE b = ?",
            "users.name",
        ),
        (
            "WITH x (n) AS (SELECT name FROM users) SELECT 1 FROM x WHERE n = ?",
            "users.name",
        ),
        (
            "WITH RECURSIVE x AS (SELECT id FROM users WHERE id = ? UNION ALL SELECT id + 1 FROM x WHERE id < ?) SELECT 1 FROM x",
            "users.id _",
        ),
        (
            "SELECT 1 FROM orders WHERE EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND price = ?)",
            "orders.price",
        ),
        (
            "SELECT 1 FROM orders WHERE user_id IN (SELECT id FROM users WHERE name = ?)",
            "users.name",
        ),
        ("SELECT 1 WHERE ? IN (SELECT name FROM users)", "users.name"),
        ("SELECT 1 FROM users WHERE id = (SELECT ?)", "users.id"),
        ("SELECT 1 WHERE ? = (SELECT MAX(born) FROM users)", "Date"),
        (
            "SELECT name FROM users WHERE id = ? UNION SELECT name FROM users WHERE age = ?",
            "users.id users.age",
        ),
        (
            "SELECT 1 FROM (SELECT id FROM users UNION SELECT name FROM users) x WHERE id = ?",
            "_",
        ),
        (
            "SELECT COUNT(*) AS n, name AS id FROM users GROUP BY name HAVING n > ? AND id = ?",
            "BigInt users.name",
        ),
        (
            "SELECT 1 FROM `users` AS `U` WHERE `u`.`Name` = ?",
            "users.name",
        ),
    ]);
}

#[test]
fn expressions_of_columns() {
    all(&[
        (
            "SELECT age + ?, price * ? FROM users, orders",
            "BigInt Decimal",
        ),
        ("SELECT 1 FROM users WHERE age + 1 > ?", "BigInt"),
        ("SELECT 1 FROM users WHERE LOWER(name) = ?", "Text"),
        ("SELECT 1 FROM users WHERE CONCAT(photo, 'x') = ?", "_"),
        ("SELECT 1 FROM users WHERE YEAR(born) = ?", "BigInt"),
        (
            "SELECT 1 FROM users WHERE born > NOW() AND DATE(NOW()) = ?",
            "Date",
        ),
        ("SELECT COALESCE(?, age) FROM users", "users.age"),
        (
            "SELECT 1 FROM users WHERE id = CAST(? AS CHAR) AND CAST(id AS CHAR) = ?",
            "_ Text",
        ),
        ("SELECT born + INTERVAL ? DAY FROM users", "_"),
        ("SELECT ?, CONCAT(?), ? + ?", "_ _ _ _"),
    ]);
}

#[test]
fn limits() {
    all(&[
        ("SELECT 1 FROM users LIMIT ?", "limit"),
        ("SELECT 1 FROM users LIMIT ?, ?", "limit limit"),
        (
            "SELECT 1 FROM (SELECT 1 FROM users LIMIT ? OFFSET ?) x",
            "limit limit",
        ),
        (
            "DELETE FROM users WHERE age = ? ORDER BY id LIMIT ?",
            "users.age limit",
        ),
        ("UPDATE users SET age = 1 LIMIT ?", "limit"),
    ]);
}

#[test]
fn values_that_are_stored() {
    all(&[
        (
            "INSERT INTO users (name, age) VALUES (?, ?), (?, 1 + ?)",
            "=users.name! =users.age =users.name! _",
        ),
        (
            "INSERT INTO users (id, Name) VALUES (?, CONCAT(?))",
            "=users.id _",
        ),
        (
            "INSERT INTO orders VALUES (?, ?, ?)",
            "=orders.id =orders.user_id =orders.price!",
        ),
        (
            "REPLACE users SET name = ?, age = age + ?",
            "=users.name! _",
        ),
        (
            "INSERT IGNORE INTO users (name) VALUES (?) AS new ON DUPLICATE KEY UPDATE name = ?, age = age + ?",
            "=users.name! =users.name! BigInt",
        ),
        (
            "INSERT INTO users (name, age) SELECT ?, age FROM users WHERE id = ?",
            "=users.name! users.id",
        ),
        ("INSERT INTO users (name, age) SELECT *, ? FROM users", "_"),
        ("INSERT INTO missing (name) VALUES (?)", "_"),
        ("INSERT INTO users (nothing) VALUES (?)", "_"),
        (
            "INSERT INTO users (name) VALUES (?) RETURNING id",
            "=users.name!",
        ),
        (
            "UPDATE users SET name = ?, age = ?, born = NULL WHERE id = ?",
            "=users.name! =users.age users.id",
        ),
        (
            "UPDATE users u JOIN orders o ON o.user_id = u.id AND o.id = ? SET u.name = ?, o.price = o.price - ? WHERE o.price > ?",
            "orders.id =users.name! Decimal orders.price",
        ),
        ("UPDATE users SET id = ?", "=users.id!"),
        ("UPDATE users SET name = COALESCE(?, name)", "users.name"),
        (
            "DELETE u FROM users u JOIN orders ON user_id = u.id WHERE price = ? AND u.id = ?",
            "orders.price users.id",
        ),
        (
            "DELETE FROM users USING users JOIN orders WHERE price = ?",
            "orders.price",
        ),
        (
            "WITH x AS (SELECT id FROM users WHERE age = ?) DELETE FROM orders WHERE user_id IN (SELECT id FROM x WHERE id > ?)",
            "users.age users.id",
        ),
    ]);
}

#[test]
fn nothing_is_said_where_the_server_counts_otherwise() {
    let sql = Sql::parse("SELECT 1 FROM users WHERE id = ?").unwrap();
    let found = against(&sql, &[], &tables(), 2);
    assert_eq!(found, vec![DescribedParam::default(); 2]);
}

#[test]
fn the_tables_that_are_wanted() {
    let wanted = |sql: &str| {
        let wanted = wanted_for_params(&Sql::parse(sql).unwrap());
        wanted
            .iter()
            .map(TableName::quoted)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(wanted("SELECT 1 FROM users"), "");
    assert_eq!(wanted("SELECT 1 FROM b, db.a WHERE ?"), "`b` `db`.`a`");
    assert_eq!(wanted("WITH x AS (SELECT 1 FROM a) SELECT ? FROM x"), "`a`");
    assert_eq!(wanted("INSERT INTO a (n) VALUES (1)"), "`a`");
    assert_eq!(
        wanted("UPDATE a, b SET n = ? WHERE n IN (SELECT 1 FROM c)"),
        "`a` `b` `c`"
    );
}
