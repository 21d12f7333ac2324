#!/usr/bin/env python3
"""How evenly two ranks share the work of prices, Greeks, early exercise, market risk and exposures, on a machine that other
programs use, too: the processor time of a run on one rank, over twice that of the busier one of two ranks. A rank that waits for
longer than 2 ms sleeps, so that processor time is that of its work and of short waits. Runs alternate; medians of the rounds.
Start-up and results are included, as in the time of a user.
usage: two_ranks.py GSIM ROUNDS [--only NAME]… [--mpiexec MPIEXEC]"""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Configuration and settings of each case: 2 to 10 s of processor time.
CASES = {
    "prices": ("validation/performance/scaling.toml", ["stop.samples=33554432"]),
    "Greeks": ("configs/pricing/greeks.toml", ["stop={samples=16777216}"]),
    "early exercise": ("configs/pricing/american.toml", ["stop={samples=2097152}", "pricing.exercise.paths=262144"]),
    "market risk": ("configs/risk/value_at_risk.toml", ["stop={samples=40000}"]),
    "exposures": ("configs/exposure/netting_sets.toml", ["stop={samples=65536}"]),
}


def run_rank(folder, command):
    """Runs one rank, and writes its processor time in seconds to a file of its own."""
    # The rank speaks to its launcher through an open file.
    status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False, close_fds=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    (pathlib.Path(folder) / f"rank_{os.environ.get('PMI_RANK', 0)}").write_text(str(used.ru_utime + used.ru_stime))
    return status


def processor_times(gsim, mpiexec, ranks, config, settings):
    """Processor time of each rank of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = [gsim, "run", str(ROOT / config), "--threads", "1", "--quiet", "--output", f"{folder}/run.h5"]
        for setting in settings:
            words += ["--set", setting]
        done = subprocess.run([mpiexec, "-n", str(ranks), sys.executable, __file__, "--rank", folder, *words], check=False)
        if done.returncode != 0:
            sys.exit(f"{config} on {ranks} ranks ended with {done.returncode}")
        return [float((pathlib.Path(folder) / f"rank_{rank}").read_text()) for rank in range(ranks)]


def main():
    if sys.argv[1:2] == ["--rank"]:
        return run_rank(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsim")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--only", action="append", choices=CASES, default=[])
    parser.add_argument("--mpiexec", default=shutil.which("mpiexec.mpich") or "mpiexec")
    options = parser.parse_args()
    print(f"two ranks, {options.rounds} alternating rounds, load average at start {os.getloadavg()[0]:.2f}")
    for name in options.only or CASES:
        one, busier, ratios = [], [], []
        for _ in range(options.rounds):
            one.append(processor_times(options.gsim, options.mpiexec, 1, *CASES[name])[0])
            busier.append(max(processor_times(options.gsim, options.mpiexec, 2, *CASES[name])))
            ratios.append(one[-1] / (2 * busier[-1]))
        print(f"  {name:<15} one rank {statistics.median(one):6.2f} s   busier of two {statistics.median(busier):6.2f} s   "
              f"efficiency {100 * statistics.median(ratios):.1f} %", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
