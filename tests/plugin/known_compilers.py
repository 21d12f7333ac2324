"""What CMake has found out about the compilers in one build, for further ones: it takes 2 to 4 s of processor time with nvcc."""
import shutil


def copy_known_compilers(source, build):
    """Copies it from the build folder `source` to `build`, which CMake has not configured yet; returns arguments for CMake."""
    arguments = []
    for found in (source / "CMakeFiles").glob("[0-9]*"):
        shutil.copytree(found, build / "CMakeFiles" / found.name, dirs_exist_ok=True)
        arguments = ["-DCMAKE_PLATFORM_INFO_INITIALIZED=1"]
    return arguments
