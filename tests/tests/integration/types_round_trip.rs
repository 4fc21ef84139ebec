//! A value that comes back as another one: every type, both directions, both protocols, edges and NULLs.

use ark_mysql::types::chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use ark_mysql::types::{Date, DateTime as MysqlDateTime, Decimal, Json, Time};
use ark_mysql::{Connection, ErrorKind, Outcome, Result, query, query_as, query_scalar};
use serde_json::json;
use tests::{Database, Flavor, on_every_server};

use crate::support::{fails, one, open};

/// The struct, and for each number a row of it with the same values as SQL literals: each column goes round its edges, and is NULL now and then.
macro_rules! every_type {
    ($($column:ident: $type:ty = [$($literal:literal => $value:expr),+ $(,)?];)+) => {
        #[derive(Clone, Debug, PartialEq)]
        struct Every {
            id: i32,
            $($column: Option<$type>,)+
        }

        /// How many rows show every edge of every type at least once between its NULLs.
        const ROWS: usize = 24;

        fn row(number: usize) -> (Every, String) {
            let mut sql = (number + 1).to_string();
            let mut column = 0;
            let every = Every {
                id: i32::try_from(number + 1).unwrap(),
                $($column: {
                    let edges: Vec<(&str, $type)> = vec![$(($literal, $value)),+];
                    column += 1;
                    // Row 0 is all NULL, row 1 has no NULL, in others they wander through the bitmap.
                    let null = number == 0 || (number > 1 && (number + column) % 5 == 0);
                    let (literal, value) = &edges[number % edges.len()];
                    sql.push_str(", ");
                    sql.push_str(if null { "NULL" } else { literal });
                    (!null).then(|| value.clone())
                },)+
            };
            (every, sql)
        }
    };
}

fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

fn moment(date: NaiveDate, hour: u32, minute: u32, second: u32, micros: u32) -> NaiveDateTime {
    date.and_hms_micro_opt(hour, minute, second, micros)
        .unwrap()
}

fn instant(date: NaiveDate, hour: u32, minute: u32, second: u32, micros: u32) -> DateTime<Utc> {
    moment(date, hour, minute, second, micros).and_utc()
}

fn span(negative: bool, hours: u16, minutes: u8, seconds: u8, micros: u32) -> Time {
    Time::new(negative, hours, minutes, seconds, micros).unwrap()
}

fn decimal(digits: &str) -> Decimal {
    digits.parse().unwrap()
}

every_type! {
    tiny: i8 = ["-128" => i8::MIN, "127" => i8::MAX, "0" => 0, "-1" => -1];
    utiny: u8 = ["255" => u8::MAX, "0" => 0, "128" => 128];
    boolean: bool = ["TRUE" => true, "FALSE" => false];
    small: i16 = ["-32768" => i16::MIN, "32767" => i16::MAX, "255" => 255];
    usmall: u16 = ["65535" => u16::MAX, "0" => 0, "32768" => 32768];
    medium: i32 = ["-8388608" => -8_388_608, "8388607" => 8_388_607, "-1" => -1];
    umedium: u32 = ["16777215" => 16_777_215, "0" => 0, "8388608" => 8_388_608];
    whole: i32 = ["-2147483648" => i32::MIN, "2147483647" => i32::MAX, "-1" => -1];
    uwhole: u32 = ["4294967295" => u32::MAX, "0" => 0, "2147483648" => 1 << 31];
    big: i64 = ["-9223372036854775808" => i64::MIN, "9223372036854775807" => i64::MAX, "-1" => -1, "0" => 0];
    ubig: u64 = ["18446744073709551615" => u64::MAX, "0" => 0, "9223372036854775808" => 1 << 63];
    single: f32 = ["0.1" => 0.1, "-1.5" => -1.5, "0" => 0.0, "123456" => 123_456.0, "1e30" => 1e30];
    twice: f64 = [
        "0.1" => 0.1, "-1.7976931348623157e308" => f64::MIN, "1.7976931348623157e308" => f64::MAX, "2.2250738585072014e-308" => f64::MIN_POSITIVE,
        "0" => 0.0, "9007199254740993e0" => 9_007_199_254_740_992.0, "0.3333333333333333" => 1.0 / 3.0, "1e23" => 1e23,
    ];
    exact: Decimal = [
        "0" => decimal("0.00000"), "-0.00001" => decimal("-0.00001"), "999999999999999.99999" => decimal("999999999999999.99999"),
        "-999999999999999.99999" => decimal("-999999999999999.99999"), "1.10" => decimal("1.10000"),
    ];
    longest: Decimal = [
        "99999999999999999999999999999999999.999999999999999999999999999999" => decimal("99999999999999999999999999999999999.999999999999999999999999999999"),
        "-99999999999999999999999999999999999.999999999999999999999999999999" => decimal("-99999999999999999999999999999999999.999999999999999999999999999999"),
        "0.000000000000000000000000000001" => decimal("0.000000000000000000000000000001"),
    ];
    day: NaiveDate = ["'1000-01-01'" => day(1000, 1, 1), "'9999-12-31'" => day(9999, 12, 31), "'2024-02-29'" => day(2024, 2, 29), "'1969-12-31'" => day(1969, 12, 31)];
    span: Time = [
        "'00:00:00'" => span(false, 0, 0, 0, 0), "'-838:59:59'" => span(true, 838, 59, 59, 0), "'838:59:59'" => span(false, 838, 59, 59, 0),
        "'24:00:00'" => span(false, 24, 0, 0, 0), "'-00:00:01'" => span(true, 0, 0, 1, 0), "'255:00:00'" => span(false, 255, 0, 0, 0),
        "'256:00:00'" => span(false, 256, 0, 0, 0), "'-507:48:27'" => span(true, 507, 48, 27, 0),
    ];
    fine_span: Time = [
        "'00:00:00.000001'" => span(false, 0, 0, 0, 1), "'-00:00:00.000001'" => span(true, 0, 0, 0, 1), "'00:00:00'" => span(false, 0, 0, 0, 0),
        "'837:59:59.999999'" => span(false, 837, 59, 59, 999_999), "'-01:02:03.000004'" => span(true, 1, 2, 3, 4), "'01:02:03'" => span(false, 1, 2, 3, 0),
    ];
    moment: NaiveDateTime = [
        "'1000-01-01 00:00:00'" => moment(day(1000, 1, 1), 0, 0, 0, 0), "'9999-12-31 23:59:59'" => moment(day(9999, 12, 31), 23, 59, 59, 0),
        "'2024-02-29 00:00:01'" => moment(day(2024, 2, 29), 0, 0, 1, 0),
    ];
    fine_moment: NaiveDateTime = [
        "'2024-01-02 00:00:00.000001'" => moment(day(2024, 1, 2), 0, 0, 0, 1), "'9999-12-31 23:59:59.999999'" => moment(day(9999, 12, 31), 23, 59, 59, 999_999),
        "'2024-01-02 00:00:00'" => moment(day(2024, 1, 2), 0, 0, 0, 0), "'2024-01-02 03:04:05.6'" => moment(day(2024, 1, 2), 3, 4, 5, 600_000),
    ];
    instant: DateTime<Utc> = [
        "'1970-01-01 00:00:01'" => instant(day(1970, 1, 1), 0, 0, 1, 0), "'2038-01-19 03:14:07'" => instant(day(2038, 1, 19), 3, 14, 7, 0),
        "'2024-03-31 02:30:00'" => instant(day(2024, 3, 31), 2, 30, 0, 0),
    ];
    fine_instant: DateTime<Utc> = [
        "'1970-01-01 00:00:01.000001'" => instant(day(1970, 1, 1), 0, 0, 1, 1), "'2024-03-31 00:00:00'" => instant(day(2024, 3, 31), 0, 0, 0, 0),
        "'2038-01-19 03:14:07.499999'" => instant(day(2038, 1, 19), 3, 14, 7, 499_999),
    ];
    yr: u16 = ["1901" => 1901, "2155" => 2155, "'0000'" => 0];
    fixed: String = ["'abcdefghij'" => "abcdefghij".to_owned(), "''" => String::new(), "'🙂é'" => "🙂é".to_owned()];
    line: String = [
        "'it''s'" => "it's".to_owned(), "'back\\\\slash \"quoted\" `ticked` ? :name -- # /* '" => "back\\slash \"quoted\" `ticked` ? :name -- # /* ".to_owned(),
        "''" => String::new(), "'🙂 ﷽ \\0 \\n \\Z'" => "🙂 ﷽ \0 \n \u{1a}".to_owned(), "REPEAT('é', 100)" => "é".repeat(100),
    ];
    page: String = ["REPEAT('x', 251)" => "x".repeat(251), "REPEAT('🙂', 16000)" => "🙂".repeat(16_000), "''" => String::new(), "REPEAT('y', 250)" => "y".repeat(250)];
    fixed_bytes: Vec<u8> = ["X'00FF0A27'" => vec![0, 255, 10, 39], "X'00000000'" => vec![0; 4]];
    line_bytes: Vec<u8> = ["X'BF275C22'" => vec![0xbf, 0x27, 0x5c, 0x22], "''" => vec![], "REPEAT(X'FE', 100)" => vec![0xfe; 100]];
    page_bytes: Vec<u8> = ["REPEAT(X'00', 65535)" => vec![0; 65_535], "''" => vec![], "X'FB'" => vec![0xfb], "REPEAT(X'FF', 252)" => vec![255; 252]];
    label: String = ["'a'" => "a".to_owned(), "'bb'" => "bb".to_owned(), "'q''r'" => "q'r".to_owned()];
    labels: String = ["''" => String::new(), "'x,zzz'" => "x,zzz".to_owned(), "'x,yy,zzz'" => "x,yy,zzz".to_owned()];
    doc: serde_json::Value = [
        "'null'" => json!(null), "'{\"a\": 1, \"b\": [true, null, \"é\\\\n\"]}'" => json!({"a": 1, "b": [true, null, "é\n"]}), "'[]'" => json!([]),
        "'18446744073709551615'" => json!(u64::MAX), "'-1.5'" => json!(-1.5), "'\"text\"'" => json!("text"),
    ];
    flag: bool = ["b'1'" => true, "b'0'" => false];
    nine: u64 = ["b'111111111'" => 511, "b'0'" => 0, "b'100000000'" => 256];
    sixty_four: u64 = ["18446744073709551615" => u64::MAX, "0" => 0, "1" => 1];
}

/// The statement that inserts a row, to be sent in either way.
macro_rules! insert {
    ($row:expr, $id:expr) => {
        query!(
            "INSERT INTO every_type (
                id, tiny, utiny, boolean, small, usmall, medium, umedium, whole, uwhole, big, ubig, single, twice, exact, longest, day, span, fine_span,
                moment, fine_moment, instant, fine_instant, yr, fixed, line, page, fixed_bytes, line_bytes, page_bytes, label, labels, doc, flag, nine, sixty_four
            ) VALUES (
                :id, :tiny, :utiny, :boolean, :small, :usmall, :medium, :umedium, :whole, :uwhole, :big, :ubig, :single, :twice, :exact, :longest, :day, :span, :fine_span,
                :moment, :fine_moment, :instant, :fine_instant, :yr, :fixed, :line, :page, :fixed_bytes, :line_bytes, :page_bytes, :label, :labels, :doc, :flag, :nine, :sixty_four
            )",
            id = $id, tiny = $row.tiny, utiny = $row.utiny, boolean = $row.boolean, small = $row.small, usmall = $row.usmall, medium = $row.medium,
            umedium = $row.umedium, whole = $row.whole, uwhole = $row.uwhole, big = $row.big, ubig = $row.ubig, single = $row.single, twice = $row.twice,
            exact = $row.exact, longest = $row.longest, day = $row.day, span = $row.span, fine_span = $row.fine_span, moment = $row.moment,
            fine_moment = $row.fine_moment, instant = $row.instant, fine_instant = $row.fine_instant, yr = $row.yr, fixed = $row.fixed, line = $row.line,
            page = $row.page, fixed_bytes = $row.fixed_bytes, line_bytes = $row.line_bytes, page_bytes = $row.page_bytes, label = $row.label,
            labels = $row.labels, doc = $row.doc, flag = $row.flag, nine = $row.nine, sixty_four = $row.sixty_four
        )
    };
}

async fn load(conn: &mut Connection, offset: i32, text: bool) -> Result<Vec<Every>> {
    let rows = query_as!(
        Every,
        "SELECT * FROM every_type WHERE id > ? AND id <= ? + 100 ORDER BY id",
        offset,
        offset
    );
    let mut rows = if text {
        rows.text().fetch_all(conn).await?
    } else {
        rows.fetch_all(conn).await?
    };
    for row in &mut rows {
        row.id -= offset;
    }
    Ok(rows)
}

on_every_server! {
    async fn what_the_server_wrote_is_read(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut expected = Vec::new();
        for number in 0..ROWS {
            let (row, sql) = row(number);
            conn.run_script(&format!("INSERT INTO every_type VALUES ({sql})")).await?;
            expected.push(row);
        }
        for text in [false, true] {
            let rows = load(&mut conn, 0, text).await?;
            assert_eq!(rows.len(), ROWS);
            for (row, expected) in rows.iter().zip(&expected) {
                assert_eq!(row, expected, "text: {text}");
            }
        }
        Ok(())
    }

    async fn what_is_sent_is_what_the_server_gets(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut expected = Vec::new();
        for number in 0..ROWS {
            let (row, sql) = row(number);
            conn.run_script(&format!("INSERT INTO every_type VALUES ({sql})")).await?;
            assert_eq!(insert!(row, row.id + 100).execute(&mut conn).await?.warnings(), 0, "prepared, row {number}");
            assert_eq!(insert!(row, row.id + 200).text().execute(&mut conn).await?.warnings(), 0, "text, row {number}");
            expected.push(row);
        }
        for offset in [100, 200] {
            assert_eq!(load(&mut conn, offset, false).await?, expected, "{offset}");
            assert_eq!(load(&mut conn, offset, true).await?, expected, "{offset}");
        }
        // The server compares for itself: nothing is to hide behind a reader that errs as the writer does.
        let columns: String = one(&mut conn, "SELECT GROUP_CONCAT(column_name) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'every_type' AND column_name <> 'id'").await?;
        for column in columns.split(',') {
            // Texts of JSON differ in their blanks on MariaDB, which keeps them.
            let same = if column == "doc" { "(x.doc IS NULL) = (y.doc IS NULL)".to_owned() } else { format!("x.{column} <=> y.{column}") };
            let sql = format!("SELECT COUNT(*) FROM every_type x JOIN every_type y ON y.id IN (x.id + 100, x.id + 200) WHERE x.id <= 100 AND NOT ({same})");
            assert_eq!(one::<i64>(&mut conn, &sql).await?, 0, "{column}");
        }
        Ok(())
    }

    async fn floats_at_their_limits(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let edges = [f32::MAX, f32::MIN, f32::MIN_POSITIVE, 16_777_217.0, 1.0 / 3.0, -0.0, f32::EPSILON];
        for (id, value) in (1..).zip(edges) {
            query!("INSERT INTO every_type (id, single, twice) VALUES (?, ?, ?)", id, value, f64::from(value)).execute(&mut conn).await?;
            query!("INSERT INTO every_type (id, single, twice) VALUES (?, ?, ?)", id + 100, value, f64::from(value)).text().execute(&mut conn).await?;
            for id in [id, id + 100] {
                let row = query!("SELECT single, twice FROM every_type WHERE id = ?", id).fetch_one(&mut conn).await?;
                assert_eq!((row.single, row.twice), (Some(value), Some(f64::from(value))), "{id}");
            }
        }
        // The text of a FLOAT has six digits: the server's loss, documented there.
        let row = query!("SELECT single, twice FROM every_type WHERE id = ?", 4).text().fetch_one(&mut conn).await?;
        assert_eq!((row.single, row.twice), (Some(16_777_200.0), Some(16_777_216.0)));
        for wrong in [f64::NAN, f64::INFINITY] {
            for text in [false, true] {
                let insert = query!("INSERT INTO every_type (id, twice) VALUES (?, ?)", 99, wrong);
                let done = if text { insert.text().execute(&mut conn).await } else { insert.execute(&mut conn).await };
                fails(done, ErrorKind::Encode, Outcome::NotSent);
            }
        }
        Ok(())
    }

    async fn zero_dates_are_an_error_or_a_type_of_their_own(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        database.run("SET sql_mode = ''; INSERT INTO old_dates VALUES (1, '2024-05-06', '2024-05-06 07:08:09'), (2, '0000-00-00', '0000-00-00'), (3, '2024-00-15', '2024-05-00 01:02:03')");
        for text in [false, true] {
            let rows = query!(r#"SELECT id, d AS "d: Date", dt AS "dt: MysqlDateTime" FROM old_dates ORDER BY id"#);
            let rows = if text { rows.text().fetch_all(&mut conn).await? } else { rows.fetch_all(&mut conn).await? };
            assert_eq!(rows.iter().map(|row| row.d.to_string()).collect::<Vec<_>>(), ["2024-05-06", "0000-00-00", "2024-00-15"]);
            assert_eq!(rows[1].dt, MysqlDateTime::default());
            assert_eq!((rows[2].dt.date().day(), rows[2].dt.second()), (0, 3));
            for id in [2, 3] {
                let row = query!("SELECT d, dt FROM old_dates WHERE id = ?", id);
                let error = fails(if text { row.text().fetch_one(&mut conn).await } else { row.fetch_one(&mut conn).await }, ErrorKind::Decode, Outcome::Done);
                assert!(error.to_string().contains("`d`") && error.to_string().contains("row 1"), "{error}");
            }
        }
        // And there and back again.
        let mut admin = open_loose(&database).await?;
        query!("INSERT INTO old_dates (id, d, dt) VALUES (?, ?, ?)", 4, Date::ZERO, MysqlDateTime::default()).execute(&mut admin).await?;
        query!("INSERT INTO old_dates (id, d, dt) VALUES (?, ?, ?)", 5, Date::ZERO, MysqlDateTime::default()).text().execute(&mut admin).await?;
        assert_eq!(one::<i64>(&mut admin, "SELECT COUNT(*) FROM old_dates WHERE id > 3 AND d = '0000-00-00' AND dt = '0000-00-00'").await?, 2);
        Ok(())
    }

    async fn a_bool_is_0_or_1(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        database.run("INSERT INTO every_type (id, boolean) VALUES (1, 2), (2, -1)");
        for id in [1, 2] {
            let error = fails(query!("SELECT boolean FROM every_type WHERE id = ?", id).fetch_one(&mut conn).await, ErrorKind::Decode, Outcome::Done);
            assert!(error.to_string().contains("`boolean`"), "{error}");
        }
        let numbers = query!(r#"SELECT boolean AS "boolean: i8" FROM every_type ORDER BY id"#).fetch_all(&mut conn).await?;
        assert_eq!(numbers.iter().map(|row| row.boolean).collect::<Vec<_>>(), [Some(2), Some(-1)]);
        Ok(())
    }

    async fn text_and_bytes_are_told_by_the_character_set_alone(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query!("INSERT INTO texts (id, body, old, raw) VALUES (?, ?, ?, ?)", 1, "🙂", "é", b"\xff\x00".as_slice()).execute(&mut conn).await?;
        let row = query!("SELECT body, old, raw FROM texts WHERE id = 1").fetch_one(&mut conn).await?;
        assert_eq!((row.body, row.old, row.raw), ("🙂".to_owned(), "é".to_owned(), vec![0xff, 0]));
        Ok(())
    }

    async fn json_of_a_type_of_ones_own(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query!("INSERT INTO every_type (id, doc) VALUES (?, ?)", 1, Json(vec![1, 2, 3])).execute(&mut conn).await?;
        query!("INSERT INTO every_type (id, doc) VALUES (?, ?)", 2, json!([1, 2, 3])).text().execute(&mut conn).await?;
        let docs = query!(r#"SELECT doc AS "doc!: Json<Vec<i32>>" FROM every_type ORDER BY id"#).fetch_all(&mut conn).await?;
        assert_eq!(docs.iter().map(|row| row.doc.0.clone()).collect::<Vec<_>>(), [[1, 2, 3], [1, 2, 3]]);
        let texts = query_scalar!(r#"SELECT doc AS "doc!: String" FROM every_type ORDER BY id"#).fetch_all(&mut conn).await?;
        assert!(texts.iter().all(|text| text.replace(' ', "") == "[1,2,3]"), "{texts:?}");
        Ok(())
    }

    async fn what_sql_cannot_hold_is_not_sent(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let too_late = NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
        for text in [false, true] {
            let insert = query!("INSERT INTO every_type (id, day) VALUES (?, ?)", 1, too_late);
            fails(if text { insert.text().execute(&mut conn).await } else { insert.execute(&mut conn).await }, ErrorKind::Encode, Outcome::NotSent);
        }
        // What SQL can hold, but not this column, the server refuses, in its default mode.
        let done = query!("INSERT INTO every_type (id, tiny) VALUES (?, CAST(? AS SIGNED))", 1, 128).execute(&mut conn).await;
        fails(done, ErrorKind::Server, Outcome::Rejected);
        let done = query!("INSERT INTO every_type (id, fixed) VALUES (?, ?)", 1, "longer than ten").text().execute(&mut conn).await;
        fails(done, ErrorKind::Server, Outcome::Rejected);
        assert_eq!(query_scalar!("SELECT COUNT(*) FROM every_type").fetch_one(&mut conn).await?, 0);
        let latest = if database.flavor() == Flavor::MariaDb { Time::MAX } else { span(false, 838, 59, 59, 0) };
        query!("INSERT INTO every_type (id, fine_span) VALUES (?, ?)", 1, latest).execute(&mut conn).await?;
        assert_eq!(query_scalar!("SELECT fine_span FROM every_type").fetch_one(&mut conn).await?, Some(latest));
        Ok(())
    }
}

/// A connection that lets old dates in.
async fn open_loose(database: &Database) -> Result<Connection> {
    let mut conn = Connection::connect(database.url()).await?;
    conn.run_script("SET sql_mode = ''").await?;
    Ok(conn)
}
