#!/usr/bin/env python3
"""Checks that the GPU memory that `gsim check` forecasts for a rank agrees within 20 % with what the allocator of the emulated
GPU counts in the run.
usage: device_memory.py GSIM"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GSIM = sys.argv[1]
CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "validation" / "digests"
ERROR = 0.2
RUNS = (("european_and_asian.toml", "stop.samples=8192"),
        ("md/liquid.toml", "md.steps=12"),
        ("transport/lattice.toml", "transport.particles=200", "transport.batches=4", "transport.inactive=1"))


def call(words, **environment):
    """The standard output of a `gsim` command on the emulated GPU."""
    done = subprocess.run([GSIM, *words], capture_output=True, text=True, check=False, env=dict(os.environ, NO_COLOR="1", **environment))
    if done.returncode != 0:
        sys.exit(f"FAILED: gsim {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for name, *keys in RUNS:
            words = [str(CONFIGS / name)]
            for key in ('device="cuda"', *keys, f'output.file="{folder}/run.h5"'):
                words += ["--set", key]
            forecast = json.loads(call(["check", *words, "--measure", "30", "--json"]))
            expected = forecast["device_bytes_per_rank"]
            if expected is None:
                sys.exit(f"FAILED: {name}: no forecast: {forecast.get('why_no_time')}")
            call(["run", *words, "--quiet"], PTXEMU_REPORT=str(report))
            used = json.loads(report.read_text())["runtime"]["peak_device_bytes"]
            is_close = abs(expected - used) <= ERROR * used
            print(f"{name:<24} forecast {expected / 1e6:8.3f} MB, allocated {used / 1e6:8.3f} MB{'' if is_close else '  WRONG'}", flush=True)
            failures += not is_close
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
