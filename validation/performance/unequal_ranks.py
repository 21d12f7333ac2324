#!/usr/bin/env python3
"""Measures runs of two ranks of which one has a quarter of the other's speed. usage: unequal_ranks.py GSIM [OTHER_GSIM]

The slow rank is stopped (SIGSTOP) for 15 of every 20 ms. For each work that is divided among the ranks by their measured speeds:
elapsed time of the run with two equal ranks and with the slow one. With equal shares the time would be four times that of equal
ranks; with ideal ones it would be 2 / 1.25 = 1.6 times. The exit code is 1 if the results differ in any bit.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = {"pricing": ("pricing/first_portfolio", "stop.relative_error=0", "stop.samples=16777216"),
         "exposure": ("exposure/netting_sets", "stop.relative_error=0", "stop.samples=1048576"),
         "risk": ("risk/value_at_risk", "stop.relative_error=0", "stop.samples=8192"),
         "multilevel": ("pricing/multilevel", "multilevel.target=0.002"),
         "exercise": ("pricing/american", "stop.relative_error=0", "stop.samples=4096", "pricing.exercise.paths=262144"),
         "bootstrap": ("risk/value_at_risk", "stop.relative_error=0", "stop.samples=4096", "risk.resamples=5000")}


def children(pid):
    found = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found] + [grandchild for child in found for grandchild in children(child)]


def rank_one(launcher):
    """The process of rank 1, which its environment tells."""
    while True:
        for pid in children(launcher):
            try:
                if b"\0PMI_RANK=1\0" in b"\0" + pathlib.Path(f"/proc/{pid}/environ").read_bytes():
                    return pid
            except OSError:
                continue
        time.sleep(0.01)


def run(gsim, mpiexec, folder, case, is_slow):
    """(seconds of the run, digest of the results)."""
    config, *overrides = case
    words = [mpiexec, "-n", "2", gsim, "run", str(ROOT / f"configs/{config}.toml"), "--threads", "1", "-q", "--output", "run.h5",
             "--set", "checkpoint.at_end=false", *(word for key in overrides for word in ("--set", key))]
    start = time.perf_counter()
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL) as process:
        slow = rank_one(process.pid) if is_slow else None
        while process.poll() is None:
            time.sleep(0.005)
            if slow is None:
                continue
            try:
                os.kill(slow, signal.SIGSTOP)
                time.sleep(0.015)
                os.kill(slow, signal.SIGCONT)
            except ProcessLookupError:
                break
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        sys.exit(f"{config}: exit code {process.returncode}")
    shown = subprocess.run([gsim, "inspect", "run.h5", "--json"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return seconds, json.loads(shown)["provenance"]["digest"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = [str(pathlib.Path(name).resolve()) for name in sys.argv[1:]]
    info = subprocess.run([programs[0], "info"], check=True, capture_output=True, text=True).stdout
    mpiexec = re.search(r"^start +(\S+) -n ", info, re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            for gsim in programs:
                equal, slow = run(gsim, mpiexec, folder, case, False), run(gsim, mpiexec, folder, case, True)
                print(f"{name:10} {equal[0]:5.1f} s equal, {slow[0]:5.1f} s with a slow rank: {slow[0] / equal[0]:.2f} times", flush=True)
                if slow[1] != equal[1]:
                    sys.exit(f"{name}: the digests {equal[1]} and {slow[1]} differ")


if __name__ == "__main__":
    main()
