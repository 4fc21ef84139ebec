//! Statements with lists: how many placeholders they get, and which of the prepared ones that makes.

use ark_mysql_proto::params::LiteralWriter;
use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use crate::connection::{Call, Sql};
use crate::error::{Error, ErrorKind, Outcome};
use crate::value::{Params, Statement, StatementKey, WithLists};

/// The number of parameters has two bytes in the reply to a PREPARE.
const MOST_PLACEHOLDERS: usize = 65_535;

/// The lists of one call, as they are sent.
#[derive(Debug)]
pub(crate) struct Lists {
    /// How many elements each is filled up to.
    counts: Vec<usize>,
    types: Vec<ParamType>,
    key: StatementKey,
}

impl Lists {
    /// Fills each list up to a power of two, so that lists of all lengths share few prepared statements.
    pub(crate) fn of<S, P>(params: &P) -> Result<Self, Error>
    where
        S: Statement,
        P: Params<S::Params>,
    {
        let mut given = Vec::with_capacity(S::LISTS.len());
        params.counts(&mut given);
        let counts =
            room::<S>(P::TYPES.len(), &given).map_err(|error| error.in_statement(S::DIGEST))?;
        let mut types = Vec::new();
        P::types(&mut counts.iter(), &mut types);
        let key = StatementKey::new(S::DIGEST, P::TYPES).with_lists(&counts);
        Ok(Self { counts, types, key })
    }

    /// The statement, not written out yet.
    pub(crate) fn with<S: Statement>(&self) -> WithLists<'_> {
        WithLists {
            checked: S::SQL,
            places: S::LISTS,
            counts: &self.counts,
        }
    }

    /// The call of the statement with these lists.
    pub(crate) fn call<'a>(&'a self, call: Call<'a>, with: &'a WithLists<'a>) -> Call<'a> {
        Call {
            key: self.key,
            sql: Sql::WithLists(with),
            types: &self.types,
            ..call
        }
    }

    /// Writes all values.
    pub(crate) fn encode<P, K, O>(&self, params: &P, out: &mut O) -> Result<(), EncodeError>
    where
        P: Params<K>,
        O: ParamSink,
    {
        params.encode_to(&mut self.counts.iter(), out)
    }
}

/// The statement as text, with every value once.
pub(super) fn as_text<S, P>(params: &P) -> Result<String, Error>
where
    S: Statement,
    P: Params<S::Params>,
{
    let mut counts = Vec::with_capacity(S::LISTS.len());
    params.counts(&mut counts);
    let with = WithLists {
        checked: S::SQL,
        places: S::LISTS,
        counts: &counts,
    };
    let sql = with.text();
    let mut writer = LiteralWriter::new(&sql)?;
    params.encode(&mut writer)?;
    Ok(writer.finish()?)
}

/// How many elements each list is filled up to: a power of two, or what is given where that would be too many.
fn room<S: Statement>(parameters: usize, given: &[usize]) -> Result<Vec<usize>, Error> {
    let widths = S::LISTS.iter().map(|place| place.width);
    let placeholders = |counts: &[usize]| {
        let of_lists = widths.clone().zip(counts);
        let single = parameters.saturating_sub(widths.clone().sum());
        of_lists.fold(single, |sum, (width, count)| {
            sum.saturating_add(width.saturating_mul(*count))
        })
    };
    let filled: Vec<usize> = given
        .iter()
        .map(|&count| match count {
            0 => 0,
            _ => count.checked_next_power_of_two().unwrap_or(count),
        })
        .collect();
    if placeholders(&filled) <= MOST_PLACEHOLDERS {
        return Ok(filled);
    }
    match placeholders(given) {
        ..=MOST_PLACEHOLDERS => Ok(given.to_vec()),
        many => Err(too_many(many, given)),
    }
}

#[cold]
fn too_many(placeholders: usize, given: &[usize]) -> Error {
    let lengths: Vec<String> = given.iter().map(usize::to_string).collect();
    let lists = match lengths.as_slice() {
        [one] => format!("a list of {one}"),
        several => format!("lists of {}", several.join(", ")),
    };
    let message = format!(
        "with {lists} the statement would have {placeholders} placeholders; servers take {MOST_PLACEHOLDERS}"
    );
    Error::new(ErrorKind::Encode, Outcome::NotSent, message).with_advice(
        "send the list in parts (`for part in ids.chunks(10_000)`), or as text (`.text()`), or send it as one JSON array and read it with JSON_TABLE",
    )
}
