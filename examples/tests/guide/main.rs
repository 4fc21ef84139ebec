//! The code of the guide and the README compiles: each of their blocks of Rust stands in one of these files, which the compiler and the checker have seen.

#![expect(
    dead_code,
    clippy::print_stdout,
    reason = "most of the guide's code is there to be compiled"
)]

mod ci;
mod first_query;
mod from_sqlx;
mod migrations;
mod overrides;
mod readme;
mod testing;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A chapter's blocks of Rust that rustdoc is told to leave alone, without what it hides. (It compiles the others itself.)
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in text.lines() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some((matches!(language, "ignore" | "rust,ignore"), String::new()))
            }
            (Some(_), Some(_)) => blocks.extend(
                open.take()
                    .filter(|(rust, _)| *rust)
                    .map(|(_, block)| block),
            ),
            (Some((_, block)), None) if !line.starts_with("# ") => *block += &format!("{line}\n"),
            _ => {}
        }
    }
    blocks
}

/// Without what rustfmt decides: spaces, the commas in front of closing brackets, and comments.
fn plain(code: &str) -> String {
    let code: String = code
        .lines()
        .map(|line| line.split(" // ").next().unwrap_or_default().trim())
        .filter(|line| !line.starts_with("//"))
        .flat_map(|line| line.chars().filter(|c| !c.is_whitespace()))
        .collect();
    [")", "]", "}"].iter().fold(code, |code, bracket| {
        code.replace(&format!(",{bracket}"), bracket)
    })
}

#[test]
fn the_code_of_the_guide_and_of_the_readme_is_compiled() {
    let sources: String = fs::read_dir(root().join("examples/tests/guide"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| plain(&fs::read_to_string(path).unwrap()))
        .collect();
    let mut files = vec![root().join("README.md")];
    files.extend(
        fs::read_dir(root().join("ark-mysql/src/guide"))
            .unwrap()
            .map(|file| file.unwrap().path()),
    );
    let build = plain(&fs::read_to_string(root().join("examples/build.rs")).unwrap());
    let mut seen = 0;
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "md"))
    {
        for block in blocks(&fs::read_to_string(file).unwrap()) {
            seen += 1;
            let code = plain(&block);
            assert!(
                sources.contains(&code) || build.contains(&code),
                "{}: this is not in examples/tests/guide, so nobody has compiled it:\n{block}",
                file.display()
            );
        }
    }
    assert!(seen >= 15, "only {seen} blocks were found");
}

#[test]
fn blocks_are_found_and_compared_as_they_should() {
    let text = "```rust,ignore\nlet a = f(1, 2); // two\n# hidden\n#[x]\n```\n```text\nno\n```\n```ignore\nb\n```\n";
    assert_eq!(blocks(text), ["let a = f(1, 2); // two\n#[x]\n", "b\n"]);
    assert_eq!(
        plain("let a = f(\n  1,\n  2,\n); // two"),
        plain("let a = f(1, 2);")
    );
    assert_ne!(plain("let a = f(1, 2);"), plain("let a = f(1, 3);"));
    assert!(plain("\"mysql://app:secret@h\" // x").contains("//app"));
}
