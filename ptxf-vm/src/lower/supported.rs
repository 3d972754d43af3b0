//! The instructions of PTX, executed or refused: for messages, and for the table in docs/vm.md.

/// Executed instructions with their modifiers, without the forms of the table.
const SUPPORTED: &[(&str, &str)] = &[
    ("abs", ".s16 .s32 .s64"),
    ("activemask", ".b32"),
    ("add", ".u16 .u32 .u64 .s16 .s32 .s64, .sat.s32, .cc on 32 and 64 bits, .u16x2 .s16x2"),
    ("addc", "{.cc} on 32 and 64 bits"),
    ("alloca", ".u64"),
    ("and", ".pred .b16 .b32 .b64"),
    ("applypriority", "a hint"),
    (
        "atom",
        "{.global .shared}.{add min max and or xor exch cas inc dec} on 32 and 64 bits, .add on floats, .cas.b16, {.exch .cas}.b128, \
         .v2 .v4 .v8 of floats",
    ),
    ("bar", ".sync .arrive .red.{popc and or}, bar.warp.sync"),
    ("barrier", "{.cta}.{sync arrive red}{.aligned}, .cluster.{arrive wait}{.aligned}"),
    ("bfe", ".u32 .u64 .s32 .s64"),
    ("bfi", ".b32 .b64"),
    ("bfind", "{.shiftamt}.u32 .u64 .s32 .s64"),
    ("bmsk", ".clamp.b32 .wrap.b32"),
    ("bra", "{.uni}"),
    ("brev", ".b32 .b64"),
    ("brkpt", ""),
    ("brx", ".idx{.uni}"),
    ("call", "{.uni}"),
    ("clz", ".b32 .b64"),
    ("cnot", ".b16 .b32 .b64"),
    (
        "cp",
        ".async.{ca cg}.shared.global of 4, 8 and 16 bytes, .async.commit_group .async.wait_group .async.wait_all, \
     .async.mbarrier.arrive{.noinc}, .async.bulk{.tensor.{1d 2d 3d 4d 5d}} between .shared and .global, \
         .async.bulk between blocks of a cluster",
    ),
    ("createpolicy", "a hint"),
    ("cvt", "{.sat} between integers, .pack.sat.{u2 s2 u4 s4 u8 s8 u16 s16}.s32{.b32}, and the forms of the table"),
    ("cvta", "{.to}.{global const shared local param}.u64"),
    ("discard", "a hint"),
    ("div", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("dp2a", ".{lo hi}.{u32 s32}.{u32 s32}"),
    ("dp4a", ".{u32 s32}.{u32 s32}"),
    ("elect", ".sync"),
    ("exit", ""),
    ("fence", ""),
    ("fns", ".b32"),
    ("getctarank", "{.shared::cluster}.u32 .u64"),
    ("griddepcontrol", "a hint"),
    ("isspacep", ".{global const shared local param}"),
    ("istypep", ".{texref samplerref surfref}"),
    ("ld", "{.global .const .shared .local .param}{.v2 .v4 .v8} on 8 to 128 bits, with any cache operator or order"),
    ("ldmatrix", ".sync.aligned.m8n8.{x1 x2 x4}{.trans}{.shared}.b16, .m16n16.{x1 x2}.trans, .m8n16.{x1 x2 x4}"),
    ("ldu", "as ld"),
    ("lop3", "{.or .and}.b32"),
    ("mad", ".{lo hi} on 16 to 64 bits, .wide on 16 and 32, .hi.sat.s32, .{lo hi}.cc on 32 and 64"),
    ("mad24", ".{lo hi}.u32 .s32, .hi.sat.s32"),
    ("madc", ".{lo hi}{.cc} on 32 and 64 bits"),
    ("mapa", "{.shared::cluster}.u32 .u64"),
    ("match", ".{any all}.sync.b32 .b64"),
    ("max", ".u16 .u32 .u64 .s16 .s32 .s64, .u16x2 .s16x2, .relu.s32 .relu.s16x2"),
    (
        "mbarrier",
        ".{init inval arrive arrive_drop arrive.expect_tx expect_tx complete_tx test_wait{.parity} try_wait{.parity} pending_count} of \
         shared memory",
    ),
    ("membar", ""),
    ("min", ".u16 .u32 .u64 .s16 .s32 .s64, .u16x2 .s16x2, .relu.s32 .relu.s16x2"),
    ("mma", "{.sp}, all forms that `ptxf explain mma.…` knows"),
    ("mov", ".pred, .b16 to .b128, .u16 to .s64, .f32 .f64, vectors of two and four"),
    ("movmatrix", ".sync.aligned.m8n8.trans.b16"),
    ("mul", ".{lo hi} on 16 to 64 bits, .wide on 16 and 32"),
    ("mul24", ".{lo hi}.u32 .s32"),
    ("nanosleep", "a hint"),
    ("neg", ".s16 .s32 .s64"),
    ("not", ".pred .b16 .b32 .b64"),
    ("or", ".pred .b16 .b32 .b64"),
    ("pmevent", "a hint"),
    ("popc", ".b32 .b64"),
    ("prefetch", "a hint"),
    ("prefetchu", "a hint"),
    ("prmt", ".b32{.f4e .b4e .rc8 .ecl .ecr .rc16}"),
    ("red", "as atom, but for .exch and .cas; .async of shared memory of a cluster"),
    ("redux", ".sync.{add min max}.{u32 s32} .{and or xor}.b32, .{min max}{.abs}{.NaN}.f32"),
    ("rem", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("ret", "{.uni}"),
    ("sad", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("selp", "on 16 to 64 bits, .pred"),
    ("set", ".CmpOp{.BoolOp}.{u32 s32} of integers, and the forms of the table"),
    ("setmaxnreg", "a hint"),
    ("setp", ".CmpOp{.BoolOp} of integers, and the forms of the table"),
    ("shf", ".{l r}.{wrap clamp}.b32"),
    ("shfl", ".sync.{up down bfly idx}.b32, before sm_70 without .sync"),
    ("shl", ".b16 .b32 .b64"),
    ("shr", "on 16 to 64 bits"),
    ("slct", "on 16 to 64 bits, by .s32, and the forms of the table"),
    (
        "st",
        "{.global .shared .local .param}{.v2 .v4 .v8} on 8 to 128 bits, with any cache operator or order; .async and .bulk of shared \
         memory",
    ),
    ("stackrestore", ".u64"),
    ("stacksave", ".u64"),
    ("stmatrix", ".sync.aligned.m8n8.{x1 x2 x4}{.trans}{.shared}.b16, .m16n8.{x1 x2 x4}.trans{.shared}.b8"),
    ("sub", ".u16 .u32 .u64 .s16 .s32 .s64, .sat.s32, .cc on 32 and 64 bits"),
    ("subc", "{.cc} on 32 and 64 bits"),
    ("suld", ".b.{1d 2d 3d a1d a2d}{.v2 .v4} on 8 to 64 bits, .{trap clamp zero}"),
    ("suq", ".{width height depth array_size channel_data_type channel_order memory_layout}.b32"),
    ("sured", ".b.{add min max and or}.{1d 2d 3d} on 32 and 64 bits, .p on texels, .{trap clamp zero}"),
    ("sust", ".b as suld, .p{.v2 .v4}.b32"),
    ("szext", ".{clamp wrap}.{u32 s32}"),
    (
        "tex",
        "{.base .level .grad}.{1d 2d 3d a1d a2d}.v4.{u32 s32 f32 f16}.{s32 f32}, .v2.f16x2, with offsets, of one level",
    ),
    ("tld4", ".{r g b a}.{2d a2d}.v4.{u32 s32 f32}.f32, with offsets"),
    ("trap", ""),
    (
        "txq",
        "{.level}.{width height depth}.b32, .{channel_data_type channel_order array_size num_mipmap_levels num_samples normalized_coords force_unnormalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2}.b32",
    ),
    ("vabsdiff", "as vadd"),
    ("vabsdiff2", "as vadd2"),
    ("vabsdiff4", "as vadd2"),
    ("vadd", ".{u32 s32}.{u32 s32}.{u32 s32}{.sat}{.add .min .max}, with parts of words"),
    ("vadd2", ".{u32 s32}.{u32 s32}.{u32 s32}{.sat .add}, with parts of words"),
    ("vadd4", "as vadd2"),
    ("vavrg2", "as vadd2"),
    ("vavrg4", "as vadd2"),
    ("vmax", "as vadd"),
    ("vmax2", "as vadd2"),
    ("vmax4", "as vadd2"),
    ("vmin", "as vadd"),
    ("vmin2", "as vadd2"),
    ("vmin4", "as vadd2"),
    ("vote", ".sync.{all any uni}.pred .sync.ballot.b32, before sm_70 without .sync"),
    ("vset", ".{u32 s32}.{u32 s32}.CmpOp{.add .min .max}"),
    ("vset2", ".{u32 s32}.{u32 s32}.CmpOp{.add}"),
    ("vset4", "as vset2"),
    ("vshl", ".u32.{u32 s32}.u32{.sat}.{clamp wrap}{.add .min .max}"),
    ("vshr", "as vshl"),
    ("vsub", "as vadd"),
    ("vsub2", "as vadd2"),
    ("vsub4", "as vadd2"),
    ("wgmma", ".mma_async, .fence .commit_group .wait_group"),
    ("wmma", ".load.{a b c} .store.d .mma, without .satfinite of f16"),
    ("xor", ".pred .b16 .b32 .b64"),
];

/// Refused instructions, with what would help.
const REFUSED: &[(&str, &str)] = &[
    ("clusterlaunchcontrol", "blocks that have not started cannot be cancelled: compile for sm_90"),
    ("multimem", "a machine is one device, which has no multicast memory: use the instructions on single devices"),
    ("tcgen05", "tensor memory is not there: compile for sm_90a, or use `mma`"),
    ("tensormap", "a map cannot be changed in a kernel: encode another one before the launch"),
    ("vmad", "write `mad`, and `shr` of the result"),
];

/// Returns the table of all instructions in Markdown.
#[cfg(test)]
fn table() -> String {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    let mut rows: BTreeMap<&str, (&str, String)> =
        SUPPORTED.iter().map(|(name, forms)| (*name, ("executed", (*forms).to_owned()))).collect();
    rows.extend(REFUSED.iter().map(|(name, why)| (*name, ("refused", (*why).to_owned()))));
    for form in ptxf::spec::FORMS {
        rows.entry(form.instruction).or_insert(("executed", "the forms of the table".to_owned()));
    }
    let mut table = "| instruction | | modifiers, or the reason |\n|---|---|---|\n".to_owned();
    for (name, (is, what)) in rows {
        writeln!(table, "| `{name}` | {is} | {} |", what.split_whitespace().collect::<Vec<_>>().join(" "))
            .expect("a string takes everything");
    }
    table
}

/// Returns the message about an unsupported spelling.
pub(crate) fn not(spelled: &str) -> String {
    let instruction = spelled.split('.').next().unwrap_or(spelled).trim();
    let in_table = ptxf::spec::FORMS.iter().any(|form| form.instruction == instruction);
    let floats = if in_table { "; `ptxf forms` lists floating point" } else { "" };
    if let Some((name, why)) = REFUSED.iter().find(|(name, _)| *name == instruction) {
        return format!("`{name}` is not supported: {why}");
    }
    match SUPPORTED.iter().find(|(name, _)| *name == instruction) {
        Some((name, forms)) => format!("`{spelled}` is not supported; supported for `{name}`: {forms}{floats}"),
        None if in_table => {
            format!("`{spelled}` is not a spelling of `{instruction}`; `ptxf forms '{instruction}.*'` lists them")
        }
        None => {
            let names: Vec<&str> = SUPPORTED.iter().map(|(name, _)| *name).collect();
            format!(
                "`{instruction}` is not supported; supported are the instructions of the table, and {}",
                names.join(" ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::table;

    /// `PTXF_BLESS=1` writes the table.
    #[test]
    fn the_guide_has_the_table_of_instructions() {
        let (begin, end) = ("<!-- instructions -->\n", "<!-- end of instructions -->\n");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/vm.md");
        let guide = std::fs::read_to_string(file).expect("docs/vm.md is there");
        let (before, rest) = guide.split_once(begin).expect("the guide has the table's beginning");
        let (found, after) = rest.split_once(end).expect("the guide has the table's end");
        let wanted = format!("\n{}\n", table());
        if std::env::var_os("PTXF_BLESS").is_some() {
            std::fs::write(file, format!("{before}{begin}{wanted}{end}{after}")).expect("docs/vm.md can be written");
            return;
        }
        assert_eq!(found, wanted, "run with PTXF_BLESS=1");
    }
}
