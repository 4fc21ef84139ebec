//! A password, or a value, in what people log: messages, `Debug`, traces.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use ark_mysql::{ConnectOptions, Connection, Pool, Result, Url, query};
use tests::{Database, Transport, on_every_server};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{Middleman, open};

const PASSWORD: &str = "Canary7hq3";
const VALUE: &str = "Sparrow9xk2";

/// All that is traced, at every level, as text.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<String>>);

struct Writer<'a>(&'a mut String);

impl Visit for Writer<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{field}={value:?} ").unwrap();
    }
}

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut heard = self.0.lock().unwrap();
        heard.push_str(span.metadata().name());
        span.record(&mut Writer(&mut heard));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Writer(&mut self.0.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Writer(&mut self.0.lock().unwrap()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[track_caller]
fn is_clean(shown: &str) {
    let lower = shown.to_lowercase();
    let hexadecimal: String = PASSWORD.bytes().map(|byte| format!("{byte:02x}")).collect();
    let bytes = format!("{:?}", PASSWORD.as_bytes());
    for secret in [
        PASSWORD.to_lowercase(),
        VALUE.to_lowercase(),
        hexadecimal,
        bytes[1..bytes.len() - 1].to_owned(),
    ] {
        assert!(!lower.contains(&secret), "{secret} in {shown}");
    }
}

#[track_caller]
fn shown<T: Debug>(value: &T) {
    is_clean(&format!("{value:?} {value:#?}"));
}

async fn errors(url: &str, database: &Database) {
    let middleman = Middleman::new(database).await;
    let server = format!(":{}/", database.server().port());
    let wrong = [
        url.replace(&format!("/{}", database.name()), "/no_such_database"),
        url.replace(PASSWORD, &format!("{PASSWORD}x")),
        url.replace(&server, ":1/"),
        url.replace(&server, &format!(":{}/", middleman.port())),
        format!("{url}#"),
        format!("{url}&nonsense=1"),
        url.replace("mysql://", "mysqll://"),
        url.replace(PASSWORD, &format!("{PASSWORD}%zz")),
        url.replace(PASSWORD, &format!("{PASSWORD}#/@")),
    ];
    middleman.lie("nonsense".repeat(9));
    for url in wrong {
        if let Err(error) = Connection::connect(&url).await {
            is_clean(&format!(
                "{error} {error:?} {error:#?} {:?}",
                std::error::Error::source(&error)
            ));
        }
    }
}

async fn all_that_can_be_shown(database: &Database) -> Result<()> {
    let account = database.account(PASSWORD);
    for transport in Transport::ALL {
        let url = account.url_by(transport);
        shown(&url.parse::<ConnectOptions>()?);
        shown(&url.parse::<Url>().unwrap());
        is_clean(&format!(
            "{:?}",
            ConnectOptions::new("app").password(PASSWORD)
        ));
        shown(&Pool::builder());
        let mut conn = Connection::connect(url).await?;
        shown(&conn);
        let pool = Pool::connect(url).await?;
        shown(&pool);
        shown(&pool.acquire().await?);
        shown(&conn.begin().await?);
        shown(&query!("SELECT id FROM users WHERE name = ?", VALUE));
        shown(&query!("SELECT id FROM users WHERE name = ?", VALUE).text());
        shown(&query("SELECT ?").bind(VALUE));
        shown(&query!("SELECT id FROM users WHERE name = ?", VALUE).fetch(&mut conn));
        query!("SELECT id FROM users WHERE name = ?", VALUE)
            .fetch_all(&mut conn)
            .await?;
        query!("SELECT id FROM users WHERE name = ?", VALUE)
            .text()
            .fetch_all(&mut conn)
            .await?;
        query("SELECT id FROM users WHERE name = ?")
            .bind(VALUE)
            .fetch_all(&pool)
            .await?;
        let error = query!("SELECT id FROM users WHERE name = ?", VALUE)
            .fetch_one(&mut conn)
            .await
            .unwrap_err();
        is_clean(&format!("{error} {error:?}"));
        errors(url, database).await;
        pool.close().await;
        conn.close().await?;
    }
    Ok(())
}

on_every_server! {
    async fn by_debug_display_or_traces(database: Database) -> Result<()> {
        open(&database).await?;
        let listener = Listener::default();
        let heard = Arc::clone(&listener.0);
        // On one thread, so that all of it is heard.
        let hearing = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            tracing::subscriber::with_default(listener, || runtime.block_on(all_that_can_be_shown(&database)))
        });
        hearing.await.unwrap()?;
        let heard = heard.lock().unwrap();
        assert!(heard.len() > 100, "too little was traced: {heard}");
        is_clean(&heard);
        Ok(())
    }
}
