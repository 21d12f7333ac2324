"""Adds type stubs of the configurations' classes to what is installed, where a gsim program is found (gsim/stubs.py)."""
import importlib
import pathlib
import sys
import types

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithStubs(build_py):
    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return  # python -m gsim stubs writes them into the source tree
        # The package without its __init__, which imports packages that an isolated build has not.
        package = types.ModuleType("gsim")
        package.__path__ = [str(pathlib.Path(__file__).resolve().parent / "gsim")]
        sys.modules["gsim"] = package
        program, stubs = (importlib.import_module(f"gsim.{name}") for name in ("program", "stubs"))
        try:
            found = program.Program()
        except program.ProgramError as error:
            print(f"no type stubs: {error}; the first import of a module writes them")
            return
        stubs.write_all(found, pathlib.Path(self.build_lib) / "gsim" / "modules")


setup(cmdclass={"build_py": BuildWithStubs})
