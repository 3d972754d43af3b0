//! The contents of a package.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The repository in links.
const REPOSITORY: &str = "https://github.com/ptxf/ptxf/";

/// Files that every package has.
const ALWAYS: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Files that Cargo adds, and those that a package may have beside its source.
const SOMETIMES: [&str; 5] = ["Cargo.toml.orig", "Cargo.lock", ".cargo_vcs_info.json", "CHANGELOG.md", "build.rs"];
/// Directories, and endings of the files in them. Pages below `src` are documentation of items.
const SOURCES: [(&str, &str); 7] = [
    ("src", ".rs"),
    ("src", ".md"),
    ("src", ".ptx"),
    ("src/shipped", ".bin"),
    ("src/device/measured", ".delta"),
    ("spec", ".spec"),
    ("evidence", ".tsv"),
];

/// An unpacked package.
pub(crate) struct Found {
    root: PathBuf,
    /// Paths with slashes, in order.
    pub(crate) files: Vec<String>,
}

impl Found {
    pub(crate) fn at(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        list(root, "", &mut files)?;
        files.sort();
        Ok(Self { root: root.to_owned(), files })
    }

    /// Returns missing and superfluous files and wrong links. `repository` is the package's source.
    pub(crate) fn problems(&self, repository: &Path) -> Result<Vec<String>> {
        let mut problems: Vec<String> = self
            .files
            .iter()
            .filter(|file| is_stray(file))
            .map(|file| format!("`{file}` does not belong there"))
            .collect();
        for name in ALWAYS.iter().filter(|name| !self.files.iter().any(|file| file == **name)) {
            problems.push(format!("there is no `{name}`"));
        }
        for licence in ALWAYS.iter().filter(|name| name.starts_with("LICENSE")) {
            let read = |at: &Path| std::fs::read(at.join(licence)).ok();
            if read(&self.root) != read(repository) {
                problems.push(format!("`{licence}` is not the repository's"));
            }
        }
        // rustdoc resolves the links of pages below `src`.
        for page in self.files.iter().filter(|file| file.ends_with(".md") && !file.starts_with("src/")) {
            let text = std::fs::read_to_string(self.root.join(page)).with_context(|| page.clone())?;
            problems.extend(links(&text).filter_map(|link| Some(format!("{page}: {}", wrong(link, repository)?))));
        }
        Ok(problems)
    }
}

fn list(directory: &Path, before: &str, files: &mut Vec<String>) -> Result<()> {
    for entry in directory.read_dir().with_context(|| directory.display().to_string())? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}

fn is_stray(file: &str) -> bool {
    let is_below = |directory| file.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    let is_source = SOURCES.iter().any(|(directory, end)| is_below(directory) && file.ends_with(end));
    !is_source && !ALWAYS.contains(&file) && !SOMETIMES.contains(&file)
}

/// Returns the targets of a page's links.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link)
}

/// Returns a complaint if a link does not work on a registry's page.
fn wrong(link: &str, repository: &Path) -> Option<String> {
    if !link.starts_with("https://") && !link.starts_with('#') {
        return Some(format!("the link `{link}` works in the repository alone; write {REPOSITORY}blob/HEAD/…"));
    }
    let path = link.strip_prefix(REPOSITORY)?;
    let (kind, path) = path.split_once("/HEAD/")?;
    let place = repository.join(path.split('#').next()?);
    let leads = if kind == "tree" { place.is_dir() } else { place.is_file() };
    (!leads).then(|| format!("the link `{link}` leads nowhere"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell;

    #[test]
    fn data_and_tests_are_strays() {
        for file in
            ["examples/data/digits.csv", "tests/ui.rs", "src/device/dump.bin", "device/a.rs", ".ci/run", "forms.tsv"]
        {
            assert!(is_stray(file), "{file}");
        }
        for file in [
            "src/device/models.rs",
            "src/lib.rs",
            "src/shipped/tanh.bin",
            "spec/fma.spec",
            "evidence/assembled.tsv",
            "Cargo.lock",
        ] {
            assert!(!is_stray(file), "{file}");
        }
    }

    #[test]
    fn links_have_to_lead_somewhere_from_a_registry() {
        let wrong = |link: &str| wrong(link, shell::root());
        assert!(wrong("docs/gpu.md").unwrap().contains("blob/HEAD"));
        assert!(wrong("https://github.com/ptxf/ptxf/blob/HEAD/docs/none.md").unwrap().contains("nowhere"));
        assert!(wrong("https://github.com/ptxf/ptxf/blob/HEAD/docs").unwrap().contains("nowhere"));
        for link in ["https://docs.rs/ptxf", "#tables", "https://github.com/ptxf/ptxf/blob/HEAD/docs/gpu.md#targets"] {
            assert_eq!(wrong(link), None);
        }
    }

    /// The README's own links, before anything is packaged.
    #[test]
    fn the_pages_of_all_crates_are_right() {
        for page in [
            "",
            "ptxf-core",
            "ptxf-macros",
            "ptxf-spec",
            "ptxf-tables",
            "ptxf-build",
            "ptxf-vm",
            "ptxf-cuda",
            "ptxf-cudarc",
            "ptxf-cli",
            "ptxf-text",
        ] {
            let text = std::fs::read_to_string(shell::root().join(page).join("README.md")).unwrap();
            let wrong: Vec<_> = links(&text).filter_map(|link| wrong(link, shell::root())).collect();
            assert!(wrong.is_empty(), "{wrong:?}");
            assert!(links(&text).count() > 0, "{page}");
        }
    }
}
