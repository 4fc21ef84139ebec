use ark_mysql_proto::{DecodeError, Source};

use super::Column;
use super::kind::SqlType;

/// [`Column`] once more, with the column's name and the type that would fit as its parameters: only so that the compiler's message can show them.
#[diagnostic::on_unimplemented(
    message = "column `{Name}` is `{C}` in SQL: `{Self}` cannot hold all of its values",
    label = "column `{Name}` needs `{Fits}`, or another type that holds all of its values",
    note = "`NotNull<…>` and `Nullable<…>` say what the server declares; `Nullable` needs an `Option`",
    note = "change the Rust type to `{Fits}`; or convert in SQL: `CAST({Name} AS …) AS {Name}`; or, if the server is wrong about NULL, say so in the alias: `{Name} AS \"{Name}!\"` is never NULL, `{Name} AS \"{Name}?\"` may be",
    note = "the table of all types that fit is in the documentation of `ark_mysql::value`; a JSON column fits `serde_json::Value`, and `ark_mysql::types::Json<T>` with a `T` of your own"
)]
pub trait FromColumn<'r, Name, C, Fits>: Sized {
    /// Reads the next value of the row, which is that of column `index`.
    ///
    /// # Errors
    /// Those of [`Column::decode`].
    fn from_column<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError>;
}

#[diagnostic::do_not_recommend]
impl<'r, T, Name, C, Fits> FromColumn<'r, Name, C, Fits> for T
where
    T: Column<'r, C>,
{
    #[inline]
    fn from_column<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError> {
        T::decode(row, index)
    }
}

/// Reads one column. `Name` is a type named after the column, `C` what the server says that it is.
///
/// # Errors
/// Those of [`Column::decode`].
#[inline]
pub fn column<'r, T, Name, C, R>(row: &mut R, index: usize) -> Result<T, DecodeError>
where
    C: SqlType,
    T: FromColumn<'r, Name, C, C::Rust>,
    R: Source<'r>,
{
    T::from_column(row, index)
}
