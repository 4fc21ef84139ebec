//! Random expressions of a wanted class over the columns in sight.

use super::random::Random;
use super::value::Class;

/// What an expression may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// `alias.column` and its class.
    pub(super) columns: Vec<(String, Class)>,
    pub(super) windows: bool,
    pub(super) aggregates: bool,
    /// Subqueries to use, each with the class of its one column.
    pub(super) scalars: Vec<(String, Class)>,
}

/// Stands for a parameter until the statement is complete; its class follows.
pub(super) const PARAMETER: char = '\u{1}';

pub(super) struct Expressions<'r> {
    pub(super) random: &'r mut Random,
    pub(super) parameters: bool,
}

impl Expressions<'_> {
    /// An expression of this class.
    pub(super) fn of(&mut self, class: Class, scope: &Scope, depth: usize) -> String {
        if scope.windows && depth > 0 && self.random.percent(12) {
            return self.window(class, scope);
        }
        if scope.aggregates && self.random.percent(65) {
            return self.aggregate(class, scope, depth);
        }
        if depth == 0 || self.random.percent(35) {
            return self.leaf(class, scope);
        }
        if self.random.percent(8)
            && let Some((scalar, _)) = self.scalar(class, scope)
        {
            return scalar;
        }
        if self.random.percent(30) {
            return self.choice(class, scope, depth - 1);
        }
        self.call(class, scope, depth - 1)
    }

    /// A condition.
    pub(super) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        let class = Class::random(self.random);
        let class = if class == Class::Json {
            Class::Int
        } else {
            class
        };
        let one = self.leaf(class, scope);
        match self.random.below(12) {
            0 => format!("{one} IS NOT NULL"),
            1 => format!("{one} IS NULL"),
            2..=4 => format!("{one} {} {}", self.comparison(), self.leaf(class, scope)),
            5 => format!("{one} = {}", self.parameter_or(class)),
            6 if depth > 0 => format!(
                "({} AND {})",
                self.condition(scope, depth - 1),
                self.condition(scope, depth - 1)
            ),
            7 if depth > 0 => format!(
                "({} OR {})",
                self.condition(scope, depth - 1),
                self.condition(scope, depth - 1)
            ),
            8 if depth > 0 => format!("NOT ({})", self.condition(scope, depth - 1)),
            9 => format!(
                "{one} IN ({}, {})",
                literal(class, self.random),
                literal(class, self.random)
            ),
            10 => format!(
                "{one} BETWEEN {} AND {}",
                literal(class, self.random),
                literal(class, self.random)
            ),
            _ => format!(
                "{one} {} {}",
                self.comparison(),
                self.of(class, &plain(scope), depth)
            ),
        }
    }

    fn comparison(&mut self) -> &'static str {
        let operators: &[&str] = &["=", "=", "=", "<", ">", "<>", "<=", "<=>"];
        self.random.pick::<&str>(operators)
    }

    fn parameter_or(&mut self, class: Class) -> String {
        if self.parameters {
            format!("{PARAMETER}{}", class.index())
        } else {
            literal(class, self.random)
        }
    }

    fn leaf(&mut self, class: Class, scope: &Scope) -> String {
        let fitting: Vec<&String> = scope
            .columns
            .iter()
            .filter(|(_, other)| *other == class)
            .map(|(name, _)| name)
            .collect();
        match self.random.below(20) {
            0 if self.parameters => format!("{PARAMETER}{}", class.index()),
            1 if class != Class::Json => "NULL".to_owned(),
            2..=5 => literal(class, self.random),
            _ if fitting.is_empty() => literal(class, self.random),
            _ => (*self.random.pick(&fitting)).clone(),
        }
    }

    fn scalar(&mut self, class: Class, scope: &Scope) -> Option<(String, Class)> {
        let fitting: Vec<&(String, Class)> = scope
            .scalars
            .iter()
            .filter(|(_, other)| *other == class)
            .collect();
        (!fitting.is_empty()).then(|| (*self.random.pick(&fitting)).clone())
    }

    /// What gives a value of any class.
    fn choice(&mut self, class: Class, scope: &Scope, depth: usize) -> String {
        let one = self.of(class, scope, depth);
        let other = self.of(class, scope, depth);
        match self.random.below(9) {
            0 => format!("COALESCE({one}, {other})"),
            1 => format!("COALESCE({one}, {other}, {})", literal(class, self.random)),
            2 => format!("IFNULL({one}, {other})"),
            3 => format!("IF({}, {one}, {other})", self.condition(&plain(scope), 0)),
            4 => format!(
                "CASE WHEN {} THEN {one} ELSE {other} END",
                self.condition(&plain(scope), 0)
            ),
            5 => format!(
                "CASE WHEN {} THEN {one} END",
                self.condition(&plain(scope), 0)
            ),
            6 if class != Class::Json => format!("NULLIF({one}, {other})"),
            7 if class != Class::Json => format!("GREATEST({one}, {other})"),
            8 if class != Class::Json => format!("LEAST({one}, {other})"),
            _ => format!("({one})"),
        }
    }

    fn window(&mut self, class: Class, scope: &Scope) -> String {
        let inner = Scope {
            windows: false,
            ..scope.clone()
        };
        let order = self.leaf(Class::Int, &inner);
        let over = match self.random.below(9) {
            6 => format!("(ORDER BY {order} ROWS 1 PRECEDING)"),
            7 => format!("(ORDER BY {order} ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)"),
            8 => format!("(ORDER BY {order} RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)"),
            0 => "()".to_owned(),
            1 => format!("(PARTITION BY {order})"),
            2 => format!("(ORDER BY {order} ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)"),
            3 => format!("(ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
            _ => format!("(ORDER BY {order})"),
        };
        let argument = self.of(class, &inner, 0);
        let call = match (class, self.random.below(10)) {
            (Class::Int, 0) => return format!("ROW_NUMBER() OVER (ORDER BY {order})"),
            (Class::Int, 1) => {
                return format!(
                    "{}() OVER (ORDER BY {order})",
                    self.random.pick(&["RANK", "DENSE_RANK"])
                );
            }
            (Class::Int, 2) => return format!("NTILE(2) OVER (ORDER BY {order})"),
            (Class::Double, 0..=2) => {
                return format!(
                    "{}() OVER (ORDER BY {order})",
                    self.random.pick(&["CUME_DIST", "PERCENT_RANK"])
                );
            }
            (Class::Int, 3) => format!("COUNT({argument})"),
            (Class::Decimal | Class::Double, 3) => format!("SUM({argument})"),
            (Class::Decimal | Class::Double, 4) => format!("AVG({argument})"),
            (Class::Json, _) | (_, 5) => {
                return format!(
                    "{}({argument}) OVER (ORDER BY {order})",
                    self.random.pick(&["LAG", "LEAD"])
                );
            }
            (_, 6 | 7) => format!(
                "{}({argument})",
                self.random.pick(&["FIRST_VALUE", "LAST_VALUE"])
            ),
            _ => format!("{}({argument})", self.random.pick(&["MIN", "MAX"])),
        };
        format!("{call} OVER {over}")
    }

    fn aggregate(&mut self, class: Class, scope: &Scope, depth: usize) -> String {
        let inner = Scope {
            aggregates: false,
            windows: false,
            ..scope.clone()
        };
        let depth = depth.min(1);
        let any = Class::random(self.random);
        match (class, self.random.below(8)) {
            (Class::Int, 0 | 1) => "COUNT(*)".to_owned(),
            (Class::Int, 2) => format!("COUNT({})", self.of(any, &inner, depth)),
            (Class::Int, 3) => format!("COUNT(DISTINCT {})", self.of(any, &inner, 0)),
            (Class::Int, 4) => format!(
                "{}({})",
                self.random.pick(&["BIT_OR", "BIT_AND", "BIT_XOR"]),
                self.of(class, &inner, depth)
            ),
            (Class::Decimal, 0..=3) => format!(
                "{}({})",
                self.random.pick(&["SUM", "AVG"]),
                self.of(Class::Int, &inner, depth)
            ),
            (Class::Decimal | Class::Double, 4 | 5) => format!(
                "{}({})",
                self.random.pick(&["SUM", "AVG"]),
                self.of(class, &inner, depth)
            ),
            (Class::Double, 0..=3) => format!(
                "{}({})",
                self.random
                    .pick(&["STD", "VAR_SAMP", "VAR_POP", "STDDEV_SAMP"]),
                self.of(Class::Int, &inner, depth)
            ),
            (Class::Text, 0..=3) => format!("GROUP_CONCAT({})", self.of(class, &inner, depth)),
            (Class::Json, _) => format!("JSON_ARRAYAGG({})", self.of(any, &inner, 0)),
            _ => format!(
                "{}({})",
                self.random.pick(&["MIN", "MAX"]),
                self.of(class, &inner, depth)
            ),
        }
    }

    fn call(&mut self, class: Class, scope: &Scope, depth: usize) -> String {
        let templates: &[&str] = match class {
            Class::Int => super::functions::INT,
            Class::Decimal => super::functions::DECIMAL,
            Class::Double => super::functions::DOUBLE,
            Class::Text => super::functions::TEXT,
            Class::Date => super::functions::DATE,
            Class::DateTime => super::functions::DATETIME,
            Class::Time => super::functions::TIME,
            Class::Json => super::functions::JSON,
        };
        let template = *self.random.pick(templates);
        self.fill(template, scope, depth)
    }

    /// Replaces the letters in braces by expressions of their classes.
    fn fill(&mut self, template: &str, scope: &Scope, depth: usize) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (letter, after) = after.split_once('}').expect("templates close their braces");
            let expression = match letter {
                "i" => self.of(Class::Int, scope, depth),
                "n" => self.of(Class::Decimal, scope, depth),
                "f" => self.of(Class::Double, scope, depth),
                "s" => self.of(Class::Text, scope, depth),
                "d" => self.of(Class::Date, scope, depth),
                "t" => self.of(Class::DateTime, scope, depth),
                "h" => self.of(Class::Time, scope, depth),
                "j" => self.of(Class::Json, scope, depth),
                "b" => self.condition(&plain(scope), depth),
                _ => literal(Class::Int, self.random),
            };
            filled.push_str(&expression);
            rest = after;
        }
        filled + rest
    }
}

/// Without aggregates and windows: what stands in conditions.
fn plain(scope: &Scope) -> Scope {
    Scope {
        aggregates: false,
        windows: false,
        ..scope.clone()
    }
}

pub(super) fn literal(class: Class, random: &mut Random) -> String {
    let literals: &[&str] = match class {
        Class::Int => &["0", "1", "2", "3", "TRUE"],
        Class::Decimal => &["0.5", "1.5", "0.0", "2.25"],
        Class::Double => &["1e0", "0e0", "2.5e0"],
        Class::Text => &["'a'", "'b'", "''", "'ab'", "'1'"],
        Class::Date => &["DATE'2024-02-29'", "CURDATE()"],
        Class::DateTime => &["TIMESTAMP'2024-03-03 00:00:00'", "NOW()", "UTC_TIMESTAMP()"],
        Class::Time => &["TIME'10:11:12'", "CURTIME()"],
        Class::Json => &["JSON_ARRAY(1)", "JSON_OBJECT('a', 1)"],
    };
    (*random.pick(literals)).to_owned()
}
