#!/usr/bin/env python3
"""Compares the time that `gsim check` forecasts with that of runs of the shipped configurations.

Each configuration is checked and run with its default ranks and threads. A run with a longer forecast than LIMIT
seconds is stopped by SIGTERM after LIMIT seconds; its time is then extrapolated from the finished part of its work.
Error targets are switched off, so that the whole work is compared. Runs that generate weight windows first are left
out: their later batches take many times longer, as `gsim check` says. Prints the quotient of forecast and time of each
configuration, and exits with code 1 where one is not within a factor of two.

usage: time_forecast.py GSIM [--limit SECONDS] [--measure SECONDS] [CONFIG …]
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTOR = 2


def forecast(gsim, config, measure, folder):
    done = subprocess.run([gsim, "check", config, "--json", "--measure", str(measure), *NO_TARGETS], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[0]
    plan = json.loads(done.stdout)
    return plan, plan.get("why_no_time", "")


def run_time(gsim, config, total, limit, folder):
    """Seconds of the whole run, and of the part that was run."""
    begin = time.monotonic()
    process = subprocess.Popen([gsim, "run", config, "--log", "json", "--output", folder / "run.h5", *NO_TARGETS],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        output = process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        output = process.communicate()[0]
    seconds = time.monotonic() - begin
    end = json.loads(output.splitlines()[-1])
    if end["event"] != "end" or end["units"] == 0:
        sys.exit(f"{config}: the run failed: {end}")
    loop = end["loop"]["busy"]["mean"] + end["loop"]["waiting"]["mean"]
    return seconds + loop * (total / end["units"] - 1), seconds


NO_TARGETS = ["--set", "stop.relative_error=0.0", "--set", "stop.absolute_error=0.0", "--set", "stop.wall_time=0",
              "--set", "stop.require_converged=false"]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("gsim")
parser.add_argument("configs", nargs="*", type=pathlib.Path)
parser.add_argument("--limit", type=float, default=10)
parser.add_argument("--measure", type=float, default=0.3)
arguments = parser.parse_intermixed_args()
gsim_path = str(pathlib.Path(arguments.gsim).resolve())
configs = [c.resolve() for c in arguments.configs] or sorted((ROOT / "configs").glob("*/*.toml"))
failures = []
for path in configs:
    name = f"{path.parent.name}/{path.stem}"
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        plan, reason = forecast(gsim_path, path, arguments.measure, work)
        if plan is None or plan["time"] is None:
            print(f"{name:42} no forecast: {reason}", flush=True)
            continue
        if any("says nothing about later ones" in note for note in plan["notes"]):
            print(f"{name:42} not compared: the beginning of the run is unlike the rest", flush=True)
            continue
        expected = plan["time"]["seconds"]
        measured, ran = run_time(gsim_path, path, plan["total_units"], arguments.limit, work)
        quotient = expected / measured
        is_good = 1 / FACTOR <= quotient <= FACTOR
        if not is_good:
            failures.append(name)
        print(f"{name:42} forecast {expected:10.3g} s, took {measured:10.3g} s (ran {ran:.1f} s): quotient {quotient:.2f}"
              f"{'' if is_good else '  NOT WITHIN A FACTOR OF TWO'}", flush=True)
if failures:
    sys.exit(f"not within a factor of {FACTOR}: {', '.join(failures)}")
