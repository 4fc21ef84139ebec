//! Writing single rows.

use ark_mysql::Pool;
use axum::http::StatusCode;
use serde_json::json;

use crate::{ask, json, service};

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn one_is_made_and_read(pool: Pool) {
    let router = service(&pool);
    let new = json!({ "name": "Zoë", "email": "zoe@example.org", "country": "CH", "birthday": "1990-02-28" });
    let (status, created) = json(&router, "POST /customers", Some(new)).await;
    assert_eq!(status, 201);
    let (_, zoe) = json(&router, &format!("GET /customers/{}", created["id"]), None).await;
    assert_eq!(
        (&zoe["name"], &zoe["credit"], &zoe["orders"]),
        (&json!("Zoë"), &json!("0.00"), &json!(0))
    );
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn what_the_tables_refuse_is_the_clients_fault_and_quotes_nothing(pool: Pool) {
    let router = service(&pool);
    let taken = json!({ "name": "Eve", "email": "ada@example.org", "country": "GB" });
    let (status, error) = json(&router, "POST /customers", Some(taken)).await;
    assert_eq!(
        (status, error),
        (409, json!({ "error": "somebody has that already" }))
    );
    let too_long = json!({ "name": "Eve", "country": "GBR" });
    let (status, error) = json(&router, "POST /customers", Some(too_long)).await;
    assert_eq!(
        (status, error),
        (422, json!({ "error": "a value does not fit" }))
    );
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn a_change_that_changes_nothing_is_none_that_found_nobody(pool: Pool) {
    let router = service(&pool);
    for newsletter in [true, true, false] {
        let body = Some(json!({ "newsletter": newsletter }));
        assert_eq!(
            ask(&router, "PATCH /customers/1", body).await.0,
            StatusCode::NO_CONTENT
        );
    }
    let body = Some(json!({ "newsletter": true }));
    assert_eq!(
        ask(&router, "PATCH /customers/9", body).await.0,
        StatusCode::NOT_FOUND
    );
}
