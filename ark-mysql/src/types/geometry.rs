/// A GEOMETRY as the servers hold it: its reference system and its well-known binary form.
///
/// In SRID 4326 MySQL has the latitude in y and the longitude in x, whichever order its text form has; MariaDB keeps the order given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    /// The spatial reference system; 0 is the plane.
    pub srid: u32,
    /// The shape, in OGC well-known binary.
    pub wkb: Vec<u8>,
}

impl Geometry {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (srid, wkb) = bytes.split_first_chunk::<4>()?;
        Some(Self {
            srid: u32::from_le_bytes(*srid),
            wkb: wkb.to_vec(),
        })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.srid.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.wkb);
        bytes
    }
}
