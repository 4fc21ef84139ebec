use super::*;

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

/// Eight views, each of which joins the one before it with itself nine times: a hundred million ways lead to the table.
#[test]
fn views_that_many_ways_lead_to_are_read_once() {
    let (mut views, mut tables) = (Vec::new(), tables());
    let mut below = "users".to_owned();
    for number in 0..8 {
        let joins: String = (1..10)
            .map(|join| format!(" JOIN {below} r{join} ON r{join}.id = r0.id"))
            .collect();
        let name = format!("w{number}");
        views.push(View {
            name: name.clone(),
            schema: "shop".to_owned(),
            is_current: true,
            definition: Some(format!("SELECT r9.id FROM {below} r0{joins}")),
        });
        let of = |schema: Option<&str>| TableName {
            schema: schema.map(str::to_owned),
            name: name.clone(),
        };
        let columns = tables.iter().find(|(table, _)| table.name == "users");
        let id = columns.map(|(_, columns)| vec![columns.first().unwrap().clone()]);
        for schema in [None, Some("shop")] {
            tables.insert(of(schema), id.clone().unwrap());
        }
        below = name;
    }
    let sql = Sql::parse("SELECT id FROM w7").unwrap();
    let column = tables
        .values()
        .flatten()
        .find(|column| column.org_name == "id");
    let sent = RawColumn {
        name: "id".to_owned(),
        ..column.unwrap().clone()
    };
    let found = origins(&sql, &views, &tables, &[sent]);
    let tables: Vec<_> = found
        .iter()
        .flatten()
        .map(|origin| origin.table.as_str())
        .collect();
    assert_eq!(tables, ["users"]);
}
