//! Folders of results. Each file is replaced as a whole and listed with its checksum and origin, so
//! that a run may end at any moment and the next one continues.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::device::{self, Info, LABEL};
use crate::manifest::{self, MANIFEST, Row, Stamp, now};
use crate::ptx::{Ptx, sha256};

/// The folder of the project's data.
pub(crate) const DATA: &str = "ptxf-tables/device";

/// Returns the path of a file of the repository, for tests, which run in the package's folder.
#[cfg(test)]
pub(crate) fn in_repository(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

/// A device's folder, to be written.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) root: PathBuf,
    /// Origin of the files that this run writes.
    pub(crate) stamp: Stamp,
    fake: bool,
    rows: Vec<Row>,
}

impl Store {
    /// Opens `out/sm_90`, or `out/FAKE-sm_90`.
    ///
    /// # Errors
    ///
    /// It returns an error if the folder cannot be made or holds another device's results, or if
    /// results of no device would go to the project's data.
    pub(crate) fn open(out: &Path, info: &Info, ptx: &Ptx) -> Result<Self> {
        let stamp = Stamp::new(info, ptx);
        if info.fake {
            ensure!(!is_data(out), "{LABEL} results must not go to {DATA}");
        }
        let root = out.join(format!("{}{}", prefix(info.fake), stamp.target));
        fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
        let rows = manifest::read(&root)?;
        if let Some(row) = rows.iter().find(|row| row.stamp.device != stamp.device) {
            bail!("{} holds results of `{}`; choose another --out", root.display(), row.stamp.device);
        }
        Ok(Self { root, stamp, fake: info.fake, rows })
    }

    /// Puts `FAKE-` before a file's name if no GPU computes its content.
    fn label(&self, name: &str) -> String {
        match name.rsplit_once('/') {
            Some((folder, file)) => format!("{folder}/{}{file}", prefix(self.fake)),
            None => format!("{}{name}", prefix(self.fake)),
        }
    }

    /// Prints progress.
    pub(crate) fn say(&self, text: &str) {
        eprintln!("{}{text}", if self.fake { "FAKE " } else { "" });
    }

    /// Returns the path of a file that is not a result and is not listed.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(self.label(name))
    }

    /// Returns `true` if the file is complete and of this device, driver and PTX. `bytes` is its
    /// length, if known.
    pub(crate) fn has(&self, name: &str, bytes: Option<u64>) -> bool {
        let file = self.label(name);
        let row = self.rows.iter().find(|row| row.file == file && row.stamp == self.stamp);
        row.is_some_and(|row| bytes.is_none_or(|bytes| bytes == row.bytes) && read(&self.root, row).is_ok())
    }

    /// Writes a file and lists it.
    pub(crate) fn put(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let file = self.label(name);
        write_whole(&self.root.join(&file), content)?;
        self.rows.retain(|row| row.file != file);
        let (bytes, sha256) = (content.len() as u64, sha256(content));
        self.rows.push(Row { file, bytes, sha256, date: now(), stamp: self.stamp.clone() });
        self.rows.sort_by(|a, b| a.file.cmp(&b.file));
        write_whole(&self.root.join(MANIFEST), manifest::text(&self.rows)?.as_bytes())
    }

    /// Writes a table below comments with its title and origin.
    pub(crate) fn put_text(&mut self, name: &str, title: &str, body: &str) -> Result<()> {
        let warning =
            if self.fake { format!("# {LABEL}: a CPU computed this table, not a device\n") } else { String::new() };
        let text = format!("{warning}# {title}\n{}{body}", self.stamp.comment());
        self.put(name, text.as_bytes())
    }
}

fn prefix(fake: bool) -> String {
    if fake { format!("{LABEL}-") } else { String::new() }
}

/// Returns `true` if a path leads into the project's data.
fn is_data(path: &Path) -> bool {
    // The path is tested as written and as the file system resolves it, since either may hide the
    // folder's name.
    let real = path.canonicalize().unwrap_or_default();
    [path, &real].iter().any(|p| p.components().any(|c| c == Component::Normal("ptxf-tables".as_ref())))
}

/// Reads a listed file.
///
/// # Errors
///
/// It returns an error if length or checksum differ from the list's.
fn read(root: &Path, row: &Row) -> Result<Vec<u8>> {
    let path = inside(root, &row.file)?;
    let content = fs::read(&path).with_context(|| path.display().to_string())?;
    let (bytes, sum) = (content.len() as u64, sha256(&content));
    ensure!(bytes == row.bytes, "{}: {bytes} bytes found, {} expected by {MANIFEST}", path.display(), row.bytes);
    ensure!(sum == row.sha256, "{}: sha256 {sum} found, {} expected by {MANIFEST}", path.display(), row.sha256);
    Ok(content)
}

/// A device's folder, to be read. Each file is compared with the list when it is read.
#[derive(Debug)]
pub(crate) struct Results {
    root: PathBuf,
    rows: Vec<Row>,
}

impl Results {
    /// Opens a folder that `capture` or `adopt` wrote.
    ///
    /// # Errors
    ///
    /// It returns an error if the folder has no list, or files of no device or of several.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let rows = manifest::read(root)?;
        let Some(first) = rows.first() else {
            bail!("{} has no {MANIFEST}: `ptxf-gpu capture` did not write this folder", root.display());
        };
        ensure!(
            !is_fake(root, &rows),
            "{}: a CPU computed these {LABEL} results, so they are not data",
            root.display()
        );
        let Stamp { device, target, .. } = &first.stamp;
        let same = |row: &Row| row.stamp.device == *device && row.stamp.target == *target;
        ensure!(rows.iter().all(same), "{} has results of several devices: use one folder for each", root.display());
        Ok(Self { root: root.to_owned(), rows })
    }

    /// Returns the device's target, `sm_90`.
    pub(crate) fn target(&self) -> &str {
        &self.rows[0].stamp.target
    }

    /// Returns the list's row of a file.
    pub(crate) fn row(&self, file: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.file == file)
    }

    /// Returns a file's content; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// It returns an error if the file is not listed, or if length or checksum differ from the
    /// list's.
    pub(crate) fn read(&self, file: &str) -> Result<Option<Vec<u8>>> {
        match self.row(file) {
            Some(row) => read(&self.root, row).map(Some),
            None if inside(&self.root, file)?.exists() => {
                bail!("{}: {MANIFEST} does not list it", self.root.join(file).display())
            }
            None => Ok(None),
        }
    }
}

/// Returns the folders of devices in `data`; none if `data` does not exist.
pub(crate) fn devices(data: &Path) -> Result<Vec<PathBuf>> {
    if !data.exists() {
        return Ok(Vec::new());
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(data).with_context(|| data.display().to_string())? {
        let path = entry?.path();
        if path.join(MANIFEST).exists() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Replaces a file. A run that is killed at any moment leaves the old content or the new.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        // A link at this place would lead elsewhere.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = File::create_new(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| path.display().to_string())
}

/// A folder whose files are as listed.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) rows: Vec<Row>,
    pub(crate) bytes: u64,
    pub(crate) fake: bool,
}

/// Reads every file of a folder.
///
/// # Errors
///
/// It returns an error if a file is missing, changed or not listed.
pub(crate) fn verify(root: &Path) -> Result<Verified> {
    let rows = manifest::read(root)?;
    ensure!(!rows.is_empty(), "{} holds no results", root.display());
    for row in &rows {
        read(root, row)?;
    }
    for path in files(root)? {
        let name = path.strip_prefix(root).expect("it was found there").to_string_lossy().replace('\\', "/");
        let is_log = name.ends_with(".jsonl") || name == MANIFEST || name.ends_with(".new");
        ensure!(is_log || rows.iter().any(|row| row.file == name), "{MANIFEST} does not list {name}");
    }
    Ok(Verified { bytes: rows.iter().map(|row| row.bytes).sum(), fake: is_fake(root, &rows), rows })
}

/// Returns the path of a listed file.
///
/// # Errors
///
/// It returns an error if the file or a folder on its path is a link, which may lead out of the
/// folder.
fn inside(root: &Path, file: &str) -> Result<PathBuf> {
    let mut path = root.to_owned();
    for part in file.split('/') {
        path.push(part);
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        ensure!(!is_link, "{} is a link, which may lead anywhere: put the file itself there", path.display());
    }
    Ok(path)
}

/// Returns `true` if a CPU computed any of the files.
fn is_fake(root: &Path, rows: &[Row]) -> bool {
    rows.iter().any(|row| device::is_fake(&row.stamp.device) || row.file.contains(LABEL))
        || root.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LABEL))
}

fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(root).with_context(|| root.display().to_string())? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        ensure!(!kind.is_symlink(), "{} is a link, which may lead anywhere", path.display());
        if kind.is_dir() { out.extend(files(&path)?) } else { out.push(path) }
    }
    out.sort();
    Ok(out)
}

/// Copies a device's verified results to `data/sm_90`, beside earlier ones of the same device.
///
/// # Errors
///
/// It returns an error if a file is not as listed, if no GPU computed the results, or if `data` has
/// another device's.
pub(crate) fn adopt(root: &Path, data: &Path) -> Result<PathBuf> {
    let Verified { rows, .. } = verify(root)?;
    Results::open(root)?;
    let Stamp { device, target, .. } = &rows[0].stamp;
    let to = data.join(target);
    let mut all = manifest::read(&to)?;
    if let Some(row) = all.iter().find(|row| row.stamp.device != *device) {
        bail!("{} holds data of `{}`; remove it to take those of `{device}`", to.display(), row.stamp.device);
    }
    for row in &rows {
        // The file is read and compared again, since the folder may have changed meanwhile.
        write_whole(&inside(&to, &row.file)?, &read(root, row)?)?;
    }
    all.retain(|old| rows.iter().all(|row| row.file != old.file));
    all.extend(rows);
    all.sort_by(|a, b| a.file.cmp(&b.file));
    write_whole(&to.join(MANIFEST), manifest::text(&all)?.as_bytes())?;
    Ok(to)
}

#[cfg(test)]
mod tests;
