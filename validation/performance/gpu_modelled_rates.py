#!/usr/bin/env python3
"""Modelled rates of gsim on a GPU: the cases of gpu_rates.py, in small runs on the emulated GPU, whose counts scripts/gpu_model
scales to the size of the real run. No figure is measured.

    gpu_modelled_rates.py [--gsim PROGRAM] [--only GROUP]... [--case NAME]... [--kernels N] [--json FILE]

Each case runs with two amounts of work; the model gets the difference of their counts, so that set-up cancels. A run with
10^6 atoms or particles is modelled from a smaller one with an L2 cache that is smaller by the same factor; the model multiplies counts
and blocks by it. For pricing this factor of the cache is that of the tiles of paths, which have up to 2^22 samples. --kernels also prints the N longest kernels of each case. Needs a build with GSIM_CUDA_RUNTIME=shared."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import gpu_rates
from peers import find_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
EMULATOR = ROOT / "build/release/tests/ptx_emulator/lib"
L2 = 50 << 20  # bytes


class Small:
    """A small run that stands for one of gpu_rates.py: the sizes of the short and of the long run, further settings, and
    the factor by which the real run is larger."""

    def __init__(self, case):
        self.settings, self.scale, self.l2_factor, self.unit_work = [], 1.0, None, case.unit_work
        if case.group == "pricing":
            # The host adds the sums of each batch of samples; batches of one size are compared.
            self.sizes = (1 << 15, 1 << 16)
            self.scale = case.sizes[1] / self.sizes[1]
            self.l2_factor = min(case.sizes[1], 1 << 22) / self.sizes[1]
        elif case.group == "md":
            self.sizes = (20, 30)
            if case.unit_work > 500_000:
                self.unit_work = 32_000
        else:
            self.sizes = (3, 4)
            self.unit_work = 4000
            self.settings = [f"transport.particles={self.unit_work}", "transport.inactive=1"]
        if case.group != "pricing":
            self.scale = case.unit_work / self.unit_work


def smaller_case(case, cases):
    """The case with 32,000 atoms, among `cases`, that stands for one with a million."""
    name = case.name.replace(f"{1_000_000:,} atoms", f"{32_000:,} atoms")
    return next(c for c in cases if c.name == name)


def report(gsim, case, size, settings, l2_factor, folder, name):
    """Runs the case on the emulated GPU and returns the file with its counts."""
    path = pathlib.Path(folder) / name
    environment = {**os.environ, "PTXEMU_REPORT": str(path), "PTXEMU_L2": str(int(L2 / l2_factor)),
                   "GSIM_MAX_SLICE": "1000000000",
                   "LD_LIBRARY_PATH": f"{EMULATOR}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    command = [gsim, "run", "case.toml", "--device", "cuda", "--log", "json", "--output", name + ".h5"]
    for setting in (f"{case.key}={size}", "checkpoint.interval=0", *settings):
        command += ["--set", setting]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{case.name}: exit code {done.returncode}: {done.stderr[-500:]}")
    return path


def model(gsim, case, cases, kernels):
    """The results of scripts/gpu_model for the H100 and the H200."""
    small = Small(case)
    run = smaller_case(case, cases) if case.group == "md" and small.scale > 1 else case
    with tempfile.TemporaryDirectory() as folder:
        gpu_rates.write(run, folder)
        short, long = (report(gsim, run, n, small.settings, small.l2_factor or small.scale, folder, f"{n}.json") for n in small.sizes)
        work = (small.sizes[1] - small.sizes[0]) * small.unit_work
        result = pathlib.Path(folder) / "model.json"
        command = [ROOT / "scripts/gpu_model", "--subtract", short, "--scale", str(small.scale), "--work", str(work), case.item,
                   "--kernels", str(max(kernels, 1)), "--json", result, long]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True)
        if kernels:
            print(done.stdout)
        return json.loads(result.read_text())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--json")
    p.add_argument("--only", action="append", choices=["pricing", "md", "transport"])
    p.add_argument("--case", action="append", help="cases whose name contains this text")
    p.add_argument("--kernels", type=int, default=0)
    options = p.parse_args()
    gsim = find_program(options.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    if not (EMULATOR / "libcudart.so.13").exists():
        sys.exit(f"{EMULATOR} has no libcudart.so.13: build with GSIM_CUDA_RUNTIME=shared and GSIM_TESTS=ON")
    everything = [*gpu_rates.pricing_cases(), *gpu_rates.md_cases(), *gpu_rates.transport_cases()]
    cases = [c for c in everything if (not options.only or c.group in options.only) and
             (not options.case or any(text in c.name for text in options.case))]
    results = []
    for case in cases:
        machines = model(gsim, case, everything, options.kernels)
        longest = [max(m["kernels"].items(), key=lambda item: item[1]["time"]) for m in machines]
        name, kernel = longest[-1]
        share = kernel["time"] / machines[-1]["modelled_seconds"]
        print(f"{case.name:58} " + ", ".join(f"{m['machine']} {m['modelled_rate']:.3g}" for m in machines) +
              f" {case.item}/s, modelled; {share:.0%} in {name[:60]}, bound by {kernel['bound']}", flush=True)
        results.append({"name": case.name, "unit": case.item + "/s", "machines": machines})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
