"""Trajectories in H5MD files as xarray. Frames are read when they are used, so that a file may be larger than memory."""
from __future__ import annotations

import pathlib

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from . import hdf5, lazy
from .errors import GsimError
from .program import PathLike

_AXES = ("x", "y", "z")


class Trajectory:
    """A trajectory. `len()` is the number of its frames."""

    def __init__(self, path: PathLike) -> None:
        self.path = pathlib.Path(path).absolute()
        with hdf5.open_file(self.path) as file:
            groups = list(file["particles"]) if "h5md" in file and "particles" in file else []
            if not groups:
                raise GsimError(f"{self.path} is no H5MD file with particles")
            self._group = f"particles/{groups[0]}"
            self._frames = int(file[f"{self._group}/position/value"].shape[0])

    def __len__(self) -> int:
        return self._frames

    def dataset(self) -> xr.Dataset:
        """All elements that change from frame to frame, by (frame, atom, axis), those of an atom by (atom), and the edges of the
        box by (frame, edge, axis), with times and steps as coordinates of the frames. Positions are wrapped into the box;
        `image` counts, for each atom, the edges by which unwrapped() moves it."""
        variables: dict[str, xr.Variable] = {}
        with hdf5.open_file(self.path) as file:
            group = file[self._group]
            for name, item in group.items():
                if isinstance(item, h5py.Group) and "value" in item:
                    axes = ("frame", "atom", "axis")[:item["value"].ndim]
                    variables[name] = lazy.variable(self.path, item["value"], axes)
                elif isinstance(item, h5py.Dataset) and item.ndim == 1:
                    variables[name] = lazy.variable(self.path, item, ("atom",))
            edges = group["box/edges"]
            if isinstance(edges, h5py.Group):
                variables["edges"] = lazy.variable(self.path, edges["value"], ("frame", "edge", "axis"))
            for name, item in file.get("observables", {}).items():
                if isinstance(item, h5py.Group) and "value" in item:
                    axes = ("frame", "edge", "axis") if item["value"].ndim == 3 else ("frame",)
                    variables[name] = lazy.variable(self.path, item["value"], axes)
            coordinates = {"step": lazy.variable(self.path, group["position/step"], ("frame",)),
                           "time": lazy.variable(self.path, group["position/time"], ("frame",)), "axis": list(_AXES)}
        return xr.Dataset(variables, coordinates, {"source": str(self.path)})

    def unwrapped(self, frames: slice = slice(None)) -> xr.DataArray:
        """Positions that are continuous in time, of the frames of a slice. GsimError where the file has no image counts."""
        data = self.dataset().isel(frame=frames)
        if "image" not in data:
            raise GsimError(f"{self.path.name} has no image counts (trajectory key `image`)")
        moved = np.einsum("fak,fkx->fax", data["image"].values, data["edges"].values)
        positions: xr.DataArray = data["position"] + xr.DataArray(moved, dims=("frame", "atom", "axis"))
        positions.attrs = dict(data["position"].attrs)
        return positions

    def observables(self) -> pd.DataFrame:
        """The observables of each frame that are numbers, by step."""
        data = self.dataset()
        names = [str(name) for name in data.data_vars if data[name].dims == ("frame",)]
        frame = pd.DataFrame({"time": data["time"].values, **{name: data[name].values for name in names}},
                             index=pd.Index(data["step"].values, name="step"))
        frame.attrs["units"] = {name: data[name].attrs["units"] for name in ["time", *names] if "units" in data[name].attrs}
        return frame

    def __repr__(self) -> str:
        return f"Trajectory({str(self.path)!r}): {self._frames} frames"
