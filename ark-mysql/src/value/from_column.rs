use ark_mysql_proto::{DecodeError, Source};

use super::Column;

/// [`Column`] once more, with the column's name in its type: only so that the compiler's message can show it.
#[diagnostic::on_unimplemented(
    message = "column `{Name}` is `{C}` in SQL: a `{Self}` cannot hold it",
    label = "column `{Name}` does not fit `{Self}`"
)]
pub trait FromColumn<'r, Name, C>: Sized {
    /// Reads the next value of the row, which is that of column `index`.
    ///
    /// # Errors
    /// Those of [`Column::decode`].
    fn from_column<S: Source<'r>>(row: &mut S, index: usize) -> Result<Self, DecodeError>;
}

#[diagnostic::do_not_recommend]
impl<'r, T, Name, C> FromColumn<'r, Name, C> for T
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
    T: FromColumn<'r, Name, C>,
    R: Source<'r>,
{
    T::from_column(row, index)
}
