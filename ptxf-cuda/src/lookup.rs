//! Functions by their names, for programs that ask the driver and not the system's loader.

use std::ffi::{c_int, c_uint, c_void};

use crate::abi::{Host, Out, Text};
use crate::exports::{ALL, Address};
use crate::failure::{Code, Done, Failure};
use crate::missing;

/// What `cuGetProcAddress_v2` says beside its result.
const FOUND: c_uint = 0;
const SYMBOL_NOT_FOUND: c_uint = 1;

/// Functions that take other arguments since a version of CUDA: the name that this version and later ones mean.
const SINCE: [(&str, c_int, &str); 5] = [
    ("cuCtxCreate", 12_050, "cuCtxCreate_v4"),
    ("cuCtxCreate", 11_040, "cuCtxCreate_v3"),
    ("cuGetProcAddress", 12_000, "cuGetProcAddress_v2"),
    ("cuMemAdvise", 13_000, "cuMemAdvise_v2"),
    ("cuMemPrefetchAsync", 13_000, "cuMemPrefetchAsync_v2"),
];

/// The function that a version of CUDA means by a name.
fn find(name: &str, version: c_int) -> Option<Address> {
    let among =
        |all: &[(&str, Address)], name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, address)| *address);
    if let Some((.., named)) = SINCE.iter().find(|(of, since, _)| *of == name && version >= *since) {
        return among(ALL, named);
    }
    // The latest that has a name of its own, but for those that came later.
    let later = |named: &str| SINCE.iter().any(|(.., later)| *later == named);
    let mut names = [4, 3, 2].map(|n| format!("{name}_v{n}")).to_vec();
    names.retain(|named| !later(named));
    names.push(name.to_owned());
    [ALL, missing::ALL].into_iter().find_map(|all| names.iter().find_map(|named| among(all, named)))
}

pub(crate) fn get(symbol: Text, function: Out<*const c_void>, version: c_int, _flags: u64) -> Done {
    put(function, find(&symbol.get()?, version))
}

/// The flags choose streams, of which it makes no difference which one is meant.
pub(crate) fn get_v2(
    symbol: Text,
    function: Out<*const c_void>,
    version: c_int,
    _flags: u64,
    status: Out<c_uint>,
) -> Done {
    let found = find(&symbol.get()?, version);
    status.put_if(if found.is_some() { FOUND } else { SYMBOL_NOT_FOUND });
    put(function, found)
}

fn put(function: Out<*const c_void>, found: Option<Address>) -> Done {
    function.put(found.map_or(std::ptr::null(), |address| address.0))?;
    found.map(drop).ok_or_else(|| Failure::from(Code::NotFound))
}

/// Tables that CUDA does not document, and of which there are none.
pub(crate) fn export_table(table: Out<*const c_void>, _id: Host) -> Done {
    table.put_if(std::ptr::null());
    Err(Code::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_what_the_version_does() {
        let at = |name| ALL.iter().find(|(known, _)| *known == name).map(|(_, address)| address.0);
        let found = |name, version| find(name, version).map(|address| address.0);
        assert_eq!(found("cuMemAlloc", 12_000), at("cuMemAlloc_v2"));
        assert_eq!(found("cuLaunchKernel", 4_000), at("cuLaunchKernel"));
        assert_eq!(found("cuLaunchKernel_ptsz", 7_000), at("cuLaunchKernel_ptsz"));
        assert_eq!(found("cuCtxCreate", 11_000), at("cuCtxCreate_v2"));
        assert_eq!(found("cuCtxCreate", 12_000), at("cuCtxCreate_v3"));
        assert_eq!(found("cuCtxCreate", 13_000), at("cuCtxCreate_v4"));
        assert_eq!(found("cuGetProcAddress", 11_030), at("cuGetProcAddress"));
        assert_eq!(found("cuGetProcAddress", 12_080), at("cuGetProcAddress_v2"));
        assert!(found("cuGraphCreate", 12_080).is_some() && found("cuNothing", 12_080).is_none());
    }

    #[test]
    fn every_name_is_there_once() {
        let mut names: Vec<&str> = ALL.iter().chain(missing::ALL).map(|(name, _)| *name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count > 500, "{count}");
    }
}
