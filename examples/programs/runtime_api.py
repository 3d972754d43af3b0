"""Compiles `runtime_api.cu` by nvcc, as for a GPU, and runs the program without a change."""

import pathlib
import subprocess
import tempfile

import nvidia

toolkit = pathlib.Path(nvidia.__path__[0]) / "cu13"
source = pathlib.Path(__file__).with_suffix(".cu")

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    # The packages of PyPI lack the name that the linker searches for.
    (folder / "libcudart.so").symlink_to(toolkit / "lib/libcudart.so.13")
    nvcc = [toolkit / "bin/nvcc", "-cudart", "shared", "-I", toolkit / "include/cccl"]
    libraries = ["-L", folder, "-L", toolkit / "lib"]
    for options in (["-arch=sm_90"], ["-rdc=true", "-gencode", "arch=compute_75,code=compute_75"]):
        program = folder / "runtime_api"
        subprocess.run([*nvcc, *options, source, "-o", program, *libraries], check=True)
        found = subprocess.run([program], text=True, capture_output=True)
        print(*options)
        print(found.stdout, found.stderr, sep="\n")
        assert found.returncode == 0 and found.stdout.endswith("all results are right\n")
        # The loader prints so if it does not find the version of the library's functions.
        assert "no version information" not in found.stderr
