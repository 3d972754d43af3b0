// The suite's kernels in CUDA C++, as a CUDA programmer would write them: the yardstick of the
// kernels that `#[ptx_kernel]` generates.
//
// A kernel `k_f32` is the counterpart of `in_f32_k_scalar`, and `k_f16x2` of `in_f16_k_pair`. The
// parameters are those of the Rust kernel in the same order, without indices and lengths of slices.
// For `f16x2` the first parameter, the length of a row, counts pairs, and rows have an even length.

#include <cuda_fp16.h>
#include <stddef.h>

#define KERNEL extern "C" __global__ void

__device__ inline size_t thread_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline size_t thread_y() { return blockIdx.y * blockDim.y + threadIdx.y; }

__device__ inline half2 both(float x) { return __float2half2_rn(x); }
__device__ inline half2 both(half x) { return __half2half2(x); }
__device__ inline half2 exp2x(half2 x) { return h2exp2(__hmul2(x, both(1.4426950408889634f))); }

// Returns `yes` in the halves in which the mask is set.
__device__ inline half2 select2(unsigned mask, half2 yes, half2 no) {
    unsigned bits = mask & *(unsigned *)&yes | ~mask & *(unsigned *)&no;
    return *(half2 *)&bits;
}

// nn: the distance of every record from a point.

KERNEL nn_f32(size_t n, const float *__restrict__ lat, const float *__restrict__ lng, float lat0,
              float lng0, float *out) {
    size_t t = thread_x();
    if (t < n) {
        float x = lat0 - lat[t], y = lng0 - lng[t];
        out[t] = sqrtf(x * x + y * y);
    }
}

__device__ inline half2 distance(half2 lat, half2 lng, half2 lat0, half2 lng0) {
    half2 x = __hsub2(lat0, lat), y = __hsub2(lng0, lng);
    float2 s = __half22float2(__hfma2(x, x, __hmul2(y, y)));
    return __floats2half2_rn(sqrtf(s.x), sqrtf(s.y));
}

KERNEL nn_f16x2(size_t n, const half2 *__restrict__ lat, const half2 *__restrict__ lng, float lat0,
                float lng0, half2 *out) {
    size_t t = thread_x();
    if (t < n) out[t] = distance(lat[t], lng[t], both(lat0), both(lng0));
}

// Four pairs a thread. `n` counts groups of eight records.
KERNEL nn_f16x8(size_t n, const uint4 *__restrict__ lat, const uint4 *__restrict__ lng, float lat0,
                float lng0, uint4 *out) {
    size_t t = thread_x();
    if (t < n) {
        uint4 x = lat[t], y = lng[t], d;
        half2 *xs = (half2 *)&x, *ys = (half2 *)&y, *ds = (half2 *)&d;
        for (int i = 0; i < 4; i++) ds[i] = distance(xs[i], ys[i], both(lat0), both(lng0));
        out[t] = d;
    }
}

// matmul: a thread per element of the product.

KERNEL matmul_f32(size_t width, size_t height, size_t depth, const float *__restrict__ a,
                  const float *__restrict__ b, float *c) {
    size_t col = thread_x(), row = thread_y();
    if (col < width && row < height) {
        float s = 0;
        for (size_t k = 0; k < depth; k++) s += a[row * depth + k] * b[k * width + col];
        c[row * width + col] = s;
    }
}

KERNEL matmul_f16x2(size_t width, size_t height, size_t depth, const half *__restrict__ a,
                    const half2 *__restrict__ b, half2 *c) {
    size_t col = thread_x(), row = thread_y();
    if (col < width && row < height) {
        half2 s = both(0.0f);
        for (size_t k = 0; k < depth; k++)
            s = __hfma2(both(a[row * depth + k]), b[k * width + col], s);
        c[row * width + col] = s;
    }
}

// Two pairs of columns and two rows a thread. `width` counts groups of four columns.
KERNEL matmul_f16x4(size_t width, size_t height, size_t depth, const half *__restrict__ a,
                    const uint2 *__restrict__ b, uint2 *c) {
    size_t col = thread_x(), row = 2 * thread_y();
    if (col < width && row < height) {
        half2 s[2][2] = {{both(0.0f), both(0.0f)}, {both(0.0f), both(0.0f)}};
        for (size_t k = 0; k < depth; k += 2) {
            half2 upper = *(const half2 *)(a + row * depth + k);
            half2 lower = *(const half2 *)(a + (row + 1) * depth + k);
            for (int j = 0; j < 2; j++) {
                uint2 word = b[(k + j) * width + col];
                half2 *pairs = (half2 *)&word;
                half2 u = j ? __high2half2(upper) : __low2half2(upper);
                half2 l = j ? __high2half2(lower) : __low2half2(lower);
                for (int i = 0; i < 2; i++) {
                    s[0][i] = __hfma2(u, pairs[i], s[0][i]);
                    s[1][i] = __hfma2(l, pairs[i], s[1][i]);
                }
            }
        }
        c[row * width + col] = *(uint2 *)s[0];
        c[(row + 1) * width + col] = *(uint2 *)s[1];
    }
}

// matmul_tiled: blocks of 16 × 16 elements, by tiles in shared memory.

KERNEL matmul_tiled_f32(size_t width, size_t height, size_t depth, const float *__restrict__ a,
                        const float *__restrict__ b, float *c) {
    __shared__ float of_a[16][16], of_b[16][16];
    size_t col = thread_x(), row = thread_y();
    int lx = threadIdx.x, ly = threadIdx.y;
    float s = 0;
    for (size_t first = 0; first < depth; first += 16) {
        of_a[ly][lx] = row < height && first + lx < depth ? a[row * depth + first + lx] : 0;
        of_b[ly][lx] = col < width && first + ly < depth ? b[(first + ly) * width + col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++) s += of_a[ly][k] * of_b[k][lx];
        __syncthreads();
    }
    if (col < width && row < height) c[row * width + col] = s;
}

// A block has 8 × 16 threads. The depth is even.
KERNEL matmul_tiled_f16x2(size_t width, size_t height, size_t depth, const half *__restrict__ a,
                          const half2 *__restrict__ b, half2 *c) {
    __shared__ half2 of_a[16][8], of_b[16][8];
    size_t col = thread_x(), row = thread_y();
    int lx = threadIdx.x, ly = threadIdx.y;
    half2 s = both(0.0f), zero = both(0.0f);
    const half2 *a2 = (const half2 *)a;
    for (size_t first = 0; first < depth; first += 16) {
        bool in_a = row < height && first + 2 * lx < depth;
        of_a[ly][lx] = in_a ? a2[(row * depth + first) / 2 + lx] : zero;
        of_b[ly][lx] = col < width && first + ly < depth ? b[(first + ly) * width + col] : zero;
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            half2 x = of_a[ly][k];
            s = __hfma2(__low2half2(x), of_b[2 * k][lx], s);
            s = __hfma2(__high2half2(x), of_b[2 * k + 1][lx], s);
        }
        __syncthreads();
    }
    if (col < width && row < height) c[row * width + col] = s;
}

// price: BlackScholes by a polynomial of five terms.

__device__ inline float cnd(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float terms = -1.821255978f + k * 1.330274429f;
    terms = 0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * terms));
    float w = 0.3989422804f * __expf(-0.5f * d * d) * (k * terms);
    return d > 0 ? 1 - w : w;
}

KERNEL price_f32(size_t n, const float *__restrict__ stock, const float *__restrict__ strike,
                 const float *__restrict__ years, float rate, float volatility, float *call,
                 float *put) {
    size_t t = thread_x();
    if (t < n) {
        float s = stock[t], x = strike[t], y = years[t];
        float spread = volatility * sqrtf(y);
        float d1 = (__logf(s / x) + (rate + 0.5f * volatility * volatility) * y) / spread;
        float d2 = d1 - spread;
        float n1 = cnd(d1), n2 = cnd(d2), discounted = x * __expf(-rate * y);
        call[t] = s * n1 - discounted * n2;
        put[t] = discounted * (1 - n2) - s * (1 - n1);
    }
}

__device__ inline half2 cnd(half2 d) {
    half2 one = both(1.0f);
    half2 k = h2rcp(__hfma2(both(0.2316419f), __habs2(d), one));
    half2 terms = __hfma2(k, both(1.330274429f), both(-1.821255978f));
    terms = __hfma2(k, __hfma2(k, terms, both(1.781477937f)), both(-0.356563782f));
    terms = __hmul2(k, __hfma2(k, terms, both(0.31938153f)));
    half2 e = exp2x(__hmul2(__hmul2(both(-0.5f), d), d));
    half2 w = __hmul2(__hmul2(both(0.3989422804f), e), terms);
    return select2(__hgt2_mask(d, both(0.0f)), __hsub2(one, w), w);
}

KERNEL price_f16x2(size_t n, const half2 *__restrict__ stock, const half2 *__restrict__ strike,
                   const half2 *__restrict__ years, float rate, float volatility, half2 *call,
                   half2 *put) {
    size_t t = thread_x();
    if (t < n) {
        half2 s = stock[t], x = strike[t], y = years[t], one = both(1.0f);
        half2 spread = __hmul2(both(volatility), h2sqrt(y));
        half2 drift = __hmul2(both(rate + 0.5f * volatility * volatility), y);
        half2 log = h2log2(__h2div(s, x));
        half2 d1 = __h2div(__hfma2(log, both(0.6931471805599453f), drift), spread);
        half2 n1 = cnd(d1), n2 = cnd(__hsub2(d1, spread));
        half2 discounted = __hmul2(x, exp2x(__hmul2(both(-rate), y)));
        call[t] = __hsub2(__hmul2(s, n1), __hmul2(discounted, n2));
        put[t] = __hsub2(__hmul2(discounted, __hsub2(one, n2)), __hmul2(s, __hsub2(one, n1)));
    }
}

// assign: the step of k-means that finds the nearest centre.

KERNEL assign_f32(size_t n, size_t k, size_t f, const float *__restrict__ x,
                  const float *__restrict__ c, int *member) {
    size_t t = thread_x();
    if (t < n) {
        float best = INFINITY;
        int id = 0;
        for (size_t i = 0; i < k; i++) {
            float s = 0;
            for (size_t j = 0; j < f; j++) {
                float d = x[t + j * n] - c[i * f + j];
                s += d * d;
            }
            if (s < best) {
                best = s;
                id = (int)i;
            }
        }
        member[t] = id;
    }
}

KERNEL assign_f16x2(size_t n, size_t k, size_t f, const half2 *__restrict__ x,
                    const half *__restrict__ c, int2 *member) {
    size_t t = thread_x();
    if (t < n) {
        half2 best = both(INFINITY);
        int2 id = {0, 0};
        for (size_t i = 0; i < k; i++) {
            half2 s = both(0.0f);
            for (size_t j = 0; j < f; j++) {
                half2 d = __hsub2(x[t + j * n], both(c[i * f + j]));
                s = __hfma2(d, d, s);
            }
            if (__low2float(s) < __low2float(best)) {
                best = __halves2half2(__low2half(s), __high2half(best));
                id.x = (int)i;
            }
            if (__high2float(s) < __high2float(best)) {
                best = __halves2half2(__low2half(best), __high2half(s));
                id.y = (int)i;
            }
        }
        member[t] = id;
    }
}

// step: hotspot3D, a column of cells per thread.

KERNEL step_f32(size_t nx, size_t ny, size_t nz, float cc, float cx, float cy, float cz,
                float heating, float air, const float *__restrict__ power,
                const float *__restrict__ old, float *next) {
    size_t i = thread_x(), j = thread_y();
    if (i < nx && j < ny) {
        size_t layer = nx * ny;
        for (size_t k = 0; k < nz; k++) {
            size_t c = i + j * nx + k * layer;
            float west = i == 0 ? old[c] : old[c - 1];
            float east = i == nx - 1 ? old[c] : old[c + 1];
            float north = j == 0 ? old[c] : old[c - nx];
            float south = j == ny - 1 ? old[c] : old[c + nx];
            float below = k == 0 ? old[c] : old[c - layer];
            float above = k == nz - 1 ? old[c] : old[c + layer];
            float sum = cc * old[c] + heating * power[c];
            sum += cx * west + cx * east;
            sum += cy * north + cy * south;
            sum += cz * below + cz * above;
            sum += cz * air;
            next[c] = sum;
        }
    }
}

// Registers carry the layers.
KERNEL step_f16x2(size_t nx, size_t ny, size_t nz, float cc, float cx, float cy, float cz,
                  float heating, float air, const half2 *__restrict__ power,
                  const half2 *__restrict__ old, half2 *next) {
    size_t i = thread_x(), j = thread_y();
    if (i < nx && j < ny) {
        size_t layer = nx * ny, c = i + j * nx;
        half2 x = both(cx), y = both(cy), z = both(cz), warm = __hmul2(z, both(air));
        half2 here = old[c], below = here;
        for (size_t k = 0; k < nz; k++, c += layer) {
            half2 above = k == nz - 1 ? here : old[c + layer];
            half left = i == 0 ? __low2half(here) : __high2half(old[c - 1]);
            half right = i == nx - 1 ? __high2half(here) : __low2half(old[c + 1]);
            half2 west = __halves2half2(left, __low2half(here));
            half2 east = __halves2half2(__high2half(here), right);
            half2 north = j == 0 ? here : old[c - nx];
            half2 south = j == ny - 1 ? here : old[c + nx];
            half2 sum = __hfma2(both(cc), here, __hmul2(both(heating), power[c]));
            sum = __hadd2(sum, __hfma2(x, west, __hmul2(x, east)));
            sum = __hadd2(sum, __hfma2(y, north, __hmul2(y, south)));
            sum = __hadd2(sum, __hfma2(z, below, __hmul2(z, above)));
            next[c] = __hadd2(sum, warm);
            below = here;
            here = above;
        }
    }
}

// multipliers and eliminate: a step of the gaussian elimination. Element (row, column) of a matrix
// is at row + n * column.

KERNEL multipliers_f32(size_t n, size_t step, const float *__restrict__ a, float *m) {
    size_t x = thread_x();
    if (x < n - 1 - step) {
        size_t i = x + step + 1 + n * step;
        m[i] = a[i] / a[n * step + step];
    }
}

// Rows up to the step have the multiplier 0.
KERNEL multipliers_f16x2(size_t n, size_t step, const half2 *__restrict__ a, half2 *m) {
    size_t row = thread_x() + (step + 1) / 2;
    if (row < n) {
        half2 pivot = both(((const half *)a)[2 * n * step + step]);
        half2 x = __h2div(a[row + n * step], pivot);
        m[row + n * step] = 2 * row > step ? x : __halves2half2(__float2half(0), __high2half(x));
    }
}

KERNEL eliminate_f32(size_t n, size_t step, const float *__restrict__ m, float *a, float *b) {
    size_t x = thread_x(), y = thread_y();
    if (x < n - 1 - step && y < n - step) {
        size_t row = x + 1 + step;
        a[row + n * (y + step)] -= m[row + n * step] * a[step + n * (y + step)];
        if (y == 0) b[row] -= m[row + n * step] * b[step];
    }
}

KERNEL eliminate_f16x2(size_t n, size_t step, const half2 *__restrict__ m, half2 *a, half2 *b) {
    size_t row = thread_x() + (step + 1) / 2, y = thread_y();
    if (row < n && y < 2 * n - step) {
        half2 *element = a + row + n * (y + step), factor = __hneg2(m[row + n * step]);
        half above = ((const half *)a)[step + 2 * n * (y + step)];
        *element = __hfma2(factor, both(above), *element);
        if (y == 0) b[row] = __hfma2(factor, both(((const half *)b)[step]), b[row]);
    }
}

// forces: lavaMD, a box per block.

KERNEL forces_f32(size_t particles, const int *__restrict__ first, const int *__restrict__ near,
                  float a2, const float *__restrict__ x, const float *__restrict__ y,
                  const float *__restrict__ z, const float *__restrict__ v,
                  const float *__restrict__ q, float *fv, float *fx, float *fy, float *fz) {
    size_t t = thread_x();
    int home = blockIdx.x;
    float sv = 0, sx = 0, sy = 0, sz = 0;
    for (int k = first[home]; k < first[home + 1]; k++) {
        size_t other = near[k] * particles;
        for (size_t j = other; j < other + particles; j++) {
            float r2 = v[t] + v[j] - (x[t] * x[j] + y[t] * y[j] + z[t] * z[j]);
            float u = __expf(-a2 * r2), f = 2 * u;
            sv += q[j] * u;
            sx += q[j] * (f * (x[t] - x[j]));
            sy += q[j] * (f * (y[t] - y[j]));
            sz += q[j] * (f * (z[t] - z[j]));
        }
    }
    fv[t] = sv;
    fx[t] = sx;
    fy[t] = sy;
    fz[t] = sz;
}

// An iteration loads two particles.
KERNEL forces_f16x2(size_t particles, const int *__restrict__ first, const int *__restrict__ near,
                    float a2, const half2 *__restrict__ x, const half2 *__restrict__ y,
                    const half2 *__restrict__ z, const half2 *__restrict__ v,
                    const half2 *__restrict__ q, half2 *fv, half2 *fx, half2 *fy, half2 *fz) {
    size_t t = thread_x();
    int home = blockIdx.x;
    half2 sv = both(0.0f), sx = sv, sy = sv, sz = sv;
    half2 a = both(-a2 * 1.4426950408889634f), xt = x[t], yt = y[t], zt = z[t], vt = v[t];
    for (int k = first[home]; k < first[home + 1]; k++) {
        size_t other = near[k] * particles;
        for (size_t j = other; j < other + particles; j++) {
            half2 xs = x[j], ys = y[j], zs = z[j], vs = v[j], qs = q[j];
            for (int high = 0; high < 2; high++) {
                half2 xj = high ? __high2half2(xs) : __low2half2(xs);
                half2 yj = high ? __high2half2(ys) : __low2half2(ys);
                half2 zj = high ? __high2half2(zs) : __low2half2(zs);
                half2 vj = high ? __high2half2(vs) : __low2half2(vs);
                half2 qj = high ? __high2half2(qs) : __low2half2(qs);
                half2 dot = __hfma2(xt, xj, __hfma2(yt, yj, __hmul2(zt, zj)));
                half2 u = h2exp2(__hmul2(a, __hsub2(__hadd2(vt, vj), dot)));
                half2 f = __hmul2(qj, __hadd2(u, u));
                sv = __hfma2(qj, u, sv);
                sx = __hfma2(f, __hsub2(xt, xj), sx);
                sy = __hfma2(f, __hsub2(yt, yj), sy);
                sz = __hfma2(f, __hsub2(zt, zj), sz);
            }
        }
    }
    fv[t] = sv;
    fx[t] = sx;
    fy[t] = sy;
    fz[t] = sz;
}

// gain: streamcluster, the gain of opening another centre.

KERNEL gain_f32(size_t n, size_t dimensions, size_t centres, size_t candidate,
                const float *__restrict__ point, const float *__restrict__ weight,
                const float *__restrict__ cost, const int *__restrict__ assigned,
                const int *__restrict__ slot, int *switches, float *saved) {
    size_t t = thread_x();
    if (t < n) {
        float s = 0;
        for (size_t i = 0; i < dimensions; i++) {
            float d = point[t + i * n] - point[candidate + i * n];
            s += d * d;
        }
        float there = s * weight[t], change = there - cost[t], *row = saved + t * (centres + 1);
        if (there < cost[t]) {
            switches[t] = 1;
            row[centres] += change;
        } else {
            row[slot[assigned[t]]] += change;
        }
    }
}

__device__ inline void move(half there, half cost, half change, size_t centres, int assigned,
                            const int *slot, int *switches, half *row) {
    if (__hlt(there, cost)) {
        *switches = 1;
        row[centres] = __hadd(row[centres], change);
    } else {
        int own = slot[assigned];
        row[own] = __hadd(row[own], change);
    }
}

KERNEL gain_f16x2(size_t n, size_t dimensions, size_t centres, size_t candidate,
                  const half2 *__restrict__ point, const half2 *__restrict__ weight,
                  const half2 *__restrict__ cost, const int2 *__restrict__ assigned,
                  const int *__restrict__ slot, int *switches, half *saved) {
    size_t t = thread_x();
    if (t < n) {
        const half *single = (const half *)point;
        half2 s = both(0.0f);
        for (size_t i = 0; i < dimensions; i++) {
            half2 d = __hsub2(point[t + i * n], both(single[candidate + 2 * i * n]));
            s = __hfma2(d, d, s);
        }
        half2 old = cost[t], there = __hmul2(s, weight[t]), change = __hsub2(there, old);
        half *row = saved + 2 * t * (centres + 1);
        int2 home = assigned[t];
        move(__low2half(there), __low2half(old), __low2half(change), centres, home.x, slot,
             switches + 2 * t, row);
        move(__high2half(there), __high2half(old), __high2half(change), centres, home.y, slot,
             switches + 2 * t + 1, row + centres + 1);
    }
}

// adjust: the step of backprop that adjusts the weights.

KERNEL adjust_f32(size_t units, size_t inputs, float eta, float momentum,
                  const float *__restrict__ delta, const float *__restrict__ input, float *weight,
                  float *last) {
    size_t x = thread_x(), y = thread_y();
    if (x < units && y < inputs) {
        size_t i = y * units + x;
        float change = eta * delta[x] * input[y] + momentum * last[i];
        weight[i] += change;
        last[i] = change;
    }
}

KERNEL adjust_f16x2(size_t units, size_t inputs, float eta, float momentum,
                    const half2 *__restrict__ delta, const half *__restrict__ input, half2 *weight,
                    half2 *last) {
    size_t x = thread_x(), y = thread_y();
    if (x < units && y < inputs) {
        size_t i = y * units + x;
        half2 share = __hmul2(both(eta), delta[x]);
        half2 change = __hfma2(share, both(input[y]), __hmul2(both(momentum), last[i]));
        weight[i] = __hadd2(weight[i], change);
        last[i] = change;
    }
}

// fold: binomialOptions, a tree of 256 steps per thread.

KERNEL fold_f32(size_t n, float rate, float volatility, const float *__restrict__ stock,
                const float *__restrict__ strike, const float *__restrict__ years, float *out) {
    size_t t = thread_x();
    if (t < n) {
        float dt = years[t] / 256, log_step = volatility * sqrtf(dt);
        float u = __expf(log_step), d = __expf(-log_step), discount = __expf(-rate * dt);
        float up = (1 - discount * d) / (u - d), down = discount - up;
        float level[257];
        for (int i = 0; i < 257; i++) {
            float price = stock[t] * __expf(log_step * (2 * i - 256));
            level[i] = fmaxf(price - strike[t], 0);
        }
        for (int step = 0; step < 256; step++)
            for (int i = 0; i < 256 - step; i++) level[i] = up * level[i + 1] + down * level[i];
        out[t] = level[0];
    }
}

KERNEL fold_f16x2(size_t n, float rate, float volatility, const half2 *__restrict__ stock,
                  const half2 *__restrict__ strike, const half2 *__restrict__ years, half2 *out) {
    size_t t = thread_x();
    if (t < n) {
        half2 dt = __hmul2(years[t], both(1.0f / 256));
        half2 log_step = __hmul2(both(volatility), h2sqrt(dt));
        half2 u = exp2x(log_step), d = exp2x(__hneg2(log_step));
        half2 discount = exp2x(__hmul2(both(-rate), dt));
        half2 up = __h2div(__hsub2(both(1.0f), __hmul2(discount, d)), __hsub2(u, d));
        half2 down = __hsub2(discount, up), s = stock[t], x = strike[t];
        half2 level[257];
        for (int i = 0; i < 257; i++) {
            half2 price = __hmul2(s, exp2x(__hmul2(log_step, both((float)(2 * i - 256)))));
            level[i] = __hmax2(__hsub2(price, x), both(0.0f));
        }
        for (int step = 0; step < 256; step++)
            for (int i = 0; i < 256 - step; i++)
                level[i] = __hfma2(up, level[i + 1], __hmul2(down, level[i]));
        out[t] = level[0];
    }
}

// flux: cfd, the flux through the four sides of an element.

template <typename F> struct State {
    F d, mx, my, mz, e, vx, vy, vz, p, fastest;
};

template <typename F> struct Flux {
    F d, x, y, z, e;
};

__device__ inline State<float> state(float d, float mx, float my, float mz, float e) {
    float vx = mx / d, vy = my / d, vz = mz / d, square = vx * vx + vy * vy + vz * vz;
    float p = 0.4f * (e - 0.5f * d * square);
    return {d, mx, my, mz, e, vx, vy, vz, p, sqrtf(square) + sqrtf(1.4f * p / d)};
}

// Adds the mean of the fluxes of two elements, along each axis.
__device__ inline void add_mean(Flux<float> &f, const State<float> &a, const State<float> &b,
                                float nx, float ny, float nz) {
    float hx = 0.5f * nx, hy = 0.5f * ny, hz = 0.5f * nz;
    f.d += hx * (a.mx + b.mx) + hy * (a.my + b.my) + hz * (a.mz + b.mz);
    float ea = a.e + a.p, eb = b.e + b.p;
    f.e += hx * (a.vx * ea + b.vx * eb) + hy * (a.vy * ea + b.vy * eb);
    f.e += hz * (a.vz * ea + b.vz * eb);
    float xy = a.vx * a.my + b.vx * b.my, xz = a.vx * a.mz + b.vx * b.mz;
    float yz = a.vy * a.mz + b.vy * b.mz, pp = a.p + b.p;
    f.x += hx * (a.vx * a.mx + b.vx * b.mx + pp) + hy * xy + hz * xz;
    f.y += hx * xy + hy * (a.vy * a.my + b.vy * b.my + pp) + hz * yz;
    f.z += hx * xz + hy * yz + hz * (a.vz * a.mz + b.vz * b.mz + pp);
}

KERNEL flux_f32(size_t n, const int *__restrict__ near, const float *__restrict__ normal,
                const float *__restrict__ far, const float *__restrict__ v, float *out) {
    size_t i = thread_x();
    if (i < n) {
        State<float> a = state(v[i], v[i + n], v[i + 2 * n], v[i + 3 * n], v[i + 4 * n]);
        Flux<float> f = {0, 0, 0, 0, 0};
        for (int side = 0; side < 4; side++) {
            float nx = normal[i + (side * 3) * n], ny = normal[i + (side * 3 + 1) * n];
            float nz = normal[i + (side * 3 + 2) * n];
            int other = near[i + side * n];
            if (other >= 0) {
                size_t j = other;
                State<float> b = state(v[j], v[j + n], v[j + 2 * n], v[j + 3 * n], v[j + 4 * n]);
                float area = sqrtf(nx * nx + ny * ny + nz * nz);
                float smoothing = -0.1f * area * (a.fastest + b.fastest);
                f.d += smoothing * (a.d - b.d);
                f.x += smoothing * (a.mx - b.mx);
                f.y += smoothing * (a.my - b.my);
                f.z += smoothing * (a.mz - b.mz);
                f.e += smoothing * (a.e - b.e);
                add_mean(f, a, b, nx, ny, nz);
            } else if (other == -1) {
                f.x += nx * a.p;
                f.y += ny * a.p;
                f.z += nz * a.p;
            } else if (other == -2) {
                add_mean(f, a, state(far[0], far[1], far[2], far[3], far[4]), nx, ny, nz);
            }
        }
        out[i] = f.d;
        out[i + n] = f.x;
        out[i + 2 * n] = f.y;
        out[i + 3 * n] = f.z;
        out[i + 4 * n] = f.e;
    }
}

__device__ inline State<half2> state(half2 d, half2 mx, half2 my, half2 mz, half2 e) {
    half2 vx = __h2div(mx, d), vy = __h2div(my, d), vz = __h2div(mz, d);
    half2 square = __hfma2(vx, vx, __hfma2(vy, vy, __hmul2(vz, vz)));
    half2 p = __hmul2(both(0.4f), __hsub2(e, __hmul2(__hmul2(both(0.5f), d), square)));
    half2 sound = h2sqrt(__h2div(__hmul2(both(1.4f), p), d));
    return {d, mx, my, mz, e, vx, vy, vz, p, __hadd2(h2sqrt(square), sound)};
}

__device__ inline void add_mean(Flux<half2> &f, const State<half2> &a, const State<half2> &b,
                                half2 nx, half2 ny, half2 nz) {
    half2 h = both(0.5f), hx = __hmul2(h, nx), hy = __hmul2(h, ny), hz = __hmul2(h, nz);
    f.d = __hfma2(hx, __hadd2(a.mx, b.mx), f.d);
    f.d = __hfma2(hy, __hadd2(a.my, b.my), __hfma2(hz, __hadd2(a.mz, b.mz), f.d));
    half2 ea = __hadd2(a.e, a.p), eb = __hadd2(b.e, b.p);
    f.e = __hfma2(hx, __hfma2(a.vx, ea, __hmul2(b.vx, eb)), f.e);
    f.e = __hfma2(hy, __hfma2(a.vy, ea, __hmul2(b.vy, eb)), f.e);
    f.e = __hfma2(hz, __hfma2(a.vz, ea, __hmul2(b.vz, eb)), f.e);
    half2 xx = __hfma2(a.vx, a.mx, __hfma2(b.vx, b.mx, __hadd2(a.p, b.p)));
    half2 yy = __hfma2(a.vy, a.my, __hfma2(b.vy, b.my, __hadd2(a.p, b.p)));
    half2 zz = __hfma2(a.vz, a.mz, __hfma2(b.vz, b.mz, __hadd2(a.p, b.p)));
    half2 xy = __hfma2(a.vx, a.my, __hmul2(b.vx, b.my));
    half2 xz = __hfma2(a.vx, a.mz, __hmul2(b.vx, b.mz));
    half2 yz = __hfma2(a.vy, a.mz, __hmul2(b.vy, b.mz));
    f.x = __hfma2(hx, xx, __hfma2(hy, xy, __hfma2(hz, xz, f.x)));
    f.y = __hfma2(hx, xy, __hfma2(hy, yy, __hfma2(hz, yz, f.y)));
    f.z = __hfma2(hx, xz, __hfma2(hy, yz, __hfma2(hz, zz, f.z)));
}

// A normal of zero takes a half out of a case that only the other half has.
KERNEL flux_f16x2(size_t n, const int2 *__restrict__ near, const half2 *__restrict__ normal,
                  const half *__restrict__ far, const half2 *__restrict__ v, half2 *out) {
    size_t i = thread_x();
    if (i < n) {
        State<half2> a = state(v[i], v[i + n], v[i + 2 * n], v[i + 3 * n], v[i + 4 * n]);
        half2 zero = both(0.0f);
        Flux<half2> f = {zero, zero, zero, zero, zero};
        for (int side = 0; side < 4; side++) {
            half2 nx = normal[i + (side * 3) * n], ny = normal[i + (side * 3 + 1) * n];
            half2 nz = normal[i + (side * 3 + 2) * n];
            int2 other = near[i + side * n];
            if (other.x >= 0 || other.y >= 0) {
                // A half without a neighbour takes element 0.
                const half *low = (const half *)v + max(other.x, 0);
                const half *high = (const half *)v + max(other.y, 0);
                half2 q[5];
                for (int k = 0; k < 5; k++) q[k] = __halves2half2(low[2 * k * n], high[2 * k * n]);
                State<half2> b = state(q[0], q[1], q[2], q[3], q[4]);
                unsigned mask = (other.x >= 0 ? 0xffff : 0) | (other.y >= 0 ? 0xffff0000 : 0);
                half2 x = select2(mask, nx, zero), y = select2(mask, ny, zero);
                half2 z = select2(mask, nz, zero);
                half2 area = h2sqrt(__hfma2(x, x, __hfma2(y, y, __hmul2(z, z))));
                half2 smoothing = __hmul2(both(-0.1f), area);
                smoothing = __hmul2(smoothing, __hadd2(a.fastest, b.fastest));
                f.d = __hfma2(smoothing, __hsub2(a.d, b.d), f.d);
                f.x = __hfma2(smoothing, __hsub2(a.mx, b.mx), f.x);
                f.y = __hfma2(smoothing, __hsub2(a.my, b.my), f.y);
                f.z = __hfma2(smoothing, __hsub2(a.mz, b.mz), f.z);
                f.e = __hfma2(smoothing, __hsub2(a.e, b.e), f.e);
                add_mean(f, a, b, x, y, z);
            }
            if (other.x == -1 || other.y == -1) {
                unsigned mask = (other.x == -1 ? 0xffff : 0) | (other.y == -1 ? 0xffff0000 : 0);
                f.x = __hfma2(select2(mask, nx, zero), a.p, f.x);
                f.y = __hfma2(select2(mask, ny, zero), a.p, f.y);
                f.z = __hfma2(select2(mask, nz, zero), a.p, f.z);
            }
            if (other.x == -2 || other.y == -2) {
                unsigned mask = (other.x == -2 ? 0xffff : 0) | (other.y == -2 ? 0xffff0000 : 0);
                State<half2> b =
                    state(both(far[0]), both(far[1]), both(far[2]), both(far[3]), both(far[4]));
                half2 x = select2(mask, nx, zero), y = select2(mask, ny, zero);
                add_mean(f, a, b, x, y, select2(mask, nz, zero));
            }
        }
        out[i] = f.d;
        out[i + n] = f.x;
        out[i + 2 * n] = f.y;
        out[i + 3 * n] = f.z;
        out[i + 4 * n] = f.e;
    }
}
