"""Single runs as jobs of Slurm. Batches have `gsim batch`."""
from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import Any

from .configurations import Configuration, Source, remove, write
from .errors import GsimError, ProgramError
from .events import Log, Progress
from .program import PathLike, Program, current
from .results import Results
from .run_status import Status
from .runs import Handle, OnProgress, run_words

# A job that is preempted, or warned before its time is over, writes a checkpoint, ends with exit code 75 and is queued again.
_SCRIPT = """#!/bin/bash
#SBATCH --job-name={job_name}
#SBATCH --signal=USR1@{warning}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={events}
#SBATCH --error={errors}
{options}
resume=()
[ "${{SLURM_RESTART_COUNT:-0}}" = 0 ] || resume=(--resume=auto)
export SRUN_CPUS_PER_TASK=${{SLURM_CPUS_PER_TASK:-1}}
trap 'kill -USR1 $step' USR1
srun --mpi={mpi} {command} "${{resume[@]}}" &
step=$!
while kill -0 $step 2>/dev/null; do wait $step; done
wait $step; status=$?
if [ $status = 75 ] && [ ! -e {cancelled} ]; then scontrol requeue "$SLURM_JOB_ID" && exit $status; fi
echo $status > {status}
exit $status
"""


def submit(config: Configuration, *, name: str | None = None, ranks: int = 1, threads: int = 1, time_limit: str | None = None,
           options: Mapping[str, str | int | None] | None = None, set: Mapping[str, Any] | None = None,
           resume: bool | str = False, device: str | None = None, folder: PathLike | None = None,
           on_progress: OnProgress | None = None, program: Program | None = None) -> Job:
    """Submits a run by sbatch, and returns at once; its results are results/NAME.h5, its log and status files are beside them.

    `time_limit` is that of sbatch ("04:00:00"), and `options` are further ones: {"partition": "gpu", "gpus-per-node": 4,
    "exclusive": None}. The other arguments are those of gsim.run(). The folder must be one that the nodes see, too.
    """
    gsim = program or current()
    source = write(config, folder, name)
    base = pathlib.Path("results").absolute() / source.name
    base.parent.mkdir(exist_ok=True)
    files = {kind: base.with_name(f"{base.name}.{kind}") for kind in ("sbatch", "jsonl", "err", "status", "cancelled")}
    for kind in ("jsonl", "err", "status", "cancelled"):
        files[kind].unlink(missing_ok=True)
    output = base.with_name(f"{base.name}.h5")
    listed = {"ntasks": ranks, "cpus-per-task": threads, "time": time_limit, **(options or {})}
    if time_limit is None:
        listed.pop("time")
    lines = [f"#SBATCH --{key}" + ("" if value is None else f"={value}") for key, value in listed.items()]
    quoted = {kind: shlex.quote(str(path)) for kind, path in files.items()}
    command = shlex.join(run_words(gsim, source, output, threads, device, set, resume))
    files["sbatch"].write_text(_SCRIPT.format(
        job_name=source.name, warning=300, events=files["jsonl"], errors=files["err"], options="\n".join(lines),
        mpi=shlex.quote(os.environ.get("GSIM_SLURM_MPI", "pmi2")), command=command, cancelled=quoted["cancelled"],
        status=quoted["status"]), encoding="utf-8")
    try:
        job = _slurm("sbatch", "--parsable", str(files["sbatch"])).strip().split(";")[0]
    except GsimError:
        remove(source)
        raise
    return Job(job, source, files, Log(on_progress), gsim)


def _slurm(*words: str) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ProgramError(f"cannot start {words[0]}: {error.strerror}; is this a machine with Slurm?") from error
    if done.returncode != 0:
        raise GsimError(f"{words[0]}: {done.stderr.strip() or f'exit code {done.returncode}'}")
    return done.stdout


class Job(Handle):
    """A job of Slurm, made by submit(). `id` is its number. Other processes read NAME.jsonl, the events of the run, too."""

    def __init__(self, job: str, source: Source, files: Mapping[str, pathlib.Path], log: Log, program: Program) -> None:
        super().__init__(log, source, program)
        self.id, self._files, self._read = job, dict(files), 0

    @property
    def script(self) -> str:
        """The job file."""
        return self._files["sbatch"].read_text(encoding="utf-8")

    @property
    def state(self) -> str:
        """"PENDING", "RUNNING", …; "ENDED" when Slurm's queue does not have the job any more."""
        return _slurm("squeue", "--noheader", "--states=all", "--jobs", self.id, "--format=%T").strip() or "ENDED"

    def progress(self) -> Progress | None:
        """The last progress that the run reported, or None before the first one."""
        self._update()
        return super().progress()

    def _update(self) -> None:
        """Reads what was added to the events."""
        path = self._files["jsonl"]
        if not path.exists():
            return
        with path.open("rb") as file:
            file.seek(self._read)
            complete, newline, _ = file.read().rpartition(b"\n")
        if newline:
            self._read += len(complete) + 1
            for line in complete.decode("utf-8", "replace").split("\n"):
                self._log.read_line(line)

    def status(self) -> Status | None:
        """The state of the run by its status file, or None before it is written."""
        self._update()
        return super().status()

    def follow(self, interval: float = 2) -> Iterator[Progress]:
        """Yields the progress whenever it has changed, until the job ends."""
        last = None
        while True:
            is_over = self._is_over()
            now = self.progress()
            if now is not None and now != last:
                last = now
                yield now
            if is_over:
                return
            time.sleep(interval)

    def _is_over(self) -> bool:
        if self._files["status"].exists():
            return True
        try:
            state = self.state
        except GsimError:  # Slurm has forgotten the job
            state = "ENDED"
        return state not in ("PENDING", "RUNNING", "SUSPENDED", "CONFIGURING", "COMPLETING", "REQUEUED", "REQUEUE_HOLD",
                             "SIGNALING", "STAGE_OUT", "RESIZING")

    def wait(self, timeout: float | None = None, interval: float = 2) -> Results:
        """Waits for the end of the job and returns the results; the exceptions are those of gsim.run(). TimeoutError after
        `timeout` seconds, while the job goes on."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self._is_over():
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"job {self.id} still lasts after {timeout} s; it is {self.state}")
            time.sleep(interval)
            self._update()
        self._update()
        remove(self._source)
        stderr = self._files["err"].read_text(encoding="utf-8", errors="replace") if self._files["err"].exists() else ""
        if not self._files["status"].exists():
            raise GsimError(f"job {self.id} was ended by Slurm; the log is {self._files['err']}\n{stderr.strip()}".strip())
        return self._outcome(int(self._files["status"].read_text()), stderr)

    def cancel(self) -> None:
        """Ends the job: a run with a checkpoint, which resume=True continues; a job that waits, at once."""
        self._files["cancelled"].touch()
        if self.state == "RUNNING":
            _slurm("scancel", "--signal=USR1", self.id)
        else:
            _slurm("scancel", self.id)


