//! The table of matrix instructions and of their layouts.

/// The forms of matrix instructions. A line has the PTX version and the target that introduced the
/// form, and its words. `|` separates words of which one is written, `?` begins a word that can be
/// left out. `m64n*k16` has any multiple of 8 up to 256, and `m64n%k32` one of 16, or 8 or 24.
pub(super) const FORMS: &str = "\
6.4 sm_70 mma sync aligned m8n8k4 row|col row|col f32 f16 f16 f32
6.4 sm_70 mma sync aligned m8n8k4 row|col row|col f16 f16 f16 f16
6.5 sm_75 mma sync aligned m16n8k8 row col f32 f16 f16 f32
6.5 sm_75 mma sync aligned m16n8k8 row col f16 f16 f16 f16
7.0 sm_80 mma sync aligned m16n8k16 row col f32 f16 f16 f32
7.0 sm_80 mma sync aligned m16n8k16 row col f16 f16 f16 f16
7.0 sm_80 mma sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32
7.0 sm_80 mma sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32
8.4 sm_89 mma sync aligned m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32
8.7 sm_89 mma sync aligned m16n8k16 row col f32 e4m3|e5m2 e4m3|e5m2 f32
8.7 sm_89 mma sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16
7.0 sm_80 mma sync aligned m8n8k4 row col ?rn|rz|rm|rp f64 f64 f64 f64
7.8 sm_90 mma sync aligned m16n8k4|m16n8k8|m16n8k16 row col ?rn|rz|rm|rp f64 f64 f64 f64
6.5 sm_75 mma sync aligned m8n8k16 row col ?satfinite s32 s8|u8 s8|u8 s32
7.0 sm_80 mma sync aligned m16n8k16|m16n8k32 row col ?satfinite s32 s8|u8 s8|u8 s32
6.5 sm_75 mma sync aligned m8n8k32 row col ?satfinite s32 s4|u4 s4|u4 s32
7.0 sm_80 mma sync aligned m16n8k32|m16n8k64 row col ?satfinite s32 s4|u4 s4|u4 s32
7.0 sm_75 mma sync aligned m8n8k128 row col s32 b1 b1 s32 xor popc
7.1 sm_80 mma sync aligned m8n8k128 row col s32 b1 b1 s32 and popc
7.0 sm_80 mma sync aligned m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor popc
7.1 sm_80 mma sync aligned m16n8k128|m16n8k256 row col s32 b1 b1 s32 and popc
7.1 sm_80 mma sp sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32
7.1 sm_80 mma sp sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16
7.1 sm_80 mma sp sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32
7.1 sm_80 mma sp sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32
8.4 sm_89 mma sp sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32
8.5 sm_89 mma sp::ordered_metadata sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32
7.1 sm_80 mma sp sync aligned m16n8k32|m16n8k64 row col ?satfinite s32 s8|u8 s8|u8 s32
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k32|m16n8k64 row col ?satfinite s32 s8|u8 s8|u8 s32
7.1 sm_80 mma sp sync aligned m16n8k64|m16n8k128 row col ?satfinite s32 s4|u4 s4|u4 s32
8.5 sm_80 mma sp::ordered_metadata sync aligned m16n8k64|m16n8k128 row col ?satfinite s32 s4|u4 s4|u4 s32
8.7 sm_120a mma sync aligned m16n8k32 row col kind::f8f6f4 f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f32
8.7 sm_120a mma sync aligned m16n8k32 row col kind::f8f6f4 f16 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f16
8.7 sm_120a mma sync aligned m16n8k32 row col kind::mxf8f6f4 block_scale ?scale_vec::1X f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f32 ue8m0
8.7 sm_120a mma sync aligned m16n8k64 row col kind::mxf4 block_scale ?scale_vec::2X f32 e2m1 e2m1 f32 ue8m0
8.7 sm_120a mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0
8.7 sm_120a mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3
9.1 sm_120a mma sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f32
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k64 row col kind::f8f6f4 f16 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f16
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k64 row col kind::mxf8f6f4 block_scale ?scale_vec::1X f32 e4m3|e5m2|e3m2|e2m3|e2m1 e4m3|e5m2|e3m2|e2m3|e2m1 f32 ue8m0
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4 block_scale ?scale_vec::2X f32 e2m1 e2m1 f32 ue8m0
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0
8.7 sm_120a mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue4m3
9.1 sm_120a mma sp::ordered_metadata sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0
6.0 sm_70 wmma mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f32|f16 f32|f16
7.0 sm_80 wmma mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32
7.0 sm_80 wmma mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32
7.0 sm_80 wmma mma sync aligned row|col row|col m8n8k4 ?rn|rz|rm|rp f64 f64 f64 f64
7.0 sm_80 wmma mma sync aligned row|col row|col m8n8k4 f64 f64 f64 f64 rn|rz|rm|rp
6.3 sm_72 wmma mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 s8 s8 s32 ?satfinite
6.3 sm_72 wmma mma sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 u8 u8 s32 ?satfinite
6.3 sm_75 wmma mma sync aligned row col m8n8k32 s32 s4 s4 s32 ?satfinite
6.3 sm_75 wmma mma sync aligned row col m8n8k32 s32 u4 u4 s32 ?satfinite
6.3 sm_75 wmma mma xor popc sync aligned row col m8n8k128 s32 b1 b1 s32
7.1 sm_80 wmma mma and popc sync aligned row col m8n8k128 s32 b1 b1 s32
8.0 sm_90a wgmma mma_async sync aligned m64n*k16 f32|f16 f16 f16
8.0 sm_90a wgmma mma_async sync aligned m64n*k16 f32 bf16 bf16
8.0 sm_90a wgmma mma_async sync aligned m64n*k8 f32 tf32 tf32
8.0 sm_90a wgmma mma_async sync aligned m64n*k32 f32|f16 e4m3|e5m2 e4m3|e5m2
8.0 sm_90a wgmma mma_async sync aligned m64n%k32 ?satfinite s32 s8 s8 ?satfinite
8.0 sm_90a wgmma mma_async sync aligned m64n%k32 ?satfinite s32 u8 u8 ?satfinite
8.4 sm_90a wgmma mma_async sync aligned m64n%k32 ?satfinite s32 s8 u8 ?satfinite
8.4 sm_90a wgmma mma_async sync aligned m64n%k32 ?satfinite s32 u8 s8 ?satfinite
8.0 sm_90a wgmma mma_async sync aligned m64n%k256 s32 b1 b1 and popc
8.2 sm_90a wgmma mma_async sp sync aligned m64n*k32 f32|f16 f16 f16
8.2 sm_90a wgmma mma_async sp sync aligned m64n*k32 f32 bf16 bf16
8.2 sm_90a wgmma mma_async sp sync aligned m64n*k16 f32 tf32 tf32
8.2 sm_90a wgmma mma_async sp sync aligned m64n*k64 f32|f16 e4m3|e5m2 e4m3|e5m2
8.2 sm_90a wgmma mma_async sp sync aligned m64n%k64 ?satfinite s32 s8 s8 ?satfinite
8.2 sm_90a wgmma mma_async sp sync aligned m64n%k64 ?satfinite s32 u8 u8 ?satfinite
8.4 sm_90a wgmma mma_async sp sync aligned m64n%k64 ?satfinite s32 s8 u8 ?satfinite
8.4 sm_90a wgmma mma_async sp sync aligned m64n%k64 ?satfinite s32 u8 s8 ?satfinite
";

/// The fragments. A line has the matrix, its rows and columns, the bits that an element takes, and
/// the layout. Volta's have four matrices, and the letters of the order of A or B, or the format of
/// C. Those of `wmma` in f16 have copies.
///
/// NVIDIA does not document the layouts of `wmma`; here they are those of the instructions `mma`
/// that an assembler makes of one.
pub(super) const LAYOUTS: &str = "\
volta-a-row 8x4  16  r0 r1 m0 m1 r2 | c0 c1
volta-a-col 8x4  16  c0 c1 m0 m1 r2 | r0 r1
volta-b-row 4x8  16  r0 r1 m0 m1 c2 | c0 c1
volta-b-col 4x8  16  c0 c1 m0 m1 c2 | r0 r1
volta-c 8x8      16  r0 r1 m0 m1 r2 | c0 c1 c2
volta-c 8x8      32  r0 c1 m0 m1 r2 | c0 r1 c2
a  16x8          16  c1 c2 r0 r1 r2 | c0 r3
a  16x16         16  c1 c2 r0 r1 r2 | c0 r3 c3
a  32x16         16  c1 c2 r0 r1 r2 | c0 r3 c3 r4
a  8x16          16  c1 c2 r0 r1 r2 | c0 c3
a  16x4          32  c0 c1 r0 r1 r2 | r3
a  16x8          32  c0 c1 r0 r1 r2 | r3 c2
a  8x16           8  c2 c3 r0 r1 r2 | c0 c1
a  16x16          8  c2 c3 r0 r1 r2 | c0 c1 r3
a  32x16          8  c2 c3 r0 r1 r2 | c0 c1 r3 r4
a  16x32          8  c2 c3 r0 r1 r2 | c0 c1 r3 c4
a  8x32           4  c3 c4 r0 r1 r2 | c0 c1 c2
a  16x32          4  c3 c4 r0 r1 r2 | c0 c1 c2 r3
a  16x64          4  c3 c4 r0 r1 r2 | c0 c1 c2 r3 c5
a  8x128          1  c5 c6 r0 r1 r2 | c0 c1 c2 c3 c4
a  16x128         1  c5 c6 r0 r1 r2 | c0 c1 c2 c3 c4 r3
a  16x256         1  c5 c6 r0 r1 r2 | c0 c1 c2 c3 c4 r3 c7
a  8x4           64  c0 c1 r0 r1 r2 |
a  16x4          64  c0 c1 r0 r1 r2 | r3
a  16x8          64  c0 c1 r0 r1 r2 | r3 c2
a  16x16         64  c0 c1 r0 r1 r2 | r3 c2 c3
b  8x8           16  r1 r2 c0 c1 c2 | r0
b  16x8          16  r1 r2 c0 c1 c2 | r0 r3
b  32x8          16  r1 r2 c0 c1 c2 | r0 r3 r4
b  16x16         16  r1 r2 c0 c1 c2 | r0 r3 c3
b  16x32         16  r1 r2 c0 c1 c2 | r0 r3 c3 c4
b  4x8           32  r0 r1 c0 c1 c2 |
b  8x8           32  r0 r1 c0 c1 c2 | r2
b  16x8          32  r0 r1 c0 c1 c2 | r2 r3
b  8x16          32  r0 r1 c0 c1 c2 | r2 c3
b  16x8           8  r2 r3 c0 c1 c2 | r0 r1
b  32x8           8  r2 r3 c0 c1 c2 | r0 r1 r4
b  64x8           8  r2 r3 c0 c1 c2 | r0 r1 r4 r5
b  16x16          8  r2 r3 c0 c1 c2 | r0 r1 c3
b  16x32          8  r2 r3 c0 c1 c2 | r0 r1 c3 c4
b  32x8           4  r3 r4 c0 c1 c2 | r0 r1 r2
b  64x8           4  r3 r4 c0 c1 c2 | r0 r1 r2 r5
b  128x8          4  r3 r4 c0 c1 c2 | r0 r1 r2 r5 r6
b  128x8          1  r5 r6 c0 c1 c2 | r0 r1 r2 r3 r4
b  256x8          1  r5 r6 c0 c1 c2 | r0 r1 r2 r3 r4 r7
b  4x8           64  r0 r1 c0 c1 c2 |
b  8x8           64  r0 r1 c0 c1 c2 | r2
b  16x8          64  r0 r1 c0 c1 c2 | r2 r3
wmma-a 16x16     16  c1 c2 r0 r1 r2 | c0 r3 c3 -
wmma-a 32x16     16  c1 c2 r0 r1 r2 | c0 r3 c3 r4
wmma-a 8x16      16  c1 c2 r0 r1 r2 | c0 c3 - -
wmma-b 16x16     16  r1 r2 c0 c1 c2 | r0 r3 c3 -
wmma-b 16x8      16  r1 r2 c0 c1 c2 | r0 r3 - -
wmma-b 16x32     16  r1 r2 c0 c1 c2 | r0 r3 c3 c4
c  8x8            0  c1 c2 r0 r1 r2 | c0
c  16x8           0  c1 c2 r0 r1 r2 | c0 r3
c  32x8           0  c1 c2 r0 r1 r2 | c0 r3 r4
c  8x32           0  c1 c2 r0 r1 r2 | c0 c3 c4
c  16x*           0  c1 c2 r0 r1 r2 | c0 r3 c3 c4 c5 c6 c7
e  16x8           0  m0 m1 r0 r1 r2 | c0 c1 c2 r3
e  16x16         16  c3 m0 r0 r1 r2 | c0 c1 c2 r3
e  16x16          8  r3 m0 r0 r1 r2 | c0 c1 c2 c3
e  16x32          8  r3 c4 r0 r1 r2 | c0 c1 c2 c3
row 8x8          16  c1 c2 r0 r1 r2 | c0 m0 m1
col 8x8          16  r1 r2 c0 c1 c2 | r0 m0 m1
row 8x16          8  c2 c3 r0 r1 r2 | c0 c1 m0 m1
col 16x16         8  r2 r3 c0 c1 c2 | r0 r1 c3 m0
col 8x16          8  r1 r2 c0 c1 c2 | r0 c3 m0 m1
";
