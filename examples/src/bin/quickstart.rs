//! ark-mysql in one file: tables, rows, and typed queries of every kind.
//!
//! ```sh
//! cargo run -p examples --bin quickstart
//! ```
//!
//! It starts a throw-away server. With `DATABASE_URL` set it works in that database instead, which must not have the shop's tables
//! yet; add `ARK_MYSQL_OFFLINE=1`, or the macros will look for the tables there before they are created.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use ark_mysql::dev_server::DevServer;
use ark_mysql::types::Decimal;
use ark_mysql::{Executor, Pool, Transaction, query, query_as, query_file, query_scalar};
use chrono::{NaiveDateTime, Utc};
use examples::goods::{Product, cents};
use examples::orders::Order;
use examples::people::Customer;
use examples::{MIGRATOR, Shop};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quickstart: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    // The server ends with this value. Starting it blocks the thread, which is fine while there is nothing else to do.
    let server;
    let url = match env::var("DATABASE_URL") {
        Ok(url) => url,
        Err(_) => {
            server = DevServer::start()?;
            server.url()
        }
    };

    let pool = Pool::connect(&url).await?;
    create_tables(&pool).await?;
    fill_tables(&pool, &Shop::generate()).await?;

    one_customer(&pool, 40).await?;
    customers_and_their_last_order(&pool).await?;
    best_sellers(&pool).await?;
    stream_all_lines(&pool).await?;
    ship_an_order(&pool).await?;
    Ok(())
}

/// The tables come from the migrations in the program: what a database has already is not applied again.
async fn create_tables(pool: &Pool) -> Result<(), ark_mysql::Error> {
    let report = MIGRATOR.run(pool).await?;
    println!("Applied {} migrations", report.files.len());
    let version = query_scalar!(r#"SELECT VERSION() AS "version!""#)
        .fetch_one(pool)
        .await?;
    println!("A small shop, on a server of version {version}");
    Ok(())
}

/// All or nothing: if anything fails on the way, `tx` is dropped and the server forgets it all.
async fn fill_tables(pool: &Pool, shop: &Shop) -> Result<(), ark_mysql::Error> {
    let begun = Instant::now();
    let mut tx = pool.begin().await?;
    for product in &shop.products {
        insert_product(&mut tx, product).await?;
    }
    for customer in &shop.customers {
        insert_customer(&mut tx, customer).await?;
    }
    for order in &shop.orders {
        insert_order(&mut tx, order).await?;
    }
    tx.commit().await?;
    println!(
        "Inserted {} rows, one by one, in {:.1?}",
        shop.rows(),
        begun.elapsed()
    );
    Ok(())
}

/// Parameters are borrowed. `Option` is NULL or a value; each type was checked while this was compiled.
async fn insert_customer(
    tx: &mut Transaction<'_>,
    new: &Customer,
) -> Result<u64, ark_mysql::Error> {
    let done = query!(
        "INSERT INTO customers (name, email, country, birthday, newsletter, credit, loyalty, preferences, device, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        new.name,
        new.email,
        new.country,
        new.birthday,
        new.newsletter,
        new.credit,
        new.loyalty,
        new.preferences,
        new.device,
        new.created_at,
    )
    .execute(tx)
    .await?;
    Ok(done.last_insert_id())
}

/// Parameters may have names: `:name` is a variable, or what is given as `name = …`.
async fn insert_product(tx: &mut Transaction<'_>, new: &Product) -> Result<u64, ark_mysql::Error> {
    let done = query!(
        "INSERT INTO products
         SET sku = :sku, title = :title, description = :description, category = :category, labels = :labels, price = :price, vat = :vat,
             stock = :stock, shelf = :shelf, weight = :weight, rating = :rating, released = :released, picture = :picture,
             attributes = :attributes",
        sku = new.sku,
        title = new.title,
        description = new.description,
        category = new.category,
        labels = new.labels,
        price = cents(new.price_cents),
        vat = new.vat,
        stock = new.stock,
        shelf = new.shelf,
        weight = new.weight,
        rating = new.rating,
        released = new.released,
        picture = new.picture,
        attributes = new.attributes,
    )
    .execute(tx)
    .await?;
    Ok(done.last_insert_id())
}

async fn insert_order(tx: &mut Transaction<'_>, new: &Order) -> Result<u64, ark_mysql::Error> {
    let id = query!(
        "INSERT INTO orders (customer_id, status, total, placed_at, shipped_at, packing_time, stars, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        new.customer,
        new.status,
        cents(new.total_cents),
        new.placed_at,
        new.shipped_at,
        new.packing_time,
        new.stars,
        new.note,
    )
    .execute(&mut *tx)
    .await?
    .last_insert_id();
    for (line, number) in new.lines.iter().zip(1_u16..) {
        query!(
            "INSERT INTO order_lines (order_id, line, product_id, quantity, price, discount, gift_wrap) VALUES (?, ?, ?, ?, ?, ?, ?)",
            id,
            number,
            line.product,
            line.quantity,
            cents(line.price_cents),
            line.discount,
            line.gift_wrap,
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(id)
}

/// `query!` makes a struct of its own: every field has the column's name and type, an `Option` where the column may be NULL.
async fn one_customer(pool: &Pool, id: u64) -> Result<(), ark_mysql::Error> {
    let customer = query!("SELECT id, name, email, birthday, newsletter, credit, preferences, created_at FROM customers WHERE id = ?", id)
        .fetch_one(pool)
        .await?;

    println!("\nCustomer {}: {}", customer.id, customer.name);
    println!("  since      {}", customer.created_at.date_naive());
    println!(
        "  email      {}",
        customer.email.as_deref().unwrap_or("none")
    );
    println!(
        "  birthday   {}",
        customer
            .birthday
            .map_or("unknown".to_owned(), |day| day.to_string())
    );
    println!(
        "  newsletter {}",
        if customer.newsletter { "yes" } else { "no" }
    );
    println!("  credit     {}", customer.credit);
    println!(
        "  prefers    {}",
        customer
            .preferences
            .map_or("nothing".to_owned(), |json| json.to_string())
    );
    Ok(())
}

/// A struct of your own. It implements nothing of ours, and many queries may fill it.
#[derive(Debug)]
struct LastOrder {
    name: String,
    // The optional side of the LEFT JOIN: `NaiveDateTime` and `Decimal` alone would not compile.
    placed_at: Option<NaiveDateTime>,
    total: Option<Decimal>,
}

/// Takes anything that can run a statement: `&Pool`, `&mut Connection`, `&mut Transaction`.
async fn last_orders(from: u64, on: impl Executor) -> Result<Vec<LastOrder>, ark_mysql::Error> {
    query_as!(
        LastOrder,
        "SELECT c.name, o.placed_at, o.total
         FROM customers c
         LEFT JOIN orders o ON o.id = (SELECT MAX(x.id) FROM orders x WHERE x.customer_id = c.id)
         WHERE c.id >= ?
         ORDER BY c.id
         LIMIT 5",
        from,
    )
    .fetch_all(on)
    .await
}

async fn customers_and_their_last_order(pool: &Pool) -> Result<(), ark_mysql::Error> {
    println!("\nLast orders");
    for LastOrder {
        name,
        placed_at,
        total,
    } in last_orders(358, pool).await?
    {
        match placed_at.zip(total) {
            Some((placed_at, total)) => println!(
                "  {name:<20} {}  {total:>9}",
                placed_at.format("%Y-%m-%d %H:%M")
            ),
            None => println!("  {name:<20} nothing yet"),
        }
    }
    Ok(())
}

/// Longer SQL lives in a file of its own. A SUM of integers is an exact `Decimal`; every group has one, so it is
/// no `Option` here.
async fn best_sellers(pool: &Pool) -> Result<(), ark_mysql::Error> {
    let since = examples::people::opening().naive_utc();
    println!("\nBest sellers since {}", since.date());
    for row in query_file!("queries/best_sellers.sql", since)
        .fetch_all(pool)
        .await?
    {
        println!(
            "  {:<24} {:<6} {:>4} pieces {:>10}",
            row.title, row.category, row.pieces, row.turnover
        );
    }
    let open = query_scalar!("SELECT COUNT(*) FROM orders WHERE status = 'open'")
        .fetch_one(pool)
        .await?;
    println!("  and {open} orders are open");
    Ok(())
}

/// `fetch` keeps one row at a time in memory, however many there are.
async fn stream_all_lines(pool: &Pool) -> Result<(), ark_mysql::Error> {
    let (mut lines, mut pieces, mut presents) = (0, 0_i64, 0);
    let mut rows = query!("SELECT quantity, gift_wrap FROM order_lines").fetch(pool);
    while let Some(row) = rows.next().await? {
        lines += 1;
        pieces += i64::from(row.quantity);
        presents += i32::from(row.gift_wrap);
    }
    println!(
        "\nStreamed {lines} order lines: {pieces} pieces, {presents} lines wrapped as presents"
    );
    Ok(())
}

/// Read, decide, write: nobody sees half of it. Dropping `tx` before `commit` rolls back.
async fn ship_an_order(pool: &Pool) -> Result<(), ark_mysql::Error> {
    let mut tx = pool.begin().await?;
    let next = query!("SELECT id, total, note FROM orders WHERE status = 'paid' ORDER BY placed_at LIMIT 1 FOR UPDATE")
        .fetch_optional(&mut tx)
        .await?;
    let Some(order) = next else {
        println!("\nNothing to ship");
        return Ok(());
    };
    let now = Utc::now().naive_utc();
    let done = query!(
        "UPDATE orders SET status = 'shipped', shipped_at = ? WHERE id = ?",
        now,
        order.id
    )
    .execute(&mut tx)
    .await?;
    query!(
        "UPDATE products p JOIN order_lines l ON l.product_id = p.id SET p.stock = p.stock - l.quantity WHERE l.order_id = ?",
        order.id,
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;

    let status = query_scalar!("SELECT status FROM orders WHERE id = ?", order.id)
        .fetch_one(pool)
        .await?;
    println!(
        "\nOrder {} over {} is now {status} ({} row changed)",
        order.id,
        order.total,
        done.rows_affected()
    );
    Ok(())
}
