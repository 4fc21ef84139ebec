/// What the server reported last about the session, as far as it is more than that something changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// The default database.
    pub(crate) schema: Option<Box<str>>,
    pub(crate) gtid: Option<Box<str>>,
    /// Eight ASCII characters.
    pub(crate) transaction: Option<[u8; 8]>,
    pub(crate) characteristics: Option<Box<str>>,
}

impl Tracked {
    /// Of a login into this database.
    pub(crate) fn in_schema(schema: Option<&str>) -> Self {
        Self {
            schema: schema.map(Box::from),
            ..Self::default()
        }
    }

    /// Forgets what a reset undoes. The default database stays.
    pub(crate) fn reset(&mut self) {
        let schema = self.schema.take();
        *self = Self {
            schema,
            ..Self::default()
        };
    }

    pub(crate) fn transaction(&self) -> Option<&str> {
        let state = self.transaction.as_ref()?;
        str::from_utf8(state).ok()
    }
}
