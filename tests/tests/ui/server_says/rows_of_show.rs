async fn processes(pool: &ark_mysql::Pool) -> ark_mysql::Result<()> {
    let users = ark_mysql::query!("SELECT name FROM users").fetch_all(pool).await?;
    let processes = ark_mysql::query!("SHOW PROCESSLIST").fetch_all(pool).await?;
    Ok(())
}

fn main() {}
