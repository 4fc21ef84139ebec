mod origins;

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
            Usage::Selected => "selected".to_owned(),
            Usage::Argument => name,
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
        (
            "SELECT 1 FROM users WHERE name = ? COLLATE utf8mb4_bin AND name LIKE ? COLLATE utf8mb4_bin",
            "users.name users.name",
        ),
        (
            "SELECT 1 FROM users WHERE name IN (? COLLATE utf8mb4_bin, -?)",
            "users.name _",
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
fn order_by_is_read() {
    all(&[
        (
            "SELECT id FROM users WHERE age > ? ORDER BY name = ? DESC, age LIMIT ?",
            "users.age users.name limit",
        ),
        (
            "SELECT age AS years FROM users ORDER BY years = ?",
            "users.age",
        ),
        ("SELECT age AS name FROM users ORDER BY name = ?", "_"),
        (
            "SELECT id FROM users UNION SELECT id FROM orders ORDER BY id = ? LIMIT ?",
            "_ limit",
        ),
        (
            "SELECT (SELECT id FROM orders ORDER BY price > ? LIMIT ?) FROM users ORDER BY name LIKE ?",
            "orders.price limit users.name",
        ),
    ]);
}

#[test]
fn full_text_is_text() {
    for modifier in [
        "",
        " IN BOOLEAN MODE",
        " IN NATURAL LANGUAGE MODE",
        " IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION",
        " WITH QUERY EXPANSION",
    ] {
        for columns in ["(name)", "(users.name, doc)", "name, doc"] {
            let sql = format!(
                "SELECT id, MATCH {columns} AGAINST (?{modifier}) AS score FROM users WHERE age > ? AND MATCH {columns} AGAINST (?{modifier}) \
                 ORDER BY MATCH {columns} AGAINST (?{modifier}) DESC LIMIT ?"
            );
            assert_eq!(told(&sql), "Text users.age Text Text limit", "{sql}");
        }
    }
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
            "SELECT GREATEST(age, ?), LEAST(?, age + 1, ?) FROM users WHERE MOD(id, ?) = ? ORDER BY FIELD(name, ?, ?)",
            "users.age BigInt BigInt BigInt BigInt users.name users.name",
        ),
        ("SELECT GREATEST(?, ?), FIELD(?, 'a', 'b')", "_ _ _"),
        (
            "SELECT 1 FROM users WHERE id = CAST(? AS CHAR) AND CAST(id AS CHAR) = ?",
            "_ Text",
        ),
        ("SELECT born + INTERVAL ? DAY FROM users", "BigInt"),
        ("SELECT ?, CONCAT(?), ? + ?", "selected _ _ _"),
    ]);
}

#[test]
fn columns_of_the_result() {
    all(&[
        ("SELECT ?", "selected"),
        (
            "SELECT id, ? AS x, ? + 1 FROM users WHERE id = ?",
            "selected _ users.id",
        ),
        ("SELECT x.a FROM (SELECT ? AS a) x", "_"),
        ("SELECT ? UNION SELECT id FROM users", "_"),
        (
            "INSERT INTO users (id, name) SELECT ?, ?",
            "=users.id =users.name!",
        ),
        ("SELECT CAST(? AS SIGNED), COALESCE(?, 1)", "_ _"),
    ]);
}

#[test]
fn arguments_of_functions() {
    all(&[
        (
            "SELECT UUID_TO_BIN(?), BIN_TO_UUID(?), IS_UUID(?)",
            "Text Bytes Text",
        ),
        ("SELECT 1 FROM users WHERE photo = INET6_ATON(?)", "Text"),
        (
            "SELECT LEFT(name, ?), SUBSTRING(name, ?, ?), CONCAT(?, name) FROM users",
            "BigInt BigInt BigInt _",
        ),
        (
            "SELECT 1 FROM users WHERE born > NOW() - INTERVAL ? DAY",
            "BigInt",
        ),
        (
            "SELECT DATE_ADD(born, INTERVAL ? MINUTE_SECOND) FROM users",
            "_",
        ),
        (
            "SELECT TIMESTAMPADD(DAY, ?, born), DATE_FORMAT(born, ?) FROM users",
            "BigInt Text",
        ),
        (
            "SELECT JSON_EXTRACT(doc, ?), JSON_SET(doc, '$.a', ?) FROM users",
            "Text _",
        ),
        (
            "SELECT LAG(id, ?) OVER (ORDER BY id), NTILE(?) OVER (PARTITION BY age = ?) FROM users",
            "BigInt BigInt users.age",
        ),
    ]);
}

#[test]
fn frames_of_windows() {
    all(&[
        (
            "SELECT SUM(id) OVER (ORDER BY id ROWS BETWEEN ? PRECEDING AND ? FOLLOWING) FROM users",
            "limit limit",
        ),
        (
            "SELECT SUM(id) OVER (ORDER BY id ROWS ? PRECEDING) FROM users WHERE id = ?",
            "limit users.id",
        ),
        (
            "SELECT SUM(id) OVER (ORDER BY id RANGE ? PRECEDING) FROM users",
            "_",
        ),
        (
            "SELECT SUM(id) OVER w FROM users WINDOW w AS (PARTITION BY name = ? ORDER BY id ROWS ? PRECEDING)",
            "users.name limit",
        ),
        (
            "SELECT SUM(id) OVER (ORDER BY born RANGE INTERVAL ? DAY PRECEDING) FROM users",
            "BigInt",
        ),
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
            "UPDATE users SET name = IF(?, ?, name), age = CASE WHEN id = ? THEN ? WHEN born = ? THEN ? + 1 END",
            "_ =users.name! users.id =users.age users.born _",
        ),
        (
            "UPDATE users SET name = COALESCE(NULLIF(?, ''), ?), age = NULLIF(?, ?)",
            "users.name =users.name! =users.age _",
        ),
        (
            "INSERT INTO users (name, age) VALUES (IFNULL(?, 'x'), (SELECT ?)) ON DUPLICATE KEY UPDATE name = IFNULL(?, name)",
            "users.name _ users.name",
        ),
        (
            "INSERT INTO users (name, age) SELECT COALESCE(?, ?), age + ? FROM users",
            "users.name =users.name! BigInt",
        ),
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
