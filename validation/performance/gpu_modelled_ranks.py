#!/usr/bin/env python3
"""Modelled efficiency of molecular dynamics on several GPUs of one node, by weak scaling: the melt of md_decks.py with 32,000 atoms
for each rank, on as many emulated GPUs as ranks. No figure is measured.

    gpu_modelled_ranks.py [--gsim PROGRAM] [--ranks N]... [--steps FIRST LAST] [--scale F] [--precision mixed|double] [--kernels N]

Each rank is modelled by scripts/gpu_model from its own counts, of the steps after FIRST, so that set-up cancels. The time of a step is
that of the slowest rank: its kernels, and waits, copies and fills of its own GPU one after the other. Messages take place beside the
forces between the atoms of the rank, which take at least half of the time of all pair forces; what exceeds this is added. They are one
reduction of all ranks and one halo exchange in a step: two messages between hosts, and the copies between devices.

--scale F: F times as many atoms for each rank, with an emulated L2 cache that is smaller by F. What the kernels that copy halos, load
ghosts and compute pairs do in addition to a run on one rank, and the bytes of messages, become F^(2/3) times larger, everything else
F times. Other copies within a device are left out: they belong to batches of steps, which only smaller systems have. Needs a build with
GSIM_CUDA_RUNTIME=shared."""
import argparse
import importlib.machinery
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import md_decks
from gpu_modelled_rates import EMULATOR, L2
from peers import find_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELLS = {1: (20, 20, 20), 2: (40, 20, 20), 4: (40, 40, 20), 8: (40, 40, 40)}
# Seconds of a small message between two processes of a node, through shared memory: assumed.
MESSAGE = 1e-6
# Kernels whose additional work on several ranks is proportional to the number of ghosts. That of the search for neighbours is only in
# part, so that it is overestimated.
OF_GHOSTS = ("CopyRows", "PackRecords", "BinFill", "BinCount", "FullForces")


def load_gpu_model():
    loader = importlib.machinery.SourceFileLoader("gpu_model", str(ROOT / "scripts/gpu_model"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_model", loader))
    loader.exec_module(module)
    return module


def reports(options, mpiexec, gsim, ranks, steps, folder):
    """The counts of each rank of a run of `steps` steps."""
    deck = md_decks.Melt("deck", CELLS[ranks], steps)
    (folder / "case.toml").write_text(deck.gsim(options.precision).replace(f"every = {steps}", "every = 1000000"))
    environment = {**os.environ, "PTXEMU_REPORT": str(folder / "%r.json"), "PTXEMU_DEVICES": str(ranks), "GSIM_MAX_SLICE": "1000000000",
                   "PTXEMU_L2": str(int(L2 / options.scale)),
                   "LD_LIBRARY_PATH": f"{EMULATOR}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    command = [mpiexec, "-n", str(ranks), gsim, "run", "case.toml", "--device", "cuda", "--threads", "1", "--log", "json", "--output",
               "case.h5", "--set", "checkpoint.interval=0", "--set", f"md.steps={steps}"]
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{ranks} ranks: exit code {done.returncode}: {done.stderr[-500:]}")
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(ranks)]


def scaled_ghosts(gpu_model, kernel, alone, factor):
    """The counts of a kernel such that, multiplied by `factor`, what exceeds those on one rank is multiplied by factor^(2/3)."""
    more = gpu_model.add_counts(kernel, alone, -1) if alone else kernel
    scaled = gpu_model.add_counts(alone, more, factor ** (-1 / 3))
    return {**scaled, "launches": kernel["launches"], "launch_shapes": kernel["launch_shapes"],
            "launches_in_graphs": kernel["launches_in_graphs"]}


def rank_time(gpu_model, machine, options, ranks, counts, runtime, alone):
    """Seconds of a step of one rank, by parts, and its longest kernels as text. `alone`: the counts of one rank without others."""
    steps, kernels, factor = options.steps[1] - options.steps[0], options.kernels, options.scale
    names = gpu_model.short_names(counts)
    for name in counts if ranks > 1 else ():
        if any(part in name for part in OF_GHOSTS):
            counts[name] = scaled_ghosts(gpu_model, counts[name], alone.get(name), factor)
    modelled = {name: gpu_model.model_kernel(k, machine, factor) for name, k in counts.items()}
    between = runtime["copies_between_devices"]
    between["bytes"] *= factor ** (-1 / 3)
    if factor > 1:
        runtime["copies"]["device_to_device"]["pinned"] = between
    other = gpu_model.model_runtime(runtime, machine, factor)
    parts = {"kernels": sum(k["time"] for k in modelled.values())}
    parts.update({name: seconds for name, seconds in other.items() if name != "copies between devices"})
    parts = {name: seconds / steps for name, seconds in parts.items()}
    if ranks > 1:
        pairs = sum(k["time"] for name, k in modelled.items() if "FullForces" in name) / steps
        messages = other.get("copies between devices", 0) / steps + MESSAGE * (2 + 2 * math.ceil(math.log2(ranks)))
        parts["messages"] = max(0, messages - pairs / 2)
    longest = sorted(modelled, key=lambda name: -modelled[name]["time"])[:kernels]
    lines = [f"    {1e6 * modelled[n]['time'] / steps:7.2f} us, {counts[n]['launches'] / steps:5.2f} launches: {names[n][:80]}" for n in longest]
    return parts, "\n".join(lines)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--ranks", type=int, action="append", choices=sorted(CELLS))
    p.add_argument("--steps", type=int, nargs=2, default=(20, 32), metavar=("FIRST", "LAST"))
    p.add_argument("--scale", type=float, default=1)
    p.add_argument("--precision", choices=["mixed", "double"], default="mixed")
    p.add_argument("--machine", choices=["h100", "h200"], default="h200")
    p.add_argument("--kernels", type=int, default=0)
    options = p.parse_args()
    gsim = find_program(options.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    mpiexec = find_program(None, "MPIEXEC", "mpiexec")
    gpu_model = load_gpu_model()
    machine = {**gpu_model.COMMON, **gpu_model.MACHINES[options.machine]}
    alone = None
    for ranks in [1, *(n for n in options.ranks or [2, 8] if n > 1)]:
        with tempfile.TemporaryDirectory() as name:
            short, long = (reports(options, mpiexec, gsim, ranks, steps, pathlib.Path(name)) for steps in options.steps)
        combined = [gpu_model.combine([a], b) for a, b in zip(long, short)]
        if ranks == 1:
            counts_alone = combined[0][0]
        of_ranks = [rank_time(gpu_model, machine, options, ranks, *of_rank, counts_alone) for of_rank in combined]
        parts, text = max(of_ranks, key=lambda rank: sum(rank[0].values()))
        time = sum(parts.values())
        alone = alone or time
        print(f"{ranks} ranks of {32_000 * options.scale:,.0f} atoms, {machine['label']}, modelled: {1e6 * time:.1f} us a step, efficiency {alone / time:.1%}; " +
              ", ".join(f"{name} {1e6 * seconds:.1f}" for name, seconds in parts.items()), flush=True)
        if text:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
