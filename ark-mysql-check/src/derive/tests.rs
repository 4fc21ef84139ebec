use super::*;

fn expanded(source: &str) -> String {
    derive_type(source.parse().unwrap())
        .to_string()
        .replace(' ', "")
}

fn problems(source: &str) -> Vec<String> {
    let tokens: Vec<String> = derive_type(source.parse().unwrap())
        .into_iter()
        .map(|token| token.to_string())
        .collect();
    let marks = tokens
        .windows(3)
        .filter(|window| window[0] == "compile_error" && window[1] == "!");
    marks
        .map(|window| {
            window[2]
                .trim_matches(['(', ')'])
                .trim_matches('"')
                .replace("\\\"", "\"")
        })
        .collect()
}

#[test]
fn newtypes_of_all_shapes() {
    for source in [
        "struct UserId(u64);",
        "#[doc = \"x\"] pub(crate) struct UserId(pub u64);",
        "struct UserId { id: u64, }",
        "struct Id<'a, T: Trait<A, B> = u8, const N: usize = 1>(pub(crate) Vec<(T, [u8; N])>, PhantomData<&'a T>) where T: Copy;",
        "struct Id<T> where (T,): Copy { id: T, mark: std::marker::PhantomData<fn(T) -> T> }",
    ] {
        assert_eq!(problems(source), [""; 0], "{source}");
        assert!(expanded(source).contains("Encode<ArkKind>"), "{source}");
    }
    let generic = expanded(
        "struct Id<'a, T: Trait<A, B> = u8, const N: usize = 1>(&'a [T; N], PhantomData<T>) where T: Copy;",
    );
    assert!(generic.contains("impl<'ark_row,'a,T:Trait<A,B>,constN:usize,ArkColumn,>::ark_mysql::__private::Column<'ark_row,ArkColumn>forId<'a,T,N>whereT:Copy,&'a[T;N]:"), "{generic}");
    assert!(
        generic.contains("Self{0:value,1:::core::marker::PhantomData}"),
        "{generic}"
    );
}

#[test]
fn labels_are_names_by_a_rule() {
    let labels = expanded(
        "#[ark_mysql(rename_all = \"kebab-case\", crate = my::ark)] enum State { InReview, #[ark_mysql(rename = \"x'y\")] r#Type, #[ark_mysql(other)] Else(String) }",
    );
    assert!(
        labels.contains("labels:&[\"in-review\",\"x'y\"],takes_others:true"),
        "{labels}"
    );
    assert!(labels.contains("my::ark::__private::Labels"), "{labels}");
    assert!(expanded("enum S { r#Type }").contains("labels:&[\"Type\"]"));
}

#[test]
fn a_repr_makes_numbers() {
    let numbers = expanded("#[repr(C, u8)] enum P { Low = 1, High }");
    assert!(
        numbers.contains("constARK_NUMBER_1:::core::primitive::u8=ARK_NUMBER_0+1;"),
        "{numbers}"
    );
    assert!(numbers.contains("[\"1(Low)\",\"High\"]"), "{numbers}");
    assert!(
        expanded("#[repr(u8)] #[ark_mysql(text)] enum P { Low }").contains("labels:&[\"Low\"]")
    );
}

#[test]
fn all_mistakes_of_an_item_are_told_at_once() {
    let told = problems(
        "#[ark_mysql(rename_al = \"snake_case\")] enum S { A(u8), #[ark_mysql(rename = \"C\")] B, C, #[ark_mysql(other)] D }",
    );
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].contains("did you mean `rename_all`"), "{told:?}");
    assert!(told[3].contains("`D(String)`"), "{told:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    for (source, words) in [
        ("enum E {}", "without variants"),
        ("struct A;", "there is no field"),
        ("struct A(u8, u8);", "a second one. A row needs no derive"),
        ("struct A { a: bool, b: bool }", "#[ark_mysql(set)]"),
        ("union U { a: u8 }", "structs and enums"),
        ("#[repr(usize)] enum E { A }", "choose the width"),
        ("enum E<T> { A, B(T) }", "no generics"),
        ("#[ark_mysql(set)] struct S(bool);", "a field for each"),
        ("#[ark_mysql(set)] struct S { a: u8 }", "`bool`s"),
        (
            "#[ark_mysql(set)] struct S { #[ark_mysql(rename = \"a,b\")] a: bool }",
            "comma",
        ),
        (
            "#[ark_mysql(rename_all = \"snake\")] enum E { A }",
            "no rule `snake`",
        ),
        ("#[ark_mysql(rename_all = 1)] enum E { A }", "takes a text"),
        ("#[ark_mysql(text, text)] enum E { A }", "twice"),
        ("#[ark_mysql = \"x\"] enum E { A }", "options look like"),
        ("#[ark_mysql(\"x\")] enum E { A }", "options look like"),
        (
            "#[repr(u8)] #[ark_mysql(rename_all = \"lowercase\")] enum E { A }",
            "which is a number",
        ),
    ] {
        let told = problems(source);
        assert!(
            told.len() == 1 && told[0].contains(words),
            "{source}: {told:?}"
        );
    }
}

/// Random tokens give impls or problems, never a panic.
#[test]
fn no_tokens_panic() {
    let words = [
        "struct",
        "enum",
        "A",
        "<",
        ">",
        ",",
        "(u8)",
        "{ a: bool }",
        "{ A, B = 1 }",
        ";",
        "#[ark_mysql(set)]",
        "#[repr(u8)]",
        "#[ark_mysql(other)]",
        "where",
        "'a",
        ":",
        "pub",
        "=",
        "->",
    ];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut source = String::new();
        for _ in 0..9 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            source.push_str(words[(state >> 33) as usize % words.len()]);
            source.push(' ');
        }
        if let Ok(tokens) = source.parse() {
            _ = derive_type(tokens);
        }
    }
}
