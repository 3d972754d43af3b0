// Products of matrices in CUDA C++. nvcc 13.5 compiled it to products.ptx:
//     nvcc -ptx -arch=sm_80 products.cu
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

// Each block computes a tile of D. A and D are stored row by row, and B column by column.
template <int M, int N, int K, class P, class T, class D>
__device__ void tiles(const T *a, const T *b, D *d, int n, int k) {
    int row = blockIdx.y * M, column = blockIdx.x * N;
    fragment<matrix_a, M, N, K, P, row_major> fa;
    fragment<matrix_b, M, N, K, P, col_major> fb;
    fragment<accumulator, M, N, K, D> sum;
    fill_fragment(sum, D(0));
#pragma unroll 1
    for (int i = 0; i < k; i += K) {
        load_matrix_sync(fa, a + row * k + i, k);
        load_matrix_sync(fb, b + column * k + i, k);
        mma_sync(sum, fa, fb, sum);
    }
    store_matrix_sync(d + row * n + column, sum, n, mem_row_major);
}

#define TILES(name, M, N, K, P, T, D)                                                      \
    extern "C" __global__ void name(const T *a, const T *b, D *d, int n, int k) {          \
        tiles<M, N, K, P>(a, b, d, n, k);                                                  \
    }

TILES(f16_16, 16, 16, 16, half, half, float)
TILES(f16_8, 8, 32, 16, half, half, float)
TILES(f16_32, 32, 8, 16, half, half, float)
TILES(f16_f16, 16, 16, 16, half, half, half)
TILES(bf16_16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float)
TILES(bf16_8, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float)
TILES(bf16_32, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float)
TILES(tf32_16, 16, 16, 8, precision::tf32, float, float)
TILES(f64_8, 8, 8, 4, double, double, double)
TILES(s8_16, 16, 16, 16, signed char, signed char, int)
TILES(s8_8, 8, 32, 16, signed char, signed char, int)
TILES(s8_32, 32, 8, 16, signed char, signed char, int)

// D column by column, and A and B by tiles in shared memory.
extern "C" __global__ void turned(const half *a, const half *b, float *d, int n, int k) {
    __shared__ half tile[16 * 16];
    int row = blockIdx.y * 16, column = blockIdx.x * 16, m = gridDim.y * 16;
    fragment<matrix_a, 16, 16, 16, half, col_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
#pragma unroll 1
    for (int i = 0; i < k; i += 16) {
        // The transposed tile of A.
        for (int j = threadIdx.x; j < 256; j += 32) tile[j] = a[(row + j % 16) * k + i + j / 16];
        __syncwarp();
        load_matrix_sync(fa, tile, 16);
        __syncwarp();
        for (int j = threadIdx.x; j < 256; j += 32) tile[j] = b[(column + j % 16) * k + i + j / 16];
        __syncwarp();
        load_matrix_sync(fb, tile, 16);
        mma_sync(sum, fa, fb, sum);
        __syncwarp();
    }
    store_matrix_sync(d + row + column * m, sum, m, mem_col_major);
}

// The same by `mma` and `ldmatrix`, with two stages of `cp.async`. Four warps compute 64 × 16.
extern "C" __global__ void by_mma(const half *a, const half *b, float *d, int n, int k) {
    __shared__ __align__(16) half sa[2][64][24], sb[2][16][24];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.y * 64, column = blockIdx.x * 16;
    auto address = [](const void *p) { return unsigned(__cvta_generic_to_shared(p)); };
    auto fetch = [&](int stage, int i) {
        for (int j = threadIdx.x; j < 80 * 2; j += 128) {
            int line = j / 2, at = j % 2 * 8;
            const half *from = line < 64 ? a + (row + line) * k : b + (column + line - 64) * k;
            half *to = line < 64 ? sa[stage][line] : sb[stage][line - 64];
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(to + at)), "l"(from + i + at));
        }
        asm volatile("cp.async.commit_group;");
    };
    float sum[2][4] = {};
    fetch(0, 0);
#pragma unroll 1
    for (int i = 0; i < k; i += 16) {
        int stage = i / 16 % 2;
        if (i + 16 < k) fetch(stage ^ 1, i + 16);
        else asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        unsigned x[4], y[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(address(&sa[stage][16 * warp + lane % 16][lane / 16 * 8])) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                     : "r"(address(&sb[stage][lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8])) : "memory");
        for (int j = 0; j < 2; j++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sum[j][0]), "+f"(sum[j][1]), "+f"(sum[j][2]), "+f"(sum[j][3])
                         : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * j]), "r"(y[2 * j + 1]));
        __syncthreads();
    }
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++)
            d[(row + 16 * warp + lane / 4 + i / 2 * 8) * n + column + 8 * j + lane % 4 * 2 + i % 2] = sum[j][i];
}
