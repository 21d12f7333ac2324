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
from .configurations import Configuration, check_name, save
from .errors import GsimError, ProgramError, RunError, RunStopped, config_error
from .program import PathLike, Program, current
from .results import Results


@dataclass(frozen=True)
class Range:
    """Values of a key from `first` to `last`: `count` of them in a grid or a list, or the range of a random design."""

    first: float
    last: float
    count: int | None = None
    logarithmic: bool = False


class Batch:
    """A manifest in the making. Manifest, configurations, results and logs are in `folder` (default: results/NAME).

    Names of files in configurations that are dicts or objects, those of load() too, are relative to that folder.
    """

    def __init__(self, name: str, *, folder: PathLike | None = None, cores: int | None = None, gpus: int | None = None,
                 tasks_per_gpu: int | None = None, launcher: str | None = None, on_failure: str | None = None) -> None:
        check_name(name)
        self.name = name
        self.folder = pathlib.Path(folder) if folder is not None else pathlib.Path("results") / name
        self._keys = {"cores": cores, "gpus": gpus, "tasks_per_gpu": tasks_per_gpu, "launcher": launcher,
                      "on_failure": on_failure}
        self._tasks: list[dict[str, Any]] = []
        self._configurations: dict[str, Configuration] = {}

    def add(self, name: str, config: Configuration, *, set: Mapping[str, Any] | None = None, after: Sequence[str] = (),
            ranks: int | None = None, threads: int | None = None,
            vary: Mapping[str, Sequence[Any] | Range] | None = None, design: str | None = None, points: int | None = None,
            seed: int | None = None) -> Batch:
        """Adds a task, or with `vary` one for each point of a study of the keys by their dotted paths; returns the batch.

        `design` is "grid" (all combinations), "list", "latin_hypercube" or "sobol"; the last two need `points`. In strings of
        `set`, "{base}" is the path of the files of the task `base`, and "{base:trades/price[CALL]}" a value of its results.
        """
        varied = [{"key": key, **_values(values)} for key, values in (vary or {}).items()]
        overrides = [f"{key}={_override(value)}" for key, value in (set or {}).items()]
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


def _values(values: Sequence[Any] | Range) -> dict[str, Any]:
    if isinstance(values, Range):
        return {"from": float(values.first), "to": float(values.last), "count": values.count,
                "logarithmic": values.logarithmic or None}
    plain = toml.plain(values)
    if not isinstance(plain, list):
        raise TypeError(f"values of a key are a list or a Range, not {values!r}")
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**53 for value in plain):
        return {"values": [float(value) for value in plain]}
    return {"words": [toml.value(value) for value in plain]}


def _override(value: Any) -> str:
    """A value of `set`; a string that is a reference to a number of another task stays without quotation marks."""
    if isinstance(value, str) and value.startswith("{") and value.endswith("]}"):
        return value
    return toml.value(tables.to_dict(value))


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


class BatchResults(Mapping[str, Results]):
    """The results of a batch; `results["stress.1"]` are those of one task."""

    def __init__(self, folder: PathLike) -> None:
        self.folder = pathlib.Path(folder).absolute()
        path = self.folder / "batch.h5"
        if not path.exists():
            raise GsimError(f"{self.folder} has no results of a batch (batch.h5)")
        self.table = Results(path)
        """The file batch.h5."""

    @property
    def tasks(self) -> pd.DataFrame:
        """A row for each task, by its name: the parameters that vary, `state` and `exit_code`."""
        frame = self.table["tasks"].set_index("name")
        frame.index.name = "task"
        return frame

    @property
    def estimates(self) -> pd.DataFrame:
        """All estimates of all tasks: `task`, the parameters that vary, `estimate`, `row`, `value`, `std_error`, `unit`."""
        estimates, tasks = self.table["estimates"], self.table["tasks"]
        chosen = tasks.iloc[estimates["task"].to_numpy()].reset_index(drop=True)
        parameters = chosen.drop(columns=["name", "state", "exit_code"])
        rest = estimates.drop(columns=["task"]).rename(columns={"standard_error": "std_error"})
        frame = pd.concat([chosen["name"].rename("task"), parameters, rest], axis=1)
        frame.attrs = {}
        return frame

    def __getitem__(self, task: str) -> Results:
        if task not in set(self):
            raise KeyError(f"{task!r} is no task that is done; these are: {', '.join(self) or 'none'}")
        return Results(self.folder / f"{task}.h5")

    def __iter__(self) -> Iterator[str]:
        tasks = self.tasks
        return iter(tasks.index[tasks["state"] == "done"])

    def __len__(self) -> int:
        return int((self.tasks["state"] == "done").sum())

    def __repr__(self) -> str:
        return f"BatchResults({str(self.folder)!r}): {len(self)} of {len(self.tasks)} tasks done"
