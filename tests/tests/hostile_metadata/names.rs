//! Hostile texts in every place of a description that has a text.

use ark_mysql_check::description::{
    Against, DescribedColumn, DescribedParam, Description, Family, Kind, Usage,
};

use crate::Count;
use crate::audit::{expanded, judge};

/// What breaks out of strings, comments, identifiers, types and blocks elsewhere.
pub(crate) const HOSTILE: &[&str] = &[
    "\"",
    "\\",
    "\\\"",
    "a\"; evil(); \"",
    "\" , evil ! () , \"",
    "'",
    "'a",
    "`",
    "``",
    "*/",
    "*/ evil() /*",
    "/*",
    "/**/",
    "//",
    "// evil\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "a\0b",
    "r#\"",
    "r#\"evil\"#",
    "\"#",
    "\"##",
    "#\"",
    "b\"",
    "c\"",
    "{",
    "}",
    "{}",
    "}}",
    "{{",
    "{0}",
    "{evil}",
    "(",
    ")",
    "[",
    "]",
    "; evil();",
    "#![evil]",
    "#[evil]",
    "$evil",
    "$crate",
    "evil!()",
    "include_str!(\"/etc/passwd\")",
    "env!(\"HOME\")",
    "const { evil() }",
    "{ std::process::exit(1) }",
    "id: {std::process::exit(1)}",
    "id: std::process::ExitCode",
    "id!: [u8; { evil() }]",
    "id?: Evil<{ 1 }>",
    "id: fn()",
    "id: impl Evil",
    "id: dyn Evil",
    "id: <T as Evil>::Out",
    "id: crate::Evil",
    "id: _",
    "id!",
    "id?",
    "id:",
    ": Evil",
    ":",
    "::",
    "a::b",
    "../../etc/passwd",
    "..\\..",
    "/etc/passwd",
    "C:\\evil",
    "\u{202e}live\u{202c}",
    "\u{2066}a\u{2069}",
    "\u{200b}",
    "\u{200f}",
    "\u{feff}id",
    "i\u{0307}d",
    "\u{e0041}",
    "ıd",
    "іd",
    "a\u{0301}",
    "😀",
    "self",
    "Self",
    "super",
    "crate",
    "_",
    "unsafe",
    "type",
    "async",
    "gen",
    "r#type",
    "r#self",
    "'static",
    "1",
    "1u8",
    "-1",
    "0x1",
    "1e9",
    " ",
    "",
    " id",
    "id ",
    "i d",
    "Statement",
    "Row",
    "ark",
    "decode",
    "evil-name",
    "COUNT(*)",
    "?",
    ":name",
    "--",
    "-- evil",
    "#",
    "__private",
    "Évil",
    "evil\u{7f}",
    "<T>",
    "&'a str",
    "a,b",
    "a=b",
    "\u{1b}[31mred",
    "%s%n",
    "${HOME}",
    "$(evil)",
    "`evil`",
    "\u{0085}",
    "\u{2028}",
];

/// The name that stands in the same place of the harmless statement.
const GOOD: &str = "harmless";

/// What it reads: the columns are the description's.
const CALL: &str = "\"SELECT * FROM t WHERE b = ?\", b";

/// Where a text stands.
const PLACES: [&str; 7] = [
    "name",
    "table",
    "column",
    "label",
    "param table",
    "param column",
    "param label",
];

fn described(place: &str, text: &str) -> Description {
    let at = |here: &str, usual: &str| {
        if here == place {
            text.to_owned()
        } else {
            usual.to_owned()
        }
    };
    let column = DescribedColumn {
        name: at("name", GOOD),
        kind: Kind::Enum,
        nullable: false,
        why: None,
        table: Some(at("table", "t")),
        column: Some(at("column", GOOD)),
        labels: vec![at("label", "on"), "off".to_owned()],
    };
    let against = Against {
        kind: Kind::Int,
        usage: Usage::Compared,
        table: Some(at("param table", "t")),
        column: Some(at("param column", "b")),
        labels: vec![at("param label", "on"), "off".to_owned()],
    };
    Description {
        family: Some(Family::MySql),
        columns: vec![column],
        params: vec![DescribedParam {
            against: Some(against),
        }],
    }
}

pub(crate) fn all() -> Count {
    let mut count = Count::default();
    for place in PLACES {
        for text in HOSTILE {
            let hostile = expanded(CALL, &described(place, text));
            let harmless = expanded(CALL, &described("", ""));
            let renamed = if place == "name" { *text } else { GOOD };
            count.add(judge(
                &format!("{text:?} as {place}"),
                hostile,
                harmless,
                &[(renamed, GOOD)],
            ));
        }
    }
    count
}
