//! Takes out of messages what differs from machine to machine and from run to run.

use std::path::Path;

/// Replaces folders, and leaves out what rustc says at the end of every run.
pub(crate) fn normal(messages: &str, manifest_dir: &Path, replace: &[(String, &str)]) -> String {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("/"));
    let mut text = messages
        .replace(&*manifest_dir.to_string_lossy(), "$DIR")
        .replace(&*workspace.to_string_lossy(), "$WORKSPACE");
    for (from, to) in replace {
        text = text.replace(from, to);
    }
    let lines: Vec<&str> = text.lines().filter(|line| !is_farewell(line)).collect();
    let mut normal = without_foreign_code(&lines).join("\n").trim().to_owned();
    while normal.contains("\n\n\n") {
        normal = normal.replace("\n\n\n", "\n\n");
    }
    if !normal.is_empty() {
        normal.push('\n');
    }
    normal
}

fn is_farewell(line: &str) -> bool {
    [
        "error: aborting due to ",
        "For more information about ",
        "Some errors have detailed explanations",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Code that rustc shows from our crates or the standard library may change without a change of the message: only the file stays.
fn without_foreign_code(lines: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut foreign = false;
    for line in lines {
        let start = line.trim_start();
        let arrow = ["--> ", "::: "]
            .iter()
            .find_map(|arrow| start.strip_prefix(arrow));
        if let Some(place) = arrow {
            foreign = !is_ours(place);
            if foreign {
                kept.push(line.replace(place, &without_numbers(place)));
                continue;
            }
        }
        let is_code =
            start.starts_with(|first: char| first.is_ascii_digit() || first == '|' || first == '.');
        foreign &= is_code;
        if !foreign {
            kept.push((*line).to_owned());
        }
    }
    kept
}

fn is_ours(place: &str) -> bool {
    ["mistakes/", "server_says/", "settings/", "correct/"]
        .iter()
        .any(|folder| place.starts_with(folder))
}

/// `/long/way/library/core/src/x.rs:1:2` becomes `x.rs`.
fn without_numbers(place: &str) -> String {
    let file = place.split(':').next().unwrap_or(place);
    Path::new(file)
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
