"""gsim from Python: build configurations, run them, read results. The guide is examples/python/README.md."""
from __future__ import annotations

from .batch_jobs import BatchJob, BatchStatus
from .batch_results import BatchResults
from .batches import Batch, Range
from .configurations import Forecast, check, load, save, to_dict, to_toml
from .errors import ConfigError, GsimError, NotConverged, ProgramError, RunError, RunStopped
from .events import Estimate, Progress
from .files import open_results
from .grids import Fields
from .plotting import pyplot
from .program import Program, use
from .results import Results
from .run_status import Status, status
from .runs import Run, run, start
from .slurm import Job, submit
from .trajectories import Trajectory

open = open_results

__all__ = [
    "Batch", "BatchJob", "BatchResults", "BatchStatus", "ConfigError", "Estimate", "Fields", "Forecast", "GsimError", "Job",
    "NotConverged", "Program", "ProgramError", "Progress", "Range", "Results", "Run", "RunError", "RunStopped", "Status",
    "Trajectory", "check", "load", "open_results", "pyplot", "run", "save", "start", "status", "submit", "to_dict", "to_toml", "use",
]
__version__ = "0.1.0"
