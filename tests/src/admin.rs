use std::thread;

use ark_mysql::Connection;

/// Runs SQL at this address, several statements if need be, and waits. Callable from async tests and from `Drop`: it has a thread and a runtime of its own.
///
/// # Errors
///
/// What the driver says.
pub fn admin(url: &str, sql: &str) -> ark_mysql::Result<()> {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime
            .expect("a runtime of one thread needs nothing")
            .block_on(async {
                let mut conn = Connection::connect(url).await?;
                conn.run_script(sql).await
            })
    };
    let outcome = thread::scope(|scope| scope.spawn(run).join());
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
