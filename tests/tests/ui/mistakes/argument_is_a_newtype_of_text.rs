use ark_mysql::value::{Encode, EncodeError, ParamSink, ParamType};
use ark_mysql::{Connection, Result, query_scalar};

struct Email(String);

impl<K> Encode<K> for Email
where
    String: Encode<K>,
{
    const TYPE: ParamType = <String as Encode<K>>::TYPE;
    fn encode<S: ParamSink>(&self, out: &mut S) -> std::result::Result<(), EncodeError> {
        Encode::<K>::encode(&self.0, out)
    }
}

async fn run(conn: &mut Connection, email: Email) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE id = ?", email).fetch_one(conn).await?;
    Ok(())
}

fn main() {}
