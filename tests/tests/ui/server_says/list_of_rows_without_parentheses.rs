async fn some(pool: &ark_mysql::Pool) -> ark_mysql::Result<()> {
    let keys = vec![(1_u32, "Ann"), (2, "Bob")];
    ark_mysql::query!("SELECT id FROM users WHERE (id, name) IN (?)", ..keys).fetch_all(pool).await?;
    Ok(())
}

fn main() {}
