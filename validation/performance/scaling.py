#!/usr/bin/env python3
"""Efficiency on two threads and on two ranks, through the real command line: runs of the same configuration on one
thread, on two, and on two ranks of one thread, alternately; the rate is the one that each run reports for its own
sampling loop. Two independent runs at the same time show the gain that the machine itself allows from a second core.
Medians of interleaved pairs; the load of the machine at the start is printed.
usage: scaling.py GSIM ROUNDS [MPIEXEC]"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

CONFIG = pathlib.Path(__file__).with_name("scaling.toml")


def start(gsim, prefix, threads, output):
    command = prefix + [gsim, "run", str(CONFIG), "--log", "json", "--threads", str(threads),
                        "--output", output]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def rate(run):
    lines = run.communicate()[0].splitlines()
    if run.returncode != 0:
        sys.exit(f"a run ended with {run.returncode}")
    return [json.loads(line) for line in lines if line.startswith("{")][-1]["rate"]


def main():
    gsim, rounds = sys.argv[1], int(sys.argv[2])
    mpiexec = sys.argv[3] if len(sys.argv) > 3 else shutil.which("mpiexec.mpich") or "mpiexec"
    # Prefix of the command, threads of each run, runs at the same time.
    variants = {"1 thread": ([], 1, 1), "2 threads": ([], 2, 1), "2 ranks": ([mpiexec, "-n", "2"], 1, 1),
                "2 runs": ([], 1, 2)}
    rates = {name: [] for name in variants}
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, (prefix, threads, count) in variants.items():
                runs = [start(gsim, prefix, threads, f"{folder}/{i}.h5") for i in range(count)]
                rates[name].append(sum(rate(run) for run in runs))
    print(f"scaling, {CONFIG.name}, {rounds} alternating rounds, load average at start {load:.2f}")
    for name, values in rates.items():
        pairs = [v / one for v, one in zip(values, rates["1 thread"])]
        workers = 1 if name == "1 thread" else 2
        print(f"  {name:<10} {statistics.median(values) / 1e6:>9.1f} M path-steps/s   "
              f"speed-up {statistics.median(pairs):.3f}   "
              f"efficiency {100 * statistics.median(pairs) / workers:.1f} %")


if __name__ == "__main__":
    main()
