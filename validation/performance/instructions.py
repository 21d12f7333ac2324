#!/usr/bin/env python3
"""Instructions per path-step, counted by valgrind's callgrind: they do not depend on the load of the machine. The
counts of two runs, one of which has twice as many samples, are subtracted, so that start-up cancels. The programs run
at the AVX2 level, because valgrind does not support AVX-512. usage: instructions.py BENCHMARK_PROGRAM"""
import os
import re
import subprocess
import sys
import tempfile

CASES = {  # text in the case's name -> asset steps per path
    "European call, 1 step": 1,
    "European call, 252 steps": 252,
    "arithmetic Asian call": 52,
    "Heston QE call": 100,
    "basket call": 5,
}
VARIANTS = ["scalar loop", "gsim strict double", "gsim fast double", "gsim strict float",
               "gsim fast float"]


def count(program, variant, case, samples):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program,
                   "--level", "avx2", "--run", variant, str(samples), "--only", case]
        completed = subprocess.run(command, capture_output=True, text=True, check=True,
                              env=dict(os.environ, GSIM_CPU_LEVEL="avx2"))
        return int(re.search(r"Collected : (\d+)", completed.stderr)[1])


def main():
    program = sys.argv[1]
    print("instructions per path-step (callgrind, AVX2)")
    print(f"  {'':<28}" + "".join(f"{c.replace('gsim ', ''):>16}" for c in VARIANTS))
    for case, steps in CASES.items():
        # fewer samples for longer paths, in whole blocks of 4096
        samples = max(8192, 1 << (19 - max(steps, 1).bit_length()))
        samples = samples // 4096 * 4096
        row = []
        for variant in VARIANTS:
            count_n = count(program, variant, case, samples)
            count_2n = count(program, variant, case, 2 * samples)
            row.append((count_2n - count_n) / (samples * steps))
        print(f"  {case:<28}" + "".join(f"{v:>16.1f}" for v in row), flush=True)


if __name__ == "__main__":
    main()
