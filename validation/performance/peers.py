"""Shared by benchmarks that run gsim beside other programs: finding programs, running them alternately on the same
cores, and the description of the machine."""
import collections
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Result:
    """One run. Rates are those of the program's main loop, without set-up."""
    rate: float  # atom-steps or particles per second
    seconds: float  # of the loop
    cpu_seconds: float  # of the whole process, all ranks and threads
    peak_bytes: int  # of the largest process
    shares: dict = field(default_factory=dict)  # part of the loop -> share of its time
    rebuilds: int = 0  # of the neighbour lists
    loop: dict = field(default_factory=dict)  # gsim: busy and waiting times of the ranks in the loop
    estimate: tuple = ()  # mean and standard error of what is calculated


def run_pinned(command, folder, cores, environment=None):
    """Runs a command on `cores` (their numbers); returns its output and the resources used."""
    pinned = ["taskset", "-c", ",".join(map(str, cores)), *map(str, command)]
    process = subprocess.Popen(pinned, cwd=folder, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(pinned)} (in {folder}) ended with {process.returncode}:\n"
                 f"{output[-3000:]}")
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Program:
    """Common interface: a name, whether a system can be run, and the command that runs it. A system is described by a
    deck, an object of md_decks.py or transport_decks.py."""

    def __init__(self, label, command, launcher=None):
        self.label, self.command, self.launcher = label, command, launcher

    def can_run(self, deck):
        raise NotImplementedError

    def prepare(self, deck, folder):
        """Writes the input files of the system `deck` to `folder`."""
        raise NotImplementedError

    def arguments(self, deck, workers):
        """The command for a folder that prepare() filled."""
        raise NotImplementedError

    def read(self, deck, output, folder):
        """The Result of a run from its output; run() adds CPU time and peak memory."""
        raise NotImplementedError

    def run(self, deck, folder, cores):
        folder = pathlib.Path(folder)
        output, cpu, peak = run_pinned(self.arguments(deck, len(cores)), folder, cores,
                                  self.environment())
        result = self.read(deck, output, folder)
        result.cpu_seconds, result.peak_bytes = cpu, peak
        return result

    def environment(self):
        return {}

    def launch_prefix(self, ranks):
        """The beginning of a command that runs on `ranks` ranks."""
        return [] if ranks == 1 else [*self.launcher, "-n", str(ranks)]


def find_program(given, variable, name):
    """The path of a program: by option, by environment variable, on PATH; None if it is not found."""
    found = shutil.which(given or os.environ.get(variable, "") or name)
    return os.path.abspath(found) if found else None


def run_alternately(deck, programs_to_run, cores, rounds, folder):
    """Results of every program, run one after the other, `rounds` times."""
    results = collections.defaultdict(list)
    for c in programs_to_run:
        c.prepare(deck, folder / c.label)
    for _ in range(rounds):
        for c in programs_to_run:
            results[c.label].append(c.run(deck, folder / c.label, cores))
    return results


def instructions_of(command, folder, environment):
    """Number of instructions that a command and all its threads execute, by perf or else by valgrind's callgrind."""
    environment = {**os.environ, **environment}
    if has_counters():
        done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", *command],
                              cwd=folder, capture_output=True, text=True, check=True,
                              env=environment)
        return int(re.search(r"^(\d+),,instructions", done.stderr, re.M)[1])
    # Valgrind does not execute AVX-512.
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           *command], cwd=folder, capture_output=True, text=True, check=True,
                          env={**environment, "GSIM_CPU_LEVEL": "avx2"})
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def has_counters():
    """Whether perf can count instructions on this machine."""
    if shutil.which("perf") is None:
        return False
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "true"],
                          capture_output=True, text=True, check=False)
    return re.search(r"^\d+,,instructions", done.stderr, re.M) is not None


def machine_description():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", text)
    return {"date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "processor": model[1] if model else platform.machine(),
            "cores": os.cpu_count(), "load_average": os.getloadavg()[0]}
