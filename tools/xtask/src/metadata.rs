//! Cargo's description of the workspace.

use anyhow::{Context as _, Result};

use crate::shell;

/// Returns the workspace's packages, as Cargo describes them.
pub(crate) fn packages() -> Result<Vec<serde_json::Value>> {
    let mut metadata = shell::command("cargo", &["metadata", "--no-deps", "--format-version", "1"]);
    let text = shell::output(&mut metadata).context("cargo metadata failed")?;
    let mut description: serde_json::Value = serde_json::from_str(&text)?;
    match description["packages"].take() {
        serde_json::Value::Array(packages) => Ok(packages),
        _ => Ok(Vec::new()),
    }
}

/// A package of the workspace that is published.
#[derive(Debug)]
pub(crate) struct Package {
    pub name: String,
    pub version: String,
    /// Cargo's description.
    pub manifest: serde_json::Value,
}

/// Returns the published packages, by name.
pub(crate) fn published() -> Result<Vec<Package>> {
    let text = |package: &serde_json::Value, field: &str| package[field].as_str().map(str::to_owned);
    let mut published: Vec<Package> = packages()?
        .into_iter()
        .filter(|package| package["publish"].is_null())
        .filter_map(|p| Some(Package { name: text(&p, "name")?, version: text(&p, "version")?, manifest: p }))
        .collect();
    published.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(published)
}

/// Returns the features of a package of the workspace, in order.
pub(crate) fn features(package: &str) -> Result<Vec<String>> {
    let packages = packages()?;
    let found = packages.iter().find(|p| p["name"] == package).and_then(|p| p["features"].as_object());
    Ok(found.with_context(|| format!("no package {package}"))?.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_found() {
        let features = features("ptxf-core").unwrap();
        assert!(features.iter().any(|f| f == "std") && features.iter().any(|f| f == "half"));
    }

    /// The table of the crate's page has every feature, and whether it is a default.
    #[test]
    fn the_crates_page_lists_every_feature() {
        let page = std::fs::read_to_string(shell::root().join("src/lib.rs")).unwrap();
        let packages = packages().unwrap();
        let facade = packages.iter().find(|p| p["name"] == "ptxf").unwrap();
        let defaults = facade["features"]["default"].as_array().unwrap();
        for feature in features("ptxf").unwrap().iter().filter(|feature| *feature != "default") {
            let row = page.lines().find(|line| line.starts_with("//! | `") && line.contains(&format!("`{feature}`")));
            let default = row.unwrap_or_else(|| panic!("{feature} has no row")).split('|').nth(2).unwrap().trim();
            assert_eq!(default, if defaults.iter().any(|d| d == feature) { "yes" } else { "no" }, "{feature}");
        }
    }

    /// `cargo xtask ci features` takes each by the facade's name.
    #[test]
    fn the_facade_has_every_feature_of_the_core() {
        let facade = features("ptxf").unwrap();
        assert!(features("ptxf-core").unwrap().iter().all(|feature| facade.contains(feature)), "{facade:?}");
    }
}
