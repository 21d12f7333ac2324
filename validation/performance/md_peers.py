#!/usr/bin/env python3
"""Molecular dynamics side by side with LAMMPS and GROMACS: the same systems, run alternately on the same cores of one
machine. A benchmark, not a test: low speed is printed, and is not an error.

    md_peers.py [--gsim PROGRAM] [--lammps PROGRAM] [--gromacs PROGRAM] [--rounds N] [--json FILE]

Programs are taken from the options, otherwise from $GSIM, $LAMMPS and $GROMACS, otherwise from PATH; missing ones are
left out. (Debian's packages of LAMMPS and GROMACS install another MPI. To keep the MPI of the machine, unpack them into
a folder with dpkg -x, and set LD_LIBRARY_PATH, OPAL_PREFIX and GMXDATA to folders in it.) Double precision is compared
with LAMMPS (each accelerated style of its build), mixed precision with GROMACS (with its automatic list buffer, and
with the list radius of LAMMPS).

A rate is atoms times steps over the time that the program prints for its main loop; medians of the runs are shown.
Instructions per atom and step are counted by perf, or by valgrind with AVX2 kernels on machines without counters, in
two runs of different length, so that set-up cancels. Bytes per atom are the difference of the peak memory of two
systems of different size, over the difference of their numbers of atoms."""
import argparse
import copy
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import md_codes
import md_decks
from peers import find_program, has_counters, instructions_of, machine_description, run_alternately


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--lammps"), p.add_argument("--gromacs")
    p.add_argument("--mpiexec", help="launcher of gsim's ranks ($GSIM_MPIEXEC)")
    p.add_argument("--lammps-mpiexec", help="launcher of LAMMPS's ranks ($LAMMPS_MPIEXEC)")
    p.add_argument("--potentials", help="folder that holds Cu_u3.eam ($LAMMPS_POTENTIALS)")
    p.add_argument("--only", action="append", choices=["lj", "eam", "chain"])
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--scale", type=float, default=1, help="factor for the number of steps of each run")
    p.add_argument("--cores", help="numbers of the cores to use, such as 0,1 (default: all)")
    p.add_argument("--no-counts", action="store_true", help="do not measure instructions and bytes per atom")
    p.add_argument("--json", help="also write all figures to this file")
    return p.parse_args()


def potential(options):
    """The path of Cu_u3.eam, which is distributed with LAMMPS, or None."""
    folders = [options.potentials, os.environ.get("LAMMPS_POTENTIALS"),
              "/usr/share/lammps/potentials"]
    for folder_name in filter(None, folders):
        file = pathlib.Path(folder_name) / "Cu_u3.eam"
        if file.is_file():
            return file.resolve()
    return None


def decks(options):
    """For each system three decks: the one that is timed, a small one to count instructions, and one of twice the atoms
    to measure bytes per atom."""
    def steps(n):
        return max(20, int(n * options.scale))

    copper = potential(options)
    systems = {
        "lj": [md_decks.Melt("lj", cells, steps(n)) for cells, n in
               (((20, 20, 20), 400), ((10, 10, 10), 20), ((40, 20, 20), 20))],
        "chain": [md_decks.Chains("chain", cells, steps(n)) for cells, n in
                  (((20, 40, 40), 1000), ((20, 20, 20), 20), ((40, 40, 40), 20))],
    }
    if copper is not None:
        systems["eam"] = [md_decks.Copper("eam", cells, steps(n), copper) for cells, n in
                       (((20, 20, 20), 200), ((8, 8, 8), 20), ((40, 20, 20), 20))]
    names = options.only or list(systems)
    if "eam" in names and copper is None:
        sys.exit("Cu_u3.eam was not found: name its folder with --potentials")
    return [systems[n] for n in ("lj", "eam", "chain") if n in names and n in systems]


def programs(options):
    """The variants of all programs, and a line that describes each program."""
    launcher = [find_program(options.mpiexec, "GSIM_MPIEXEC", "mpiexec.mpich") or "mpiexec"]
    gsim, descriptions = find_program(options.gsim, "GSIM", "gsim"), {}
    if gsim is None:
        sys.exit("gsim was not found: name it with --gsim")
    descriptions["gsim"] = subprocess.run([gsim, "--version"], capture_output=True, text=True,
                                   check=True).stdout.splitlines()[0]
    found = [md_codes.Gsim("gsim double", gsim, "double"),
             md_codes.Gsim("gsim double, ranks", gsim, "double", launcher, uses_ranks=True)]
    lammps = find_program(options.lammps, "LAMMPS", "lmp")
    if lammps:
        version, suffixes = md_codes.lammps_description(lammps)
        descriptions["LAMMPS"] = f"{version}; accelerated styles: {', '.join(suffixes) or 'none'}"
        lammps_launcher = [find_program(options.lammps_mpiexec, "LAMMPS_MPIEXEC", "mpiexec") or "mpiexec"]
        for s in suffixes or [""]:
            package = ["-pk", "intel", "0", "mode", "double"] if s == "intel" else []
            found.append(md_codes.Lammps(f"LAMMPS {s}".strip(), lammps, lammps_launcher, s, package))
    found += [md_codes.Gsim("gsim mixed", gsim, "mixed"),
              md_codes.Gsim("gsim mixed, ranks", gsim, "mixed", launcher, uses_ranks=True)]
    if lammps and "intel" in suffixes:
        found.append(md_codes.Lammps("LAMMPS intel, mixed", lammps, lammps_launcher, "intel",
                                     ["-pk", "intel", "0", "mode", "mixed"]))
    gromacs = find_program(options.gromacs, "GROMACS", "gmx")
    if gromacs:
        descriptions["GROMACS"] = md_codes.gromacs_description(gromacs)
        found += [md_codes.Gromacs("GROMACS, own buffer", gromacs, True),
                  md_codes.Gromacs("GROMACS, radius 2.8", gromacs, False)]
    return found, descriptions


def instructions(deck, program, folder):
    """Instructions per atom and step, from the difference of runs of n and 3n steps. Both are long enough to rebuild
    neighbour lists."""
    counts, steps = [], deck.steps
    for factor in (1, 3):
        deck.steps = factor * steps
        program.prepare(deck, folder)
        command = [str(a) for a in program.arguments(deck, 1)]
        counts.append(instructions_of(command, folder, program.environment()))
    deck.steps = steps
    return (counts[1] - counts[0]) / (2 * steps * deck.atoms)


def bytes_per_atom(small, large, program, folder):
    """From the difference of the peak memory of two systems."""
    peaks = []
    for deck in (small, large):
        program.prepare(deck, folder / f"{deck.atoms}")
        peaks.append(program.run(deck, folder / f"{deck.atoms}", [0]).peak_bytes)
    return (peaks[1] - peaks[0]) / (large.atoms - small.atoms)


def with_few_steps(deck):
    """The same system for a few steps, which is enough to measure memory."""
    copied = copy.copy(deck)
    copied.steps = 20
    return copied


def row(results, counts):
    """Medians of the runs of one program, and `counts`: its instructions and bytes per atom."""
    return {"rate": statistics.median(r.rate for r in results),
            "lowest": min(r.rate for r in results), "highest": max(r.rate for r in results),
            "cpu_seconds": statistics.median(r.cpu_seconds for r in results),
            "loop_seconds": statistics.median(r.seconds for r in results),
            "shares": {k: statistics.median(r.shares.get(k, 0) for r in results)
                       for k in results[0].shares}, **counts}


def show(title, rows):
    """Prints a table of the results of one deck on one set of cores, one row per program."""
    print(f"\n{title}")
    print(f"  {'':<22}{'M atom-steps/s':>15}{'lowest':>9}{'highest':>9}"
          f"{'instructions':>14}{'bytes/atom':>12}")
    for label, r in rows.items():
        ins = f"{r['instructions']:.0f}" if "instructions" in r else "-"
        size = f"{r['bytes_per_atom']:.0f}" if "bytes_per_atom" in r else "-"
        print(f"  {label:<22}{r['rate'] / 1e6:>15.3f}{r['lowest'] / 1e6:>9.3f}"
              f"{r['highest'] / 1e6:>9.3f}{ins:>14}{size:>12}")
    for label, r in rows.items():
        parts = ", ".join(f"{k} {100 * v:.1f}" for k, v in
                          sorted(r["shares"].items(), key=lambda x: -x[1]) if v >= 0.001)
        print(f"    {label}, % of the loop: {parts}")
    sys.stdout.flush()


def measure(decks_of_system, programs_to_run, cores, options, folder):
    """Measures one system on one core, with instructions and bytes per atom, then on all cores."""
    deck, small, large = decks_of_system
    runnable = [c for c in programs_to_run if c.can_run(deck)]
    single = [c for c in runnable if not c.label.endswith("ranks")]
    results_of = run_alternately(deck, single, cores[:1], options.rounds, folder / "one")
    rows = {}
    for c in single:
        counts = {}
        if not options.no_counts:
            counts["instructions"] = instructions(small, c, folder / "count" / c.label)
            counts["bytes_per_atom"] = bytes_per_atom(with_few_steps(deck), large, c,
                                                      folder / "bytes" / c.label)
        rows[c.label] = row(results_of[c.label], counts)
    name = f"{deck.title}, {deck.atoms} atoms, {deck.steps} steps"
    show(f"{name}, core {cores[0]}", rows)
    report = {"deck": deck.name, "atoms": deck.atoms, "steps": deck.steps, "one core": rows}
    if len(cores) > 1:
        results_of = run_alternately(deck, runnable, cores, options.rounds, folder / "all")
        rows = {c.label: row(results_of[c.label], {}) for c in runnable}
        show(f"{name}, cores {', '.join(map(str, cores))}", rows)
        report["all cores"] = rows
    return report


def main():
    options = arguments()
    programs_to_run, descriptions = programs(options)
    host = machine_description()
    cores = ([int(c) for c in options.cores.split(",")] if options.cores
             else sorted(os.sched_getaffinity(0)))
    print("\n".join(f"{k.replace('_', ' ')}: {v}" for k, v in {**host, **descriptions}.items()))
    print(f"medians of {options.rounds} alternating runs; instructions per atom-step by "
          f"{'perf' if has_counters() else 'valgrind, AVX2'}")
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        for decks_of_system in decks(options):
            reports.append(measure(decks_of_system, programs_to_run, cores, options,
                                   pathlib.Path(folder) / decks_of_system[0].name))
    print(f"\nload average at the end: {os.getloadavg()[0]:.2f}")
    if options.json:
        text = json.dumps({**host, "programs": descriptions, "rounds": options.rounds,
                           "decks": reports}, indent=1)
        pathlib.Path(options.json).write_text(text + "\n")


if __name__ == "__main__":
    main()
