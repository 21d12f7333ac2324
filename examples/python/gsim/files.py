"""Opens any HDF5 file that gsim writes."""
from __future__ import annotations

import pathlib

from . import hdf5
from .batch_results import BatchResults
from .errors import GsimError
from .grids import Fields
from .program import PathLike
from .results import Results
from .trajectories import Trajectory


def open_results(path: PathLike) -> Results | BatchResults | Trajectory | Fields:
    """A result file as Results, those of a batch (or its folder) as BatchResults, H5MD as Trajectory, VTKHDF as Fields."""
    source = pathlib.Path(path)
    if source.is_dir():
        return BatchResults(source)
    with hdf5.open_file(source) as file:
        if "provenance" in file:
            is_batch = hdf5.text(file["provenance"].attrs.get("module", "")) == "batch"
            return BatchResults(source.parent) if is_batch else Results(source)
        if "h5md" in file:
            return Trajectory(source)
        if "VTKHDF" in file:
            return Fields(source)
    raise GsimError(f"{source} is no file of results, no trajectory and no fields of gsim")
