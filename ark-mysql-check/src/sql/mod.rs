//! Reads the SQL as far as a client must: where its placeholders are, what it may leave behind in a session, and what
//! the server's NOT_NULL flags are worth in it. It is a lexer and some reading of its tokens, not a parser: the server is the parser.

mod blocks;
mod effect;
mod find;
mod functions;
mod lexer;
mod lists;
mod repeat;
mod returning;
mod shape;
mod slips;
mod stars;
mod tokens;
pub mod tree;
mod value_rows;

use std::ops::Range;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

pub use effect::Effect;
pub use functions::is_harmless as is_builtin;
pub use lexer::{Flaw, FlawKind};
pub use lists::ListSpot;
pub use repeat::Unrepeatable;
pub use shape::Shape;

/// A statement, read.
#[derive(Clone, Debug)]
pub struct Sql {
    written: String,
    text: String,
    params: Vec<Placeholder>,
    lists: Vec<ListSpot>,
    effect: Effect,
    tokens: Vec<lexer::Token>,
    /// Read when somebody asks, as all that follows: what the cache describes does as good as never.
    shape: OnceLock<Shape>,
    tree: OnceLock<Option<tree::Query>>,
    change: OnceLock<Option<tree::Change>>,
    digest: OnceLock<u128>,
}

/// One `?` or `:name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The name of a `:name`; `None` for `?`.
    pub name: Option<String>,
    /// Its byte position in the SQL as written.
    pub written_at: usize,
    /// The byte position of its `?` in the SQL as sent.
    pub sent_at: usize,
}

impl Sql {
    /// Reads a statement as it stands in the source.
    ///
    /// # Errors
    /// Quotes and comments that never end, `?` and `:name` in one statement, nothing at all: each with its position.
    pub fn parse(written: &str) -> Result<Self, Flaw> {
        let tokens = lexer::lex(written)?;
        if tokens.is_empty() {
            return Err(Flaw {
                kind: FlawKind::Empty,
                at: 0,
            });
        }
        slips::refuse(written, &tokens)?;
        let (text, params) = send_form(written, &tokens)?;
        let lists = lists::spots(written, &tokens, &params);
        let effect = effect::of(written, &tokens);
        Ok(Self {
            written: written.to_owned(),
            text,
            params,
            lists,
            effect,
            shape: OnceLock::new(),
            tokens,
            tree: OnceLock::new(),
            change: OnceLock::new(),
            digest: OnceLock::new(),
        })
    }

    /// The SQL as it stands in the source.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The SQL as it is sent: with `?` for every placeholder.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The placeholders in the order in which the server counts them.
    pub fn params(&self) -> &[Placeholder] {
        &self.params
    }

    /// Where lists of values may stand.
    pub fn lists(&self) -> &[ListSpot] {
        &self.lists
    }

    /// What running it can leave behind.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// What can be known of its structure.
    pub fn shape(&self) -> &Shape {
        self.shape
            .get_or_init(|| Shape::read(&self.written, &self.tokens))
    }

    /// The statement as a tree, if it is a query that is understood.
    pub fn tree(&self) -> Option<&tree::Query> {
        let tree = self
            .tree
            .get_or_init(|| tree::read(&self.written, &self.tokens));
        tree.as_ref()
    }

    /// Whether each column of the result stands in the statement itself, not in a `*`. A query that is not understood has none that is known to.
    pub fn names_columns(&self) -> bool {
        if stars::are_none(&self.tokens, &self.written) {
            return true;
        }
        let returned = match self.tree() {
            None => self.returned(),
            Some(_) => None,
        };
        let query = self.tree().or(returned.as_ref().and_then(Self::tree));
        query.is_some_and(|query| query.body.names_columns())
    }

    /// Whether a placeholder stands where ORDER BY may sort by it; else no tree needs to be read to say that none is sorted by.
    pub fn may_sort_by_parameter(&self) -> bool {
        stars::sorted_by_placeholder(&self.tokens, &self.written)
    }

    /// Whether this column of the result is a placeholder and nothing else.
    pub fn selects_parameter(&self, index: usize) -> bool {
        let Some(tree::Body::Select(select)) = self.tree().map(|query| &query.body) else {
            return false;
        };
        let star = |item: &tree::Item| matches!(item, tree::Item::All(_));
        let item = select.items.get(index);
        !select.items.iter().take(index).any(star)
            && matches!(
                item,
                Some(tree::Item::Column(tree::Expression::Parameter(_), _))
            )
    }

    /// CALL, SHOW, EXPLAIN and their like: rows come, but the names of their columns are the server's, where it tells any before they come.
    pub fn is_no_query(&self) -> bool {
        tokens::Tokens::new(&self.written, &self.tokens).is_any(
            0,
            &[
                "CALL", "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "ANALYZE", "OPTIMIZE", "CHECK",
                "CHECKSUM", "REPAIR", "HELP",
            ],
        )
    }

    /// The statement as a tree, if it is an INSERT, REPLACE, UPDATE or DELETE that is understood.
    pub fn change(&self) -> Option<&tree::Change> {
        let change = self
            .change
            .get_or_init(|| tree::read_change(&self.written, &self.tokens));
        change.as_ref()
    }

    /// `SELECT list FROM table` of what the statement's RETURNING gives, if it has one.
    pub fn returned(&self) -> Option<Self> {
        let select = returning::select(&self.written, &self.tokens, self.change()?)?;
        Self::parse(&select).ok()
    }

    /// Where aggregate and window functions stand in a list of RETURNING, which gives each row by itself.
    pub fn returns_of_many_rows(&self) -> Vec<Range<usize>> {
        returning::of_many_rows(&tokens::Tokens::new(&self.written, &self.tokens))
    }

    /// Where the row of an INSERT or REPLACE … VALUES stands that holds all placeholders and can be repeated, as a range of bytes.
    ///
    /// # Errors
    /// It is another statement, or has another shape: why, and where.
    pub fn repeated_row(&self) -> Result<Range<usize>, Unrepeatable> {
        repeat::row(&self.written, &self.params)
    }

    /// The placeholders that are whole columns of a `VALUES` table by themselves, so that these have no type.
    pub fn untyped_values(&self) -> Vec<Range<usize>> {
        value_rows::untyped(&self.written)
    }

    /// Whether `infer::settle` wants to know the database's views: they matter for statements that read from somewhere.
    pub fn needs_views(&self) -> bool {
        self.shape().reads_tables() || self.change().is_some()
    }

    /// The first 16 bytes of the SHA-256 of the SQL as sent, big-endian: the statement's key at run time.
    pub fn digest(&self) -> u128 {
        *self.digest.get_or_init(|| {
            let digest = Sha256::digest(&self.text);
            let mut first = [0; 16];
            let bytes = first.iter_mut().zip(digest);
            bytes.for_each(|(to, from)| *to = from);
            u128::from_be_bytes(first)
        })
    }

    /// The 16 hexadecimal digits that name its cache entry.
    pub fn cache_name(&self) -> String {
        format!("{:016x}", self.digest() >> 64)
    }

    /// Where a name (`column`, `table.column`) stands in the SQL as written, as a range of bytes.
    pub fn find_name(&self, name: &str) -> Option<Range<usize>> {
        find::name(&self.written, name)
    }

    /// Where the columns with this name or alias stand in the outermost list of SELECT, or of RETURNING, in their order.
    pub fn find_columns(&self, name: &str) -> Vec<Range<usize>> {
        find::columns(&self.written, name)
    }

    /// Whether a column that is called so has that name by an alias in the SQL, as far as this makes a difference: `n!`, `n?`, `n: Type`.
    pub fn has_alias(&self, name: &str) -> bool {
        name.contains(['!', '?', ':']) && find::alias(&self.written, name)
    }

    /// Every name of the SQL in its order, in lower case, and whether a qualifier stands in front; keywords count as names.
    pub fn names(&self) -> Vec<(String, bool)> {
        find::names(&self.written)
    }

    /// The token of the SQL as written that stands at a byte of the SQL as sent.
    pub fn token_at_sent(&self, sent: usize) -> Range<usize> {
        find::token_at(&self.written, self.written_position(sent))
    }

    /// Where a byte of the SQL as sent stands in the SQL as written.
    pub fn written_position(&self, sent: usize) -> usize {
        let before = self.params.iter().rev().find(|param| param.sent_at <= sent);
        match before {
            None => sent,
            Some(param) if param.sent_at == sent => param.written_at,
            Some(param) => param.written_at + param.width() + (sent - param.sent_at - 1),
        }
    }
}

impl Placeholder {
    /// Where it stands in the SQL as written.
    pub fn written(&self) -> Range<usize> {
        self.written_at..self.written_at + self.width()
    }

    fn width(&self) -> usize {
        self.name.as_ref().map_or(1, |name| name.len() + 1)
    }
}

fn send_form(written: &str, tokens: &[lexer::Token]) -> Result<(String, Vec<Placeholder>), Flaw> {
    let mut text = String::with_capacity(written.len());
    let mut params: Vec<Placeholder> = Vec::new();
    let mut copied = 0;
    for token in tokens {
        let name = match token.kind {
            lexer::Kind::Question => None,
            lexer::Kind::Named => Some(written[token.start + 1..token.end].to_owned()),
            _ => continue,
        };
        if params
            .first()
            .is_some_and(|first| first.name.is_some() != name.is_some())
        {
            return Err(Flaw {
                kind: FlawKind::MixedPlaceholders,
                at: token.start,
            });
        }
        text.push_str(&written[copied..token.start]);
        params.push(Placeholder {
            name,
            written_at: token.start,
            sent_at: text.len(),
        });
        text.push('?');
        copied = token.end;
    }
    text.push_str(&written[copied..]);
    Ok((text, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<Option<String>> {
        Sql::parse(sql)
            .unwrap()
            .params
            .into_iter()
            .map(|param| param.name)
            .collect()
    }

    #[test]
    fn named_placeholders_are_sent_as_question_marks() {
        let sql =
            Sql::parse("SELECT :a, ':b', `:c`, \":d\" -- :e\n, :a # :f\n /* :g */ FROM t").unwrap();
        assert_eq!(
            sql.text(),
            "SELECT ?, ':b', `:c`, \":d\" -- :e\n, ? # :f\n /* :g */ FROM t"
        );
        assert_eq!(
            names(sql.written()),
            [Some("a".to_owned()), Some("a".to_owned())]
        );
    }

    #[test]
    fn assignments_and_variables_are_no_placeholders() {
        assert_eq!(
            names("SELECT @a:=1, @b := ?, a::b, '?', x->'$.a:b'"),
            [None]
        );
    }

    #[test]
    fn the_two_ways_do_not_mix() {
        let flaw = Sql::parse("SELECT ?, :a").unwrap_err();
        assert_eq!(
            flaw,
            Flaw {
                kind: FlawKind::MixedPlaceholders,
                at: 10
            }
        );
    }

    #[test]
    fn positions_map_back_over_names_of_any_length() {
        let sql = Sql::parse("SELECT :long, x, :y, z").unwrap();
        assert_eq!(sql.text(), "SELECT ?, x, ?, z");
        for (needle, sent) in [
            ("SELECT", 0),
            (":long", 7),
            ("x", 10),
            (":y", 13),
            ("z", 16),
        ] {
            assert_eq!(
                sql.written_position(sent),
                sql.written().find(needle).unwrap(),
                "{needle}"
            );
        }
    }

    /// Found by fuzzing: the driver counted two, as both servers do, and the checker one.
    #[test]
    fn executed_comments_in_each_other_are_code() {
        for text in [
            "SELECT 1 /*! + ? /*! + ? */",
            "SELECT 1 /*! + ? /* + ? */ + ? */",
        ] {
            let sql = Sql::parse(text).unwrap();
            let sent: Vec<_> = sql.params().iter().map(|param| param.sent_at).collect();
            assert_eq!(sent.len(), 2, "{text}");
            assert_eq!(
                ark_mysql_proto::params::placeholders(text),
                Ok(sent),
                "{text}"
            );
        }
    }

    /// Found by fuzzing: what a server quotes may begin inside of a word, with a character of several bytes.
    #[test]
    fn a_place_inside_of_a_word_ends_with_its_character() {
        let sql = Sql::parse("SELECT FRNMӀ FROM t").unwrap();
        let at = sql.text().find('Ӏ').unwrap();
        let place = sql.token_at_sent(at);
        assert_eq!(sql.written().get(place), Some("Ӏ"));
        let end = sql.text().len();
        assert_eq!(sql.token_at_sent(end), end..end);
    }

    #[test]
    fn the_digest_is_that_of_the_sent_text() {
        let named = Sql::parse("SELECT :a").unwrap();
        assert_eq!(named.digest(), Sql::parse("SELECT ?").unwrap().digest());
        assert_eq!(
            Sql::parse("SELECT 1").unwrap().cache_name(),
            "e004ebd5b5532a4b"
        );
    }

    #[test]
    fn nothing_to_run_is_an_error() {
        for empty in ["", "  \n", "-- only a remark", "/* nothing */"] {
            assert_eq!(
                Sql::parse(empty).unwrap_err().kind,
                FlawKind::Empty,
                "{empty:?}"
            );
        }
    }
}
