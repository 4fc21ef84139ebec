//! Reading.

use ark_mysql::Pool;
use axum::http::StatusCode;
use serde_json::json;

use crate::{ask, json, service};

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn they_are_listed_by_category_and_page(pool: Pool) {
    let router = service(&pool);
    let (status, all) = json(&router, "GET /products", None).await;
    assert_eq!((status, all.as_array().unwrap().len()), (200, 3));
    let (_, games) = json(&router, "GET /products?category=game", None).await;
    let chess = json!({
        "id": 2, "title": "Travel Chess Set", "description": null, "category": "game", "price": "35.00", "stock": 1
    });
    assert_eq!(games, json!([chess]));
    let (_, rest) = json(&router, "GET /products?after=2", None).await;
    assert_eq!(rest[0]["id"], 3);
    let (status, _) = ask(&router, "GET /products?category=car", None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn one_that_is_not_there_is_404(pool: Pool) {
    let router = service(&pool);
    let (status, atlas) = json(&router, "GET /products/1", None).await;
    assert_eq!((status, &atlas["title"]), (200, &json!("Pocket Atlas")));
    let (status, error) = json(&router, "GET /products/9", None).await;
    assert_eq!(
        (status, error),
        (404, json!({ "error": "there is no such thing" }))
    );
}
