// The sum of products of two vectors, a partial sum of each block: shared memory, shuffles, a loop over the grid.

extern "C" __global__ void dot(const float *x, const float *y, float *sums, int n)
{
    __shared__ float warps[32];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum = fmaf(x[i], y[i], sum);
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; warp++)
            sum += warps[warp];
        sums[blockIdx.x] = sum;
    }
}
