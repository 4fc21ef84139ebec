//! The impls. Every path is absolute: they stand where the user's names are in scope.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::form::{Form, Label, Member, Number, Other};
use super::item::Item;
use crate::label_hash::label_hash;

/// Writes the impls of an item.
pub(super) fn impls(item: &Item, form: &Form, driver: &TokenStream) -> TokenStream {
    let ark = quote!(#driver::__private);
    let made = Made { item, ark: &ark };
    match form {
        Form::Newtype {
            inner,
            member,
            phantoms,
        } => made.newtype(inner, member, phantoms),
        Form::Labels { labels, other } => made.labels(labels, other.as_ref()),
        Form::Numbers {
            repr,
            numbers,
            other,
        } => made.numbers(&repr.to_token_stream(), numbers, other.as_ref()),
        Form::Set { labels, other } => made.set(labels, other.as_ref()),
    }
}

/// Impls that let everything pass, so that a mistake in the item is the only error.
pub(super) fn fallback(item: &Item, driver: &TokenStream) -> TokenStream {
    let ark = quote!(#driver::__private);
    let made = Made { item, ark: &ark };
    let nothing = quote!(::core::unreachable!());
    let column = made.column(
        &quote!(ArkColumn),
        &TokenStream::new(),
        &quote!({ _ = (row, index); #nothing }),
    );
    let encode = made.encode(
        &TokenStream::new(),
        &quote!(#ark::ParamType::I8),
        &quote!({ _ = out; #nothing }),
    );
    quote!(#column #encode)
}

struct Made<'a> {
    item: &'a Item,
    ark: &'a TokenStream,
}

impl Made<'_> {
    fn newtype(&self, inner: &TokenStream, member: &Member, phantoms: &[Member]) -> TokenStream {
        let ark = self.ark;
        let column = self.column(
            &quote!(ArkColumn),
            &quote!(#inner: #ark::Column<'ark_row, ArkColumn>,),
            &quote! {
                match <#inner as #ark::Column<'ark_row, ArkColumn>>::decode::<ArkRow>(row, index) {
                    #ark::Result::Ok(value) => #ark::Result::Ok(Self { #member: value, #(#phantoms: ::core::marker::PhantomData),* }),
                    #ark::Result::Err(error) => #ark::Result::Err(error),
                }
            },
        );
        let encode = self.encode(
            &quote!(#inner: #ark::Encode<ArkKind>,),
            &quote!(<#inner as #ark::Encode<ArkKind>>::TYPE),
            &quote!(<#inner as #ark::Encode<ArkKind>>::encode::<ArkOut>(&self.#member, out)),
        );
        // The lifetime that is not used makes rustc accept a bound that does not hold.
        let labels = self.labelled(
            &quote!(for<'ark_any> #inner: #ark::Labelled,),
            &quote!(<#inner as #ark::Labelled>::LABELS),
        );
        quote!(#column #encode #labels)
    }

    fn labels(&self, labels: &[Label], other: Option<&Other>) -> TokenStream {
        let ark = self.ark;
        let (names, texts) = parts(labels);
        let rest = match other {
            Some(Other { name, member, .. }) => quote! {
                other => #ark::Result::Ok(Self::#name { #member: ::core::convert::From::from(other) }),
            },
            None => self.unknown(),
        };
        let decode = quote! {
            match #ark::Source::str(row, index)? {
                #(#texts => #ark::Result::Ok(Self::#names),)*
                #rest
            }
        };
        let sent = other.map(|Other { name, member, .. }| {
            quote!(Self::#name { #member: other } => ::core::convert::AsRef::<#ark::str>::as_ref(other),)
        });
        let encode = quote! {
            let label: &#ark::str = match self { #(Self::#names => #texts,)* #sent };
            <#ark::str as #ark::Encode<ArkKind>>::encode::<ArkOut>(label, out)
        };
        self.text(&["Text", "Enum"], labels, other, &decode, &encode)
    }

    fn set(&self, labels: &[Label], other: Option<&Other>) -> TokenStream {
        let ark = self.ark;
        let (names, texts) = parts(labels);
        let rest = match other {
            Some(Other { name, .. }) => quote! {
                other => ::core::iter::Extend::extend(
                    &mut set.#name,
                    ::core::option::Option::Some(#ark::String::from(other)),
                ),
            },
            None => {
                let unknown = self.unknown_error();
                quote!(_ => return #ark::Result::Err(#unknown),)
            }
        };
        let empty =
            other.map(|Other { name, .. }| quote!(#name: ::core::default::Default::default(),));
        let decode = quote! {
            let mut set = Self { #(#names: false,)* #empty };
            for label in #ark::labels_of_set(#ark::Source::str(row, index)?) {
                match label {
                    #(#texts => set.#names = true,)*
                    #rest
                }
            }
            #ark::Result::Ok(set)
        };
        let others = other.map(|Other { name, .. }| {
            quote! {
                for other in &self.#name {
                    #ark::push_label(&mut set, ::core::convert::AsRef::<#ark::str>::as_ref(other));
                }
            }
        });
        let encode = quote! {
            let mut set = #ark::String::new();
            #(if self.#names { #ark::push_label(&mut set, #texts); })*
            #others
            <#ark::str as #ark::Encode<ArkKind>>::encode::<ArkOut>(&set, out)
        };
        self.text(&["Text", "Set"], labels, other, &decode, &encode)
    }

    /// Impls for what is text.
    fn text(
        &self,
        kinds: &[&str],
        labels: &[Label],
        other: Option<&Other>,
        decode: &TokenStream,
        encode: &TokenStream,
    ) -> TokenStream {
        let ark = self.ark;
        let columns: TokenStream = kinds
            .iter()
            .map(|kind| {
                let kind = proc_macro2::Ident::new(kind, proc_macro2::Span::call_site());
                self.column(
                    &quote!(#ark::NotNull<#ark::kind::#kind>),
                    &TokenStream::new(),
                    decode,
                )
            })
            .collect();
        let encode = self.encode_labels(labels, encode);
        let (name, takes_others) = (self.item.name.to_string(), other.is_some());
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let (_, texts) = parts(labels);
        let labelled = self.labelled(
            &TokenStream::new(),
            &quote!(#ark::Labels { rust: #name, labels: &[#(#texts),*], takes_others: #takes_others }),
        );
        quote!(#columns #encode #labelled)
    }

    fn numbers(
        &self,
        repr: &TokenStream,
        numbers: &[Number],
        other: Option<&Other>,
    ) -> TokenStream {
        let ark = self.ark;
        let names: Vec<_> = numbers.iter().map(|number| &number.name).collect();
        let consts = numbers.iter().enumerate().map(|(index, number)| {
            let name = number_name(index);
            let value = match (&number.value, index.checked_sub(1)) {
                (Some(value), _) => value.clone(),
                (None, None) => quote!(0),
                (None, Some(before)) => {
                    let before = number_name(before);
                    quote!(#before + 1)
                }
            };
            quote!(const #name: ::core::primitive::#repr = #value;)
        });
        let consts: TokenStream = consts.collect();
        let values: Vec<_> = (0..numbers.len()).map(number_name).collect();
        let known: Vec<_> = numbers
            .iter()
            .map(|number| Literal::string(&shown(number)))
            .collect();
        let unknown = quote!(#ark::unknown_label(index, &[#(#known),*]));
        let rest = match other {
            Some(Other { name, member, .. }) => quote! {
                _ => match ::core::convert::TryFrom::try_from(number.0) {
                    #ark::Result::Ok(other) => #ark::Result::Ok(Self::#name { #member: other }),
                    #ark::Result::Err(_) => #ark::Result::Err(#unknown),
                },
            },
            None => quote!(_ => #ark::Result::Err(#unknown),),
        };
        // Any width will do for reading: what no variant has is an error anyway.
        let column = self.column(
            &quote!(ArkColumn),
            &quote!(#ark::Integer: #ark::Column<'ark_row, ArkColumn>,),
            &quote! {
                #consts
                let number = <#ark::Integer as #ark::Column<'ark_row, ArkColumn>>::decode::<ArkRow>(row, index)?;
                match number.0 {
                    #(number if number == <::core::primitive::i128 as ::core::convert::From<::core::primitive::#repr>>::from(#values) => #ark::Result::Ok(Self::#names),)*
                    #rest
                }
            }
        );
        let sent = other
            .map(|Other { name, member, .. }| quote!(Self::#name { #member: other } => *other,));
        let encode = self.encode(
            &quote!(::core::primitive::#repr: #ark::Encode<ArkKind>,),
            &quote!(<::core::primitive::#repr as #ark::Encode<ArkKind>>::TYPE),
            &quote! {
                #consts
                let number: ::core::primitive::#repr = match self { #(Self::#names => #values,)* #sent };
                <::core::primitive::#repr as #ark::Encode<ArkKind>>::encode::<ArkOut>(&number, out)
            },
        );
        quote!(#column #encode)
    }

    fn unknown(&self) -> TokenStream {
        let (ark, unknown) = (self.ark, self.unknown_error());
        quote!(_ => #ark::Result::Err(#unknown),)
    }

    fn unknown_error(&self) -> TokenStream {
        let ark = self.ark;
        quote!(#ark::unknown_label(index, <Self as #ark::Labelled>::LABELS.labels))
    }

    fn column(
        &self,
        column: &TokenStream,
        bounds: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let (ark, name) = (self.ark, &self.item.name);
        let (lifetimes, types) = (&self.item.generics.lifetimes, &self.item.generics.types);
        let (arguments, given) = (&self.item.generics.arguments, &self.item.generics.bounds);
        let own = (column.to_string() == "ArkColumn").then(|| quote!(ArkColumn,));
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl<'ark_row, #(#lifetimes,)* #(#types,)* #own> #ark::Column<'ark_row, #column> for #name #arguments
            where #given #bounds
            {
                #[inline]
                fn decode<ArkRow: #ark::Source<'ark_row>>(row: &mut ArkRow, index: ::core::primitive::usize) -> #ark::Result<Self, #ark::DecodeError> {
                    #body
                }
            }
        }
    }

    fn encode(&self, bounds: &TokenStream, wire: &TokenStream, body: &TokenStream) -> TokenStream {
        let (ark, name) = (self.ark, &self.item.name);
        let (lifetimes, types) = (&self.item.generics.lifetimes, &self.item.generics.types);
        let (arguments, given) = (&self.item.generics.arguments, &self.item.generics.bounds);
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl<#(#lifetimes,)* #(#types,)* ArkKind> #ark::Encode<ArkKind> for #name #arguments
            where #given #bounds
            {
                const TYPE: #ark::ParamType = #wire;
                #[inline]
                fn encode<ArkOut: #ark::ParamSink>(&self, out: &mut ArkOut) -> #ark::Result<(), #ark::EncodeError> {
                    #body
                }
            }
        }
    }

    fn labelled(&self, bounds: &TokenStream, labels: &TokenStream) -> TokenStream {
        let (ark, name) = (self.ark, &self.item.name);
        let (lifetimes, types) = (&self.item.generics.lifetimes, &self.item.generics.types);
        let (arguments, given) = (&self.item.generics.arguments, &self.item.generics.bounds);
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl<#(#lifetimes,)* #(#types,)*> #ark::Labelled for #name #arguments
            where #given #bounds
            {
                const LABELS: #ark::Labels = #labels;
            }
        }
    }
}

impl Made<'_> {
    /// To those kinds that take all of the labels. Each of them is a type, named after its variant.
    fn encode_labels(&self, labels: &[Label], encode: &TokenStream) -> TokenStream {
        let ark = self.ark;
        // One that is called like the type itself would hide it.
        let name = |label: &Label| match label.name == self.item.name {
            true => quote::format_ident!("{}_", label.name),
            false => label.name.clone(),
        };
        let names: Vec<proc_macro2::Ident> = labels.iter().map(name).collect();
        let hashes = labels
            .iter()
            .map(|label| Literal::u64_suffixed(label_hash(&label.label)));
        let all = names
            .iter()
            .rev()
            .fold(quote!(()), |rest, name| quote!((#name, #rest)));
        let encode = self.encode(
            &quote!(#ark::str: #ark::Encode<ArkKind>, ArkKind: #ark::TakesVariants<#all>,),
            &quote!(<#ark::str as #ark::Encode<ArkKind>>::TYPE),
            encode,
        );
        quote! {
            const _: () = {
                #(
                    #[doc(hidden)]
                    #[allow(non_camel_case_types, missing_debug_implementations, missing_copy_implementations, reason = "it stands for a label, and there is never a value")]
                    pub struct #names;
                    #[automatically_derived]
                    impl #ark::Variant for #names {
                        type Label = #ark::Label<#hashes>;
                    }
                )*
                #encode
            };
        }
    }
}

fn parts(labels: &[Label]) -> (Vec<&proc_macro2::Ident>, Vec<Literal>) {
    labels
        .iter()
        .map(|label| (&label.name, Literal::string(&label.label)))
        .unzip()
}

fn number_name(index: usize) -> proc_macro2::Ident {
    quote::format_ident!("ARK_NUMBER_{index}")
}

/// A variant as messages list it.
fn shown(number: &Number) -> String {
    let name = number.name.to_string();
    match &number.value {
        Some(value) => format!("{value} ({name})"),
        None => name,
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Named(name) => name.to_tokens(tokens),
            Self::Index(index) => Literal::usize_unsuffixed(*index).to_tokens(tokens),
        }
    }
}
