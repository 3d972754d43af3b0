//! The folder that results go to: each file is written whole and listed with its checksum and the device it came from, so
//! that a run that ends at any moment leaves nothing half done, and the next one continues.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};

use super::device::Info;
use super::fake::LABEL;
use super::ptx::{Ptx, sha256};

const MANIFEST: &str = "MANIFEST.tsv";
const TITLE: &str = "# ptxf device results 1; docs/device.md says what they are";
const COLUMNS: &str = "file\tbytes\tsha256\tdate\tdevice\ttarget\tdriver\tptx\tptx_sha256\tprogram";

/// Where the data of the project lies.
pub(crate) const DATA: &str = "ptxf-tables/device";

/// What a result depends on beside the operands.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Stamp {
    pub(crate) device: String,
    /// `sm_90`
    pub(crate) target: String,
    pub(crate) driver: String,
    /// `sm_90.ptx (PTX 7.8)`
    pub(crate) ptx: String,
    pub(crate) ptx_sha256: String,
    pub(crate) program: String,
}

impl Stamp {
    pub(crate) fn new(info: &Info, ptx: &Ptx) -> Self {
        Self {
            device: info.name.clone(),
            target: format!("sm_{}", info.sm()),
            driver: info.driver.clone(),
            ptx: ptx.describe(),
            ptx_sha256: ptx.sha256.clone(),
            program: concat!("ptxf ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Comment lines for the head of a text file.
    pub(crate) fn comment(&self) -> String {
        let Self { device, target, driver, ptx, ptx_sha256, program } = self;
        let date = now();
        format!(
            "# device\t{device}\n# target\t{target}\n# driver\t{driver}\n# ptx\t{ptx}\n# ptx sha256\t{ptx_sha256}\n\
             # date\t{date}\n# program\t{program}\n"
        )
    }
}

/// A file and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) date: String,
    pub(crate) stamp: Stamp,
}

impl Row {
    fn text(&self) -> String {
        let Self { file, bytes, sha256, date, stamp } = self;
        let Stamp { device, target, driver, ptx, ptx_sha256, program } = stamp;
        format!("{file}\t{bytes}\t{sha256}\t{date}\t{device}\t{target}\t{driver}\t{ptx}\t{ptx_sha256}\t{program}\n")
    }

    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [file, bytes, sha256, date, device, target, driver, ptx, ptx_sha256, program] = fields.try_into().ok()?;
        let stamp = Stamp { device, target, driver, ptx, ptx_sha256, program };
        Some(Self { file, bytes: bytes.parse().ok()?, sha256, date, stamp })
    }
}

/// The folder of one device.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) root: PathBuf,
    pub(crate) stamp: Stamp,
    fake: bool,
    rows: Vec<Row>,
}

impl Store {
    /// Opens `out/sm_90`, or `out/FAKE-sm_90`.
    pub(crate) fn open(out: &Path, info: &Info, ptx: &Ptx) -> Result<Self> {
        let stamp = Stamp::new(info, ptx);
        if info.fake {
            ensure!(!is_data(out), "{LABEL} results must not go to {DATA}");
        }
        let root = out.join(format!("{}{}", prefix(info.fake), stamp.target));
        fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
        let rows = read_manifest(&root)?;
        if let Some(row) = rows.iter().find(|row| row.stamp.device != stamp.device) {
            bail!("{} holds results of `{}`; choose another --out", root.display(), row.stamp.device);
        }
        Ok(Self { root, stamp, fake: info.fake, rows })
    }

    /// `FAKE-` before a file's name, or nothing.
    fn label(&self, name: &str) -> String {
        match name.rsplit_once('/') {
            Some((folder, file)) => format!("{folder}/{}{file}", prefix(self.fake)),
            None => format!("{}{name}", prefix(self.fake)),
        }
    }

    /// Tells how far the work is.
    pub(crate) fn say(&self, text: &str) {
        eprintln!("{}{text}", if self.fake { "FAKE " } else { "" });
    }

    /// The path of a file that is no result and not listed.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(self.label(name))
    }

    /// Whether the file is here, whole, and of this device, driver and PTX; `bytes` is what it has to hold if that is known.
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
        write_whole(&self.root.join(MANIFEST), manifest(self.fake, &self.rows).as_bytes())
    }

    /// Writes a text file, headed by what it came from.
    pub(crate) fn put_text(&mut self, name: &str, title: &str, body: &str) -> Result<()> {
        let warning = if self.fake {
            format!("# {LABEL}: a CPU computed this; it says nothing about any device\n")
        } else {
            String::new()
        };
        let text = format!("{warning}# {title}\n{}{body}", self.stamp.comment());
        self.put(name, text.as_bytes())
    }
}

fn prefix(fake: bool) -> String {
    if fake { format!("{LABEL}-") } else { String::new() }
}

/// Whether a path leads into the project's data.
fn is_data(path: &Path) -> bool {
    // As written and as the file system has it, for either may hide the other.
    let real = path.canonicalize().unwrap_or_default();
    [path, &real].iter().any(|p| p.components().any(|c| c == Component::Normal("ptxf-tables".as_ref())))
}

fn manifest(fake: bool, rows: &[Row]) -> String {
    let mut out = String::new();
    if fake {
        let _ = writeln!(out, "# {LABEL}: a CPU computed all of this; it says nothing about any device");
    }
    let _ = writeln!(out, "{TITLE}\n{COLUMNS}");
    out.extend(rows.iter().map(Row::text));
    out
}

fn read_manifest(root: &Path) -> Result<Vec<Row>> {
    let path = root.join(MANIFEST);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let rows = text.lines().filter(|line| !line.starts_with('#') && *line != COLUMNS);
    rows.map(|line| Row::parse(line).with_context(|| format!("{}: `{line}`", path.display()))).collect()
}

/// A listed file, if it is what the list says.
fn read(root: &Path, row: &Row) -> Result<Vec<u8>> {
    let path = root.join(&row.file);
    let content = fs::read(&path).with_context(|| path.display().to_string())?;
    let (bytes, sum) = (content.len() as u64, sha256(&content));
    ensure!(bytes == row.bytes, "{}: {bytes} bytes found, {} expected by {MANIFEST}", path.display(), row.bytes);
    ensure!(sum == row.sha256, "{}: sha256 {sum} found, {} expected by {MANIFEST}", path.display(), row.sha256);
    Ok(content)
}

/// The results of one device, each file of which is held against the list when it is read.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) root: PathBuf,
    rows: Vec<Row>,
}

impl Results {
    /// Opens a folder that `capture` or `adopt` wrote.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let rows = read_manifest(root)?;
        let Some(first) = rows.first() else {
            bail!("{} has no {MANIFEST}: this is no folder of `cargo xtask gpu capture`", root.display());
        };
        ensure!(!is_fake(root, &rows), "{} was computed by a {LABEL} device and is no data", root.display());
        let Stamp { device, target, .. } = &first.stamp;
        let same = |row: &Row| row.stamp.device == *device && row.stamp.target == *target;
        ensure!(rows.iter().all(same), "{} has results of several devices", root.display());
        Ok(Self { root: root.to_owned(), rows })
    }

    /// `sm_90`
    pub(crate) fn target(&self) -> &str {
        &self.rows[0].stamp.target
    }

    /// The list's line of a file.
    pub(crate) fn row(&self, file: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.file == file)
    }

    /// A file's content; none if there is no such file.
    pub(crate) fn read(&self, file: &str) -> Result<Option<Vec<u8>>> {
        match self.row(file) {
            Some(row) => read(&self.root, row).map(Some),
            None if self.root.join(file).exists() => {
                bail!("{}: {MANIFEST} does not list it", self.root.join(file).display())
            }
            None => Ok(None),
        }
    }

    /// A text's lines but for comments.
    pub(crate) fn lines(&self, file: &str) -> Result<Option<Vec<String>>> {
        let Some(bytes) = self.read(file)? else { return Ok(None) };
        let text = String::from_utf8(bytes).with_context(|| self.root.join(file).display().to_string())?;
        Ok(Some(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()))
    }
}

/// The folders of devices below `data`.
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

/// Replaces a file; a run killed at any moment leaves the old or the new one.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        let mut file = File::create(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| path.display().to_string())
}

/// What a folder holds, after every file was read and compared with its checksum.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) rows: Vec<Row>,
    pub(crate) bytes: u64,
    pub(crate) fake: bool,
}

/// Reads a folder of results again. Fails if a file is missing, changed or not listed.
pub(crate) fn verify(root: &Path) -> Result<Verified> {
    let rows = read_manifest(root)?;
    ensure!(!rows.is_empty(), "{} holds no results", root.display());
    for row in &rows {
        read(root, row)?;
    }
    for path in files(root)? {
        let name = path.strip_prefix(root).expect("it was found there").to_string_lossy().replace('\\', "/");
        let is_log = name.ends_with(".jsonl") || name == MANIFEST || name.ends_with(".new");
        ensure!(is_log || rows.iter().any(|row| row.file == name), "{name} is not listed");
    }
    Ok(Verified { bytes: rows.iter().map(|row| row.bytes).sum(), fake: is_fake(root, &rows), rows })
}

/// Whether a CPU played the device.
fn is_fake(root: &Path, rows: &[Row]) -> bool {
    rows.iter().any(|row| row.stamp.device.starts_with(LABEL) || row.file.contains(LABEL))
        || root.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LABEL))
}

fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(root).with_context(|| root.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() { out.extend(files(&path)?) } else { out.push(path) }
    }
    out.sort();
    Ok(out)
}

/// Copies verified results of a device to `data/sm_90`, beside what is there of the same device.
pub(crate) fn adopt(root: &Path, data: &Path) -> Result<PathBuf> {
    let Verified { rows, .. } = verify(root)?;
    Results::open(root)?;
    let Stamp { device, target, .. } = &rows[0].stamp;
    let to = data.join(target);
    let mut all = read_manifest(&to)?;
    if let Some(row) = all.iter().find(|row| row.stamp.device != *device) {
        bail!("{} holds data of `{}`; remove it to take those of `{device}`", to.display(), row.stamp.device);
    }
    for row in &rows {
        write_whole(&to.join(&row.file), &fs::read(root.join(&row.file))?)?;
    }
    all.retain(|old| rows.iter().all(|row| row.file != old.file));
    all.extend(rows);
    all.sort_by(|a, b| a.file.cmp(&b.file));
    write_whole(&to.join(MANIFEST), manifest(false, &all).as_bytes())?;
    Ok(to)
}

/// The time in UTC, `2026-11-20T09:41:00Z`.
pub(crate) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds)
}

fn date(seconds: u64) -> String {
    // Days to a date: H. Hinnant, "chrono-compatible low-level date algorithms"; years begin in March.
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::gpu::fake;

    /// The folder of a device that nobody made.
    pub(crate) fn invented(out: &Path) -> Result<Store> {
        let (info, ptx) = parts(false);
        Store::open(out, &info, &ptx)
    }

    #[test]
    fn results_are_read_as_listed_or_not_at_all() -> Result<()> {
        let out = scratch("listed");
        let (info, ptx) = parts(false);
        let root = out.join("sm_90");
        assert!(Results::open(&root).unwrap_err().to_string().contains("this is no folder"));
        assert!(devices(&out)?.is_empty());
        let mut store = Store::open(&out, &info, &ptx)?;
        store.put("dumps/x.u16", b"abcd")?;
        store.put_text("t.tsv", "Text", "a\tb\n1\t2\n")?;
        assert_eq!(devices(&out)?, std::slice::from_ref(&root));
        let results = Results::open(&root)?;
        assert_eq!(results.read("dumps/x.u16")?, Some(b"abcd".to_vec()));
        assert_eq!((results.read("dumps/y.u16")?, results.lines("u.tsv")?), (None, None));
        assert_eq!(results.lines("t.tsv")?, Some(vec!["a\tb".to_owned(), "1\t2".to_owned()]));
        fs::write(root.join("dumps/x.u16"), "abcde")?;
        let says = results.read("dumps/x.u16").unwrap_err().to_string();
        assert!(says.ends_with("x.u16: 5 bytes found, 4 expected by MANIFEST.tsv"), "{says}");
        fs::write(root.join("dumps/y.u16"), "")?;
        assert!(results.read("dumps/y.u16").unwrap_err().to_string().ends_with("MANIFEST.tsv does not list it"));
        Ok(fs::remove_dir_all(&out)?)
    }

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ptxf-gpu-store-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    fn parts(fake: bool) -> (Info, Ptx) {
        let name = if fake { "FAKE x" } else { "Some GPU" }.to_owned();
        let info = Info { name, capability: (9, 0), driver: "1.2".to_owned(), bandwidth: 0, fake };
        (info, Ptx::parse("sm_90.ptx".to_owned(), fake::ptx(90, false)).unwrap())
    }

    #[test]
    fn a_file_counts_only_as_long_as_it_is_whole_and_of_this_device() -> Result<()> {
        let out = scratch("whole");
        let (info, ptx) = parts(false);
        let mut store = Store::open(&out, &info, &ptx)?;
        assert!(!store.has("dumps/x.u16", None));
        store.put("dumps/x.u16", b"abcd")?;
        let again = || Store::open(&out, &info, &ptx);
        assert!(again()?.has("dumps/x.u16", Some(4)));
        assert!(!again()?.has("dumps/x.u16", Some(5)));
        let newer = Info { driver: "1.3".to_owned(), ..info.clone() };
        assert!(!Store::open(&out, &newer, &ptx)?.has("dumps/x.u16", None));
        let other = Info { name: "Other".to_owned(), ..info.clone() };
        assert!(Store::open(&out, &other, &ptx).is_err());
        assert_eq!(verify(&out.join("sm_90"))?.bytes, 4);
        fs::write(out.join("sm_90/stray"), "")?;
        assert!(verify(&out.join("sm_90")).unwrap_err().to_string().contains("stray"));
        fs::remove_file(out.join("sm_90/stray"))?;
        let data = scratch("data");
        assert!(verify(&adopt(&out.join("sm_90"), &data)?).is_ok());
        fs::write(out.join("sm_90/dumps/x.u16"), "abce")?;
        assert!(!again()?.has("dumps/x.u16", None));
        let says = verify(&out.join("sm_90")).unwrap_err().to_string();
        let (found, expected) = (sha256(b"abce"), sha256(b"abcd"));
        assert!(says.ends_with(&format!("x.u16: sha256 {found} found, {expected} expected by {MANIFEST}")), "{says}");
        assert!(adopt(&out.join("sm_90"), &data).is_err());
        fs::remove_dir_all(&data)?;
        Ok(fs::remove_dir_all(&out)?)
    }

    #[test]
    fn fakes_are_labelled_and_kept_out_of_the_data() -> Result<()> {
        let out = scratch("fake");
        let (info, ptx) = parts(true);
        assert!(Store::open(Path::new(DATA), &info, &ptx).unwrap_err().to_string().contains("FAKE"));
        let mut store = Store::open(&out, &info, &ptx)?;
        store.put_text("questions.tsv", "Questions", "a\tb\n")?;
        store.put("dumps/x.u16", b"abcd")?;
        let root = out.join("FAKE-sm_90");
        for file in ["FAKE-questions.tsv", "MANIFEST.tsv"] {
            assert!(fs::read_to_string(root.join(file))?.starts_with("# FAKE"), "{file}");
        }
        assert!(root.join("dumps/FAKE-x.u16").exists());
        assert!(verify(&root)?.fake);
        assert!(adopt(&root, &out.join("data")).unwrap_err().to_string().contains("FAKE"));
        assert!(!out.join("data").exists());
        // Nor does it help to rename the folder.
        fs::rename(&root, out.join("sm_90"))?;
        assert!(adopt(&out.join("sm_90"), &out.join("data")).is_err());
        Ok(fs::remove_dir_all(&out)?)
    }

    #[test]
    fn dates_are_dates() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(1_795_167_660), "2026-11-20T09:41:00Z");
    }
}
