"""Result files of all modules as tables of pandas and grids of xarray, with units and standard errors.

Nothing here depends on the module of a run: the file itself tells which groups are tables, which columns are estimates, what their units
are, and which columns are axes of a grid. Data are read when they are asked for.
"""
from __future__ import annotations

import json
import os
import pathlib
import tomllib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
import pandas as pd

from . import hdf5
from .errors import GsimError
from .events import Estimate
from .program import PathLike, Program, current

if TYPE_CHECKING:
    import xarray as xr


class Results(Mapping[str, pd.DataFrame]):
    """A result file. `results["trades"]` is the table /trades as a DataFrame.

    `df.attrs["units"]` and `df.attrs["descriptions"]` are dicts by column, and `df.attrs["scalars"]` has what the group holds
    beside its columns.
    """

    def __init__(self, path: PathLike, estimates: list[Estimate] | None = None) -> None:
        self.path = pathlib.Path(path).absolute()
        self.printed: list[Estimate] = estimates or []
        """The estimates that the run printed at its end, where it was run by this package."""
        with hdf5.open_file(self.path) as file:
            if "provenance" not in file or "gsim_version" not in file["provenance"].attrs:
                raise GsimError(f"{self.path} is not a result file of gsim")
            self.tables = hdf5.tables_in(file)
            """What the file says of each table, by its path."""
            self._provenance = hdf5.attributes(file["provenance"])

    # ---- tables

    def __getitem__(self, table: str) -> pd.DataFrame:
        info = self._info(table)
        with hdf5.open_file(self.path) as file:
            data = {name: hdf5.read(file[f"{info.path}/{name}"]) for name in info.columns}
        frame = pd.DataFrame(data)
        frame.attrs["units"] = {name: column.unit for name, column in info.columns.items() if column.unit}
        frame.attrs["descriptions"] = {name: column.description for name, column in info.columns.items() if column.description}
        frame.attrs["scalars"] = info.scalars
        return frame

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def _info(self, table: str) -> hdf5.TableInfo:
        info = self.tables.get(table.strip("/"))
        if info is None:
            raise KeyError(f"{self.path.name} has no table {table!r}; it has {', '.join(self.tables)}")
        return info

    def named(self, table: str) -> pd.DataFrame:
        """A table in which numbers of rows of other tables (`greeks/trade`) are replaced by the names of these rows."""
        frame, info = self[table], self._info(table)
        for name, column in info.columns.items():
            other = column.rows_of
            if column.kind == "integer" and other in self.tables and other != table:
                names = row_names(self.named(other), self._info(other))
                frame[name] = [names[row] if 0 <= row < len(names) else row for row in frame[name]]
        return frame

    def estimates(self, table: str | None = None) -> pd.DataFrame:
        """All estimates of a table, or of all tables but `history`: columns `table`, `quantity`, `row` (what the row is: the
        name of a trade, the bins of a tally), `value`, `std_error` and `unit`."""
        names = [self._info(table).path] if table is not None else [name for name in self.tables if name != "history"]
        parts = [part for name in names for part in self._estimates_of(name)]
        columns = ["table", "quantity", "row", "value", "std_error", "unit"]
        if not parts:
            return pd.DataFrame({name: [] for name in columns})
        return pd.concat(parts, ignore_index=True)[columns]

    def _estimates_of(self, table: str) -> Iterator[pd.DataFrame]:
        info = self._info(table)
        if not info.estimates:
            return
        frame = self.named(table)
        rows = row_names(frame, info)
        for name in info.estimates:
            column = info.columns[name]
            unit = frame["unit"] if not column.unit and "unit" in info.columns else column.unit
            yield pd.DataFrame({"table": table, "quantity": name, "row": rows, "value": frame[name],
                                "std_error": frame[column.error], "unit": unit})

    def dataset(self, table: str) -> xr.Dataset:
        """A table as an xarray.Dataset: its leading columns that form a grid become dimensions (x, y, z and groups of a tally,
        netting sets and times of exposures), other leading columns coordinates, the rest variables. Attributes of a variable are
        `units`, `long_name` and, for estimates, `ancillary_variables`, the name of the variable with its standard errors."""
        import xarray as xr

        info, frame = self._info(table), self.named(table)
        leading = info.leading if info.estimates else [name for name in info.columns if _is_axis(frame[name])][:1]
        grid = hdf5.grid_of({name: frame[name].to_numpy() for name in leading}, info.rows)
        shape = tuple(grid.axes.values())
        data: dict[str, Any] = {}
        coordinates: dict[str, Any] = {}
        for name in frame:
            values, attributes = frame[name].to_numpy().reshape(shape), _xarray_attributes(info.columns[name])
            if name in grid.axes or name in grid.coordinates:
                along = (name,) if name in grid.axes else grid.coordinates[name]
                at = tuple(slice(None) if axis in along else 0 for axis in grid.axes)
                coordinates[name] = (along, values[at], attributes)
            else:
                data[name] = (tuple(grid.axes), values, attributes)
        return xr.Dataset(data, coordinates, attrs={**info.attributes, **info.scalars, "source": str(self.path)})

    def array(self, path: str) -> np.ndarray[Any, Any]:
        """Any dataset of the file."""
        with hdf5.open_file(self.path) as file:
            if not isinstance(file.get(path), h5py.Dataset):
                raise KeyError(f"{self.path.name} has no dataset {path!r}")
            return hdf5.read(file[path])

    # ---- the run

    @property
    def provenance(self) -> dict[str, str]:
        """Seed, versions, build, ranks, devices, times and all else that is needed to repeat the run."""
        return dict(self._provenance)

    @property
    def module(self) -> str:
        """The module of the run, or "batch"."""
        return self._provenance["module"]

    @property
    def digest(self) -> str:
        """The digest of the results, which is the same on any number of ranks and threads."""
        return self._provenance["digest"]

    @property
    def config(self) -> dict[str, Any]:
        """The configuration with all defaults."""
        return tomllib.loads(self._provenance["config_resolved"])

    @property
    def input_files(self) -> dict[str, str]:
        """The texts of the files that the configuration names."""
        with hdf5.open_file(self.path) as file:
            files = file["provenance"].get("input_files", {})
            return {hdf5.text(item.attrs["name"]): hdf5.text(item[0]) for item in files.values()}

    def timing(self) -> pd.DataFrame:
        """Seconds that ranks were busy and waited for each other, by region of the run: minimum, mean and maximum over ranks."""
        times = json.loads(self._provenance.get("timing", "{}"))
        rows = {"total": times, **times.get("regions", {})} if times else {}
        frame = pd.DataFrame([{"region": name, **{f"{kind}_{which}": part[kind][which]
                                                  for kind in ("busy", "waiting") for which in ("min", "mean", "max")}}
                              for name, part in rows.items()])
        frame.attrs["units"] = {name: "s" for name in frame.columns if name != "region"}
        return frame.set_index("region") if len(frame) else frame

    def convergence(self) -> pd.DataFrame:
        """Estimates and errors at the evaluation points of the run (table `history`), or values by batch or generation (`batches`).
        KeyError if the results have neither."""
        return self.named("history" if "history" in self.tables or "batches" not in self.tables else "batches")

    def remarks(self) -> dict[str, str]:
        """Texts that a module wrote beside its tables, such as transport's judgement of the convergence of the source."""
        with hdf5.open_file(self.path) as file:
            return {name: hdf5.text(item[...].reshape(-1)[0]) for name, item in file.items()
                    if isinstance(item, h5py.Dataset) and item.size == 1 and item.dtype.kind == "S"}

    # ---- commands of gsim on the file

    def verify(self, program: Program | None = None) -> None:
        """Verifies the checksums of the whole file. ConfigError if it is damaged."""
        (program or current()).call("inspect", str(self.path), plugins=False)

    def compare(self, other: Results | PathLike, significance: float | None = None,
                program: Program | None = None) -> dict[str, Any]:
        """What `gsim compare` says of this file and another one: keys that differ, chi-square and z of the estimates."""
        words = ["compare", str(self.path), str(other.path if isinstance(other, Results) else os.fspath(other)), "--json"]
        if significance is not None:
            words += ["--significance", str(significance)]
        text = (program or current()).call(*words, plugins=False, allowed=(0, 1))
        comparison: dict[str, Any] = json.loads(text)
        return comparison

    def replay(self, program: Program | None = None) -> str:
        """Repeats the run from this file alone and compares every bit. RunError where one differs."""
        return (program or current()).call("replay", str(self.path), "--quiet").strip()

    def report(self, output: PathLike | None = None, program: Program | None = None) -> pathlib.Path:
        """Draws the results as one HTML page, and returns its path."""
        target = pathlib.Path(output) if output is not None else self.path.with_suffix(".html")
        (program or current()).call("report", str(self.path), "--output", str(target), plugins=False)
        return target

    def __repr__(self) -> str:
        listed = ", ".join(f"{name} ({info.rows})" for name, info in self.tables.items())
        return f"Results({str(self.path)!r}): {self.module}, digest {self.digest[:12]}, tables {listed}"


def _is_axis(column: pd.Series) -> bool:
    """Whether a column may be the only axis of a table without estimates: names, numbers of steps, or times."""
    return bool(column.is_unique) and (column.dtype.kind != "f" or bool(column.is_monotonic_increasing))


def row_names(frame: pd.DataFrame, info: hdf5.TableInfo) -> list[str]:
    """What each row is, as `gsim compare` and the tables of batches say it: from the fewest leading columns that are
    different in every row, "BANK, time 0.5"; "row 3" where there are none."""
    keys: list[str] = []
    for name in info.leading:
        if info.columns[name].kind == "real" and not keys:
            break
        keys.append(name)
        if frame.duplicated(keys).any():
            continue
        parts = [[_cell(name, value) for value in frame[name]] for name in keys]
        return [", ".join(filter(None, row)) for row in zip(*parts)]
    return [f"row {number}" for number in range(len(frame))]


def _cell(name: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{name} {str(value).removesuffix('.0')}"


def _xarray_attributes(column: hdf5.Column) -> dict[str, str]:
    found = {"units": column.unit, "long_name": column.description, "ancillary_variables": column.error}
    return {name: value for name, value in found.items() if value}
