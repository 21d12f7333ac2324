"""Datasets of HDF5 files as arrays of xarray that are read when, and as far as, they are used."""
from __future__ import annotations

import pathlib
from typing import Any

import h5py
import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from . import hdf5


class _StoredArray(BackendArray):  # type: ignore[misc]
    """A dataset of a file, which is opened for each read and closed again."""

    def __init__(self, path: pathlib.Path, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.path, self.name, self.shape, self.dtype = path, name, shape, dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER_1VECTOR, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        # h5py takes slices with positive steps and increasing lists only.
        wanted: list[Any] = []
        order: list[Any] = []
        for part in key:
            if isinstance(part, slice) and part.step is not None and part.step < 0:
                chosen = range(*part.indices(self.shape[len(wanted)]))
                wanted.append(slice(chosen[-1], chosen[0] + 1, -chosen.step) if len(chosen) else slice(0, 0))
                order.append(slice(None, None, -1))
            elif isinstance(part, np.ndarray):
                unique, inverse = np.unique(part % max(1, self.shape[len(wanted)]), return_inverse=True)
                wanted.append(unique)
                order.append(inverse)
            else:
                wanted.append(part)
                if isinstance(part, slice):
                    order.append(slice(None))
        with h5py.File(self.path, "r") as file:
            values = file[self.name][tuple(wanted)]
        return values[tuple(order)] if order else values


def variable(path: pathlib.Path, dataset: h5py.Dataset, dimensions: tuple[str, ...], **attributes: str) -> xr.Variable:
    """The dataset as a variable, with its unit."""
    unit = hdf5.text(dataset.attrs["unit"]) if "unit" in dataset.attrs else ""
    array = _StoredArray(path, dataset.name, dataset.shape, dataset.dtype)
    found = {"units": unit, **attributes}
    return xr.Variable(dimensions, indexing.LazilyIndexedArray(array), {name: text for name, text in found.items() if text})
