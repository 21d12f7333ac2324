"""The results of batches."""
from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator, Mapping

import pandas as pd

from .errors import GsimError
from .program import PathLike
from .results import Results


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

    def study(self, name: str) -> pd.DataFrame:
        """The estimates of the study `name`: a row for each of its points that is done, in their order, by what varies in it.

        Columns are ("value", estimate, row) and ("std_error", estimate, row): `study("spots")["value", "trades/price", "CALL"]`.
        KeyError where there is no study of that name.
        """
        tasks = self.tasks
        tasks = tasks[tasks.index.str.fullmatch(re.escape(name) + r"\.\d+")].drop(columns=["state", "exit_code"])
        tasks = tasks.loc[:, [not (tasks[key].isna() | (tasks[key] == "")).all() for key in tasks.columns]]
        if tasks.empty:
            raise KeyError(f"{name!r} is no study of this batch")
        estimates = self.estimates
        estimates = estimates[estimates["task"].isin(tasks.index)]
        wide = estimates.pivot(index="task", columns=["estimate", "row"], values=["value", "std_error"])
        wide = wide.loc[tasks.index.intersection(wide.index)].astype(float)
        wide.index = pd.MultiIndex.from_frame(tasks.loc[wide.index])
        return wide.rename_axis(columns=["", "estimate", "row"])

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
