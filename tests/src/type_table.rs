//! The page of the guide that lists which Rust type goes with which SQL type, made of what compiles.

use ark_mysql::value::table::{Pair, pairs};
use ark_mysql_check::generate::default_name;
use ark_mysql_proto::Kind;

/// Where the page lies, from the root of the repository.
pub const PATH: &str = "ark-mysql/src/guide/types.md";

/// Types that are there together or not at all, and the word for them.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "text",
        &["String", "&str", "Cow<str>", "Box<str>", "Arc<str>"],
    ),
    (
        "bytes",
        &["Vec<u8>", "&[u8]", "Cow<[u8]>", "Box<[u8]>", "Arc<[u8]>"],
    ),
    (
        "integers",
        &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"],
    ),
];

const HEAD: &str = "\
Which Rust type goes with which SQL type, in both directions. This page is made of what compiles, and a test fails where it is not what the library does.

* **default**: what a column becomes in `query!` where nobody says otherwise; in an `Option` where it may be NULL. Settled by the SQL type alone, never by Cargo features.
* **read into**: what an alias (`AS \"id: Type\"`), the field of a `query_as!` or a `query_scalar!` may ask for. Types that would narrow are not in the list;
  a value that a type of the list cannot hold all the same (a zero date, a 2 as `bool`, a DECIMAL of more digits) is an error that names the column.
* **compared with**: what an argument may be where it stands against such a column: `=`, `<`, `IN`, `BETWEEN`, `LIKE`.
* **stored from**: what an argument may be in `INSERT` and `SET column = ?`.

`text` is `String`, `&str`, `Cow<str>`, `Box<str>`, `Arc<str>`; `bytes` is `Vec<u8>`, `&[u8]`, `Cow<[u8]>`, `Box<[u8]>`, `Arc<[u8]>`; `integers` are those of 8 to 64 bits, of both signs. Types without a path
are of the standard library or of [`ark_mysql::types`](crate::types). Wherever a type may be sent, so may `&`, `Box`, `Rc`, `Arc` and `Cow` of it, an `Option` where NULL is in order, and a
newtype of it with [`derive(Type)`](macro@crate::Type); enums and flags of that derive go with text, ENUM, SET and integers. `Json<T>` is any `T` of serde.

";

const TAIL: &str = "
# Features

`chrono` and `json` (`serde_json`) are on by default; `time`, `jiff`, `uuid`, `rust_decimal` and `bigdecimal` are features of these names. A feature adds the types of its crate to the lists, and changes nothing
that was there: no default depends on one. So MariaDB's `UUID` becomes a `String`, which every build has, until an alias or a field asks for a `uuid::Uuid`.

# What is not in the table

* A computed integer is a `BIGINT`, whatever the server calls it: `i64`, or a `bool` that was asked for.
* The column of `SELECT NULL` is an `Option` of anything.
* An argument that stands against nothing that is known may be anything that can be sent. A `uuid::Uuid` and an IP address may not: they are text in some columns and bytes in others.
  `id.hyphenated()` and `address.to_string()` are text, `id.as_bytes()` and `address.octets()` bytes.
* FLOAT has six digits in the text protocol (`.text()`), which is the server's doing; all of them in the other.
* A TIME of 838 hours with microseconds exists on MariaDB alone.
";

/// The page.
#[must_use]
pub fn page() -> String {
    let all = pairs();
    let mut page = HEAD.to_owned();
    page.push_str(
        "| SQL | default | read into | compared with | stored from |\n|---|---|---|---|---|\n",
    );
    for &kind in Kind::ALL.iter().filter(|&&kind| kind != Kind::Null) {
        let of_kind: Vec<&Pair> = all.iter().filter(|pair| pair.kind == kind).collect();
        let list = |is: fn(&Pair) -> bool| {
            let types = of_kind.iter().filter(|pair| is(pair));
            listed(types.map(|pair| shown(pair.rust)).collect())
        };
        page.push_str(&format!(
            "| `{}` | `{}` | {} | {} | {} |\n",
            kind.sql_name(),
            default_name(kind),
            list(|pair| pair.reads),
            list(|pair| pair.compares),
            list(|pair| pair.stores)
        ));
    }
    page.push_str(TAIL);
    page
}

/// As people write it.
#[must_use]
pub fn shown(rust: &str) -> String {
    let plain = rust.replace("'static, ", "").replace("'static ", "");
    plain.replace("[u8; 16]", "[u8; N]")
}

fn listed(mut types: Vec<String>) -> String {
    let mut words = Vec::new();
    for (word, group) in GROUPS {
        if group
            .iter()
            .all(|name| types.iter().any(|rust| rust == name))
        {
            types.retain(|rust| !group.contains(&rust.as_str()));
            words.push(word.to_owned());
        }
    }
    words.extend(types.iter().map(|rust| format!("`{rust}`")));
    words.join(", ")
}
