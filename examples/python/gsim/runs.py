"""Running a configuration on this machine, or by a launcher within an allocation."""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .configurations import Configuration, Source, assignments, remove, write
from .errors import NotConverged, ProgramError, RunError, RunStopped
from .events import Estimate, Log, Progress
from .program import PathLike, Program, current
from .results import Results
from .run_status import Status, status

OnProgress = Callable[[Progress], object]
Launcher = str | Sequence[str] | None


def run(config: Configuration, *, name: str | None = None, output: PathLike | None = None, ranks: int = 1,
        threads: int | None = None, launcher: Launcher = None, device: str | None = None,
        set: Mapping[str, Any] | None = None, resume: bool | str = False, folder: PathLike | None = None,
        on_progress: OnProgress | None = None, environment: Mapping[str, str] | None = None,
        program: Program | None = None) -> Results:
    """Runs a configuration and returns its results.

    - `config`: an object of gsim.modules, a dict, or the path of a TOML file.
    - `name`: of the results, results/NAME.h5; by default the name of the file, or "run". `output` is their path instead.
    - `ranks`, `threads`: MPI ranks, and threads of each (default: all processors, shared by the ranks); they change no result.
    - `launcher`: "mpiexec" (that of gsim's MPI; the default for several ranks), "srun", or words of a command in which {ranks}
      and {threads} are replaced: ["srun", "--exact", "-n", "{ranks}", "-c", "{threads}"].
    - `device`: "auto", "cpu" or "cuda". `set`: overrides of keys, {"stop.samples": 4096}.
    - `resume`: True continues from the newest checkpoint, "auto" does so if there is one.
    - `folder`: to which names of files in a dict or object are relative.
    - `on_progress`: called with a Progress at most every two seconds, and at the end; `print` will do.
    - `environment`: variables that are added to those of this process.

    ConfigError for wrong input, RunStopped where a signal or time limit stopped the run with a checkpoint, NotConverged with
    `stop.require_converged`, RunError for other failures. KeyboardInterrupt stops the run with a checkpoint.
    """
    handle = start(config, name=name, output=output, ranks=ranks, threads=threads, launcher=launcher, device=device, set=set,
                   resume=resume, folder=folder, on_progress=on_progress, environment=environment, program=program)
    try:
        return handle.wait()
    except BaseException:
        handle.cancel()
        raise


def start(config: Configuration, *, name: str | None = None, output: PathLike | None = None, ranks: int = 1,
          threads: int | None = None, launcher: Launcher = None, device: str | None = None,
          set: Mapping[str, Any] | None = None, resume: bool | str = False, folder: PathLike | None = None,
          on_progress: OnProgress | None = None, environment: Mapping[str, str] | None = None,
          program: Program | None = None) -> Run:
    """Starts a run and returns at once; the arguments are those of run()."""
    gsim = program or current()
    source = write(config, folder, name)
    try:
        target = result_path(config, source, name, output, set)
        words = run_words(gsim, source, target, threads, device, set, resume)
        words = [*launcher_words(gsim, launcher, ranks, threads), *words]
        return Run(words, source, target, Log(on_progress), {**os.environ, **(environment or {})}, gsim)
    except BaseException:
        remove(source)
        raise


def result_path(config: Configuration, source: Source, name: str | None, output: PathLike | None,
                overrides: Mapping[str, Any] | None) -> pathlib.Path | None:
    """The path of the results, or None where the configuration names it (output.file) or its file does."""
    if output is not None:
        return pathlib.Path(output)
    if name is not None:
        pathlib.Path("results").mkdir(exist_ok=True)
        return pathlib.Path("results") / f"{name}.h5"
    named_by_keys = "output.file" in (overrides or {}) or (source.text is not None and _has_output_file(source.text))
    if source.shown_as is None or named_by_keys:
        return None
    return pathlib.Path("results") / f"{source.name}.h5"


def _has_output_file(text: str) -> bool:
    try:
        output = tomllib.loads(text).get("output", {})
    except ValueError:
        return False
    return isinstance(output, dict) and "file" in output


def run_words(program: Program, source: Source, output: pathlib.Path | None, threads: int | None, device: str | None,
              overrides: Mapping[str, Any] | None, resume: bool | str) -> list[str]:
    """The words of `gsim run`."""
    words = ["run", source.path, "--log", "json", *assignments(overrides)]
    if output is not None:
        words += ["--output", str(output)]
    if threads is not None:
        words += ["--threads", str(threads)]
    if device is not None:
        words += ["--device", device]
    if resume:
        words.append("--resume=auto" if resume == "auto" else "--resume")
    return program.command(*words)


def launcher_words(program: Program, launcher: Launcher, ranks: int, threads: int | None) -> list[str]:
    """The words before those of gsim."""
    if ranks < 1:
        raise ValueError(f"a run has at least one rank, not {ranks}")
    if launcher is None:
        return [program.launcher, "-n", str(ranks)] if ranks > 1 else []
    if launcher == "mpiexec":
        return [program.launcher, "-n", str(ranks)]
    if launcher == "srun":
        cpus = ["-c", str(threads)] if threads is not None else []
        return ["srun", f"--mpi={os.environ.get('GSIM_SLURM_MPI', 'pmi2')}", "-n", str(ranks), *cpus]
    words = launcher.split() if isinstance(launcher, str) else launcher
    return [word.replace("{ranks}", str(ranks)).replace("{threads}", str(threads or 1)) for word in words]


class Handle:
    """A run that lasts: what runs on this machine (Run) and jobs (gsim.slurm.Job) have in common."""

    def __init__(self, log: Log, source: Source, program: Program) -> None:
        self._log, self._source, self._program = log, source, program

    def status(self) -> Status | None:
        """The state of the run by its status file: progress, errors, time left, memory, cost. None before the file is written, and
        with `status.enabled = false`."""
        file = self._log.status_file
        if file is None or not os.path.exists(file):
            return None
        return status(file, program=self._program)[0]

    def progress(self) -> Progress | None:
        """The last progress that the run reported, or None before the first one."""
        return self._log.progress

    @property
    def estimates(self) -> list[Estimate]:
        """The estimates that the run printed at its end."""
        return self._log.estimates

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events so far, as `gsim run --log json` prints them."""
        return self._log.events

    @property
    def warnings(self) -> list[str]:
        """The warnings so far."""
        return self._log.warnings

    def _outcome(self, code: int, stderr: str) -> Results:
        """The results of a run that ended, or its exception."""
        end = self._log.end or {}
        code = end.get("exit_code", code)  # a launcher that a signal reached ends with another code
        message = stderr.strip()
        message = message[message.find("error: "):].removeprefix("error: ") if "error: " in message else message
        if code == 2:
            raise self._source.located(stderr)
        if code == 75:
            raise RunStopped(message or f"the run was stopped ({end.get('reason', 'early')}); run it again with resume=True",
                             self._log.checkpoint, self.estimates, stderr)
        if code in (0, 3) and "result" in end:
            results = Results(end["result"], estimates=self.estimates)
            if code == 0:
                return results
            raise NotConverged(message or "an estimate misses its error target, or input was skipped", results, stderr)
        if code < 0:
            message = message or f"the run was ended by {signal.Signals(-code).name}"
        raise RunError(message or f"the run ended with exit code {code}", code, stderr)


class Run(Handle):
    """A run on this machine, made by start(). As a context manager it is cancelled if the block ends by an exception."""

    def __init__(self, words: list[str], source: Source, output: pathlib.Path | None, log: Log,
                 environment: Mapping[str, str], program: Program) -> None:
        super().__init__(log, source, program)
        self.command, self.output = words, output
        self._stderr: list[str] = []
        self._changed = threading.Condition()
        try:
            # A group of its own, so that Ctrl-C reaches this process alone, which then stops the run once.
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                             text=True, errors="replace", env=dict(environment), start_new_session=True)
        except OSError as error:
            raise ProgramError(f"cannot start {words[0]}: {error.strerror}") from error
        self._readers = [threading.Thread(target=self._read_events, daemon=True),
                         threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read_events(self) -> None:
        assert self._process.stdout is not None
        failure: BaseException | None = None
        for line in self._process.stdout:
            try:
                if failure is None:
                    self._log.read_line(line)
            except Exception as error:  # of on_progress: the output must be read on, or the run would wait
                failure = error
            with self._changed:
                self._changed.notify_all()
        self._failure = failure
        with self._changed:
            self._changed.notify_all()

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._stderr.append(line)

    _failure: BaseException | None = None

    @property
    def pid(self) -> int:
        """The process of gsim, or of its launcher."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the run lasts."""
        return self._process.poll() is None

    def follow(self) -> Iterator[Progress]:
        """Yields each new progress until the run ends."""
        seen = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: len(self.events) > seen or not self._readers[0].is_alive(), timeout=1)
                is_over = not self._readers[0].is_alive() and len(self.events) == seen
                news, seen = self.events[seen:], len(self.events)
            if any(event["event"] in ("progress", "end") for event in news) and self._log.progress is not None:
                yield self._log.progress
            if is_over:
                return

    def wait(self, timeout: float | None = None) -> Results:
        """Waits for the end and returns the results; the exceptions are those of run(). TimeoutError after `timeout` seconds,
        while the run goes on. An exception of `on_progress` is raised when the run has ended."""
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the run still lasts after {timeout} s") from None
        self._close()
        if self._failure is not None:
            raise self._failure
        return self._outcome(code, "".join(self._stderr))

    def cancel(self, timeout: float | None = None) -> None:
        """Stops the run at its next control point with a checkpoint, from which resume=True continues, and waits for it."""
        if self.is_running:
            self._process.send_signal(signal.SIGUSR1)  # MPICH's mpiexec passes it on to the ranks
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                raise TimeoutError(f"the run still lasts {timeout} s after the signal to stop; kill() ends it") from None
        self._close()

    def kill(self) -> None:
        """Ends the run at once; what came after its last checkpoint is lost."""
        if self.is_running:
            self._process.terminate()
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._close()

    def _close(self) -> None:
        """Reads the output to its end, and removes the temporary configuration."""
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        remove(self._source)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            self.cancel()
        else:
            self._process.wait()
            self._close()


