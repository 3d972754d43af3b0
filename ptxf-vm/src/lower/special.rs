//! Special registers (manual 10).

use crate::code::Special;
use crate::exec::Bank;
use crate::run::RESERVED;

/// A special register, whose name begins with `%`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// A constant of the launch, with its width.
    Fixed(Special, Bank),
    /// A counter. `upper` selects its upper half.
    Clock { bank: Bank, upper: bool },
}

/// Returns `true` if PTX has a special register of this name that [`find`] does not have.
pub(crate) fn is_other(name: &str) -> bool {
    name.starts_with("%pm") || matches!(name, "%aggr_smem_size" | "%current_graph_exec")
}

/// Returns the special register of this name. Returns `None` if there is none.
pub(crate) fn find(name: &str, component: Option<&str>) -> Option<Found> {
    let axis = match component {
        Some(".x") => Some(0),
        Some(".y") => Some(1),
        Some(".z") => Some(2),
        Some(_) => return None,
        None => None,
    };
    let fixed = |special| Some(Found::Fixed(special, Bank::B32));
    match (name, axis) {
        ("%tid", Some(axis)) => fixed(Special::Tid(axis)),
        ("%ntid", Some(axis)) => fixed(Special::Ntid(axis)),
        ("%ctaid", Some(axis)) => fixed(Special::Ctaid(axis)),
        ("%nctaid", Some(axis)) => fixed(Special::Nctaid(axis)),
        ("%clusterid", Some(axis)) => fixed(Special::ClusterId(axis)),
        ("%nclusterid", Some(axis)) => fixed(Special::ClusterCount(axis)),
        ("%cluster_ctaid", Some(axis)) => fixed(Special::ClusterCtaid(axis)),
        ("%cluster_nctaid", Some(axis)) => fixed(Special::ClusterNctaid(axis)),
        (_, Some(_)) => None,
        ("%cluster_ctarank", _) => fixed(Special::ClusterRank),
        ("%cluster_nctarank", _) => fixed(Special::ClusterSize),
        ("%laneid", _) => fixed(Special::LaneId),
        ("%warpid", _) => fixed(Special::WarpId),
        ("%nwarpid", _) => fixed(Special::WarpCount),
        ("%lanemask_eq", _) => fixed(Special::MaskEq),
        ("%lanemask_lt", _) => fixed(Special::MaskLt),
        ("%lanemask_le", _) => fixed(Special::MaskLe),
        ("%lanemask_gt", _) => fixed(Special::MaskGt),
        ("%lanemask_ge", _) => fixed(Special::MaskGe),
        ("%dynamic_smem_size", _) => fixed(Special::DynamicShared),
        ("%total_smem_size", _) => fixed(Special::TotalShared),
        // The machine has one multiprocessor and one grid.
        // One region, which CUDA's headers use for tiles of several warps.
        ("%reserved_smem_offset_begin" | "%reserved_smem_offset_0" | "%reserved_smem_offset_1", _) => {
            fixed(Special::Reserved(0))
        }
        ("%reserved_smem_offset_end", _) => fixed(Special::Reserved(RESERVED)),
        ("%reserved_smem_offset_cap", _) => fixed(Special::ReservedSize),
        // CUDA's headers find the workspace of a grid here.
        ("%envreg1", _) => fixed(Special::UpperWorkspace),
        ("%envreg2", _) => fixed(Special::Workspace),
        _ if name.strip_prefix("%envreg").and_then(|n| n.parse().ok()).is_some_and(|n: u8| n < 32) => {
            fixed(Special::Zero)
        }
        ("%smid", _) => fixed(Special::Zero),
        ("%nsmid", _) => fixed(Special::One),
        ("%gridid", _) => Some(Found::Fixed(Special::Zero, Bank::B64)),
        ("%clock" | "%globaltimer_lo", _) => Some(Found::Clock { bank: Bank::B32, upper: false }),
        ("%clock_hi" | "%globaltimer_hi", _) => Some(Found::Clock { bank: Bank::B32, upper: true }),
        ("%clock64" | "%globaltimer", _) => Some(Found::Clock { bank: Bank::B64, upper: false }),
        _ => None,
    }
}
