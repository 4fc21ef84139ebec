//! Random statements: joins of all kinds, derived tables, CTEs, views, UNION, GROUP BY, ROLLUP, subqueries.

use super::expression::{Expressions, PARAMETER, Scope, literal};
use super::random::Random;
use super::schema::{Column, Relation};
use super::value::Class;

/// A statement as it is sent.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: String,
    /// The classes of its parameters in order.
    pub(super) params: Vec<Class>,
    /// Whether values that are bound can decide types.
    pub(super) selects_params: bool,
    /// The expressions selected by the outermost SELECT; empty where they do not correspond to columns.
    pub(super) items: Vec<String>,
}

/// A SELECT with markers in place of parameters.
pub(super) struct Select {
    pub(super) sql: String,
    pub(super) columns: Vec<Column>,
    items: Vec<String>,
}

pub(super) struct Statements<'r> {
    pub(super) random: &'r mut Random,
    /// Tables, views and, inside of a statement, CTEs.
    pub(super) relations: Vec<Relation>,
    pub(super) mysql: bool,
    pub(super) parameters: bool,
    pub(super) aliases: usize,
}

impl<'r> Statements<'r> {
    pub(super) fn new(random: &'r mut Random, relations: Vec<Relation>, mysql: bool) -> Self {
        Self {
            random,
            relations,
            mysql,
            parameters: false,
            aliases: 0,
        }
    }

    pub(super) fn next(&mut self) -> Statement {
        self.parameters = self.random.percent(30);
        self.aliases = 0;
        let known = self.relations.len();
        let mut ctes = Vec::new();
        while ctes.len() < 2 && self.random.percent(15) {
            let recursive = self.random.percent(30);
            ctes.push(if recursive {
                self.recursive_cte()
            } else {
                self.cte()
            });
        }
        let mut select = self.select(2, None);
        if self.random.percent(10) {
            let classes: Vec<Class> = select.columns.iter().map(|column| column.class).collect();
            let other = self.select(1, Some(&classes));
            let operator = self.random.pick(&[
                "UNION ALL",
                "UNION",
                "UNION DISTINCT",
                "EXCEPT",
                "INTERSECT",
            ]);
            select = Select {
                sql: format!("{} {operator} {}", select.sql, other.sql),
                items: Vec::new(),
                ..select
            };
        }
        self.relations.truncate(known);
        let selects_params = select.items.is_empty()
            || select.sql.matches(PARAMETER).count() > 0
            || !ctes.is_empty();
        let with = if ctes.is_empty() {
            String::new()
        } else {
            format!("WITH RECURSIVE {} ", ctes.join(", "))
        };
        let (sql, params) = numbered(&format!("{with}{}", select.sql));
        Statement {
            sql,
            params,
            selects_params,
            items: select.items,
        }
    }

    /// A statement that makes a view of this name, and what the view then is.
    pub(super) fn view(&mut self, name: &str) -> (String, Relation) {
        self.parameters = false;
        let select = self.select(1, None);
        let relation = Relation {
            name: name.to_owned(),
            columns: select.columns,
        };
        (format!("CREATE VIEW {name} AS {}", select.sql), relation)
    }

    fn cte(&mut self) -> String {
        let name = format!("w{}", self.alias());
        let select = self.select(1, None);
        self.relations.push(Relation {
            name: name.clone(),
            columns: select.columns,
        });
        format!("{name} AS ({})", select.sql)
    }

    /// A table of WITH that reads itself, three times at most.
    fn recursive_cte(&mut self) -> String {
        let name = format!("w{}", self.alias());
        let first = self.select(0, None);
        let classes: Vec<Class> = first.columns.iter().map(|column| column.class).collect();
        let (table, mut columns) = self.source(0);
        let own = first
            .columns
            .iter()
            .map(|column| (format!("{name}.{}", column.name), column.class));
        columns.extend(own);
        let scope = Scope {
            columns,
            ..Scope::default()
        };
        let items: Vec<String> = classes
            .iter()
            .map(|class| self.expressions().of(*class, &scope, 1))
            .collect();
        let join = *self.random.pick(&["JOIN", "LEFT JOIN"]);
        let on = self.expressions().condition(&scope, 0);
        let mut known = first.columns;
        known.push(Column::of("depth".to_owned(), Class::Int));
        let list: String = known
            .iter()
            .map(|column| column.name.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        self.relations.push(Relation {
            name: name.clone(),
            columns: known,
        });
        format!(
            "{name} ({list}) AS (SELECT q.*, 0 FROM ({}) q UNION ALL SELECT {}, {name}.depth + 1 FROM {name} {join} {table} ON {on} WHERE {name}.depth < 2)",
            first.sql,
            items.join(", ")
        )
    }

    pub(super) fn alias(&mut self) -> usize {
        self.aliases += 1;
        self.aliases
    }

    pub(super) fn select(&mut self, depth: usize, classes: Option<&[Class]>) -> Select {
        let (from, columns) = self.from(depth);
        let scalars = if depth > 1 {
            self.scalars(&columns)
        } else {
            Vec::new()
        };
        let plain = Scope {
            columns,
            scalars,
            ..Scope::default()
        };
        let filter = if self.random.percent(40) {
            format!(" WHERE {}", self.expressions().condition(&plain, 2))
        } else {
            String::new()
        };
        let grouping = self.random.below(100);
        let (keys, scope) = match grouping {
            0..25 => self.group_keys(&plain),
            25..33 => (
                Vec::new(),
                Scope {
                    aggregates: true,
                    columns: Vec::new(),
                    ..plain.clone()
                },
            ),
            _ => (
                Vec::new(),
                Scope {
                    windows: self.random.percent(25),
                    ..plain.clone()
                },
            ),
        };
        let (list, columns, items) = self.items(&scope, &plain, &keys, classes);
        let group = match keys.is_empty() {
            true => String::new(),
            false => format!(
                " GROUP BY {}{}",
                keys.iter()
                    .map(|(key, _)| key.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
                if self.random.percent(20) {
                    " WITH ROLLUP"
                } else {
                    ""
                }
            ),
        };
        let tail = self.tail(depth, classes.is_some());
        let distinct = if self.random.percent(10) {
            "DISTINCT "
        } else {
            ""
        };
        Select {
            sql: format!("SELECT {distinct}{list} FROM {from}{filter}{group}{tail}"),
            columns,
            items,
        }
    }

    fn tail(&mut self, depth: usize, in_union: bool) -> String {
        match self.random.below(10) {
            0 if depth < 2 && !in_union => format!(" LIMIT {}", 1 + self.random.below(9)),
            1 if depth == 2 => " HAVING COUNT(*) >= 0".to_owned(),
            _ => String::new(),
        }
    }

    fn items(
        &mut self,
        scope: &Scope,
        plain: &Scope,
        keys: &[(String, Class)],
        classes: Option<&[Class]>,
    ) -> (String, Vec<Column>, Vec<String>) {
        let count = classes.map_or_else(|| 1 + self.random.below(5), <[Class]>::len);
        let mut columns = Vec::new();
        let mut items = Vec::new();
        let mut list = Vec::new();
        for index in 0..count {
            let class = classes.and_then(|classes| classes.get(index).copied());
            let (item, class) = self.item(scope, plain, keys, class);
            let name = format!("x{index}");
            list.push(format!("{item} AS {name}"));
            columns.push(Column::of(name, class));
            items.push(item);
        }
        (list.join(", "), columns, items)
    }

    fn item(
        &mut self,
        scope: &Scope,
        plain: &Scope,
        keys: &[(String, Class)],
        class: Option<Class>,
    ) -> (String, Class) {
        if class.is_none() && !keys.is_empty() && self.random.percent(35) {
            return self.random.pick(keys).clone();
        }
        if class.is_none()
            && !scope.columns.is_empty()
            && !scope.aggregates
            && self.random.percent(30)
        {
            return self.random.pick(&scope.columns).clone();
        }
        let class = class.unwrap_or_else(|| Class::random(self.random));
        // Servers refuse most bare columns beside aggregates, and are wrong about those that they let in.
        let scope = if scope.aggregates && self.random.percent(6) {
            Scope {
                aggregates: true,
                ..plain.clone()
            }
        } else {
            scope.clone()
        };
        (self.expressions().of(class, &scope, 2), class)
    }

    fn group_keys(&mut self, plain: &Scope) -> (Vec<(String, Class)>, Scope) {
        let mut keys = Vec::new();
        for _ in 0..=self.random.below(2) {
            if plain.columns.is_empty() || self.random.percent(15) {
                keys.push((
                    format!("{} + 0", literal(Class::Int, self.random)),
                    Class::Int,
                ));
            } else {
                keys.push(self.random.pick(&plain.columns).clone());
            }
        }
        // The arguments of aggregates see all columns; outside of them only keys are allowed.
        let scope = Scope {
            columns: keys.clone(),
            aggregates: true,
            ..plain.clone()
        };
        let scope = if self.random.percent(70) {
            Scope {
                columns: plain.columns.clone(),
                ..scope
            }
        } else {
            scope
        };
        (keys, scope)
    }

    pub(super) fn expressions(&mut self) -> Expressions<'_> {
        Expressions {
            random: self.random,
            parameters: self.parameters,
        }
    }
}

/// Replaces markers by `?`.
fn numbered(sql: &str) -> (String, Vec<Class>) {
    let mut params = Vec::new();
    let mut sent = String::with_capacity(sql.len());
    let mut characters = sql.chars();
    while let Some(character) = characters.next() {
        if character == PARAMETER {
            let index = characters.next().and_then(|digit| digit.to_digit(10));
            let index = index
                .and_then(|index| usize::try_from(index).ok())
                .unwrap_or(0);
            params.push(Class::ALL[index]);
            sent.push('?');
        } else {
            sent.push(character);
        }
    }
    (sent, params)
}
