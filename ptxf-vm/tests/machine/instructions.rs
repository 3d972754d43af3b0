//! The table of instructions in docs/vm.md is true: each executed one has an example that is
//! accepted, and each refused one is refused with its reason.

use std::collections::BTreeMap;

use ptxf_vm::{Machine, Module};

use crate::support::{entry, module};

/// An example of each executed instruction that is not one of floating point.
const EXAMPLES: &str = "
activemask.b32 %r1;
addc.u32 %r1, %r2, %r3;
alloca.u64 %rd1, %rd2, 16;
and.b32 %r1, %r2, %r3;
applypriority.global.L2::evict_normal [%rd1], 128;
atom.global.cas.b128 q, [%rd1], q, q;
bar.red.popc.u32 %r1, 0, %p1;
barrier.cluster.arrive;
bfe.u32 %r1, %r2, %r3, %r4;
bfi.b32 %r1, %r2, %r3, %r4, %r5;
bfind.shiftamt.u32 %r1, %r2;
bmsk.clamp.b32 %r1, %r2, %r3;
bra LABEL;
brev.b64 %rd1, %rd2;
brkpt;
brx.idx %r1, LIST;
call.uni f;
clz.b32 %r1, %r2;
cnot.b16 %h1, %h2;
cp.async.bulk.wait_group 0;
createpolicy.fractional.L2::evict_last.b64 %rd1, 0.5;
cvta.to.shared.u64 %rd1, %rd2;
discard.global.L2 [%rd1], 128;
dp2a.lo.s32.u32 %r1, %r2, %r3, %r4;
dp4a.s32.s32 %r1, %r2, %r3, %r4;
elect.sync %r1|%p1, -1;
exit;
fence.acq_rel.cluster;
fns.b32 %r1, %r2, %r3, %r4;
getctarank.shared::cluster.u32 %r1, %r2;
griddepcontrol.launch_dependents;
isspacep.shared::cluster %p1, %rd1;
istypep.texref %p1, %rd1;
ld.global.L2::cache_hint.v2.b64 {%rd1, %rd2}, [%rd3], %rd4;
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];
ldu.global.b32 %r1, [%rd1];
lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2;
mad24.lo.u32 %r1, %r2, %r3, %r4;
madc.hi.cc.u32 %r1, %r2, %r3, %r4;
mapa.u64 %rd1, %rd2, %r1;
match.any.sync.b32 %r1, %r2, -1;
mbarrier.arrive.shared::cluster.b64 _, [%r1];
membar.gl;
mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};
mov.b128 q, {%rd1, %rd2};
movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;
mul24.hi.s32 %r1, %r2, %r3;
nanosleep.u32 %r1;
not.pred %p1, %p2;
or.b64 %rd1, %rd2, %rd3;
pmevent 3;
popc.b64 %r1, %rd1;
prefetch.global.L1 [%rd1];
prefetchu.L1 [%rd1];
prmt.b32.f4e %r1, %r2, %r3, %r4;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r1], %r2, [%r3];
redux.sync.add.s32 %r1, %r2, -1;
rem.s64 %rd1, %rd2, %rd3;
ret;
sad.u32 %r1, %r2, %r3, %r4;
setmaxnreg.inc.sync.aligned.u32 64;
shf.l.wrap.b32 %r1, %r2, %r3, %r4;
shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;
shl.b32 %r1, %r2, 3;
shr.s16 %h1, %h2, %r1;
st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r1], {%r2, %r3, %r4, %r5}, [%r6];
stackrestore.u64 %rd1;
stacksave.u64 %rd1;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};
subc.cc.u32 %r1, %r2, %r3;
suld.b.1d.b32.trap %r1, [%rd1, {%r2}];
suq.width.b32 %r1, [%rd1];
sured.b.add.1d.u32.trap [%rd1, {%r1}], %r2;
sust.b.1d.b32.trap [%rd1, {%r1}], %r2;
szext.wrap.s32 %r1, %r2, %r3;
tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];
tld4.r.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];
trap;
txq.width.b32 %r1, [%rd1];
vabsdiff.s32.u32.s32.sat.add %r1, %r2.b0, %r3.h1, %r4;
vabsdiff2.s32.s32.s32.add %r1, %r2, %r3, %r4;
vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r4;
vadd.u32.u32.u32.min %r1, %r2, %r3, %r4;
vadd2.u32.u32.u32.sat %r1, %r2, %r3, %r4;
vadd4.s32.s32.s32 %r1, %r2, %r3, %r4;
vavrg2.s32.s32.s32 %r1, %r2, %r3, %r4;
vavrg4.u32.u32.u32 %r1, %r2, %r3, %r4;
vmax.s32.s32.s32 %r1, %r2, %r3;
vmax2.s32.s32.s32 %r1, %r2, %r3, %r4;
vmax4.u32.u32.u32 %r1, %r2, %r3, %r4;
vmin.s32.s32.s32 %r1, %r2, %r3;
vmin2.s32.s32.s32 %r1, %r2, %r3, %r4;
vmin4.u32.u32.u32 %r1, %r2, %r3, %r4;
vote.sync.ballot.b32 %r1, %p1, -1;
vset.u32.u32.lt %r1, %r2, %r3;
vset2.u32.u32.lt.add %r1, %r2, %r3, %r4;
vset4.s32.s32.ge %r1, %r2, %r3, %r4;
vshl.u32.u32.u32.wrap %r1, %r2, %r3;
vshr.u32.s32.u32.clamp %r1, %r2, %r3;
vsub.u32.u32.u32 %r1, %r2, %r3;
vsub2.u32.u32.u32 %r1, %r2, %r3, %r4;
vsub4.u32.u32.u32 %r1, %r2, %r3, %r4;
wgmma.fence.sync.aligned;
wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r1, %r2}, [%r3];
xor.b16 %h1, %h2, %h3;
";

/// An example of each refused instruction.
const REFUSED: &str = "
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, q;
multimem.ld_reduce.global.add.u32 %r1, [%rd1];
tcgen05.wait::ld.sync.aligned;
tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 2;
vmad.u32.u32.u32 %r1, %r2, %r3, %r4;
";

fn name(statement: &str) -> &str {
    statement.split(['.', ' ', ';']).next().unwrap_or_default()
}

/// Returns the error of an entry with this statement.
fn refused(statement: &str) -> Option<String> {
    let body = format!(".reg .b128 q;\nLIST: .branchtargets LABEL;\n{statement}\nLABEL:");
    let text = module("8.8", "sm_90a", &format!(".func f() {{ ret; }}\n{}", entry("k", "", &body)));
    let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    Machine::new().load(&module).unwrap().entry("k").err().map(|e| e.what().to_owned())
}

#[test]
fn the_table_in_the_guide_is_true() {
    let guide = include_str!("../../../docs/vm.md");
    let (_, rest) = guide.split_once("<!-- instructions -->").unwrap();
    let (table, _) = rest.split_once("<!-- end of instructions -->").unwrap();
    let mut rows = BTreeMap::new();
    for row in table.lines().filter_map(|line| line.strip_prefix("| `")) {
        let [name, is, what] = row.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        rows.insert(name.trim_end_matches('`'), (is, what.trim_end_matches(" |")));
    }
    assert!(rows.len() > 130, "{}", rows.len());
    let [executed, refuses] = [EXAMPLES, REFUSED].map(|all| all.trim().lines().collect::<Vec<_>>());
    for statement in &executed {
        assert_eq!(rows[name(statement)].0, "executed", "{statement}");
        assert_eq!(refused(statement), None, "{statement}");
    }
    for statement in &refuses {
        let (is, why) = rows[name(statement)];
        assert_eq!(is, "refused", "{statement}");
        assert_eq!(refused(statement), Some(format!("`{}` is not supported: {why}", name(statement))));
    }
    // `forms` executes every spelling of floating point.
    let of_form = |of: &str| ptxf::spec::FORMS.iter().any(|form| form.instruction == of);
    for of in rows.keys().filter(|of| !of_form(of)) {
        assert!(executed.iter().chain(&refuses).any(|statement| name(statement) == *of), "{of} has no example");
    }
}
