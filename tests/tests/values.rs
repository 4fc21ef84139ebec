//! What could go wrong with values: one that comes back as another, in either protocol, from either server.

use std::fmt::Debug;
use std::marker::PhantomData;

use ark_mysql::__private::{
    Any, ColumnSpec, DecodeError, Effect, Kind, NotNull, Nullable, OwnedRows, Prepared, Query,
    ReturnsRows, Source, Statement, checked, kind,
};
use ark_mysql::dev_server::Flavor;
use ark_mysql::types::{Date, DateTime, Decimal, Geometry, Json, Time};
use ark_mysql::value::{Column, Encode};
use ark_mysql::{Connection, Result};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use tests::{Database, Server};

/// `SELECT c`, as `query!` would generate it for a nullable column of this kind.
struct Select<K, T>(PhantomData<fn() -> (K, T)>);

impl<K, T> Clone for Select<K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, T> Copy for Select<K, T> {}

/// The kind as a value.
trait Named {
    const KIND: Kind;
}

impl<K, T> Statement for Select<K, T>
where
    K: Named + 'static,
    T: for<'r> Column<'r, NotNull<K>> + 'static,
{
    type Row<'r> = Option<T>;
    type Params = ();
    const SQL: &'static str = "SELECT c FROM v ORDER BY n";
    const DIGEST: u128 = 1;
    const COLUMNS: &'static [ColumnSpec] = &[ColumnSpec {
        name: "c",
        kind: K::KIND,
        nullable: true,
        named: true,
    }];
    const EFFECT: Effect = Effect::Read;

    fn decode<'r, R: Source<'r>>(row: &mut R) -> std::result::Result<Option<T>, DecodeError> {
        <Option<T> as Column<'r, Nullable<K>>>::decode(row, 0)
    }
}

impl<K, T> ReturnsRows for Select<K, T> where Self: Statement {}

impl<K, T> OwnedRows for Select<K, T> where Self: Statement {}

#[derive(Clone, Copy)]
struct Insert;

impl Statement for Insert {
    type Row<'r> = ();
    type Params = (Any,);
    const SQL: &'static str = "INSERT INTO v (c) VALUES (?)";
    const DIGEST: u128 = 2;
    const COLUMNS: &'static [ColumnSpec] = &[];
    const EFFECT: Effect = Effect::Write;

    fn decode<'r, R: Source<'r>>(_: &mut R) -> std::result::Result<(), DecodeError> {
        Ok(())
    }
}

/// Sends each value (and NULL) as a parameter and as a literal, and reads all of them in binary and as text. The table has another type each time,
/// so the prepared statements live through its changes, too.
async fn come_back<K, T>(conn: &mut Connection, sql_type: &str, values: Vec<T>) -> Result<()>
where
    K: Named + 'static,
    T: Encode<Any>
        + for<'r> Column<'r, NotNull<K>>
        + Clone
        + Debug
        + PartialEq
        + Send
        + Sync
        + 'static,
{
    conn.run_script(&format!("DROP TABLE IF EXISTS v; CREATE TABLE v (n INT AUTO_INCREMENT PRIMARY KEY, c {sql_type} NULL)")).await?;
    let mut sent = Vec::new();
    for value in values.into_iter().map(Some).chain([None]) {
        let insert = || Query {
            statement: Insert,
            params: (&value,),
            mode: Prepared,
            checked: checked(|_| ()),
        };
        insert().execute(&mut *conn).await?;
        insert().text().execute(&mut *conn).await?;
        sent.extend([value.clone(), value]);
    }
    let select = || Query {
        statement: Select::<K, T>(PhantomData),
        params: (),
        mode: Prepared,
        checked: checked(|_| ()),
    };
    assert_eq!(
        select().fetch_all(&mut *conn).await?,
        sent,
        "{sql_type} in binary"
    );
    assert_eq!(
        select().text().fetch_all(&mut *conn).await?,
        sent,
        "{sql_type} as text"
    );
    Ok(())
}

macro_rules! named {
    ($($kind:ident)*) => { $(impl Named for kind::$kind { const KIND: Kind = Kind::$kind; })* };
}

named! {
    TinyInt TinyIntUnsigned Bool SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned
    Float Double Decimal Text Bytes Date DateTime Timestamp Time Year Bit1 Bit Json Enum Set Geometry Vector Uuid Inet4 Inet6
}

/// `Kind Type "SQL type": values;` for each.
macro_rules! all_come_back {
    ($database:ident $($kind:ident $rust:ty, $sql:literal: [$($value:expr),* $(,)?];)*) => {
        let mut conn = Connection::connect($database.url()).await?;
        $(come_back::<kind::$kind, $rust>(&mut conn, $sql, vec![$($value),*]).await?;)*
    };
}

fn moment(micros: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2024, 2, 29)
        .unwrap()
        .and_hms_micro_opt(23, 59, 59, micros)
        .unwrap()
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn point() -> Geometry {
    let wkb = [
        &[1, 1, 0, 0, 0][..],
        &1.5_f64.to_le_bytes(),
        &2.5_f64.to_le_bytes(),
    ]
    .concat();
    Geometry { srid: 0, wkb }
}

tests::on_every_server! {
    async fn numbers_at_their_limits(database: Database) -> Result<()> {
        all_come_back! { database
            TinyInt i8, "TINYINT": [i8::MIN, 0, i8::MAX];
            TinyIntUnsigned u8, "TINYINT UNSIGNED": [0, u8::MAX];
            Bool bool, "BOOL": [true, false];
            Bool i8, "TINYINT(1)": [i8::MIN, i8::MAX];
            SmallInt i16, "SMALLINT": [i16::MIN, i16::MAX];
            SmallIntUnsigned u16, "SMALLINT UNSIGNED": [u16::MAX];
            MediumInt i32, "MEDIUMINT": [-8_388_608, 8_388_607];
            MediumIntUnsigned u32, "MEDIUMINT UNSIGNED": [16_777_215];
            Int i32, "INT": [i32::MIN, i32::MAX];
            IntUnsigned u32, "INT UNSIGNED": [u32::MAX];
            IntUnsigned u64, "INT(7) ZEROFILL": [7];
            BigInt i64, "BIGINT": [i64::MIN, i64::MAX];
            BigIntUnsigned u64, "BIGINT UNSIGNED": [u64::MAX];
            Float f32, "FLOAT": [0.5, -1.25e10];
            Double f64, "DOUBLE": [0.1, -0.1, f64::MAX, f64::MIN_POSITIVE, 1e15, 123_456_789.123];
            Decimal Decimal, "DECIMAL(65,30)": [decimal("-12345678901234567890123456789012345.000000000000000000000000000001"), decimal("7")];
            Decimal Decimal, "DECIMAL(65,0)": [decimal(&"9".repeat(65)), decimal("-7")];
            Year u16, "YEAR": [0, 1901, 2155];
            Bit1 bool, "BIT(1)": [true, false];
            Bit u64, "BIT(9)": [0, 511];
            Bit u64, "BIT(64)": [1, 1 << 63, u64::MAX];
        }
        Ok(())
    }

    async fn strings_that_would_need_escaping(database: Database) -> Result<()> {
        all_come_back! { database
            Text String, "VARCHAR(100) CHARACTER SET utf8mb4": ["it's a \\ ? \"🦀\" -- `".into(), String::new(), "NULL".into()];
            Text String, "CHAR(10) CHARACTER SET latin1": ["é".into()];
            Text String, "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin": ["🦀".repeat(20_000)];
            Bytes [u8; 16], "BINARY(16)": [[0xff; 16], [0; 16]];
            Bytes Vec<u8>, "VARBINARY(300)": [vec![], vec![0, 39, 92, 255], vec![200; 300]];
            Bytes Vec<u8>, "BLOB": [vec![], vec![0, 39, 92, 255], vec![200; 300]];
            Enum String, "ENUM('a','bb')": ["bb".into()];
            Set String, "SET('x','yy')": ["x,yy".into(), String::new()];
            Json serde_json::Value, "JSON": [serde_json::json!({"a": [1, null, "é'\\"]}), serde_json::Value::Null];
            Json Json<Vec<u8>>, "JSON": [Json(vec![1, 2])];
            Geometry Geometry, "GEOMETRY": [point()];
            Geometry Geometry, "POINT": [point()];
        }
        Ok(())
    }

    async fn dates_and_times_to_the_microsecond(database: Database) -> Result<()> {
        all_come_back! { database
            Date NaiveDate, "DATE": [moment(0).date(), NaiveDate::from_ymd_opt(9999, 12, 31).unwrap()];
            DateTime NaiveDateTime, "DATETIME(6)": [moment(999_999), moment(0).date().into()];
            Timestamp chrono::DateTime<Utc>, "TIMESTAMP(6)": [moment(1).and_utc()];
            Time Time, "TIME(6)": [Time::default(), Time::from_micros(-1).unwrap(), Time::new(true, 837, 59, 59, 999_999).unwrap()];
            Time Time, "TIME": [Time::new(false, 838, 59, 59, 0).unwrap(), Time::new(true, 24, 0, 0, 0).unwrap()];
            Time TimeDelta, "TIME(3)": [TimeDelta::milliseconds(-1)];
            Time NaiveTime, "TIME(6)": [moment(999_999).time()];
        }
        Ok(())
    }

    async fn dates_that_are_no_dates(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        ark_mysql::query("SET sql_mode = 'ALLOW_INVALID_DATES'").execute(&mut conn).await?;
        let dates = vec![Date::ZERO, Date::new(2024, 0, 0).unwrap(), Date::new(2024, 2, 31).unwrap()];
        come_back::<kind::Date, Date>(&mut conn, "DATE", dates).await?;
        come_back::<kind::DateTime, DateTime>(&mut conn, "DATETIME(6)", vec![DateTime::default()]).await?;
        let select = Query { statement: Select::<kind::DateTime, NaiveDateTime>(PhantomData), params: (), mode: Prepared, checked: checked(|_| ()) };
        let error = select.fetch_all(&mut conn).await.unwrap_err();
        assert!(error.to_string().contains("`c`") && error.to_string().contains("zero"), "{error}");
        Ok(())
    }

    async fn types_that_not_every_server_has(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        if database.kind() != Server::MariaDb10 {
            let vectors = vec![vec![1.0, 0.5, -2.0]];
            come_back::<kind::Vector, Vec<f32>>(&mut conn, "VECTOR(3)", vectors).await?;
        }
        if database.flavor() == Flavor::MariaDb {
            let uuid = "123e4567-e89b-12d3-a456-426655440000".to_owned();
            come_back::<kind::Uuid, String>(&mut conn, "UUID", vec![uuid]).await?;
            come_back::<kind::Inet4, String>(&mut conn, "INET4", vec!["127.0.0.1".into()]).await?;
            come_back::<kind::Inet6, String>(&mut conn, "INET6", vec!["::1".into()]).await?;
        }
        Ok(())
    }
}
