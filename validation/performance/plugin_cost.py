#!/usr/bin/env python3
"""The cost of the plugin interface: a potential and payoffs that are copied from gsim's own into plugins
(tests/plugin/copies), compared with the originals. Builds the copies against an installed gsim, runs
original and copy alternately on one core, and prints the medians of the ratios of their times; runs must have
the same digest or prices. A benchmark, not a test.

    plugin_cost.py PREFIX [--rounds N] [--scale FACTOR] [--only PART] [--json FILE] [CMAKE ARGUMENTS]"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import md_decks
import peers

COPIES = pathlib.Path(__file__).resolve().parents[2] / "tests/plugin/copies"


class CopiedMelt(md_decks.Melt):
    def forces(self):
        return super().forces().replace('"lennard_jones"', '"lennard_jones_copy"')


def melts(scale):
    """By label: a melt of 32,000 atoms, whose configurations differ only in the name of the potential."""
    steps = max(10, int(200 * scale))
    original, copy = (deck("melt", (20, 20, 20), steps) for deck in (md_decks.Melt, CopiedMelt))
    return {f"Lennard-Jones, {precision}": (original.gsim(precision), copy.gsim(precision))
            for precision in ("double", "mixed")}


def options(scale):
    """By label: 160 million paths of one date, and 8 million of 52 dates."""
    results = {}
    dates = "fixings = [" + ", ".join(f"{k / 52:.6f}" for k in range(1, 53)) + "]\n"
    for product, paths, more in (("european", 160e6, ""), ("asian", 8e6, dates)):
        for precision in ("double", "float"):
            original, copy = (f"""module = "pricing"
stop.samples = {max(65536, int(paths * scale))}
[pricing]
precision = "{precision}"
control_variates = "spot"
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.3
[[trades]]
id = "a"
product = "{name}"
asset = "A"
type = "put"
strike = 103.0
maturity = 1.0
{more}""" for name in (product, f"{product}_copy"))
            results[f"{product}, {precision}"] = original, copy
    return results


def build(prefix, folder, arguments):
    for command in (["cmake", "-S", COPIES, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
                     "-DCOPIED_POTENTIAL=ON", *arguments],
                    ["cmake", "--build", folder, "--parallel"]):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"the copies do not build:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return [folder / f"lib{name}.so" for name in ("copies", "copied_potential")]


def run(gsim, plugins, config, folder, core):
    """The rate of the run's loop (items per second), and the name, mean and error of each estimate."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.toml").write_text(config)
    plugin_options = [word for plugin in plugins for word in ("--plugin", plugin)]
    output, _, _ = peers.run_pinned([gsim, "run", "run.toml", "--log", "json", "--threads", 1, "--output",
                                "run.h5", *plugin_options], folder, [core], {"GSIM_PLUGIN_PATH": ""})
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    results = [(e["name"], e["mean"], e["standard_error"]) for e in events if e["event"] == "estimate"]
    return events[-1]["rate"], results


def compare(gsim, plugins, configs, rounds, folder, core):
    """Ratios of the copy's time to the original's. `configs`: original and copy, which run first in turn."""
    ratios = []
    for k in range(rounds):
        runs = {}
        for variant in ((0, 1), (1, 0))[k % 2]:
            runs[variant] = run(gsim, plugins, configs[variant], folder / str(variant), core)
        if runs[0][1] != runs[1][1] or not runs[0][1]:
            sys.exit(f"{folder.name}: the copy computed {runs[1][1]}, the original {runs[0][1]}")
        ratios.append(runs[0][0] / runs[1][0])
    return ratios


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prefix", type=pathlib.Path), p.add_argument("--json")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--only", choices=("melts", "options"))
    p.add_argument("--scale", type=float, default=1, help="factor for the numbers of steps and paths of each run")
    chosen, cmake_arguments = p.parse_known_args()
    gsim = chosen.prefix.resolve() / "bin/gsim"
    core = max(os.sched_getaffinity(0))
    report = {**peers.machine_description(), "rounds": chosen.rounds, "scale": chosen.scale, "ratios": {}}
    print(f"time of a copy in a plugin / time of the original, medians of {chosen.rounds} rounds, one "
          f"thread; {report['processor']}, load average at the start {report['load_average']:.2f}",
          flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plugins = build(chosen.prefix.resolve(), folder / "build", cmake_arguments)
        for part in (melts, options):
            if chosen.only not in (None, part.__name__):
                continue
            for label, configs in part(chosen.scale).items():
                ratios = compare(gsim, plugins, configs, chosen.rounds, folder / label, core)
                report["ratios"][label] = ratios
                print(f"  {label:<24}{statistics.median(ratios):.3f}  ({min(ratios):.3f} to "
                      f"{max(ratios):.3f})", flush=True)
    if chosen.json:
        pathlib.Path(chosen.json).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
