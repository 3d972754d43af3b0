// A program of CUDA's runtime API: a reduction, a product of matrices in shared memory, constant
// and managed memory, streams, events and a graph. It exits with 0 if every result is right.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t error = (call);                                                                  \
        if (error != cudaSuccess) {                                                                  \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));    \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

#define EXPECT(condition)                                                                            \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            std::printf("%s:%d: %s is false\n", __FILE__, __LINE__, #condition);                     \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

__constant__ float weights[4];
__device__ unsigned total;
__managed__ int rounds = 3;

template <typename T>
__global__ void sum(const T *x, int n, T *out) {
    __shared__ T partial[8];
    T value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        value += x[i];
    }
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    for (int offset = 16; offset > 0; offset /= 2) {
        value += warp.shfl_down(value, offset);
    }
    if (warp.thread_rank() == 0) {
        partial[warp.meta_group_rank()] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x / 32; ++i) {
            value += partial[i];
        }
        atomicAdd(out, value);
        atomicAdd(&total, 1);
    }
}

constexpr int TILE = 16;

__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float value = 0;
    for (int k = 0; k < n; k += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            value += left[threadIdx.y][i] * right[i][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * n + column] = value;
}

__global__ void weighted(float *x, int n) {
    extern __shared__ float copy[];
    int i = threadIdx.x;
    if (i < n) {
        copy[i] = x[i];
        for (int k = 0; k < rounds; ++k) {
            copy[i] *= weights[i % 4];
        }
        x[i] = copy[i];
    }
    __syncthreads();
    if (i == 0) {
        rounds += 1;
    }
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    std::printf("%s, %d.%d\n", device.name, device.major, device.minor);
    EXPECT(device.warpSize == 32 && device.maxThreadsPerBlock == 1024 && device.sharedMemPerBlockOptin > 48 << 10);

    // A reduction of floats and of integers.
    const int n = 10000;
    std::vector<float> x(n);
    std::vector<int> numbers(n);
    double right = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = float(i % 7) - 3;
        numbers[i] = i;
        right += x[i];
    }
    float *device_x, *device_sum, found;
    CHECK(cudaMalloc(&device_x, n * sizeof(float)));
    CHECK(cudaMalloc(&device_sum, sizeof(float)));
    CHECK(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_sum, 0, sizeof(float)));
    sum<<<8, 256>>>(device_x, n, device_sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found, device_sum, sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(found == right);
    int *device_numbers = reinterpret_cast<int *>(device_x), *device_int = reinterpret_cast<int *>(device_sum), whole;
    CHECK(cudaMemcpy(device_numbers, numbers.data(), n * sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemset(device_int, 0, sizeof(int)));
    sum<<<8, 256>>>(device_numbers, n, device_int);
    CHECK(cudaMemcpy(&whole, device_int, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(whole == n / 2 * (n - 1));
    unsigned blocks;
    CHECK(cudaMemcpyFromSymbol(&blocks, total, sizeof(blocks)));
    EXPECT(blocks == 16);

    // A product in a stream, with rows that are copied apart, and its time.
    const int size = 48;
    std::vector<float> a(size * size), b(size * size), c(size * size);
    for (int i = 0; i < size * size; ++i) {
        a[i] = float(i % 5);
        b[i] = float(i % 11) - 5;
    }
    cudaStream_t stream;
    cudaEvent_t start, end;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    float *device_a, *device_b, *device_c;
    CHECK(cudaMallocAsync(&device_a, sizeof(float) * size * size, stream));
    CHECK(cudaMallocAsync(&device_b, sizeof(float) * size * size, stream));
    CHECK(cudaMallocHost(&device_c, sizeof(float) * size * size));
    const size_t row = sizeof(float) * size;
    CHECK(cudaMemcpy2DAsync(device_a, row, a.data(), row, row, size, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(device_b, b.data(), row * size, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(start, stream));
    product<<<dim3(size / TILE, size / TILE), dim3(TILE, TILE), 0, stream>>>(device_a, device_b, device_c, size);
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    EXPECT(milliseconds >= 0);
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            float value = 0;
            for (int k = 0; k < size; ++k) {
                value += a[i * size + k] * b[k * size + j];
            }
            EXPECT(device_c[i * size + j] == value);
        }
    }
    CHECK(cudaFreeAsync(device_a, stream));
    CHECK(cudaFreeAsync(device_b, stream));
    CHECK(cudaFreeHost(device_c));

    // A captured stream, twice.
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(device_int, 0, sizeof(int), stream));
    sum<<<8, 256, 0, stream>>>(device_numbers, n, device_int);
    CHECK(cudaMemcpyAsync(&whole, device_int, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 2; ++i) {
        whole = 0;
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(whole == n / 2 * (n - 1));
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));

    // Constant, managed and dynamic shared memory.
    const float factors[4] = {1, 2, 0.5, -1};
    CHECK(cudaMemcpyToSymbol(weights, factors, sizeof(factors)));
    CHECK(cudaFuncSetAttribute(weighted, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    rounds = 2;
    CHECK(cudaMemcpy(device_x, x.data(), 128 * sizeof(float), cudaMemcpyHostToDevice));
    weighted<<<1, 128, 60 << 10>>>(device_x, 128);
    CHECK(cudaDeviceSynchronize());
    EXPECT(rounds == 3);
    CHECK(cudaMemcpy(c.data(), device_x, 128 * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; ++i) {
        EXPECT(c[i] == x[i] * factors[i % 4] * factors[i % 4]);
    }

    // Attributes, occupancy, and a wrong launch.
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, product));
    EXPECT(attributes.sharedSizeBytes == 2 * TILE * TILE * sizeof(float) && attributes.maxThreadsPerBlock == 1024);
    int grid, block;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, product));
    EXPECT(grid > 0 && block >= 32);
    product<<<1, 2048>>>(device_a, device_b, device_c, size);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(device_x));
    CHECK(cudaFree(device_sum));
    CHECK(cudaDeviceReset());
    std::puts("all results are right");
}
