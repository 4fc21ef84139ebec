// 2 errors: rustc tells of the value and of the reference to it.
use std::rc::Rc;

use ark_mysql::{Pool, query};

fn rename(pool: Pool, name: Rc<str>) {
    tokio::spawn(async move { query!("UPDATE users SET name = ? WHERE id = ?", name, 1).execute(&pool).await });
}

fn main() {}
