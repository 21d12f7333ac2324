#!/usr/bin/env python3
"""How evenly two ranks share the work of prices, Greeks, early exercise, market risk and exposures, on a machine that other
programs use, too: the processor time of a run on one rank, over twice that of the busier one of two ranks. A rank that waits for
longer than 2 ms sleeps, so that processor time is that of its work and of short waits. Runs alternate; medians of the rounds.
Start-up and results are included, as in the time of a user.

With --instructions it counts instructions by valgrind's callgrind in place of time, in one round of smaller runs: the count of a run
on one rank, over twice that of the busier one of two ranks. Instructions of libraries for messages, which poll while a rank waits, are
not part of it. The count is the same on a busy machine up to some ten thousandths. The programs run at the AVX2 level, because valgrind
does not support AVX-512. The exit code is 1 if a case has less than 90 %.
usage: two_ranks.py GSIM ROUNDS [--only NAME]… [--instructions] [--mpiexec MPIEXEC]"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
AIM = 0.9
# Libraries for messages between ranks.
MESSAGES = re.compile(r"/lib(mpi|mpich|ucp|ucs|uct|ucm|fabric|pmi|hwloc)[^/]*\.so|/ucx/|/libfabric/")
# Configuration and settings of each case: 2 to 10 s of processor time.
CASES = {
    "prices": ("validation/performance/scaling.toml", ["stop.samples=33554432"]),
    "Greeks": ("configs/pricing/greeks.toml", ["stop={samples=16777216}"]),
    "early exercise": ("configs/pricing/american.toml", ["stop={samples=2097152}", "pricing.exercise.paths=262144"]),
    "market risk": ("configs/risk/value_at_risk.toml", ["stop={samples=40000}"]),
    "exposures": ("configs/exposure/netting_sets.toml", ["stop={samples=65536}"]),
}
# The same with a part of the samples, for counts of instructions, which take fifty times as long.
SMALLER = {
    "prices": ["stop.samples=2097152"],
    "Greeks": ["stop={samples=1048576}"],
    "early exercise": ["stop={samples=262144}", "pricing.exercise.paths=32768"],
    "market risk": ["stop={samples=4096}"],
    "exposures": ["stop={samples=32768}"],
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


def instructions_of(profile):
    """The instructions that a profile of callgrind counts outside of libraries for messages."""
    names, total, own, is_call = {}, 0, True, False
    for line in profile.read_text(encoding="utf-8").splitlines():
        if line.startswith(("ob=", "cob=")):  # objects have numbers, which their first mention defines
            kind, _, object_ = line.partition("=")
            number, _, name = object_.partition(" ")
            names.setdefault(number, name)
            if kind == "ob":
                own = MESSAGES.search(names[number]) is None
        elif line.startswith("calls="):
            is_call = True  # the next line is the cost of the function that is called
        elif line[:1] in "+-*0123456789" and line:
            total += 0 if is_call or not own else int(line.split()[1])
            is_call = False
    return total


def instructions(gsim, mpiexec, ranks, config, settings):
    """Instructions of each rank of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/%q{{PMI_RANK}}", "--dump-line=no", gsim, "run",
                 str(ROOT / config), "--threads", "1", "--quiet", "--output", f"{folder}/run.h5"]
        for setting in settings:
            words += ["--set", setting]
        done = subprocess.run([mpiexec, "-n", str(ranks), *words], check=False, capture_output=True, text=True,
                              env={**os.environ, "GSIM_CPU_LEVEL": "avx2"})
        if done.returncode != 0:
            sys.exit(f"{config} on {ranks} ranks ended with {done.returncode}\n{done.stderr[-2000:]}")
        return [instructions_of(pathlib.Path(folder) / str(rank)) for rank in range(ranks)]


def count(gsim, mpiexec, names):
    """Prints the efficiency of each case by instructions, and returns whether all reach the aim."""
    print("two ranks by instructions outside of libraries for messages, at the AVX2 level")
    all_reach = True
    for name in names:
        config, settings = CASES[name][0], SMALLER[name]
        one, two = (instructions(gsim, mpiexec, ranks, config, settings) for ranks in (1, 2))
        efficiency = one[0] / (2 * max(two))
        all_reach = all_reach and efficiency >= AIM
        print(f"  {name:<15} one rank {one[0] / 1e9:7.3f}e9   two {' and '.join(f'{n / 1e9:.3f}e9' for n in two)}   "
              f"efficiency {100 * efficiency:.1f} %", flush=True)
    return all_reach


def main():
    if sys.argv[1:2] == ["--rank"]:
        return run_rank(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsim")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--only", action="append", choices=CASES, default=[])
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--mpiexec", default=shutil.which("mpiexec.mpich") or "mpiexec")
    options = parser.parse_args()
    if options.instructions:
        return 0 if count(options.gsim, options.mpiexec, options.only or CASES) else 1
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
