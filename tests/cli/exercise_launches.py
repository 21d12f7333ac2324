#!/usr/bin/env python3
"""Early exercise on the emulated GPU: regressions make no copies and no waits for each exercise date, all bumped markets are exercised in
one launch, of the kernel for vanilla trades, and results have the digest of a CPU.
usage: exercise_launches.py GSIM"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GSIM = sys.argv[1]


def config(dates, greeks):
    """A put on a basket of Heston assets, which is exercised at `dates` dates."""
    text = f"""module = "pricing"
seed = 3
[stop]
samples = 4096
[checkpoint]
interval = 0
[pricing]
steps_per_year = {dates}
greeks = {json.dumps(greeks)}
[pricing.exercise]
paths = 4096
upper_bound = false
degree = 2
[market]
rate = 0.03
[market.correlation]
assets = ["A", "B", "C"]
matrix = [[1.0, 0.3, 0.3], [0.3, 1.0, 0.3], [0.3, 0.3, 1.0]]
[[trades]]
id = "basket"
product = "basket"
assets = ["A", "B", "C"]
weights = [0.25, 0.35, 0.4]
type = "put"
strike = 105.0
maturity = 1.0
exercise = "bermudan"
exercise_count = {dates}
"""
    for name, v0 in (("A", 0.04), ("B", 0.05), ("C", 0.06)):
        text += f"""[market.assets.{name}]
model = "heston"
spot = 100.0
dividend = 0.01
v0 = {v0}
kappa = 2.0
theta = 0.05
sigma = 0.4
rho = -0.5
"""
    return text


AMERICAN_PUT = """module = "pricing"
seed = 3
[stop]
samples = 4096
[checkpoint]
interval = 0
[pricing]
antithetic = true
[pricing.exercise]
paths = 4096
dates_per_year = 6
upper_bound = false
[market]
rate = 0.05
[market.assets.A]
model = "merton"
spot = 100.0
volatility = 0.2
jump_intensity = 0.5
jump_mean = -0.1
jump_sd = 0.1
[[trades]]
id = "put"
product = "european"
asset = "A"
type = "put"
strike = 105.0
maturity = 1.0
exercise = "american"
"""


def run(folder, device, text):
    """The digest of a run and, on the emulated GPU, its counts: launches by kernel, copies, waits."""
    (folder / "case.toml").write_text(text, encoding="utf-8")
    report = folder / "report.json"
    environment = dict(os.environ, NO_COLOR="1", GSIM_MAX_SLICE="100000", PTXEMU_REPORT=str(report))
    done = subprocess.run([GSIM, "run", "case.toml", "--device", device, "--threads", "1", "--log", "plain", "--output", "run.h5"],
                          cwd=folder, capture_output=True, text=True, check=False, timeout=250, env=environment)
    found = re.search(r"digest ([0-9a-f]+)", done.stdout)
    check(done.returncode == 0 and found, "the run ends well and prints its digest", done.stdout, done.stderr)
    if device == "cpu":
        return found[1], None
    counted = json.loads(report.read_text(encoding="utf-8"))
    runtime = counted["runtime"]
    launches = {}
    for kernel in counted["kernels"]:
        functor = re.search(r"pricing_kernels(\d+)(\w+)", kernel["name"])  # the length of a name is before it
        name = functor[2][:int(functor[1])] if functor else kernel["name"]
        launches[name] = launches.get(name, 0) + kernel["launches"]
    return found[1], {"launches": launches,
                      "copies": sum(kind["number"] for kinds in runtime["copies"].values() for kind in kinds.values()),
                      "waits": sum(kind["number"] for kind in runtime["synchronisations"].values())}


def check(condition, what, *details):
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    all_greeks = ["delta", "gamma", "cross_gamma", "vega", "theta", "rho"]
    counts = {}
    few_greeks = ["delta", "gamma"]  # by a sweep, and by bumps
    cases = {(dates, len(greeks)): config(dates, greeks) for dates, greeks in ((4, few_greeks), (8, few_greeks), (4, all_greeks))}
    for case, text in [*cases.items(), ("put", AMERICAN_PUT)]:
        digest, counts[case] = run(scratch, "cuda", text)
        expected, _ = run(scratch, "cpu", text)
        check(digest == expected, f"{case}: the digest on the GPU is that of a CPU", digest, expected)
    few, more_dates, more_greeks = counts[4, len(few_greeks)], counts[8, len(few_greeks)], counts[4, len(all_greeks)]
    for what in ("copies", "waits"):
        check(few[what] == more_dates[what], f"the number of {what} does not grow with the dates", few, more_dates)
        check(few[what] == more_greeks[what], f"the number of {what} does not grow with the Greeks", few, more_greeks)
    check(few["launches"]["Solve"] == 3 and more_dates["launches"]["Solve"] == 7, "each date but the last has a solution", few, more_dates)
    check(few["launches"] == more_greeks["launches"], "the number of launches does not grow with the Greeks", few, more_greeks)
    check("SampleVanillaExercise" in counts["put"]["launches"], "an American put on an asset with jumps is vanilla", counts["put"])
    check(few["launches"]["SampleVanillaExercise"] == 2, "the price has one launch, all bumped markets another one", few)
    print(json.dumps(few))
print("regressions in sequence, markets in one launch: same bits")
