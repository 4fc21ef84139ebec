//! Where the body of a routine, trigger or event ends.
//!
//! Words such as `END`, `IF` and `REPEAT` are names and functions as well, so they count only where a statement of the body can begin.
//!
//! With MariaDB's `sql_mode=ORACLE` a body is written in another way: behind `AS` or `IS`, declarations first, then `BEGIN`. Packages hold such bodies; in
//! MariaDB's own way they do so without `AS`. A block may stand alone, with `DECLARE` or `BEGIN`, which starts no transaction then.

use super::lexer::Token;

/// The compound statements that are open at a place of a statement.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    kind: Kind,
    open: Vec<Open>,
    before: Before,
    oracle: bool,
    /// In the head of a routine or package whose body begins behind `AS` or `IS`.
    header: bool,
}

/// Whether the statement can have a body at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// Nothing seen yet.
    #[default]
    Unknown,
    /// `CREATE` or `ALTER`, and not yet what.
    Definition,
    /// `BEGIN` alone starts a transaction, `BEGIN NOT ATOMIC` a block of MariaDB's.
    Begin,
    Plain,
    Compound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Begin,
    /// What is declared in front of `BEGIN`, or in a package that may have none.
    Declarations,
    /// `CASE` in an expression: no statement can begin in it.
    CaseExpression,
    Case,
    Repeat,
    /// `IF`, `LOOP`, `WHILE`, `FOR`: they end alike.
    Other,
}

/// What stands in front of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    Quoted,
    Symbol(char),
    /// Behind these a statement of a body begins.
    Opener,
    /// Behind these a body may begin: `FOR EACH ROW`, `DETERMINISTIC` …
    Header,
    /// Behind these comes an expression.
    Operator,
    End,
    Word,
    /// In `<<label>>`.
    Label,
}

impl Blocks {
    /// At the beginning of a statement; `oracle` is whether the session reads bodies as Oracle does.
    pub(super) fn new(oracle: bool) -> Self {
        Self {
            oracle,
            ..Self::default()
        }
    }

    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn see(&mut self, token: Token<'_>) {
        let before = match token {
            // What a server executes only from some version on is taken for executed.
            Token::Blank | Token::Comment | Token::Opened | Token::Closed => return,
            Token::Quoted => Before::Quoted,
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Word(_) if self.before == Before::Label => Before::Label,
            Token::Word(word) => self.word(&word.to_ascii_uppercase()),
        };
        if self.kind == Kind::Unknown {
            self.kind = Kind::Plain;
        }
        self.before = before;
    }

    fn symbol(&mut self, symbol: char) -> Before {
        if symbol == ';' {
            self.header = false;
        }
        match (self.before, symbol) {
            (Before::Label, '<') => Before::Label,
            (Before::Label | Before::Opener, '>') => Before::Opener,
            (_, '<') if self.oracle && self.are_open() && self.at_statement() => Before::Label,
            _ => Before::Symbol(symbol),
        }
    }

    fn word(&mut self, word: &str) -> Before {
        self.classify(word);
        if self.kind == Kind::Compound && self.before != Before::Symbol('.') {
            if self.declares(word) {
                return Before::Opener;
            }
            self.open_or_close(word);
        }
        before(word)
    }

    /// Whether the word opens declarations, or ends them by `BEGIN`.
    fn declares(&mut self, word: &str) -> bool {
        let in_declarations = self.open.last() == Some(&Open::Declarations);
        match word {
            "PROCEDURE" | "FUNCTION" | "PACKAGE" if self.oracle => {
                self.header |= self.open.is_empty() || in_declarations && self.at_statement();
                return false;
            }
            "PACKAGE" if self.open.is_empty() => {
                self.open.push(Open::Declarations);
                return false;
            }
            "AS" | "IS" if self.header => self.open.push(Open::Declarations),
            "DECLARE" if self.oracle && self.at_statement() => self.open.push(Open::Declarations),
            "BEGIN" if in_declarations && self.at_statement() => {
                self.open.pop();
                self.open.push(Open::Begin);
            }
            "BEGIN" if self.oracle && self.before == Before::Nothing => self.open.push(Open::Begin),
            _ => return false,
        }
        self.header = false;
        true
    }

    fn classify(&mut self, word: &str) {
        self.kind = match (self.kind, word) {
            (Kind::Unknown, "CREATE" | "ALTER") => Kind::Definition,
            (Kind::Unknown, "BEGIN" | "DECLARE") if self.oracle => Kind::Compound,
            (Kind::Unknown, "BEGIN") => Kind::Begin,
            (Kind::Unknown, "IF" | "LOOP" | "WHILE" | "REPEAT" | "FOR" | "CASE") => Kind::Compound,
            (Kind::Unknown, _) => Kind::Plain,
            (Kind::Begin, "NOT") => {
                self.open.push(Open::Begin);
                Kind::Compound
            }
            (Kind::Begin, _) => Kind::Plain,
            (Kind::Definition, "PROCEDURE" | "FUNCTION" | "TRIGGER" | "EVENT" | "PACKAGE") => {
                Kind::Compound
            }
            (
                Kind::Definition,
                "TABLE" | "VIEW" | "INDEX" | "DATABASE" | "SCHEMA" | "USER" | "ROLE" | "SERVER"
                | "SEQUENCE" | "TABLESPACE" | "LOGFILE" | "INSTANCE" | "RESOURCE",
            ) => Kind::Plain,
            (kind, _) => kind,
        };
    }

    fn open_or_close(&mut self, word: &str) {
        match word {
            "BEGIN" if self.may_begin() => self.open.push(Open::Begin),
            "CASE" if self.before != Before::End => {
                let open = if self.at_statement() {
                    Open::Case
                } else {
                    Open::CaseExpression
                };
                self.open.push(open);
            }
            "IF" | "LOOP" | "WHILE" if self.at_statement() => self.open.push(Open::Other),
            "REPEAT" if self.at_statement() => self.open.push(Open::Repeat),
            // `FOR EACH ROW` and `FOR UPDATE` are none.
            "FOR" if self.at_statement() && self.before != Before::Symbol(')') => {
                self.open.push(Open::Other);
            }
            "END" if self.may_end() => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Whether a statement of the body can begin here.
    fn at_statement(&self) -> bool {
        match (self.open.last(), self.before) {
            (Some(Open::CaseExpression), _) => false,
            (_, Before::Opener | Before::Symbol(':')) => true,
            (Some(_), before) => before == Before::Symbol(';'),
            (None, before) => matches!(
                before,
                Before::Nothing | Before::Header | Before::Quoted | Before::Symbol(')')
            ),
        }
    }

    /// `BEGIN` also comes behind the conditions of a handler, which end in any word.
    fn may_begin(&self) -> bool {
        match self.before {
            Before::Nothing | Before::Operator | Before::Label => false,
            Before::Symbol(symbol) => matches!(symbol, ')' | ':' | ';'),
            Before::Quoted | Before::Opener | Before::Header | Before::End | Before::Word => {
                self.open.last() != Some(&Open::CaseExpression)
            }
        }
    }

    fn may_end(&self) -> bool {
        match self.open.last() {
            None => false,
            // The value of a case and the condition of UNTIL stand in front of it.
            Some(Open::CaseExpression | Open::Repeat) => true,
            Some(Open::Begin | Open::Declarations | Open::Case | Open::Other) => {
                self.at_statement()
            }
        }
    }
}

fn before(word: &str) -> Before {
    match word {
        "BEGIN" | "THEN" | "ELSE" | "DO" | "LOOP" | "REPEAT" | "ATOMIC" => Before::Opener,
        "ROW" | "DETERMINISTIC" | "DATA" | "SQL" | "DEFINER" | "INVOKER" => Before::Header,
        "SELECT" | "DISTINCT" | "WHERE" | "AND" | "OR" | "XOR" | "NOT" | "BY" | "ON" | "SET"
        | "HAVING" | "WHEN" | "IN" | "IS" | "LIKE" | "BETWEEN" | "RETURN" | "FROM" | "JOIN"
        | "AS" | "TABLE" | "INTO" | "UPDATE" | "PROCEDURE" | "FUNCTION" | "TRIGGER" | "EVENT" => {
            Before::Operator
        }
        "END" => Before::End,
        _ => Before::Word,
    }
}
