//! Supported instructions, for messages about unsupported ones.

/// Supported instructions with their modifiers, without the forms of the table.
const SUPPORTED: &[(&str, &str)] = &[
    ("abs", ".s16 .s32 .s64"),
    ("activemask", ".b32"),
    ("add", ".u16 .u32 .u64 .s16 .s32 .s64, .sat.s32, .cc on 32 and 64 bits, .u16x2 .s16x2"),
    ("addc", "{.cc} on 32 and 64 bits"),
    ("and", ".pred .b16 .b32 .b64"),
    ("atom", "{.global .shared}.{add min max and or xor exch cas inc dec} on 32 and 64 bits, .add on floats, .cas.b16"),
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
     .async.bulk{.tensor.{1d 2d 3d 4d 5d}} between .shared and .global",
    ),
    ("cvt", "{.sat} between integers, .pack.sat.{u2 s2 u4 s4 u8 s8 u16 s16}.s32{.b32}, and the forms of the table"),
    ("cvta", "{.to}.{global const shared local param}.u64"),
    ("div", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("dp2a", ".{lo hi}.{u32 s32}.{u32 s32}"),
    ("dp4a", ".{u32 s32}.{u32 s32}"),
    ("elect", ".sync"),
    ("exit", ""),
    ("fence", ""),
    ("fns", ".b32"),
    ("isspacep", ".{global const shared local param}"),
    ("ld", "{.global .const .shared .local .param}{.v2 .v4 .v8} on 8 to 64 bits, with any cache operator or order"),
    ("ldmatrix", ".sync.aligned.m8n8.{x1 x2 x4}{.trans}{.shared}.b16, .m16n16.{x1 x2}.trans, .m8n16.{x1 x2 x4}"),
    ("ldu", "as ld"),
    ("lop3", "{.or .and}.b32"),
    ("mad", ".{lo hi} on 16 to 64 bits, .wide on 16 and 32, .hi.sat.s32, .{lo hi}.cc on 32 and 64"),
    ("mad24", ".{lo hi}.u32 .s32, .hi.sat.s32"),
    ("madc", ".{lo hi}{.cc} on 32 and 64 bits"),
    ("mapa", "{.shared::cluster}.u32 .u64, of a cluster of one block"),
    ("match", ".{any all}.sync.b32 .b64"),
    ("max", ".u16 .u32 .u64 .s16 .s32 .s64, .u16x2 .s16x2, .relu.s32 .relu.s16x2"),
    (
        "mbarrier",
        ".{init inval arrive arrive_drop arrive.expect_tx expect_tx complete_tx test_wait{.parity} try_wait{.parity} pending_count} of \
         shared memory of the block",
    ),
    ("membar", ""),
    ("min", ".u16 .u32 .u64 .s16 .s32 .s64, .u16x2 .s16x2, .relu.s32 .relu.s16x2"),
    ("mma", "{.sp}, all forms that `ptxf explain mma.…` knows"),
    ("mov", ".pred, .b16 to .b64, .u16 to .s64, .f32 .f64, vectors of two and four"),
    ("movmatrix", ".sync.aligned.m8n8.trans.b16"),
    ("mul", ".{lo hi} on 16 to 64 bits, .wide on 16 and 32"),
    ("mul24", ".{lo hi}.u32 .s32"),
    ("nanosleep", ".u32"),
    ("neg", ".s16 .s32 .s64"),
    ("not", ".pred .b16 .b32 .b64"),
    ("or", ".pred .b16 .b32 .b64"),
    ("popc", ".b32 .b64"),
    ("prefetch", ""),
    ("prmt", ".b32{.f4e .b4e .rc8 .ecl .ecr .rc16}"),
    ("red", "as atom, but for .exch and .cas"),
    ("redux", ".sync.{add min max}.{u32 s32} .{and or xor}.b32"),
    ("rem", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("ret", "{.uni}"),
    ("sad", ".u16 .u32 .u64 .s16 .s32 .s64"),
    ("selp", "on 16 to 64 bits, .pred"),
    ("set", ".CmpOp{.BoolOp}.{u32 s32} of integers, and the forms of the table"),
    ("setp", ".CmpOp{.BoolOp} of integers, and the forms of the table"),
    ("shf", ".{l r}.{wrap clamp}.b32"),
    ("shfl", ".sync.{up down bfly idx}.b32, before sm_70 without .sync"),
    ("shl", ".b16 .b32 .b64"),
    ("shr", "on 16 to 64 bits"),
    ("slct", "on 16 to 64 bits, by .s32, and the forms of the table"),
    ("st", "{.global .shared .local .param}{.v2 .v4 .v8} on 8 to 64 bits, with any cache operator or order"),
    ("stmatrix", ".sync.aligned.m8n8.{x1 x2 x4}{.trans}{.shared}.b16, .m16n8.{x1 x2 x4}.trans{.shared}.b8"),
    ("sub", ".u16 .u32 .u64 .s16 .s32 .s64, .sat.s32, .cc on 32 and 64 bits"),
    ("subc", "{.cc} on 32 and 64 bits"),
    ("szext", ".{clamp wrap}.{u32 s32}"),
    ("trap", ""),
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

/// Returns the message about an unsupported spelling.
pub(crate) fn not(spelled: &str) -> String {
    let instruction = spelled.split('.').next().unwrap_or(spelled).trim();
    let in_table = ptxf::spec::FORMS.iter().any(|form| form.instruction == instruction);
    let floats = if in_table { "; `ptxf forms` lists floating point" } else { "" };
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
