// A program of CUDA's runtime API with arrays: a picture that a texture filters, layers, a volume,
// linear memory and rows as textures, and a surface. It exits with 0 if every result is right.
#include <cstdio>
#include <cstdlib>
#include <vector>

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

constexpr int WIDTH = 6, HEIGHT = 4, DEPTH = 3;

// The value half a texel to the right of, and below, each texel's middle.
__global__ void between(cudaTextureObject_t picture, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * WIDTH + x] = tex2D<float>(picture, x + 1.0f, y + 1.0f);
}

__global__ void layers(cudaTextureObject_t picture, float2 *out) {
    int x = threadIdx.x, y = threadIdx.y, layer = threadIdx.z;
    out[(layer * HEIGHT + y) * WIDTH + x] = tex2DLayered<float2>(picture, x + 0.5f, y + 0.5f, layer);
}

__global__ void volume(cudaTextureObject_t bytes, float *out) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * HEIGHT + y) * WIDTH + x] = tex3D<float>(bytes, x + 0.5f, y + 0.5f, z + 0.5f);
}

__global__ void reversed(cudaTextureObject_t numbers, int n, int *out) {
    out[threadIdx.x] = tex1Dfetch<int>(numbers, n - 1 - threadIdx.x);
}

__global__ void turned(cudaTextureObject_t rows, cudaSurfaceObject_t surface) {
    int x = threadIdx.x, y = threadIdx.y;
    short value = tex2D<short>(rows, x + 0.5f, y + 0.5f);
    surf2Dwrite<short>(value * 2, surface, (WIDTH - 1 - x) * sizeof(short), HEIGHT - 1 - y);
}

cudaTextureObject_t texture(const cudaResourceDesc &resource, cudaTextureFilterMode filter, cudaTextureReadMode mode) {
    cudaTextureDesc description = {};
    for (auto &axis : description.addressMode) {
        axis = cudaAddressModeClamp;
    }
    description.filterMode = filter;
    description.readMode = mode;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
    return object;
}

cudaResourceDesc of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

int main() {
    const int texels = WIDTH * HEIGHT, all = texels * DEPTH;
    float *out;
    CHECK(cudaMallocManaged(&out, 2 * all * sizeof(float)));

    // A picture with the linear filter: means of four texels, whose sums are exact.
    std::vector<float> picture(texels);
    for (int i = 0; i < texels; ++i) {
        picture[i] = float(i * i % 17);
    }
    cudaArray_t plane;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&plane, &floats, WIDTH, HEIGHT));
    const size_t row = WIDTH * sizeof(float);
    CHECK(cudaMemcpy2DToArray(plane, 0, 0, picture.data(), row, row, HEIGHT, cudaMemcpyHostToDevice));
    cudaTextureObject_t filtered = texture(of(plane), cudaFilterModeLinear, cudaReadModeElementType);
    between<<<1, dim3(WIDTH, HEIGHT)>>>(filtered, out);
    CHECK(cudaDeviceSynchronize());
    auto at = [&](int x, int y) { return picture[std::min(y, HEIGHT - 1) * WIDTH + std::min(x, WIDTH - 1)]; };
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            EXPECT(out[y * WIDTH + x] == (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4);
        }
    }
    cudaChannelFormatDesc channels;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&channels, &extent, &flags, plane));
    EXPECT(channels.x == 32 && channels.y == 0 && channels.f == cudaChannelFormatKindFloat);
    EXPECT(extent.width == WIDTH && extent.height == HEIGHT && extent.depth == 0 && flags == cudaArrayDefault);

    // Layers of two channels, copied at once.
    std::vector<float2> pairs(all);
    for (int i = 0; i < all; ++i) {
        pairs[i] = make_float2(float(i), -float(i));
    }
    cudaArray_t layered;
    const cudaChannelFormatDesc two = cudaCreateChannelDesc<float2>();
    CHECK(cudaMalloc3DArray(&layered, &two, make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(pairs.data(), WIDTH * sizeof(float2), WIDTH, HEIGHT);
    copy.dstArray = layered;
    copy.extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaTextureObject_t planes = texture(of(layered), cudaFilterModePoint, cudaReadModeElementType);
    layers<<<1, dim3(WIDTH, HEIGHT, DEPTH)>>>(planes, reinterpret_cast<float2 *>(out));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < all; ++i) {
        EXPECT(out[2 * i] == float(i) && out[2 * i + 1] == -float(i));
    }

    // A volume of bytes, which are read as fractions.
    std::vector<unsigned char> bytes(all);
    for (int i = 0; i < all; ++i) {
        bytes[i] = 3 * i;
    }
    cudaArray_t box;
    const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
    CHECK(cudaMalloc3DArray(&box, &byte, make_cudaExtent(WIDTH, HEIGHT, DEPTH)));
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), WIDTH, WIDTH, HEIGHT);
    copy.dstArray = box;
    CHECK(cudaMemcpy3D(&copy));
    cudaTextureObject_t fractions = texture(of(box), cudaFilterModePoint, cudaReadModeNormalizedFloat);
    volume<<<1, dim3(WIDTH, HEIGHT, DEPTH)>>>(fractions, out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < all; ++i) {
        EXPECT(out[i] == float(bytes[i]) / 255.0f);
    }

    // Linear memory, and rows of it.
    std::vector<int> numbers(64);
    for (int i = 0; i < 64; ++i) {
        numbers[i] = i * i;
    }
    int *linear;
    CHECK(cudaMalloc(&linear, 64 * sizeof(int)));
    CHECK(cudaMemcpy(linear, numbers.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 64 * sizeof(int);
    cudaTextureObject_t line = texture(resource, cudaFilterModePoint, cudaReadModeElementType);
    int *found = reinterpret_cast<int *>(out);
    reversed<<<1, 64>>>(line, 64, found);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
        EXPECT(found[i] == numbers[63 - i]);
    }
    short *rows;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, WIDTH * sizeof(short), HEIGHT));
    std::vector<short> shorts(texels), back(texels);
    for (int i = 0; i < texels; ++i) {
        shorts[i] = 100 - 7 * i;
    }
    const size_t width = WIDTH * sizeof(short);
    CHECK(cudaMemcpy2D(rows, pitch, shorts.data(), width, width, HEIGHT, cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<short>();
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t pitched = texture(resource, cudaFilterModePoint, cudaReadModeElementType);
    cudaResourceDesc same;
    CHECK(cudaGetTextureObjectResourceDesc(&same, pitched));
    EXPECT(same.resType == cudaResourceTypePitch2D && same.res.pitch2D.desc.x == 16);
    EXPECT(same.res.pitch2D.devPtr == rows && same.res.pitch2D.width == WIDTH && same.res.pitch2D.pitchInBytes == pitch);

    // A surface, and copies between arrays.
    cudaArray_t target, other;
    const cudaChannelFormatDesc word = cudaCreateChannelDesc<short>();
    CHECK(cudaMallocArray(&target, &word, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&other, &word, WIDTH, HEIGHT));
    cudaSurfaceObject_t surface;
    cudaResourceDesc storage = of(target);
    CHECK(cudaCreateSurfaceObject(&surface, &storage));
    turned<<<1, dim3(WIDTH, HEIGHT)>>>(pitched, surface);
    CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, target, 0, 0, width, HEIGHT));
    CHECK(cudaMemcpy2DFromArray(back.data(), width, other, 0, 0, width, HEIGHT, cudaMemcpyDeviceToHost));
    for (int i = 0; i < texels; ++i) {
        EXPECT(back[i] == 2 * shorts[texels - 1 - i]);
    }

    // Wrong calls.
    cudaArray_t none;
    const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    EXPECT(cudaMallocArray(&none, &three, WIDTH, HEIGHT) == cudaErrorInvalidChannelDescriptor);
    EXPECT(cudaMemcpy2DToArray(plane, 0, 1, picture.data(), row, row, HEIGHT, cudaMemcpyHostToDevice)
           == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

    for (cudaTextureObject_t object : {filtered, planes, fractions, line, pitched}) {
        CHECK(cudaDestroyTextureObject(object));
    }
    CHECK(cudaDestroySurfaceObject(surface));
    for (cudaArray_t array : {plane, layered, box, target, other}) {
        CHECK(cudaFreeArray(array));
    }
    CHECK(cudaFree(linear));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(out));
    std::puts("all results are right");
}
