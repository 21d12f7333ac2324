"""The states of runs, from the status files that they keep up to date."""
from __future__ import annotations

import dataclasses
import json
from typing import Any

from .program import PathLike, Program, current


@dataclasses.dataclass(frozen=True)
class Status:
    """The state of a run at the last update of its status file. None stands for what is not known.

    `state` is "running", "finished", "interrupted" (resume=True continues it), "failed" or "stale" (the file says running, but the
    process is gone); of tasks of a batch also "starting", "stopped" and "left out". `remark` says why. `progress` goes from 0 to 1,
    and `seconds_left` is the time until then. Of the estimates with targets (`judged`), `converged` meet theirs; `worst` is the one
    that is farthest from its target, with its error. `imbalance` is the largest busy time of a rank over the mean, less 1.
    """

    run: str
    state: str
    remark: str | None = None
    progress: float | None = None
    seconds: float | None = None
    earlier_seconds: float | None = None
    seconds_left: float | None = None
    work_done: float | None = None
    work_planned: float | None = None
    unit: str | None = None
    rate: float | None = None
    rate_unit: str | None = None
    judged: int | None = None
    converged: int | None = None
    worst: str | None = None
    worst_relative_error: float | None = None
    worst_absolute_error: float | None = None
    ranks: int | None = None
    threads: int | None = None
    hosts: int | None = None
    gpus: int | None = None
    imbalance: float | None = None
    memory_bytes: float | None = None
    largest_rank_memory_bytes: float | None = None
    gpu_utilization: float | None = None
    gpu_memory_bytes: float | None = None
    core_hours: float | None = None
    gpu_hours: float | None = None
    kwh: float | None = None
    cost: float | None = None
    currency: str | None = None
    module: str | None = None
    config: str | None = None
    version: str | None = None
    platform: str | None = None
    host: str | None = None
    pid: int | None = None
    result: str | None = None
    file: str | None = None
    started: float | None = None
    updated: float | None = None


def status(*places: PathLike, program: Program | None = None) -> list[Status]:
    """The states of the runs of status files and folders (default: results), as `gsim status` gives them.

    A folder of a batch also gives the tasks in its journal. ConfigError where there are no runs. `pandas.DataFrame(status())` is a
    table of them.
    """
    text = (program or current()).call("status", *places, "--json", plugins=False, allowed=(0, 1, 75))
    return [_status(entry) for entry in json.loads(text)]


_NAMES = {field.name for field in dataclasses.fields(Status)}
_COUNTS = {"judged", "converged", "ranks", "threads", "hosts", "gpus"}


def _status(entry: dict[str, Any]) -> Status:
    return Status(**{name: int(value) if name in _COUNTS else value for name, value in entry.items() if name in _NAMES})
