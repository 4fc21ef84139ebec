//! Values that have two forms, text and bytes: UUIDs and IP addresses. The column that a parameter stands against settles which one is sent; what is read tells
//! by its kind.

use ark_mysql_proto::ParamType;

/// A kind of parameter of which it is known in which form it takes a `T`: in bytes or as text.
///
/// Where it is not known what a parameter stands against, neither form is right: an address that is sent as text equals no BINARY, and says nothing of it.
pub trait FormOf<T> {
    /// Which.
    const FORM: Form;
}

/// How a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In its bytes, the most significant first.
    Bytes,
    /// As text.
    Text,
}

impl Form {
    /// The type that is announced.
    pub(super) const fn wire(self) -> ParamType {
        match self {
            Self::Bytes => ParamType::BYTES,
            Self::Text => ParamType::TEXT,
        }
    }
}

/// Implements `Encode` for a type with two forms, and says which kinds take which.
macro_rules! two_forms {
    ($rust:ty: text $($text:ident)*, bytes $($bytes:ident)*: |$value:ident, $out:ident| $as_text:expr, $as_bytes:expr) => {
        #[diagnostic::do_not_recommend]
        impl<K: $crate::value::forms::FormOf<$rust>> $crate::value::Encode<K> for $rust {
            const TYPE: ark_mysql_proto::ParamType = <K as $crate::value::forms::FormOf<$rust>>::FORM.wire();

            #[inline]
            fn encode<S: ark_mysql_proto::ParamSink>(&self, $out: &mut S) -> Result<(), ark_mysql_proto::EncodeError> {
                let $value = self;
                match <K as $crate::value::forms::FormOf<$rust>>::FORM {
                    $crate::value::forms::Form::Text => $as_text,
                    $crate::value::forms::Form::Bytes => $as_bytes,
                }
            }
        }
        $($crate::value::forms::two_forms!(@kinds $rust, $text, Text);)*
        $($crate::value::forms::two_forms!(@kinds $rust, $bytes, Bytes);)*
    };
    (@kinds $rust:ty, $kind:ident, $form:ident) => {
        $crate::value::forms::two_forms!(@one $rust, $form, $crate::value::kind::$kind);
        $crate::value::forms::two_forms!(@one $rust, $form, $crate::value::NotNull<$crate::value::kind::$kind>);
        $crate::value::forms::two_forms!(@one $rust, $form, $crate::value::Nullable<$crate::value::kind::$kind>);
    };
    (@one $rust:ty, $form:ident, $kind:ty) => {
        impl $crate::value::forms::FormOf<$rust> for $kind {
            const FORM: $crate::value::forms::Form = $crate::value::forms::Form::$form;
        }
    };
}
pub(super) use two_forms;

/// Implements `Column` for a type with two forms.
macro_rules! read_forms {
    ($rust:ty: text $($text:ident)*, bytes $($bytes:ident)*: |$value:ident| $of_text:expr, $of_bytes:expr) => {
        decode!($rust: $($text)*: |row, index| {
            let $value = row.str(index)?;
            $of_text.ok_or_else(|| ark_mysql_proto::DecodeErrorKind::InvalidText.at(index))
        });
        decode!($rust: $($bytes)*: |row, index| {
            let $value = row.bytes(index)?;
            $of_bytes.ok_or_else(|| ark_mysql_proto::DecodeErrorKind::InvalidLength.at(index))
        });
        decode!($rust: Null: |_row, index| Err(ark_mysql_proto::DecodeErrorKind::UnexpectedValue.at(index)));
    };
}
pub(super) use read_forms;
