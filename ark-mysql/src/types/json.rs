use std::ops::{Deref, DerefMut};

/// A JSON column read into, and sent from, a type of your own.
///
/// ```
/// # use ark_mysql::types::Json;
/// #[derive(serde::Deserialize)]
/// struct Settings { dark: bool }
/// // query!(r#"SELECT settings AS "settings: Json<Settings>" FROM users"#)
/// # let row = Json(Settings { dark: true });
/// assert!(row.dark); // Json<T> dereferences to T
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}
