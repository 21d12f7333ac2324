"""Runs gsim, LAMMPS and GROMACS on a system (md_decks.py) and reads the timings that they print."""
import json
import re
import subprocess
import sys

import md_decks
from peers import Program, Result


class Gsim(Program):
    """`uses_ranks`: each core runs a rank of one thread; otherwise the cores run the threads of one rank."""

    def __init__(self, label, command, precision, launcher=None, uses_ranks=False, extra_tables=""):
        super().__init__(label, command, launcher)
        self.precision, self.uses_ranks, self.extra_tables = precision, uses_ranks, extra_tables

    def can_run(self, deck):
        return True

    def prepare(self, deck, folder):
        md_decks.write(deck, folder, {"run.toml": deck.gsim(self.precision, self.extra_tables)})

    def arguments(self, deck, workers):
        ranks, threads = (workers, 1) if self.uses_ranks else (1, workers)
        return [*self.launch_prefix(ranks), self.command, "run", "run.toml", "--log", "json",
                "--threads", threads, "--output", "run.h5"]

    def read(self, deck, output, folder):
        end = [json.loads(line) for line in output.splitlines() if line.startswith("{")][-1]
        loop = deck.atoms * deck.steps / end["rate"]
        regions = {k: v for k, v in end["regions"].items() if k not in ("read", "write", "reduce")}
        total = sum(regions.values())  # includes the first forces, which the loop excludes
        # CPU time and memory, here 0, are set by Program.run.
        return Result(end["rate"], loop, 0, 0, {k: v / total for k, v in regions.items()},
                      loop=end["loop"])


class Lammps(Program):
    """`suffix`: the accelerated styles (-sf), with the arguments `package` of the command line. `options["neighbours"]`
    replaces the arguments of neigh_modify."""

    def __init__(self, label, command, launcher=None, suffix="", package=(), options=None):
        super().__init__(label, command, launcher)
        self.suffix, self.package, self.options = suffix, list(package), options or {}

    def can_run(self, deck):
        return hasattr(deck, "lammps")

    def prepare(self, deck, folder):
        md_decks.write(deck, folder, {"in.run": deck.lammps(self.options)})

    def arguments(self, deck, workers):
        suffix = ["-sf", self.suffix] if self.suffix else []
        return [*self.launch_prefix(workers), self.command, "-in", "in.run", "-log", "log.run",
                *suffix, *self.package]

    def read(self, deck, output, folder):
        loop = float(re.search(r"Loop time of (\S+) on", output)[1])
        shares = {name.strip().lower(): float(percent) / 100 for name, percent in
                  re.findall(r"^(\w+) +\|.*\| *([0-9.]+)\s*$", output, re.M)}
        builds = re.search(r"Neighbor list builds = (\d+)", output)
        return Result(deck.atoms * deck.steps / loop, loop, 0, 0, shares,
                      int(builds[1]) if builds else 0)

    def environment(self):
        return {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Gromacs(Program):
    def __init__(self, label, command, automatic_buffer):
        super().__init__(label, command)
        self.automatic_buffer = automatic_buffer

    def can_run(self, deck):
        return hasattr(deck, "gromacs")

    def prepare(self, deck, folder):
        md_decks.write(deck, folder, deck.gromacs(self.automatic_buffer))
        completed = subprocess.run([self.command, "grompp", "-f", "run.mdp", "-c", "start.gro", "-p",
                               "system.top", "-o", "run.tpr", "-maxwarn", "2"], cwd=folder,
                              capture_output=True, text=True, check=False)
        if completed.returncode != 0:
            sys.exit(f"gmx grompp failed:\n{completed.stderr[-3000:]}")

    def arguments(self, deck, workers):
        return [self.command, "mdrun", "-s", "run.tpr", "-ntmpi", "1", "-ntomp", workers, "-pin",
                "off", "-deffnm", "out", "-noconfout"]

    def read(self, deck, output, folder):
        log = (folder / "out.log").read_text()
        rows = re.findall(r"^ (\S.*?)\s{2,}(?:\d+\s+)*([0-9.]+)\s+[0-9.]+\s+[0-9.]+$",
                          log[log.index("T I M E   A C C O U N T I N G"):], re.M)
        times = {name.strip().lower(): float(seconds) for name, seconds in rows}
        loop = times.pop("total") - times.pop("write traj.", 0.0)
        return Result(deck.atoms * deck.steps / loop, loop, 0, 0,
                      {name: seconds / loop for name, seconds in times.items()})


def gromacs_description(command):
    """Version and SIMD instruction set of its build."""
    text = subprocess.run([command, "--version"], capture_output=True, text=True,
                          check=False).stdout
    matches = [re.search(rf"{key}:\s+(.*)", text) for key in ("GROMACS version", "SIMD instructions")]
    return ", SIMD ".join(m[1].strip() for m in matches if m)


def lammps_description(command):
    """Version, and the accelerated styles of its build."""
    text = subprocess.run([command, "-h"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"Simulator - (.*)", text)
    suffixes = [s for s in ("intel", "opt", "omp") if re.search(rf"\blj/cut/{s}\b", text)]
    return (version[1].strip() if version else "unknown version"), suffixes
