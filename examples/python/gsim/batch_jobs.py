"""Batches that run, or have run, anywhere: their states, logs and results."""
from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from .batch_results import BatchResults
from .errors import RunError, RunStopped
from .program import PathLike, Program, current


@dataclass(frozen=True)
class BatchStatus:
    """The state of a batch: `tasks` has a row for each task, by its name, with `state`, `seconds`, `exit_code`, `place` and `reason`.

    States are "waiting", "running", "done", "failed", "stopped", "left out" (a task before it failed) and "cancelled"; `counts` is
    the number of tasks in each. `active` says whether a job or process of the batch runs or waits; `jobs` are those of the cluster.
    """

    folder: str
    manifest: str
    active: bool
    counts: dict[str, int]
    tasks: pd.DataFrame
    jobs: pd.DataFrame

    @property
    def is_done(self) -> bool:
        """Whether all tasks are done."""
        return self.counts["done"] == len(self.tasks)

    def __str__(self) -> str:
        rest = "".join(f", {count} {state}" for state, count in self.counts.items() if count and state != "done")
        return f"{self.folder}: {self.counts['done']} of {len(self.tasks)} done{rest}"


class BatchJob:
    """A batch by its manifest, or by the folder of its results, on this machine or on a cluster."""

    def __init__(self, place: PathLike, *, folder: PathLike | None = None, program: Program | None = None) -> None:
        self._program = program or current()
        self._words = [str(place), *(["--folder", str(folder)] if folder is not None else [])]

    def _call(self, action: str, *words: str, allowed: tuple[int, ...] = (0,)) -> str:
        return self._program.call("batch", action, *self._words, *words, plugins=False, allowed=allowed)

    def status(self) -> BatchStatus:
        """The state of each task, from the journal of the batch, the queue of the cluster and the processes of this machine."""
        found = json.loads(self._call("status", "--json", allowed=(0, 1, 75)))
        tasks = pd.DataFrame(found["tasks"], columns=["name", "state", "seconds", "exit_code", "place", "reason"])
        jobs = pd.DataFrame(found["jobs"], columns=["id", "state", "reason", "nodes", "active"])
        return BatchStatus(found["folder"], found["manifest"], found["active"], found["counts"],
                           tasks.set_index("name").rename_axis("task"), jobs.set_index("id"))

    def follow(self, interval: float = 2) -> Iterator[BatchStatus]:
        """Yields the state whenever the state of a task has changed, until nothing of the batch runs or waits."""
        last = None
        while True:
            now = self.status()
            if last is None or not now.tasks["state"].equals(last.tasks["state"]):
                last = now
                yield now
            if not now.active:
                return
            time.sleep(interval)

    def logs(self, task: str) -> str:
        """What a task printed so far."""
        return self._call("logs", task)

    def cancel(self, *, now: bool = False) -> str:
        """Stops all tasks at checkpoints, from which resume=True continues, wherever they run; returns gsim's message.

        `now` ends jobs of Slurm within its KillWait time. ConfigError where nothing runs or waits.
        """
        return self._call("cancel", *(["--now"] if now else [])).strip()

    def collect(self, *, check: bool = True) -> BatchResults:
        """Writes the tables of results of tasks that ran as parts (job arrays, `--part`), and returns them.

        RunError where tasks failed, and RunStopped where some have not run, unless `check` is false.
        """
        now = self.status()  # names the manifest of a folder
        self._program.call("batch", "collect", now.manifest, "--folder", now.folder, plugins=False, allowed=(0, 1, 75))
        return self.results(check=check)

    def wait(self, timeout: float | None = None, interval: float = 2, *, check: bool = True) -> BatchResults:
        """Waits until nothing of the batch runs or waits, and returns the results; the exceptions are those of collect().

        TimeoutError after `timeout` seconds, while the batch goes on.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self.status().active:
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"the batch still lasts after {timeout} s")
            time.sleep(interval)
        return self.results(check=check)

    def results(self, *, check: bool = True) -> BatchResults:
        """The results, once they are written; the exceptions are those of collect()."""
        now = self.status()
        failed = [str(task) for task in now.tasks.index[now.tasks["state"] == "failed"]]
        if check and failed:
            raise RunError(f"{len(failed)} of {len(now.tasks)} tasks failed: {', '.join(failed[:10])}", 1)
        if check and not now.is_done:
            raise RunStopped(f"{now}; resume=True goes on", None, [])
        return BatchResults(now.folder)
