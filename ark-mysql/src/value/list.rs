//! Lists of values for `IN (?)`: what `..ids` makes of an expression, and how its elements are sent.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

use ark_mysql_proto::{EncodeError, ParamSink, ParamType};

use super::{Encode, ListPlace, Params};

/// A list for one `IN (?)`. Its elements are counted and sent when the statement runs.
#[derive(Clone, Copy)]
pub struct List<H>(H);

/// The kind of a list whose elements are of kind `K`, or rows of a tuple of kinds.
#[derive(Clone, Copy, Debug)]
pub struct Each<K>(PhantomData<K>);

/// The kind of one value of a list. (A tuple of kinds is that of a row.)
#[derive(Clone, Copy, Debug)]
pub struct One<K>(PhantomData<K>);

/// Makes a list. Whatever can be walked by reference is borrowed; an iterator is walked once, here.
#[doc(hidden)]
#[inline]
pub fn spread<S, M>(of: S) -> List<S::Held>
where
    S: Spread<M>,
{
    List(of.held())
}

/// For generated code: names the type of the elements. It calls nobody. (A method would need the list's type before rustc has it.)
#[doc(hidden)]
#[inline]
pub fn each<H: Held>(_: &List<H>, _: impl FnOnce(&H::Item)) {}

/// What can be spread into a list: `..ids`. `M` tells its ways apart, and is always inferred.
#[diagnostic::on_unimplemented(
    message = "this cannot be spread into the list of an `IN (?)`",
    label = "`..` takes a slice, a `Vec`, an array, a set, or an iterator that can be cloned",
    note = "for an iterator that cannot be cloned: `..iterator.collect::<Vec<_>>()`",
    note = "for a single value leave the two dots out"
)]
pub trait Spread<M> {
    /// How the elements are kept.
    type Held;

    #[doc(hidden)]
    fn held(self) -> Self::Held;
}

/// The ways of [`Spread`].
#[doc(hidden)]
pub mod way {
    use std::marker::PhantomData;

    pub struct Borrowed;
    pub struct Collected;
    pub struct Behind<M>(PhantomData<M>);
}

#[diagnostic::do_not_recommend]
impl<'v, T: ?Sized> Spread<way::Borrowed> for &'v T
where
    &'v T: IntoIterator,
{
    type Held = &'v T;

    #[inline]
    fn held(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<I: Iterator + Clone> Spread<way::Collected> for &I {
    type Held = Vec<I::Item>;

    fn held(self) -> Vec<I::Item> {
        self.clone().collect()
    }
}

macro_rules! behind {
    ($($pointer:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<'v, T: ?Sized, M> Spread<way::Behind<M>> for &'v $pointer
        where
            &'v T: Spread<M>,
        {
            type Held = <&'v T as Spread<M>>::Held;

            #[inline]
            fn held(self) -> Self::Held {
                <&'v T as Spread<M>>::held(self)
            }
        })*
    };
}

#[diagnostic::do_not_recommend]
impl<'v, T: ?Sized, M> Spread<way::Behind<M>> for &&'v T
where
    &'v T: Spread<M>,
{
    type Held = <&'v T as Spread<M>>::Held;

    #[inline]
    fn held(self) -> Self::Held {
        <&'v T as Spread<M>>::held(self)
    }
}

behind!(&mut T, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<'v, T: ToOwned + ?Sized, M> Spread<way::Behind<M>> for &'v Cow<'_, T>
where
    &'v T: Spread<M>,
{
    type Held = <&'v T as Spread<M>>::Held;

    #[inline]
    fn held(self) -> Self::Held {
        <&'v T as Spread<M>>::held(self)
    }
}

/// Elements that can be walked more than once.
#[doc(hidden)]
pub trait Held {
    type Item;

    fn count(&self) -> usize;

    /// Calls back with each element in turn, and with the last one `more` times more.
    fn walk<F>(&self, more: usize, each: F) -> Result<(), EncodeError>
    where
        F: FnMut(&Self::Item) -> Result<(), EncodeError>;
}

impl<'v, T: ?Sized> Held for &'v T
where
    &'v T: IntoIterator,
{
    type Item = <&'v T as IntoIterator>::Item;

    fn count(&self) -> usize {
        let elements = self.into_iter();
        match elements.size_hint() {
            (least, Some(most)) if least == most => least,
            _ => elements.count(),
        }
    }

    #[inline]
    fn walk<F>(&self, more: usize, each: F) -> Result<(), EncodeError>
    where
        F: FnMut(&Self::Item) -> Result<(), EncodeError>,
    {
        walk(self.into_iter(), more, each)
    }
}

impl<T> Held for Vec<T> {
    type Item = T;

    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn walk<F>(&self, more: usize, mut each: F) -> Result<(), EncodeError>
    where
        F: FnMut(&Self::Item) -> Result<(), EncodeError>,
    {
        walk(self.iter(), more, |value| each(value))
    }
}

#[inline]
fn walk<I: Iterator>(
    elements: I,
    more: usize,
    mut each: impl FnMut(&I::Item) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let mut last = None;
    for element in elements {
        each(&element)?;
        last = Some(element);
    }
    match last {
        Some(last) => (0..more).try_for_each(|_| each(&last)),
        None => Ok(()),
    }
}

/// One element of a list: a value, or a row of them.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of this list",
    label = "its elements are `{Self}`",
    note = "for `(a, b) IN ((?, ?))` they are tuples with a value for each placeholder; for `a IN (?)` they are single values"
)]
pub trait Element<K> {
    const TYPES: &'static [ParamType];

    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError>;

    /// For generated code: names the trait.
    #[inline]
    fn is_element(&self) {}
}

#[diagnostic::do_not_recommend]
impl<K, T: Encode<K>> Element<One<K>> for T {
    const TYPES: &'static [ParamType] = &[T::TYPE];

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        Encode::<K>::encode(self, out)
    }
}

macro_rules! rows {
    ($($($value:ident $kind:ident)*;)*) => {
        $(
            impl<$($value, $kind),*> Element<($($kind,)*)> for ($($value,)*)
            where
                $($value: Encode<$kind>,)*
            {
                const TYPES: &'static [ParamType] = &[$($value::TYPE),*];

                #[inline]
                fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
                    #[expect(non_snake_case, reason = "the values are named after their types")]
                    let ($($value,)*) = self;
                    $($value.encode(out)?;)*
                    Ok(())
                }
            }

            #[diagnostic::do_not_recommend]
            impl<T, $($kind),*> Element<($($kind,)*)> for &T
            where
                T: Element<($($kind,)*)> + ?Sized,
            {
                const TYPES: &'static [ParamType] = T::TYPES;

                #[inline]
                fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
                    T::encode(self, out)
                }
            }
        )*
    };
}

rows! {
    A KA B KB;
    A KA B KB C KC;
    A KA B KB C KC D KD;
    A KA B KB C KC D KD E KE;
    A KA B KB C KC D KD E KE F KF;
    A KA B KB C KC D KD E KE F KF G KG;
    A KA B KB C KC D KD E KE F KF G KG H KH;
}

impl<H, K> Params<Each<K>> for List<H>
where
    H: Held,
    H::Item: Element<K>,
{
    const TYPES: &'static [ParamType] = <H::Item as Element<K>>::TYPES;
    const LISTS: bool = true;

    #[inline]
    fn encode<S: ParamSink>(&self, out: &mut S) -> Result<(), EncodeError> {
        self.0.walk(0, |element| element.encode(out))
    }

    fn counts(&self, counts: &mut Vec<usize>) {
        counts.push(self.0.count());
    }

    fn types(counts: &mut slice::Iter<'_, usize>, types: &mut Vec<ParamType>) {
        for _ in 0..counts.next().copied().unwrap_or_default() {
            types.extend_from_slice(<Self as Params<Each<K>>>::TYPES);
        }
    }

    #[inline]
    fn encode_to<S: ParamSink>(
        &self,
        counts: &mut slice::Iter<'_, usize>,
        out: &mut S,
    ) -> Result<(), EncodeError> {
        let wanted = counts.next().copied().unwrap_or_default();
        let more = wanted.saturating_sub(self.0.count());
        self.0.walk(more, |element| element.encode(out))
    }
}

/// A checked statement whose lists have these lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithLists<'a> {
    pub(crate) checked: &'static str,
    pub(crate) places: &'static [ListPlace],
    pub(crate) counts: &'a [usize],
}

impl WithLists<'_> {
    /// The SQL with as many placeholders as the lists have elements.
    ///
    /// `IN ()` is no SQL. What it would mean is false for every value, NULL too, and `NOT IN ()` true. So the whole of `column IN (?)` becomes
    /// a constant condition, of which every server sees before it reads a row what it is. Where it is not certain where that begins, a
    /// query without rows takes the place of the elements, which means the same. (`IN (NULL)` would be NULL.)
    pub(crate) fn text(&self) -> String {
        let placeholders = self.counts.iter().sum::<usize>();
        let mut sql = String::with_capacity(self.checked.len() + placeholders * 3);
        let mut copied = 0;
        for (place, &count) in self.places.iter().zip(self.counts) {
            let element = (place.at, place.at + place.length);
            let (begin, end) = match place.predicate {
                (_, 0) => element,
                predicate if count == 0 => predicate,
                _ => element,
            };
            sql.push_str(self.checked.get(copied..begin).unwrap_or_default());
            match (count, place.predicate) {
                (0, (_, 0)) => {
                    sql.push_str("SELECT NULL");
                    (1..place.width).for_each(|_| sql.push_str(", NULL"));
                    sql.push_str(" FROM DUAL WHERE FALSE");
                }
                (0, _) if place.negated => sql.push_str("(1 = 1)"),
                (0, _) => sql.push_str("(1 = 0)"),
                _ => {
                    let element = self.checked.get(begin..end).unwrap_or_default();
                    sql.push_str(element);
                    for _ in 1..count {
                        sql.push_str(", ");
                        sql.push_str(element);
                    }
                }
            }
            copied = end;
        }
        sql.push_str(self.checked.get(copied..).unwrap_or_default());
        sql
    }
}

impl<H> fmt::Debug for List<H> {
    /// Shows no values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("List")
    }
}
