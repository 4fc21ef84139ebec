//! A transaction: all of it or nothing, also where two want the same.

use ark_mysql::Pool;
use axum::Router;
use serde_json::{Value, json};

use crate::{json, service};

fn order(customer: u64, lines: &[(u32, u16)]) -> Option<Value> {
    let lines: Vec<_> = lines
        .iter()
        .map(|(product, quantity)| json!({ "product": product, "quantity": quantity }))
        .collect();
    Some(json!({ "customer": customer, "lines": lines }))
}

async fn stock(router: &Router, product: u32) -> i64 {
    let (_, product) = json(router, &format!("GET /products/{product}"), None).await;
    product["stock"].as_i64().unwrap()
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn one_is_placed_and_the_goods_are_taken(pool: Pool) {
    let router = service(&pool);
    let (status, created) = json(&router, "POST /orders", order(1, &[(2, 1), (1, 3)])).await;
    assert_eq!(status, 201, "{created}");
    let (_, placed) = json(&router, &format!("GET /orders/{}", created["id"]), None).await;
    assert_eq!(
        (&placed["status"], &placed["total"]),
        (&json!("open"), &json!("94.70"))
    );
    let lines = json!([
        { "product": 2, "title": "Travel Chess Set", "quantity": 1, "price": "35.00" },
        { "product": 1, "title": "Pocket Atlas", "quantity": 3, "price": "19.90" },
    ]);
    assert_eq!(placed["lines"], lines);
    assert_eq!((stock(&router, 1).await, stock(&router, 2).await), (7, 0));
    assert_eq!(json(&router, "GET /customers/1", None).await.1["orders"], 1);
    assert_eq!(json(&router, "GET /orders/9", None).await.0, 404);
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn what_cannot_be_done_leaves_nothing(pool: Pool) {
    let router = service(&pool);
    for (new, expected, words) in [
        (
            order(1, &[(1, 2), (2, 2)]),
            409,
            "of product 2 there are 1 left",
        ),
        (order(1, &[(1, 2), (7, 1)]), 422, "there is no product 7"),
        (order(1, &[(1, 0)]), 422, "a quantity is at least 1"),
        (order(1, &[]), 422, "an order has 1 to 100 lines"),
        (order(9, &[(1, 2)]), 422, "a value does not fit"), // no such customer: found by the foreign key, behind the UPDATE
    ] {
        let (status, error) = json(&router, "POST /orders", new).await;
        assert_eq!((status, &error["error"]), (expected, &json!(words)));
    }
    assert_eq!(stock(&router, 1).await, 10);
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn the_last_piece_is_sold_once_and_deadlocks_reach_nobody(pool: Pool) {
    let router = service(&pool);
    let tasks: Vec<_> = (1..=16_u64)
        .map(|number| {
            let router = router.clone();
            let lines = if number % 2 == 0 {
                [(1, 1), (2, 1)]
            } else {
                [(2, 1), (1, 1)]
            };
            tokio::spawn(async move {
                json(&router, "POST /orders", order(1 + number % 2, &lines))
                    .await
                    .0
            })
        })
        .collect();
    let mut sold = 0;
    for task in tasks {
        match task.await.unwrap() {
            201 => sold += 1,
            status => assert_eq!(status, 409),
        }
    }
    assert_eq!(
        (sold, stock(&router, 1).await, stock(&router, 2).await),
        (1, 9, 0)
    );
}
