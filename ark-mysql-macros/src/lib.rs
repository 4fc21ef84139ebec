//! The macros of ark-mysql: statements that a real server checks while your crate compiles. Use them as `ark_mysql::query!` and so on.
//!
//! | macro | a row becomes |
//! |---|---|
//! | [`query!`] | a struct made for the call, with a field for each column |
//! | [`query_as!`] | a type of yours, or the value of the one column |
//! | [`query_scalar!`] | the value of the one column |
//! | [`query_file!`], [`query_file_as!`], [`query_file_scalar!`] | the same, with the SQL in a file |
//! | [`insert_many!`] | nothing: it inserts many rows |
//!
//! [`migrate!`] puts a folder of migrations into the program, `#[ark_mysql::test]` ([`macro@test`]) gives a test a database of its own.
//!
//! [`derive(Type)`](macro@Type) makes types of your own columns and arguments: newtypes, enums, flags.
//!
//! # The SQL
//!
//! A string literal, a raw string, `concat!(…)` of literals, or `include_str!("…")` (beside the source file); a `$q:literal` of a `macro_rules!` too.
//! A `const` or a variable cannot be seen by a macro: statements that are known only at run time are for `ark_mysql::query(sql)`.
//!
//! # Arguments
//!
//! Either one expression for each `?`, or names: each `:name` takes the argument `name = value`, or else the variable `name`.
//! Arguments are borrowed, never moved. A trailing comma is welcome.
//!
//! ```ignore
//! query!("SELECT id FROM users WHERE org = ? AND name LIKE ?", org, pattern)
//! query!("SELECT id FROM users WHERE org = :org AND boss = :id", id = user.boss)    // org is a variable
//! ```
//!
//! # Lists
//!
//! Two dots spread a list into an `IN` or `NOT IN` that it has for itself: a slice, a `Vec`, an array, a set, whatever of these stands behind a
//! reference or an `Arc`, or an iterator that can be cloned.
//!
//! ```ignore
//! query!("SELECT name FROM users WHERE id IN (?) AND org = ?", ..ids, org)
//! query!("SELECT name FROM users WHERE id NOT IN (:ids)", ids = ..users.iter().map(|user| user.id))
//! query!("SELECT name FROM users WHERE (id, org) IN ((?, ?))", ..pairs)     // tuples, one value for each `?`
//! query!("SELECT name FROM users WHERE (id, org) IN ((:pairs, :pairs))", ..pairs)
//! ```
//!
//! * `IN ()` of an empty list is false and `NOT IN ()` is true, for NULL too. Each element must fit what stands in front of IN, as a single value must.
//! * A list is filled up to a power of two by its last value, so that lists of all lengths share few prepared statements (17 at most). Any number of
//!   lists may stand in one statement.
//! * A statement has at most 65,535 placeholders: more are an error before anything is sent. Send such a list in parts, or by `.text()`.
//! * A list that is the result of a call lives as long as its statement is an expression; give it a name before a `let` of the query.
//!
//! # Columns
//!
//! What the server declares decides the type: `INT NOT NULL` is `i32`, `INT` is `Option<i32>`; the table is in `ark_mysql::value`. NULL is believed impossible
//! only where servers are known to be right about it. An alias can say better, as people know it from sqlx:
//!
//! | alias | means |
//! |---|---|
//! | ``AS `id!` `` | never NULL; should one come after all, it is the error `UnexpectedNull` |
//! | ``AS `id?` `` | may be NULL |
//! | ``AS `id: UserId` `` | of this type, in an `Option` if NULL can come |
//! | ``AS `id!: UserId` `` | both |
//!
//! Keywords become raw identifiers (`row.r#type`). A column whose name cannot be a field, such as `COUNT(*)`, wants an alias.
//!
//! # A renamed crate
//!
//! `query!(crate = my::ark_mysql, "SELECT …")` names the path of the driver, for macros of yours that are used where `ark_mysql` is no dependency.
//!
//! # When it fails
//!
//! Every mistake is a compile error that names it: the server's message with the SQL and a caret under the place, the column that does not fit, the
//! argument that is missing. All mistakes of a call are told at once, and none causes others.

use ark_mysql_check::{Macro, derive_type, expand};
use proc_macro::TokenStream;

/// A checked statement; each row becomes a struct made for the call.
///
/// ```ignore
/// let user = query!("SELECT id, name FROM users WHERE id = ?", id).fetch_one(&pool).await?;
/// println!("{}: {}", user.id, user.name);
/// let done = query!("UPDATE users SET name = ? WHERE id = ?", name, id).execute(&pool).await?;
/// ```
///
/// The struct has public fields and is `Clone`, `Debug` and `PartialEq` if the types of its fields are.
#[proc_macro]
pub fn query(tokens: TokenStream) -> TokenStream {
    expand(Macro::Query, tokens.into()).into()
}

/// A checked statement; each row becomes the given type: a struct with a field for each column, or the value of the one column.
///
/// ```ignore
/// struct User { id: u64, name: String }
/// let users: Vec<User> = query_as!(User, "SELECT id, name FROM users").fetch_all(&pool).await?;
///
/// struct UserRef<'a> { id: u64, name: &'a str }
/// query_as!(UserRef<'_>, "SELECT id, name FROM users").for_each(&mut conn, |user| Ok(println!("{}", user.name))).await?;
///
/// let names: Vec<String> = query_as!(String, "SELECT name FROM users").fetch_all(&pool).await?;
/// ```
///
/// The struct derives nothing of ours, and any number of statements may fill it. A field may be wider than its column, an `Option` where NULL cannot come,
/// or any type that implements `ark_mysql::value::Column`.
#[proc_macro]
pub fn query_as(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryAs, tokens.into()).into()
}

/// A checked statement with one column; each row becomes its value.
///
/// ```ignore
/// let count: i64 = query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&pool).await?;
/// ```
#[proc_macro]
pub fn query_scalar(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryScalar, tokens.into()).into()
}

/// [`query!`] with the SQL in a file, whose path begins at the folder of `Cargo.toml`. A change of the file compiles the call again.
///
/// ```ignore
/// let top = query_file!("queries/top.sql", since).fetch_all(&pool).await?;
/// ```
#[proc_macro]
pub fn query_file(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFile, tokens.into()).into()
}

/// [`query_as!`] with the SQL in a file, whose path begins at the folder of `Cargo.toml`. A change of the file compiles the call again.
#[proc_macro]
pub fn query_file_as(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFileAs, tokens.into()).into()
}

/// [`query_scalar!`] with the SQL in a file, whose path begins at the folder of `Cargo.toml`. A change of the file compiles the call again.
#[proc_macro]
pub fn query_file_scalar(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFileScalar, tokens.into()).into()
}

/// Many rows by one checked INSERT or REPLACE: the fastest way that the server has. Run it with `execute`.
///
/// ```ignore
/// let done = insert_many!("INSERT INTO users (name, age) VALUES (?, ?)", users.iter().map(|user| (&user.name, user.age)))
///     .execute(&pool)
///     .await?;
/// assert_eq!(done.rows_affected(), 10_000);
/// ```
///
/// The SQL has one row of VALUES, with a `?` for each value; constants and functions may stand beside them, IGNORE in front and
/// ON DUPLICATE KEY UPDATE behind (its values by `VALUES(column)`). It is checked as it stands, like that of [`query!`].
///
/// The rows are anything that can be iterated over: tuples with a value for each `?`, or references to such tuples; a row of one value is `(value,)`.
/// The iterator is asked for rows as they are sent. What is sent, and what becomes of all of it when one row fails: see `ark_mysql::InsertMany`.
#[proc_macro]
pub fn insert_many(tokens: TokenStream) -> TokenStream {
    expand(Macro::InsertMany, tokens.into()).into()
}

/// Whether the database still is what the statements of this crate were checked with: for the start of a program, before it takes work.
///
/// ```ignore
/// let pool = Pool::connect(url).await?;
/// ark_mysql::verify_schema!(&pool).await?;
/// ```
///
/// It is an `ark_mysql::Operation`, so that it can have a `.deadline(…)`, and runs on whatever runs a statement: `&pool`, `&mut conn`, `&mut tx`. All statements
/// are prepared, 64 with each round trip, and nothing is executed. The error, of kind `SchemaChanged`, lists everything that is different: statements that
/// the server refuses, columns of results and columns that parameters stand against with their types and NOT NULL, settings that change what SQL means
/// (`sql_mode`, `lower_case_table_names`). As values these are in its [`source`](std::error::Error::source), `ark_mysql::SchemaMismatches`:
///
/// ```text
/// the schema is not the one that was checked: 2 of 214 statements do not fit the database
///   src/users.rs:12: SELECT id, name FROM users WHERE id = ?
///     column `id` (users.id): INT expected, BIGINT found
///   src/orders.rs:40: UPDATE orders SET note = ? WHERE id = ?
///     parameter 1 (orders.note): CHAR/VARCHAR/TEXT NULL expected, CHAR/VARCHAR/TEXT NOT NULL found
/// ```
///
/// # Where the statements come from
///
/// From the cache of the crate, `.ark-mysql/`, as it is while the crate compiles: that is what `cargo ark-mysql prepare` writes and what is
/// committed. So
///
/// * without a cache it does not compile, and says so;
/// * a statement that was written after the last `prepare` is not looked at, one that was removed still is: `cargo ark-mysql check` in CI finds both;
/// * those of other crates are theirs: each has a call of its own;
/// * places are looked up in the sources; a statement that `concat!` or a macro of yours puts together is named by its cache file;
/// * what it cannot see is left to `cargo ark-mysql check`: labels of an ENUM.
#[proc_macro]
pub fn verify_schema(tokens: TokenStream) -> TokenStream {
    ark_mysql_check::verify::expand(tokens.into()).into()
}

/// The migrations of a folder, as part of the program: an `ark_mysql::migrate::Migrator`, which may stand in a `static`. (Feature `migrate`.)
///
/// ```ignore
/// static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("migrations");
///
/// MIGRATOR.run(&pool).await?;
/// ```
///
/// The path begins at the folder of `Cargo.toml`; without one it is `migrations`. A change of a file compiles the call again. cargo cannot see that a
/// file was added, unless a `build.rs` says so:
///
/// ```ignore
/// fn main() {
///     println!("cargo::rerun-if-changed=migrations");
/// }
/// ```
///
/// Without it, a debug build that finds other files in the folder than it was built with says so when it is about to migrate.
#[proc_macro]
pub fn migrate(tokens: TokenStream) -> TokenStream {
    ark_mysql_check::migrations::expand(tokens.into()).into()
}

/// An async test with a database of its own, in which migrations and fixtures are applied. (Feature `migrate`; see `ark_mysql::testing`.)
///
/// ```ignore
/// #[ark_mysql::test(migrations = "migrations", fixtures("users"))]
/// async fn users_are_counted(pool: ark_mysql::Pool) -> ark_mysql::Result<()> {
///     let count = ark_mysql::query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&pool).await?;
///     assert_eq!(count, 2);
///     Ok(())
/// }
/// ```
#[proc_macro_attribute]
pub fn test(attribute: TokenStream, item: TokenStream) -> TokenStream {
    ark_mysql_check::test_attribute::expand(attribute.into(), item.into()).into()
}

/// A type of your own that a column can be read into and that can be sent: a newtype, an enum of labels or numbers, or the flags of a SET.
///
/// # Newtypes
///
/// A struct with one field stands for the type of that field, and reads and sends whatever that one does. Generics and
/// `PhantomData` beside the field are welcome.
///
/// ```ignore
/// #[derive(Clone, Copy, Debug, PartialEq, ark_mysql::Type)]
/// struct UserId(u64);
///
/// let id: UserId = query_scalar!("SELECT id AS `id: UserId` FROM users WHERE name = ?", name).fetch_one(&pool).await?;
/// query!("UPDATE users SET seen = NOW() WHERE id = ?", id).execute(&pool).await?;
/// ```
///
/// # Labels
///
/// An enum whose variants hold nothing stands for the labels of an `ENUM`, or for the texts in a `VARCHAR`, `CHAR` or `TEXT`. A
/// label is the name of its variant, as it is or by a rule; a text that is no label is an error that lists them.
///
/// ```ignore
/// #[derive(Debug, ark_mysql::Type)]
/// #[ark_mysql(rename_all = "snake_case")]
/// enum State {
///     Open,
///     InReview,               // in_review
///     #[ark_mysql(rename = "done")]
///     Closed,
///     #[ark_mysql(other)]
///     Unknown(String),        // whatever else comes: a label that a later version of the schema has
/// }
/// ```
///
/// Where an ENUM column of a table is read into such a type, its labels are compared while the crate compiles: one that the type does not know is an
/// error, unless there is a variant for others. (An expression or a view has no labels that are known.)
///
/// `rename_all` is one of `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`,
/// `SCREAMING-KEBAB-CASE`.
///
/// # Numbers
///
/// With `#[repr(u8)]`, or another integer of up to 64 bits, an enum stands for its numbers: read from an integer column of any
/// width, sent in the width that it names. `#[ark_mysql(text)]` beside it makes it labels all the same.
///
/// ```ignore
/// #[derive(ark_mysql::Type)]
/// #[repr(u8)]
/// enum Priority { Low = 1, High = 2 }
/// ```
///
/// # Sets
///
/// A struct of `bool`s marked `set` stands for a `SET`, or for text of labels with commas between them. A field marked `other`
/// keeps the labels that are not known.
///
/// ```ignore
/// #[derive(ark_mysql::Type)]
/// #[ark_mysql(set)]
/// struct Rights {
///     read: bool,
///     #[ark_mysql(rename = "can-write")]
///     write: bool,
///     #[ark_mysql(other)]
///     others: Vec<String>,
/// }
/// ```
///
/// `#[ark_mysql(crate = my::ark_mysql)]` names the path of the driver where it is not `ark_mysql`.
#[proc_macro_derive(Type, attributes(ark_mysql))]
pub fn derive(tokens: TokenStream) -> TokenStream {
    derive_type(tokens.into()).into()
}
