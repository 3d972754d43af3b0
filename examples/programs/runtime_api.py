"""Compiles programs of the runtime API by nvcc, as for a GPU, and runs them without a change."""

import pathlib
import subprocess
import tempfile

import nvidia

toolkit = pathlib.Path(nvidia.__path__[0]) / "cu13"
programs = pathlib.Path(__file__).parent

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    # The packages of PyPI lack the name that the linker searches for.
    (folder / "libcudart.so").symlink_to(toolkit / "lib/libcudart.so.13")
    nvcc = [toolkit / "bin/nvcc", "-cudart", "shared", "-I", toolkit / "include/cccl"]
    libraries = ["-L", folder, "-L", toolkit / "lib"]
    for name, *options in (
        ("runtime_api", "-arch=sm_90"),
        ("runtime_api", "-rdc=true", "-gencode", "arch=compute_75,code=compute_75"),
        ("runtime_textures", "-arch=sm_90"),
    ):
        program = folder / name
        source = programs / f"{name}.cu"
        subprocess.run([*nvcc, *options, source, "-o", program, *libraries], check=True)
        found = subprocess.run([program], text=True, capture_output=True)
        print(name, *options)
        print(found.stdout, found.stderr, sep="\n")
        assert found.returncode == 0 and found.stdout.endswith("all results are right\n")
        # The loader prints so if it does not find the version of the library's functions.
        assert "no version information" not in found.stderr
