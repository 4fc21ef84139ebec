//! The bytes of a server: right ones, from which the cases make wrong ones.

/// The challenge of every login here.
pub(crate) const SCRAMBLE: [u8; 20] = *b"0123456789abcdefghij";

/// A greeting, field by field.
#[derive(Clone)]
pub(crate) struct Hello {
    pub(crate) protocol: u8,
    pub(crate) version: Vec<u8>,
    pub(crate) scramble: Vec<u8>,
    pub(crate) capabilities: u32,
    pub(crate) scramble_length: u8,
    pub(crate) plugin: Vec<u8>,
}

/// What MySQL 9.7 offers, without TLS; LOCAL_FILES, COMPRESS and the zstd bit are among it.
const MYSQL: u32 = 0xdfff_f7ff;
pub(crate) const TLS: u32 = 1 << 11;
pub(crate) const PLUGIN_AUTH: u32 = 1 << 19;
pub(crate) const SECURE_CONNECTION: u32 = 1 << 15;

impl Default for Hello {
    fn default() -> Self {
        Self {
            protocol: 10,
            version: b"9.7.4".to_vec(),
            scramble: SCRAMBLE.to_vec(),
            capabilities: MYSQL,
            scramble_length: 21,
            plugin: b"caching_sha2_password".to_vec(),
        }
    }
}

impl Hello {
    /// One that names a plugin which nobody speaks: then nothing is answered before the server asks.
    pub(crate) fn undecided() -> Self {
        Self::naming("auth_nobody_client")
    }

    pub(crate) fn naming(plugin: &str) -> Self {
        Self {
            plugin: plugin.into(),
            ..Self::default()
        }
    }

    pub(crate) fn mariadb() -> Self {
        Self {
            version: b"5.5.5-11.8.9-MariaDB".to_vec(),
            capabilities: MYSQL & !1,
            ..Self::undecided()
        }
    }

    /// The packet's payload.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.fields().concat()
    }

    /// Its fields, so that it can be cut after each.
    pub(crate) fn fields(&self) -> Vec<Vec<u8>> {
        let mut fields = self.fixed_fields();
        if self.capabilities & PLUGIN_AUTH != 0 {
            fields.push([&self.plugin[..], &[0]].concat());
        }
        fields
    }

    fn fixed_fields(&self) -> Vec<Vec<u8>> {
        let capabilities = self.capabilities.to_le_bytes();
        let (head, tail) = self.scramble.split_at(self.scramble.len().min(8));
        vec![
            vec![self.protocol],
            [&self.version[..], &[0]].concat(),
            7_u32.to_le_bytes().to_vec(),
            head.to_vec(),
            vec![0],
            capabilities[..2].to_vec(),
            vec![45],
            vec![2, 0],
            capabilities[2..].to_vec(),
            vec![self.scramble_length],
            vec![0; 6],
            vec![0; 4],
            tail.to_vec(),
            vec![0],
        ]
    }
}

pub(crate) fn frame(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[sequence], payload].concat()
}

/// Nothing changed, autocommit.
pub(crate) const OK: [u8; 7] = [0, 0, 0, 2, 0, 0, 0];
/// The same, and another result follows.
pub(crate) const OK_AND_MORE: [u8; 7] = [0, 0, 0, 10, 0, 0, 0];
/// The end of rows.
pub(crate) const END: [u8; 7] = [0xfe, 0, 0, 2, 0, 0, 0];
pub(crate) const END_AND_MORE: [u8; 7] = [0xfe, 0, 0, 10, 0, 0, 0];

pub(crate) fn error(code: u16, message: &str) -> Vec<u8> {
    [
        &[0xff],
        &code.to_le_bytes()[..],
        b"#HY000",
        message.as_bytes(),
    ]
    .concat()
}

pub(crate) fn switch(plugin: &str, challenge: &[u8]) -> Vec<u8> {
    [&[0xfe], plugin.as_bytes(), &[0], challenge].concat()
}

fn text(bytes: &[u8]) -> Vec<u8> {
    [&[u8::try_from(bytes.len()).unwrap()], bytes].concat()
}

/// One column of table `t`.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) code: u8,
    pub(crate) charset: u16,
    pub(crate) length: u32,
    pub(crate) flags: u16,
    pub(crate) decimals: u8,
}

const BINARY: u16 = 63;
const NOT_NULL: u16 = 1;
pub(crate) const ID: Column = Column {
    name: "id",
    code: 3,
    charset: BINARY,
    length: 11,
    flags: NOT_NULL,
    decimals: 0,
};
pub(crate) const NAME: Column = Column {
    name: "name",
    code: 253,
    charset: 45,
    length: 80,
    flags: 0,
    decimals: 0,
};
pub(crate) const DAY: Column = Column {
    name: "day",
    code: 12,
    charset: BINARY,
    length: 19,
    flags: NOT_NULL,
    decimals: 0,
};
pub(crate) const SPAN: Column = Column {
    name: "span",
    code: 11,
    charset: BINARY,
    length: 10,
    flags: NOT_NULL,
    decimals: 0,
};
pub(crate) const SUM: Column = Column {
    name: "sum",
    code: 246,
    charset: BINARY,
    length: 67,
    flags: NOT_NULL,
    decimals: 2,
};

impl Column {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.fields().concat()
    }

    pub(crate) fn fields(&self) -> Vec<Vec<u8>> {
        vec![
            text(b"def"),
            text(b"d"),
            text(b"t"),
            text(b"t"),
            text(self.name.as_bytes()),
            text(self.name.as_bytes()),
            vec![12],
            self.charset.to_le_bytes().to_vec(),
            self.length.to_le_bytes().to_vec(),
            vec![self.code],
            self.flags.to_le_bytes().to_vec(),
            vec![self.decimals],
            vec![0, 0],
        ]
    }
}

/// The head of a result: the count and the definitions.
pub(crate) fn head(columns: &[Column]) -> Vec<Vec<u8>> {
    let count = vec![u8::try_from(columns.len()).unwrap()];
    std::iter::once(count)
        .chain(columns.iter().map(Column::bytes))
        .collect()
}

/// What PREPARE is answered with: as many parameters and columns as it says, and these definitions.
pub(crate) fn prepared(id: u32, params: u16, columns: &[Column]) -> Vec<Vec<u8>> {
    let count = u16::try_from(columns.len()).unwrap();
    let ok = [
        &[0],
        &id.to_le_bytes()[..],
        &count.to_le_bytes(),
        &params.to_le_bytes(),
        &[0, 0, 0],
    ]
    .concat();
    std::iter::once(ok)
        .chain(columns.iter().map(Column::bytes))
        .collect()
}

/// A binary row without NULLs, up to six columns.
pub(crate) fn binary(values: &[&[u8]]) -> Vec<u8> {
    [&[0, 0], &values.concat()[..]].concat()
}

/// A text row.
pub(crate) fn row(values: &[&[u8]]) -> Vec<u8> {
    values.iter().flat_map(|value| text(value)).collect()
}
