#!/usr/bin/env python3
"""Molecular dynamics on two ranks: the gain from the second core at 100,000 atoms per rank, and from load balancing
when all atoms are in one half of the box. In perfect balance a step takes the mean busy time of the ranks, without
waiting for each other. Runs alternate, each rank on its own core; medians are printed. For comparison the limit of the
machine: two simultaneous runs of one rank, which share nothing but memory and caches. A benchmark, not a test.

    md_ranks.py [--gsim PROGRAM] [--mpiexec PROGRAM] [--rounds N] [--scale FACTOR] [--only PART]
                [--json FILE]"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile

import md_codes
import md_decks
from peers import find_program


class Droplet(md_decks.Deck):
    """A ball of Lennard-Jones liquid, about 30,000 atoms, in the half of an elongated box that one of
    two ranks owns."""

    title = "droplet in one half of the box"
    radius, density, box = 20.8, 0.8, (92.0, 46.0, 46.0)

    def __init__(self, name, steps):
        super().__init__(name, None, steps)
        self.sites = list(self.sites_in_sphere())

    @property
    def atoms(self):
        return len(self.sites)

    def sites_in_sphere(self):
        edge = (4 / self.density) ** (1 / 3)
        centre = (self.box[0] / 4, self.box[1] / 2, self.box[2] / 2)
        reach = range(-math.ceil(self.radius / edge), math.ceil(self.radius / edge) + 1)
        for x in reach:
            for y in reach:
                for z in reach:
                    for b in md_decks.FCC:
                        r = [edge * (c + d) for c, d in zip((x, y, z), b)]
                        if math.hypot(*r) <= self.radius:
                            yield [c + d for c, d in zip(centre, r)]

    def files(self):
        text = [f"droplet\n\n{self.atoms} atoms\n1 atom types\n"]
        text += [f"0 {length} {a}lo {a}hi" for a, length in zip("xyz", self.box)]
        text.append("\nMasses\n\n1 1.0\n\nAtoms # atomic\n")
        text += [f"{i + 1} 1 {r[0]:.9f} {r[1]:.9f} {r[2]:.9f}" for i, r in enumerate(self.sites)]
        return {"droplet.data": "\n".join(text) + "\n"}

    def start(self):
        return """kind = "lammps_data"
file = "droplet.data"
temperature = 0.7
"""

    def forces(self):
        return md_decks.LENNARD_JONES + "cutoff = 2.5\n"


class Variant:
    """A program on a deck, on some ranks; `copies` of it run at the same time, each on its own cores."""

    def __init__(self, program, deck, ranks, copies=1):
        self.program, self.deck, self.ranks, self.copies = program, deck, ranks, copies

    def prepare(self, folder):
        for copy in range(self.copies):
            self.program.prepare(self.deck, folder / str(copy))

    def run(self, cores, folder):
        """The rate of all copies together; for a step, in ms: the total time, the mean busy and waiting time of the
        ranks, and the maximum busy time."""
        def one(copy):
            own_cores = cores[copy * self.ranks:(copy + 1) * self.ranks]
            return self.program.run(self.deck, folder / str(copy), own_cores)
        with concurrent.futures.ThreadPoolExecutor(self.copies) as pool:
            results = list(pool.map(one, range(self.copies)))
        ms = 1e3 / self.deck.steps
        step = {"ranks": self.ranks, "ms": statistics.mean(ms * r.seconds for r in results)}
        for name, value in (("busy", "mean"), ("busy_most", "max"), ("waiting", "mean")):
            region = name.split("_")[0]
            step[name] = statistics.mean(ms * r.loop[region][value] for r in results)
        return sum(r.rate for r in results), step


def series(variants, cores, rounds, folder):
    """By label, for all variants, run alternately: the median rate, and the parts of a step in the run with the median
    time."""
    runs = {label: [] for label in variants}
    for label, variant in variants.items():
        variant.prepare(folder / label)
    for _ in range(rounds):
        for label, variant in variants.items():
            runs[label].append(variant.run(cores, folder / label))
    median_runs = {label: sorted(results, key=lambda run: run[0])[len(results) // 2]
                   for label, results in runs.items()}
    return ({label: statistics.median(rate for rate, _ in results) for label, results in runs.items()},
            {label: step for label, (_, step) in median_runs.items()})


def compare_with_perfect_balance(step):
    """Text that compares the time of a step with perfect balance."""
    if step["ranks"] == 1:
        return "one rank does not wait"
    return (f"ranks are busy {step['busy']:.3f} ms in the mean, {step['busy_most']:.3f} at most: "
            f"{step['ms'] / step['busy']:.3f} times perfect balance")


def efficiency(make_program, options, cores, folder):
    """100,920 atoms on one rank, twice as many on two."""
    steps = max(10, int(100 * options.scale))
    one = md_decks.Melt("one", (30, 29, 29), steps)
    two = md_decks.Melt("two", (60, 29, 29), steps)
    report = {}
    for precision in ("double", "mixed"):
        program = make_program(precision, "")
        variants = {"one": Variant(program, one, 1), "side by side": Variant(program, one, 1, copies=2),
                    "two": Variant(program, two, 2)}
        rates, parts = series(variants, cores, options.rounds, folder / precision)
        gain = rates["two"] / rates["one"] / 2
        machine_limit = rates["side by side"] / rates["one"] / 2
        print(f"  {precision:<8}{one.atoms} atoms per rank: {rates['one'] / 1e6:.3f} M atom-steps/s on "
              f"one rank, {rates['two'] / 1e6:.3f} on two: efficiency {100 * gain:.1f} %; two runs "
              f"at the same time: {100 * machine_limit:.1f} %; {compare_with_perfect_balance(parts['two'])}")
        report[precision] = {**rates, "atoms_per_rank": one.atoms, "efficiency": gain,
                             "side_by_side": machine_limit, "step": parts["two"]}
    return report


def droplet(make_program, options, cores, folder):
    deck = Droplet("droplet", max(100, int(1000 * options.scale)))
    variants = {"one rank": Variant(make_program("mixed", ""), deck, 1),
                "two, balanced": Variant(make_program("mixed", "[balance]\nenabled = true\n"), deck, 2),
                "two, fixed borders": Variant(make_program("mixed", "[balance]\nenabled = false\n"), deck, 2)}
    rates, steps = series(variants, cores, options.rounds, folder)
    one = steps["one rank"]["ms"]
    print(f"  {deck.title}, {deck.atoms} atoms, {deck.steps} steps")
    for label, step in steps.items():
        ranks = variants[label].ranks
        print(f"    {label:<20}{step['ms']:>7.3f} ms per step, {100 * one / ranks / step['ms']:.1f} % of "
              f"perfect scaling; {compare_with_perfect_balance(step)}")
    return {"atoms": deck.atoms, "steps": deck.steps, "rates": rates, "step": steps}


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--mpiexec"), p.add_argument("--json")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--only", choices=("efficiency", "droplet"))
    p.add_argument("--scale", type=float, default=1, help="factor for the number of steps of each run")
    options = p.parse_args()
    gsim = find_program(options.gsim, "GSIM", "gsim")
    if gsim is None:
        sys.exit("gsim was not found: name it with --gsim")
    launcher = [find_program(options.mpiexec, "GSIM_MPIEXEC", "mpiexec.mpich") or "mpiexec"]
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("two ranks need two cores")

    def make_program(precision, extra_tables):
        return md_codes.Gsim(precision, gsim, precision, launcher, uses_ranks=True, extra_tables=extra_tables)

    print(f"two ranks, medians of {options.rounds} alternating runs, load average at the start "
          f"{os.getloadavg()[0]:.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        report = {"load_average": os.getloadavg()[0], "rounds": options.rounds}
        for part in (efficiency, droplet):
            if options.only in (None, part.__name__):
                report[part.__name__] = part(make_program, options, cores, folder / part.__name__)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
