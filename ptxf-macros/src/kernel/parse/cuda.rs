//! Messages for habits of CUDA C++ and of plain Rust, with what to write instead.

use quote::ToTokens;
use syn::ext::IdentExt;

use super::super::scalar_type::Int;

/// Names of intrinsics, and what to write instead.
const INTRINSICS: &[(&str, &str)] = &[
    ("__syncthreads", "`sync_threads();`"),
    ("__ldg", "`x[i]`: an input is only read"),
    ("__fmaf_rn", "`a.mul_add(b, c)`"),
    ("__hfma", "`a.mul_add(b, c)`"),
    ("__hfma2", "`a.mul_add(b, c)` for one thread: `pair` makes two of it"),
    ("__hadd", "`a + b`"),
    ("__hadd2", "`a + b` for one thread: `pair` makes two of it"),
    ("__hsub", "`a - b`"),
    ("__hsub2", "`a - b` for one thread: `pair` makes two of it"),
    ("__hmul", "`a * b`"),
    ("__hmul2", "`a * b` for one thread: `pair` makes two of it"),
    ("__hmax", "`a.max(b)`"),
    ("__hmax2", "`a.max(b)` for one thread: `pair` makes two of it"),
    ("__hmin", "`a.min(b)`"),
    ("__hmin2", "`a.min(b)` for one thread: `pair` makes two of it"),
    ("__habs", "`x.abs()`"),
    ("__fdividef", "`a / b`"),
    ("__fdiv_rn", "`a / b`"),
    ("__fsqrt_rn", "`x.sqrt()`"),
    ("__frcp_rn", "`x.recip()`"),
    ("__frsqrt_rn", "`x.rsqrt()`"),
    ("__expf", "`x.exp()`"),
    ("__exp2f", "`x.exp2()`"),
    ("__logf", "`x.ln()`"),
    ("__log2f", "`x.log2()`"),
    ("__sinf", "`x.sin()`"),
    ("__cosf", "`x.cos()`"),
    ("__tanhf", "`x.tanh()`"),
    ("__powf", "`(y * x.log2()).exp2()`"),
    ("__saturatef", "`x.clamp(0.0, 1.0)`"),
    ("__float2half", "`cvt_rn(x)`"),
    ("__float2half_rn", "`cvt_rn(x)`"),
    ("__half2float", "`x`, and `keep(…)` what it goes into: an element is widened where it meets f32"),
    ("__float2int_rz", "`x as i32`"),
    ("__int2float_rn", "`i as f32`"),
    ("__popc", "`i.count_ones()`"),
    ("__clz", "`i.leading_zeros()`"),
    ("__brev", "`i.reverse_bits()`"),
    ("atomicAdd", "`atomic_add(&mut x[i], 1);`"),
    ("atomicSub", "`atomic_sub(&mut x[i], 1);`"),
    ("atomicMin", "`atomic_min(&mut x[i], y);`"),
    ("atomicMax", "`atomic_max(&mut x[i], y);`"),
    ("atomicAnd", "`atomic_and(&mut x[i], mask);`"),
    ("atomicOr", "`atomic_or(&mut x[i], mask);`"),
    ("atomicXor", "`atomic_xor(&mut x[i], mask);`"),
    ("atomicExch", "`atomic_exch(&mut x[i], y)`, in `unsafe`"),
    ("atomicCAS", "`atomic_cas(&mut x[i], expected, new)`, in `unsafe`"),
    ("__shfl_sync", OTHER_THREADS),
    ("__shfl_up_sync", OTHER_THREADS),
    ("__shfl_down_sync", OTHER_THREADS),
    ("__shfl_xor_sync", OTHER_THREADS),
    ("__shfl", OTHER_THREADS),
    ("__shfl_up", OTHER_THREADS),
    ("__shfl_down", OTHER_THREADS),
    ("__shfl_xor", OTHER_THREADS),
    ("__syncthreads_or", "`let any = sync_threads_or(x > 1.0);`"),
    ("__syncthreads_and", "`let all = sync_threads_and(x > 1.0);`"),
    ("__syncthreads_count", "`let n = sync_threads_count(x > 1.0);`"),
    ("__any_sync", "`let any = sync_threads_or(x > 1.0);`, a vote of the block: there are no warps here"),
    ("__all_sync", "`let all = sync_threads_and(x > 1.0);`, a vote of the block: there are no warps here"),
    ("__ballot_sync", BALLOT),
    ("__ballot", BALLOT),
    ("__activemask", BALLOT),
    ("__match_any_sync", BALLOT),
    ("__reduce_add_sync", REDUCE),
    ("__reduce_min_sync", REDUCE),
    ("__reduce_max_sync", REDUCE),
    ("__syncwarp", "`sync_threads();`, which waits for the block"),
];

const BALLOT: &str = "`let n = sync_threads_count(x > 1.0);` for how many there are in the block, or for who they are \
                      `atomic_or(&mut mask[l / 32], 1 << (l % 32));` in shared memory: there are no warps here";

const REDUCE: &str = "`atomic_add(&mut sum[0], x);` in shared memory, or a tree with barriers: there are no warps here";

/// The text to write for a read of another thread's register. Only a device defines which threads
/// are a warp.
pub(super) const OTHER_THREADS: &str = "it to shared memory, `tile[l] = x; sync_threads();`, and read the other \
                                        thread's element, `tile[l ^ 1]`: kernels have blocks, and no warps";

/// Returns the reason why a kernel cannot call the function, and what to write. `None` if it may be
/// a `#[ptx_fn]`.
pub(super) fn function(path: &syn::ExprPath, call: &syn::ExprCall) -> Option<String> {
    let segments: Vec<_> = path.path.segments.iter().map(|s| s.ident.unraw().to_string()).collect();
    match &segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [name] => {
            let (_, write) = INTRINSICS.iter().find(|(intrinsic, _)| intrinsic == name)?;
            Some(format!("`{name}` is CUDA's: write {write}"))
        }
        [of, "from" | "try_from"] if is_primitive(of) => {
            Some(format!("`{of}::from` is not possible in a kernel: write `{} as {of}`", operand(call)))
        }
        [.., of, name] if *of == "cmp" || segments.len() == 2 && is_primitive(of) => {
            let others: Vec<_> = call.args.iter().skip(1).map(text).collect();
            let (operand, others) = (operand(call), others.join(", "));
            Some(format!("a function of numbers is a method in a kernel: write `{operand}.{name}({others})`"))
        }
        _ => None,
    }
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "f32" | "bool") || Int::of(name).is_some()
}

/// Returns the text of the first operand, in parentheses if a method call after it needs them.
fn operand(call: &syn::ExprCall) -> String {
    let Some(first) = call.args.first() else {
        return "x".to_owned();
    };
    let text = text(first);
    match first {
        syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Paren(_) | syn::Expr::Index(_) => text,
        syn::Expr::MethodCall(_) | syn::Expr::Call(_) => text,
        _ => format!("({text})"),
    }
}

/// Returns the expression nearly as it was written.
fn text(e: &syn::Expr) -> String {
    e.to_token_stream().to_string().replace(" [", "[").replace(" (", "(").replace(" . ", ".")
}

/// Returns what to write for `threadIdx.x` and the other built-in variables.
pub(super) fn field(field: &syn::ExprField) -> Option<String> {
    let syn::Expr::Path(path) = &*field.base else {
        return None;
    };
    let (base, axis) = (path.path.get_ident()?.to_string(), field.member.to_token_stream().to_string());
    let of = match base.as_str() {
        "threadIdx" => "Local",
        "blockIdx" => "Block",
        "blockDim" | "gridDim" => {
            return Some(format!(
                "a number of threads is a parameter: write `m: BlockDim{0}` for those of a block, `m: Threads{0}` \
                 for those of the grid, \
                 and `t: Thread{0}` for `blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}`",
                axis.to_uppercase()
            ));
        }
        _ => return None,
    };
    let axis = axis.to_uppercase();
    Some(format!(
        "an index is a parameter: write `i: {of}{axis}` for `{base}.{0}`, or `t: Thread{axis}` for the index in the \
         grid",
        axis.to_lowercase()
    ))
}
