"""cuda.bindings: a texture and a surface of an array, a texture of linear memory, and CUDA C++."""

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

SOURCE = r"""
// Rotates an image by linear interpolation.
extern "C" __global__ void rotate(cudaTextureObject_t image, float *out, float sine, float cosine) {
    float x = threadIdx.x - 7.5f, y = threadIdx.y - 7.5f;
    float u = __fmaf_rn(x, cosine, -(y * sine)) + 8.0f, v = __fmaf_rn(x, sine, y * cosine) + 8.0f;
    out[threadIdx.y * 16 + threadIdx.x] = tex2D<float>(image, u, v);
}
// Looks up bytes of a table, also beyond its end.
extern "C" __global__ void look(cudaTextureObject_t table, unsigned *out) {
    out[threadIdx.x] = tex1Dfetch<unsigned char>(table, threadIdx.x);
}
// Mirrors an image in place, by a surface.
extern "C" __global__ void mirror(cudaSurfaceObject_t image) {
    float left, right;
    int x = 4 * threadIdx.x, y = threadIdx.y;
    surf2Dread(&left, image, x, y);
    surf2Dread(&right, image, 60 - x, y);
    surf2Dwrite(left, image, 60 - x, y);
    surf2Dwrite(right, image, x, y);
}
"""


def call(function, *arguments):
    code, *results = function(*arguments)
    assert code == driver.CUresult.CUDA_SUCCESS, (function.__name__, code)
    return results[0] if results else None


def copy_rows(array, host, into_array):
    copy = driver.CUDA_MEMCPY2D()
    copy.WidthInBytes, copy.Height = host.strides[0], host.shape[0]
    memory = driver.CUmemorytype
    if into_array:
        copy.srcMemoryType, copy.dstMemoryType = memory.CU_MEMORYTYPE_HOST, memory.CU_MEMORYTYPE_ARRAY
        copy.srcHost, copy.srcPitch, copy.dstArray = host.ctypes.data, host.strides[0], array
    else:
        copy.srcMemoryType, copy.dstMemoryType = memory.CU_MEMORYTYPE_ARRAY, memory.CU_MEMORYTYPE_HOST
        copy.dstHost, copy.dstPitch, copy.srcArray = host.ctypes.data, host.strides[0], array
    call(driver.cuMemcpy2D, copy)


def rotated(image, sine, cosine):
    """The definition: weights in steps of 1/256, zeros beyond the border, one rounding."""
    y, x = np.mgrid[0:16, 0:16] - np.float64(7.5)
    f32 = np.float32
    u = (x * cosine - (y * sine).astype(f32)).astype(f32) + f32(8)
    v = (x * sine + (y * cosine).astype(f32)).astype(f32) + f32(8)
    steps = [np.floor((t.astype(np.float64) - 0.5) * 256 + 0.5).astype(int) for t in (u, v)]
    padded = np.zeros((64, 64))
    padded[24:40, 24:40] = image
    total = np.zeros((16, 16))
    for j in range(2):
        for i in range(2):
            weight = np.ones((16, 16))
            for step, one in zip(steps, (i, j)):
                a = step % 256
                weight = weight * (a if one else 256 - a) / 256
            total += weight * padded[24 + (steps[1] >> 8) + j, 24 + (steps[0] >> 8) + i]
    return total.astype(f32)


def main():
    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    module = Program(SOURCE, "c++", options).compile("ptx")
    kernels = {name: module.get_kernel(name) for name in ("rotate", "look", "mirror")}
    image = np.random.default_rng(7).integers(0, 256, (16, 16)).astype(np.float32)

    descriptor = driver.CUDA_ARRAY3D_DESCRIPTOR()
    descriptor.Width, descriptor.Height, descriptor.Depth = 16, 16, 0
    descriptor.Format, descriptor.NumChannels = driver.CUarray_format.CU_AD_FORMAT_FLOAT, 1
    descriptor.Flags = driver.CUDA_ARRAY3D_SURFACE_LDST
    array = call(driver.cuArray3DCreate, descriptor)
    copy_rows(array, image, True)
    of_array = driver.CUDA_RESOURCE_DESC()
    of_array.resType = driver.CUresourcetype.CU_RESOURCE_TYPE_ARRAY
    of_array.res.array.hArray = array
    how = driver.CUDA_TEXTURE_DESC()
    how.addressMode = [driver.CUaddress_mode.CU_TR_ADDRESS_MODE_BORDER] * 3
    how.filterMode = driver.CUfilter_mode.CU_TR_FILTER_MODE_LINEAR
    texture = call(driver.cuTexObjectCreate, of_array, how, None)
    surface = call(driver.cuSurfObjectCreate, of_array)

    out = device.memory_resource.allocate(1024, stream=stream)
    block = LaunchConfig(grid=1, block=(16, 16))
    sine, cosine = np.float32(0.6), np.float32(0.8)
    launch(stream, block, kernels["rotate"], np.uint64(int(texture)), out, sine, cosine)
    stream.sync()
    found = np.empty((16, 16), np.float32)
    call(driver.cuMemcpyDtoH, found.ctypes.data, int(out.handle), found.nbytes)
    assert (found == rotated(image, np.float64(sine), np.float64(cosine))).all()

    launch(stream, LaunchConfig(grid=1, block=(8, 16)), kernels["mirror"], np.uint64(int(surface)))
    stream.sync()
    copy_rows(array, found, False)
    assert (found == image[:, ::-1]).all()

    table = np.arange(100, 200, dtype=np.uint8)
    memory = device.memory_resource.allocate(table.nbytes, stream=stream)
    call(driver.cuMemcpyHtoD, int(memory.handle), table.ctypes.data, table.nbytes)
    linear = driver.CUDA_RESOURCE_DESC()
    linear.resType = driver.CUresourcetype.CU_RESOURCE_TYPE_LINEAR
    linear.res.linear.devPtr = int(memory.handle)
    linear.res.linear.format = driver.CUarray_format.CU_AD_FORMAT_UNSIGNED_INT8
    linear.res.linear.numChannels, linear.res.linear.sizeInBytes = 1, table.nbytes
    how = driver.CUDA_TEXTURE_DESC()
    how.flags = driver.CU_TRSF_READ_AS_INTEGER
    bytes_ = call(driver.cuTexObjectCreate, linear, how, None)
    launch(stream, LaunchConfig(grid=1, block=128), kernels["look"], np.uint64(int(bytes_)), out)
    stream.sync()
    found = np.empty(128, np.uint32)
    call(driver.cuMemcpyDtoH, found.ctypes.data, int(out.handle), found.nbytes)
    assert (found[:100] == table).all() and (found[100:] == 0).all()
    for destroy, made in [
        (driver.cuTexObjectDestroy, texture),
        (driver.cuTexObjectDestroy, bytes_),
        (driver.cuSurfObjectDestroy, surface),
        (driver.cuArrayDestroy, array),
    ]:
        call(destroy, made)


main()
