//! The guide's table of types is what the library does. To make it anew: `ARK_MYSQL_PAGE=overwrite cargo test -p tests --test type_page`

use std::path::Path;
use std::{env, fs};

use ark_mysql::value::table::pairs;
use ark_mysql_check::generate::default_name;
use tests::type_table::{PATH, page, shown};

#[test]
fn the_page_is_what_compiles() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PATH);
    let page = page();
    if env::var("ARK_MYSQL_PAGE").as_deref() == Ok("overwrite") {
        fs::write(&path, &page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    let differs = kept
        .lines()
        .zip(page.lines())
        .find(|(kept, page)| kept != page);
    assert!(
        kept == page,
        "{PATH} is not what the library does, for example {differs:#?}; to make it anew: ARK_MYSQL_PAGE=overwrite cargo test -p tests --test type_page"
    );
}

/// What a column becomes by itself can be read, compared and stored: what came out goes back in.
#[test]
fn every_default_goes_both_ways() {
    let all = pairs();
    let kinds: Vec<_> = all.iter().map(|pair| pair.kind).collect();
    for kind in kinds {
        let default = default_name(kind);
        let plain = default
            .replace("ark_mysql::types::", "")
            .replace("std::net::", "");
        let pair = all
            .iter()
            .find(|pair| pair.kind == kind && shown(pair.rust) == plain);
        let pair = pair.unwrap_or_else(|| panic!("{kind}: {default} is not in the table"));
        assert!(
            pair.reads && pair.compares && pair.stores,
            "{kind}: {pair:?}"
        );
    }
}
