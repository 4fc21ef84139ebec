//! Finds the workspace that a crate belongs to without asking cargo, which a macro cannot afford.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the nearest folder, from the crate's own upwards, whose `Cargo.toml` has a `[workspace]` table; without one, the crate's own.
///
/// Cargo's `package.workspace = "…"` is not followed: a `.env` beside the manifest serves such a crate.
pub(crate) fn workspace_root(manifest_dir: &Path) -> PathBuf {
    manifest_dir
        .ancestors()
        .find(|folder| is_workspace(&folder.join("Cargo.toml")))
        .unwrap_or(manifest_dir)
        .to_owned()
}

fn is_workspace(manifest: &Path) -> bool {
    fs::read_to_string(manifest).is_ok_and(|text| text.lines().any(is_workspace_header))
}

fn is_workspace_header(line: &str) -> bool {
    let Some(name) = line.trim_start().strip_prefix('[') else {
        return false;
    };
    let name = name.trim_start();
    name.strip_prefix("workspace")
        .is_some_and(|rest| rest.trim_start().starts_with([']', '.']))
}

#[cfg(test)]
mod tests {
    use super::is_workspace_header;

    #[test]
    fn knows_a_workspace_table() {
        assert!(is_workspace_header("[workspace]"));
        assert!(is_workspace_header("  [ workspace ] # all"));
        assert!(is_workspace_header("[workspace.dependencies]"));
        assert!(!is_workspace_header("workspace = true"));
        assert!(!is_workspace_header("[workspaces]"));
        assert!(!is_workspace_header("# [workspace]"));
    }
}
