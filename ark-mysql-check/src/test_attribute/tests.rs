use super::*;

fn written(attribute: TokenStream, item: TokenStream) -> Result<String, String> {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let function = Function::read(item).map_err(|problem| problem.message)?;
    let options = Options::read(attribute).map_err(|problem| problem.message)?;
    write(&function, &options, &manifest_dir)
        .map(|tokens| tokens.to_string())
        .map_err(|problem| problem.message)
}

#[test]
fn the_function_keeps_its_attributes_and_gets_its_arguments() {
    let text = written(
        quote!(),
        quote!(
            #[should_panic(expected = "x")]
            pub(crate) async fn works(mut pool: Pool, conn: Connection) -> Result<(), Error> {
                body
            }
        ),
    )
    .unwrap();
    assert!(
        text.contains(
            "# [should_panic (expected = \"x\")] pub (crate) fn works () -> Result < () , Error >"
        ),
        "{text}"
    );
    assert!(text.contains("should_panic : true"), "{text}");
    assert_eq!(text.matches("testing :: argument").count(), 2);
    assert!(
        text.contains("0001_customers.sql"),
        "the usual folder is there: {text}"
    );
    let text = written(
        quote!(migrations = false),
        quote!(
            async fn f() {}
        ),
    )
    .unwrap();
    assert!(
        text.contains("migrator : :: core :: option :: Option :: None")
            && !text.contains("argument"),
        "{text}"
    );
    let text = written(
        quote!(crate = a::b, migrations = "migrations"),
        quote!(
            async fn f() {}
        ),
    )
    .unwrap();
    assert!(text.contains("a :: b :: testing :: run"), "{text}");
    for path in [quote!(crate::db::MIGRATOR), quote!("crate::db::MIGRATOR")] {
        let text = written(
            quote!(migrator = #path, crate = a::b),
            quote!(
                async fn f() {}
            ),
        );
        assert!(
            text.unwrap()
                .contains("Some (|| & crate :: db :: MIGRATOR)")
        );
    }
}

#[test]
fn mistakes_are_told() {
    for (attribute, item, part) in [
        (
            quote!(),
            quote!(
                fn f() {}
            ),
            "is an async function",
        ),
        (
            quote!(),
            quote!(
                struct S {}
            ),
            "belongs on a function",
        ),
        (
            quote!(),
            quote!(
                async fn f<T>() {}
            ),
            "no generics",
        ),
        (
            quote!(migration = "x"),
            quote!(
                async fn f() {}
            ),
            "knows `migrations = \"folder\"`",
        ),
        (
            quote!(fixtures(users)),
            quote!(
                async fn f() {}
            ),
            "fixtures(\"name\", …)",
        ),
        (
            quote!(fixtures("nobody")),
            quote!(
                async fn f() {}
            ),
            "there is no fixture `nobody`: make one of these files",
        ),
        (
            quote!(migrations = "nowhere"),
            quote!(
                async fn f() {}
            ),
            "nowhere",
        ),
        (
            quote!(migrator = "migrations/"),
            quote!(
                async fn f() {}
            ),
            "write migrator = \"crate::MIGRATOR\"",
        ),
        (
            quote!(migrator = "M", migrations = false),
            quote!(
                async fn f() {}
            ),
            "say once which migrations",
        ),
    ] {
        let message = written(attribute, item).unwrap_err();
        assert!(message.contains(part), "{message}");
    }
}
