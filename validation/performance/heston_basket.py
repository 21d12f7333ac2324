#!/usr/bin/env python3
"""A Bermudan put on a basket of Heston assets with all first-order Greeks, gamma and cross gamma, in growing sizes: processor time
on this machine or, with --modelled, the time on an H100 and an H200 that scripts/gpu_model computes from counts of the emulated GPU.

    heston_basket.py [--gsim PROGRAM] [--size ASSETS,PATHS,STEPS]... [--price-only] [--modelled] [--dates N,M] [--kernels N] [--json FILE]

The assets have spot 100, dividend yield 1 %, v0 = 0.04 + 0.01 i, kappa 2, theta 0.05, sigma 0.4, rho -0.5 and correlations of 0.3;
the rate is 3 %, the maturity one year, the strike 100, and the put can be exercised at the end of every step. The exercise policy is found on
as many further paths as the price uses, and no upper bound is computed.

A modelled run simulates one block of 4096 paths on the emulated GPU, and the model multiplies its counts by the ratio of paths;
launches and the copies of tables are not multiplied. Times of more than 12 steps are extrapolated from those of 6 and 12, since
all grow linearly with the steps; --dates N,M extrapolates from N and M steps. Needs a build with GSIM_CUDA_RUNTIME=shared."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from peers import find_program, machine_description

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = 4096  # paths of a block of regressions
SIZES = [(5, 25_000, 252), (5, 100_000, 252), (10, 25_000, 252), (10, 100_000, 1260)]


def config(assets, paths, steps, greeks):
    names = [f"A{i}" for i in range(assets)]
    text = f"""module = "pricing"
seed = 1
[stop]
samples = {paths}
[checkpoint]
interval = 0
[pricing]
steps_per_year = {steps}
greeks = {json.dumps(greeks)}
[pricing.bumps]
spot = 0.05
[pricing.exercise]
paths = {paths}
upper_bound = false
[market]
rate = 0.03
[market.correlation]
assets = {json.dumps(names)}
matrix = {json.dumps([[1.0 if i == j else 0.3 for j in range(assets)] for i in range(assets)])}
[[trades]]
id = "basket"
product = "basket"
assets = {json.dumps(names)}
weights = {json.dumps([1 / assets] * assets)}
type = "put"
strike = 100.0
maturity = 1.0
exercise = "bermudan"
exercise_count = {steps}
"""
    for i, name in enumerate(names):
        text += f"""[market.assets.{name}]
model = "heston"
spot = 100.0
dividend = 0.01
v0 = {0.04 + 0.01 * i:.2f}
kappa = 2.0
theta = 0.05
sigma = 0.4
rho = -0.5
"""
    return text


def run(command, folder, environment=None):
    """Runs a command in `folder`, and returns its output and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(gsim, size, greeks):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "case.toml").write_text(config(*size, greeks), encoding="utf-8")
        output, seconds = run([gsim, "run", "case.toml"], folder)
        price = next(line for line in output.splitlines() if line.startswith("basket")).split("  ")
        return {"processor_seconds": seconds, "result": " ".join(p.strip() for p in price if p)}


def model_of_steps(gsim, size, greeks, kernels):
    """Seconds by machine and part: kernels by name, and what else the runtime does."""
    assets, paths, steps = size
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "case.toml").write_text(config(assets, BLOCK, steps, greeks), encoding="utf-8")
        environment = {**os.environ, "GSIM_MAX_SLICE": "1000000000"}
        scale = -(-paths // BLOCK)
        output, _ = run([ROOT / "scripts/gpu_model", "--scale", scale, "--same-tables", "--kernels", max(kernels, 1), "--json", "model.json",
                         "--", gsim, "run", "case.toml", "--device", "cuda"], folder, environment)
        if kernels:
            print(output)
        machines = json.loads((pathlib.Path(folder) / "model.json").read_text(encoding="utf-8"))
        return {m["machine"]: {**{name: k["time"] for name, k in m["kernels"].items()}, **m["modelled_other"]} for m in machines}


def model(gsim, size, greeks, kernels, dates):
    """The same, extrapolated to all steps where there are more than dates[1]."""
    assets, paths, steps = size
    if steps <= dates[1]:
        return model_of_steps(gsim, size, greeks, kernels)
    few, more = (model_of_steps(gsim, (assets, paths, n), greeks, kernels) for n in dates)
    weight = (steps - dates[0]) / (dates[1] - dates[0])
    return {machine: {name: few[machine].get(name, 0) + weight * (seconds - few[machine].get(name, 0)) for name, seconds in parts.items()}
            for machine, parts in more.items()}


def print_model(name, machines):
    for machine, parts in machines.items():
        print(f"{name}: {machine} {1e3 * sum(parts.values()):.3g} ms, modelled", flush=True)
        for part, seconds in sorted(parts.items(), key=lambda item: -item[1]):
            if seconds > 1e-4:
                print(f"  {1e3 * seconds:7.2f} ms  {part[:100]}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gsim"), p.add_argument("--json")
    p.add_argument("--size", action="append", type=lambda text: tuple(int(n) for n in text.split(",")))
    p.add_argument("--price-only", action="store_true")
    p.add_argument("--modelled", action="store_true")
    p.add_argument("--dates", default=(6, 12), type=lambda text: tuple(int(n) for n in text.split(",")))
    p.add_argument("--kernels", type=int, default=0)
    options = p.parse_args()
    gsim = find_program(options.gsim or str(ROOT / "build/release/bin/gsim"), "GSIM", "gsim")
    greeks = [] if options.price_only else ["delta", "gamma", "cross_gamma", "vega", "theta", "rho"]
    machine = machine_description()
    print(f"{machine['date']}, {machine['processor']}, {machine['cores']} cores, load {machine['load_average']:.1f}")
    results = []
    for size in options.size or SIZES:
        assets, paths, steps = size
        name = f"{assets} assets, {paths:,} paths, {steps} steps"
        if options.modelled:
            found = model(gsim, size, greeks, options.kernels, options.dates)
            print_model(name, found)
        else:
            found = measure(gsim, size, greeks)
            print(f"{name}: {found['processor_seconds']:.1f} s of processor time; {found['result']}", flush=True)
        results.append({"assets": assets, "paths": paths, "steps": steps, "greeks": greeks, **found})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
