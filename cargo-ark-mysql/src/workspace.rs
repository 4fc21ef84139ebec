//! Which packages a command is about, and where cargo builds.

use std::fs;
use std::path::{Path, PathBuf};

use ark_mysql_check::describe::cache::Cache;
use cargo_metadata::MetadataCommand;

use crate::arguments::Selection;
use crate::failure::Failure;

/// The packages that were selected, and the target folder.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
    pub(crate) target: PathBuf,
}

/// A package of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) manifest_dir: PathBuf,
    /// Whether some of its code may be switched off.
    pub(crate) has_features: bool,
}

impl Member {
    pub(crate) fn cache(&self) -> Cache {
        Cache::of(&self.manifest_dir)
    }
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load(selection: &Selection) -> Result<Self, Failure> {
        let mut command = MetadataCommand::new();
        command.no_deps();
        if let Some(manifest) = &selection.manifest_path {
            command.manifest_path(manifest);
        }
        let metadata = command.exec()?;
        let mut members: Vec<Member> = metadata.packages.iter().filter_map(member).collect();
        if !selection.package.is_empty() {
            keep(&mut members, &selection.package)?;
        }
        members.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            members,
            target: metadata.target_directory.into_std_path_buf(),
        })
    }

    /// Returns the member in a folder.
    pub(crate) fn member(&self, manifest_dir: &Path) -> Option<&Member> {
        let found = self
            .members
            .iter()
            .find(|member| member.manifest_dir == manifest_dir);
        found.or_else(|| {
            self.members
                .iter()
                .find(|member| same_folder(&member.manifest_dir, manifest_dir))
        })
    }
}

fn member(package: &cargo_metadata::Package) -> Option<Member> {
    let manifest_dir = package.manifest_path.parent()?.as_std_path().to_owned();
    Some(Member {
        name: package.name.to_string(),
        manifest_dir,
        has_features: !package.features.is_empty(),
    })
}

fn keep(members: &mut Vec<Member>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if !members.iter().any(|member| member.name == *name) {
            let known: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            return Err(Failure::new(format!(
                "there is no package `{name}` in this workspace: it has {}",
                known.join(", ")
            )));
        }
    }
    members.retain(|member| names.contains(&member.name));
    Ok(())
}

/// The same folder by another name: a link on the way.
fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
