//! The row of fourteen columns, as each driver's users would declare it.

use benches_common::test1::Test1;

/// A row as a driver read it.
pub trait Row {
    /// Its key.
    fn key(&self) -> i32;
    /// With every value in the type in which it is compared.
    fn into_test1(self) -> Test1;
}

impl Row for Test1 {
    fn key(&self) -> i32 {
        self.f1
    }

    fn into_test1(self) -> Test1 {
        self
    }
}

/// A struct of fourteen columns with a driver's derives and its type of points in time, and what makes a chrono one of it.
#[macro_export]
macro_rules! row {
    ($(#[$attribute:meta])* struct $name:ident, $time:ty, $convert:expr) => {
        $(#[$attribute])*
        pub struct $name {
            f1: i32,
            f2: i32,
            f3: i32,
            f4: i32,
            f5: i32,
            f6: i32,
            f7: i32,
            f8: i32,
            f9: i32,
            f10: i32,
            f11: f32,
            f12: f64,
            f13: String,
            f14: $time,
        }

        impl $crate::row::Row for $name {
            fn key(&self) -> i32 {
                self.f1
            }

            fn into_test1(self) -> benches_common::test1::Test1 {
                let Self { f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 } = self;
                let f14 = $convert(f14);
                benches_common::test1::Test1 { f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 }
            }
        }
    };
}
