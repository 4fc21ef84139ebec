//! The SELECT blocks of a statement: their items, and whether they aggregate.

use super::lexer::Kind;
use super::tokens::Tokens;

/// One SELECT … with the expressions it selects.
pub(super) struct Block {
    /// Token ranges of the items, without the comma.
    items: Vec<(usize, usize)>,
    aggregates: bool,
    grouped: bool,
    /// Whether it stands outside all parentheses.
    outermost: bool,
}

const ENDS_LIST: &[&str] = &[
    "FROM",
    "INTO",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "FOR",
    "LOCK",
    "PROCEDURE",
];

const AGGREGATES: &[&str] = &[
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "VAR_POP",
    "VAR_SAMP",
    "VARIANCE",
    "ST_COLLECT",
];

/// Words of an expression that are no columns.
const NO_COLUMNS: &[&str] = &[
    "NULL",
    "TRUE",
    "FALSE",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "AND",
    "OR",
    "XOR",
    "NOT",
    "IS",
    "IN",
    "DIV",
    "MOD",
    "LIKE",
    "BETWEEN",
    "INTERVAL",
    "SECOND",
    "MINUTE",
    "HOUR",
    "DAY",
    "WEEK",
    "MONTH",
    "QUARTER",
    "YEAR",
    "UNKNOWN",
    "DISTINCT",
    "ALL",
    "BINARY",
    "COLLATE",
    "SQL_NO_CACHE",
    "STRAIGHT_JOIN",
    "SQL_SMALL_RESULT",
    "SQL_BIG_RESULT",
    "SQL_BUFFER_RESULT",
    "DISTINCTROW",
];

/// A pair of parentheses on the way down.
#[derive(Default)]
struct Frame {
    block: Option<usize>,
    item_start: Option<usize>,
}

pub(super) fn read(tokens: &Tokens<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut frames = vec![Frame::default()];
    for index in 0..tokens.len() {
        let depth = frames.len();
        let Some(frame) = frames.last_mut() else {
            break;
        };
        match tokens.kind(index) {
            Some(Kind::Mark(b'(')) => frames.push(Frame::default()),
            Some(Kind::Mark(b')')) => {
                close_item(&mut blocks, frame, index);
                if depth > 1 {
                    frames.pop();
                }
            }
            Some(Kind::Mark(b',')) if frame.item_start.is_some() => {
                close_item(&mut blocks, frame, index);
                frame.item_start = Some(index + 1);
            }
            Some(Kind::Mark(b';')) => close_item(&mut blocks, frame, index),
            Some(Kind::Word) => word(tokens, index, &mut blocks, &mut frames),
            _ => {}
        }
    }
    if let Some(frame) = frames.first_mut() {
        close_item(&mut blocks, frame, tokens.len());
    }
    blocks
}

fn word(tokens: &Tokens<'_>, index: usize, blocks: &mut Vec<Block>, frames: &mut [Frame]) {
    let outermost = frames.len() == 1;
    if is_aggregate_call(tokens, index) {
        let enclosing = frames.iter().rev().find_map(|frame| frame.block);
        if let Some(block) = enclosing.and_then(|block| blocks.get_mut(block)) {
            block.aggregates = true;
        }
        return;
    }
    let Some(frame) = frames.last_mut() else {
        return;
    };
    if tokens.is(index, "SELECT") {
        close_item(blocks, frame, index);
        *frame = Frame {
            block: Some(blocks.len()),
            item_start: Some(index + 1),
        };
        blocks.push(Block {
            items: Vec::new(),
            aggregates: false,
            grouped: false,
            outermost,
        });
    } else if tokens.is_any(index, ENDS_LIST) {
        close_item(blocks, frame, index);
        let grouped = tokens.is(index, "GROUP") && tokens.is(index + 1, "BY");
        if let Some(block) = frame.block.and_then(|block| blocks.get_mut(block)) {
            block.grouped |= grouped;
        }
    }
}

fn close_item(blocks: &mut [Block], frame: &mut Frame, end: usize) {
    let block = frame.block.and_then(|block| blocks.get_mut(block));
    if let (Some(start), Some(block)) = (frame.item_start.take(), block) {
        block.items.push((start, end));
    }
}

/// For each item of the outermost SELECT whether it is a COUNT; empty where items and columns may not correspond.
pub(super) fn counts(tokens: &Tokens<'_>, blocks: &[Block]) -> Vec<bool> {
    let mut outermost = blocks.iter().filter(|block| block.outermost);
    match (outermost.next(), outermost.next()) {
        (Some(block), None) if !has_set_operation(tokens) && !block.has_wildcard(tokens) => block
            .items
            .iter()
            .map(|&item| is_count(tokens, item))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether selects are joined outside all parentheses, whatever the other side looks like.
fn has_set_operation(tokens: &Tokens<'_>) -> bool {
    let mut index = 0;
    while index < tokens.len() {
        if tokens.is_any(index, &["UNION", "EXCEPT", "INTERSECT", "MINUS"]) {
            return true;
        }
        index = if tokens.is_mark(index, b'(') {
            tokens.partner(index)
        } else {
            index + 1
        };
    }
    false
}

impl Block {
    pub(super) fn has_bare_beside_aggregate(&self, tokens: &Tokens<'_>) -> bool {
        self.aggregates
            && !self.grouped
            && self.items.iter().any(|&item| has_bare_column(tokens, item))
    }

    fn has_wildcard(&self, tokens: &Tokens<'_>) -> bool {
        self.items.iter().any(|&item| is_wildcard(tokens, item))
    }
}

fn is_wildcard(tokens: &Tokens<'_>, (start, end): (usize, usize)) -> bool {
    let last = end.saturating_sub(1);
    tokens.is_mark(last, b'*')
        && (last == start || tokens.is_mark(last - 1, b'.') || tokens.keyword(last - 1).is_some())
}

/// Whether columns are used outside the aggregates of an item; what is not understood counts as one.
fn has_bare_column(tokens: &Tokens<'_>, item: (usize, usize)) -> bool {
    if is_wildcard(tokens, item) {
        return true;
    }
    if is_count(tokens, item) {
        return false;
    }
    let mut index = item.0;
    while index < item.1 {
        match tokens.kind(index) {
            Some(Kind::Word) if is_aggregate_call(tokens, index) => {
                index = tokens.partner(index + 1)
            }
            Some(Kind::Word) if tokens.is(index, "AS") => index += 1,
            Some(Kind::Word) if tokens.is(index, "SELECT") => return true,
            Some(Kind::Word)
                if tokens.is_mark(index + 1, b'(') || tokens.is_any(index, NO_COLUMNS) => {}
            Some(Kind::Word | Kind::Quoted) if !is_trailing_alias(tokens, index, item) => {
                return true;
            }
            _ => {}
        }
        index += 1;
    }
    false
}

/// An alias without AS: the last word of the item, after something that ends an expression.
fn is_trailing_alias(tokens: &Tokens<'_>, index: usize, (start, end): (usize, usize)) -> bool {
    let after_value = index > start
        && match tokens.kind(index - 1) {
            Some(Kind::Mark(mark)) => mark == b')',
            Some(Kind::Word) => tokens.is_any(index - 1, &["END", "NULL", "TRUE", "FALSE"]),
            Some(kind) => matches!(
                kind,
                Kind::Text | Kind::Number | Kind::Question | Kind::Named
            ),
            None => false,
        };
    index + 1 == end && after_value
}

/// An aggregate's name before its parenthesis, unless OVER makes it a window function.
pub(super) fn is_aggregate_call(tokens: &Tokens<'_>, index: usize) -> bool {
    tokens.is_any(index, AGGREGATES)
        && tokens.is_mark(index + 1, b'(')
        && !tokens.is(tokens.partner(index + 1) + 1, "OVER")
}

/// `COUNT(…)`, also over a window, with or without an alias. In a subquery it may belong further out: that takes more than tokens.
fn is_count(tokens: &Tokens<'_>, (start, end): (usize, usize)) -> bool {
    if !tokens.is(start, "COUNT") || !tokens.is_mark(start + 1, b'(') {
        return false;
    }
    let mut after = tokens.partner(start + 1) + 1;
    if tokens.is(after, "OVER") {
        after = if tokens.is_mark(after + 1, b'(') {
            tokens.partner(after + 1) + 1
        } else {
            after + 2
        };
    }
    is_alias(tokens, after, end)
}

/// Whether nothing but an alias stands between `start` and `end`.
fn is_alias(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let name = if tokens.is(start, "AS") {
        start + 1
    } else {
        start
    };
    let named = matches!(
        tokens.kind(name),
        Some(Kind::Word | Kind::Quoted | Kind::Text)
    );
    start == end || (name + 1 == end && named)
}
