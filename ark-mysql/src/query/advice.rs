//! One message for one mistake: what rustc finds when a method of [`Query`] or [`InsertMany`] cannot be called.
//!
//! Of a method that exists and whose bounds do not hold rustc tells in words of its own, without those of the trait. But before it does, it
//! looks through `Deref` for another method of that name. It finds one here, with one bound at most, and words that bound as it should.
//! None of these is ever called: each of them is reached only in a program with an error.

use std::marker::PhantomData;
use std::ops::Deref;

use super::Query;
use crate::bulk::InsertMany;
use crate::value::{OwnedRows, ReturnsRows};

/// Methods for statements that lack what the methods of the same names need.
#[doc(hidden)]
#[derive(Debug)]
pub struct Advice<S>(PhantomData<fn() -> S>);

#[doc(hidden)]
impl<S: 'static, P, M> Deref for Query<S, P, M> {
    type Target = Advice<S>;

    fn deref(&self) -> &Advice<S> {
        Advice::NOTHING
    }
}

#[doc(hidden)]
impl<S: 'static, I, M> Deref for InsertMany<S, I, M> {
    type Target = Advice<S>;

    fn deref(&self) -> &Advice<S> {
        Advice::NOTHING
    }
}

impl<S: 'static> Advice<S> {
    const NOTHING: &'static Self = &Self(PhantomData);
}

/// What these methods return: no type is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(message = "this statement cannot be run like that")]
pub trait Nothing {}

// Written out: of a macro of ours rustc would tell in every message.
#[doc(hidden)]
#[expect(clippy::unused_self, reason = "these stand in for others")]
impl<S> Advice<S> {
    pub fn fetch_one<E, T: Nothing>(&self, _: E) -> T
    where
        S: ReturnsRows + OwnedRows,
    {
        never()
    }

    pub fn fetch_optional<E, T: Nothing>(&self, _: E) -> T
    where
        S: ReturnsRows + OwnedRows,
    {
        never()
    }

    pub fn fetch_all<E, T: Nothing>(&self, _: E) -> T
    where
        S: ReturnsRows + OwnedRows,
    {
        never()
    }

    pub fn fetch<E, T: Nothing>(&self, _: E) -> T
    where
        S: ReturnsRows,
    {
        never()
    }

    pub fn for_each<E, F, T: Nothing>(&self, _: E, _: F) -> T
    where
        S: ReturnsRows,
    {
        never()
    }

    pub fn execute<E, T: Nothing>(&self, _: E) -> T {
        never()
    }
}

fn never<T: Nothing>() -> T {
    unreachable!("a program that calls this does not compile")
}
