//! Values behind references, in boxes, or not there at all: sent as what they hold.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use super::{Encode, TakesNull};

macro_rules! pointers {
    ($($pointer:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<K, T: Encode<K> + ?Sized> Encode<K> for $pointer {
            const TYPE: ParamType = T::TYPE;

            #[inline]
            fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
                T::encode(self, out)
            }
        })*
    };
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<K, T> Encode<K> for Cow<'_, T>
where
    T: Encode<K> + ToOwned + ?Sized,
{
    const TYPE: ParamType = T::TYPE;

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        T::encode(self, out)
    }
}

// Recommended on purpose: a list of one impl keeps the compiler from listing the tuples of `Params`.
impl<K: TakesNull, T: Encode<K>> Encode<K> for Option<T> {
    const TYPE: ParamType = T::TYPE;

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        match self {
            Some(value) => value.encode(out),
            None => out.null(),
        }
    }
}
