//! Literals in rows that are written out: `[(1, "Ann"), (2, "Bob")]`, each with the type of its column.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

use super::fits::Params;
use super::literal::typed;
use crate::diagnostics::Problem;
use crate::input::at_commas;

/// The rows with types behind literals; as they are where they are not written out as an array or a `vec![]` of tuples.
///
/// # Errors
/// Literals that are out of range, each of them.
pub(super) fn typed_rows(
    rows: &TokenStream,
    params: Params<'_>,
) -> Result<TokenStream, Vec<Problem>> {
    let tokens: Vec<TokenTree> = rows.clone().into_iter().collect();
    let is_list = |group: &Group| match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Punct(mark), _] => {
            name == "vec" && mark.as_char() == '!'
        }
        [TokenTree::Punct(mark), _] => {
            mark.as_char() == '&' && group.delimiter() == Delimiter::Bracket
        }
        [_] => group.delimiter() == Delimiter::Bracket,
        _ => false,
    };
    let Some((TokenTree::Group(list), before)) = tokens.split_last() else {
        return Ok(rows.clone());
    };
    if !is_list(list) {
        return Ok(rows.clone());
    }
    let mut problems = Vec::new();
    let inside = elements(list, &mut |_, row| match row.split_first() {
        // `(1, 2); 5` is an array too.
        Some((TokenTree::Group(tuple), rest)) if tuple.delimiter() == Delimiter::Parenthesis => {
            let mut row = vec![tuple_of(tuple, params, &mut problems)];
            row.extend(rest.iter().cloned());
            row
        }
        _ => row.to_vec(),
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(before.iter().cloned().chain([inside]).collect())
}

fn tuple_of(tuple: &Group, params: Params<'_>, problems: &mut Vec<Problem>) -> TokenTree {
    if at_commas(tuple.stream(), false).len() != params.sql.params().len() {
        return tuple.clone().into();
    }
    elements(tuple, &mut |index, value| {
        let tokens: TokenStream = value.iter().cloned().collect();
        match typed(&tokens, &params.parameter(index)) {
            Ok(Some(typed)) => typed.into_iter().collect(),
            Ok(None) => value.to_vec(),
            Err(message) => {
                let span = value.first().map_or_else(|| tuple.span(), TokenTree::span);
                problems.push(Problem::new(span, message));
                value.to_vec()
            }
        }
    })
}

/// The group with each part between commas made anew.
fn elements(
    group: &Group,
    each: &mut dyn FnMut(usize, &[TokenTree]) -> Vec<TokenTree>,
) -> TokenTree {
    let mut tokens = TokenStream::new();
    for (index, part) in at_commas(group.stream(), false).iter().enumerate() {
        tokens.extend(each(index, part));
        // A tuple of one value needs it, and nobody else minds.
        let is_repeat = part
            .iter()
            .any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
        if !is_repeat {
            tokens.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
        }
    }
    let mut made = Group::new(group.delimiter(), tokens);
    made.set_span(group.span());
    made.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Against, DescribedParam, Kind, Types, Usage};
    use crate::sql::Sql;

    fn told(rows: &str) -> String {
        let against = |kind| DescribedParam {
            against: Some(Against {
                kind,
                usage: Usage::Stored { nullable: false },
                table: Some("t".to_owned()),
                column: Some("c".to_owned()),
                labels: Vec::new(),
            }),
        };
        let params = Params {
            all: &[against(Kind::BigIntUnsigned), against(Kind::TinyInt)],
            types: &Types::default(),
            sql: &Sql::parse("INSERT INTO t (a, b) VALUES (?, ?)").unwrap(),
        };
        match typed_rows(&rows.parse().unwrap(), params) {
            Ok(tokens) => tokens.to_string().replace(' ', ""),
            Err(problems) => problems
                .iter()
                .map(|problem| problem.message.lines().next().unwrap().to_owned())
                .collect::<Vec<_>>()
                .join("; "),
        }
    }

    #[test]
    fn literals_of_rows_have_the_types_of_their_columns() {
        assert_eq!(told("[(1, -2), (x, 3)]"), "[(1u64,-2i8,),(x,3i8,),]");
        assert_eq!(told("vec![(1, y)]"), "vec![(1u64,y,),]");
        assert_eq!(told("&[(1, 2); 3]"), "&[(1u64,2i8,);3]");
        for rows in [
            "rows",
            "rows.iter().map(|r| (1, 2))",
            "[(1, 2, 3)]",
            "[row, (1,)]",
        ] {
            assert_eq!(
                told(rows).replace(",]", "]").replace(",)", ")"),
                rows.replace(' ', "").replace(",)", ")"),
                "{rows}"
            );
        }
        let out = "`300` is out of the range of `t.c`, a TINYINT NOT NULL, which is -128 to 127";
        assert_eq!(told("[(1, 300), (2, 300)]"), format!("{out}; {out}"));
    }
}
