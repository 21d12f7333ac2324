#!/usr/bin/env python3
"""Efficiency on two threads and on two ranks, through the real command line: runs of the same
configuration on one thread, on two, and on two ranks of one thread, in turns; the rate is what each
run reports for its own sampling loop. Medians of interleaved pairs; the load of the machine at the
start is printed. usage: scaling.py GSIM ROUNDS [MPIEXEC]"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

CONFIG = pathlib.Path(__file__).with_name("scaling.toml")


def rate(gsim, prefix, threads, folder):
    command = prefix + [gsim, "run", str(CONFIG), "--log", "json", "--threads", str(threads),
                        "--output", f"{folder}/run.h5"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    end = events[-1]
    return end["rate"]


def main():
    gsim, rounds = sys.argv[1], int(sys.argv[2])
    mpiexec = sys.argv[3] if len(sys.argv) > 3 else shutil.which("mpiexec.mpich") or "mpiexec"
    ways = {"1 thread": ([], 1), "2 threads": ([], 2), "2 ranks": ([mpiexec, "-n", "2"], 1)}
    rates = {name: [] for name in ways}
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, (prefix, threads) in ways.items():
                rates[name].append(rate(gsim, prefix, threads, folder))
    print(f"scaling, {CONFIG.name}, {rounds} rounds in turns, load average at start {load:.2f}")
    for name, values in rates.items():
        pairs = [v / one for v, one in zip(values, rates["1 thread"])]
        workers = 1 if name == "1 thread" else 2
        print(f"  {name:<10} {statistics.median(values) / 1e6:>9.1f} M path-steps/s   "
              f"speed-up {statistics.median(pairs):.3f}   "
              f"efficiency {100 * statistics.median(pairs) / workers:.1f} %")


if __name__ == "__main__":
    main()
