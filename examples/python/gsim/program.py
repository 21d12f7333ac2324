"""Finds the gsim program and calls it."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from .errors import GsimError, ProgramError, RunError, config_error

PathLike = str | os.PathLike[str]


class Program:
    """A gsim program, with the plugins that its commands load.

    Without `path`: the one that the environment variable GSIM names, or `gsim` of PATH, or that of the source tree in which this
    package is. ProgramError if there is none.
    """

    def __init__(self, path: PathLike | None = None, plugins: Iterable[PathLike] = ()) -> None:
        self.path = _find() if path is None else _executable(os.fspath(path))
        self.plugins = [os.path.abspath(plugin) for plugin in plugins]

    def command(self, *arguments: str | PathLike, plugins: bool = True) -> list[str]:
        """The words of a command of gsim, with the plugins where the command takes them."""
        words = [self.path, *(os.fspath(word) for word in arguments)]
        if plugins:
            for plugin in self.plugins:
                words += ["--plugin", plugin]
        return words

    def call(self, *arguments: str | PathLike, plugins: bool = True, allowed: Sequence[int] = (0,),
             cwd: PathLike | None = None) -> str:
        """The standard output of a command. ConfigError for wrong input, RunError for exit codes that are not `allowed`."""
        done = _start(self.command(*arguments, plugins=plugins), cwd)
        if done.returncode in allowed:
            return done.stdout
        if done.returncode == 2:
            raise config_error(done.stderr)
        raise RunError(done.stderr.strip() or f"gsim {arguments[0]} ended with exit code {done.returncode}",
                       done.returncode, done.stderr)

    def schema_text(self, module: str) -> str:
        """The JSON Schema of a module's configurations, or with "batch" that of manifests."""
        if module == "batch":
            return self.call("schema", "--batch", "--json", plugins=False)
        return self.call("schema", module, "--json")

    def modules(self) -> dict[str, str]:
        """The names of all modules, those of the plugins too, and what they are for."""
        return {entry["module"]: entry["doc"] for entry in json.loads(self.call("modules", "--json"))}

    @cached_property
    def version(self) -> dict[str, Any]:
        """Version, commit, compiler and options of the build."""
        version: dict[str, Any] = json.loads(self.call("version", "--json", plugins=False))
        return version

    @cached_property
    def launcher(self) -> str:
        """The mpiexec of the MPI that gsim was built with."""
        found = re.search(r"^start +(\S+) -n ", self.call("info", plugins=False), re.MULTILINE)
        if found is None:
            raise GsimError("`gsim info` names no MPI launcher; give it as a list of words: launcher=[…]")
        return found[1]

    def __repr__(self) -> str:
        return f"Program({self.path!r}" + (f", plugins={self.plugins!r})" if self.plugins else ")")


def _start(command: list[str], cwd: PathLike | None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=cwd,
                              stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ProgramError(f"cannot start {command[0]}: {error.strerror}") from error


def _executable(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise ProgramError(f"{name} is no program that can be started")
    return os.path.abspath(path)


def _find() -> str:
    named = os.environ.get("GSIM")
    if named:
        return _executable(named)
    on_path = shutil.which("gsim")
    if on_path is not None:
        return os.path.abspath(on_path)
    for folder in pathlib.Path(__file__).resolve().parents:
        built = folder / "build/release/bin/gsim"
        if (folder / "scripts/gsim").exists() and built.exists():
            return str(built)
    raise ProgramError("there is no gsim program: build it with scripts/gsim, and put it in PATH, or name it in the "
                       "environment variable GSIM or by gsim.use(PATH)")


_default: Program | None = None


def use(program: PathLike | Program | None = None, plugins: Iterable[PathLike] = ()) -> Program:
    """Sets the program, and the plugins, that this process uses from now on, and returns it.

    Modules of gsim.modules that were imported before keep the keys of the former program.
    """
    global _default
    _default = program if isinstance(program, Program) else Program(program, plugins)
    return _default


def current() -> Program:
    """The program in use."""
    return _default if _default is not None else use()
