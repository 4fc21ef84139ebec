//! Whose signature on a server's certificate counts.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the trusted CA certificates come from.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The public authorities (Mozilla's list).
    #[default]
    Public,
    /// A PEM file, read when the first connection is made.
    File(PathBuf),
    /// PEM text.
    Pem(Arc<[u8]>),
}

impl Trust {
    pub(crate) fn is_custom(&self) -> bool {
        match self {
            Self::Public => false,
            Self::File(_) | Self::Pem(_) => true,
        }
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("Public"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Pem(pem) => write!(f, "Pem({} bytes)", pem.len()),
        }
    }
}

/// The client's own certificate and its key, in PEM files that are read when the first connection is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientFiles {
    pub(crate) certificate: Option<PathBuf>,
    pub(crate) key: Option<PathBuf>,
}

/// Reads a small file whose path came from a setting: a device or a pipe would never end.
///
/// It blocks for as long as a local disk takes, once for all connections of the same options.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let metadata = path.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.len() > limit {
        return Err(format!("it is larger than {limit} bytes"));
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}
