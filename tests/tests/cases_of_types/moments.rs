//! Dates and times.

use ark_mysql::types::{Date, DateTime, Time, chrono, jiff, time};
use ark_mysql::{Connection, Result};
use tests::{Database, on_every_server};

use crate::{fails, rows, same, types};

fn span(text: &str) -> Time {
    let (negative, text) = text
        .strip_prefix('-')
        .map_or((false, text), |text| (true, text));
    let (clock, micros) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<u16> = clock.split(':').map(|part| part.parse().unwrap()).collect();
    let micros: u32 = format!("{micros:0<6}").parse().unwrap();
    Time::new(
        negative,
        parts[0],
        parts[1].try_into().unwrap(),
        parts[2].try_into().unwrap(),
        micros,
    )
    .unwrap()
}

on_every_server! {
    /// Case 9: a TIME comes in 0, 8 or 12 bytes; -0 is 0, and what a column has no digits for was rounded by the server.
    async fn times_of_every_length(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(id INT NOT NULL PRIMARY KEY, a TIME NOT NULL, b TIME(6) NOT NULL, c TIME(3) NOT NULL)");
        let times = ["00:00:00", "00:00:01", "01:02:03.000004", "-00:00:00", "-00:00:00.000001", "-01:00:00", "24:00:00", "00:00:00.999"];
        for (id, time) in times.iter().enumerate() {
            database.run(&format!("INSERT INTO t VALUES ({id}, '{time}', '{time}', '{time}')"));
        }
        let mut conn = Connection::connect(database.url()).await?;
        let read = same(rows!(conn, "SELECT a, b, c FROM t ORDER BY id", [], [a: Time = NotNull Time, b: Time = NotNull Time, c: Time = NotNull Time]));
        let fine: Vec<Time> = read.iter().map(|row| row.1).collect();
        assert_eq!(fine, times.map(span));
        assert_eq!(fine[3], Time::default(), "-0 is 0");
        let whole: Vec<Time> = read.iter().map(|row| row.0).collect();
        assert_eq!(whole, ["0:0:0", "0:0:1", "1:2:3", "0:0:0", "0:0:0", "-1:0:0", "24:0:0", if whole[7] == span("0:0:1") { "0:0:1" } else { "0:0:0" }].map(span));
        assert_eq!((read[7].2, read[2].2), (span("0:0:0.999"), span("1:2:3")));
        Ok(())
    }

    /// The neighbour of case 9: a DATETIME comes in 0, 4, 7 or 11 bytes.
    async fn datetimes_of_every_length(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(id INT NOT NULL PRIMARY KEY, a DATETIME(6) NOT NULL, b DATETIME NOT NULL, c TIMESTAMP(6) NULL);
            SET sql_mode = ''; SET time_zone = '+00:00';
            INSERT INTO t VALUES (1, '0000-00-00', '0000-00-00', '0000-00-00'), (2, '2024-01-02', '2024-01-02', '2024-01-02'),
                (3, '2024-01-02 03:04:05', '2024-01-02 03:04:05', '2024-01-02 03:04:05'), (4, '2024-01-02 00:00:00.000001', '2024-01-02 00:00:00.000001', '2024-01-02 00:00:00.000001')");
        let mut conn = Connection::connect(database.url()).await?;
        let read = same(rows!(conn, "SELECT a, b, c FROM t ORDER BY id", [], [a: DateTime = NotNull DateTime, b: DateTime = NotNull DateTime, c: Option<DateTime> = Nullable Timestamp]));
        let text: Vec<_> = read.iter().map(|row| format!("{} | {} | {}", row.0, row.1, row.2.unwrap())).collect();
        assert_eq!(text, [
            "0000-00-00 00:00:00 | 0000-00-00 00:00:00 | 0000-00-00 00:00:00",
            "2024-01-02 00:00:00 | 2024-01-02 00:00:00 | 2024-01-02 00:00:00",
            "2024-01-02 03:04:05 | 2024-01-02 03:04:05 | 2024-01-02 03:04:05",
            "2024-01-02 00:00:00.000001 | 2024-01-02 00:00:00 | 2024-01-02 00:00:00.000001",
        ]);
        Ok(())
    }

    /// Case 11: hours beyond a byte, and beyond a day.
    async fn hours_do_not_wrap(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(id INT NOT NULL PRIMARY KEY AUTO_INCREMENT, a TIME NOT NULL)");
        let mut expected = Vec::new();
        for hours in [0, 1, 23, 24, 127, 128, 255, 256, 257, 507, 511, 512, 767, 768, 838] {
            for sign in ["", "-"] {
                let text = format!("{sign}{hours}:48:27");
                database.run(&format!("INSERT INTO t (a) VALUES ('{text}')"));
                expected.push((span(&text),));
            }
        }
        let mut conn = Connection::connect(database.url()).await?;
        assert_eq!(same(rows!(conn, "SELECT a FROM t ORDER BY id", [], [a: Time = NotNull Time])), expected);
        let deltas = same(rows!(conn, "SELECT a FROM t ORDER BY id", [], [a: jiff::SignedDuration = NotNull Time]));
        assert!(deltas.iter().zip(&expected).all(|(delta, time)| delta.0.as_micros() == i128::from(time.0.as_micros())));
        for (time,) in expected {
            let found = rows!(conn, "SELECT a FROM t WHERE a = ?", [time => kind::Time], [a: Time = NotNull Time]);
            assert_eq!(same(found), [(time,)]);
        }
        Ok(())
    }

    /// Case 13: zero dates in columns that are NOT NULL. Not NULL they are; what cannot hold them says so.
    async fn zero_dates_are_told_by_column_and_row(database: Database) -> Result<()> {
        database.run("SET sql_mode = ''; SET time_zone = '+00:00';
            CREATE TABLE e(id INT PRIMARY KEY, a TIMESTAMP NOT NULL DEFAULT 0, d DATE NOT NULL, m DATETIME NOT NULL);
            INSERT INTO e (id, d, m) VALUES (1, '0000-00-00', '0000-00-00'), (2, '2024-00-15', '2024-05-00 01:02:03'); INSERT INTO e VALUES (3, '2024-01-02 03:04:05', '2024-01-02', '2024-01-02')");
        assert_eq!(types(&database, "SELECT a, d, m FROM e"), "chrono::DateTime<Utc>, chrono::NaiveDate, chrono::NaiveDateTime");
        // The way out that is named below keeps the type.
        assert_eq!(types(&database, "SELECT NULLIF(d, 0) AS d FROM e"), "Option<chrono::NaiveDate>");
        let mut conn = Connection::connect(database.url()).await?;
        let own = same(rows!(conn, "SELECT a, d, m FROM e ORDER BY id", [], [a: DateTime = NotNull Timestamp, d: Date = NotNull Date, m: DateTime = NotNull DateTime]));
        assert_eq!((own[0].0, own[0].1, own[0].2), (DateTime::default(), Date::ZERO, DateTime::default()));
        assert_eq!((own[1].1.to_string(), own[1].2.to_string()), ("2024-00-15".to_owned(), "2024-05-00 01:02:03".to_owned()), "partial dates keep their fields");
        let words = ["`a`", "row 1", "zero or partial date", "ark_mysql::types::Date", "NULLIF"];
        fails(rows!(conn, "SELECT a FROM e ORDER BY id", [], [a: chrono::DateTime<chrono::Utc> = NotNull Timestamp]), &words);
        fails(rows!(conn, "SELECT a FROM e ORDER BY id", [], [a: time::OffsetDateTime = NotNull Timestamp]), &words);
        fails(rows!(conn, "SELECT a FROM e ORDER BY id", [], [a: jiff::Timestamp = NotNull Timestamp]), &words);
        let words = ["`d`", "row 2", "zero or partial date"];
        fails(rows!(conn, "SELECT d FROM e WHERE id <> 1 ORDER BY id DESC", [], [d: chrono::NaiveDate = NotNull Date]), &words);
        fails(rows!(conn, "SELECT d FROM e WHERE id <> 1 ORDER BY id DESC", [], [d: time::Date = NotNull Date]), &words);
        fails(rows!(conn, "SELECT d FROM e WHERE id <> 1 ORDER BY id DESC", [], [d: jiff::civil::Date = NotNull Date]), &words);
        // Never a silent None.
        fails(rows!(conn, "SELECT m FROM e ORDER BY id", [], [m: Option<chrono::NaiveDateTime> = NotNull DateTime]), &["`m`", "row 1", "zero or partial date"]);
        // The way out that the message names.
        let none = rows!(conn, "SELECT NULLIF(d, 0) AS d FROM e WHERE id <> 2 ORDER BY id", [], [d: Option<chrono::NaiveDate> = Nullable Date]);
        let (Ok(none), Ok(as_text)) = none else { panic!("{none:?}") };
        assert_eq!((none[0].0, &none), (None, &as_text));
        assert!(none[1].0.is_some());
        Ok(())
    }

    /// The neighbour of case 13: the year 0, of a calendar day and of a YEAR.
    async fn the_year_zero(database: Database) -> Result<()> {
        database.run("SET sql_mode = ''; CREATE TABLE t(d DATE NOT NULL, y YEAR NOT NULL); INSERT INTO t VALUES ('0000-01-01', '0000')");
        let mut conn = Connection::connect(database.url()).await?;
        let read = rows!(conn, "SELECT d, y FROM t", [], [d: Date = NotNull Date, y: u16 = NotNull Year]);
        assert_eq!(same(read), [(Date::new(0, 1, 1).unwrap(), 0)]);
        let day = rows!(conn, "SELECT d FROM t", [], [d: chrono::NaiveDate = NotNull Date]);
        assert_eq!(same(day), [(chrono::NaiveDate::from_ymd_opt(0, 1, 1).unwrap(),)]);
        Ok(())
    }
}
