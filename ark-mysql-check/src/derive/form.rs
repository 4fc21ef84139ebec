//! What an item stands for in SQL: another type, labels, numbers, or a set of labels.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use super::item::{Body, Field, Fields, Item, Variant};
use super::options::Options;
use super::rename;
use crate::diagnostics::Problem;

/// A set has this many labels at most.
const MOST_OF_A_SET: usize = 64;

pub(super) enum Form {
    /// A struct that stands for the one value in it. Its other fields are `PhantomData`.
    Newtype {
        inner: TokenStream,
        /// The value's own field, as in `self.0`.
        member: Member,
        phantoms: Vec<Member>,
    },
    /// An enum that is text.
    Labels {
        labels: Vec<Label>,
        other: Option<Other>,
    },
    /// An enum that is a number.
    Numbers {
        repr: Ident,
        numbers: Vec<Number>,
        other: Option<Other>,
    },
    /// A struct of `bool`s that is a SET.
    Set {
        labels: Vec<Label>,
        other: Option<Other>,
    },
}

#[derive(Clone)]
pub(super) enum Member {
    Named(Ident),
    Index(usize),
}

/// A variant or field, and what it is called in SQL.
pub(super) struct Label {
    pub(super) name: Ident,
    pub(super) label: String,
}

pub(super) struct Number {
    pub(super) name: Ident,
    /// Of `Name = 3`; otherwise it is one more than the one before it.
    pub(super) value: Option<TokenStream>,
}

/// What takes labels and numbers that are not known.
pub(super) struct Other {
    /// The variant or field.
    pub(super) name: Ident,
    /// The field of a variant, as a member of it.
    pub(super) member: Member,
}

/// Decides what an item is.
///
/// # Errors
/// What cannot be; problems that leave the item what it is are added to `problems`.
pub(super) fn of(item: &Item, problems: &mut Vec<Problem>) -> Result<Form, Problem> {
    match &item.body {
        Body::Union(span) => Err(Problem::new(
            *span,
            "`derive(Type)` is for structs and enums",
        )),
        Body::Struct(fields) if item.options.has("set") => set(item, fields, problems),
        Body::Struct(fields) => newtype(item, fields, problems),
        Body::Enum(variants, braces) => {
            if variants.is_empty() {
                let message = "an enum without variants has no label that SQL could hold";
                return Err(Problem::new(*braces, message));
            }
            if !item.generics.is_empty() {
                let message =
                    "an enum of labels has no generics: its variants hold nothing of such a type";
                return Err(Problem::new(item.name.span(), message));
            }
            match &item.repr {
                Some(repr) if !item.options.has("text") => numbers(item, repr, variants, problems),
                _ => labels(item, variants, problems),
            }
        }
    }
}

fn newtype(item: &Item, fields: &Fields, problems: &mut Vec<Problem>) -> Result<Form, Problem> {
    let known = ["transparent", "crate", "set"];
    item.options
        .only(&known, "a struct that stands for another type", problems);
    let all = fields.all();
    for field in all {
        field.options.only(
            &[],
            "the field of a struct that stands for another type",
            problems,
        );
    }
    let (phantoms, values): (Vec<_>, Vec<_>) = all
        .iter()
        .enumerate()
        .partition(|(_, field)| is_phantom(field));
    let (at, field) = match values.as_slice() {
        [one] => *one,
        [] => {
            let message = "there is no field: a struct stands for the type of its one field, as in `struct UserId(u64);`";
            return Err(Problem::new(item.name.span(), message));
        }
        [_, (_, second), ..] => return Err(Problem::new(second.span, two_fields(all))),
    };
    let member = |index: usize, field: &Field| match &field.name {
        Some(name) => Member::Named(name.clone()),
        None => Member::Index(index),
    };
    Ok(Form::Newtype {
        inner: field.rust.clone(),
        member: member(at, field),
        phantoms: phantoms
            .into_iter()
            .map(|(index, field)| member(index, field))
            .collect(),
    })
}

fn two_fields(fields: &[Field]) -> &'static str {
    if fields.iter().all(|field| is(&field.rust, "bool")) {
        return "a struct stands for the type of its one field, and this is a second one; for the flags of a SET write #[ark_mysql(set)] on the struct";
    }
    "a struct stands for the type of its one field, and this is a second one. A row needs no derive: query_as! fills any struct with a field for each column"
}

fn is_phantom(field: &Field) -> bool {
    let mut last = None;
    for token in field.rust.clone() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => break,
            TokenTree::Ident(word) => last = Some(word),
            _ => {}
        }
    }
    last.is_some_and(|word| word == "PhantomData")
}

fn is(rust: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = rust.clone().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(word)] => word == name,
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            is(&group.stream(), name)
        }
        _ => false,
    }
}

fn labels(item: &Item, variants: &[Variant], problems: &mut Vec<Problem>) -> Result<Form, Problem> {
    let known = ["rename_all", "text", "crate"];
    item.options.only(&known, "an enum", problems);
    let rule = rule(&item.options, problems);
    let mut labels = Vec::new();
    let mut other = None;
    for variant in variants {
        variant
            .options
            .only(&["rename", "other"], "a variant", problems);
        if variant.options.has("other") {
            catch_all(variant, &mut other, "String", problems);
        } else if is_unit(variant, problems) {
            let label = label(&variant.name, &variant.options, rule.as_deref(), problems);
            push(&mut labels, &variant.name, label, problems);
        }
    }
    Ok(Form::Labels { labels, other })
}

fn numbers(
    item: &Item,
    repr: &Ident,
    variants: &[Variant],
    problems: &mut Vec<Problem>,
) -> Result<Form, Problem> {
    if repr == "isize" || repr == "usize" || repr == "i128" || repr == "u128" {
        let message = format!(
            "`#[repr({repr})]` makes this enum a number, and SQL has none like that: choose the width that the column has, as in #[repr(u8)]; \
             or write #[ark_mysql(text)] for labels"
        );
        return Err(Problem::new(repr.span(), message));
    }
    let why = format!(
        "an enum with #[repr({repr})], which is a number (#[ark_mysql(text)] makes it labels),"
    );
    item.options.only(&["crate", "text"], &why, problems);
    let mut numbers = Vec::new();
    let mut other = None;
    for variant in variants {
        variant
            .options
            .only(&["other"], &format!("a variant of {why}"), problems);
        if variant.options.has("other") {
            catch_all(variant, &mut other, &repr.to_string(), problems);
        } else if is_unit(variant, problems) {
            numbers.push(Number {
                name: variant.name.clone(),
                value: variant.discriminant.clone(),
            });
        }
    }
    Ok(Form::Numbers {
        repr: repr.clone(),
        numbers,
        other,
    })
}

fn set(item: &Item, fields: &Fields, problems: &mut Vec<Problem>) -> Result<Form, Problem> {
    item.options
        .only(&["set", "rename_all", "crate"], "a set", problems);
    let Fields::Named(fields) = fields else {
        let message =
            "a set has a field for each of its labels: struct Rights { read: bool, write: bool }";
        return Err(Problem::new(item.name.span(), message));
    };
    let rule = rule(&item.options, problems);
    let mut labels: Vec<Label> = Vec::new();
    let mut other = None;
    for field in fields {
        let Some(name) = &field.name else { continue };
        field
            .options
            .only(&["rename", "other"], "a field of a set", problems);
        if field.options.has("other") {
            let place = Other {
                name: name.clone(),
                member: Member::Named(name.clone()),
            };
            if other.replace(place).is_some() {
                problems.push(Problem::new(name.span(), "a second field for other labels"));
            }
            continue;
        }
        if !is(&field.rust, "bool") {
            let message = format!(
                "the fields of a set are `bool`s: `{name}` is set, or it is not. Labels that are not known go into a `Vec<String>` marked #[ark_mysql(other)]"
            );
            problems.push(Problem::new(field.span, message));
            continue;
        }
        let label = label(name, &field.options, rule.as_deref(), problems);
        if label.contains(',') {
            problems.push(Problem::new(
                name.span(),
                format!("the label `{label}` has a comma, which no label of a SET can have"),
            ));
        }
        push(&mut labels, name, label, problems);
    }
    match labels.get(MOST_OF_A_SET) {
        Some(label) => Err(Problem::new(
            label.name.span(),
            "a SET has 64 labels at most",
        )),
        None => Ok(Form::Set { labels, other }),
    }
}

/// What `rename_all` says.
fn rule(options: &Options, problems: &mut Vec<Problem>) -> Option<String> {
    let (rule, span) = options.text("rename_all", problems)?;
    if rename::RULES.contains(&rule.as_str()) {
        return Some(rule);
    }
    let known = rename::RULES.join("`, `");
    problems.push(Problem::new(
        span,
        format!("there is no rule `{rule}`; there are `{known}`"),
    ));
    None
}

fn label(
    name: &Ident,
    options: &Options,
    rule: Option<&str>,
    problems: &mut Vec<Problem>,
) -> String {
    if options.has("rename") {
        let renamed = options.text("rename", problems);
        return renamed.map_or_else(String::new, |(label, _)| label);
    }
    let name = name.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    rule.and_then(|rule| rename::apply(rule, name))
        .unwrap_or_else(|| name.to_owned())
}

fn push(labels: &mut Vec<Label>, name: &Ident, label: String, problems: &mut Vec<Problem>) {
    if let Some(same) = labels.iter().find(|other| other.label == label) {
        let message = format!("`{}` has the label `{label}` already", same.name);
        problems.push(Problem::new(name.span(), message));
    }
    labels.push(Label {
        name: name.clone(),
        label,
    });
}

fn is_unit(variant: &Variant, problems: &mut Vec<Problem>) -> bool {
    if matches!(variant.fields, Fields::Unit) {
        return true;
    }
    let name = &variant.name;
    let message = format!(
        "`{name}` holds a value, which a label in SQL does not: leave the value out, or mark it #[ark_mysql(other)] if it takes all labels that are not known"
    );
    problems.push(Problem::new(name.span(), message));
    false
}

/// `#[ark_mysql(other)] Unknown(String)`
fn catch_all(
    variant: &Variant,
    other: &mut Option<Other>,
    rust: &str,
    problems: &mut Vec<Problem>,
) {
    let name = &variant.name;
    let span: Span = name.span();
    if variant.options.has("rename") {
        let message =
            format!("`{name}` takes all labels that are not known: it has none of its own");
        problems.push(Problem::new(span, message));
    }
    let [field] = variant.fields.all() else {
        let message =
            format!("a variant for all that is not known keeps what it was: `{name}({rust})`");
        problems.push(Problem::new(span, message));
        return;
    };
    let member = match &field.name {
        Some(field) => Member::Named(field.clone()),
        None => Member::Index(0),
    };
    let place = Other {
        name: name.clone(),
        member,
    };
    if other.replace(place).is_some() {
        problems.push(Problem::new(
            span,
            "a second variant for all that is not known",
        ));
    }
}
