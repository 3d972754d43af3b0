//! `cargo xtask links`: every link of the documentation's overview pages leads to a file and an
//! anchor.
//!
//! rustdoc reports links that it cannot resolve. It does not report a link to an item without a
//! page, such as a re-exported `doc(hidden)` macro.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// Check the links of the built documentation; run `cargo doc --no-deps` before.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the built documentation; the default is `doc` in Cargo's target folder
    #[arg(long)]
    doc: Option<PathBuf>,
    /// Crates to check, as they are named in the folder; the default is all in it
    crates: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let doc = args.doc.clone().unwrap_or_else(|| shell::target().join("doc"));
    let mut crates = args.crates.clone();
    if crates.is_empty() {
        let folders =
            fs::read_dir(&doc).with_context(|| format!("{}: run `cargo doc --no-deps` before", doc.display()))?;
        for folder in folders {
            let folder = folder?;
            if folder.path().join("all.html").is_file() {
                crates.push(folder.file_name().to_string_lossy().into_owned());
            }
        }
        crates.sort();
    }
    ensure!(!crates.is_empty(), "{} has no crate's documentation: run `cargo doc --no-deps` before", doc.display());
    let mut site = Site { anchors: BTreeMap::new(), dead: BTreeSet::new(), links: 0 };
    for name in &crates {
        site.folder(&doc.join(name))?;
    }
    site.dead.iter().for_each(|dead| println!("{dead}"));
    ensure!(site.dead.is_empty(), "{} of {} links lead nowhere", site.dead.len(), site.links);
    println!("{} links of {} lead somewhere", site.links, crates.join(", "));
    Ok(ExitCode::SUCCESS)
}

/// The pages read so far, and the links found.
struct Site {
    /// The anchors of each file that a link leads to; `None` if there is no such file.
    anchors: BTreeMap<PathBuf, Option<BTreeSet<String>>>,
    dead: BTreeSet<String>,
    links: usize,
}

impl Site {
    /// Checks the overview pages of a folder and of the folders in it.
    fn folder(&mut self, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                self.folder(&path)?;
            } else if path.file_name().is_some_and(|name| name == "index.html" || name == "all.html") {
                let text = fs::read_to_string(&path)?;
                for link in attributes(&text, "href") {
                    self.link(&path, &link);
                }
            }
        }
        Ok(())
    }

    fn link(&mut self, page: &Path, link: &str) {
        if link.contains("://") || link.starts_with("javascript:") || link.starts_with("mailto:") {
            return;
        }
        self.links += 1;
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let file = file.split('?').next().unwrap_or_default();
        let target = if file.is_empty() { page.to_owned() } else { joined(page, file) };
        // Lines of a source file are anchors that a script makes.
        let is_source = target.components().any(|part| part.as_os_str() == "src");
        let leads = match self.anchors(&target) {
            None => false,
            Some(anchors) => anchor.is_empty() || is_source || anchors.contains(anchor),
        };
        if !leads {
            self.dead.insert(format!("{}: {link}", page.display()));
        }
    }

    fn anchors(&mut self, file: &Path) -> Option<&BTreeSet<String>> {
        let read = || {
            // Only pages have anchors; styles and scripts only have to be there.
            let is_page = file.extension().is_some_and(|e| e == "html");
            if !is_page {
                return file.exists().then(BTreeSet::new);
            }
            fs::read_to_string(file).ok().map(|text| attributes(&text, "id").into_iter().collect())
        };
        self.anchors.entry(file.to_owned()).or_insert_with(read).as_ref()
    }
}

/// The file that a link on a page leads to.
fn joined(page: &Path, link: &str) -> PathBuf {
    let mut target = page.parent().unwrap_or(page).to_owned();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                target.pop();
            }
            name => target.push(name),
        }
    }
    if link.ends_with('/') { target.join("index.html") } else { target }
}

/// The values of an attribute, as rustdoc writes them: in double quotes.
fn attributes(text: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let values = text.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed() {
        let folder = std::env::temp_dir().join(format!("links-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/m")).unwrap();
        fs::write(folder.join("a/fn.f.html"), "<h2 id=\"examples\">").unwrap();
        let page =
            |links: &[&str]| links.iter().map(|link| format!("<a class=\"l\" href=\"{link}\">")).collect::<String>();
        fs::write(
            folder.join("a/index.html"),
            page(&["fn.f.html#examples", "m/index.html", "https://x/y", "fn.g.html"]),
        )
        .unwrap();
        fs::write(folder.join("a/m/index.html"), page(&["../fn.f.html", "../fn.f.html#errors", "#top"])).unwrap();
        let mut site = Site { anchors: BTreeMap::new(), dead: BTreeSet::new(), links: 0 };
        site.folder(&folder).unwrap();
        let dead: Vec<_> = site.dead.iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((dead, site.links), (vec!["fn.g.html", "#top", "../fn.f.html#errors"], 6));
    }
}
