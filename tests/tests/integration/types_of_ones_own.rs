//! Types of the user: newtypes, labels, numbers and flags go both ways, by both protocols, and a label that nobody knows is an error that
//! lists those that somebody does.

use std::borrow::Cow;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::Arc;

use ark_mysql::types::{Json, uuid};
use ark_mysql::{Connection, ErrorKind, Outcome, Result, Type, query, query_as, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{fails, open};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Type)]
struct UserId(u64);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
struct Id<T> {
    number: u64,
    of: PhantomData<fn() -> T>,
}

#[derive(Debug, PartialEq, Type)]
struct Word<'a>(&'a str);

#[derive(Clone, Debug, PartialEq, Type)]
struct Shared(Arc<str>);

#[derive(Debug, PartialEq, Type)]
struct Nested(Id<UserId>);

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[ark_mysql(rename_all = "snake_case")]
enum State {
    Open,
    InReview,
    #[ark_mysql(rename = "done")]
    Closed,
}

#[derive(Clone, Debug, PartialEq, Type)]
#[ark_mysql(rename_all = "snake_case")]
enum Lenient {
    Open,
    #[ark_mysql(other)]
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[repr(u8)]
enum Priority {
    Low = 1,
    Middle,
    High = 10,
}

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[repr(u8)]
enum AnyPriority {
    Low = 1,
    #[ark_mysql(other)]
    Other(u8),
}

#[derive(Clone, Debug, Default, PartialEq, Type)]
#[ark_mysql(set)]
struct Rights {
    read: bool,
    write: bool,
    #[ark_mysql(rename = "can-admin")]
    admin: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Type)]
#[ark_mysql(set)]
struct SomeRights {
    write: bool,
    #[ark_mysql(other)]
    others: Vec<String>,
}

#[derive(Debug, PartialEq)]
struct Ticket {
    id: UserId,
    owner: Option<Id<User>>,
    state: State,
    word: Shared,
    short_word: State,
    long_word: Lenient,
    rights: Rights,
    priority: Priority,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct User;

fn ticket() -> Ticket {
    Ticket {
        id: UserId(u64::MAX),
        owner: Some(Id {
            number: 7,
            of: PhantomData,
        }),
        state: State::InReview,
        word: Shared("öpen".into()),
        short_word: State::Closed,
        long_word: Lenient::Unknown("later".to_owned()),
        rights: Rights {
            read: true,
            admin: true,
            ..Rights::default()
        },
        priority: Priority::Middle,
    }
}

async fn insert(ticket: &Ticket, conn: &mut Connection) -> Result<()> {
    let Ticket {
        id,
        owner,
        state,
        word,
        short_word,
        long_word,
        rights,
        priority,
    } = ticket;
    query!(
        "INSERT INTO tickets (id, owner, state, word, short_word, long_word, rights, priority) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        id, owner, state, word, short_word, long_word, rights, priority
    )
    .execute(conn)
    .await?;
    Ok(())
}

on_every_server! {
    async fn they_go_both_ways_by_both_protocols(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        let read = query_as!(Ticket, "SELECT id, owner, state, word, short_word, long_word, rights, priority FROM tickets");
        assert_eq!(read.fetch_one(&mut conn).await?, ticket());
        let read = query_as!(Ticket, "SELECT id, owner, state, word, short_word, long_word, rights, priority FROM tickets");
        assert_eq!(read.text().fetch_one(&mut conn).await?, ticket());
        let found = query_scalar!("SELECT id AS `id: UserId` FROM tickets WHERE id = ? AND state = ? AND rights = ? AND priority = ?",
            UserId(u64::MAX), Some(State::InReview), &Rights { read: true, admin: true, write: false }, Priority::Middle);
        assert_eq!(found.text().fetch_all(&mut conn).await?, [UserId(u64::MAX)]);
        let row = query!("SELECT owner AS `owner: Id<User>`, state AS `state: State` FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!((row.owner, row.state), (ticket().owner, State::InReview));
        query!("UPDATE tickets SET owner = ?", None::<UserId>).execute(&mut conn).await?;
        assert_eq!(query_as!(Option<UserId>, "SELECT owner FROM tickets").fetch_one(&mut conn).await?, None);
        let mut word = String::new();
        query_scalar!("SELECT word AS `word: Word<'_>` FROM tickets").for_each(&mut conn, |row| { word = row.0.to_owned(); Ok(()) }).await?;
        assert_eq!(word, "öpen");
        Ok(())
    }

    /// Case 97: everything that holds a value is sent as that value.
    async fn wrapped_values_are_sent_as_they_are(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        let id = UserId(u64::MAX);
        let boxed: Box<str> = "öpen".into();
        let (shared, cow) = (Arc::<str>::from("öpen"), Cow::Borrowed("öpen"));
        let nested = Nested(Id { number: u64::MAX, of: PhantomData });
        for found in [
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE id = ?", id).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE id = ?", &id).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE id = ?", Some(&id)).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE id = ?", Arc::new(id)).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE id = ?", nested).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE word = ?", boxed).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE word = ?", shared).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE word = ?", Some(cow)).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE word = ?", Shared("öpen".into())).fetch_one(&mut conn).await?,
            query_scalar!("SELECT COUNT(*) FROM tickets WHERE word = ?", Word("öpen")).fetch_one(&mut conn).await?,
        ] {
            assert_eq!(found, 1);
        }
        let json = query_scalar!("SELECT CAST(? AS CHAR) AS `json!`", Json([1, 2])).fetch_one(&mut conn).await?;
        assert_eq!(json, "[1,2]");
        Ok(())
    }

    /// Case 7, by the macros: what an alias and a field ask for, and what is bound, has the form of its column.
    async fn a_uuid_where_an_alias_asks_for_it(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = uuid::Uuid::from_u128(0x0189_f7ea_ae2b_7c5e_8000_0123_4567_89ab);
        query!("INSERT INTO texts (id, body, old, raw) VALUES (1, ?, '', ?)", id, id).execute(&mut conn).await?;
        let row = query!(r#"SELECT body AS "body: uuid::Uuid", raw AS "raw: uuid::Uuid" FROM texts WHERE raw = ? AND body = ?"#, id, id).fetch_one(&mut conn).await?;
        assert_eq!((row.body, row.raw), (id, id));
        let again = query!(r#"SELECT raw AS "raw: uuid::Uuid" FROM texts WHERE raw IN (?)"#, ..[id]).text().fetch_all(&mut conn).await?;
        assert_eq!(again.iter().map(|row| row.raw).collect::<Vec<_>>(), [id]);
        Ok(())
    }

    /// Case 23: the same enum from every column of text.
    async fn an_enum_reads_all_columns_of_text(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        query!("UPDATE tickets SET word = ?, short_word = ?, long_word = ?, state = ?", State::Closed, State::Closed, State::Closed, State::Closed)
            .execute(&mut conn).await?;
        let row = query!("SELECT word AS `word: State`, short_word AS `short: State`, long_word AS `long: State`, state AS `state: State`, \
            CONCAT('in_', 'review') AS `made!: State` FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!([row.word, row.short, row.long, row.state], [State::Closed; 4]);
        assert_eq!(row.made, State::InReview);
        Ok(())
    }

    async fn a_label_that_nobody_knows_lists_those_that_are(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        let labels = query_scalar!("SELECT word AS `word: State` FROM tickets").fetch_one(&mut conn).await;
        let told = fails(labels, ErrorKind::Decode, Outcome::Done).to_string();
        assert!(told.contains("column `word") && told.contains("none of the names that the Rust type knows: `open`, `in_review`, `done`"), "{told}");
        assert!(!told.contains("öpen"), "{told}");
        query!("UPDATE tickets SET priority = 5, word = 'read,fly'").execute(&mut conn).await?;
        let numbers = query_scalar!("SELECT priority AS `priority: Priority` FROM tickets").fetch_one(&mut conn).await;
        let told = fails(numbers, ErrorKind::Decode, Outcome::Done).to_string();
        assert!(told.contains("`1 (Low)`, `Middle`, `10 (High)`"), "{told}");
        let flags = query_scalar!("SELECT word AS `word: Rights` FROM tickets").fetch_one(&mut conn).await;
        let told = fails(flags, ErrorKind::Decode, Outcome::Done).to_string();
        assert!(told.contains("`read`, `write`, `can-admin`"), "{told}");
        Ok(())
    }

    async fn what_takes_others_keeps_them(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        let state = query_scalar!("SELECT state AS `state: Lenient` FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!(state, Lenient::Unknown("in_review".to_owned()));
        let rights = query_scalar!("SELECT rights AS `rights: SomeRights` FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!(rights, SomeRights { write: false, others: vec!["read".to_owned(), "can-admin".to_owned()] });
        let priority = query_scalar!("SELECT priority AS `priority: AnyPriority` FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!(priority, AnyPriority::Other(2));
        let again = query!("UPDATE tickets SET state = ?, rights = ?, priority = ?, word = 'x'", state, rights, priority).execute(&mut conn).await?;
        assert_eq!(again.rows_affected(), 1);
        let same = query_as!(Ticket, "SELECT id, owner, state, word, short_word, long_word, rights, priority FROM tickets").fetch_one(&mut conn).await?;
        assert_eq!(Ticket { word: ticket().word, ..same }, ticket());
        assert_eq!(AnyPriority::Low, query_scalar!("SELECT 1 AS `one!: AnyPriority`").fetch_one(&mut conn).await?);
        Ok(())
    }

    /// Case 25: a SET of all and of nothing.
    async fn every_subset_of_a_set(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        insert(&ticket(), &mut conn).await?;
        let mut seen = HashSet::new();
        for number in 0..8u8 {
            let rights = Rights { read: number & 1 != 0, write: number & 2 != 0, admin: number & 4 != 0 };
            query!("UPDATE tickets SET rights = ?", rights).execute(&mut conn).await?;
            assert_eq!(query_scalar!("SELECT rights AS `rights: Rights` FROM tickets").fetch_one(&mut conn).await?, rights);
            seen.insert(query_scalar!("SELECT rights FROM tickets").fetch_one(&mut conn).await?);
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
        assert!(seen.contains("") && seen.contains("read,write,can-admin"), "{seen:?}");
        Ok(())
    }
}
