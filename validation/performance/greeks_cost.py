#!/usr/bin/env python3
"""The processor time of prices together with all first-order Greeks, relative to prices alone, for portfolios of the kind of
examples/portfolio: delta, vega, theta and rho, with all pillars of volatilities and rates, too, and without these by bumps. Prices and
Greeks run alternately on one core. Of each time that of a run with 4096 samples is subtracted, so that start-up cancels; prints medians of the ratios. A
benchmark, not a test.

With --instructions valgrind's callgrind counts instructions in the place of times, which do not depend on the load of the machine: those of the
sampling alone, of runs of 8192 samples less those of 4096, at the AVX2 level, because valgrind does not support AVX-512, without the Greeks by
bumps. Baskets and worst-ofs on up to 8 assets, and portfolios of one family of products each (names that begin with "family"), are further cases.

    greeks_cost.py [--gsim PROGRAM] [--trades N] [--samples N] [--rounds N] [--only CASE] [--instructions [--variants N]]"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import greeks_cases
import peers

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST_ORDER = ["delta", "vega", "theta", "rho"]
PILLARS = ["vega_buckets", "rho_pillars"]
BUMPS = 'greeks_method = "bump"'
VARIANTS = [([], ""), (FIRST_ORDER, ""), (FIRST_ORDER + PILLARS, ""), (FIRST_ORDER, BUMPS)]
SMALLEST = 4096
COUNTED = "*PricingModule::advance*"  # reading, set-up and writing vary from run to run by more than a sample takes


def write_run(market, trades, variant, samples, folder):
    greeks, method = variant
    head = f'module = "pricing"\noutput.existing = "replace"\nstop.samples = {samples}\n[pricing]\nimportance_sampling = false\n{method}\n'
    if greeks:
        head += "greeks = [" + ", ".join(f'"{g}"' for g in greeks) + "]\n"
    (folder / "run.toml").write_text(head + market + trades, encoding="utf-8")


def seconds(gsim, market, trades, variant, samples, folder, core):
    write_run(market, trades, variant, samples, folder)
    return peers.run_pinned([gsim, "run", "run.toml", "--log", "json", "--threads", "1"], folder, [core])[1]


def instructions(gsim, market, trades, variant, samples, folder):
    write_run(market, trades, variant, samples, folder)
    command = ["valgrind", "--tool=callgrind", f"--toggle-collect={COUNTED}", "--callgrind-out-file=callgrind.out", gsim, "run", "run.toml",
               "--log", "json", "--threads", "1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ, GSIM_CPU_LEVEL="avx2"))
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def print_instructions(gsim, trades, only, variants, folder):
    print(f"instructions per sample and trade, paths and control variates included, {trades} trades (callgrind, AVX2)\n"
          f"{'':<58}{'price':>8}{'first order':>22}{'with all pillars':>22}", flush=True)
    for name, market, text in greeks_cases.everything(trades):
        if not name.startswith(only):
            continue
        number = text.count("[[trades]]")
        counts = [(instructions(gsim, market, text, v, 2 * SMALLEST, folder) - instructions(gsim, market, text, v, SMALLEST, folder))
                  / (SMALLEST * number) for v in VARIANTS[:variants]]
        columns = [f"{c:.1f}, {c / counts[0]:.2f} times" for c in counts[1:]]
        print(f"  {name:<56}{counts[0]:>8.1f}" + "".join(f"{c:>22}" for c in columns), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--only", default="")
    p.add_argument("--instructions", action="store_true")
    p.add_argument("--variants", type=int, default=3, help="2: without the pillars")
    p.add_argument("--trades", type=int, default=2000)
    p.add_argument("--samples", type=int, default=65536)
    p.add_argument("--rounds", type=int, default=3)
    o = p.parse_args()
    gsim = peers.find_program(o.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    if o.instructions:
        with tempfile.TemporaryDirectory() as folder:
            return print_instructions(gsim, o.trades, o.only, o.variants, pathlib.Path(folder))
    core = max(os.sched_getaffinity(0))
    machine = peers.machine_description()
    print(f"prices and Greeks / prices, {o.trades} trades, medians of {o.rounds} rounds; {machine['processor']}, load average "
          f"{machine['load_average']:.2f}\n{'':<58}{'first order':>22}{'with all pillars':>22}{'by bumps':>22}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, market, trades in greeks_cases.cases(o.trades):
            if not name.startswith(o.only):
                continue
            ratios = [[] for _ in VARIANTS[1:]]
            start = [seconds(gsim, market, trades, v, SMALLEST, folder, core) for v in VARIANTS]
            for _ in range(o.rounds):
                times = [seconds(gsim, market, trades, v, o.samples + SMALLEST, folder, core) - s for v, s in zip(VARIANTS, start)]
                for of_variant, time in zip(ratios, times[1:]):
                    of_variant.append(time / times[0])
            columns = [f"{statistics.median(r):.2f} ({min(r):.2f} to {max(r):.2f})" for r in ratios]
            print(f"  {name:<56}" + "".join(f"{c:>22}" for c in columns), flush=True)


if __name__ == "__main__":
    main()
