#!/usr/bin/env python3
"""Rates of gsim on a GPU. Each case runs with two amounts of work, alternately; the rate is the additional work over the
additional time of the run, so that start-up, loading of kernels and set-up cancel. Medians of the rounds are shown, with
the lowest and the highest.

    gpu_rates.py [--gsim PROGRAM] [--only GROUP]... [--case NAME]... [--rounds N] [--scale X] [--device cpu|cuda]
                 [--json FILE] [--write FOLDER]

Groups: pricing (Asian options with their control variate), md, transport. --scale multiplies the work of each run. --write only writes the configurations, for
scripts/gpu_model and profilers. Copper has Sutton-Chen's potential with the cutoff of LAMMPS's benchmark."""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import md_decks
import transport_decks
from peers import find_program, machine_description


@dataclass
class Case:
    """A configuration whose work is `size` times `unit_work` items. `settings(size)` are options --set of a run."""
    group: str
    name: str
    item: str
    config: str
    sizes: tuple  # of the short and of the long run
    unit_work: float
    key: str  # the configuration's key that holds the size
    least: tuple = (4, 10)  # of the sizes
    files: dict = field(default_factory=dict)


def pricing_case(name, market, trade, steps, samples, precision="double", arithmetic="strict", extra=""):
    """`steps`: time steps of a path."""
    config = f"""module = "pricing"
seed = 1
arithmetic = "{arithmetic}"
[stop]
samples = {samples[0]}
[pricing]
precision = "{precision}"
{extra}[market]
rate = 0.05
[market.assets.S]
spot = 100.0
{market}
[[trades]]
id = "trade"
asset = "S"
type = "call"
strike = 100.0
maturity = 1.0
{trade}
"""
    return Case("pricing", name, "path-steps", config, samples, steps, "stop.samples")


FLAT = "volatility = 0.2"
HESTON = """model = "heston"
v0 = 0.04
kappa = 4.0
theta = 0.25
sigma = 1.0
rho = -0.5"""


def pricing_cases():
    cases = []
    for precision, arithmetic, factor in (("double", "strict", 1), ("float", "fast", 2)):
        numbers = f"{arithmetic} {precision}"
        for fixings in (52, 252):
            samples = tuple(factor * n * (1 << 20) * 256 // fixings for n in (40, 200))
            asian = f'product = "asian"\nfixing_count = {fixings}'
            barrier = f'product = "barrier"\nbarrier = 80.0\nkind = "down_and_out"\nmonitoring = "discrete"\nfixing_count = {fixings}'
            cases.append(pricing_case(f"Asian, {fixings} dates, {numbers}", FLAT, asian, fixings, samples, precision, arithmetic))
            cases.append(pricing_case(f"barrier, {fixings} dates, {numbers}", FLAT, barrier, fixings, samples, precision, arithmetic))
        samples = tuple(factor * n * (1 << 20) for n in (40, 200))
        cases.append(pricing_case(f"Heston QE, European, 100 steps, {numbers}", HESTON, 'product = "european"', 100, samples,
                                  precision, arithmetic, "steps_per_year = 100\n"))
    return cases


SUTTON_CHEN = """[eam]
format = "sutton_chen"
epsilon = 0.012382
a = 3.61
c = 39.432
n = 9
m = 6
cutoff = 4.95
"""


class Copper(md_decks.Copper):
    """LAMMPS's copper benchmark with Sutton and Chen's potential (Phil. Mag. Lett. 61, 139, 1990)."""

    def __init__(self, name, cells, steps):
        super().__init__(name, cells, steps, None)

    def forces(self):
        return SUTTON_CHEN


def md_cases():
    cases = []
    for title, make, precisions in (("Lennard-Jones melt", md_decks.Melt, ("mixed", "double")), ("copper", Copper, ("mixed",)),
                                    ("bead-spring chains", md_decks.Chains, ("mixed",))):
        for atoms, cells, sites, steps in ((32_000, (20, 20, 20), (20, 40, 40), (2000, 20000)),
                                           (1_000_000, (63, 63, 63), (100, 100, 100), (200, 2000))):
            for precision in precisions:
                deck = make("deck", sites if make is md_decks.Chains else cells, steps[0])
                config = deck.gsim(precision).replace(f"every = {steps[0]}", "every = 1000")
                cases.append(Case("md", f"{title}, {atoms:,} atoms, {precision}", "atom-steps", config, steps, deck.atoms,
                                  "md.steps", files=deck.files()))
    return cases


def transport_cases():
    cases = []
    for deck in transport_decks.decks(1.0):
        if deck.name == "assembly":
            continue
        deck.particles = 1_000_000 if deck.name != "sphere" else 5_000_000
        deck.inactive, deck.active = 2, 3
        for tracking in ("surface", "delta"):
            variants = [("", "")]
            if deck.name == "c5g7":
                variants += [(", mesh tally", transport_decks.PIN_MESH), (", general kernels", transport_decks.CONE)]
            for label, extra in variants:
                cases.append(Case("transport", f"{deck.title}, {tracking} tracking{label}", "histories",
                                  transport_decks.gsim(deck, tracking, extra), (4, 10), deck.particles, "transport.batches"))
    return cases


def run(gsim, case, size, folder, device):
    """Seconds of a run and the whole of its last line."""
    command = [gsim, "run", "case.toml", "--device", device, "--log", "json", "--output", "case.h5", "--set",
               f"{case.key}={size}", "--set", "checkpoint.interval=0"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{case.name}: exit code {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")][-1]


def write(case, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**case.files, "case.toml": case.config}.items():
        (folder / name).write_text(text)


def measure(gsim, case, rounds, scale, device):
    sizes = [max(least, int(n * scale)) for n, least in zip(case.sizes, case.least)]
    rates, long_run = [], None
    with tempfile.TemporaryDirectory() as folder:
        write(case, folder)
        for _ in range(rounds):
            short, long = (run(gsim, case, n, folder, device) for n in sizes)
            long_run = long
            if long["seconds"] <= short["seconds"]:
                raise RuntimeError(f"{case.name}: the long run took no longer than the short one; set a larger --scale")
            rates.append((sizes[1] - sizes[0]) * case.unit_work / (long["seconds"] - short["seconds"]))
    return {"name": case.name, "group": case.group, "unit": case.item + "/s", "rate": statistics.median(rates),
            "rates": rates, "rate_with_set_up": sizes[1] * case.unit_work / long_run["seconds"],
            "seconds": long_run["seconds"], "regions": long_run["regions"], "loop": long_run["loop"]}


def card():
    if shutil.which("nvidia-smi") is None:
        return "no GPU"
    query = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                           text=True, check=False)
    return query.stdout.strip() or "no GPU"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--json"), p.add_argument("--write")
    p.add_argument("--only", action="append", choices=["pricing", "md", "transport"])
    p.add_argument("--case", action="append", help="cases whose name contains this text")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--scale", type=float, default=1)
    p.add_argument("--device", default="cuda")
    options = p.parse_args()
    gsim = find_program(options.gsim, "GSIM", "gsim")
    if gsim is None and not options.write:
        sys.exit("gsim was not found: name it with --gsim")
    cases = [*pricing_cases(), *md_cases(), *transport_cases()]
    cases = [c for c in cases if (not options.only or c.group in options.only) and
             (not options.case or any(text in c.name for text in options.case))]
    if options.write:
        for case in cases:
            write(case, pathlib.Path(options.write) / case.name.replace(" ", "_").replace(",", ""))
        return 0
    machine = {**machine_description(), "card": card(), "device": options.device}
    print(f"{machine['date']}, {machine['card']}, {machine['processor']}, {machine['cores']} cores; device = \"{options.device}\"")
    results, failed = [], False
    for case in cases:
        try:
            result = measure(gsim, case, options.rounds, options.scale, options.device)
        except RuntimeError as error:
            print(error, flush=True)
            failed = True
            continue
        results.append(result)
        print(f"{result['name']:58} {result['rate']:10.3g} {result['unit']:13} ({min(result['rates']):.3g} to "
              f"{max(result['rates']):.3g}; whole run {result['rate_with_set_up']:.3g})", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"machine": machine, "results": results}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
