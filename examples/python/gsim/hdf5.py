"""Reads what the HDF5 files of gsim say of themselves: tables, units, standard errors, grids."""
from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import GsimError


@dataclass(frozen=True)
class Column:
    """A column of a table. `error` is the name of the column with its standard errors, or empty."""

    name: str
    unit: str
    description: str
    kind: str  # "text", "integer" or "real"
    error: str = ""

    @property
    def rows_of(self) -> str:
        """The table whose rows the column numbers ("row of the trade in trades/"), or empty."""
        found = re.match(r"row of .*? in ([^/]+)/", self.description)
        return found[1] if found else ""


@dataclass(frozen=True)
class TableInfo:
    """A table of results: a group whose one-dimensional datasets have equal lengths, or one element; the latter are `scalars`."""

    path: str
    rows: int
    columns: dict[str, Column]
    attributes: dict[str, str]
    scalars: dict[str, Any]

    @property
    def estimates(self) -> list[str]:
        """The names of the columns with standard errors."""
        return [column.name for column in self.columns.values() if column.error]

    @property
    def error_columns(self) -> set[str]:
        """The names of the columns that are standard errors of others."""
        return {column.error for column in self.columns.values() if column.error}

    @property
    def leading(self) -> list[str]:
        """The names of the columns before the first estimate, which may say what a row is."""
        names = []
        for column in self.columns.values():
            if column.error:
                break
            names.append(column.name)
        return names


def open_file(path: pathlib.Path) -> h5py.File:
    """Opens a file for reading. GsimError where it is missing or no HDF5 file."""
    try:
        return h5py.File(path, "r")
    except OSError as error:
        reason = "it does not exist" if not path.exists() else str(error)
        raise GsimError(f"cannot read {path}: {reason}") from error


def text(value: Any) -> str:
    """An attribute or an element as a string."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def attributes(item: h5py.Group | h5py.Dataset) -> dict[str, str]:
    """All attributes as strings."""
    return {name: text(value) for name, value in item.attrs.items()}


def tables_in(file: h5py.File) -> dict[str, TableInfo]:
    """All tables of a file by their paths, in its order."""
    return {info.path: info for info in _tables(file, "")}


def _children(group: h5py.Group) -> list[str]:
    """The names in a group, in the order in which they were written where the file has kept it."""
    # For the group "/" h5py's own iteration takes the order from the properties of the file in place of those of the
    # group, so the order is read from the group here.
    identifier = h5py.h5g.open(group.file.id, group.name.encode())
    is_kept = bool(identifier.get_create_plist().get_link_creation_order() & h5py.h5p.CRT_ORDER_TRACKED)
    names: list[bytes] = []
    identifier.links.iterate(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER if is_kept else h5py.h5.INDEX_NAME)
    return [name.decode() for name in names]


def _tables(group: h5py.Group, path: str) -> Iterator[TableInfo]:
    datasets: dict[str, h5py.Dataset] = {}
    groups: dict[str, h5py.Group] = {}
    for name in _children(group):
        item = group.get(name)
        if isinstance(item, h5py.Dataset) and (item.ndim == 1 or (item.ndim == 2 and item.shape[1] == 1)):
            datasets[name] = item
        elif isinstance(item, h5py.Group):
            groups[name] = item
    lengths = {item.shape[0] for item in datasets.values()}
    if path and (len(lengths) == 1 or (len(lengths) == 2 and 1 in lengths)):
        yield _table(group, path, datasets, max(lengths) if lengths != {0, 1} else 0)
    for name, inner in groups.items():
        if path or name not in ("provenance", "checkpoint"):
            yield from _tables(inner, f"{path}/{name}".lstrip("/"))


def _table(group: h5py.Group, path: str, datasets: dict[str, h5py.Dataset], rows: int) -> TableInfo:
    columns, scalars = {}, {}
    for name, item in datasets.items():
        if item.shape[0] != rows:
            scalars[name] = read(item)[0]
            continue
        kind = {"f": "real", "i": "integer", "u": "integer"}.get(item.dtype.kind, "text")
        columns[name] = Column(name, text(item.attrs.get("unit", "")), text(item.attrs.get("description", "")), kind,
                               error_column(name, datasets))
    return TableInfo(path, rows, columns, attributes(group), scalars)


def error_column(name: str, columns: dict[str, Any]) -> str:
    """The column with the standard errors of the column `name`, by gsim's naming, or empty."""
    for error in (f"{name}_error", f"{name}_standard_error", f"error_of_{name}"):
        if error in columns and columns[error].dtype.kind == "f":
            return error
    return "standard_error" if name in ("price", "value", "mean") and "standard_error" in columns else ""


def read(dataset: h5py.Dataset) -> np.ndarray[Any, Any]:
    """All elements; strings as str."""
    values = dataset[...]
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.dtype.kind in "SO":
        values = np.array([text(value) for value in values.reshape(-1)], dtype=object).reshape(values.shape)
    array: np.ndarray[Any, Any] = values
    return array


@dataclass(frozen=True)
class Grid:
    """How the rows of a table lie on a grid: `axes` are its dimensions with their numbers of points, the slowest first, and
    `coordinates` the columns that depend on some of them only, with the names of these."""

    axes: dict[str, int]
    coordinates: dict[str, tuple[str, ...]]


def grid_of(columns: dict[str, np.ndarray[Any, Any]], rows: int) -> Grid:
    """The grid of a table from its leading columns.

    A column is a new axis if it repeats its values in equal blocks within the slower axes; one that depends on axes found
    before is a coordinate. Where the columns form no full grid, there is one axis, `row`.
    """
    no_grid = Grid({"row": rows}, {name: ("row",) for name in columns})
    if rows == 0:
        return no_grid
    codes = {name: _numbered(values) for name, values in columns.items()}
    # Values of slow axes stay the same in more rows; columns with the same block length keep their order.
    block = {name: int((np.flatnonzero(np.diff(numbers))[:1] + 1).sum()) or rows for name, numbers in codes.items()}
    axes: dict[str, int] = {}
    coordinates: dict[str, tuple[str, ...]] = {}
    size = 1
    for name in sorted(codes, key=lambda name: -block[name]):
        numbers = codes[name].reshape(size, rows // size)
        if (numbers == numbers[:, :1]).all():
            coordinates[name] = _axes_of(numbers[:, 0], axes)
            continue
        points, rest = divmod(rows // size, block[name])
        if rest != 0:
            return no_grid
        cells = numbers.reshape(size, points, block[name])
        if (cells != cells[:1, :, :1]).any() or len(np.unique(cells[0, :, 0])) != points:
            return no_grid
        axes[name] = points
        size *= points
    return Grid(axes, coordinates) if axes and size == rows else no_grid


def _numbered(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each value the number of the value among all different ones."""
    _, numbers = np.unique(values.astype(str) if values.dtype.kind == "O" else values, return_inverse=True)
    array: np.ndarray[Any, Any] = np.asarray(numbers).reshape(-1)
    return array


def _axes_of(codes: np.ndarray[Any, Any], axes: dict[str, int]) -> tuple[str, ...]:
    """The axes on which a coordinate depends."""
    cells = codes.reshape(tuple(axes.values()))
    return tuple(name for number, name in enumerate(axes) if cells.shape[number] > 1
                 and not (cells == cells.take([0], axis=number)).all())
