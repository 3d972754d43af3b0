//! The lookup of functions by name, for programs that use the driver instead of the system's
//! loader.

use std::ffi::{c_int, c_uint, c_void};

use crate::abi::{Address, Host, Out, Text};
use crate::failure::{Code, Done, Failure};

/// The statuses of `cuGetProcAddress_v2`.
const FOUND: c_uint = 0;
const SYMBOL_NOT_FOUND: c_uint = 1;

/// Functions whose arguments changed: the name, the first version of CUDA with the new arguments,
/// and the new name.
const SINCE: [(&str, c_int, &str); 12] = [
    ("cuCtxCreate", 12_050, "cuCtxCreate_v4"),
    ("cuCtxCreate", 11_040, "cuCtxCreate_v3"),
    ("cuGetProcAddress", 12_000, "cuGetProcAddress_v2"),
    ("cuGraphAddDependencies", 13_000, "cuGraphAddDependencies_v2"),
    ("cuGraphAddKernelNode", 12_000, "cuGraphAddKernelNode_v2"),
    ("cuGraphExecKernelNodeSetParams", 12_000, "cuGraphExecKernelNodeSetParams_v2"),
    ("cuGraphExecUpdate", 12_000, "cuGraphExecUpdate_v2"),
    ("cuGraphInstantiate", 12_000, "cuGraphInstantiateWithFlags"),
    ("cuMemAdvise", 13_000, "cuMemAdvise_v2"),
    ("cuMemPrefetchAsync", 13_000, "cuMemPrefetchAsync_v2"),
    ("cuStreamGetCaptureInfo", 12_030, "cuStreamGetCaptureInfo_v3"),
    ("cuStreamUpdateCaptureDependencies", 12_030, "cuStreamUpdateCaptureDependencies_v2"),
];

/// Lists of functions by their names.
type Symbols<'a> = [&'a [(&'a str, Address)]];

/// Returns the function that a version of CUDA has under a name.
pub(crate) fn find(symbols: &Symbols<'_>, name: &str, version: c_int) -> Option<Address> {
    let exact =
        |name: &str| symbols.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, address)| *address);
    if let Some((.., named)) = SINCE.iter().find(|(of, since, _)| *of == name && version >= *since) {
        return exact(named);
    }
    // The highest suffix wins, without those of later versions. A function that is not implemented
    // comes last: its suffix can be that of a later version, with other arguments.
    let later = |named: &str| SINCE.iter().any(|(.., later)| *later == named);
    let mut names = [4, 3, 2].map(|n| format!("{name}_v{n}")).to_vec();
    names.retain(|named| !later(named));
    names.push(name.to_owned());
    let in_list = |list: &[(&str, Address)]| {
        let of = |named: &String| list.iter().find(|(known, _)| known == named).map(|(_, address)| *address);
        names.iter().find_map(of)
    };
    symbols.iter().find_map(|list| in_list(list))
}

pub(crate) fn get(symbols: &Symbols<'_>, symbol: Text, function: Out<*const c_void>, version: c_int) -> Done {
    put(function, find(symbols, &symbol.get()?, version))
}

pub(crate) fn get_v2(
    symbols: &Symbols<'_>,
    symbol: Text,
    function: Out<*const c_void>,
    version: c_int,
    status: Out<c_uint>,
) -> Done {
    let found = find(symbols, &symbol.get()?, version);
    status.put_if(if found.is_some() { FOUND } else { SYMBOL_NOT_FOUND });
    put(function, found)
}

fn put(function: Out<*const c_void>, found: Option<Address>) -> Done {
    function.put(found.map_or(std::ptr::null(), |address| address.0))?;
    found.map(drop).ok_or_else(|| Failure::from(Code::NotFound))
}

/// The table that NVIDIA's runtime library loads first.
const RUNTIME: [u8; 16] = 0x6bd5_fb6c_5bf4_e74a_8987_d939_12fd_9df9_u128.to_be_bytes();

/// Fails: CUDA does not document these tables, and there are none.
pub(crate) fn export_table(table: Out<*const c_void>, id: Host) -> Done {
    table.put_if(std::ptr::null());
    if !id.is_null() && id.read(0, 16)? == RUNTIME {
        let what = "the program contains NVIDIA's runtime library (libcudart), which checks that the driver is \
                    NVIDIA's; link it with `nvcc -cudart shared`, so that it loads the runtime library of ptxf";
        return Err(Code::NotFound.because(what));
    }
    Err(Code::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exports::{ALL, SYMBOLS};
    use crate::missing;

    #[test]
    fn a_name_has_the_function_of_the_version() {
        let at = |name| ALL.iter().find(|(known, _)| *known == name).map(|(_, address)| address.0);
        let symbols = [ALL, missing::ALL];
        let found = |name, version| find(&symbols, name, version).map(|address| address.0);
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
    fn every_name_is_listed_once() {
        let mut names: Vec<&str> = SYMBOLS.into_iter().flatten().map(|(name, _)| *name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count > 500, "{count}");
    }
}
