"""Batches: many configurations, or studies of several keys, run by `gsim batch run`."""
from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from . import tables, toml
from .batch_jobs import BatchJob
from .batch_results import BatchResults
from .configurations import Configuration, check_name, save
from .errors import ProgramError, RunError, RunStopped, config_error
from .program import PathLike, Program, current


@dataclass(frozen=True)
class Range:
    """Values of a key from `first` to `last`: `count` of them in a grid or a list, or the range of a random design."""

    first: float
    last: float
    count: int | None = None
    logarithmic: bool = False


class Batch:
    """A manifest in the making. Manifest, configurations, results and logs are in `folder` (default: results/NAME).

    Names of files in configurations that are dicts or objects, those of load() too, are relative to that folder. `estimates` chooses
    the estimates of the tables of results by the beginnings of their names; `submit` is the table of the job that submit() makes, a
    dict or gsim.modules.batch.Submit.
    """

    def __init__(self, name: str, *, folder: PathLike | None = None, cores: int | None = None, gpus: int | None = None,
                 tasks_per_gpu: int | None = None, launcher: str | None = None, hosts: PathLike | None = None,
                 on_failure: str | None = None, estimates: Sequence[str] = (), submit: Any = None) -> None:
        check_name(name)
        self.name = name
        self.folder = pathlib.Path(folder) if folder is not None else pathlib.Path("results") / name
        self._keys = {"cores": cores, "gpus": gpus, "tasks_per_gpu": tasks_per_gpu, "launcher": launcher,
                      "hosts": None if hosts is None else os.path.abspath(hosts), "on_failure": on_failure,
                      "estimates": list(estimates) or None, "submit": tables.to_dict(submit or {}) or None}
        self._tasks: list[dict[str, Any]] = []
        self._configurations: dict[str, Configuration] = {}

    def add(self, name: str, config: Configuration, *, set: Mapping[str, Any] | None = None, after: Sequence[str] = (),
            ranks: int | None = None, threads: int | None = None,
            vary: Mapping[str, Sequence[Any] | Range] | None = None,
            variables: Mapping[str, Sequence[Any] | Range] | None = None, design: str | None = None, points: int | None = None,
            seed: int | None = None) -> Batch:
        """Adds a task, or one for each point of a study of keys (`vary`, by their dotted paths) and variables; returns the batch.

        `design` is "grid" (all combinations), "list", "latin_hypercube" or "sobol"; the last two need `points`. In strings of
        `set`, also within its lists and dicts, "{x}" is the value of the variable `x`, "{base}" the path of the files of the task
        `base`, and "{base:trades/price[CALL]}" a value of its results.
        """
        named = variables or {}
        varied = [{"key": key, **_values(values)} for key, values in (vary or {}).items()]
        varied += [{"name": name, **_values(values, is_variable=True)} for name, values in named.items()]
        numbers = [name for name, values in named.items() if not _are_strings(values)]
        overrides = [f"{key}={_override(value, numbers)}" for key, value in (set or {}).items()]
        task = {"name": name, "config": None, "set": overrides or None, "after": list(after) or None, "ranks": ranks,
                "threads": threads, "design": design, "points": points, "seed": seed, "vary": varied or None}
        self._tasks.append(task)
        self._configurations[name] = config
        return self

    def manifest(self) -> dict[str, Any]:
        """The manifest, with the names of the configurations as write() makes them."""
        tasks = []
        for task in self._tasks:
            config = self._configurations[task["name"]]
            is_file = isinstance(config, (str, os.PathLike))
            path = os.path.abspath(os.fspath(config)) if is_file else f"{task['name']}.toml"  # type: ignore[arg-type]
            tasks.append({**task, "config": path})
        plain: dict[str, Any] = toml.plain({"folder": str(self.folder.absolute()), **self._keys, "task": tasks})
        return plain

    def write(self) -> pathlib.Path:
        """Writes the configurations and the manifest, and returns the path of the manifest."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, config in self._configurations.items():
            if not isinstance(config, (str, os.PathLike)):
                save(config, self.folder / f"{name}.toml")
        path = self.folder / f"{self.name}.batch.toml"
        path.write_text(toml.dumps(self.manifest()), encoding="utf-8")
        return path

    def tasks(self, program: Program | None = None) -> pd.DataFrame:
        """All tasks with their states and parameters, as `gsim batch list` gives them. ConfigError for a wrong manifest."""
        text = (program or current()).call("batch", "list", str(self.write()), "--json", plugins=False)
        return pd.json_normalize(json.loads(text))

    def run(self, *, resume: bool | str = False, on_event: Callable[[dict[str, Any]], object] | None = None,
            check: bool = True, program: Program | None = None) -> BatchResults:
        """Runs the batch and returns its results.

        `resume`: True goes on where it stopped, "auto" does so if it began. `on_event` is called with each event of
        `gsim batch run --log json`. RunError names the tasks that failed, unless `check` is false; RunStopped where a signal
        stopped the batch with checkpoints, as KeyboardInterrupt does.
        """
        words = ["batch", "run", str(self.write()), "--log", "json"]
        if resume:
            words.append("--resume=auto" if resume == "auto" else "--resume")
        command = (program or current()).command(*words, plugins=False)
        code, stderr = _follow(command, on_event)
        message = stderr.strip()
        if code == 2:
            raise config_error(stderr)
        if code == 75:
            raise RunStopped(message, None, [], stderr)
        if code != 0 and (check or not (self.folder / "batch.h5").exists()):
            raise RunError(message.rpartition("error: ")[2], code, stderr)
        return BatchResults(self.folder)

    def submit(self, *, kubernetes: bool = False, program: Program | None = None) -> BatchJob:
        """Submits the batch as a job of Slurm, or of the MPI operator of Kubernetes, as the table `submit` says; returns at once.

        A job continues where an earlier one, or run(), stopped. The folder must be one that the nodes see, too. RunError where the
        batch system refuses it.
        """
        gsim = program or current()
        manifest = str(self.write())
        gsim.call("batch", "submit", manifest, *(["--kubernetes"] if kubernetes else []), plugins=False)
        return BatchJob(manifest, program=gsim)

    def script(self, *, kubernetes: bool = False, program: Program | None = None) -> str:
        """The job script, or the manifests of Kubernetes, that submit() would submit."""
        options = ["--dry-run", *(["--kubernetes"] if kubernetes else [])]
        return (program or current()).call("batch", "submit", str(self.write()), *options, plugins=False)

    def job(self, program: Program | None = None) -> BatchJob:
        """The batch as it runs, or has run: its states, logs, and what stops it, for other threads and processes too."""
        return BatchJob(self.write(), program=program)


def _are_strings(values: Sequence[Any] | Range) -> bool:
    return not isinstance(values, Range) and all(isinstance(value, str) for value in values)


def _values(values: Sequence[Any] | Range, *, is_variable: bool = False) -> dict[str, Any]:
    """The keys of [[task.vary]]. Strings of a variable stand without quotation marks, which are those around it in `set`."""
    if isinstance(values, Range):
        return {"from": float(values.first), "to": float(values.last), "count": values.count,
                "logarithmic": values.logarithmic or None}
    plain = toml.plain(values)
    if not isinstance(plain, list):
        raise TypeError(f"values of a key are a list or a Range, not {values!r}")
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**53 for value in plain):
        return {"values": [float(value) for value in plain]}
    return {"words": plain if is_variable and _are_strings(plain) else [toml.value(value) for value in plain]}


def _override(value: Any, numbers: Sequence[str]) -> str:
    """A value of `set`; a string that is a variable among `numbers`, or a reference to a value of another task, stays without
    quotation marks."""
    if isinstance(value, str) and value.startswith("{") and value.endswith("]}"):
        return value
    text = toml.value(tables.to_dict(value))
    for name in numbers:
        text = text.replace(f'"{{{name}}}"', f"{{{name}}}")
    return text


def _follow(command: list[str], on_event: Callable[[dict[str, Any]], object] | None) -> tuple[int, str]:
    """Runs a command whose output is a JSON object in each line; the exit code and the standard error. An exception, such as
    KeyboardInterrupt, stops the tasks with checkpoints first."""
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                                       errors="replace", start_new_session=True)
        except OSError as error:
            raise ProgramError(f"cannot start {command[0]}: {error.strerror}") from error
        with process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    if on_event is not None and line.startswith("{"):
                        on_event(json.loads(line))
                code = process.wait()
            except BaseException:
                if process.poll() is None:
                    process.send_signal(signal.SIGUSR1)
                process.communicate()
                raise
        errors.seek(0)
        return code, errors.read()
