//! The SQL of a macro, and what is made of it and of a server's description.

use arbitrary::Unstructured;
use ark_mysql_check::description::{Family, Kind, RawColumn, RawDescription, Types, View};
use ark_mysql_check::infer::{Tables, plan, settle, wanted};
use ark_mysql_check::sql::Sql;
use ark_mysql_proto::params::placeholders;

/// Statements that are read have positions that fit: every placeholder stands where it is said to stand, in the text as written and as sent; the lexer of the driver
/// finds the same ones; the sent text reads as itself.
pub fn sql(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let sql = match Sql::parse(text) {
        Ok(sql) => sql,
        Err(flaw) => return assert!(flaw.at <= text.len() && text.is_char_boundary(flaw.at)),
    };
    for param in sql.params() {
        assert!(sql.text()[param.sent_at..].starts_with('?'));
        let written = &text[param.written_at..];
        assert!(match &param.name {
            Some(name) => written
                .strip_prefix(':')
                .is_some_and(|rest| rest.starts_with(&**name)),
            None => written.starts_with('?'),
        });
        assert_eq!(sql.written_position(param.sent_at), param.written_at);
    }
    let sent: Vec<_> = sql.params().iter().map(|param| param.sent_at).collect();
    assert_eq!(
        placeholders(sql.text()),
        Ok(sent),
        "driver and checker must agree on {:?}",
        sql.text()
    );
    let again = Sql::parse(sql.text()).expect("what is sent can be read");
    assert_eq!(
        (again.text(), again.params().len()),
        (sql.text(), sql.params().len())
    );
    let at_characters = sql.text().char_indices().map(|(at, _)| at);
    for at in at_characters.step_by(7).chain([sql.text().len()]) {
        let token = sql.token_at_sent(at);
        assert!(
            token.start <= token.end && text.get(token).is_some(),
            "a token ends on characters"
        );
    }
    for name in ["a", "t.a", "id"] {
        assert!(
            sql.find_name(name)
                .is_none_or(|range| text.get(range).is_some())
        );
        assert!(
            sql.find_columns(name)
                .into_iter()
                .all(|range| text.get(range).is_some())
        );
    }
    if let Some(tree) = sql.tree() {
        assert!(wanted(tree, &[]).len() <= text.len());
    }
}

/// A server refuses a statement in any words. The message keeps them, and draws a place that is in the statement.
pub fn refusal(data: &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let (Some(text), Some(rest)) = (parts.next(), parts.next()) else {
        return;
    };
    let Some((code, message)) = rest.split_first_chunk() else {
        return;
    };
    let Some(sql) = str::from_utf8(text)
        .ok()
        .and_then(|text| Sql::parse(text).ok())
    else {
        return;
    };
    let message = String::from_utf8_lossy(message);
    let told = ark_mysql_check::diagnostics::refusal(
        &sql,
        u16::from_le_bytes(*code),
        "42000",
        &message,
        None,
    );
    assert!(told.starts_with(&*message));
}

fn name(input: &mut Unstructured<'_>) -> String {
    const NAMES: [&str; 8] = ["", "a", "b", "t", "v", "id!", "id?", "id: u8"];
    NAMES[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % NAMES.len()].to_owned()
}

fn column(input: &mut Unstructured<'_>) -> RawColumn {
    RawColumn {
        name: name(input),
        kind: Kind::ALL[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % Kind::ALL.len()],
        auto_increment: false,
        not_null: input.arbitrary().unwrap_or(false),
        table: name(input),
        org_table: name(input),
        org_name: name(input),
        schema: String::new(),
        labels: Vec::new(),
    }
}

/// A server describes a statement in any way. Columns stay columns, in their order, by their names; no field name is more than an identifier, no Rust type comes from
/// anywhere but the statement itself; and views that name each other end.
pub fn infer(data: &[u8]) {
    let cut = data
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(data.len());
    let (text, rest) = data.split_at(cut);
    let mut input = Unstructured::new(rest.get(1..).unwrap_or_default());
    let count = input.arbitrary::<u8>().unwrap_or(0) % 6;
    let columns: Vec<_> = (0..count).map(|_| column(&mut input)).collect();
    let views: Vec<_> = (0..input.arbitrary::<u8>().unwrap_or(0) % 3)
        .map(|_| View {
            name: name(&mut input),
            schema: "d".to_owned(),
            is_current: true,
            definition: str::from_utf8(text).ok().map(str::to_owned),
        })
        .collect();
    let Some(sql) = str::from_utf8(text)
        .ok()
        .and_then(|text| Sql::parse(text).ok())
    else {
        return;
    };
    let family = if count.is_multiple_of(2) {
        Family::MySql
    } else {
        Family::MariaDb
    };
    let mut tables = Tables::new();
    if let Some(tree) = sql.tree() {
        for table in wanted(tree, &views) {
            tables.insert(table, columns.clone());
        }
    }
    let raw = RawDescription {
        family,
        columns,
        params: sql.params().len(),
        doubts: Default::default(),
    };
    let settled = settle(&raw, &sql, &views, &tables);
    assert_eq!(
        (settled.description.columns.len(), settled.reasons.len()),
        (raw.columns.len(), raw.columns.len())
    );
    for (raw, settled) in raw.columns.iter().zip(&settled.description.columns) {
        assert_eq!(raw.name, settled.name);
    }
    match plan(&settled.description, &sql, &Types::default(), true) {
        Ok(plan) => {
            assert_eq!(plan.columns.len(), raw.columns.len());
            for column in &plan.columns {
                assert!(ark_mysql_check::infer::field_ident(&column.name).is_some());
                assert!(
                    column
                        .rust
                        .as_ref()
                        .is_none_or(|asked| sql.written().contains(&asked.rust))
                );
            }
        }
        Err(problems) => assert!(!problems.is_empty()),
    }
}
