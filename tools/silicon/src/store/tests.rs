//! Folders of results: lists, links, and results that no GPU computed.

use super::*;

/// Returns the folder of an invented device.
fn invented(out: &Path) -> Result<Store> {
    let (info, ptx) = parts(false);
    Store::open(out, &info, &ptx)
}

#[test]
fn results_are_read_as_listed_or_not_at_all() -> Result<()> {
    let out = scratch("listed");
    let (info, ptx) = parts(false);
    let root = out.join("sm_90");
    assert!(Results::open(&root).unwrap_err().to_string().contains("did not write this folder"));
    assert!(devices(&out)?.is_empty());
    let mut store = Store::open(&out, &info, &ptx)?;
    store.put("dumps/x.u16", b"abcd")?;
    store.put_text("t.tsv", "Text", "a\tb\n1\t2\n")?;
    assert_eq!(devices(&out)?, std::slice::from_ref(&root));
    let results = Results::open(&root)?;
    assert_eq!(results.read("dumps/x.u16")?, Some(b"abcd".to_vec()));
    assert_eq!(results.read("dumps/y.u16")?, None);
    assert!(String::from_utf8(results.read("t.tsv")?.unwrap())?.ends_with("# program\tptxf 0.1.0\na\tb\n1\t2\n"));
    fs::write(root.join("dumps/x.u16"), "abcde")?;
    let says = results.read("dumps/x.u16").unwrap_err().to_string();
    assert!(says.ends_with("x.u16: 5 bytes found, 4 expected by MANIFEST.jsonl"), "{says}");
    fs::write(root.join("dumps/y.u16"), "")?;
    assert!(results.read("dumps/y.u16").unwrap_err().to_string().ends_with("MANIFEST.jsonl does not list it"));
    Ok(fs::remove_dir_all(&out)?)
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ptxf-gpu-store-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn parts(fake: bool) -> (Info, Ptx) {
    let name = if fake { "FAKE x" } else { "Some GPU" }.to_owned();
    let info = Info { name, capability: (9, 0), driver: "1.2".to_owned(), fake };
    let text = ".version 7.8\n.target sm_90\n.visible .entry neg_f32(\n)\n{\n\tret;\n}\n";
    (info, Ptx::parse("sm_90.ptx".to_owned(), text).unwrap())
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
    assert!(fs::read_to_string(root.join("FAKE-questions.tsv"))?.starts_with("# FAKE"));
    assert!(fs::read_to_string(root.join(MANIFEST))?.lines().all(|line| line.contains("FAKE-")));
    assert!(root.join("dumps/FAKE-x.u16").exists());
    assert!(verify(&root)?.fake);
    assert!(adopt(&root, &out.join("data")).unwrap_err().to_string().contains("FAKE"));
    assert!(!out.join("data").exists());
    // Renaming the folder changes nothing.
    fs::rename(&root, out.join("sm_90"))?;
    assert!(adopt(&out.join("sm_90"), &out.join("data")).is_err());
    Ok(fs::remove_dir_all(&out)?)
}

#[test]
fn what_a_cpu_computed_under_the_name_of_a_device_is_no_data() -> Result<()> {
    let out = scratch("vm");
    let (info, ptx) = parts(false);
    // An older program that wrote the folder took this name for a GPU's.
    let info = Info { name: "ptxf-vm (this CPU computed it)".to_owned(), ..info };
    Store::open(&out, &info, &ptx)?.put("dumps/x.u16", b"abcd")?;
    let root = out.join("sm_90");
    assert!(verify(&root)?.fake);
    assert!(adopt(&root, &out.join("data")).unwrap_err().to_string().contains("FAKE"));
    assert!(!out.join("data").exists());
    // With a GPU's name the same folder is data.
    let list = root.join(MANIFEST);
    fs::write(&list, fs::read_to_string(&list)?.replace(&info.name, "Some GPU"))?;
    assert!(adopt(&root, &out.join("data")).is_ok());
    Ok(fs::remove_dir_all(&out)?)
}

/// Adopts a folder after its list was changed. Returns the error and the folder.
fn adopted(name: &str, change: impl FnOnce(&Path, String) -> String) -> Result<(String, PathBuf)> {
    let out = scratch(name);
    let mut store = invented(&out)?;
    store.put("dumps/x.u16", b"abcd")?;
    let root = out.join("sm_90");
    let list = root.join(MANIFEST);
    fs::write(&list, change(&root, fs::read_to_string(&list)?))?;
    let says = adopt(&root, &out.join("data/device")).expect_err(name);
    assert!(!out.join("data").exists(), "{name}: nothing is written");
    Ok((format!("{says:#}"), out))
}

#[test]
fn a_list_leads_nowhere_else() -> Result<()> {
    let line = |list: &str| list.lines().last().unwrap_or_default().to_owned();
    for name in ["../evil", "../../data/evil", "dumps/../../evil", "/evil"] {
        let (says, out) = adopted("outside", |root, list| {
            fs::write(root.join("../evil"), "abcd").unwrap();
            format!("{list}{}\n", line(&list).replace("dumps/x.u16", name))
        })?;
        assert!(says.contains(&format!("`{name}` does not name a file in this folder")), "{says}");
        fs::remove_dir_all(&out)?;
    }
    let (says, out) = adopted("target", |_, list| list.replace("\"sm_90\"", "\"../../evil\""))?;
    assert!(says.ends_with("`../../evil` is not a target such as sm_90"), "{says}");
    fs::remove_dir_all(&out)?;
    for twice in ["dumps/x.u16", "dumps/X.U16"] {
        let (says, out) = adopted("twice", |_, list| format!("{list}{}\n", line(&list).replace("dumps/x.u16", twice)))?;
        assert!(says.ends_with(&format!("{twice} is listed twice")), "{says}");
        fs::remove_dir_all(&out)?;
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() -> Result<()> {
    use std::os::unix::fs::symlink;
    // A listed file, its folder, and a file that is not listed.
    for link in ["dumps/x.u16", "dumps", "other"] {
        let (says, out) = adopted("links", |root, list| {
            let (away, here) = (root.join("../away"), root.join(link));
            if here.exists() {
                fs::rename(&here, &away).unwrap();
            } else {
                fs::create_dir(&away).unwrap();
            }
            symlink(&away, &here).unwrap();
            list
        })?;
        assert!(says.contains(" is a link, which may lead anywhere"), "{link}: {says}");
        fs::remove_dir_all(&out)?;
    }
    // Links in the folder of data are not followed either.
    let out = scratch("link-to");
    invented(&out)?.put("dumps/x.u16", b"abcd")?;
    let (data, away) = (out.join("data"), out.join("away"));
    fs::create_dir_all(data.join("sm_90"))?;
    fs::create_dir(&away)?;
    symlink(&away, data.join("sm_90/dumps"))?;
    assert!(adopt(&out.join("sm_90"), &data).unwrap_err().to_string().contains(" is a link"));
    assert!(fs::read_dir(&away)?.next().is_none());
    // A link at the place of a half-written file is replaced.
    fs::remove_file(data.join("sm_90/dumps"))?;
    fs::create_dir(data.join("sm_90/dumps"))?;
    symlink(away.join("x"), data.join("sm_90/dumps/x.u16.new"))?;
    adopt(&out.join("sm_90"), &data)?;
    assert!(fs::read_dir(&away)?.next().is_none());
    Ok(fs::remove_dir_all(&out)?)
}
