"""Fields on regular grids in VTKHDF files, one step or a series of them, as xarray."""
from __future__ import annotations

import pathlib

import numpy as np
import xarray as xr

from . import hdf5, lazy
from .errors import GsimError
from .program import PathLike

_COMPONENTS = ("x", "y", "z")


class Fields:
    """The fields of a file; `names` lists them, and len() is the number of steps (1 without a series)."""

    def __init__(self, path: PathLike) -> None:
        self.path = pathlib.Path(path).absolute()
        with hdf5.open_file(self.path) as file:
            root = file.get("VTKHDF")
            if root is None or hdf5.text(root.attrs.get("Type", "")) != "ImageData":
                raise GsimError(f"{self.path} has no fields on a regular grid; tallies on other meshes are in the result file")
            self.names = list(root["CellData"])
            self._steps = int(np.asarray(root["Steps"].attrs["NSteps"]).reshape(-1)[0]) if "Steps" in root else None

    def __len__(self) -> int:
        return 1 if self._steps is None else self._steps

    def dataset(self) -> xr.Dataset:
        """All fields by ([time,] z, y, x [, component]); the coordinates are the centres of the cells. Values are read when they
        are used."""
        with hdf5.open_file(self.path) as file:
            root = file["VTKHDF"]
            origin, spacing = (np.asarray(root.attrs[name], dtype=float) for name in ("Origin", "Spacing"))
            extent = np.asarray(root.attrs["WholeExtent"], dtype=int).reshape(3, 2)
            unit = hdf5.text(root.attrs["length_unit"]) if "length_unit" in root.attrs else ""
            attributes = {"units": unit} if unit else {}
            coordinates: dict[str, xr.Variable | list[str]] = {}
            for axis, (name, (first, last)) in enumerate(zip("xyz", extent)):
                centres = origin[axis] + spacing[axis] * (np.arange(first, last) + 0.5)
                coordinates[name] = xr.Variable((name,), centres, attributes)
            axes: tuple[str, ...] = ("z", "y", "x")
            if self._steps is not None:
                axes = ("time", *axes)
                times = root["Steps/Values"]
                coordinates["time"] = lazy.variable(self.path, times, ("time",))
            variables = {}
            for name in self.names:
                item = root["CellData"][name]
                is_vector = item.ndim == len(axes) + 1
                variables[name] = lazy.variable(self.path, item, (*axes, "component") if is_vector else axes)
                if is_vector and item.shape[-1] == 3:
                    coordinates["component"] = list(_COMPONENTS)
        return xr.Dataset(variables, coordinates, {"source": str(self.path)})

    def __repr__(self) -> str:
        return f"Fields({str(self.path)!r}): {', '.join(self.names)}; {len(self)} steps"
