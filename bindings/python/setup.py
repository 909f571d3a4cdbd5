# SPDX-License-Identifier: MIT
"""How pip builds the package: CMake builds the module from the repository around this folder, as `make python` does."""

import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version():
    """The version, which is only in the header."""
    header = (ROOT / "include" / "posse.h").read_text()
    return ".".join(re.findall(r"^#define POSSE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))


class Build(build_ext):
    """CMake makes the whole package, including the files in Python."""

    def run(self):
        build = pathlib.Path(self.build_temp).resolve()
        made = build / "python"
        settings = [f"-DPYTHON={sys.executable}", f"-DPYTHON_PACKAGE={made}"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DPOSSE_MPI=OFF", "-DPOSSE_SERVE=OFF", *settings], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "python", "--parallel"], check=True)
        shutil.copytree(made / "posse", pathlib.Path(self.build_lib) / "posse", dirs_exist_ok=True)


setup(
    version=version(),
    packages=["posse"],
    package_data={"posse": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("posse._posse", [], py_limited_api=True)],
    cmdclass={"build_ext": Build},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
