//! Which names are views, and what reading their bodies gives: each body once a statement, however many ways lead to it.

use std::cell::RefCell;
use std::ptr;

use super::prove::TableName;
use crate::description::View;
use crate::sql::tree::{self, Query, Table};

/// More views inside of views are not read.
const DEEPEST_VIEW: usize = 8;

/// What was found out about the bodies of views. Ways through views multiply: eight that each join the next one ten times are a hundred million.
#[derive(Debug)]
pub(super) struct Bodies<'v, F> {
    /// `None` of those that are being read: one that reads itself is no view.
    found: RefCell<Vec<(&'v View, Option<F>)>>,
}

impl<F> Default for Bodies<'_, F> {
    fn default() -> Self {
        Self {
            found: RefCell::default(),
        }
    }
}

impl<'v, F: Clone> Bodies<'v, Option<F>> {
    /// What is known of a view; `read` is called the first time, with its body. `None` where that may not be seen, or lies too deep.
    pub(super) fn of(&self, view: &'v View, read: impl FnOnce(&Query) -> Option<F>) -> Option<F> {
        let known = self.known(view);
        if let Some(found) = known {
            return found.flatten();
        }
        let open = |(_, found): &&(&View, Option<Option<F>>)| found.is_none();
        if self.found.borrow().iter().filter(open).count() >= DEEPEST_VIEW {
            return None;
        }
        self.found.borrow_mut().push((view, None));
        let body = view.definition.as_deref().and_then(tree::of_view);
        let found = body.and_then(|body| read(&body));
        if let Some(place) = self
            .found
            .borrow_mut()
            .iter_mut()
            .find(|(of, _)| ptr::eq(*of, view))
        {
            place.1 = Some(found.clone());
        }
        found
    }

    fn known(&self, view: &View) -> Option<Option<Option<F>>> {
        let found = self.found.borrow();
        let mut all = found.iter();
        all.find(|(of, _)| ptr::eq(*of, view))
            .map(|(_, found)| found.clone())
    }
}

/// The tables whose columns a proof wants to know: those of the statement and of the views in it.
pub fn wanted(query: &Query, views: &[View]) -> Vec<TableName> {
    let (mut wanted, mut read) = (Vec::new(), Vec::new());
    collect(query, None, views, &mut read, 0, &mut wanted);
    wanted.sort();
    wanted.dedup();
    wanted
}

/// The tables that are read by those of these names that are views.
pub(super) fn below_views(names: &[TableName], views: &[View]) -> Vec<TableName> {
    let (mut wanted, mut read) = (Vec::new(), Vec::new());
    for name in names {
        if let Found::View(view) = view(name, views)
            && let Some(body) = view.definition.as_deref().and_then(tree::of_view)
        {
            collect(&body, Some(&view.schema), views, &mut read, 1, &mut wanted);
        }
    }
    wanted
}

/// Each view is read once, however often and by however many others it is named.
fn collect<'v>(
    query: &Query,
    schema: Option<&str>,
    views: &'v [View],
    read: &mut Vec<&'v View>,
    depth: usize,
    wanted: &mut Vec<TableName>,
) {
    query.tables(&mut |table| {
        let name = named(table, schema);
        match view(&name, views) {
            Found::View(view) if depth < DEEPEST_VIEW => {
                if read.iter().any(|known| ptr::eq(*known, view)) {
                    return;
                }
                read.push(view);
                if let Some(body) = view.definition.as_deref().and_then(tree::of_view) {
                    collect(&body, Some(&view.schema), views, read, depth + 1, wanted);
                }
            }
            Found::Table => wanted.push(name),
            Found::View(_) | Found::Unclear => {}
        }
    });
}

/// Inside of a view a name without its database is one of the view's.
pub(super) fn named(table: &Table, schema: Option<&str>) -> TableName {
    TableName {
        schema: table.schema.clone().or_else(|| schema.map(str::to_owned)),
        name: table.name.clone(),
    }
}

pub(super) enum Found<'v> {
    Table,
    View(&'v View),
    /// A name in another case: who knows.
    Unclear,
}

/// Databases whose views are not listed.
const SYSTEM: [&str; 4] = ["information_schema", "mysql", "performance_schema", "sys"];

pub(super) fn view<'v>(name: &TableName, views: &'v [View]) -> Found<'v> {
    if name.schema.as_deref().is_some_and(|schema| {
        SYSTEM
            .iter()
            .any(|system| schema.eq_ignore_ascii_case(system))
    }) {
        return Found::Unclear;
    }
    let here = |view: &View| {
        name.schema.as_ref().map_or(view.is_current, |schema| {
            view.schema.eq_ignore_ascii_case(schema)
        })
    };
    let mut alike = views
        .iter()
        .filter(|view| view.name.to_lowercase() == name.name.to_lowercase() && here(view));
    match (alike.next(), alike.next()) {
        (None, _) => Found::Table,
        (Some(view), None)
            if view.name == name.name
                && name
                    .schema
                    .as_ref()
                    .is_none_or(|schema| *schema == view.schema) =>
        {
            Found::View(view)
        }
        _ => Found::Unclear,
    }
}
