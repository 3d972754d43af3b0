//! Handwritten PTX.

/// `scale(x, n, a)` multiplies n numbers by a. `one` has the address of the number that `pick`
/// adds.
pub(crate) const SCALE: &str = "
.version 7.8
.target sm_75
.address_size 64
.visible .global .align 4 .f32 one = 0f3f800000;
.visible .entry scale(.param .u64 x, .param .u32 n, .param .f32 a)
{
    .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [x];
    ld.param.u32 %r1, [n];
    ld.param.f32 %r2, [a];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.u32 %r3, %r3, %r4, %r5;
    setp.ge.u32 %p, %r3, %r1;
    @%p ret;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %r4, [%rd3];
    mul.rn.f32 %r4, %r4, %r2;
    st.global.f32 [%rd3], %r4;
    ret;
}
.visible .entry pick(.param .u64 x)
{
    .reg .b32 %r<3>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [x];
    ld.global.f32 %r1, [%rd1];
    ld.global.f32 %r2, [one];
    add.rn.f32 %r1, %r1, %r2;
    st.global.f32 [%rd1], %r1;
    ret;
}
";

/// Entries that each make a mistake at the address of their argument.
pub(crate) const WRONG: &str = "
.version 7.8
.target sm_75
.address_size 64
.global .align 1 .b8 text[] = {120, 32, 60, 32, 110, 0};
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s) .noreturn;
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 values);
.visible .entry behind(.param .u64 x)
{
    .reg .b64 %rd1;
    ld.param.u64 %rd1, [x];
    st.global.u32 [%rd1+64], 1;
    ret;
}
.visible .entry crooked(.param .u64 x)
{
    .reg .b64 %rd1;
    ld.param.u64 %rd1, [x];
    st.global.u32 [%rd1+2], 1;
    ret;
}
.visible .entry stopped(.param .u64 x) { trap; }
.visible .entry asserted(.param .u64 x)
{
    .reg .b64 %rd1;
    .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
    mov.u64 %rd1, text;
    st.param.b64 [m], %rd1;
    st.param.b64 [f], %rd1;
    st.param.b32 [l], 5;
    st.param.b64 [n], %rd1;
    st.param.b64 [s], 1;
    call.uni __assertfail, (m, f, l, n, s);
    ret;
}
.visible .entry printed(.param .u64 x)
{
    .reg .b64 %rd1;
    .param .b64 format; .param .b64 values; .param .b32 count;
    mov.u64 %rd1, text;
    st.param.b64 [format], %rd1;
    st.param.b64 [values], 0;
    call.uni (count), vprintf, (format, values);
    ret;
}
.visible .entry waiting(.param .u64 x)
{
    .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd1;
    ld.param.u64 %rd1, [x];
    mov.u32 %r2, %nctaid.x;
    mov.u32 %r3, %ntid.x;
    mul.lo.u32 %r2, %r2, %r3;
    atom.global.add.u32 %r1, [%rd1], 1;
again:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.lt.u32 %p, %r1, %r2;
    @%p bra again;
    ret;
}
.visible .entry newer(.param .u64 x)
{
    tcgen05.wait::ld.sync.aligned;
    ret;
}
.visible .entry racing(.param .u64 x)
{
    .reg .b32 %r1; .reg .b64 %rd1;
    ld.param.u64 %rd1, [x];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    ret;
}
";

/// `box(map, d)` copies a box of 4 × 4 numbers of a tensor, from column 6 and row 1 on.
pub(crate) const BOX: &str = "
.version 8.0
.target sm_90
.address_size 64
.shared .align 128 .b8 tile[64];
.shared .align 8 .b64 bar;
.visible .entry box(.param .align 64 .b8 map[128], .param .u64 d)
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
    mov.b64 %rd1, map;
    cvta.param.u64 %rd1, %rd1;
    ld.param.u64 %rd2, [d];
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [bar], 1;
    bar.sync 0;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], 64;
    @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1, {6, 1}], [bar];
wait:
    mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
    @!%p2 bra wait;
    mov.u32 %r2, tile;
    mad.lo.u32 %r2, %r1, 16, %r2;
    ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];
    mad.wide.u32 %rd2, %r1, 16, %rd2;
    st.global.v4.u32 [%rd2], {%r3, %r4, %r5, %r6};
    ret;
}
";
