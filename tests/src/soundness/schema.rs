//! Random tables, and random rows for them.

use super::random::Random;
use super::value::Class;

/// Something that can be selected from.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) class: Class,
    /// The type and NOT NULL as declared; empty for columns of views and derived tables.
    declared: &'static str,
    not_null: bool,
}

impl Column {
    pub(super) fn of(name: String, class: Class) -> Self {
        Self {
            name,
            class,
            declared: "",
            not_null: false,
        }
    }
}

/// What the rows of a data set are like.
#[derive(Clone, Copy, Debug)]
pub(super) enum Data {
    /// Every table is empty.
    Empty,
    /// NULL wherever it may be, zero dates elsewhere; one table is empty.
    Hollow,
    /// Many rows that match each other.
    Dense,
    /// A few rows; one table is empty.
    Sparse,
}

impl Data {
    pub(super) const ALL: [Self; 4] = [Self::Dense, Self::Hollow, Self::Sparse, Self::Empty];
}

const TABLES: usize = 4;

pub(super) fn tables(random: &mut Random) -> Vec<Relation> {
    (0..TABLES)
        .map(|number| table(&format!("t{number}"), random))
        .collect()
}

fn table(name: &str, random: &mut Random) -> Relation {
    let id = Column {
        name: "id".to_owned(),
        class: Class::Int,
        declared: "INT",
        not_null: true,
    };
    let mut columns = vec![id];
    let count = 3 + random.below(4);
    for number in 0..count {
        columns.push(column(number, random));
    }
    Relation {
        name: name.to_owned(),
        columns,
    }
}

fn column(number: usize, random: &mut Random) -> Column {
    let class = Class::random(random);
    let declared: &[&str] = match class {
        Class::Int => &[
            "INT",
            "TINYINT UNSIGNED",
            "BIGINT",
            "SMALLINT",
            "BIGINT UNSIGNED",
        ],
        Class::Decimal => &["DECIMAL(8,2)", "DECIMAL(20,4)"],
        Class::Double => &["DOUBLE", "FLOAT"],
        Class::Text => &[
            "VARCHAR(20)",
            "TEXT",
            "CHAR(4)",
            "ENUM('','a','b','ab','1')",
            "VARBINARY(20)",
        ],
        Class::Date => &["DATE"],
        Class::DateTime => &["DATETIME", "DATETIME(3)", "TIMESTAMP"],
        Class::Time => &["TIME", "TIME(2)"],
        Class::Json => &["JSON"],
    };
    Column {
        name: format!("c{number}"),
        class,
        declared: random.pick::<&str>(declared),
        not_null: random.percent(60),
    }
}

impl Relation {
    pub(super) fn create(&self) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| {
                let null = if column.not_null { "NOT NULL" } else { "NULL" };
                let default = match (column.declared, column.not_null) {
                    ("TIMESTAMP", true) => " DEFAULT '2020-01-01'",
                    _ => "",
                };
                format!("{} {} {null}{default}", column.name, column.declared)
            })
            .collect();
        format!(
            "CREATE TABLE {} ({}, PRIMARY KEY (id))",
            self.name,
            columns.join(", ")
        )
    }

    /// The statement that fills it, if it is not to be empty.
    pub(super) fn insert(&self, data: Data, is_empty: bool, random: &mut Random) -> Option<String> {
        let rows = match data {
            Data::Empty => 0,
            Data::Hollow | Data::Sparse if is_empty => 0,
            Data::Hollow | Data::Sparse => 1 + random.below(3),
            Data::Dense => 4 + random.below(4),
        };
        let rows: Vec<String> = (0..rows)
            .map(|id| {
                let values: Vec<String> = self
                    .columns
                    .iter()
                    .map(|column| match column.name.as_str() {
                        "id" => id.to_string(),
                        _ => value(column, data, random),
                    })
                    .collect();
                format!("({})", values.join(", "))
            })
            .collect();
        (!rows.is_empty()).then(|| format!("INSERT INTO {} VALUES {}", self.name, rows.join(", ")))
    }
}

fn value(column: &Column, data: Data, random: &mut Random) -> String {
    let nulls = match data {
        Data::Hollow => 80,
        Data::Dense | Data::Sparse | Data::Empty => 25,
    };
    if !column.not_null && random.percent(nulls) {
        return "NULL".to_owned();
    }
    let zeros = match data {
        Data::Hollow => 60,
        Data::Dense | Data::Sparse | Data::Empty => 10,
    };
    let zero = random.percent(zeros);
    match column.class {
        Class::Int | Class::Decimal | Class::Double if zero => "0".to_owned(),
        Class::Int => random.below(5).to_string(),
        Class::Decimal | Class::Double => format!("{}.5", random.below(4)),
        Class::Text if column.declared == "VARBINARY(20)" && random.percent(40) => {
            random.pick(&["X'FF'", "X'00'", "X'E9FF'"]).to_string()
        }
        Class::Text => format!("'{}'", random.pick(&["", "a", "b", "ab", "1"])),
        Class::Date if zero => random
            .pick(&["'0000-00-00'", "'2024-00-00'", "'2024-02-00'"])
            .to_string(),
        Class::DateTime if zero => "'0000-00-00 00:00:00'".to_owned(),
        Class::Date => random
            .pick(&[
                "'2024-02-29'",
                "'1970-01-01'",
                "'9999-12-31'",
                "'2024-03-03'",
            ])
            .to_string(),
        Class::DateTime => random
            .pick(&[
                "'2024-02-29 10:11:12'",
                "'2024-03-03 00:00:00'",
                "'2037-12-31 23:59:59'",
            ])
            .to_string(),
        Class::Time if zero => "'00:00:00'".to_owned(),
        Class::Time => random
            .pick(&["'10:11:12'", "'-01:00:00'", "'838:59:59'"])
            .to_string(),
        Class::Json => random
            .pick(&["'null'", "'[1,2]'", "'{\"a\":1}'", "'\"x\"'"])
            .to_string(),
    }
}
