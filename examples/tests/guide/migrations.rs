//! `ark-mysql/src/guide/migrations.md`

use ark_mysql::Pool;

async fn in_the_program(url: String) -> ark_mysql::Result<()> {
    static MIGRATOR: ark_mysql::migrate::Migrator = ark_mysql::migrate!("migrations");

    let pool = Pool::connect(&url).await?;
    MIGRATOR.run(&pool).await?;
    Ok(())
}
