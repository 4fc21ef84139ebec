#![deny(warnings)]
//! The driver re-exported by a crate of the user's.

pub mod database {
    pub use ark_mysql as driver;
    macro_rules! sql {
        ($($tokens:tt)*) => { ark_mysql::query!(crate = crate::database::driver, $($tokens)*) };
    }
    pub(crate) use sql;
}

pub async fn name(pool: &database::driver::Pool) -> database::driver::Result<String> {
    Ok(database::sql!("SELECT name FROM users WHERE id = ?", 1).fetch_one(pool).await?.name)
}

fn main() {}
